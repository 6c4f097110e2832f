/** Commands of the packed package on unusual accounts, answers, previews and sources; test/tools tests what each of them decides. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unknown } from "../../../src/schema/unknown";
import { tunnelGateway, type CommandResult } from "../../engine/cli";
import { cjs, idOf } from "../../engine/support";
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import { authority, publisher, RangesProject, sends } from "../../tools/ranges/support";
import { keptPolicy, tcpEdge, writtenPreview, type Written } from "../../tools/review/support";

const emulator = EmulatorProcess.forTests();
afterEach(() => emulator.reset());

let folder: Program;
beforeAll(() => {
  folder = new Program({ kind: "cjs", files: "" });
});
const run = (...args: string[]): Promise<CommandResult> =>
  tunnelGateway(folder, undefined, args, emulator.env);

/** On a slow machine a command says how many objects it has read. */
const withoutProgress = (stderr: string): string => stderr.replace(/^\w+: \d+\n/gm, "");

describe("an account", () => {
  it("of over 125,000 policies is read", async () => {
    const count = 130_000;
    await emulator.seed({ ip_policies: Array.from({ length: count }, () => ({})) });
    const { exitCode, stdout, stderr } = await run("access", "--account", "--json");
    expect([exitCode, withoutProgress(stderr)]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ resources: [] });
    expect((await emulator.requests()).length).toBeGreaterThanOrEqual(count / 100);
  });
});

describe("a list that is answered as null", () => {
  it("without a next page is empty", async () => {
    await emulator.seed({ ip_policies: [{ id: "ipp_a" }] });
    const body = { ip_policies: null, uri: "", next_page_uri: null };
    const list = { kind: "status", status: 200, method: "GET", path: "/ip_policies" } as const;
    await emulator.setFaults({ rules: [{ ...list, body }] });
    expect(await run("list", "ip-policies", "--json")).toEqual({ exitCode: 0, stdout: "[]\n", stderr: "" });
    await emulator.setFaults({
      rules: [{ ...list, body: { ...body, next_page_uri: "/ip_policies?limit=1" } }],
    });
    const { exitCode, stderr } = await run("list", "ip-policies");
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("ip_policies")]);
  });
});

describe("the objects of an operator", () => {
  const metadata = JSON.stringify({ "owned-by": "operator" });
  const exclude = ["--exclude", "metadata.owned-by=*"];

  it("are left out of orphans and import by --exclude, with their rules, and counted", async () => {
    const main = cjs(`new IpPolicy("own");`);
    const stack = await main.stack({ config: emulator.config });
    await stack.up();
    await emulator.seed({
      ip_policies: [{ id: "ipp_theirs", metadata }, { id: "ipp_left" }],
      ip_policy_rules: [{ ip_policy_id: "ipp_theirs", cidr: "203.0.113.0/24", action: "allow" }],
    });
    const ofStack = (...args: string[]): Promise<CommandResult> =>
      tunnelGateway(main, stack, [...args, ...exclude, "--stack", stack.name]);
    const orphans = await ofStack("orphans");
    expect([orphans.exitCode, withoutProgress(orphans.stderr)]).toEqual([0, ""]);
    expect(orphans.stdout).toContain("Left out by --exclude: 1 IpPolicy, 1 IpPolicyRule.");
    const imported = await ofStack("import", "--out", "account");
    expect([imported.exitCode, imported.stderr]).toEqual([
      0,
      expect.stringContaining("Left out by --exclude: 1 IpPolicy, 1 IpPolicyRule."),
    ]);
    const file = readFileSync(join(main.dir, "account/.tunnel-gateway/import.json"), "utf8");
    for (const found of [orphans.stdout, file]) {
      expect(found).toContain("ipp_left");
      expect(found).not.toContain("ipp_theirs");
      expect(found).not.toContain(idOf(stack, "own"));
    }
  });
});

describe("the review of a preview", () => {
  const [wide, half, small] = ["11.0.0.0/8", "11.0.0.0/9", "192.0.2.0/24"];
  const set = (before: unknown, after: unknown): Written => ({
    ...{ type: "IpPolicyRuleSet", name: "office", id: "ipp_office" },
    ...{
      before: { ipPolicyId: "ipp_office", rules: before },
      after: { ipPolicyId: "ipp_office", rules: after },
    },
  });
  const guarded = { ipRestriction: { ipPolicyIds: ["ipp_office"] } };
  const edge = tcpEdge("db", guarded, guarded);
  const until = (time: string, action = "allow") => ({ action, until: time });
  /** The errors about access, as the rule and what it is about. */
  const errors = async (resources: readonly Written[], config: object = {}): Promise<string[]> => {
    writeFileSync(join(folder.dir, ".tunnel-gateway-review.json"), JSON.stringify(config));
    writeFileSync(join(folder.dir, "preview.json"), writtenPreview([keptPolicy("office"), ...resources]));
    const { stdout } = await run("review", "preview.json");
    return [...stdout.matchAll(/^error +(access\/\S+) +(.*)$/gm)].map(([, rule, text]) => `${rule} ${text}`);
  };

  it("compares the known entries of a set beside unknown ones", async () => {
    const allow = (cidr: string) => ({ cidr, action: "allow" });
    const notKnown = expect.stringMatching(/^access\/unknown-ranges /) as unknown;
    const before = [allow(wide), { cidr: half, action: "deny" }];
    expect(await errors([set(before, [allow(wide), allow(half), allow(unknown)]), edge])).toEqual([
      expect.stringMatching(/^access\/deny-removed TcpEdge db: 11\.0\.0\.0\/9 /),
      notKnown,
    ]);
    expect(await errors([set([allow(small)], [allow(unknown)]), edge])).toEqual([notKnown]);
  });

  it("takes an end in the past for none, and looks at access after each end that is to come", async () => {
    const ended = ["2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"].map((time) => ({
      ...{ [wide]: "allow", [small]: until(time) },
    }));
    expect(await errors([set(ended[0], ended[1]), edge])).toEqual([]);
    const end = "2099-01-01T00:00:00Z";
    const onlyUntil = { [wide]: until(end), [half]: "deny" };
    expect(await errors([set({ [wide]: "allow", [half]: "deny" }, onlyUntil), edge])).toEqual([
      expect.stringContaining(`have deny rules only from ${end} on: everybody else may get in`),
    ]);
  });

  it("names who loses the kept access of a policy that no edge uses and that had deny rules alone", async () => {
    const keepAccess = { office: ["203.0.113.0/24"] };
    expect(await errors([set({ [small]: "deny" }, { "198.51.100.8/32": "allow" })], { keepAccess })).toEqual([
      expect.stringMatching(
        /^access\/kept-access-lost IpPolicy office: "office" may lose its access: .*203\.0\.113\.0\/24/,
      ),
    ]);
  });
});

describe("ranges pull", () => {
  const source = publisher();

  it.each([
    ["::/96", "loopback"],
    ["::ffff:0:0:0/96", "reserved"],
    ["::a00:0/104", "reserved"],
    ["::ffff:0:a00:0/104", "reserved"],
  ])(
    "refuses %s, which stands for addresses of IPv4, unless the source may hold such ranges",
    async (range, kind) => {
      const project = new RangesProject();
      const ca = join(project.folder, "ca.pem");
      writeFileSync(ca, authority.pem);
      source.serve(sends(`${range}\n`));
      const pull = (): Promise<CommandResult> =>
        tunnelGateway(folder, undefined, ["ranges", "pull", "--cwd", project.folder], {
          NODE_EXTRA_CA_CERTS: ca,
        });
      project.source(source.url);
      const refused = await pull();
      expect(refused.exitCode).toBe(1);
      expect(refused.stdout).toContain(`add ${kind} to its mayHold`);
      expect(project.lock).toBeUndefined();
      project.source(source.url, { mayHold: ["loopback", "reserved", "default"] });
      expect((await pull()).exitCode).toBe(0);
      expect(project.lock).toContain(range);
    },
  );
});
