/** The ways in which Pulumi finds the native provider; with each, a program is deployed and destroyed. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  createReadStream,
  existsSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { nodeProblem } from "../../../src/provider/version";
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import { engineSetup } from "../../support/engine-setup";
import { NativeClient } from "../../support/native-client";
import { baseEnv } from "../../support/pulumi-command";
import { startRegistry } from "../../support/registry";
import { servers } from "../../support/servers";
import { until } from "../../support/until";
import { resources } from "../../engine/support";
import { json, newFolder, root, run, succeed } from "../package/support";

const name = "pulumi-resource-tunnel-gateway";
const { version } = json(join(root, "package.json")) as { version: string };
const server = servers();

const emulator = EmulatorProcess.forTests();
let archives: string;
beforeAll(() => {
  archives = newFolder("archives");
  execFileSync(process.execPath, [join(root, "scripts/run.mjs"), "archive", archives]);
});

const archive = (): string => join(archives, `${name}-v${version}-linux-amd64.tar.gz`);

/** The folder of the provider in the packed package, as npm has installed it. */
const installed = (): string =>
  join(engineSetup().template, "node_modules/pulumi-tunnel-gateway/dist/native");

/** What the archive contains, in a folder. */
function unpacked(): string {
  const folder = newFolder("unpacked");
  execFileSync("tar", ["-xzf", archive(), "-C", folder]);
  return folder;
}

interface Way {
  env?: Record<string, string>;
  /** `plugins` of Pulumi.yaml. */
  plugins?: object;
}

const stackOf = ({ env = {}, plugins }: Way) => {
  const main = `
    const { IpPolicy, IpPolicyRule } = require("pulumi-tunnel-gateway/native");
    const office = new IpPolicy("office", { description: "offices" });
    new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow" });
  `;
  const project = JSON.stringify({ name: "program", runtime: "nodejs", plugins });
  const program = new Program({ kind: "cjs", files: { "index.js": main, "Pulumi.yaml": project } });
  return program.stack({ env: { ...emulator.env, ...env } });
};

/** Deploys the program and destroys it; gives what the deployment printed. */
async function lives(way: Way): Promise<string> {
  const stack = await stackOf(way);
  const { output } = await stack.up();
  const { office, lan } = resources(stack);
  expect([office!.type, lan!.type]).toEqual([
    "tunnel-gateway:index:IpPolicy",
    "tunnel-gateway:index:IpPolicyRule",
  ]);
  await stack.destroy();
  const { ip_policies, ip_policy_rules } = await emulator.state();
  expect([ip_policies, ip_policy_rules]).toEqual([[], []]);
  return output;
}

/** A folder of Pulumi's own in which a command installs the provider. */
async function home(...args: string[]): Promise<Record<string, string>> {
  const env = { ...(baseEnv() as Record<string, string>), PULUMI_HOME: newFolder("home") };
  const command = ["plugin", "install", "resource", "tunnel-gateway", ...args, "--non-interactive"];
  const { exitCode, output } = await run(engineSetup().pulumi, command, { cwd: archives, env });
  if (exitCode !== 0) throw new Error(output);
  return { PULUMI_HOME: env.PULUMI_HOME };
}

describe("Pulumi finds the provider", () => {
  it("on the PATH", async () => {
    const bin = join(engineSetup().template, "node_modules/.bin");
    const output = await lives({ env: { PATH: [bin, baseEnv().PATH].join(delimiter) } });
    expect(output).toContain(`using ${name} from $PATH at ${join(bin, name)}`);
  });

  it.each<[string, () => string]>([
    ["the installed package", installed],
    ["an unpacked archive", unpacked],
  ])("in the folder of %s that the project names", async (_, folder) => {
    await lives({ plugins: { providers: [{ name: "tunnel-gateway", path: folder() }] } });
  });

  it("among its plugins, installed from the archive", async () => {
    const env = await home(version, "--file", archive());
    await lives({ env });
    const files = readdirSync(join(env.PULUMI_HOME!, `plugins/resource-tunnel-gateway-v${version}`));
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "THIRD-PARTY.txt", name, `${name}.cmd`]));
  });

  it("among its plugins, installed from a server that has the archives", async () => {
    const asked: string[] = [];
    const { baseUrl } = await server((request, response) => {
      asked.push(basename(request.url!));
      response.setHeader("content-length", statSync(archive()).size);
      createReadStream(join(archives, basename(request.url!))).pipe(response);
    });
    await lives({ env: await home(version, "--server", baseUrl) });
    expect(asked).toEqual([expect.stringMatching(new RegExp(`^${name}-v${version}-\\w+-\\w+\\.tar\\.gz$`))]);
  });
});

/**
 * `pulumi package add` asks the language host for Node.js to install the folder's packages and to run it with Pulumi's SDK. The
 * host that can be built here is too old for that, so the test does what a new one does.
 */
it("installs and runs as the folder that has PulumiPlugin.yaml", async () => {
  const [folder, registry] = [newFolder("plugin"), await startRegistry()];
  try {
    cpSync(join(root, "plugin"), folder, { recursive: true });
    expect(json(join(folder, "package.json"))).toMatchObject({
      version,
      dependencies: { "pulumi-tunnel-gateway": version },
    });
    await succeed("npm", ["install", "--ignore-scripts"], { cwd: folder, env: registry.env });
  } finally {
    registry.close();
  }
  const sdk = join(folder, "node_modules/@pulumi/pulumi/cmd/run-plugin");
  const child = spawn(process.execPath, [sdk, folder, "127.0.0.1:1"], { cwd: newFolder("elsewhere") });
  try {
    const [port] = (await once(createInterface(child.stdout), "line")) as [string];
    const client = NativeClient.of({ port: Number(port), close: () => undefined });
    expect(await client.schema()).toEqual(json(join(root, "src/provider/native/schema.json")));
    client.close();
  } finally {
    child.kill("SIGKILL");
  }
});

describe("what a user verifies a release with", () => {
  const check = (folder: string) =>
    run("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: folder, env: { PATH: baseEnv().PATH! } });

  it("has the sum of every file, and notices one changed byte", async () => {
    const folder = newFolder("downloaded");
    cpSync(archives, folder, { recursive: true });
    expect(await check(folder)).toMatchObject({ exitCode: 0, output: "" });
    const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n");
    const listed = sums.map((line) => line.split("  ")[1]!);
    expect(listed.sort()).toEqual(
      readdirSync(folder)
        .filter((file) => file !== "SHA256SUMS")
        .sort(),
    );

    for (const file of listed) {
      const bytes = readFileSync(join(folder, file));
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(join(folder, file), bytes);
      expect(await check(folder)).toMatchObject({
        exitCode: 1,
        output: expect.stringContaining(`${file}: FAILED`) as string,
      });
      cpSync(join(archives, file), join(folder, file));
    }
  });

  it("lists every package of the lock file with its hash", () => {
    const list = json(join(archives, `pulumi-tunnel-gateway-v${version}.cdx.json`)) as {
      bomFormat: string;
      components: { purl: string; hashes?: { content: string }[] }[];
    };
    const { packages } = json(join(root, "package-lock.json")) as {
      packages: Record<string, { integrity?: string }>;
    };
    const hashes = list.components
      .flatMap((component) => component.hashes ?? [])
      .map(({ content }) => content);
    const locked = Object.values(packages).flatMap(({ integrity }) =>
      integrity === undefined
        ? []
        : [Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex")],
    );
    expect(list.bomFormat).toBe("CycloneDX");
    expect(locked.length).toBeGreaterThan(100);
    expect([...new Set(hashes)].sort()).toEqual([...new Set(locked)].sort());
  });
});

describe("a wrong installation", () => {
  it("as another version is an error that names both", async () => {
    const stack = await stackOf({ env: await home("9.8.7", "--file", archive()) });
    await emulator.clearRequests();
    const { output } = await stack.up({ exitCode: 1 });
    expect(output).toContain(
      `Pulumi has installed version ${version} of the provider as version 9.8.7: run pulumi plugin rm resource ` +
        "tunnel-gateway 9.8.7 --yes, and install the archive of version 9.8.7",
    );
    expect(await emulator.requestLines()).toEqual([]);
  });

  it("without Node.js is an error that says what to install", async () => {
    const env = { PATH: newFolder("no-node") };
    const { exitCode, output } = await run(join(installed(), name), ["127.0.0.1:1"], { cwd: root, env });
    expect([exitCode, output]).toEqual([
      1,
      expect.stringMatching(
        /needs Node\.js [\d.]+ or later, and there is no node on the PATH: install Node\.js/,
      ),
    ]);
  });

  const old = ["/usr/bin/node", "/usr/local/bin/node"].filter(existsSync).find((node) => {
    const found = execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1);
    return nodeProblem(found) !== undefined;
  });
  (old === undefined ? it.skip : it)("with an old Node.js is an error that names both versions", async () => {
    const folder = newFolder("old-node");
    symlinkSync(old!, join(folder, "node"));
    const env = { PATH: [folder, "/usr/bin", "/bin"].join(delimiter), NODE_OPTIONS: "" };
    for (const file of [join(installed(), name), join(installed(), "index.js")]) {
      const { exitCode, output } = await run(file, ["127.0.0.1:1"], { cwd: root, env });
      expect([exitCode, output]).toEqual([
        1,
        expect.stringMatching(
          /^\S+ \S+ needs Node\.js \S+ or later, and this is Node\.js [\d.]+: install .+\n$/,
        ),
      ]);
    }
  });
});

/** The first line that the provider prints. It is killed after `work`, if there is any. */
async function portOf(
  file: string,
  env: Record<string, string> = {},
  work?: () => Promise<unknown>,
): Promise<string> {
  const child = spawn(file, ["127.0.0.1:1"], { env: { PATH: baseEnv().PATH, ...env } });
  try {
    const [port] = (await once(createInterface(child.stdout), "line")) as [string];
    await work?.();
    return port;
  } finally {
    child.kill("SIGKILL");
  }
}

describe("the files of the provider", () => {
  it("are the same in the package and in every archive, and start from there and over a link", async () => {
    const folder = unpacked();
    const names = readdirSync(folder).filter((each) => each !== "LICENSE");
    for (const each of names) {
      expect(readFileSync(join(folder, each)).equals(readFileSync(join(installed(), each)))).toBe(true);
    }
    const packed = readdirSync(archives).filter((file) => file.endsWith(".tar.gz"));
    const all = packed.map((each) => readFileSync(join(archives, each)));
    expect(all.length).toBe(6);
    for (const each of all) expect(each.equals(all[0]!)).toBe(true);
    const link = join(newFolder("link"), name);
    symlinkSync(join(folder, name), link);
    for (const file of [join(folder, name), join(folder, "index.js"), link]) {
      expect(await portOf(file)).toMatch(/^\d+$/);
    }
  });

  it("keep the compiled code beside them, so that the next start is faster", async () => {
    const folder = unpacked();
    expect(await portOf(join(folder, name), { NODE_DISABLE_COMPILE_CACHE: "1" })).toMatch(/^\d+$/);
    expect(existsSync(join(folder, "cache"))).toBe(false);
    const compiled = () =>
      (existsSync(join(folder, "cache"))
        ? readdirSync(join(folder, "cache"), { recursive: true, encoding: "utf8" })
        : []
      )
        .map((each) => statSync(join(folder, "cache", each), { throwIfNoEntry: false }))
        .filter((each) => each?.isFile() && each.size > 100_000);
    // Pulumi lets it live for longer than the first line, after which it writes the code.
    await portOf(join(folder, name), {}, () => until(() => compiled().length === 1));
    expect(existsSync(join(folder, "cache"))).toBe(true);
  });

  /** It was not run: there is no Windows here. */
  it("have a script for Windows that starts them, or says what to install", () => {
    const lines = readFileSync(join(installed(), `${name}.cmd`), "utf8").split("\r\n");
    expect(lines[0]).toBe("@echo off");
    expect(lines.slice(1, 4)).toEqual([
      "where /q node",
      "if errorlevel 1 (",
      expect.stringMatching(/^ {2}echo [^()&|<>%^]+ 1>&2$/),
    ]);
    expect(lines.slice(4)).toEqual(["  exit /b 1", ")", 'node "%~dp0index.js" %*', ""]);
  });
});
