/** What services were seen to answer: nothing is lost, done twice, or sent for nothing. */
import { join } from "node:path";
import { cjs, idOf, rewrite, writes } from "../../engine/support";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { inFront, type ShownAs } from "../../support/in-front";
import { baseEnv } from "../../support/pulumi-command";
import { serverForTests } from "../../support/servers";

const start = EmulatorProcess.forOneTest();

type Values = Record<string, unknown>;
type Answer = Parameters<ShownAs>[1];

const operators = {
  "without a binding": ({ binding: _, ...rest }: Values): Values => rest,
  "with a binding of null": (operator: Values): Values => ({ ...operator, binding: null }),
  "without selectors": ({ binding, ...rest }: Values): Values => {
    const { endpoint_selectors: _, ...others } = binding as Values;
    return { ...rest, binding: others };
  },
  "with selectors of null": ({ binding, ...rest }: Values): Values => ({
    ...rest,
    binding: { ...(binding as Values), endpoint_selectors: null },
  }),
};

const main = ({ metadata = "first", region = "eu", more = "" } = {}): string => `
  const { HttpsEdgeRouteOidc, KubernetesOperator, RotatingApiKey, TcpEdge } = require("pulumi-tunnel-gateway");
  const office = new IpPolicy("office", { description: "one", metadata: "${metadata}" });
  const home = new IpPolicy("home");
  new TcpEdge("edge", { ipRestriction: { ipPolicyIds: [office.id, home.id] } });
  const binding = { endpointSelectors: ["true"], ingressEndpoint: "in.example.com:443" };
  for (const description of ${JSON.stringify(Object.keys(operators))}) {
    const args = { description, enabledFeatures: ["bindings"], binding, region: "${region}" };
    new KubernetesOperator(description, args);
  }
  const route = { edgeId: "edge", routeId: "route" };
  const client = { issuer: "https://id.example.com", clientId: "app", clientSecret: "not-so-secret" };
  new HttpsEdgeRouteOidc("signIn", { ...route, ...client });
  new ApiKey("ci");
  new RotatingApiKey("ci", { rotateAfterDays: 30, overlapDays: 3 });
  ${more}
`;

describe("a stack", () => {
  const emulator = EmulatorProcess.forTests();
  let shownAs: ShownAs;
  const front = serverForTests(inFront(emulator, (asked, answer) => shownAs(asked, answer)));
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    await emulator.seed({ https_edges: [{ id: "edge", routes: [{ id: "route" }] }] });
    program = cjs(main());
    stack = await program.stack({
      config: { "tunnel-gateway:stampMetadata": "true" },
      env: { ...emulator.env, TUNNEL_GATEWAY_BASE_URL: front.baseUrl },
    });
  });
  beforeEach(() => {
    shownAs = hiding;
    return emulator.clearRequests();
  });
  afterEach(() => emulator.setFaults());
  const state = async (collection: string): Promise<Values[]> => (await emulator.state())[collection]!;
  const linesOf = async (method: string): Promise<string[]> =>
    (await emulator.requestLines()).filter((line) => line.startsWith(method));

  it("makes two keys of one name at once, and deletes neither", async () => {
    let made = 0;
    const both = Promise.withResolvers<void>();
    shownAs = async (asked, answer) => {
      if (asked.method === "POST" && asked.path === "/api_keys") {
        made += 1;
        if (made === 2) both.resolve();
        await both.promise;
      }
      return hiding(asked, answer);
    };
    await stack.up();
    expect(await linesOf("DELETE")).toEqual([]);
    const keys = await state("api_keys");
    expect(keys.map(({ metadata }) => metadata)).toEqual(
      Array(2).fill(JSON.stringify({ project: "program", stack: "test", name: "ci" })),
    );
  });

  it("sends no write where answers leave out the binding of an operator or its selectors", async () => {
    await stack.up();
    expect(await writes(emulator)).toEqual({});
    rewrite(program, main({ region: "us" }));
    await stack.up();
    const changed = Object.keys(operators).map((name) => `PATCH /kubernetes_operators/${idOf(stack, name)}`);
    expect(await writes(emulator)).toEqual(
      Object.fromEntries(changed.map((line) => [line, { region: "us" }])),
    );
  });

  it("keeps a secret that is answered as an empty text from now on, as to a weaker key", async () => {
    let hidden = 0;
    shownAs = (asked, answer) => {
      if (!asked.path.endsWith("/oidc")) return hiding(asked, answer);
      hidden += 1;
      return { ...answer, body: { ...(answer.body as Values), client_secret: "" } };
    };
    await stack.refresh({ args: ["--expect-no-changes"] });
    await stack.previewNoChanges();
    expect(hidden).toBe(1);
    expect(await writes(emulator)).toEqual({});
  });

  it("keeps what it has just made and the service does not show yet", async () => {
    const path = `/ip_policies/${idOf(stack, "office")}`;
    const [{ created_at: createdAt }] = (await state("ip_policies")) as [Values];
    await emulator.setClock(String(createdAt));
    let hidden = 0;
    shownAs = (asked, answer) => {
      const isHidden = hidden < 2;
      if (isHidden && asked.path === path) {
        hidden += 1;
        return notFound;
      }
      return isHidden && asked.path === "/ip_policies" ? without(path, answer) : hiding(asked, answer);
    };
    await stack.refresh();
    expect(hidden).toBe(2);
    rewrite(program, main({ region: "us", more: late }));
    await emulator.setFaults({
      rules: [{ kind: "status", status: 404, method: "PATCH", path: "/api_keys", times: 2 }],
    });
    await stack.up();
    expect(await linesOf("POST")).toEqual(["POST /api_keys"]);
    expect(await linesOf("PATCH")).toEqual(Array(3).fill(`PATCH /api_keys/${idOf(stack, "late")}`));
  });

  it("changes an argument beside one that was changed by hand, and repairs that in the next up", async () => {
    const line = `PATCH /ip_policies/${idOf(stack, "office")}`;
    await emulator.api("PATCH", `/ip_policies/${idOf(stack, "office")}`, { description: "by hand" });
    await emulator.clearRequests();
    rewrite(program, main({ region: "us", metadata: "second", more: late }));
    await stack.up();
    expect(await writes(emulator)).toEqual({ [line]: { metadata: "second" } });
    await emulator.clearRequests();
    await stack.up();
    expect(await writes(emulator)).toEqual({ [line]: { description: "one" } });
  });

  it("deletes policies that the service takes for in use until some seconds after the deletion of their edge", async () => {
    const refused = [
      ["office", 409],
      ["home", 400],
    ] as const;
    await emulator.setFaults({
      rules: refused.map(([name, status]) => ({
        ...{ kind: "status", status, times: 2 },
        ...{ method: "DELETE", path: `/ip_policies/${idOf(stack, name)}` },
      })),
    });
    await stack.destroy();
    expect((await linesOf("DELETE /ip_policies")).length).toBe(6);
    expect(await state("ip_policies")).toEqual([]);
  });
});

const late = `new ApiKey("late");`;
const notFound = { status: 404, body: { status_code: 404, msg: "not found", details: {} } };

/** The answer, without what such services leave out of it or hide. */
function hiding({ path }: { path: string }, answer: Answer): Answer {
  const { status } = answer;
  const body = answer.body as Values | undefined;
  if (!path.startsWith("/kubernetes_operators") || body === undefined) return answer;
  const hidden = (operator: Values): Values =>
    operators[operator.description as keyof typeof operators](operator);
  const list = body.operators as Values[] | undefined;
  return { status, body: list ? { ...body, operators: list.map(hidden) } : hidden(body) };
}

/** The list without the object with the path. */
function without(path: string, { status, body }: Answer): Answer {
  const list = (body as { ip_policies: Values[] }).ip_policies;
  return {
    status,
    body: { ...(body as Values), ip_policies: list.filter(({ id }) => !path.endsWith(String(id))) },
  };
}

/** What a node of the engine loads before all else: the connection that carried a POST loses its route when it ends. */
const lostRoute = `
const { Socket } = require("node:net");
const { write, destroy, push } = Socket.prototype;
const carriers = new WeakSet();
const lost = () => Object.assign(new Error("read EHOSTUNREACH"), { code: "EHOSTUNREACH", syscall: "read" });
Socket.prototype.write = function (data, ...rest) {
  if (String(data).startsWith("POST ")) carriers.add(this);
  return write.call(this, data, ...rest);
};
Socket.prototype.push = function (chunk, ...rest) {
  return chunk === null && carriers.has(this) ? this.destroy(lost()) : push.call(this, chunk, ...rest);
};
Socket.prototype.destroy = function (error, ...rest) {
  return destroy.call(this, error && carriers.has(this) ? lost() : error, ...rest);
};
`;

/** The kernel's own error would need a host whose route goes: the code alone is made up. */
it("looks for what a POST made whose connection then lost its route", async () => {
  const emulator = await start();
  const program = cjs(`new IpPolicy("office", { description: "office" });`);
  program.write({ "lost-route.js": lostRoute });
  const stack = await program.stack({ env: emulator.env });
  await emulator.setFaults({
    rules: [{ kind: "dropAfter", method: "POST", path: "/ip_policies", times: 1 }],
  });
  const preload = `--require ${join(program.dir, "lost-route.js")}`;
  const { output } = await stack.up({ env: { NODE_OPTIONS: `${baseEnv().NODE_OPTIONS ?? ""} ${preload}` } });
  expect(output).toContain("EHOSTUNREACH");
  expect(await emulator.requestLines()).toEqual(["POST /ip_policies", "GET /ip_policies"]);
  expect((await emulator.state()).ip_policies).toHaveLength(1);
});
