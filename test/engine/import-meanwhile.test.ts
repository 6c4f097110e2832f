import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import type { Stack } from "../support/engine";
import { tunnelGateway } from "./cli";
import { startImport, until } from "./import-process";
import { resources } from "./support";

describe("an account that changes while it is imported", () => {
  let emulator: EmulatorProcess;
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start({ latencyMs: 150 });
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
  afterAll(() => emulator.stop());

  const text = (name: string): string => readFileSync(join(program.dir, name), "utf8");
  const ids = (): string[] =>
    Object.values(resources(stack))
      .map(({ id }) => id!)
      .sort();

  it("leaves out what is deleted between its lists, with a note, and names what is deleted while Pulumi imports", async () => {
    const running = startImport(program, stack);
    // The last list of the first reading: what is deleted now was read.
    await until(async () => (await emulator.requestLines()).includes("GET /backends/weighted"));
    await emulator.api("DELETE", "/ip_policies/ipp_a");
    await emulator.api("PATCH", "/backends/weighted/bkdwd_1", { backends: { bkdtg_1: 100 } });
    await emulator.api("DELETE", "/backends/tunnel_group/bkdtg_2");
    await until(() => running.output().includes("Running pulumi import"));
    await emulator.api("DELETE", "/ip_policies/ipp_e");
    const result = await running.done;
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toMatch(
      /Left out, because they were deleted in the account meanwhile: IpPolicy ipp_a, IpPolicyRule ipr_a, TunnelGroupBackend bkdtg_2\n/,
    );
    expect(result.stdout).toContain("The preview of the stack test shows no change.");
    const last = result.stderr.trim().split("\n").at(-1)!;
    expect(last).toMatch(
      /^deleted in the account during the import, but imported into the stack: IpPolicy policy-e \(ipp_e\)/,
    );
    expect(last).toContain('"pulumi refresh --stack test"');
    expect(text("IMPORT-NOTES.md")).toMatch(/IpPolicyRule: `it was deleted while the import ran` `ipr_a`/);
    // The service keeps the reference of an edge to a policy that is gone.
    expect(text("edges.ts")).toMatch(
      /"ipp_a",\s+policyB\.id,\s+policyC\.id|\["ipp_a", policyB\.id, policyC\.id\]/,
    );
    const rest = ["ipp_b", "ipp_c", "ipp_d", "ipp_e", "ipr_b"];
    expect(ids()).toEqual(["bkdtg_1", "bkdwd_1", "edgtcp_1", "edgtcp_2", ...rest]);
  }, 300_000);

  it("is whole again after what it advises", async () => {
    await emulator.api("DELETE", "/ip_policies/ipp_d");
    // The next run reports what the stack managed before.
    const rerun = await tunnelGateway(program, stack, ["import", "--run", "--stack", stack.name]);
    expect(rerun.exitCode).toBe(0);
    expect(rerun.stderr).toMatch(
      /In the stack, but no longer in the account: IpPolicy policy-\w \(ipp_\w\), IpPolicy policy-\w \(ipp_\w\)\. Run "pulumi refresh/,
    );
    await stack.refresh();
    const healed = await tunnelGateway(program, stack, ["import", "--run", "--stack", stack.name]);
    if (healed.exitCode !== 0) throw new Error(healed.stdout + healed.stderr);
    expect(healed.stdout).toContain("The preview of the stack test shows no change.");
    expect(ids()).toEqual(["bkdtg_1", "bkdwd_1", "edgtcp_1", "edgtcp_2", "ipp_b", "ipp_c", "ipr_b"]);
    expect(text("policies.ts")).not.toMatch(/policyE|policyD/);
    expect(text("edges.ts")).toContain('"ipp_e"');
  }, 300_000);
});
