/** An approved deployment that is killed in its middle, with the real CLI. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { processesOf } from "../../support/processes";
import { until } from "../../support/until";
import { tunnelGateway, type CommandResult } from "../../engine/cli";
import { killBetweenWrites } from "../../engine/kill-between-writes";
import { cjs, idOf, resources, rewrite, writes } from "../../engine/support";

const start = EmulatorProcess.forOneTest();

const before = `
  const office = new IpPolicy("office", { description: "office" });
  const rule = (name, policy, cidr, action) => new IpPolicyRule(name, { ipPolicyId: policy.id, cidr, action });
  rule("berlin", office, "203.0.113.0/24", "allow");
  rule("old", office, "198.51.100.0/24", "allow");
`;
const after = `
  const office = new IpPolicy("office", { description: "office networks" });
  const rule = (name, policy, cidr, action) => new IpPolicyRule(name, { ipPolicyId: policy.id, cidr, action });
  rule("berlin", office, "203.0.113.0/24", "allow");
  rule("guests", office, "203.0.113.128/25", "deny");
  const vpn = new IpPolicy("vpn", { description: "vpn" });
  for (let i = 0; i < 4; i++) rule("vpn" + i, vpn, "10." + i + ".0.0/16", "allow");
  new ApiKey("monitoring", { description: "monitoring" });
`;

// Processes are found and stopped through /proc.
const onLinux = process.platform === "linux" ? describe : describe.skip;

onLinux("an approved up that is killed in its middle", () => {
  let emulator: EmulatorProcess;
  let program: Program;
  let stack: Stack;

  beforeEach(async () => {
    emulator = await start();
    program = cjs(before);
    stack = await program.stack({ env: emulator.env });
    await stack.up();
    rewrite(program, after);
  });

  const file = (): string => join(program.dir, "approval.json");
  const review = (...args: string[]): Promise<CommandResult> =>
    tunnelGateway(
      program,
      stack,
      ["review", "--stack", stack.name, "--fail-on", "never", ...args],
      emulator.env,
    );
  const check = (): Promise<CommandResult> => review("--refresh", "--approved", file());

  /** Starts the deployment and kills the CLI and its plugin while the service holds back the answer to a create. */
  async function killedUp(isCreated: boolean): Promise<void> {
    await emulator.setFaults({
      rules: [{ kind: "hang", method: "POST", path: "/ip_policy_rules", after: 3, afterWork: isCreated }],
    });
    await emulator.clearRequests();
    const running = stack.start(["up", "--yes", "--skip-preview", "--parallel", "1", "--stack", stack.name]);
    const posts = async (): Promise<number> =>
      (await emulator.requests()).filter(
        ({ method, path }) => method === "POST" && path === "/ip_policy_rules",
      ).length;
    await until(
      async () => (await posts()) >= 4,
      () => running.output(),
    );
    const plugins = processesOf(stack).filter(({ command }) => command.includes("dynamic-provider"));
    await killBetweenWrites(stack, running.pid, () => {
      for (const { pid } of plugins) process.kill(pid, "SIGKILL");
    });
    expect((await running.done).exitCode).toBe(137);
    await emulator.setFaults();
    await stack.pulumi(["cancel", "--yes", "--stack", stack.name]);
  }

  it("continues with its approval: what is done is a note, and a later change by hand is refused", async () => {
    expect((await review("--save", file())).exitCode).toBe(0);
    await killedUp(false);
    // Which rules come first is Pulumi's choice.
    const names = Object.keys(resources(stack));
    expect(names).toEqual(expect.arrayContaining(["office", "vpn", "old"]));
    expect(names.filter((name) => /^vpn\d$/.test(name)).length).toBeGreaterThan(0);
    const checked = await check();
    expect([checked.exitCode, checked.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^note +approval\/changed +the deployment: [1-8] of 9 approved steps are done already$/m,
      ),
    ]);

    const policy = `/ip_policies/${idOf(stack, "vpn")}`;
    await emulator.api("PATCH", policy, { description: "by hand" });
    const refused = await check();
    expect(refused.exitCode).toBe(3);
    expect(refused.stdout).toContain(
      "approval/changed  IpPolicy vpn: it was changed outside of Pulumi: description",
    );
    await emulator.api("PATCH", policy, { description: "vpn" });

    expect((await check()).exitCode).toBe(0);
    await stack.up();
    const { ip_policies, ip_policy_rules, api_keys } = await emulator.state();
    expect([ip_policies, ip_policy_rules, api_keys].map((all) => all!.length)).toEqual([2, 6, 1]);
    const last = await check();
    expect(last.exitCode).toBe(0);
    expect(readFileSync(file(), "utf8")).not.toContain(emulator.apiKey);
  });

  it("continues when the object of its lost create was imported", async () => {
    expect((await review("--save", file())).exitCode).toBe(0);
    await killedUp(true);
    const imports = join(program.dir, "import.json");
    const orphans = await tunnelGateway(
      program,
      stack,
      ["orphans", "--stack", stack.name, "--write", imports],
      emulator.env,
    );
    expect([orphans.exitCode, orphans.stderr]).toEqual([0, expect.anything()]);
    await stack.pulumi([
      "import",
      "--file",
      imports,
      "--yes",
      "--generate-code=false",
      "--protect=false",
      "--stack",
      stack.name,
    ]);
    await stack.pulumi(["refresh", "--yes", "--clear-pending-creates", "--stack", stack.name]);
    const checked = await check();
    expect([checked.exitCode, checked.stdout]).toEqual([0, expect.stringContaining("are done already")]);
    await stack.up();
    expect((await emulator.state()).ip_policy_rules).toHaveLength(6);
    expect((await check()).exitCode).toBe(0);
  });
});

describe("a program that does something else in the deployment than in its preview", () => {
  const twoFaced = `
    const office = new IpPolicy("office", { description: "office networks" });
    if (!pulumi.runtime.isDryRun())
      new IpPolicyRule("everybody", { ipPolicyId: office.id, cidr: "0.0.0.0/0", action: "allow" });
  `;

  it("passes the comparison, and is refused by a plan of Pulumi that the same preview has saved", async () => {
    const emulator = await start();
    const program = cjs(`new IpPolicy("office", { description: "office" });`);
    const stack = await program.stack({ env: { ...emulator.env, PULUMI_EXPERIMENTAL: "true" } });
    await stack.up();
    rewrite(program, twoFaced);
    const [plan, preview, approval] = ["plan.json", "preview.json", "approval.json"].map((name) =>
      join(program.dir, name),
    ) as [string, string, string];
    const previewed = async (...args: string[]): Promise<void> => {
      const { stdout } = (await stack.previewJson({ args: ["--show-sames", ...args] })).result;
      writeFileSync(preview, stdout);
    };
    const review = (...args: string[]): Promise<CommandResult> =>
      tunnelGateway(program, undefined, ["review", preview, "--fail-on", "never", ...args]);

    await previewed();
    expect((await review("--save", approval)).exitCode).toBe(0);
    await previewed("--refresh", "--save-plan", plan);
    expect((await review("--approved", approval)).exitCode).toBe(0);

    const up = await stack.up({ args: ["--plan", plan], exitCode: "any" });
    expect(up.exitCode).not.toBe(0);
    expect(up.output).toMatch(/everybody.*not allowed by the plan/);
    expect((await emulator.state()).ip_policy_rules ?? []).toEqual([]);
  });
});

describe("the end of a temporary rule", () => {
  const guests = (entry: string): string => `
    const { IpPolicyRuleSet, TcpEdge } = require("pulumi-tunnel-gateway");
    const office = new IpPolicy("office");
    const rules = { "203.0.113.0/24": "allow", "198.51.100.7": ${entry} };
    const set = new IpPolicyRuleSet("rules", { ipPolicyId: office.id, rules });
    new TcpEdge("db", { hostports: ["db.example.com:5432"], ipRestriction: { ipPolicyIds: [set.ipPolicyId] } });
  `;
  const ends = (time: string): string => guests(`{ action: "allow", until: "${time}" }`);

  it("is removed by an update without a request, which is an error and not what a later end was approved as", async () => {
    const emulator = await start();
    const program = cjs(ends("2098-01-01T00:00:00Z"));
    const stack = await program.stack({ env: emulator.env });
    await stack.up();
    const [preview, approval] = ["preview.json", "approval.json"].map((name) => join(program.dir, name));
    const review = async (...args: string[]): Promise<CommandResult> => {
      const { result } = await stack.previewJson({ args: ["--show-sames"] });
      writeFileSync(preview!, result.stdout);
      return tunnelGateway(program, undefined, ["review", preview!, ...args]);
    };
    const finding = /^error +access\/allowed-for-longer +TcpEdge db: 198\.51\.100\.7\/32 .*, (.*) by /m;

    rewrite(program, ends("2099-01-01T00:00:00Z"));
    const later = await review("--save", approval!);
    expect([later.exitCode, finding.exec(later.stdout)?.[1]]).toEqual([3, "until 2099-01-01T00:00:00Z"]);

    rewrite(program, guests('"allow"'));
    const refused = await review("--approved", approval!);
    expect([refused.exitCode, finding.exec(refused.stdout)?.[1]]).toEqual([3, "without an end"]);
    expect(refused.stdout).toContain("1 to update; 0 requests to the service");
    expect(refused.stdout).toMatch(
      /approval\/changed +IpPolicyRuleSet rules: the value of rules is not the one that was approved/,
    );

    await emulator.clearRequests();
    await stack.up();
    expect(await writes(emulator)).toEqual({});
    expect((await emulator.state()).ip_policy_rules).toHaveLength(2);
    await stack.previewNoChanges();
  });
});

describe("an approval", () => {
  const edge = "edgtls_guarded";
  const guard = 'new TlsEdgeIpRestriction("office-only", guarded);';
  const component =
    'new pulumi.ComponentResource("pulumi-nodejs:dynamic/tunnel-gateway:TlsEdgeIpRestriction", "office-only", guarded);';
  /** A policy that a module of an edge uses, in different forms with the same URNs. */
  const site = ({ restriction = guard, options = "", more = "" } = {}): string => `
    const { TlsEdgeIpRestriction } = require("pulumi-tunnel-gateway");
    const partner = new Provider("partner", { apiKey: process.env.TUNNEL_GATEWAY_API_KEY });
    const office = new IpPolicy("office", { description: "office" }${options});
    new IpPolicyRule("berlin", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow" });
    const guarded = { edgeId: "${edge}", ipPolicyIds: [office.id] };
    ${restriction}
    ${more}
  `;

  it("holds for the provider, for resources of other packages, and for guards that a component replaces", async () => {
    const emulator = await start();
    await emulator.seed({ tls_edges: [{ id: edge }] });
    const program = cjs(site());
    const stack = await program.stack({ env: emulator.env });
    await stack.up();
    const [preview, approval] = ["preview.json", "approval.json"].map((name) => join(program.dir, name));
    const review = async (body: string, ...args: string[]): Promise<CommandResult> => {
      rewrite(program, body);
      const { result } = await stack.previewJson({ args: ["--show-sames"] });
      writeFileSync(preview!, result.stdout);
      return tunnelGateway(program, undefined, ["review", preview!, ...args]);
    };
    const stash = (name: string, input: string): string =>
      `new pulumi.Stash("${name}", { input: "${input}" });`;
    const saved = await review(site({ more: stash("note", "one") }), "--save", approval!);
    expect([saved.exitCode, saved.stderr]).toEqual([0, ""]);

    const refused = async (body: string): Promise<string> => {
      const { exitCode, stdout } = await review(body, "--approved", approval!);
      expect(exitCode).toBe(3);
      return stdout;
    };
    const others = await refused(
      site({
        options: ", { provider: partner }",
        more: stash("note", "two") + stash("other", "one"),
      }),
    );
    expect(others).toMatch(
      /^error +approval\/changed +IpPolicy office: .*its provider would be changed, but that was not approved/m,
    );
    expect(others).toContain("pulumi:index:Stash note: not what was approved: the inputs");
    expect(others).toContain("pulumi:index:Stash other: it is to be created, but that was not approved");

    const components = await refused(site({ restriction: component, more: stash("note", "one") }));
    expect(components).toMatch(
      /^error +approval\/changed +TlsEdgeIpRestriction office-only: it is to be deleted,/m,
    );
    expect(components).toMatch(
      /^error +access\/identity .* office-only: it is a component with the type of/m,
    );
  });
});
