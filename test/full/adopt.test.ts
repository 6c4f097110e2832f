/** The state of a stack with every class is lost, and its program takes its objects over again. */
import { EmulatorProcess } from "../support/emulator-process";
import type { Stack } from "../support/engine";
import { seed } from "../rounds/table";
import type { WorldResource } from "../rounds/world";
import { hostedTunnelGateway, type CommandResult } from "../engine/cli";
import { doors } from "../engine/support";
import { importable, newStack, programSecrets, use } from "./native/every-class";

/** Policies without a name, which only their rules tell apart, with some pages of rules. */
const many = (count: number): WorldResource[] =>
  Array.from({ length: count / 4 }, (_, i): WorldResource[] => [
    { name: `site-${i}`, type: "IpPolicy", args: {} },
    ...[0, 1, 2].map((k) => ({
      name: `site-${i}-${k}`,
      type: "IpPolicyRule",
      args: { ipPolicyId: `@site-${i}`, cidr: `10.${i}.${k}.0/24`, action: "allow" },
    })),
  ]).flat();

const declared: WorldResource[] = [
  ...importable,
  { name: "office", type: "IpAccessList", args: { allow: ["198.51.100.0/24"] } },
  { name: "partner", type: "IpPolicy", args: { metadata: "m" }, opts: { provider: "partner" } },
  ...many(40),
];

async function loseState(stack: Stack): Promise<void> {
  await stack.pulumi(["stack", "rm", "--yes", "--force", "--preserve-config", stack.name]);
  await stack.pulumi(["stack", "init", stack.name]);
}

const adopt = (stack: Stack, ...flags: string[]): Promise<CommandResult> =>
  hostedTunnelGateway(stack.program, stack, ["import", "--adopt", "--stack", stack.name, ...flags]);

describe.each(doors)("a stack with %s resources whose state is lost", (door) => {
  const emulator = EmulatorProcess.forTests({ pageSize: 10 });
  let stack: Stack;
  let before: Record<string, unknown[]>;

  beforeAll(async () => {
    await emulator.seed(seed);
    stack = await newStack(emulator);
    use(stack, door === "native" ? "/native" : "", declared);
    await stack.up();
    before = await emulator.state();
    await loseState(stack);
    await emulator.clearRequests();
  });

  it("gets every object back, and the preview after it shows no change", async () => {
    const { exitCode, stdout, stderr } = await adopt(stack, "--run");
    if (exitCode !== 0) throw new Error(stdout + stderr);
    expect(stdout).toContain("The preview of the stack test shows no change.");
    for (const secret of programSecrets) expect(stdout + stderr).not.toContain(secret);
    expect((await emulator.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("makes no double, and keeps its secrets encrypted", async () => {
    await stack.up();
    await stack.previewNoChanges();
    expect(await emulator.state()).toEqual(before);
    for (const secret of programSecrets) expect(stack.stateText()).not.toContain(secret);
  });
});
