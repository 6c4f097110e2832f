import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import type { Result, Stack } from "../support/engine";
import { processesOf } from "../support/processes";
import { tunnelGateway } from "./cli";
import { startImport, until } from "./import-process";
import { killBetweenWrites } from "./kill-between-writes";
import { resources } from "./support";

/** How many resources the stack's file holds; 0 while the CLI is writing it. */
function recorded(stack: Stack): number {
  try {
    return Object.keys(resources(stack)).length;
  } catch {
    return 0;
  }
}

function locks({ backend }: Stack): string[] {
  const folder = join(backend, ".pulumi/locks");
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"))
    : [];
}

const sources = ({ dir }: Program): string[] => readdirSync(dir).filter((name) => name.endsWith(".ts"));
const lastLine = ({ stderr }: Result): string => stderr.trim().split("\n").at(-1)!;

/** The run succeeds, and every object of the account is in the stack, once. */
async function finishes(program: Program, stack: Stack, emulator: EmulatorProcess, ...args: string[]) {
  const done = await tunnelGateway(program, stack, ["import", "--run", "--stack", stack.name, ...args]);
  if (done.exitCode !== 0) throw new Error(done.stdout + done.stderr);
  expect(done.stdout).toContain(`The preview of the stack ${stack.name} shows no change.`);
  const { ip_policies, ip_policy_rules, bot_users } = await emulator.state();
  const held = [ip_policies, ip_policy_rules, bot_users].flatMap((all) => all ?? []).map(({ id }) => id);
  const own = Object.values(resources(stack)).map(({ id }) => id!);
  expect([...own].sort()).toEqual([...held].sort());
  expect(existsSync(join(program.dir, ".tunnel-gateway"))).toBe(false);
  expect(processesOf(stack)).toEqual([]);
  expect(locks(stack)).toEqual([]);
  return done;
}

const rules = 150;

function account(): Record<string, object[]> {
  return {
    bot_users: [{ id: "bot_1", name: "robot" }],
    ip_policies: [...Array(10).keys()].map((i) => ({ id: `ipp_${i}x`, description: `policy ${i % 4}` })),
    ip_policy_rules: [...Array(rules).keys()].map((i) => ({
      id: `ipr_${i}x`,
      ip_policy_id: `ipp_${i % 10}x`,
      cidr: `10.${i}.0.0/16`,
      action: "allow",
    })),
  };
}

// Processes are found through /proc.
const onLinux = process.platform === "linux" ? describe : describe.skip;

onLinux("an import that is interrupted", () => {
  let emulator: EmulatorProcess;
  let program: Program;
  let stack: Stack;

  async function begin(options: { latencyMs?: number } = {}): Promise<void> {
    emulator = await EmulatorProcess.start(options);
    await emulator.seed(account());
    program = new Program({ name: "broken", files: {} });
    stack = await program.stack({ config: emulator.config });
  }
  afterEach(async () => {
    for (const { pid } of processesOf(stack)) process.kill(pid, "SIGKILL");
    await emulator.stop();
  });

  it("while it reads has written nothing, and starts anew", async () => {
    await begin({ latencyMs: 150 });
    const before = readdirSync(program.dir);
    for (const [signal, exitCode] of [
      ["SIGINT", 130],
      ["SIGTERM", 130],
      ["SIGKILL", 137],
    ] as const) {
      await emulator.clearRequests();
      const running = startImport(program, stack);
      await until(async () => (await emulator.requests()).length >= 4);
      running.signal(signal);
      const result = await running.done;
      expect([signal, result.exitCode]).toEqual([signal, exitCode]);
      if (signal !== "SIGKILL")
        expect(lastLine(result)).toMatch(/nothing is imported\. Run the command again/);
      expect(readdirSync(program.dir)).toEqual(before);
      expect(recorded(stack)).toBe(0);
    }
    await finishes(program, stack, emulator);
  }, 300_000);

  it("while it writes leaves no file half written, and writes all the next time", async () => {
    await begin();
    const killing = (method: string, nth: number, signal: string): string => `
      const fs = require("node:fs");
      const { ${method} } = fs;
      let calls = 0;
      fs.${method} = (...args) => {
        const isOwn = String(args[0]).includes(".tunnel-gateway");
        if (isOwn && ++calls === ${nth}) process.kill(process.pid, ${JSON.stringify(signal)});
        return ${method}(...args);
      };
    `;
    // In the middle of what is prepared, before the first file gets its name, and between two files.
    for (const [method, nth] of [
      ["writeFileSync", 3],
      ["renameSync", 1],
      ["renameSync", 3],
    ] as const) {
      const killed = await startImport(program, stack, { hook: killing(method, nth, "SIGKILL") }).done;
      expect(killed.exitCode).toBe(137);
      expect(recorded(stack)).toBe(0);
      for (const name of sources(program)) {
        expect(readFileSync(join(program.dir, name), "utf8")).toMatch(/^\/\/ Generated by[^]*\n$/);
      }
    }
    expect(sources(program).length).toBeGreaterThan(0);
    // An interrupt waits until all are written.
    const stopped = await startImport(program, stack, { hook: killing("renameSync", 1, "SIGINT") }).done;
    expect(stopped.exitCode).toBe(130);
    expect(lastLine(stopped)).toMatch(/the program is written, and nothing is imported yet/);
    const written = sources(program);
    expect(written).toEqual(["credentials.ts", "index.ts", "policies.ts"]);
    const texts = written.map((name) => readFileSync(join(program.dir, name), "utf8"));
    await finishes(program, stack, emulator);
    expect(written.map((name) => readFileSync(join(program.dir, name), "utf8"))).toEqual(texts);
  }, 300_000);

  it("during pulumi import goes on with what the stack does not hold", async () => {
    await begin();
    // By ctrl-C: Pulumi gets it once and ends as it wants to.
    const running = startImport(program, stack);
    await until(() => recorded(stack) >= 15);
    running.signal("SIGINT");
    const stopped = await running.done;
    expect(stopped.exitCode).toBe(130);
    expect(lastLine(stopped)).toMatch(
      /during pulumi import\. What was imported is in the stack\. To continue, run the command again.*pulumi cancel --stack test/,
    );
    expect(stopped.stderr).toContain("^C received; cancelling");
    expect(stopped.stderr).not.toContain("^C received; terminating");
    const first = recorded(stack);
    expect(first).toBeGreaterThanOrEqual(15);
    expect(first).toBeLessThan(rules);
    expect(processesOf(stack)).toEqual([]);
    expect(locks(stack)).toEqual([]);
    expect(existsSync(join(program.dir, ".tunnel-gateway"))).toBe(false);
    const written = sources(program).map((name) => readFileSync(join(program.dir, name), "utf8"));

    // Command and Pulumi are killed: the lock stays, and the next run says what to do about it.
    const killed = startImport(program, stack);
    await until(() => recorded(stack) >= first + 15);
    const { pid } = processesOf(stack).find(({ command }) => command.includes("pulumi import"))!;
    await killBetweenWrites(stack, pid, () => killed.signal("SIGKILL"));
    expect((await killed.done).exitCode).toBe(137);
    for (const { pid } of processesOf(stack)) process.kill(pid, "SIGKILL");
    expect(locks(stack)).toHaveLength(1);
    const second = recorded(stack);
    expect(second).toBeGreaterThan(first);
    expect(second).toBeLessThan(rules);
    // What stays of it is for its owner's eyes, until the next run.
    expect(statSync(join(program.dir, ".tunnel-gateway/run.json")).mode & 0o777).toBe(0o600);
    const locked = await startImport(program, stack).done;
    expect(locked.exitCode).toBe(1);
    expect(locked.stderr).toContain("the stack is currently locked");
    expect(lastLine(locked)).toContain("pulumi cancel --stack test");
    expect(existsSync(join(program.dir, ".tunnel-gateway"))).toBe(false);
    await stack.pulumi(["cancel", "--yes", "--stack", stack.name]);

    // The command alone is killed: Pulumi ends what it began.
    const alone = startImport(program, stack);
    await until(() => recorded(stack) >= second + 15);
    alone.signal("SIGKILL");
    await until(() => processesOf(stack).length === 0);
    expect((await alone.done).exitCode).toBe(137);
    const again = await finishes(program, stack, emulator);
    expect(again.stderr).toContain("There is nothing to import");
    // Names are what they were, so that the program is the first run's.
    expect(sources(program).map((name) => readFileSync(join(program.dir, name), "utf8"))).toEqual(written);
    const { deployment } = await stack.exportState();
    expect(deployment.pending_operations ?? []).toEqual([]);
  }, 600_000);

  it("before the preview and in it has imported all, and shows the preview the next time", async () => {
    await begin();
    const running = startImport(program, stack);
    await until(() => running.output().includes("resources were imported"));
    running.signal("SIGINT");
    const stopped = await running.done;
    expect(stopped.exitCode).toBe(130);
    expect(lastLine(stopped)).toMatch(/everything is imported\. Run the command again for the preview/);
    const previewing = startImport(program, stack);
    await until(() => previewing.output().includes("Previewing update"));
    previewing.signal("SIGINT");
    const result = await previewing.done;
    expect(result.exitCode).toBe(130);
    expect(lastLine(result)).toMatch(/everything is imported\. Run the command again for the preview/);
    await finishes(program, stack, emulator);
  }, 300_000);

  it("overwrites no file that was changed before it goes on, and keeps the text that it is told to overwrite", async () => {
    await begin();
    const running = startImport(program, stack);
    await until(() => recorded(stack) >= 15);
    running.signal("SIGINT");
    await running.done;
    const file = join(program.dir, "policies.ts");
    const mine = `${readFileSync(file, "utf8")}\n// mine\n`;
    writeFileSync(file, mine);
    const refused = await startImport(program, stack).done;
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("policies.ts in ");
    expect(readFileSync(file, "utf8")).toBe(mine);
    const forced = await finishes(program, stack, emulator, "--force");
    expect(forced.stderr).toContain("policies.ts was edited; its old text is in");
    expect(readFileSync(`${file}.orig`, "utf8")).toBe(mine);
  }, 300_000);

  it("that began a project goes on with it", async () => {
    await begin();
    const env = { ...emulator.env };
    rmSync(join(program.dir, "Pulumi.yaml"));
    rmSync(join(stack.backend, ".pulumi"), { recursive: true });
    const args = ["import", "--run", "--stack", "begun"];
    const unset = await tunnelGateway(program, stack, args);
    expect(unset.exitCode).toBe(1);
    expect(unset.stderr).toContain("TUNNEL_GATEWAY_API_KEY");
    expect(existsSync(join(program.dir, "Pulumi.yaml"))).toBe(false);
    const hook = `
      const child = require("node:child_process");
      const { spawn } = child;
      child.spawn = (file, args, ...more) => {
        if (args.includes("init")) process.kill(process.pid, "SIGKILL");
        return spawn(file, args, ...more);
      };
    `;
    const before = join(stack.backend, "hook.cjs");
    writeFileSync(before, hook);
    const killed = await tunnelGateway(program, stack, args, { ...env, NODE_OPTIONS: `--require ${before}` });
    expect(killed.exitCode).toBe(137);
    expect(existsSync(join(program.dir, "Pulumi.yaml"))).toBe(true);
    const done = await tunnelGateway(program, stack, args, env);
    if (done.exitCode !== 0) throw new Error(done.stdout + done.stderr);
    expect(done.stderr).toContain("Created the stack begun");
    expect(done.stdout).toContain("The preview of the stack begun shows no change.");
    const empty = join(program.dir, "..", `empty-of-${basename(program.dir)}`);
    const bare = await tunnelGateway(program, stack, [...args, "--cwd", empty], env);
    expect(bare.exitCode).toBe(1);
    expect(bare.stderr).toMatch(/not installed in .*npm install/);
    expect(readdirSync(empty).sort()).toEqual(["Pulumi.yaml", "package.json", "tsconfig.json"]);
    const wrong = await tunnelGateway(program, stack, ["import", "--stack", "begin"], env);
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stderr).toMatch(
      /there is no stack begin in the project \(it has begun\).*pulumi stack init/,
    );
  }, 300_000);
});
