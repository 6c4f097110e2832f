import { EmulatorProcess } from "../../support/emulator-process";
import { Program, type Stack } from "../../support/engine";
import { killAllOf } from "../../support/processes";
import { until } from "../../support/until";

type Rules = Record<string, "allow" | "deny" | { action: "allow" | "deny"; description?: string }>;

/** A policy with a set of rules, which the file rules.json holds. */
const main = `
  const { IpPolicy, IpPolicyRuleSet } = require("pulumi-tunnel-gateway");
  const policy = new IpPolicy("policy");
  const { rules, more } = JSON.parse(require("fs").readFileSync(__dirname + "/rules.json", "utf8"));
  new IpPolicyRuleSet("set", { ipPolicyId: policy.id, rules, ...more });
`;

const range = (i: number): string => `10.${i >> 8}.${i & 255}.0/24`;
const many = (count: number): Rules =>
  Object.fromEntries([...Array(count).keys()].map((i) => [range(i), "allow"]));

const creates = { method: "POST", path: "/ip_policy_rules" } as const;
const lostAnswers = { ...creates, kind: "dropAfter", after: 10, times: 3 } as const;
const rateLimit = { ...creates, kind: "status", status: 429, retryAfter: 0, after: 60, times: 2 } as const;

describe("an IpPolicyRuleSet", () => {
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;

  beforeAll(() => {
    program = new Program({ kind: "cjs", files: main });
  });
  beforeEach(async () => {
    await emulator.reset();
    stack = await program.stack({ env: emulator.env });
  });

  const write = (rules: Rules, more: object = {}): void =>
    program.write({ "rules.json": JSON.stringify({ rules, more }) });
  const deploy = async (rules: Rules, more: object = {}): Promise<void> => {
    write(rules, more);
    await stack.up();
    await emulator.clearRequests();
  };
  const held = async (): Promise<Record<string, unknown>> => {
    const rules = (await emulator.state()).ip_policy_rules!;
    const entries = rules.map(({ cidr, action }) => [String(cidr), action] as const);
    expect(new Set(entries.map(([cidr]) => cidr)).size).toBe(entries.length);
    return Object.fromEntries(entries);
  };
  const policyId = async (): Promise<string> => (await emulator.state()).ip_policies![0]!.id as string;
  const byHand = async (cidr: string): Promise<void> => {
    await emulator.api("POST", "/ip_policy_rules", { cidr, ip_policy_id: await policyId(), action: "allow" });
  };
  const writes = async (): Promise<string[]> =>
    (await emulator.requests())
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} /${path.split("/")[1]!}`);

  /** Starts an update, and kills it and its plugin when 150 rules exist. */
  const killAmongCreates = async (killed: Stack): Promise<void> => {
    const running = killed.start(["up", "--yes", "--skip-preview", "--stack", killed.name]);
    await until(async () => Object.keys(await held()).length >= 150);
    killAllOf(killed);
    await running.done;
    killAllOf(killed);
  };
  const repair = async (killed: Stack): Promise<void> => {
    await killed.pulumi(["cancel", "--yes", "--stack", killed.name]);
    await killed.refresh({ args: ["--clear-pending-creates"] });
    await killed.up();
  };

  it("shows exactly the entry that changes among 1,000, and sends exactly its requests", async () => {
    await deploy(many(1000));
    write({ ...many(999), "192.0.2.0/24": "deny", [range(7)]: "deny" });
    const { output } = await stack.preview({ args: ["--diff"] });
    const lines = output.split("\n").filter((line) => /^\s*[-+~] \d+\./.test(line));
    expect(lines.map((line) => line.trim())).toEqual([
      `~ ${range(7)}  : "allow" => "deny"`,
      `- ${range(999)}: "allow"`,
      '+ 192.0.2.0/24 : "deny"',
    ]);
    expect(output).toMatch(
      /IP policy rule set ipp_\w+: 10\.0\.7\.0\/24 changes from allow to deny\. A range can exist/,
    );
    await stack.up();
    expect(await writes()).toEqual([
      "POST /ip_policy_rules",
      "DELETE /ip_policy_rules",
      "POST /ip_policy_rules",
      "DELETE /ip_policy_rules",
    ]);
    await stack.previewNoChanges();
  });

  it("sends the fewest rules, changes them, and sends one for each range again, and nothing after each", async () => {
    await deploy(many(16));
    const settled = async (): Promise<void> => {
      await stack.previewNoChanges();
      await stack.refresh();
      await stack.previewNoChanges();
      await emulator.clearRequests();
    };
    const summarize = { summarize: true };
    write(many(16), summarize);
    expect((await stack.preview()).output).toMatch(
      /16 ranges as 1 IP policy rule \(16 before\): the update creates 1, changes 0 and deletes 16/,
    );
    await stack.up();
    expect(await held()).toEqual({ "10.0.0.0/20": "allow" });
    await settled();

    write(many(17), summarize);
    const { output } = await stack.preview({ args: ["--diff"] });
    expect(output).toMatch(/\+ 10\.0\.16\.0\/24: "allow"/);
    await stack.up();
    expect(await writes()).toEqual(["POST /ip_policy_rules"]);
    expect(await held()).toEqual({ "10.0.0.0/20": "allow", "10.0.16.0/24": "allow" });
    await byHand("10.0.0.0/25");
    await settled();

    await deploy(many(17));
    expect(await held()).toEqual(many(17));
    await stack.previewNoChanges();
  });

  it("takes a range that another resource produces, in one up, and then changes nothing", async () => {
    const withAddress = new Program({
      kind: "cjs",
      files: `
        const { BotUser, IpPolicy, IpPolicyRuleSet } = require("pulumi-tunnel-gateway");
        const { bot, known } = JSON.parse(require("fs").readFileSync(__dirname + "/rules.json", "utf8"));
        const cidr = new BotUser(bot, { name: bot }).id.apply(() => "198.51.100.4");
        new IpPolicyRuleSet("set", {
          ipPolicyId: new IpPolicy("policy").id,
          rules: known === undefined
            ? [{ cidr: "10.0.0.0/8", action: "allow" }, { cidr, action: "allow", description: "gateway" }]
            : known,
        });
      `,
    });
    const produced = await withAddress.stack({ env: emulator.env });
    withAddress.write({ "rules.json": JSON.stringify({ bot: "first" }) });
    await produced.up();
    expect(await held()).toEqual({ "10.0.0.0/8": "allow", "198.51.100.4/32": "allow" });
    await produced.previewNoChanges();

    withAddress.write({ "rules.json": JSON.stringify({ bot: "second" }) });
    const { output } = await produced.preview({ args: ["--diff"] });
    expect(output).toMatch(/unknown \(rules\[1\]\): \{[^}]*cidr +: \[unknown\]/);
    expect(output).toContain("the preview removes 198.51.100.4/32. A rule stays if its range");
    expect(output).not.toMatch(/[-~] 10\.0\.0\.0\/8/);
    await emulator.clearRequests();
    await produced.up();
    expect((await writes()).filter((each) => each.endsWith("rules"))).toEqual([]);
    await produced.previewNoChanges();

    const map = { "10.0.0.0/8": "allow", "198.51.100.4": { action: "allow", description: "gateway" } };
    withAddress.write({ "rules.json": JSON.stringify({ bot: "second", known: map }) });
    await produced.previewNoChanges();
  });

  describe("with an edge that depends on it", () => {
    let guarded: Program;
    let withEdge: Stack;

    beforeEach(async () => {
      guarded = new Program({
        kind: "cjs",
        files: `
          const { IpPolicy, IpPolicyRuleSet, TcpEdge } = require("pulumi-tunnel-gateway");
          const policy = new IpPolicy("policy");
          const { rules, description } = JSON.parse(require("fs").readFileSync(__dirname + "/rules.json", "utf8"));
          const set = new IpPolicyRuleSet("set", { ipPolicyId: policy.id, rules });
          new TcpEdge("edge", { description, ipRestriction: { ipPolicyIds: [policy.id] } }, { dependsOn: [set] });
        `,
      });
      withEdge = await guarded.stack({ env: emulator.env });
    });
    const program = (rules: Rules, description = "first"): void =>
      guarded.write({ "rules.json": JSON.stringify({ rules, description }) });
    const edges = async (): Promise<unknown[]> =>
      ((await emulator.state())["edges/tcp"] ?? []).map(({ description }) => description);

    // `held` sees that no rule is there twice.
    it("creates no edge beside a part of the rules after lost answers, a rate limit or a kill, and is complete after the next up", async () => {
      program(many(300));
      await emulator.setFaults({
        rules: [lostAnswers, rateLimit],
      });
      await killAmongCreates(withEdge);
      expect(await edges()).toEqual([]);
      await emulator.setFaults();
      await repair(withEdge);
      expect(await edges()).toEqual(["first"]);
      expect(await held()).toEqual(many(300));
      await withEdge.previewNoChanges();
    });
  });
});
