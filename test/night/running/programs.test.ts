/** Programs in TypeScript that Pulumi does not compile itself. Other forms of programs: languages.test.ts. */
import { symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import { engineSetup } from "../../support/engine-setup";
import { binary, deploys, newFolder, succeed, tools } from "../../full/package/support";

const start = EmulatorProcess.forOneTest();

const typed = `
import { IpPolicy, IpPolicyRule } from "pulumi-tunnel-gateway";
const office: IpPolicy = new IpPolicy("office", {});
new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "10.0.0.0/8", action: "allow" });
`;

interface Runtime {
  readonly name: "nodejs" | "bun";
  readonly options?: { readonly nodeargs?: string };
}

/**
 * A program whose types Pulumi leaves alone. The language host that the tests can build is older than `runtime: bun`, and
 * takes options as flags alone, as earlier CLIs passed them. So a script stands before it, as Pulumi's own does for Bun.
 */
function untyped(files: Record<string, string>, main: string, { name, options = {} }: Runtime): Program {
  const program = new Program({ name: "untyped", kind: "ts-esm", install: "copy", files });
  const host = newFolder("host");
  const plugins = { languages: [{ name, path: host }] };
  const runtime = { name, options: name === "bun" ? undefined : { ...options, typescript: false } };
  program.write({ "Pulumi.yaml": JSON.stringify({ name: "untyped", main, runtime, plugins }) });
  const script = `#!/bin/sh
    PATH="${host}:$PATH"
    exec "${join(dirname(engineSetup().pulumi), "pulumi-language-nodejs")}" -typescript=false -nodeargs="${options.nodeargs ?? ""}" "$@"
  `;
  writeFileSync(join(host, `pulumi-language-${name}`), script, { mode: 0o755 });
  if (name === "bun") symlinkSync(binary("bun"), join(host, "node"));
  return program;
}

it("is deployed from what the compiler wrote, without its sources", async () => {
  const program = untyped(
    {
      "src/index.ts": typed,
      "tsconfig.json": JSON.stringify({
        compilerOptions: { strict: true, module: "node20", types: [], rootDir: "src", outDir: "dist" },
        files: ["src/index.ts"],
      }),
    },
    "dist/index.js",
    { name: "nodejs" },
  );
  await succeed(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", "."], { cwd: program.dir });
  program.write({ "src/index.ts": "this does not compile" });
  await deploys(program, await start());
});

it("is deployed by Node.js itself, which leaves the types out", async () => {
  const checked = `${typed}const wrong: number = "types are not checked";`;
  await deploys(untyped({ "index.ts": checked }, "index.ts", { name: "nodejs" }), await start());
});

it("is deployed by tsx, with what Node.js itself does not run", async () => {
  const options = { nodeargs: "--import tsx" };
  const program = untyped({ "index.ts": `${typed}enum Of { Tsx }` }, "index.ts", { name: "nodejs", options });
  symlinkSync(join(tools, "tsx"), join(program.dir, "node_modules/tsx"), "junction");
  await deploys(program, await start());
});

it("is deployed by Bun, while Pulumi's plugin runs on Node.js", async () => {
  const onBun = `${typed}if (process.versions.bun === undefined) throw new Error("this is not Bun");`;
  await deploys(untyped({ "index.ts": onBun }, "index.ts", { name: "bun" }), await start());
});
