import { setTimeout as sleep } from "node:timers/promises";
import { EmulatorProcess } from "../support/emulator-process";
import { cpuSeconds, processesOf, type ProcessInfo } from "../support/processes";
import type { Stack } from "../support/engine";
import { until } from "../support/until";
import { cjs } from "./support";

/**
 * What a plugin without work may use in two seconds. Without a guard, a line on stderr that nobody reads makes
 * Pulumi's handler of uncaught errors print the failure to print, for ever and at full load.
 */
const idleSeconds = 0.6;

// Processes are found and measured through /proc.
const onLinux = process.platform === "linux" ? describe : describe.skip;

onLinux("a CLI that is killed while its plugin waits for the service", () => {
  let emulator: EmulatorProcess;
  let stack: Stack;

  beforeEach(async () => {
    emulator = await EmulatorProcess.start();
    stack = await cjs(`new IpPolicy("office", { description: "office" });`).stack({
      env: { ...emulator.env, TUNNEL_GATEWAY_LOG: "debug" },
    });
  });
  afterEach(async () => {
    for (const { pid } of processesOf(stack)) process.kill(pid, "SIGKILL");
    await until(() => processesOf(stack).length === 0);
    await emulator.stop();
  });

  const plugins = (): ProcessInfo[] =>
    processesOf(stack).filter(({ command }) => command.includes("dynamic-provider"));
  const posts = async (): Promise<number> =>
    (await emulator.requests()).filter(({ method }) => method === "POST").length;
  it("leaves a plugin that ends its work and does not burn the processor, though nobody reads what it says", async () => {
    // The second attempt follows a line for the user, whose reader is gone by then.
    await emulator.setFaults({ rules: [{ kind: "hang", method: "POST", delayMs: 1500, times: 1 }] });
    const running = stack.start(["up", "--yes", "--skip-preview", "--stack", stack.name]);
    await until(async () => (await posts()) === 1);
    const [plugin, ...others] = plugins();
    expect(others).toEqual([]);
    running.signal("SIGKILL");
    expect((await running.done).exitCode).toBe(137);

    await until(async () => (await posts()) === 2);
    await sleep(500);
    const before = cpuSeconds(plugin!.pid);
    await sleep(2000);
    expect(cpuSeconds(plugin!.pid) - before).toBeLessThan(idleSeconds);
    expect((await emulator.state()).ip_policies).toHaveLength(1);
    expect(await posts()).toBe(2);
  });

  it("leaves a plugin that takes a refusal quietly", async () => {
    await emulator.setFaults({
      rules: [{ kind: "status", status: 400, body: { msg: "no" }, method: "POST", delayMs: 1500 }],
    });
    const running = stack.start(["up", "--yes", "--skip-preview", "--stack", stack.name]);
    await until(async () => (await posts()) === 1);
    const [plugin] = plugins();
    running.signal("SIGKILL");
    await running.done;

    await until(async () => (await emulator.requests()).some(({ status }) => status === 400));
    await sleep(500);
    const before = cpuSeconds(plugin!.pid);
    await sleep(2000);
    expect(cpuSeconds(plugin!.pid) - before).toBeLessThan(idleSeconds);
    expect(await posts()).toBe(1);
  });
});
