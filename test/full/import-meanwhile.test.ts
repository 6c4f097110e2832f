import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import type { Stack } from "../support/engine";
import { until } from "../support/until";
import { inHosts } from "../support/worker-hosts";
import { tunnelGateway } from "../engine/cli";
import { startImport } from "../engine/import-process";
import { resources } from "../engine/support";

describe("an account that changes while it is imported", () => {
  const emulator = EmulatorProcess.forTests({ latencyMs: 150 });
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    await emulator.seed({
      ip_policies: ["a", "b", "c", "d", "e"].map((name) => ({
        id: `ipp_${name}`,
        description: `policy ${name}`,
      })),
      ip_policy_rules: ["a", "b"].map((name) => ({
        id: `ipr_${name}`,
        ip_policy_id: `ipp_${name}`,
        cidr: "10.0.0.0/8",
        action: "allow",
      })),
      "backends/tunnel_group": ["1", "2"].map((n) => ({ id: `bkdtg_${n}`, labels: { n } })),
      "backends/weighted": [{ id: "bkdwd_1", backends: { bkdtg_1: 90, bkdtg_2: 10 } }],
      "edges/tcp": [
        {
          id: "edgtcp_1",
          hostports: ["1.tcp.example.com:12345"],
          backend: { backend_id: "bkdwd_1" },
          ip_restriction: { ip_policy_ids: ["ipp_a", "ipp_b", "ipp_c"] },
        },
        { id: "edgtcp_2", hostports: [], ip_restriction: { ip_policy_ids: ["ipp_e", "ipp_c"] } },
      ],
    });
    program = new Program({ name: "moving", files: {} });
    stack = await program.stack({ config: emulator.config });
  });

  const text = (name: string): string => readFileSync(join(program.dir, name), "utf8");
  const ids = (): string[] =>
    Object.values(resources(stack))
      .map(({ id }) => id!)
      .sort();

  it("is imported as it was read, and what was deleted or changed meanwhile is named in an error", async () => {
    const running = startImport(program, stack);
    // The last list that is read: what is deleted now was read.
    await until(async () => (await emulator.requestLines()).includes("GET /backends/weighted"));
    await emulator.api("DELETE", "/ip_policies/ipp_a");
    await until(() => running.output().includes("Running pulumi import"));
    await emulator.api("DELETE", "/ip_policies/ipp_e");
    await emulator.api("PATCH", "/backends/weighted/bkdwd_1", { backends: { bkdtg_1: 100 } });
    const result = await running.done;
    expect(result.exitCode).toBe(1);
    expect(result.stdout).toContain("The preview of the stack test shows no change.");
    const deleted =
      "IpPolicy policy-a (ipp_a), IpPolicyRule policy-a-10-0-0-0-8 (ipr_a), IpPolicy policy-e (ipp_e)";
    const last = result.stderr.trim().split("\n").at(-1)!;
    expect(last).toContain(
      `deleted in the account during the import, but imported into the stack: ${deleted}`,
    );
    expect(last).toContain('"pulumi refresh --stack test"');
    expect(last).toContain(
      "changed in the account during the import, and imported as it was before: WeightedBackend ",
    );
    expect(last).toContain('"pulumi preview --refresh --stack test"');
    const rest = ["ipp_a", "ipp_b", "ipp_c", "ipp_d", "ipp_e", "ipr_a", "ipr_b"];
    expect(ids()).toEqual(["bkdtg_1", "bkdtg_2", "bkdwd_1", "edgtcp_1", "edgtcp_2", ...rest]);
  }, 300_000);

  it("is whole again after what it advises", async () => {
    await emulator.api("DELETE", "/ip_policies/ipp_d");
    const run = async () =>
      tunnelGateway(program, stack, ["import", "--run", "--stack", stack.name], await inHosts());
    // The next run reports what the stack managed before.
    const rerun = await run();
    expect(rerun.exitCode).toBe(0);
    expect(rerun.stderr).toMatch(
      /In the stack, but no longer in the account: (IpPolicy(Rule)? policy-[\w-]+ \(ip[pr]_\w\)(, |\. )){4}Run "pulumi refresh/,
    );
    await emulator.ageObjects();
    await stack.refresh();
    // What was changed in the account is still as it was in the program.
    const shown = await run();
    expect(shown.exitCode).toBe(1);
    expect(shown.stderr).toContain("everything is imported, but the preview fails or shows changes");
    const backends = text("backends.ts");
    const edited = backends.replace(/, 90\]/, ", 100]").replace(/^.*, 10\],\n/m, "");
    expect(edited.length).toBeLessThan(backends.length);
    writeFileSync(join(program.dir, "backends.ts"), edited);
    const healed = await run();
    if (healed.exitCode !== 0) throw new Error(healed.stdout + healed.stderr);
    expect(healed.stdout).toContain("The preview of the stack test shows no change.");
    expect(ids()).toEqual([
      "bkdtg_1",
      "bkdtg_2",
      "bkdwd_1",
      "edgtcp_1",
      "edgtcp_2",
      "ipp_b",
      "ipp_c",
      "ipr_b",
    ]);
    expect(text("policies.ts")).not.toMatch(/policy[ADE]/);
    // The service keeps the reference of an edge to a policy that is gone.
    expect(text("edges.ts")).toContain('"ipp_a"');
    expect(text("edges.ts")).toContain('"ipp_e"');
  }, 300_000);
});
