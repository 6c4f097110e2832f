import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import type { Stack } from "../../support/engine";
import { processesOf } from "../../support/processes";
import { until } from "../../support/until";
import { closedGate } from "../../engine/import-gate";
import { importEnv } from "../../engine/import-process";

/** util-linux's; macOS has another one of the name. */
const hasTerminal =
  process.platform === "linux" && spawnSync("script", ["--version"], { encoding: "utf8" }).status === 0;

/** An import on a pseudo-terminal, whose keys can be pressed. */
function onTerminal(program: Program, stack: Stack, env: Readonly<Record<string, string>>) {
  const cli = join(program.dir, "node_modules/pulumi-tunnel-gateway/dist/tools/cli/index.js");
  const command = `'${process.execPath}' '${cli}' import --run --stack ${stack.name}`;
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: program.dir,
    env: { ...importEnv(stack), ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const done = new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? -1));
  });
  return { done, output: () => output, press: (keys: string) => child.stdin.write(keys) };
}

(hasTerminal ? describe : describe.skip)("an import on a terminal", () => {
  const emulator = EmulatorProcess.forTests({ pageSize: 20 });
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    await emulator.seed({
      ip_policies: [...Array(30).keys()].map((i) => ({ description: `policy ${i}` })),
    });
    program = new Program({ name: "seen", files: {} });
    stack = await program.stack({ config: emulator.config });
  });

  it("shows in one line what goes on, and one ctrl-C lets Pulumi end its work", async () => {
    const gate = closedGate(stack, 5);
    const running = onTerminal(program, stack, gate.env);
    await until(() => /IpPolicy policy-\d+ imported/.test(running.output()));
    running.press("\u0003");
    await until(() => running.output().includes("^C received; cancelling"));
    gate.open();
    expect(await running.done).toBe(130);
    const text = running.output();
    expect(text).toContain("Reading: IpPolicy: 20\r\u001b[2KReading: IpPolicy: 30\r\u001b[2K");
    expect(text.split("^C received; cancelling")).toHaveLength(2);
    expect(text).not.toContain("^C received; terminating");
    expect(text.trim().split("\n").at(-1)).toMatch(/Interrupted during pulumi import.*run the command again/);
    expect(processesOf(stack)).toEqual([]);
  }, 300_000);
});
