/** An update that dies in the middle of its creates, and its repair with `orphans`, for the resources behind one of the doors. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import type { DoorName } from "../support/engine";
import { until } from "../support/until";
import { tunnelGateway } from "./cli";
import { killBetweenWrites } from "./kill-between-writes";
import { cjs, pluginsOf, resources } from "./support";

const count = 40;
const program = `
  const policies = [...Array(10).keys()].map((i) => new IpPolicy("policy" + i, { description: "policy " + (i % 5) }));
  for (let i = 0; i < ${count - 13}; i++) {
    const cidr = "10." + (i % 250) + ".0.0/16";
    new IpPolicyRule("rule" + i, { ipPolicyId: policies[i % 10].id, cidr, action: "allow" });
  }
  for (let i = 0; i < 3; i++) new ApiKey("key" + i, { description: "key " + i });
`;

/** What dies is another process at each door: orphans and imports ask the door for nothing else. */
export function testKilledUp(door: DoorName, killed: "the plugin" | "the CLI and its plugin"): void {
  const start = EmulatorProcess.forOneTest();

  it(`an up of ${door} resources that is killed in the middle of its creates is healed when it was ${killed}`, async () => {
    const emulator = await start({ latencyMs: 150 });
    // What somebody else made by hand must not be taken for the stack's.
    const strangers = [
      await emulator.api("POST", "/ip_policies", { description: "made by hand" }),
      (
        await emulator.seed({
          ip_policies: [{ description: "policy 1", created_at: "2020-01-01T00:00:00Z" }],
        })
      ).ip_policies![0]!,
    ];
    const main = cjs(program, { door });
    const stack = await main.stack({ config: emulator.config });
    const running = stack.start(["up", "--yes", "--skip-preview", "--stack", stack.name], {
      timeoutMs: 300_000,
    });
    const posts = async (): Promise<number> =>
      (await emulator.requests()).filter(({ method }) => method === "POST").length;
    // Of a policy that is not recorded yet and the equal one of a stranger, nobody could say which is the stack's.
    const recordedPolicies = () => Object.keys(resources(stack)).filter((name) => name.startsWith("policy"));
    await until(async () => (await posts()) >= 20 && recordedPolicies().length === 10);
    if (killed !== "the plugin") await killBetweenWrites(stack, running.pid);
    for (const { pid } of pluginsOf(stack)) process.kill(pid, "SIGKILL");
    expect((await running.done).exitCode).not.toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 1500));

    const recorded = Object.keys(resources(stack)).length;
    const { ip_policies, ip_policy_rules, api_keys } = await emulator.state();
    const existing =
      [ip_policies, ip_policy_rules, api_keys].flatMap((all) => all ?? []).length - strangers.length;
    expect(existing).toBeGreaterThan(recorded);

    const file = join(main.dir, "import.json");
    const args = ["orphans", "--stack", stack.name, "--write", file, "--json"];
    if (killed === "the plugin") args.push("--planned");
    else await stack.pulumi(["cancel", "--yes", "--stack", stack.name]);
    const result = await tunnelGateway(main, stack, args);
    if (result.exitCode !== 0) throw new Error(result.stdout + result.stderr);
    const report = JSON.parse(result.stdout) as {
      orphans: { type: string; id: string; createdFor?: string }[];
      pending: { outcome: string; ids: string[]; type: string }[];
    };
    expect(report.orphans).toHaveLength(existing - recorded + strangers.length);
    for (const { id } of strangers) {
      expect(report.orphans.find((each) => each.id === id)).not.toHaveProperty("createdFor");
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const lost = report.pending.filter(({ outcome }) => outcome === "secret lost").flatMap(({ ids }) => ids);
    console.log(`${killed}: ${recorded} recorded, ${existing} made, ${report.pending.length} pending`);

    const flags = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
    await stack.pulumi(["import", "--stack", stack.name, "--file", file, ...flags]);
    await stack.refresh({ args: ["--clear-pending-creates"] });
    await stack.up({ timeoutMs: 300_000 });

    const after = await emulator.state();
    const ids = [...after.ip_policies!, ...after.ip_policy_rules!, ...after.api_keys!].map(
      ({ id }) => id as string,
    );
    const own = ids.filter((id) => !strangers.some((each) => each.id === id) && !lost.includes(id)).sort();
    expect(own).toHaveLength(count);
    expect(
      Object.values(resources(stack))
        .map(({ id }) => id!)
        .sort(),
    ).toEqual(own);
    await stack.previewNoChanges();
  }, 600_000);
}
