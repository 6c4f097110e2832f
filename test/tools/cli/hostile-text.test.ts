/** ESC, BEL, C1 and the like, in all that a service says, through every command and every hook. */
import * as gateway from "../../../src";
import { hooksOfType } from "../../../src/provider/dynamic/hooks";
import { declarations, readable } from "../../../src/resources/registry";
import type { Json } from "../../../src/schema/json";
import { runCommandLine } from "../../support/command-line";
import { evil, harmIn } from "../../support/hostile";
import { serverForTests } from "../../support/servers";
import { temporaryFolder } from "../../support/folders";

interface Answer {
  readonly status: number;
  readonly text: string;
}

let env: Record<string, string>;
let answer: (method: string, path: string) => Answer;
const server = serverForTests((request, response) => {
  const { pathname } = new URL(request.url!, "http://x");
  const { status, text } = answer(request.method!, pathname);
  request.resume();
  response.writeHead(status, { "content-type": "application/json" }).end(text);
});
beforeAll(() => {
  env = {
    TUNNEL_GATEWAY_BASE_URL: server.baseUrl,
    TUNNEL_GATEWAY_API_KEY: "a-key-for-tests",
    TUNNEL_GATEWAY_RETRY_TIMEOUT: "1",
  };
});

const folder = temporaryFolder("hostile");

const body = (value: unknown): string => JSON.stringify(value);
const refusal = { error_code: evil, msg: evil, details: { operation_id: evil } };

/** An object of a collection whose every text is hostile. */
function objectOf({ fields, idPrefix = "" }: (typeof readable)[number]): Json {
  const texts = Object.keys(fields).map((name) => [
    name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
    evil,
  ]);
  return { ...(Object.fromEntries(texts) as Json), created_at: "2026-01-01T00:00:00Z", id: `${idPrefix}1` };
}

function listOrObject(path: string): unknown {
  const listed = readable.find((each) => each.path === path && each.listKey !== undefined);
  if (listed)
    return { [listed.listKey!]: [objectOf(listed), { [evil]: evil }, { id: evil }], next_page_uri: null };
  const one = readable.find((each) => path.startsWith(`${each.path}/`));
  return one ? objectOf(one) : { [evil]: evil };
}

const services: [string, typeof answer][] = [
  ...[400, 401, 403, 404, 409, 500].map((status): [string, typeof answer] => [
    `that refuses with ${status}`,
    () => ({ status, text: body(refusal) }),
  ]),
  ["that answers an error of a proxy", () => ({ status: 400, text: `<html>${evil}` })],
  ["whose successes are no JSON", () => ({ status: 200, text: `{"token":"${evil}` })],
  [
    "whose successes have wrong members",
    () => ({ status: 200, text: body({ [evil]: evil, labels: { [evil]: 5 } }) }),
  ],
  ["whose objects are hostile", (_, path) => ({ status: 200, text: body(listOrObject(path)) })],
  [
    "that reads well and writes badly",
    (method, path) =>
      method === "GET"
        ? { status: 200, text: body(listOrObject(path)) }
        : { status: 422, text: body(refusal) },
  ],
];

const commands: string[][] = [
  ...["ip-policies", "tunnel-group-backends", "tunnel-sessions", "api-keys"].flatMap((name) => [
    ["list", name],
    ["list", name, "--json"],
  ]),
  ["list", "event-sources", "esb_1"],
  ["get", "ip-policies", "ipp_1"],
  ["get", "ip-policies", "ipp_1", "--json"],
  ["get", "https-edge-route-oidc", "edghts_1/edghtsrt_1", "--show-secrets"],
  ["sessions", "list"],
  ["sessions", "show", "ts_1"],
  ["sessions", "restart", "ts_1", "--yes"],
  ["sessions", "stop", "ts_1", "--yes"],
  ["sessions", "update", "ts_1"],
  ["sessions", "update", "ts_1", "--restart", "--yes", "--follow", "0", "--wait", "10"],
  ["doctor"],
  ["doctor", "--json"],
  ["import", "--cwd", folder],
  ["import", "IpPolicy", "office", "ipp_1", "--cwd", folder],
  ["map", "--account"],
  ["map", "--account", "--output", "svg"],
];

jest.mock("node:timers/promises", () => ({
  ...jest.requireActual<object>("node:timers/promises"),
  setTimeout: () => new Promise((resolve) => setImmediate(resolve)),
}));

describe.each(services)("a service %s", (_, service) => {
  beforeEach(() => (answer = service));

  it.each(commands.map((args) => [args.join(" ").replace(folder, "<folder>"), args] as const))(
    "reaches no terminal: %s",
    async (_name, args) => {
      const { stdout, stderr } = await runCommandLine(args, env);
      expect(stdout + stderr).not.toBe("");
      expect(harmIn(stdout + stderr)).toEqual([]);
    },
  );

  it.each(declarations.map(({ type }) => type))(
    "reaches nothing that a hook prints or throws: %s",
    async (type) => {
      const printed: string[] = [];
      const spies = (["stdout", "stderr"] as const).map((name) =>
        jest.spyOn(process[name], "write").mockImplementation((chunk) => (printed.push(String(chunk)), true)),
      );
      try {
        const own = hooksOfType(type);
        const settings: Record<string, string> = {
          ...Object.fromEntries(names(env)),
          "tunnel-gateway:retryTimeout": "1",
        };
        await own.configure({ config: { get: (key: string) => settings[key] } as never });
        const state = { description: evil, metadata: evil, name: evil, id: "x_1", [evil]: evil };
        const id = declarations.find((each) => each.type === type)!.idPrefix ?? "x_";
        const calls = [
          own.check({}, { ...state, description: { [evil]: evil } }),
          own.check(state, { ...state, acl: [evil], cidr: evil, url: evil, labels: { [evil]: evil } }),
          own.diff(`${id}1`, state, { ...state, description: "other" }),
          own.create(state),
          own.read(`${id}1/1`, state),
          own.read(`${id}1`, state),
          own.update(`${id}1`, state, { ...state, description: "other" }),
          own.delete(`${id}1`, state),
        ];
        for (const call of await Promise.allSettled(calls)) {
          if (call.status === "fulfilled") {
            const { failures = [] } = (call.value ?? {}) as { failures?: { reason: string }[] };
            printed.push(...failures.map(({ reason }) => reason));
          } else {
            const error = call.reason as Error;
            const members = Object.values(error).filter((value) => typeof value === "string");
            printed.push(error.message, error.stack ?? "", ...members);
          }
        }
      } finally {
        for (const spy of spies) spy.mockRestore();
      }
      expect(printed.length).toBeGreaterThan(0);
      expect(printed.flatMap(harmIn)).toEqual([]);
    },
  );

  it("reaches no error of a function", async () => {
    const settings = { baseUrl: env.TUNNEL_GATEWAY_BASE_URL!, apiKey: "a-key-for-tests", retryTimeout: 1 };
    const calls = [
      gateway.getIpPolicy("ipp_1", { settings }),
      gateway.getIpPolicy({ description: evil.slice(0, 3) }, { settings }),
      gateway.listEndpoints({ settings }).toArray(),
      gateway.stopTunnelSession("ts_1", { settings }),
    ];
    const errors = (await Promise.allSettled(calls)).flatMap((call) =>
      call.status === "rejected" ? [(call.reason as Error).message] : [],
    );
    expect(errors.flatMap(harmIn)).toEqual([]);
  });
});

/** The settings by their keys in the configuration. */
function names(variables: Record<string, string>): [string, string][] {
  return [
    ["tunnel-gateway:baseUrl", variables.TUNNEL_GATEWAY_BASE_URL!],
    ["tunnel-gateway:apiKey", variables.TUNNEL_GATEWAY_API_KEY!],
  ];
}
