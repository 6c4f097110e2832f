import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isRunning } from "../support/processes";
import { until } from "../support/until";
import { serverForTests } from "../support/servers";

const root = resolve(__dirname, "../..");
const pinned = /^require github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)$/m.exec(goMod("pulumi-cli"))![1]!;
let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "tunnel-gateway-cli-"));
});

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("what the built Pulumi CLI leaves out", () => {
  it("fits the pinned release", () => {
    expect(evaluate("tools/pulumi-cli/left-out.mjs", "module.version")).toBe(pinned);
  });

  it("is copied without tests and with files that can be changed", () => {
    files("module", { "a/a.go": "package a", "a/a_test.go": "package a", "a/testdata/b.go": "package b" });
    fs.chmodSync(join(folder, "module/a/a.go"), 0o444);
    const folders = [join(folder, "module"), join(folder, "copy")];
    evaluate("scripts/lib/go-module.mjs", "module.copyModule(...args)", ...folders);
    expect(fs.readdirSync(join(folder, "copy/a"))).toEqual(["a.go"]);
    expect(fs.statSync(join(folder, "copy/a/a.go")).mode & 0o200).toBe(0o200);
  });

  it("is replaced and removed as the changes say", () => {
    files("copy", { "a/a.go": "one $1 two", "b/b.go": "b", "b/c.go": "c", "b/schema.sql": "s" });
    const changes = [
      { file: "a/a.go", replace: [["one", "$& three"]] },
      { folder: "b", keep: ["c.go"] },
    ];
    expect(applyChanges(changes)).toBeUndefined();
    expect(fs.readFileSync(join(folder, "copy/a/a.go"), "utf8")).toBe("$& three $1 two");
    expect(fs.readdirSync(join(folder, "copy/b"))).toEqual(["c.go", "schema.sql"]);
  });

  it.each<[string, object, string]>([
    [
      "a text that is not there",
      { file: "a.go", replace: [["three\nx", ""]] },
      "a.go holds 0 times, not once: three",
    ],
    [
      "a text that is there twice",
      { file: "a.go", replace: [["one", ""]] },
      "a.go holds 2 times, not once: one",
    ],
    ["a file that is not there", { file: "b.go", replace: [["one", ""]] }, "b.go is missing"],
    ["a kept file that is not there", { folder: "c", keep: ["c.go"] }, "c/c.go is missing"],
  ])("does not fit with %s", (_, change, misfit) => {
    files("copy", { "a.go": "one one" });
    expect(applyChanges([change])).toBe(misfit);
    expect(fs.readFileSync(join(folder, "copy/a.go"), "utf8")).toBe("one one");
  });

  it("leaves the modules that both programs use to be compiled once", () => {
    const [cli, host] = ["pulumi-cli", "pulumi-language-hosts"].map(requirements);
    for (const name of ["google.golang.org/grpc", "google.golang.org/protobuf", "golang.org/x/net"]) {
      expect([name, host!.get(name)]).toEqual([name, cli!.get(name)]);
    }
  });
});

describe("a build of the Pulumi CLI", () => {
  it("goes into the launcher's place in one step", () => {
    fakeGo(
      `printf '#!/bin/sh\\necho v${pinned}\\n' > "$bin/\${command##*/}" && chmod +x "$bin/\${command##*/}"`,
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/pulumi-cli.mjs"], {
      cwd: root,
      encoding: "utf8",
      env: environment(),
    });
    expect([status, stderr]).toEqual([0, expect.stringContaining("(about 5 minutes): done")]);
    expect(stdout).toBe(
      `Pulumi CLI ${pinned}: ${join(folder, `home/versions/${pinned}/bin/pulumi`)} (Go build)\n`,
    );
    expect(fs.readdirSync(join(folder, "home/versions"))).toEqual([pinned]);
  });

  it("says that it builds the whole CLI where the changes do not fit", () => {
    fakeGo("exit 1");
    const { status, stderr } = spawnSync(process.execPath, ["scripts/pulumi-cli.mjs"], {
      cwd: root,
      encoding: "utf8",
      env: environment(),
    });
    expect(status).toBe(1);
    expect(stderr).toContain(
      "tools/pulumi-cli/left-out.mjs does not fit: cmd/pulumi/pulumi.go is missing. Building the whole CLI.",
    );
    expect(stderr).toContain("go build of github.com/pulumi/pulumi/pkg/v3/cmd/pulumi failed");
    expect(fs.readdirSync(join(folder, "home/versions"))).toEqual([]);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends at %s, with its compilers, and leaves nothing", async (signal, status) => {
    fakeGo(`sleep 600 & echo $! > "${folder}/compiler"; touch "$GOTMPDIR/object"; wait`);
    const run = spawn(process.execPath, ["scripts/pulumi-cli.mjs"], { cwd: root, env: environment() });
    const ended = new Promise((done) => run.on("close", done));
    // The shell makes the file before it writes the number.
    const file = join(folder, "compiler");
    await until(() => fs.existsSync(file) && fs.readFileSync(file, "utf8").endsWith("\n"));
    const compiler = Number(fs.readFileSync(file, "utf8"));
    expect(isRunning(compiler)).toBe(true);
    run.kill(signal);
    expect(await ended).toBe(status);
    await until(() => !isRunning(compiler));
    expect(fs.readdirSync(join(folder, "home/versions"))).toEqual([]);
  });
});

describe("a download of the Pulumi CLI", () => {
  const archive = `pulumi-v${pinned}-linux-x64.tar.gz`;
  const served = new Map<string, Buffer>();
  const server = serverForTests((request, response) => {
    const body = served.get(request.url!.slice(1));
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });

  beforeEach(() => {
    served.clear();
    files("release/pulumi", { pulumi: "#!/bin/sh\necho unchanged\n" });
    execFileSync("tar", ["-czf", join(folder, archive), "-C", join(folder, "release"), "pulumi"]);
    served.set(archive, fs.readFileSync(join(folder, archive)));
    fs.mkdirSync(join(folder, "work"));
  });

  const publish = (file: string, name = archive) => {
    const sum = createHash("sha256").update(served.get(file)!).digest("hex");
    served.set("checksums.txt", Buffer.from(`${"0".repeat(64)}  other.tar.gz\n${sum}  ${name}\n`));
  };

  /** What the download printed, in an environment with a secret. */
  async function download(): Promise<{ made?: string; error?: string }> {
    const at = server.baseUrl;
    const script = `
      import { downloadRelease } from "./scripts/lib/cli-download.mjs";
      const [work, archive, sums] = process.argv.slice(1);
      const made = await downloadRelease(work, "1.2.3", { archive, sums }).catch((error) => ({ error: error.message }));
      console.log(JSON.stringify(typeof made === "string" ? { made } : (made ?? {})));
    `;
    const args = [
      "--input-type=module",
      "-e",
      script,
      join(folder, "work"),
      `${at}/${archive}`,
      `${at}/checksums.txt`,
    ];
    const run = spawn(process.execPath, args, { cwd: root, env: { ...environment(), HTTPS_PROXY: "" } });
    let text = "";
    run.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
    await new Promise((done) => run.on("close", done));
    return JSON.parse(text) as { made?: string; error?: string };
  }

  it("is unpacked where its sum is the published one", async () => {
    publish(archive);
    expect(await download()).toEqual({ made: join(folder, "work/made") });
    expect(fs.readFileSync(join(folder, "work/made/bin/pulumi"), "utf8")).toContain("unchanged");
  });

  it.each<[string, () => void]>([
    ["another sum", () => (publish(archive), served.set(archive, Buffer.from("changed")))],
    ["no sum for the file", () => publish(archive, "another.tar.gz")],
  ])("is refused, removed and never unpacked with %s", async (_, change) => {
    change();
    expect((await download()).error).toMatch(/SHA-256 sum .*has published/);
    expect(fs.readdirSync(join(folder, "work"))).toEqual([]);
  });

  it("is given up where the sums or the archive are missing, so that Go builds the CLI", async () => {
    expect(await download()).toEqual({});
    publish(archive);
    served.delete(archive);
    expect(await download()).toEqual({});
  });

  it("has addresses of two hosts, over https", () => {
    const release = evaluate("scripts/lib/cli-download.mjs", "module.releaseOf(...args)", pinned, {
      platform: "linux",
      arch: "x64",
    }) as { archive: string; sums: string };
    expect(release.archive.endsWith(`/${archive}`)).toBe(true);
    const [one, two] = [new URL(release.archive), new URL(release.sums)];
    expect([one.protocol, two.protocol]).toEqual(["https:", "https:"]);
    expect(one.host).not.toBe(two.host);
  });
});

it("installers, compilers and downloads get no secret and no setting of this package", () => {
  const kept = {
    PATH: "/bin",
    HOME: "/home/ada",
    https_proxy: "http://proxy",
    GOPROXY: "off",
    npm_config_registry: "r",
    PIP_INDEX_URL: "i",
  };
  const secrets = {
    TUNNEL_GATEWAY_API_KEY: "s",
    PULUMI_CONFIG_PASSPHRASE: "s",
    PULUMI_ACCESS_TOKEN: "s",
    GITHUB_TOKEN: "s",
    GH_TOKEN: "s",
    NPM_TOKEN: "s",
    NODE_AUTH_TOKEN: "s",
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "s",
    AWS_SECRET_ACCESS_KEY: "s",
    GOOGLE_APPLICATION_CREDENTIALS: "s",
    GOOGLE_OAUTH_TOKEN: "s",
  };
  const env = evaluate("scripts/lib/installer-env.mjs", "module.installerEnv(...args)", {
    ...kept,
    ...secrets,
  });
  expect(env).toEqual(kept);
});

it("a tool that Go must build names what a user may install instead", () => {
  const script = "(process.env.PATH = '', await module.goTool(...args).catch(({ message }) => message))";
  const tool = { name: "no-tool", module: "actionlint", command: ".", version: "1.2.3" };
  const message = (instead?: string) => evaluate("scripts/lib/go-tool.mjs", script, { ...tool, instead });
  const go = /^go (\S+)$/m.exec(goMod("actionlint"))![1]!;
  const start = `There is no Go to build no-tool with: install Go ${go} or later`;
  expect(message()).toBe(`${start}, and run the command again.`);
  expect(message("no-tool 1.2.3 or later")).toBe(
    `${start}, or no-tool 1.2.3 or later, and run the command again.`,
  );
});

/** A `go` whose module is empty and whose builds run a shell script that knows $bin and $command. */
function fakeGo(build: string): void {
  files("", {
    "path/go": `#!/bin/sh
case "$1" in
  env) echo go1.99.0 ;;
  mod) echo '{ "Dir": "${folder}/module" }' ;;
  build)
    for argument; do bin=$command command=$argument; done
    ${build} ;;
esac
`,
    "module/go.mod": "module github.com/pulumi/pulumi/pkg/v3",
  });
  fs.chmodSync(join(folder, "path/go"), 0o755);
}

/** No Pulumi CLI on PATH, an empty home, and a proxy that nobody serves in the way of the download. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: [join(folder, "path"), "/usr/bin", "/bin"].join(":"),
    HOME: folder,
    PULUMI_HOME: join(folder, "home"),
    HTTPS_PROXY: "http://127.0.0.1:1",
  };
}

function files(base: string, contents: Record<string, string>): void {
  for (const [path, content] of Object.entries(contents)) {
    fs.mkdirSync(dirname(join(folder, base, path)), { recursive: true });
    fs.writeFileSync(join(folder, base, path), content);
  }
}

function applyChanges(changes: object[]): unknown {
  return evaluate("scripts/lib/go-module.mjs", "module.applyChanges(...args)", join(folder, "copy"), changes);
}

/** jest does not load ES modules. */
function evaluate(file: string, expression: string, ...args: unknown[]): unknown {
  const script = `
    import * as module from "./${file}";
    const args = JSON.parse(process.argv[1]);
    console.log(JSON.stringify({ result: ${expression} }));
  `;
  const text = execFileSync(process.execPath, ["--input-type=module", "-e", script, JSON.stringify(args)], {
    cwd: root,
    encoding: "utf8",
  });
  return (JSON.parse(text) as { result?: unknown }).result;
}

function goMod(tool: string): string {
  return fs.readFileSync(join(root, "tools", tool, "go.mod"), "utf8");
}

function requirements(tool: string): Map<string, string> {
  return new Map(
    [...goMod(tool).matchAll(/^\s+(\S+) (v\S+)/gm)].map(([, name, version]) => [name!, version!]),
  );
}
