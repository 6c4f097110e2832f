import type { FaultRule, RecordedRequest } from "../../../src/emulator/types";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Result, Stack } from "../../support/engine";
import { until } from "../../support/until";
import { cjs, doors, idOf, resources, rewrite, stackTrace } from "../../engine/support";

const start = EmulatorProcess.forOneTest();

/** Everything that may become of a request and its answer. */
const faults = {
  "an error of the service's own": { kind: "status", status: 503 },
  "a proxy's page": { kind: "html", status: 502 },
  "a connection that breaks before the work": { kind: "dropBefore" },
  "a connection that breaks after the work": { kind: "dropAfter" },
  "half an answer": { kind: "truncate" },
  "an answer that is no JSON": { kind: "garbage" },
  "no answer": { kind: "hang" },
  "a slow answer": { kind: "slow", delayMs: 500 },
  "too many requests, and when to come back": { kind: "status", status: 429, retryAfter: 1 },
  "too many requests, and no more": { kind: "status", status: 429 },
} satisfies Record<string, FaultRule>;
const names = Object.keys(faults);
const plan: FaultRule[] = Object.values(faults);

const edge = (i: number): string => `edgtls_${i}`;
const numbers = names.map((_, i) => i);

/** A rule, a module and a key for each fault, all saying the word. */
const program = (word: string): string => `
  const { TlsEdgeIpRestriction } = require("pulumi-tunnel-gateway");
  const office = new IpPolicy("office", { description: "office" });
  const home = new IpPolicy("home", { description: "home" });
  const description = ${JSON.stringify(word)};
  const keys = ${JSON.stringify(numbers)}.map((i) => {
    const cidr = "10." + i + ".0.0/16";
    new IpPolicyRule("rule" + i, { ipPolicyId: office.id, action: "allow", cidr, description });
    const ipPolicyIds = description.length % 2 ? [office.id] : [office.id, home.id];
    new TlsEdgeIpRestriction("module" + i, { edgeId: "edgtls_" + i, ipPolicyIds });
    return new ApiKey("key" + i, { description: "key" + i, metadata: description });
  });
  exports.tokens = keys.map(({ token }) => token);
`;

/** Each of the faults once, on requests to the path in the order in which they come. */
function once(method: string, path: string): FaultRule[] {
  return plan.map((fault) => ({ ...fault, method, path, times: 1 }));
}

/** A fault of its own for each object. */
function oneEach(method: string, path: (i: number) => string): FaultRule[] {
  return plan.map((fault, i) => ({ ...fault, method, path: path(i), exact: true, times: 1 }));
}

function areaOf({ path }: RecordedRequest): string {
  return `/${path.split("/")[1]}`;
}

/** test/provider/faults/doors.test.ts asks both doors for every class under every refusal. */
describe("a stack whose service fails in every way", () => {
  const emulator = EmulatorProcess.forTests();
  let main: Program;
  let stack: Stack;
  let tokens: string[] = [];

  beforeAll(async () => {
    await emulator.seed({ tls_edges: numbers.map((i) => ({ id: edge(i) })) });
    main = cjs(program("first"));
    stack = await main.stack({ env: { ...emulator.env, TUNNEL_GATEWAY_REQUEST_TIMEOUT: "2" } });
  });

  const module = (i: number): string => `/edges/tls/${edge(i)}/ip_restriction`;
  const address = (path: string, name: string) => (i: number) => `${path}/${idOf(stack, name + i)}`;

  /** Does the work under the faults; each of them has struck each kind of object. */
  async function under(rules: FaultRule[], work: () => Promise<Result>): Promise<string> {
    await emulator.clearRequests();
    await emulator.setFaults({ rules });
    const { output } = await work();
    await emulator.setFaults();
    const struck = (await emulator.requests()).filter(({ fault }) => fault !== undefined).map(areaOf);
    for (const area of ["/ip_policy_rules", "/edges", "/api_keys"])
      expect([area, struck.filter((each) => each === area).length]).toEqual([area, names.length]);
    return clean(output);
  }

  function clean(output: string): string {
    expect(output).not.toMatch(stackTrace);
    for (const secret of [emulator.apiKey, ...tokens]) expect(output).not.toContain(secret);
    return output;
  }

  /** The account and the state hold what the program says and nothing else. */
  async function compare(word: string): Promise<void> {
    const account = await emulator.state();
    const held = resources(stack);
    expect(Object.keys(held)).toHaveLength(2 + 3 * numbers.length);
    const policies = [idOf(stack, "office"), idOf(stack, "home")];
    const wanted = word.length % 2 ? policies.slice(0, 1) : policies;

    expect(account.ip_policies!.map(({ id }) => id).sort()).toEqual([...policies].sort());
    expect(
      byId(account.ip_policy_rules!.map(({ id, cidr, description }) => [id, cidr, description])),
    ).toEqual(byId(numbers.map((i) => [idOf(stack, `rule${i}`), `10.${i}.0.0/16`, word])));
    const modules = account.tls_edges!.map(({ id, ip_restriction: found }) => {
      const refs = (found as { ip_policies?: { id: string }[] } | undefined)?.ip_policies;
      return [id, refs?.map((ref) => ref.id).sort()];
    });
    expect(byId(modules)).toEqual(byId(numbers.map((i) => [edge(i), [...wanted].sort()])));
    const keys = numbers.map((i) => [idOf(stack, `key${i}`), `key${i}`, word]);
    expect(
      byId(account.api_keys!.map(({ id, description, metadata }) => [id, description, metadata])),
    ).toEqual(byId(keys));

    for (const i of numbers) {
      expect(held[`rule${i}`]!.outputs).toMatchObject({ description: word, cidr: `10.${i}.0.0/16` });
      expect((held[`module${i}`]!.outputs!.ipPolicyIds as string[]).sort()).toEqual([...wanted].sort());
      expect(held[`key${i}`]!.outputs).toMatchObject({ description: `key${i}`, metadata: word });
    }
  }

  async function knownTokens(): Promise<string[]> {
    return (await stack.outputs(true)).tokens as string[];
  }

  it("is made whole: every create meets a fault, and nothing is there twice", async () => {
    const rules = [
      ...once("POST", "/ip_policy_rules"),
      ...oneEach("PUT", module),
      ...once("POST", "/api_keys"),
    ];
    const output = await under(rules, () => stack.up());
    await compare("first");

    tokens = await knownTokens();
    expect(new Set(tokens).size).toBe(names.length);
    clean(output);
    for (const token of tokens) {
      const headers = { Authorization: `Bearer ${token}`, "Service-Version": "2" };
      expect((await fetch(`${emulator.baseUrl}/ip_policies`, { headers })).status).toBe(200);
    }
    await emulator.clearRequests();
    await stack.previewNoChanges();
    expect(await emulator.requests()).toEqual([]);
  });

  it("shows no drift: every read of a refresh meets a fault", async () => {
    const rules = [
      ...once("GET", "/ip_policy_rules"),
      ...oneEach("GET", module),
      ...once("GET", "/api_keys"),
    ];
    await under(rules, () => stack.refresh({ args: ["--expect-no-changes"] }));
    await compare("first");
  });

  it("is changed as a whole: every update meets a fault", async () => {
    rewrite(main, program("second"));
    const rules = [
      ...oneEach("PATCH", address("/ip_policy_rules", "rule")),
      ...oneEach("PUT", module),
      ...oneEach("PATCH", address("/api_keys", "key")),
    ];
    await under(rules, () => stack.up());
    await compare("second");
    expect(await knownTokens()).toEqual(tokens);
    await stack.previewNoChanges();
  });

  it("is taken away: every delete meets a fault, and nothing is left", async () => {
    const rules = [
      ...oneEach("DELETE", address("/ip_policy_rules", "rule")),
      ...oneEach("DELETE", module),
      ...oneEach("DELETE", address("/api_keys", "key")),
    ];
    await under(rules, () => stack.destroy());
    expect(resources(stack)).toEqual({});
    const { ip_policies, ip_policy_rules, api_keys, tls_edges } = await emulator.state();
    expect([ip_policies, ip_policy_rules, api_keys]).toEqual([[], [], []]);
    expect(tls_edges!.filter(({ ip_restriction: left }) => left !== undefined)).toEqual([]);
  });
});

describe("an up that is interrupted", () => {
  const count = 40;
  const body = `
    const office = new IpPolicy("office");
    for (let i = 0; i < ${count}; i++)
      new IpPolicyRule("rule" + i, { ipPolicyId: office.id, cidr: "10." + i + ".0.0/16", action: "allow" });
    for (let i = 0; i < 8; i++) new ApiKey("key" + i);
  `;

  it.each(doors)(
    "by one SIGINT ends what it began and records it, and the next up does the rest, by the %s door",
    async (door) => {
      const emulator = await start({ latencyMs: 500 });
      const stack = await cjs(body, { door }).stack({ env: emulator.env });
      const running = stack.start(["up", "--yes", "--skip-preview", "--stack", stack.name]);
      const posts = async (): Promise<number> =>
        (await emulator.requests()).filter(({ method }) => method === "POST").length;
      await until(async () => (await posts()) >= 12);
      running.signal("SIGINT");
      const { exitCode, output } = await running.done;
      expect(exitCode).not.toBe(0);
      expect(output).not.toMatch(stackTrace);

      const ids = async (): Promise<unknown[]> => {
        const { ip_policies, ip_policy_rules, api_keys } = await emulator.state();
        return [...ip_policies!, ...ip_policy_rules!, ...api_keys!].map(({ id }) => id).sort();
      };
      const recorded = (): unknown[] =>
        Object.values(resources(stack))
          .map(({ id }) => id)
          .sort();
      const made = await ids();
      expect(made.length).toBeGreaterThanOrEqual(12);
      expect(made.length).toBeLessThan(count);
      expect(recorded()).toEqual(made);
      expect((await stack.exportState()).deployment.pending_operations ?? []).toEqual([]);

      await stack.up();
      expect(recorded()).toHaveLength(1 + count + 8);
      expect(recorded()).toEqual(await ids());
      await stack.previewNoChanges();
    },
  );
});

/** Objects as rows, in the order of their ids. */
function byId(rows: unknown[][]): unknown[][] {
  return rows.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
}
