/** The installed command line as a process: what each command does is tested in test/tools/cli. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import { engineSetup } from "../../support/engine-setup";
import { Program } from "../../support/engine";
import type { Stack } from "../../support/engine";
import { cjs } from "../../engine/support";

const emulator = EmulatorProcess.forTests();
afterEach(() => emulator.reset());

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the installed command line as a process of its own, without a terminal. */
function cli(args: string[], env: Record<string, string | undefined> = emulator.env): Promise<Ended> {
  return ended(started(args, env));
}

/** The environment of a command that works on a stack with the settings of its configuration alone. */
function envOf(stack: Stack): Record<string, string | undefined> {
  const home = join(engineSetup().folder, "home");
  return { ...stack.backendEnv, PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "1", HOME: process.env.HOME };
}

function started(args: string[], env: Record<string, string | undefined>) {
  const { template, path } = engineSetup();
  const main = join(template, "node_modules/pulumi-tunnel-gateway/dist/tools/cli/index.js");
  return spawn(process.execPath, [main, ...args], {
    cwd: template,
    env: { PATH: path, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function ended(child: ReturnType<typeof started>): Promise<Ended> {
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

describe("the installed command line", () => {
  it("goes on without a message when the reader of its output closes the pipe, as head does", async () => {
    const child = started(["emulator", "--help"], {});
    child.stdout.destroy();
    expect(await ended(child)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("prints results on stdout and ends with 0", async () => {
    await emulator.seed({ ip_policies: [{ id: "ipp_office", description: "office" }] });
    const { code, stdout, stderr } = await cli(["list", "ip-policies"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^ID +DESCRIPTION +CREATED AT\nipp_office +office /);
  });

  it("prints errors on stderr without a stack, and ends with 1 where it fails and 2 where it is used wrongly", async () => {
    const unset = await cli(["list", "ip-policies"], {});
    expect([unset.code, unset.stdout]).toEqual([1, ""]);
    expect(unset.stderr).toContain("TUNNEL_GATEWAY_API_KEY");
    expect(unset.stderr).not.toMatch(/node_modules|\n +at /);
    expect((await cli(["list", "nonsense"])).code).toBe(2);
  });

  it("takes the settings of a Pulumi stack", async () => {
    await emulator.seed({ ip_policies: [{ description: "office" }, { description: "guests" }] });
    const program = new Program({ kind: "cjs", files: "", install: "none" });
    const stack = await program.stack({ config: emulator.config });
    const env = envOf(stack);
    const flags = ["--stack", stack.name, "--cwd", program.dir];
    const { code, stdout, stderr } = await cli(["list", "ip-policies", "--json", ...flags], env);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toHaveLength(2);
    const none = await cli(["list", "ip-policies", "--stack", "none", "--cwd", program.dir], env);
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(/the configuration of the stack none could not be read: .*none/s);
  });
});

it("drift fails where the key of the configuration is refused, though the refresh works with that of the state", async () => {
  const program = cjs(`new IpPolicy("office", {});`);
  const stack = await program.stack({ config: emulator.config });
  const env = envOf(stack);
  const drift = () => cli(["drift", "--stack", stack.name, "--cwd", program.dir], env);
  await stack.up();
  expect(await drift()).toMatchObject({ code: 0, stdout: "1 stack: no drift\n" });
  stack.config({ "tunnel-gateway:apiKey": "rotated-away" });
  const { code, stdout, stderr } = await drift();
  expect(code).toBe(1);
  expect(stdout + stderr).toContain(
    "so the refresh used the key in the state: correct tunnel-gateway:apiKey",
  );
}, 120_000);

it("the emulator runs with all its options until it is interrupted", async () => {
  const folder = mkdtempSync(join(engineSetup().folder, "emulator-"));
  const [data, seed, faults] = ["data", "seed", "faults"].map((name) => join(folder, `${name}.json`));
  writeFileSync(seed!, JSON.stringify({ ip_policies: [{ id: "ipp_seeded" }] }));
  writeFileSync(faults!, JSON.stringify({ rules: [{ kind: "status", status: 503, path: "/bot_users" }] }));
  const files = ["--data", data!, "--seed", seed!, "--faults", faults!];
  const words = "--port 0 --no-admin --base-path /api --api-key own-key --requests-per-minute 50 --latency 1";
  const child = started(["emulator", ...files, ...words.split(" ")], {});
  const end = ended(child);
  let text = "";
  await new Promise<void>((listens) => {
    child.stdout.on("data", (part: string) => {
      text += part;
      if (text.includes("API_KEY")) listens();
    });
  });
  expect(text).not.toContain("own-key");
  expect(text).not.toContain(seed);
  const env = {
    TUNNEL_GATEWAY_BASE_URL: /http:\S+\/api/.exec(text)![0],
    ...{ TUNNEL_GATEWAY_API_KEY: "own-key", TUNNEL_GATEWAY_RETRY_TIMEOUT: "1" },
  };
  expect((await cli(["get", "ip-policies", "ipp_seeded"], env)).code).toBe(0);
  expect((await cli(["list", "bot-users"], env)).stderr).toContain("503");
  child.kill("SIGINT");
  expect((await end).code).toBe(0);
  expect(existsSync(data!) && readFileSync(data!, "utf8")).toContain("ipp_seeded");
});
