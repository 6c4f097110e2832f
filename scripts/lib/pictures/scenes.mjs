// The scenes of the pictures: real commands, on the programs that the README shows, against the emulator.
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensurePulumi } from "../../pulumi-cli.mjs";
import { makeProject } from "../bench/project.mjs";
import { sendByHand, stackEnv } from "../local-stack.mjs";
import { root } from "../paths.mjs";
import { capture } from "../process.mjs";
import { steadier } from "./steady.mjs";

const { startEmulator } = createRequire(import.meta.url)(join(root, "dist/emulator/index.js"));
const cli = join(root, "dist/cli/index.js");
const asTerminal = join(root, "scripts/lib/pictures/terminal.cjs");

/** Each picture's name with its title and what the terminal shows. */
export async function scenes() {
  const stage = await makeStage();
  try {
    const { before, after, settings } = filesOf(readFileSync(join(root, "README.md"), "utf8"));
    stage.program(before);
    stage.file(".tunnel-gateway-review.json", settings);
    await stage.pulumi("up", "--yes", "--skip-preview");
    const wrong = `${before}\n${mistakes}`;
    return {
      "wrong-arguments": await stage.scene(
        "pulumi preview finds wrong arguments before anything is changed",
        [{ program: wrong, pulumi: ["preview", "--diff"], exitCode: 1 }],
      ),
      change: await stage.scene(
        "tunnel-gateway review finds a range that is too large, and a failed access test",
        [{ program: after, gateway: ["review", "--stack", "dev"], exitCode: 3 }],
      ),
      import: await stage.scene("tunnel-gateway import --run takes an object of the account into the stack", [
        {
          program: before,
          behind: ["POST", "/ip_policies", { description: "made by hand" }],
          gateway: ["import", "--stack", "dev"],
        },
        { program: `${before}\nimport "./policies";\n`, gateway: ["import", "--stack", "dev", "--run"] },
      ]),
    };
  } finally {
    await stage.end();
  }
}

/** The program of the README before and after its change, and the settings of its review. */
function filesOf(readme) {
  const before = /^```typescript\n\/\/ index\.ts\n(.*?)^```$/ms.exec(readme)?.[1];
  const settings = /^```json\n(\{\n {2}"accessTests".*?)^```$/ms.exec(readme)?.[1];
  const after = before?.replace('"198.51.100.7"', '"198.51.100.7", "192.0.0.0/8"');
  if (after === before || settings === undefined)
    throw new Error("README.md shows no program index.ts that allows 198.51.100.7, or no access test");
  return { before, after, settings };
}

const mistakes = `
new IpAccessList("partners", { allow: ["192.0.2.7/24"] });
new TcpEdge("replica", { hostports: ["1.tcp.example.com"] });
new TunnelGroupBackend("replicas", { labels: { service: "replica" }, description: "é".repeat(128) });
`;

/** A project with a stack on an emulator of its own. */
async function makeStage() {
  const { bin, env: pulumiEnv } = await ensurePulumi();
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-pictures-"));
  const dir = makeProject(folder, "my-gateway");
  writeFileSync(join(dir, "package.json"), JSON.stringify({ name: "my-gateway", main: "index.ts" }));
  writeFileSync(
    join(dir, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { target: "es2022", module: "node16" } }),
  );
  const emulator = await startEmulator();
  const [backend, home] = ["backend", "home"].map((name) => join(folder, name));
  const env = {
    ...stackEnv(pulumiEnv, { backend, home, service: emulator }),
    PULUMI_PARALLEL: "1", // one thing after the other, so in one order
    TMPDIR: folder,
  };
  delete env.NO_COLOR;
  const steady = steadier({ folder, baseUrl: emulator.baseUrl });
  const call = async (file, args, exitCode = 0) => {
    // One pipe keeps the output of both streams in order.
    const whole = ["-c", 'exec "$0" "$@" 2>&1', file, ...args];
    const { code, stdout } = await capture("sh", whole, { cwd: dir, env, timeoutMs: 120_000 });
    if (code !== exitCode)
      throw new Error(`${args.join(" ")} ended with ${code}, not ${exitCode}:\n${stdout}`);
    return stdout;
  };
  const pulumi = (args, exitCode) =>
    call(bin, [...args, ...quiet(args), "--non-interactive", "--color", "always"], exitCode);
  const file = (name, text) => writeFileSync(join(dir, name), text);
  const program = (text) => file("index.ts", text);
  await pulumi(["stack", "init", "dev"]);

  return {
    file,
    program,
    pulumi: (...args) => pulumi(args),
    async scene(title, shots) {
      const parts = [];
      for (const shot of shots) {
        if (shot.program !== undefined) program(shot.program);
        if (shot.behind !== undefined) await sendByHand(emulator, ...shot.behind);
        const args = shot.pulumi ?? shot.gateway;
        const prompt = `${shot.pulumi ? "pulumi" : "npx pulumi-tunnel-gateway"} ${args.join(" ")}`;
        const output = shot.pulumi
          ? await pulumi(args, shot.exitCode)
          : await call(process.execPath, ["--require", asTerminal, cli, ...args], shot.exitCode);
        parts.push(`\u001b[2m$\u001b[0m \u001b[1m${prompt}\u001b[0m\n${steady(output).trimEnd()}\n`);
      }
      return { title, output: parts.join("\n") };
    },
    async end() {
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The number of progress dots depends on the machine. */
const quiet = ([command]) => (["preview", "up"].includes(command) ? ["--suppress-progress"] : []);
