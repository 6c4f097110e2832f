/**
 * `tunnel-gateway expire` beside the real CLI: what it deletes by the state alone, and what previews and deployments
 * say after it. test/simulation/expire.test.ts does it by both doors.
 */
import { EmulatorProcess } from "../../support/emulator-process";
import { tunnelGateway, type CommandResult } from "../../engine/cli";
import { cjs, rewrite, writes } from "../../engine/support";
import { daysAhead } from "./support";

const day = 86_400_000;

describe("a stack with rules that end", () => {
  const emulator = EmulatorProcess.forTests();

  it("has exactly the ended ones deleted, and shows no change before and after the next deployments", async () => {
    const end = Date.now() + day;
    const until = (after = 0) => JSON.stringify(new Date(end + after).toISOString());
    const text = (more = "") => `
      const { IpAccessList, IpPolicyRuleSet } = require("pulumi-tunnel-gateway");
      const policies = ["map", "list", "sum"].map((name) => new IpPolicy(name));
      const [map, list, sum] = policies.map(({ id }) => id);
      new IpPolicyRuleSet("map", { ipPolicyId: map, rules: {
        "203.0.113.0/24": "allow",
        "198.51.100.7": { action: "allow", until: ${until()}${more} },
        "198.51.100.8": { action: "deny", until: ${until(10 * day)} },
      } });
      new IpPolicyRuleSet("list", { ipPolicyId: list, exclusive: false, rules: [
        { cidr: "198.51.100.9", action: "deny", until: ${until()} },
        { cidr: "198.51.100.10", action: "allow", until: ${until()} },
        { cidr: "192.0.2.0/24", action: "allow" },
      ] });
      new IpPolicyRuleSet("sum", { ipPolicyId: sum, summarize: true, rules: {
        "10.0.0.0/25": "allow",
        "10.0.0.128/25": "allow",
        "10.0.1.0/24": { action: "allow", until: ${until()} },
        "10.0.0.7": { action: "allow", until: ${until()} },
      } });
      new IpAccessList("staff", { allow: ["203.0.113.1", { cidr: "203.0.113.2", until: ${until()} }] });
    `;
    const program = cjs(text());
    const stack = await program.stack({ config: emulator.config });
    let env = {};
    const expire = (...args: string[]): Promise<CommandResult> =>
      tunnelGateway(program, stack, ["expire", "--stack", stack.name, "--json", ...args], env);
    const ranges = async (): Promise<string[]> =>
      (await emulator.state()).ip_policy_rules!.map(({ cidr }) => String(cidr)).sort();

    await stack.up();
    const all = await ranges();
    expect(JSON.parse((await expire()).stdout)).toMatchObject({ rules: [], errors: [] });
    expect(await ranges()).toEqual(all);
    env = await daysAhead(2, program, emulator);

    const state = stack.stateText();
    await emulator.clearRequests();
    const dry = JSON.parse((await expire("--dry-run")).stdout) as {
      rules: { cidr: string; outcome: string }[];
    };
    expect(await writes(emulator)).toEqual({});
    const done = JSON.parse((await expire()).stdout) as typeof dry;
    const ended = ["10.0.1.0/24", "198.51.100.10/32", "198.51.100.7/32", "198.51.100.9/32", "203.0.113.2/32"];
    const outcomes = (list: typeof dry) => list.rules.map(({ cidr, outcome }) => `${cidr} ${outcome}`).sort();
    expect(outcomes(dry)).toEqual(ended.map((range) => `${range} ended`));
    expect(outcomes(done)).toEqual(ended.map((range) => `${range} deleted`));
    expect(await ranges()).toEqual(all.filter((range) => !ended.includes(range)));
    expect(stack.stateText()).toBe(state);

    await emulator.clearRequests();
    await stack.previewNoChanges({ env });
    expect(await writes(emulator)).toEqual({});
    const again = JSON.parse((await expire()).stdout) as typeof dry;
    expect(outcomes(again)).toEqual(ended.map((range) => `${range} gone`));
    expect((await stack.up({ env })).output).not.toMatch(/updated/);
    expect(await writes(emulator)).toEqual({});

    // The deployment has recorded that they are gone: nothing asks the account again.
    await emulator.clearRequests();
    await stack.previewNoChanges({ env });
    expect(await emulator.requestLines()).toEqual([]);
    expect(JSON.parse((await expire()).stdout)).toMatchObject({ rules: [], errors: [] });
    expect((await stack.refresh({ env })).exitCode).toBe(0);
    await stack.previewNoChanges({ env });

    // A later end creates the rule again, though the state has never lost it.
    rewrite(program, text(".replace(/^..../, 2099)"));
    await stack.up({ env });
    expect(await ranges()).toContain("198.51.100.7/32");
    await stack.previewNoChanges({ env });
    await stack.destroy({ env });
  });
});
