/** `access --unused` and `access --propose` in process, on stacks whose exports stand in for the Pulumi CLI. */
import { secretSignature } from "../../../src/schema/secrets";
import { join } from "node:path";
import ts from "typescript";
import { previewOf } from "../review/access-preview";
import { state } from "./support";
import { runCommandLine } from "../../support/command-line";
import type { Ended } from "../../support/command-line";
import { mixed } from "../../support/mixed-doors";
import { recorded } from "../../support/recorded";
import { filesIn, temporaryFolder } from "../../support/folders";
import { evil, harmIn } from "../../support/hostile";

type Values = Readonly<Record<string, unknown>>;
const set = (rules: Values, more: Values = {}): object =>
  state(
    "IpPolicyRuleSet",
    "offices",
    "ipp_1",
    { ipPolicyId: "ipp_1", rules, ...more },
    { sourcePosition: "project:///index.ts#4,1" },
  );
const edge = (name: string, ...ipPolicyIds: string[]): object =>
  state("TcpEdge", name, `edgtcp_${name}`, { ipRestriction: { ipPolicyIds } });
const offices = state("IpPolicy", "offices", "ipp_1", {});
const example = [
  offices,
  set({
    "203.0.113.0/24": "allow",
    "203.0.113.64/26": "allow",
    "203.0.113.128/25": { action: "deny", description: "guests" },
    "198.51.100.7/32": "allow",
  }),
  edge("database", "ipp_1"),
];

let mockExport: object;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: () => Promise.resolve({ stdout: JSON.stringify(recorded(mockExport)), stderr: "" }),
}));

const folder = temporaryFolder("logs");
const file = (lines: readonly string[], name = "clients.log"): string =>
  filesIn(folder)(name, lines.join("\n"));
const access = (resources: readonly object[], ...args: string[]): Promise<Ended> => {
  mockExport = { deployment: { resources } };
  return runCommandLine(["access", "--stack", "dev", ...args], {});
};
const cells = ({ stdout }: Ended): string[][] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(/ {2,}/));

const lines = [
  "2026-11-21T10:11:12Z 203.0.113.7 GET /",
  "2026-11-21T10:11:13Z 203.0.113.7 GET /",
  "2026-11-23T08:00:00Z 203.0.113.130 GET /",
];

describe("access --unused", () => {
  it("shows the rules that no client used, shadowed ones apart, and the time that the log covers", async () => {
    const log = file(lines);
    const ended = await access(example, "--unused", log);
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(cells(ended)).toEqual([
      ["RESOURCE", "RULE", "DECLARED BY", "USE", "CLIENTS UNDER IT"],
      [
        ...["TcpEdge database", "allow 203.0.113.64/26", "IpPolicyRuleSet offices (index.ts:4)"],
        ...["shadowed by allow 203.0.113.0/24", "none"],
      ],
      [
        ...["TcpEdge database", "allow 198.51.100.7/32", "IpPolicyRuleSet offices (index.ts:4)"],
        ...["unused", "none"],
      ],
      ["TcpEdge database: 2 of 4 rules used, 1 unused, 1 shadowed; its logs have 2 clients with 3 requests"],
      [`${log}: 2 clients with 3 requests from 2026-11-21T10:11:12Z to 2026-11-23T08:00:00Z`],
    ]);
  });

  it("counts the clients of a deny rule for the allow rule around it only as far as the setting semantics says", async () => {
    const guests = file(["203.0.113.130 x", "203.0.113.131 y"]);
    const config = file([JSON.stringify({ semantics: { overlap: "deny-wins" } })], "review.json");
    const args = ["--unused", guests, "--json"];
    const [unknown, denyWins] = [
      await access(example, ...args),
      await access(example, ...args, "--config", config),
    ].map(({ stdout }) => {
      const { resources } = JSON.parse(stdout) as {
        resources: { policies: { isUsed: boolean; rules: Record<string, unknown>[] }[] }[];
      };
      return resources[0]!.policies[0]!.rules.map(({ cidr, use, covered, used }) => ({
        ...{ cidr, use, covered, used },
      }));
    });
    const [none, two] = [0, 2].map((count) => ({ clients: count, requests: count }));
    expect(unknown![0]).toEqual({ cidr: "203.0.113.0/24", use: "used", covered: two, used: two });
    expect(denyWins![0]).toEqual({ cidr: "203.0.113.0/24", use: "unused", covered: two, used: none });
    expect(denyWins![2]).toEqual({ cidr: "203.0.113.128/25", use: "used", covered: two, used: two });
  });

  it("says nothing of what is not known, and that a guard elsewhere may use a policy", async () => {
    const ended = await access(
      [
        offices,
        set({ "203.0.113.0/24": "allow" }, { exclusive: false }),
        state("IpPolicy", "spare", "ipp_2", {}),
        edge("database", "ipp_1", "ipp_of_others"),
        edge("open"),
      ],
      ...["--unused", file(["192.0.2.1"])],
    );
    expect(cells(ended).slice(2, -1)).toEqual([
      ["RESOURCE", "POLICY", "USE"],
      [
        ...["TcpEdge database", "ipp_of_others"],
        "no known rule is used; it may have other rules; it is managed elsewhere: other guards may use it",
      ],
      ["TcpEdge database", "offices", "no known rule is used; it may have other rules"],
      ["", "spare", "guards nothing here; a guard elsewhere may use it"],
      ["TcpEdge database: 0 of 1 rule used, 1 unused, 0 shadowed; its logs have 1 client with 1 request"],
      ["TcpEdge open: nothing restricts by address; its logs have 1 client with 1 request"],
    ]);
    expect(ended.stdout).toContain("no line has a time that can be read");
  });

  it("asks the log of one resource about that one, and says where a rule is needed besides", async () => {
    const ofProvider = "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::second::id";
    // The account of a provider whose base URL is not known may be the same one.
    const perhaps = { ...edge("perhaps", "ipp_1"), provider: ofProvider };
    const resources = [...example, edge("other", "ipp_1"), edge("third", "ipp_1"), perhaps];
    const [own, others] = [file(["203.0.113.7"], "own.log"), file(["198.51.100.7"], "others.log")];
    const ended = await access(
      resources,
      ...["--unused", `${own}=TcpEdge database`, "--unused", `${others}=TcpEdge other`],
    );
    const rows = cells(ended).filter(([name]) => name === "TcpEdge database");
    expect(rows).toContainEqual([
      ...["TcpEdge database", "allow 198.51.100.7/32", "IpPolicyRuleSet offices (index.ts:4)"],
      ...["unused; needed or without a log at TcpEdge other, TcpEdge third, TcpEdge perhaps", "none"],
    ]);
    expect(ended.stdout).toContain("TcpEdge third: no log is of it");
  });

  it("reads hostile lines, and prints none of them", async () => {
    const hostile = [
      `203.0.113.7 ${"x".repeat(200_000)}`,
      "\u001b]0;title\u0007 203.0.113.8 \u202e \u0000",
      '{"ip":"203.0.113.9","ip":{"__proto__":1}}',
      "2026-99-99T99:99:99Z 203.0.113.10",
      "99999999999999999999.1.1.1 ::::::: 1.2.3.4.5.6",
      "",
    ];
    const { code, stdout, stderr } = await access(example, "--unused", file(hostile), "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      logs: [{ clients: 4, linesWithAddress: 4, linesWithTime: 0 }],
    });
    // eslint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|title|xxx/);
  });

  it("reads the address from a member of JSON lines", async () => {
    const log = file(['{"ip":"198.51.100.7","via":"203.0.113.7"}']);
    const args = ["--unused", log, "--clients-field", "ip", "--json"];
    const { stdout } = await access(example, ...args);
    const used = [...stdout.matchAll(/"cidr": "(\S+)",[^}]*"use": "used"/g)].map(([, cidr]) => cidr);
    expect(used).toEqual(["198.51.100.7/32"]);
    const proposal = await access(example, "--propose", ...args.slice(1));
    expect(JSON.parse(proposal.stdout)).toMatchObject({ proposals: [{ allow: ["198.51.100.7/32"] }] });
  });

  it("works on a preview", async () => {
    const rule = { name: "berlin", policy: "office", action: "allow", cidr: "203.0.113.0/24" } as const;
    const before = { policies: ["office"], rules: [rule], edges: { database: ["office"] } };
    const preview = file(
      [previewOf(before, { ...before, rules: [{ ...rule, cidr: "192.0.2.0/24" }] })],
      "p.json",
    );
    const { stdout } = await runCommandLine(
      ["access", "--preview", preview, "--unused", file(["203.0.113.7"])],
      {},
    );
    expect(stdout).toContain("allow 192.0.2.0/24");
  });

  it.each<[string, string, string[], RegExp]>([
    ["a resource that there is not", "=TcpEdge a=b", lines, /has the name "TcpEdge a=b" of --unused/],
    ["a log without an address", "", ["nothing"], /an address is in 0 of 1 line: correct --unused/],
  ])("refuses %s", async (_, resource, content, message) => {
    const ended = await access(example, "--unused", file(content) + resource);
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});

describe("access --propose", () => {
  const clients = file(
    [
      ...["203.0.113.7 a", "203.0.113.7 b", "203.0.113.6 c", "203.0.113.9 d"],
      ...["198.51.100.7 e", "203.0.113.130 f", "192.0.2.1 g"],
    ],
    "propose.log",
  );
  const propose = (resources: readonly object[], ...args: string[]): Promise<Ended> =>
    access(resources, "--propose", clients, ...args);
  interface Answer {
    readonly allow: string[];
    readonly problem?: string;
    readonly statement?: string;
    readonly noStatement?: string;
    readonly [member: string]: unknown;
  }
  const answersOf = ({ stdout }: Ended): Answer[] =>
    (JSON.parse(stdout) as { proposals: Answer[] }).proposals;
  const proposed = async (resources: readonly object[], ...args: string[]): Promise<Answer> =>
    answersOf(await propose(resources, "--json", ...args))[0]!;

  it("shows the ranges, what stays, and whom they cut off", async () => {
    const ended = await propose(example, "--at-least", "2", "--max-rules", "1");
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(ended.stdout.split("\n")).toEqual([
      "TcpEdge database (IpPolicy offices):",
      "  allow 1 range",
      "",
      "  203.0.113.7/32",
      "",
      "  lets in 1 client with 2 requests, and nobody else",
      "  these rules stay: deny 203.0.113.128/25",
      "  removes access from 198.51.100.7/32 and 203.0.113.0/25 (except 203.0.113.7/32) (128 addresses)",
      "  cuts off 3 clients with 3 requests: 198.51.100.7 (1 request), 203.0.113.6 (1 request), 203.0.113.9 (1 request)",
      "  leaves out 1 client with 1 request whose verdict today is undecided",
      "  leaves out 1 client with 1 request whose verdict today is unmatched",
      "",
      `${clients}: 6 clients with 7 requests; no line has a time that can be read`,
      "",
    ]);
  });

  it("shows the same as JSON", async () => {
    const ended = await propose(example, "--json", "--max-rules", "2");
    const none = { cidrs: [], ipv4Addresses: "0", ipv6Addresses: "0" };
    expect(JSON.parse(ended.stdout)).toMatchObject({
      logs: [{ file: clients, clients: 6, requests: 7 }],
      bounds: { maxRules: 2, minPrefix4: 0, minPrefix6: 0, atLeast: 1 },
      proposals: [
        {
          resources: [{ type: "TcpEdge", name: "database" }],
          ...{ withoutLog: [], policies: ["offices"] },
          allow: ["198.51.100.7/32", "203.0.113.0/28"],
          staying: [{ action: "deny", cidr: "203.0.113.128/25" }],
          observed: { clients: 4, requests: 5 },
          extra: { ipv4Addresses: "13", ipv6Addresses: "0" },
          cutOff: {
            addresses: { ipv4Addresses: "112", ipv6Addresses: "0" },
            rareClients: { clients: 0, requests: 0, listed: [] },
          },
          others: { undecided: { clients: 1, requests: 1 }, unmatched: { clients: 1, requests: 1 } },
          statement: expect.stringContaining('"203.0.113.0/28": "allow"') as string,
        },
      ],
    });
    expect(answersOf(await propose(example, "--json", "--at-least", "1"))[0]).toMatchObject({
      allow: ["198.51.100.7/32", "203.0.113.6/31", "203.0.113.9/32"],
      extra: none,
    });
  });

  it("joins ranges only as far as the narrowest prefix lets it, and says how many rules it needs", async () => {
    const answer = await proposed(example, "--max-rules", "2", "--min-prefix4", "30");
    expect(answer.problem).toMatch(/^3 rules are needed, and --max-rules is 2: allow more rules/);
    const three = await proposed(example, "--max-rules", "3", "--min-prefix4", "30");
    expect(three.allow).toEqual(["198.51.100.7/32", "203.0.113.6/31", "203.0.113.9/32"]);
  });

  it("keeps the ranges of keepAccess as they are, as far as they get in today", async () => {
    const config = file(
      [JSON.stringify({ keepAccess: { office: ["203.0.113.0/28"], vpn: ["192.0.2.0/24"] } })],
      "keep.json",
    );
    const { allow } = await proposed(example, "--config", config);
    expect(allow).toEqual(["203.0.113.0/28", "198.51.100.7/32"]);
  });

  it("leaves entries that end as they are, and lets nobody in for longer", async () => {
    const until = "2099-01-01T00:00:00Z";
    const ending = (cidr: string): object =>
      set({ "203.0.113.0/25": "allow", [cidr]: { action: "allow", until } }, { summarize: true });
    const visitor = await proposed([offices, ending("198.51.100.7"), edge("database", "ipp_1")]);
    expect(visitor).toMatchObject({
      allow: ["203.0.113.6/31", "203.0.113.9/32"],
      staying: [{ action: "allow", cidr: "198.51.100.7", until }],
      observed: { clients: 4 },
    });
    expect(visitor.statement).toMatch(
      /"198\.51\.100\.7\/32": \{\s+action: "allow",\s+until: "2099.*},\s+summarize: true,/s,
    );
    // Its range is one that does not end now.
    const same = await proposed([offices, ending("203.0.113.6/31"), edge("database", "ipp_1")]);
    expect(same).toMatchObject({ allow: ["203.0.113.6/31", "203.0.113.9/32"], staying: [] });
    expect(same.statement).toMatch(/"203\.0\.113\.6\/31": \{ action: "allow" \}/);
  });

  it("allows a range that a rule without effect denies", async () => {
    const config = file([JSON.stringify({ semantics: { overlap: "allow-wins" } })], "allow-wins.json");
    const rules = { "203.0.113.0/24": "allow", "203.0.113.7": { action: "deny", description: "no" } };
    const { statement } = await proposed(
      [offices, set(rules), edge("database", "ipp_1")],
      ...["--config", config, "--at-least", "2"],
    );
    expect(statement).toContain('rules: { "203.0.113.7/32": "allow" },');
    expect(statement).not.toContain("deny");
  });

  it("takes the clients of all resources with the same policies, and each log once", async () => {
    const resources = [...example, edge("other", "ipp_1")];
    const own = file(["203.0.113.9"], "own.log");
    const args = ["--propose", `${own}=TcpEdge other`, "--at-least", "2", "--json"];
    const [answer, ...more] = answersOf(await propose(resources, ...args));
    expect(more).toEqual([]);
    expect(answer).toMatchObject({
      resources: [{ name: "database" }, { name: "other" }],
      allow: ["203.0.113.7/32", "203.0.113.9/32"],
      observed: { clients: 2, requests: 4 },
    });
  });

  const list = "tunnel-gateway:index:IpAccessList";
  const inList = (type: string, name: string, id: string, outputs: Values): object => {
    const urn = `urn:pulumi:dev::shop::${list}$pulumi-nodejs:dynamic/tunnel-gateway:${type}::${name}`;
    return { ...state(type, name, id, outputs), urn };
  };
  const name = `it's "x" ${evil}`;
  const hostile = [
    inList("IpPolicy", name, "ipp_2", { description: evil, metadata: '{"a":"${b}"}' }),
    inList("IpPolicyRuleSet", name, "ipp_2", {
      ipPolicyId: "ipp_2",
      rules: {
        "203.0.113.6/31": { action: "allow", description: `");process.exit()//${evil}` },
        "203.0.113.9/32": "allow",
        "192.0.2.0/24": { action: "deny", description: "no" },
        "10.0.0.0/8": { action: "allow", description: "for now", until: "2099-01-01T00:00:00Z" },
      },
      ...{ summarize: true, extraRulesPercent: 0 },
    }),
    edge("hostile", "ipp_2"),
  ];

  it("writes statements that compile, and declare the lists whatever names and descriptions say", async () => {
    const { code, stdout, stderr } = await propose([...example, ...hostile], "--typescript");
    expect([code, stderr, harmIn(stdout)]).toEqual([0, "", []]);
    const [, variable] = /ipPolicyId: (\w+)\.id/.exec(stdout)!;
    const policy = `import { IpPolicy } from "pulumi-tunnel-gateway";\nconst ${variable} = new IpPolicy("offices");\n`;
    expect(mistakesIn(file([policy + stdout], "statements.mts"))).toEqual([]);
    expect(stdout).toContain("// In place of the statement at index.ts:4; keep its resource options.\n");
    expect(declaredBy(policy + stdout)).toEqual([
      ["IpPolicy", "offices"],
      [
        ...["IpPolicyRuleSet", "offices"],
        {
          ipPolicyId: "the id of offices",
          rules: {
            ...{ "198.51.100.7/32": "allow", "203.0.113.6/31": "allow", "203.0.113.9/32": "allow" },
            "203.0.113.128/25": { action: "deny", description: "guests" },
          },
        },
      ],
      [
        ...["IpAccessList", name],
        {
          ...{ description: evil, metadata: '{"a":"${b}"}', summarize: true, extraRulesPercent: 0 },
          allow: [
            { cidr: "203.0.113.6/31", description: `");process.exit()//${evil}` },
            "203.0.113.9/32",
            { cidr: "10.0.0.0/8", description: "for now", until: "2099-01-01T00:00:00Z" },
          ],
          deny: [{ cidr: "192.0.2.0/24", description: "no" }],
        },
      ],
    ]);
  });

  it("takes the class from the module of the door that the program uses", async () => {
    const others = [second, setOf("ipp_2", { "203.0.113.0/24": "allow" }), edge("other", "ipp_2")];
    const own = [set({ "203.0.113.0/24": "allow" }), offices, edge("database", "ipp_1"), ...others];
    const text = mixed(JSON.stringify(recorded({ deployment: { resources: own } })));
    const { resources } = (JSON.parse(text) as { deployment: { resources: object[] } }).deployment;
    const { stdout } = await propose(resources, "--typescript");
    expect(stdout).toMatch(/^import \{ IpPolicyRuleSet \} from "pulumi-tunnel-gateway\/native";\n\n/);
  });

  const rule = state("IpPolicyRule", "office", "ipr_1", {
    ...{ ipPolicyId: "ipp_1", cidr: "203.0.113.0/24", action: "allow" },
  });
  const database = edge("database", "ipp_1");
  const office = set({ "203.0.113.0/24": "allow" });
  const second = state("IpPolicy", "second", "ipp_2", {});
  const setOf = (policy: string, rules: Values): object =>
    state("IpPolicyRuleSet", policy, policy, { ipPolicyId: policy, rules });

  it.each<[string, readonly object[], RegExp]>([
    [
      "nothing restricts it",
      [edge("open")],
      /^it has no policy with allow rules yet: declare one with these/,
    ],
    [
      "there are rules without a set",
      [offices, rule, database],
      /^the rules of IpPolicy offices are not those of one/,
    ],
    [
      "several policies decide",
      [
        offices,
        office,
        second,
        setOf("ipp_2", { "203.0.113.0/25": "allow" }),
        edge("database", "ipp_1", "ipp_2"),
      ],
      /^it has 2 policies with allow rules: change them together$/,
    ],
    [
      "the policy guards another place with others",
      [offices, office, second, database, edge("other", "ipp_1", "ipp_2")],
      /^IpPolicy offices also guards TcpEdge other, which has other policies too$/,
    ],
    [
      "a value is secret",
      [
        state("IpPolicy", "offices", "ipp_1", {
          metadata: secretSignature,
        }),
        ...[office, database],
      ],
      /^IpPolicyRuleSet offices has values that are secret, or not known before the deployment$/,
    ],
  ])("has no statement where %s", async (_, resources, reason) => {
    const [answer] = answersOf(await propose(resources, "--json"));
    expect([answer!.problem, answer!.statement, answer!.noStatement]).toEqual([
      ...[undefined, undefined],
      expect.stringMatching(reason),
    ]);
    const { code, stdout, stderr } = await propose(resources, "--typescript");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`no statement: ${answer!.noStatement}`);
    const text = await propose(resources);
    expect([text.code, text.stdout]).toEqual([
      0,
      expect.stringContaining(`no statement: ${answer!.noStatement}`),
    ]);
  });

  it("has no statement where another resource with the policy has no log", async () => {
    const ended = await access(
      [...example, edge("other", "ipp_1")],
      ...["--propose", `${clients}=TcpEdge database`, "--json"],
    );
    expect(answersOf(ended)[0]).toMatchObject({
      withoutLog: ["TcpEdge other"],
      noStatement: "no log is of TcpEdge other, which has the same policy",
    });
  });

  it.each<[string, readonly object[], object, RegExp]>([
    [
      "no client gets in",
      [offices, setOf("ipp_1", { "192.0.2.9/32": "allow" }), database],
      {},
      /^no client of its logs certainly gets in today, and an empty list may let everybody in$/,
    ],
    [
      "addresses without a rule get in",
      example,
      { semantics: { unmatched: "allowed" } },
      /^a list of allowed ranges keeps nobody out where the setting semantics\.unmatched is allowed$/,
    ],
    [
      "several policies decide and one has a rule that ends",
      [
        ...[offices, setOf("ipp_1", { "203.0.113.0/24": "allow" }), second],
        setOf("ipp_2", {
          "203.0.113.7/32": { action: "allow", until: "2099-01-01T00:00:00Z" },
          "203.0.113.8/29": "allow",
        }),
        edge("database", "ipp_1", "ipp_2"),
      ],
      { semantics: { unmatched: "denied", policies: "all" } },
      /^several policies decide together, and 203\.0\.113\.7\/32 would lose access before its rule ends: join them first$/,
    ],
  ])("has no list where %s", async (_, resources, settings, problem) => {
    const config = file([JSON.stringify(settings)], "settings.json");
    const ended = await propose(resources, "--config", config);
    expect(ended.code).toBe(1);
    const [answer] = answersOf(await propose(resources, "--config", config, "--json"));
    expect(answer).toMatchObject({ allow: [], cutOff: { addresses: { cidrs: [] } } });
    expect([answer!.problem, answer!.noStatement]).toEqual(Array(2).fill(expect.stringMatching(problem)));
    expect(ended.stdout).toContain(`no proposal: ${answer!.problem}`);
  });

  it("says that there is nothing to guard", async () => {
    const { code, stdout } = await propose([offices]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("There is no edge, route or cloud endpoint.\n"),
    ]);
  });

  it.each<[string, string, RegExp]>([
    ["a resource that there is not", `${clients}=TcpEdge gone`, /has the name "TcpEdge gone" of --propose/],
    ["a log without an address", file(["nothing"], "none.log"), /correct --propose or --clients-field/],
  ])("refuses %s", async (_, log, message) => {
    const ended = await access(example, "--propose", log);
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});

/** What the compiler says of a program, in strict mode. */
function mistakesIn(path: string): string[] {
  const root = join(__dirname, "../../..");
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (name) => ts.sys.readFile(name)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  // What the statements declare, the rest of the program uses.
  const program = ts.createProgram([path], { ...options, noEmit: true, noUnusedLocals: false });
  const source = program.getSourceFile(path);
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

/** The classes, names and arguments of what a program declares. */
function declaredBy(text: string): unknown[][] {
  const declared: unknown[][] = [];
  const classOf = (type: string) =>
    class {
      readonly id: string;
      constructor(...given: unknown[]) {
        declared.push([type, ...given]);
        this.id = `the id of ${String(given[0])}`;
      }
    };
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const types = ["IpPolicy", "IpPolicyRuleSet", "IpAccessList"];
  const classes = Object.fromEntries(types.map((type) => [type, classOf(type)]));
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the program
  new Function("exports", "require", outputText)({}, () => classes);
  return declared;
}
