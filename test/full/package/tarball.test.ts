import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { preProcessFile } from "typescript";
import { linksOf } from "../../support/documentation/links";
import { engineSetup } from "../../support/engine-setup";
import { binary, json, newFolder, root, run, succeed } from "./support";

interface Manifest {
  bin: Record<string, string>;
  exports: Record<string, string | { types: string; default: string }>;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}

/** The package as npm unpacked it from the tarball. */
const folder = () => join(engineSetup().template, "node_modules/pulumi-tunnel-gateway");
const files = (): string[] =>
  readdirSync(folder(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder().length + 1))
    .filter((file) => !file.startsWith("node_modules/")) // what npm put there beside it
    .sort();
const text = (file: string): string => readFileSync(join(folder(), file), "utf8");
const manifest = (): Manifest => json(join(folder(), "package.json")) as Manifest;

/**
 * The most that a download may weigh, in bytes. The native provider with its dependencies and its schema takes 629,000,
 * the pages and examples 200,000, everything together 1,249,270.
 */
const limit = 1_290_000;

/** The declarations: one file for each entry. */
const declarations = (): string[] =>
  Object.values(manifest().exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [entry.types.slice(2)],
  );

/** What the repository has of them; npm packs no .gitignore. */
function pagesAndExamples(): string[] {
  const list = execFileSync("git", ["ls-files", "docs", "examples"], { cwd: root, encoding: "utf8" });
  return list.split("\n").filter((file) => file !== "" && !file.endsWith(".gitignore"));
}

/** Pages about the work in a clone, which link to its sources too. */
const ofClone = /^(CONTRIBUTING\.md$|docs\/development\/)/;

describe("the tarball", () => {
  it("holds the compiled sources, the declarations of its entries, and what a package must tell of itself", () => {
    const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.startsWith("provider/native/"))
      .map((name) => `dist/${name.slice(0, -".ts".length)}`);
    const provider = "pulumi-resource-tunnel-gateway";
    const code = ["index.js", "main.js", "opentelemetry.js", provider, `${provider}.cmd`];
    const native = [...code, "schema.json", "THIRD-PARTY.txt"];
    const wanted = [
      ...["CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md", "package.json"],
      ...pagesAndExamples(),
      ...native.map((name) => `dist/native/${name}`),
      ...sources.map((name) => `${name}.js`),
      ...declarations(),
    ];
    expect(files()).toEqual(wanted.sort());
  });

  it("contains every file that its pages link to", () => {
    const pages = files().filter((file) => file.endsWith(".md"));
    const links = pages.flatMap((page) => linksOf(page, text(page)).map(({ file }) => ({ page, file })));
    const dead = links.filter(({ file }) => !existsSync(join(folder(), file)));
    expect(dead.filter(({ page }) => !ofClone.test(page))).toEqual([]);
    expect(dead.filter(({ file }) => file.endsWith(".md"))).toEqual([]);
    expect(links.length).toBeGreaterThan(300);
  });

  it("has its comments in the declarations alone, which programs do not load", () => {
    const ofSources = files().filter((file) => /^dist\/(?!native\/)/.test(file));
    const commented = ofSources.filter((file) => /^ *\/\*\*/m.test(text(file)));
    expect(commented).toEqual(declarations().sort());
  });

  it("is small", () => {
    const packed = statSync(engineSetup().tarball).size;
    const unpacked = files().reduce((sum, file) => sum + statSync(join(folder(), file)).size, 0);
    process.stderr.write(
      `tarball: ${packed} bytes, unpacked: ${unpacked} bytes in ${files().length} files\n`,
    );
    expect(packed).toBeLessThan(limit);
  });

  it("holds nothing of the machine that made it, and no reference to a source map", async () => {
    const places = [root, homedir(), engineSetup().folder].filter((place) => place.length > 1);
    const registry = await succeed("npm", ["config", "get", "registry", "--loglevel=silent"], { cwd: root });
    const { hostname } = new URL(registry.trim());
    const strange = [...places, "sourceMappingURL"].concat(
      hostname === "registry.npmjs.org" ? [] : [hostname],
    );
    const found = files().flatMap((file) =>
      strange.filter((each) => text(file).includes(each)).map((each) => `${file}: ${each}`),
    );
    expect(found).toEqual([]);
  });

  it("loads nothing that it does not depend on", () => {
    const { dependencies, peerDependencies } = manifest();
    const declared = new Set([
      "pulumi-tunnel-gateway",
      ...Object.keys(dependencies),
      ...Object.keys(peerDependencies),
    ]);
    const loaded = files()
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) => preProcessFile(text(file), true, true).importedFiles)
      .filter(({ fileName }) => !fileName.startsWith(".") && !isBuiltin(fileName))
      .map(({ fileName }) => /^(?:@[^/]+\/)?[^/]+/.exec(fileName)![0]);
    expect(loaded.length).toBeGreaterThan(0);
    expect([...new Set(loaded)].filter((name) => !declared.has(name))).toEqual([]);
  });

  it("brings a command that starts", async () => {
    const provider = "pulumi-resource-tunnel-gateway";
    expect(Object.keys(manifest().bin)).toEqual(["tunnel-gateway", "pulumi-tunnel-gateway", provider]);
    const command = join(engineSetup().template, "node_modules/.bin/pulumi-tunnel-gateway");
    const output = await succeed(command, ["--version"], { cwd: engineSetup().folder });
    expect(output.trim()).toBe((json(join(folder(), "package.json")) as { version: string }).version);
  });

  it("reviews without Pulumi's SDK", async () => {
    const script = `
      const of = (name) => Object.keys(require.cache).filter((file) => file.includes(name)).length;
      process.on("exit", () => console.log(of("pulumi-tunnel-gateway/dist/tools") > 0, of("node_modules/@pulumi/")));
      require(require.resolve("pulumi-tunnel-gateway/package.json").replace("package.json", "dist/tools/cli"));
    `;
    const preview = join(root, "test/fixtures/previews/access-list-changed.json");
    const args = ["-e", script, "review", "review", "--fail-on", "never", preview];
    const output = await succeed(process.execPath, args, { cwd: engineSetup().template });
    expect(output.trim().split("\n").at(-1)).toBe("true 0");
  });

  it("gives CommonJS and ES modules the same names in every entry", async () => {
    const entries = Object.keys(manifest().exports).filter((entry) => !entry.endsWith(".json"));
    const script = `
      import { createRequire } from "node:module";
      const require = createRequire(process.cwd() + "/_");
      const own = (each) => each !== "default" && each !== "module.exports" && each !== "__esModule";
      const names = (exported) => Object.keys(exported).filter(own).sort();
      const all = {};
      for (const entry of process.argv.slice(1)) {
        const name = entry.replace(/^[.]/, "pulumi-tunnel-gateway");
        all[entry] = { commonjs: names(require(name)), module: names(await import(name)) };
      }
      console.log(JSON.stringify(all));
    `;
    const args = ["--input-type=module", "-e", script, ...entries];
    const output = await succeed(process.execPath, args, { cwd: engineSetup().template });
    const exported = JSON.parse(output) as Record<string, { commonjs: string[]; module: string[] }>;
    expect(Object.keys(exported)).toEqual(entries);
    for (const { commonjs, module } of Object.values(exported)) {
      expect(commonjs.length).toBeGreaterThan(0);
      expect(module).toEqual(commonjs);
    }
  });

  it("loads nothing for traces where Pulumi collects none", async () => {
    const script = `
      for (const entry of process.argv.slice(1)) require(entry.replace(/^[.]/, "pulumi-tunnel-gateway"));
      require("pulumi-tunnel-gateway/provider").hooks("IpPolicy");
      const own = Object.keys(require.cache).map((file) => file.split("pulumi-tunnel-gateway/dist/")[1]);
      console.log(JSON.stringify(own.filter((file) => file?.includes("opentelemetry")).sort()));
    `;
    const entries = Object.keys(manifest().exports).filter((entry) => !entry.endsWith(".json"));
    const loaded = async (env: Record<string, string>): Promise<unknown> => {
      const cwd = engineSetup().template;
      return JSON.parse(await succeed(process.execPath, ["-e", script, ...entries], { cwd, env }));
    };
    expect(await loaded({})).toEqual([]);
    const collecting = { PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:9" };
    expect(await loaded(collecting)).toEqual([
      "native/opentelemetry.js",
      "provider/tracing/opentelemetry.js",
    ]);
  });

  it("is what publint asks for", async () => {
    const { exitCode, output } = await run(
      process.execPath,
      [binary("publint"), "run", engineSetup().tarball, "--strict"],
      { cwd: newFolder("publint") },
    );
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: expect.stringContaining("All good!") as unknown,
    });
  });

  it("has types that are right under node10, node16 and bundler", async () => {
    const { exitCode, output } = await run(
      process.execPath,
      [
        binary("@arethetypeswrong/cli", "attw"),
        engineSetup().tarball,
        "--profile",
        "strict",
        "--format",
        "json",
      ],
      { cwd: newFolder("attw") },
    );
    if (exitCode !== 0) throw new Error(output);
  });
});
