import { EmulatorProcess } from "../../support/emulator-process";
import { cpuSeconds, killAllOf, killProcess, processesOf, type ProcessInfo } from "../../support/processes";
import type { Stack } from "../../support/engine";
import { until } from "../../support/until";
import { tunnelGateway } from "../../engine/cli";
import { killBetweenWrites } from "../../engine/kill-between-writes";
import { cjs, doors, pluginsOf } from "../../engine/support";

/**
 * The most processor time of a plugin that waits for seconds. Without a guard, a line on stderr that nobody reads makes
 * Pulumi's handler of uncaught errors print the failure to print, for ever and at full load.
 */
const busySeconds = 4;

// Processes are found and measured through /proc.
const onLinux = process.platform === "linux" ? describe : describe.skip;

onLinux.each(doors)(
  "a CLI that is killed while its plugin for %s resources waits for the service",
  (door) => {
    let emulator: EmulatorProcess;
    let stack: Stack;

    beforeEach(async () => {
      emulator = await EmulatorProcess.start();
      stack = await cjs(`new IpPolicy("office", { description: "office" });`, { door }).stack({
        env: { ...emulator.env, TUNNEL_GATEWAY_LOG: "debug" },
      });
    });
    afterEach(async () => {
      killAllOf(stack);
      await until(() => processesOf(stack).length === 0);
      await emulator.stop();
    });

    const plugins = (): ProcessInfo[] => pluginsOf(stack);
    const posts = async (): Promise<number> =>
      (await emulator.requests()).filter(({ method }) => method === "POST").length;
    /** Waits until the plugin has ended, which it does within seconds after its last request. */
    const pluginEnds = (): Promise<void> => until(() => plugins().length === 0);

    it("leaves a plugin that finishes its requests, though nobody reads what it says, and then ends", async () => {
      // The second attempt follows a line for the user, whose reader is gone by then.
      await emulator.setFaults({ rules: [{ kind: "hang", method: "POST", delayMs: 4000, times: 1 }] });
      const running = stack.start(["up", "--yes", "--skip-preview", "--stack", stack.name]);
      await until(async () => (await posts()) === 1);
      const [plugin, ...others] = plugins();
      expect(others).toEqual([]);
      running.signal("SIGKILL");
      expect((await running.done).exitCode).toBe(137);

      await until(async () => (await posts()) === 2);
      const used = cpuSeconds(plugin!.pid);
      expect(used).toBeLessThan(busySeconds);
      await pluginEnds();
      expect((await emulator.state()).ip_policies).toHaveLength(1);
      expect(await posts()).toBe(2);
    });

    it("leaves a plugin that takes a refusal quietly, and then ends", async () => {
      await emulator.setFaults({
        rules: [{ kind: "status", status: 400, body: { msg: "no" }, method: "POST", delayMs: 1500 }],
      });
      const running = stack.start(["up", "--yes", "--skip-preview", "--stack", stack.name]);
      await until(async () => (await posts()) === 1);
      running.signal("SIGKILL");
      await running.done;

      await until(async () => (await emulator.requests()).some(({ status }) => status === 400));
      await pluginEnds();
      expect(await posts()).toBe(1);
    });

    // The plugin finishes what it has begun, unless it dies too: one of both at each door.
    const [victims, metadata] =
      door === "dynamic"
        ? ["the CLI", "wanted"]
        : ["the CLI and the plugin", expect.stringMatching(/^pulumi-tunnel-gateway creation /) as string];
    it(`leaves a key whose secret is lost, with the metadata that the page says, after ${victims}`, async () => {
      const body = `new ApiKey("pipeline", { description: "key", metadata: "wanted" });`;
      const keys = await cjs(body, { door }).stack({ env: emulator.env });
      await emulator.setFaults({ rules: [{ kind: "hang", method: "PATCH", delayMs: 2000, times: 1 }] });
      const running = keys.start(["up", "--yes", "--skip-preview", "--stack", keys.name]);
      await until(async () => (await emulator.requests()).some(({ method }) => method === "POST"));
      await until(async () => ((await emulator.state()).api_keys ?? []).length === 1);
      // A CLI that sees its plugin end forgets the create.
      await killBetweenWrites(keys, running.pid, () => {
        if (victims !== "the CLI") for (const { pid } of pluginsOf(keys)) killProcess(pid);
      });
      await running.done;
      await until(() => pluginsOf(keys).length === 0);
      expect((await emulator.state()).api_keys).toMatchObject([{ metadata }]);
      await keys.pulumi(["cancel", "--yes", "--stack", keys.name]);
      const orphans = await tunnelGateway(
        keys.program,
        keys,
        ["orphans", "--stack", keys.name],
        emulator.env,
      );
      expect(orphans.stdout).toContain("ApiKey pipeline: its create was interrupted, and its secret is lost");
      const review = await tunnelGateway(
        keys.program,
        keys,
        ["review", "--stack", keys.name, "--output", "annotations"],
        emulator.env,
      );
      expect(review.stdout).toMatch(
        /::warning file=index\.js,line=\d+,title=hygiene\/pending-create::ApiKey pipeline: /,
      );
    });
  },
);
