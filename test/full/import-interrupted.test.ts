import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import type { Result, Stack } from "../support/engine";
import { killAllOf, processesOf } from "../support/processes";
import { until } from "../support/until";
import { tunnelGateway } from "../engine/cli";
import { closedGate } from "../engine/import-gate";
import { startImport } from "../engine/import-process";
import { killBetweenWrites } from "../engine/kill-between-writes";
import { resources } from "../engine/support";

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

/** A process that has ended and is not yet reaped counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
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

const objects = 30;

function account(): Record<string, object[]> {
  return {
    bot_users: [{ id: "bot_1", name: "robot" }],
    ip_policies: [...Array(15).keys()].map((i) => ({ id: `ipp_${i}x`, description: `policy ${i % 2}` })),
    // several rules of a policy would be one set
    ip_policy_rules: [...Array(objects - 16).keys()].map((i) => ({
      id: `ipr_${i}x`,
      ip_policy_id: `ipp_${i}x`,
      cidr: `10.${i}.0.0/16`,
      action: "allow",
    })),
  };
}

// Processes are found through /proc.
const onLinux = process.platform === "linux" ? describe : describe.skip;

// One import after the other, each into what the one before left.
onLinux("an import that is interrupted", () => {
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;
  /** The program's files after the first run that wrote them. */
  let written: [name: string, text: string][];

  beforeAll(async () => {
    await emulator.seed(account());
    program = new Program({ name: "broken", files: {} });
    stack = await program.stack({ config: emulator.config });
  });
  afterEach(() => {
    killAllOf(stack);
  });

  const texts = (): [name: string, text: string][] =>
    sources(program).map((name) => [name, readFileSync(join(program.dir, name), "utf8")]);

  it("while it reads has written nothing, and starts anew", async () => {
    await emulator.setFaults({ rules: [{ kind: "hang", path: "/ip_policy_rules" }] });
    const before = readdirSync(program.dir);
    for (const [signal, exitCode] of [
      ["SIGINT", 130],
      ["SIGTERM", 130],
      ["SIGKILL", 137],
    ] as const) {
      await emulator.clearRequests();
      const running = startImport(program, stack);
      await until(async () => (await emulator.requestLines()).includes("GET /ip_policy_rules"));
      running.signal(signal);
      const result = await running.done;
      expect([signal, result.exitCode]).toEqual([signal, exitCode]);
      if (signal !== "SIGKILL")
        expect(lastLine(result)).toMatch(/nothing is imported\. Run the command again/);
      expect(readdirSync(program.dir)).toEqual(before);
      expect(recorded(stack)).toBe(0);
    }
    await emulator.setFaults();
  }, 300_000);

  it("while it writes leaves no file half written, and writes all the next time", async () => {
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
      for (const [, text] of texts()) expect(text).toMatch(/^\/\/ Generated by[^]*\n$/);
    }
    expect(sources(program).length).toBeGreaterThan(0);
    // An interrupt waits until all are written.
    const stopped = await startImport(program, stack, { hook: killing("renameSync", 1, "SIGINT") }).done;
    expect(stopped.exitCode).toBe(130);
    expect(lastLine(stopped)).toMatch(/the program is written, and nothing is imported yet/);
    written = texts();
    expect(written.map(([name]) => name)).toEqual(["credentials.ts", "index.ts", "policies.ts"]);
  }, 300_000);

  it("by ctrl-C during pulumi import lets Pulumi end its work, and keeps what is done", async () => {
    const gate = closedGate(stack, 8);
    const running = startImport(program, stack, { env: gate.env });
    await until(() => gate.isReached());
    running.signal("SIGINT");
    await until(() => running.output().includes("^C received; cancelling"));
    gate.open();
    const stopped = await running.done;
    expect(stopped.exitCode).toBe(130);
    expect(lastLine(stopped)).toMatch(
      /during pulumi import\. What was imported is in the stack\. To continue, run the command again.*pulumi cancel --stack test/,
    );
    expect(stopped.stderr).not.toContain("^C received; terminating");
    expect(recorded(stack)).toBeGreaterThanOrEqual(5);
    expect(recorded(stack)).toBeLessThan(objects);
    expect(processesOf(stack)).toEqual([]);
    expect(locks(stack)).toEqual([]);
    expect(existsSync(join(program.dir, ".tunnel-gateway"))).toBe(false);
    expect(texts()).toEqual(written);
  }, 300_000);

  it("overwrites no file that was changed before it goes on", async () => {
    const file = join(program.dir, "policies.ts");
    const own = readFileSync(file, "utf8");
    writeFileSync(file, `${own}\n// mine\n`);
    const refused = await startImport(program, stack).done;
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("policies.ts in ");
    expect(readFileSync(file, "utf8")).toBe(`${own}\n// mine\n`);
    writeFileSync(file, own);
  }, 300_000);

  it("by the death of command and Pulumi leaves a lock, and the next run says what to do about it", async () => {
    const first = recorded(stack);
    const gate = closedGate(stack, 5);
    const killed = startImport(program, stack, { env: gate.env });
    await until(() => gate.isReached());
    const { pid } = processesOf(stack).find(({ command }) => command.includes("pulumi import"))!;
    await killBetweenWrites(stack, pid, () => killed.signal("SIGKILL"));
    expect((await killed.done).exitCode).toBe(137);
    killAllOf(stack);
    expect(locks(stack)).toHaveLength(1);
    // It writes the state once, at its end: the kill costs a second run and nothing else.
    expect(recorded(stack)).toBe(first);
    // What stays of it is for its owner's eyes, until the next run.
    expect(statSync(join(program.dir, ".tunnel-gateway/run.json")).mode & 0o777).toBe(0o600);
    const locked = await startImport(program, stack).done;
    expect(locked.exitCode).toBe(1);
    expect(locked.stderr).toContain("the stack is currently locked");
    expect(lastLine(locked)).toContain("pulumi cancel --stack test");
    expect(existsSync(join(program.dir, ".tunnel-gateway"))).toBe(false);
    await stack.pulumi(["cancel", "--yes", "--stack", stack.name]);
  }, 300_000);

  it("by the death of the command alone has Pulumi end what it began", async () => {
    const second = recorded(stack);
    const gate = closedGate(stack, 4);
    const alone = startImport(program, stack, { env: gate.env });
    await until(() => gate.isReached());
    alone.signal("SIGKILL");
    await until(() => !isRunning(alone.pid));
    expect(recorded(stack)).toBe(second);
    gate.open();
    await until(() => processesOf(stack).length === 0);
    expect((await alone.done).exitCode).toBe(137);
    expect(recorded(stack)).toBe(objects);
    // Names are what they were, so that the program is the first run's.
    expect(texts()).toEqual(written);
    const { deployment } = await stack.exportState();
    expect(deployment.pending_operations ?? []).toEqual([]);
  }, 300_000);

  it("before the preview and in it has imported all, and shows the preview the next time", async () => {
    await emulator.api("POST", "/bot_users", { name: "made later" });
    const running = startImport(program, stack);
    await until(() => running.output().includes("resource was imported"));
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
    const done = await finishes(program, stack, emulator);
    expect(done.stderr).toContain("There is nothing to import");
    expect(done.stderr).toMatch(/\d+ objects to import, [1-9]\d* already in the stack, 0 left out\n/);
    // Without a terminal nothing steers one.
    expect(done.stdout + done.stderr).not.toContain("\u001b");
  }, 300_000);

  it("that began a project goes on with it", async () => {
    program = new Program({ name: "begun", files: {} });
    stack = await program.stack();
    const env = { ...emulator.env };
    rmSync(join(program.dir, "Pulumi.yaml"));
    rmSync(join(stack.backend, ".pulumi"), { recursive: true });
    const args = ["import", "--run", "--stack", "begun", "--only", "BotUser"];
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
    mkdirSync(empty);
    const bare = await tunnelGateway(program, stack, [...args, "--cwd", empty], env);
    expect(bare.exitCode).toBe(1);
    expect(bare.stderr).toMatch(/not installed in .*npm install/);
    expect(readdirSync(empty).sort()).toEqual([".gitignore", "Pulumi.yaml", "package.json", "tsconfig.json"]);
    const wrong = await tunnelGateway(program, stack, ["import", "--stack", "begin"], env);
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stderr).toMatch(
      /there is no stack begin in the project \(it has begun\).*pulumi stack init/,
    );
  }, 300_000);
});
