/**
 * Programs that somebody wrote to get past the gate, with the packed package on the real engine: a preview of each one, and
 * what the command line says of it. docs/security.md lists them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { programOf } from "../../fixtures/previews/scenarios";
import { route } from "../../fixtures/previews/world";
import { shimOf, tokenPrefix } from "../../../src/program/shim";
import { runCommandLine } from "../../support/command-line";
import { EmulatorProcess } from "../../support/emulator-process";
import { Program, type Stack } from "../../support/engine";
import { tunnelGateway, type CommandResult } from "../../engine/cli";
import { idOf, stackTrace } from "../../engine/support";

type Statements = Readonly<Record<string, string | null>>;

const [database, games] = ["1.tcp.example.com:5432", "2.tcp.example.com:27015"];
const sets = (cidr: string): string => `ipPolicyId: office.id, cidr: "${cidr}", action: "allow"`;
const edge = (name: string, hostports: string[], more = "", options = "{}"): string =>
  `new t.TcpEdge("${name}", { hostports: ${JSON.stringify(hostports)}${more} }, ${options});`;
const guarded = ", ipRestriction: { ipPolicyIds: [office.id] }";
const restriction = `{ edgeId: "edgtls_1", ipPolicyIds: [office.id] }`;
const denies = `JSON.stringify({ on_http_request: [{ actions: [{ type: "deny" }] }] })`;
const endpoint = (name: string, url: string, trafficPolicy: string): string =>
  `new t.CloudEndpoint("${name}", { url: "https://${url}.example.com", trafficPolicy: ${trafficPolicy} });`;
const staff = `${route(1)}, issuer: "https://id.example.com", clientId: "gateway", clientSecret: config.requireSecret("oidc")`;

/** Two edges, one of which is for everybody, two endpoints alike, and two modules. */
const world = {
  name: "attacked",
  statements: {
    office: `const office = new t.IpPolicy("office", { description: "office" });`,
    berlin: `new t.IpPolicyRule("berlin", { ${sets("203.0.113.0/24")} });`,
    old: `new t.IpPolicyRule("old", { ${sets("192.0.2.0/24")} }, { retainOnDelete: true });`,
    seen: `const seen = t.IpPolicy.get("seen", "ipp_open");`,
    aside: `new t.IpPolicyRule("aside", { ${sets("100.64.0.0/24")} }, { deletedWith: seen });`,
    hidden: `const hidden = new pulumi.DependencyResource("urn:pulumi:test::attacked::pulumi:providers:pulumi-nodejs::default");
      new t.IpPolicyRule("beside", { ${sets("100.64.1.0/24")} }, { deletedWith: hidden });`,
    db: edge("db", [database], guarded),
    game: edge("game", [games]),
    api: endpoint("api", "api", denies),
    blog: endpoint("blog", "blog", `"{}"`),
    admin: `new t.TlsEdgeIpRestriction("admin", ${restriction});`,
    staff: `new t.HttpsEdgeRouteOidc("staff", { ${staff} });`,
  },
  scenarios: [],
};

/** What every deployment here changes, and people have approved. */
const harmless: Statements = {
  office: `const office = new t.IpPolicy("office", { description: "office networks" });`,
};

/** What a program writes that goes around the classes of this package. */
const raw = (type: string, name: string, inputs: string, options = "{}", isCustom = true): string =>
  `new (class extends pulumi.Resource {})("${type}", "${name}", ${isCustom}, { ${inputs} }, ${options});`;
const codeOf = (type: string): string => `__provider: ${JSON.stringify(shimOf(type))}`;
const everybody = sets("0.0.0.0/0");

const [office, old, aside, beside] = ["203.0.113.0/24", "192.0.2.0/24", "100.64.0.0/24", "100.64.1.0/24"];
const onlyFrom = (...ranges: (string | undefined)[]): object[] => [
  { resource: "TcpEdge db", onlyFrom: ranges },
];
const onlyOffice = onlyFrom(office, old, aside, beside);

interface Attack {
  /** The statements of the program that differ. `<id:name>` is an object's id, and `<url>` the attacker's address. */
  readonly change: Statements;
  /** The settings of the review. */
  readonly settings?: object;
  /** The errors of the review, as `rule Type name`. */
  readonly errors: readonly string[];
  /** It sends what the harmless program sends: only what stays in the account differs. */
  readonly sendsTheSame?: boolean;
}

const attacks: Record<string, Attack> = {
  "a: a provider whose name begins with default, for what goes around the classes": {
    change: {
      staff: `
        const url = { "tunnel-gateway:baseUrl": "<url>" };
        const provider = new pulumi.ProviderResource("pulumi-nodejs", "default_x", url);
        ${raw(`${tokenPrefix}TunnelGroupBackend`, "note", `${codeOf("TunnelGroupBackend")}, labels: { a: "b" }`, "{ provider }")}
        ${raw(`${tokenPrefix}HttpsEdgeRouteOidc`, "staff", `${codeOf("HttpsEdgeRouteOidc")}, ${staff}, scopes: ["email"]`, "{ provider }")}`,
    },
    errors: ["access/base-url-changed Provider default_x", "access/module-moved HttpsEdgeRouteOidc staff"],
  },
  "a base URL under the name that a native provider uses, which the hooks read too": {
    change: {
      note: `
        const provider = new pulumi.ProviderResource("pulumi-nodejs", "other", { baseUrl: "<url>" });
        new t.IpPolicy("more", {}, { provider });`,
    },
    errors: ["access/identity pulumi:providers:pulumi-nodejs other"],
  },
  "a base URL from another variable, such as the title of a pull request": {
    change: {
      note: `
        const provider = new t.Provider("other", {}, { envVarMappings: { TITLE: "TUNNEL_GATEWAY_BASE_URL" } });
        new t.IpPolicy("more", {}, { provider });`,
    },
    errors: ["access/base-url-changed Provider other"],
  },
  "an object whose new provider has another account: it stays where it is, and a later deletion finds nothing":
    {
      change: {
        game:
          `const provider = new t.Provider("other", { apiKey: config.requireSecret("key"), baseUrl: "<url>" });` +
          edge("game", [games], "", "{ provider }"),
      },
      errors: ["access/base-url-changed Provider other", "interruption/undone TcpEdge game"],
    },
  "a plugin of its own for a provider of dynamic resources": {
    change: {
      note: `
        const provider = new pulumi.ProviderResource("pulumi-nodejs", "other", {
          ...{ "tunnel-gateway:baseUrl": config.require("url"), version: "9.9.9" },
          __internal: { pluginDownloadURL: "<url>" },
        });
        new t.IpPolicy("more", {}, { provider });`,
    },
    errors: ["access/identity pulumi:providers:pulumi-nodejs other"],
  },
  "b: components with the types of guards in the place of deleted ones": {
    change: {
      admin: raw(`${tokenPrefix}TlsEdgeIpRestriction`, "admin2", restriction.slice(1, -1), "{}", false),
      staff: raw(`${tokenPrefix}HttpsEdgeRouteOidc`, "staff2", staff, "{}", false),
    },
    errors: [
      `access/identity ${tokenPrefix}HttpsEdgeRouteOidc staff2`,
      `access/identity ${tokenPrefix}TlsEdgeIpRestriction admin2`,
      "access/module-deleted HttpsEdgeRouteOidc staff",
      "access/module-deleted TlsEdgeIpRestriction admin",
    ],
  },
  "c: the code of a rule under other types, and code that uses this package in its own way": {
    change: {
      cache: raw("pulumi-nodejs:dynamic:Resource", "cache", `${codeOf("IpPolicyRule")}, ${everybody}`),
      note: raw(`${tokenPrefix}TunnelGroupBackend`, "note", `${codeOf("IpPolicyRule")}, ${everybody}`),
      own: raw(
        `${tokenPrefix}IpPolicyRule`,
        "own",
        `__provider: ${JSON.stringify(shimOf("IpPolicyRule"))}.replace("{try{", "{/**/try{"), ${sets("198.51.100.0/24")}`,
      ),
    },
    errors: [
      `access/identity ${tokenPrefix}IpPolicyRule own`,
      `access/identity ${tokenPrefix}TunnelGroupBackend note`,
      "access/identity pulumi-nodejs:dynamic:Resource cache",
    ],
  },
  "d: a class that is none, and a name with :: and the word pulumi": {
    change: {
      more: raw(`${tokenPrefix}IpPolicyRule2`, "x::pulumi:y", `${codeOf("IpPolicyRule")}, ${everybody}`),
    },
    errors: [`access/identity ${tokenPrefix}IpPolicyRule2 x::pulumi:y`],
  },
  "e: a policy that the program only reads, and that allows everybody": {
    change: {
      db: edge(
        "db",
        [database],
        `, ipRestriction: { ipPolicyIds: [office.id, t.IpPolicy.get("partner", "ipp_open").id] }`,
      ),
    },
    settings: { accessTests: onlyOffice },
    errors: ["access/test-failed TcpEdge db", "access/unknown-ranges TcpEdge db"],
  },
  "f: a rule of a second provider of the same account, in a policy that it names by its id": {
    change: {
      second: `const second = new t.Provider("second", { apiKey: config.requireSecret("key"), baseUrl: config.require("url") });
        new t.IpPolicyRule("more", { ipPolicyId: "<id:office>", cidr: "198.51.100.0/24", action: "allow" }, { provider: second });`,
    },
    settings: {
      accessTests: [...onlyOffice, { resource: "TcpEdge db", notAllowed: ["198.51.100.7"] }],
    },
    errors: ["access/test-failed TcpEdge db", "access/test-failed TcpEdge db"],
  },
  "n: a removed rule that Pulumi leaves in the account": {
    change: { old: null },
    settings: { accessTests: onlyFrom(office, aside, beside) },
    errors: ["access/test-failed TcpEdge db"],
    sendsTheSame: true,
  },
  "n: a removed rule that Pulumi leaves in the account with a policy that the program only reads": {
    change: { seen: null, aside: null },
    settings: { accessTests: onlyFrom(office, old, beside) },
    errors: ["access/test-failed TcpEdge db"],
    sendsTheSame: true,
  },
  "n: a removed rule that Pulumi may leave in the account with a default provider, which no preview shows": {
    change: { hidden: null },
    errors: ["interruption/undone IpPolicyRule beside"],
  },
  "an address that moves to an edge or endpoint that is open already": {
    change: {
      db: null,
      game: edge("game", [games, database]),
      api: endpoint("api", "old", denies),
      blog: endpoint("blog", "api", `"{}"`),
    },
    errors: ["access/unguarded CloudEndpoint blog", "access/unguarded TcpEdge game"],
  },
  "two edges that swap their objects through aliases and new names": {
    change: {
      db: edge("db2", [games], guarded, `{ aliases: [{ name: "game" }] }`),
      game: edge("game2", [database], "", `{ aliases: [{ name: "db" }] }`),
    },
    errors: ["access/unguarded TcpEdge game2"],
  },
  "an alias by which an object of another class takes the place of a guard": {
    change: {
      admin: `new t.TunnelGroupBackend("admin", { labels: { a: "b" } },
        { aliases: [{ type: "${tokenPrefix}TlsEdgeIpRestriction" }] });`,
    },
    errors: [
      `access/identity ${tokenPrefix}TunnelGroupBackend admin`,
      "access/module-deleted TlsEdgeIpRestriction admin",
      "interruption/refused TlsEdgeIpRestriction admin",
    ],
  },
  "options that keep a difference from being shown": {
    change: {
      berlin: `new t.IpPolicyRule("berlin", { ${everybody} }, { hideDiffs: ["cidr"] });`,
      old: `new t.IpPolicyRule("old", { ${sets("192.0.0.0/16")} }, { retainOnDelete: true, additionalSecretOutputs: ["cidr"] });`,
    },
    errors: [
      "access/hidden IpPolicyRule old",
      "access/newly-allowed TcpEdge db",
      "access/newly-allowed TlsEdgeIpRestriction admin",
      "access/open-cidr IpPolicyRule berlin",
    ],
  },
  "a rule with the type and name of an edge that is silenced": {
    change: { more: `new t.IpPolicyRule("TcpEdge game", { ${everybody} });` },
    settings: { silence: [{ rule: "access/*", resource: "TcpEdge game", reason: "A public game." }] },
    errors: [
      "access/newly-allowed TcpEdge db",
      "access/newly-allowed TlsEdgeIpRestriction admin",
      "access/open-cidr IpPolicyRule TcpEdge game",
    ],
  },
};

const emulator = EmulatorProcess.forTests();
const attacker = EmulatorProcess.forTests();
let program: Program;
let stack: Stack;

beforeAll(async () => {
  await emulator.seed({
    ip_policies: [{ id: "ipp_open" }],
    ip_policy_rules: [{ ip_policy_id: "ipp_open", cidr: "0.0.0.0/0", action: "allow" }],
    https_edges: [{ id: "edghts_1", routes: [{ id: "edghtsrt_1" }] }],
    tls_edges: [{ id: "edgtls_1" }],
  });
  program = new Program({ kind: "cjs", name: "attacked", files: programOf(world) });
  stack = await program.stack({
    // A provider without a key takes that of the environment.
    env: { TUNNEL_GATEWAY_API_KEY: emulator.apiKey, TITLE: attacker.baseUrl },
    config: {
      ...emulator.config,
      oidc: { secret: "SECRET-oidc" },
      key: { secret: emulator.apiKey },
      url: emulator.baseUrl,
    },
  });
  await stack.up();
  await write(harmless);
  expect((await review({}, "--save", "approval.json")).errors).toEqual([]);
});

/** Puts statements into the program. */
function rewrite(change: Statements): void {
  const text = programOf(world, { ...harmless, ...change }).replaceAll("<url>", attacker.baseUrl);
  program.write(text.replace(/<id:([^>]+)>/g, (_, name: string) => idOf(stack, name)));
}

/** Previews a program into a file. */
async function write(change: Statements, ...args: string[]): Promise<void> {
  rewrite(change);
  const { stdout } = (await stack.previewJson({ args: ["--show-sames", ...args] })).result;
  program.write({ "preview.json": stdout });
}

/** What the command says of the preview. */
async function review(settings: object, ...args: string[]): Promise<{ code: number; errors: string[] }> {
  const config = { baseUrls: [emulator.baseUrl], ...settings };
  writeFileSync(join(program.dir, "settings.json"), JSON.stringify(config));
  // In this process: test/engine/review.test.ts runs the command of the package.
  const all = ["review", "preview.json", "--config", "settings.json", "--output", "json", ...args];
  const inFolder = all.map((each) => (each.endsWith(".json") ? join(program.dir, each) : each));
  const result = await runCommandLine(inFolder, {});
  if (result.code !== 0 && result.code !== 3) throw new Error(result.stderr);
  const { findings } = JSON.parse(result.stdout) as { findings: Record<string, string>[] };
  const errors = findings.filter(({ severity }) => severity === "error");
  return { ...result, errors: errors.map(({ rule, type, name }) => `${rule} ${type} ${name}`.trim()) };
}

describe.each(Object.entries(attacks))("%s", (_, { change, settings = {}, errors, sendsTheSame = false }) => {
  it("is an error, and not what was approved without it", async () => {
    await write(change);
    const reviewed = await review(settings);
    const compared = await review(settings, "--approved", "approval.json");
    expect([reviewed.code, reviewed.errors]).toEqual([3, errors]);
    const refused = compared.errors.filter((each) => each.startsWith("approval/changed"));
    expect([compared.code, refused.length === 0]).toEqual([3, sendsTheSame]);
  });
});

describe("a provider whose name begins with default, which no preview shows,", () => {
  const url = `{ "tunnel-gateway:baseUrl": "<url>" }`;
  const rawProvider = `const provider = new pulumi.ProviderResource("pulumi-nodejs", "default", ${url});`;
  const note = (options: string): string =>
    `new t.TunnelGroupBackend("note", { labels: { a: "b" } }, ${options});`;

  it.each([
    ["of this package", `new t.Provider("default_x", { baseUrl: "<url>" });`],
    ["of Pulumi itself", rawProvider + note("{ provider }")],
    [
      "of a component around it",
      `${rawProvider} const parent = new pulumi.ComponentResource("a:b:C", "parent", {}, { providers: [provider] });
        ${note("{ parent }")}`,
    ],
  ])("is refused by the classes before a key leaves: one %s", async (_, added) => {
    rewrite({ added });
    // The engine refuses the second provider of this name once its plugin runs: a host's runs at once.
    const { output } = await stack.up({ exitCode: 1, hosted: false });
    expect(output).toMatch(/the name of the Provider "default(_x)?" begins with "default"/);
    expect(output).not.toMatch(stackTrace);
    expect(await attacker.requestLines()).toEqual([]);
  });
});

it("f, deployed: the access tests fail for the stack as for the account", async () => {
  const { change, settings } = attacks[Object.keys(attacks).find((name) => name.startsWith("f:"))!]!;
  rewrite(change);
  await stack.up();
  const test = (...args: string[]): Promise<CommandResult> =>
    tunnelGateway(program, stack, [
      "access",
      "--test",
      "--stack",
      stack.name,
      "--config",
      "settings.json",
      ...args,
    ]);
  program.write({ "settings.json": JSON.stringify(settings) });
  for (const args of [[], ["--account"]]) {
    const { exitCode, stdout } = await test(...args);
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining("198.51.100.")]);
  }
});

it("a module that only an interrupted replacement has left is reported as deleted", async () => {
  const state = await stack.exportState();
  const left = state.deployment.resources!.find(
    ({ urn }) => urn === stack.urn("TlsEdgeIpRestriction", "admin"),
  )!;
  left.delete = true;
  await stack.importState(state);
  // Without the option Pulumi prints no step for what it deletes then.
  await write({ admin: null }, "--show-replacement-steps");
  const { code, errors } = await review({});
  expect([code, errors]).toEqual([3, ["access/module-deleted TlsEdgeIpRestriction admin"]]);

  // A review that runs the preview itself uses the option.
  const ofStack = await tunnelGateway(program, stack, [
    "review",
    "--stack",
    stack.name,
    "--config",
    "settings.json",
  ]);
  expect(ofStack.exitCode).toBe(3);
  expect(ofStack.stdout).toMatch(/error +access\/module-deleted +TlsEdgeIpRestriction admin/);
});
