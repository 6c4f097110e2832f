import { EmulatorProcess } from "../support/emulator-process";
import type { Program, Stack } from "../support/engine";
import { cjs, resources, rewrite, stackTrace } from "./support";

const startEmulator = EmulatorProcess.forOneTest();

describe("wrong arguments", () => {
  // Neither may ever be shown; the first is too long for a description, the second is right and a neighbour.
  const wrongSecret = `WRONG-SECRET-${"x".repeat(250)}`;
  const rightSecret = "RIGHT-SECRET-1234";
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    program = cjs("");
    stack = await program.stack({
      env: emulator.env,
      config: { wrongSecret: { secret: wrongSecret }, rightSecret: { secret: rightSecret } },
    });
  });
  beforeEach(() => emulator.clearRequests());

  /** The output of a preview that must fail, without stack trace, secret and request. */
  async function refused(body: string, args: string[] = []): Promise<string> {
    rewrite(program, body);
    const { output } = await stack.preview({ exitCode: 1, args });
    // JSON says of every resource where the program made it, which is no failure's trace.
    expect(output.replace(/"sourcePosition".*/g, "")).not.toMatch(stackTrace);
    expect(output).not.toContain("WRONG-SECRET");
    expect(output).not.toContain(rightSecret);
    expect(await emulator.requestLines()).toEqual([]);
    return output;
  }

  /** The lines that follow a resource's heading in the one message with all problems. */
  function problemsOf(output: string, name: string): string[] {
    const lines = output.split("\n").map((line) => line.trim());
    // A heading names the line of the program.
    const heading = (of: string): RegExp => new RegExp(`^\\w+ "${of}" \\(index\\.js:\\d+\\)$`);
    const start = lines.findIndex((line) => heading(name).test(line)) + 1;
    if (start === 0) throw new Error(`nothing is said of ${name}:\n${output}`);
    const end = lines.findIndex((line, i) => i >= start && (line === "" || heading("\\w+").test(line)));
    return lines.slice(start, end < 0 ? undefined : end);
  }

  it("are reported all at once by a preview, before anything is changed, each at its property, with what is allowed", async () => {
    const output = await refused(`
      const config = new pulumi.Config();
      const policy = new IpPolicy("policy", {});
      const rule = (name, args) =>
        new IpPolicyRule(name, { ipPolicyId: policy.id, cidr: "10.0.0.0/8", action: "allow", ...args });
      rule("hostBits", { cidr: "10.1.2.3/8" });
      rule("mask", { cidr: "10.0.0.0/33" });
      rule("octet", { cidr: "300.0.0.0/8" });
      rule("action", { action: "alow" });
      rule("prefix", { ipPolicyId: "ipr_1" });
      rule("unknownArgument", { cidr: "11.0.0.0/8", ipPolicy: policy.id });
      new IpPolicyRule("missing", { action: "allow", cidr: "10.0.0.0/8" });
      new IpPolicyRule("nothing");
      rule("neighbours", { cidr: "10.0.0.1/8", description: policy.createdAt, metadata: 5 });
      new IpPolicy("description", { description: "€uro".repeat(16) + "é".repeat(80) });
      new IpPolicy("metadata", { metadata: "m".repeat(4097) });
      new ApiKey("owner", { ownerId: "ak_1", description: config.requireSecret("rightSecret") });
      const { TunnelGroupBackend, WeightedBackend } = require("pulumi-tunnel-gateway");
      const one = new TunnelGroupBackend("one", { labels: { a: "b" } });
      new WeightedBackend("weighted", { backends: { [one.id]: 1 } });
    `);
    expect(output).toContain("wrong arguments, found before anything was changed:\n");
    expect(problemsOf(output, "hostBits")).toEqual([expect.stringMatching(/^cidr: .*10\.0\.0\.0\/8/)]);
    expect(problemsOf(output, "mask")).toEqual([expect.stringMatching(/^cidr: .*mask/)]);
    expect(problemsOf(output, "octet")).toEqual([expect.stringMatching(/^cidr: .*"300\.0\.0\.0\/8"/)]);
    expect(problemsOf(output, "action")).toEqual(['action: must be "allow" or "deny", not "alow"']);
    expect(problemsOf(output, "prefix")).toEqual([expect.stringMatching(/^ipPolicyId: .*ipp_.*"ipr_1"/)]);
    expect(problemsOf(output, "unknownArgument")).toEqual([
      expect.stringMatching(/^ipPolicy: is not an argument here; did you mean ipPolicyId\?/),
    ]);
    expect(problemsOf(output, "missing")).toEqual(["ipPolicyId: is required"]);
    expect(problemsOf(output, "nothing")).toHaveLength(3);
    expect(problemsOf(output, "neighbours")).toEqual([
      expect.stringMatching(/^cidr: /),
      "metadata: must be a string, not a number",
    ]);
    expect(problemsOf(output, "description")).toEqual([
      "description: is 256 bytes in UTF-8; the limit is 255",
    ]);
    expect(problemsOf(output, "metadata")).toEqual(["metadata: is 4097 bytes in UTF-8; the limit is 4096"]);
    expect(problemsOf(output, "weighted")).toEqual([
      expect.stringMatching(
        /^backends: has an Output as a key, .*pulumi\.all\(\[first\.id, second\.id\]\)\.apply\(/,
      ),
    ]);
    expect(problemsOf(output, "owner")).toEqual([expect.stringMatching(/^ownerId: .*usr_ or bot_.*API key/)]);
  });

  it("are not said to be found before a change by a deployment without a preview, which may have created others", async () => {
    rewrite(program, `new IpPolicy("long", { description: "x".repeat(256) });`);
    const { output } = await stack.up({ exitCode: 1, args: ["--skip-preview"] });
    expect(output).toContain("wrong arguments, which a preview finds before anything is changed:\n");
    expect(output).not.toContain("was changed");
    expect(problemsOf(output, "long")).toEqual(["description: is 256 bytes in UTF-8; the limit is 255"]);
  });

  it("are two rules of one policy with the same range, also beside an entry of a set: both are named with their lines", async () => {
    const output = await refused(`
      const { IpPolicyRuleSet } = require("pulumi-tunnel-gateway");
      const policy = new IpPolicy("policy", {});
      new IpPolicyRule("first", { ipPolicyId: policy.id, cidr: "10.0.0.7", action: "allow" });
      new IpPolicyRule("second", { ipPolicyId: policy.id, cidr: "10.0.0.7/32", action: "deny" });
      new IpPolicyRuleSet("some", { ipPolicyId: policy.id, rules: { "10.0.0.7/32": "deny" }, exclusive: false });
      new IpPolicyRule("elsewhere", { ipPolicyId: "ipp_other", cidr: "10.0.0.7", action: "allow" });
    `);
    const repeats = (path: string, line: number): string =>
      `${path}: must not be that of IpPolicyRule "first" (index.js:7) too: only one IP policy rule may have this cidr ` +
      `and ipPolicyId. Remove one of the two; this one is at index.js:${line}`;
    expect(problemsOf(output, "second")).toEqual([repeats("cidr", 8)]);
    expect(problemsOf(output, "some")).toEqual([repeats('rules["10.0.0.7/32"]', 9)]);
    expect(output).not.toContain(`"elsewhere"`);
  });

  it("that come out of Outputs are reported too, all of a resource, and neither a secret beside them nor what is not known yet", async () => {
    const body = `
      const config = new pulumi.Config();
      const policy = new IpPolicy("policy", {});
      new IpPolicyRule("rule", {
        ipPolicyId: policy.id,
        cidr: pulumi.output(Promise.resolve("10.0.0.1/8")),
        action: pulumi.output("alow"),
        description: config.requireSecret("wrongSecret"),
        metadata: config.requireSecret("rightSecret"),
      });
    `;
    for (const output of [await refused(body, ["--diff"]), await refused(body, ["--json"])]) {
      expect(output).toMatch(/cidr: must be a network address/);
      expect(output).toMatch(/action: must be \\?"allow\\?" or/);
      expect(output).toMatch(/description: is \d+ bytes in UTF-8; the limit is 255/);
      expect(output).not.toMatch(/ipPolicyId:/);
    }
  });
});

describe("values that are not known yet", () => {
  const body = (description: string, trigger = "1") => `
    const policy = new IpPolicy("policy", { description: "${description}" }, { replacementTrigger: "${trigger}" });
    new IpPolicyRule("byId", { ipPolicyId: policy.id, cidr: "10.0.0.0/8", action: "allow" });
    new IpPolicyRule("byComputed", {
      ipPolicyId: policy.id,
      cidr: "11.0.0.0/8",
      action: "allow",
      description: pulumi.interpolate\`made at \${policy.createdAt}\`,
    });
  `;

  it("replace nothing, unless what they belong to is replaced", async () => {
    const emulator = await startEmulator();
    const program = cjs(body("a"));
    const stack = await program.stack({ env: emulator.env });
    await stack.up();

    rewrite(program, body("b"));
    const plan = await stack.previewJson();
    // The engine knows no computed output of what it is about to update; nobody can prevent that.
    expect(plan.changes.map(({ op, name }) => `${op} ${name}`)).toEqual([
      "update policy",
      "update byComputed",
    ]);
    await emulator.clearRequests();
    const done = await stack.upJson();
    expect(done.changes.map(({ op, name }) => `${op} ${name}`)).toEqual(["update policy"]);
    expect(await emulator.requestLines()).toEqual([`PATCH /ip_policies/${resources(stack).policy!.id}`]);

    rewrite(program, body("b", "2"));
    const replacement = await stack.upJson();
    const replaced = new Set(
      replacement.changes.filter(({ op }) => op === "replace").map(({ name }) => name),
    );
    expect(replaced).toEqual(new Set(["policy", "byId", "byComputed"]));
    await stack.previewNoChanges();
    expect((await emulator.state()).ip_policy_rules).toHaveLength(2);
  });
});
