import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parse } from "yaml";

const root = resolve(__dirname, "../..");
const folder = join(root, ".github/workflows");
const { engines, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  engines: { node: string };
  scripts: Record<string, string>;
};

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<
    string,
    {
      needs?: string | string[];
      strategy?: object;
      permissions?: Record<string, string>;
      steps: { run?: string; uses?: string; with?: object }[];
    }
  >;
}

const workflow = (name: string) => parse(readFileSync(join(folder, name), "utf8")) as Workflow;
const commandsOf = ({ jobs }: Workflow) =>
  Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => (run === undefined ? [] : [run])));

/** Commands that npm has by itself. */
const npmCommands = ["ci", "install", "test", "pack", "publish", "pkg"];

describe.each(readdirSync(folder))("the workflow %s", (name) => {
  it("runs what the repository has", () => {
    const commands = commandsOf(workflow(name));
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const [tool, word, script] = command.split(" ");
      const exists =
        (tool === "bash" && existsSync(join(root, word!))) ||
        (tool === "npm" && word === "run" && Object.hasOwn(scripts, script!)) ||
        (tool === "gh" && name !== "ci.yml") ||
        (tool === "npm" && npmCommands.includes(word!) && (word !== "test" || "test" in scripts));
      expect({ command, exists }).toEqual({ command, exists: true });
    }
  });

  it("may only read, and keeps no credentials of the checkout", () => {
    const { permissions, jobs } = workflow(name);
    expect(permissions).toEqual({ contents: "read" });
    for (const { steps, permissions: own = {} } of Object.values(jobs)) {
      if (Object.values(own).some((each) => each !== "read"))
        expect([name, own]).toEqual(
          name === "release.yml" ? [name, own] : ["nightly.yml", { issues: "write" }],
        );
      for (const { uses, with: given } of steps.filter((step) => step.uses?.startsWith("actions/checkout@")))
        expect({ uses, ...given }).toMatchObject({ "persist-credentials": false });
    }
  });
});

it("every action is pinned by its digest, with the version beside it", () => {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), "utf8");
    const uses = text.split("\n").filter((line) => /\buses:/.test(line));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

const oldestNode = engines.node.replace(">=", "");

describe("the nightly workflow", () => {
  const { jobs } = workflow("nightly.yml");

  it("tries the newest and the oldest Pulumi, and every version of Node.js that the package supports", () => {
    const { newest, oldest, node } = jobs;
    expect(newest!.steps.map(({ run, with: given }) => run ?? given)).toEqual([
      { "persist-credentials": false },
      { "node-version": "node", "package-manager-cache": false },
      { "pulumi-version": "latest" },
      "npm install --save-dev @pulumi/pulumi@latest",
      "npm run engine",
      expect.stringMatching(/^npm run test:full -- test\/night\/languages /),
    ]);
    const [files] = commandsOf({ jobs: { newest: newest! } } as unknown as Workflow)
      .slice(-1)
      .map((command) => command.split(" ").slice(4));
    for (const file of files!)
      expect([file, existsSync(join(root, `${file}.test.ts`))]).toEqual([file, true]);
    expect(oldest!.steps.slice(-2).map(({ run }) => run)).toEqual(
      ["night", "oldest"].map((stage) => `npm run test:full -- --stage ${stage}`),
    );
    expect(node!.strategy).toMatchObject({ matrix: { node: [oldestNode, "24", "node"] } });
  });

  it("opens an issue about a failure in a job that runs nothing but gh", () => {
    const { needs, steps } = jobs.report!;
    expect(needs).toEqual(["newest", "oldest", "node"]);
    expect(steps).toEqual([
      { run: expect.stringMatching(/^gh issue list .* \|\| gh issue create /) as unknown },
    ]);
  });
});

describe("the release workflow", () => {
  const { on, jobs } = workflow("release.yml");
  const commands = (job: string) => jobs[job]!.steps.flatMap(({ run }) => run ?? []);

  it("starts with a tag, and publishes only after the build", () => {
    expect(on).toEqual({ push: { tags: ["v*"] } });
    const needs = Object.fromEntries(Object.entries(jobs).map(([name, { needs }]) => [name, needs]));
    expect(needs).toEqual({ versions: undefined, build: "versions", publish: "build", archives: "publish" });
  });

  it("tests the oldest version of Node.js that the package supports, and the newest, instead of the repository's own", () => {
    expect(jobs.versions!.permissions).toBeUndefined();
    expect(jobs.versions!.strategy).toEqual({ matrix: { node: [oldestNode, "24", "node"] } });
    expect(commands("versions")).toEqual(["npm ci --ignore-scripts", "npm test"]);
  });

  it("installs, checks, tests and builds without a right to log in", () => {
    expect(jobs.build!.permissions).toBeUndefined();
    expect(commands("build")).toEqual([
      "npm ci",
      expect.stringMatching(/^npm pkg set repository\./),
      'npm run release:check -- "$GITHUB_REF_NAME"',
      "npm run audit",
      "npm test",
      "npm run build",
      "npm pack",
      "npm run archive",
    ]);
  });

  it("runs npm alone where it may log in, on what was built, with provenance", () => {
    expect(jobs.publish!.permissions).toEqual({ "id-token": "write" });
    expect(commands("publish")).toEqual([
      "npm publish ./*.tgz --provenance --access public --ignore-scripts",
    ]);
    const uses = jobs.publish!.steps.flatMap(({ uses }) => uses?.replace(/@.*/, "") ?? []);
    expect(uses).toEqual(["actions/setup-node", "actions/download-artifact"]);
  });

  it("writes the addresses of its repository into the package before it checks and packs it", () => {
    const [at, check] = ["npm pkg set", "npm run release:check"].map((start) =>
      commands("build").findIndex((each) => each.startsWith(start)),
    );
    expect(at).toBeGreaterThanOrEqual(0);
    expect(check).toBeGreaterThan(at!);
    const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-release-"));
    const file = join(folder, "package.json");
    const before = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as object;
    writeFileSync(file, JSON.stringify(before));
    const repository = { GITHUB_SERVER_URL: "https://git.example.com", GITHUB_REPOSITORY: "owner/name" };
    execFileSync("bash", ["-c", commands("build")[at!]!], {
      cwd: folder,
      env: { ...process.env, ...repository },
    });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      ...before,
      repository: { type: "git", url: "git+https://git.example.com/owner/name.git" },
      bugs: { url: "https://git.example.com/owner/name/issues" },
    });
    rmSync(folder, { recursive: true });
  });

  it("runs gh and the signing action alone where it may change the repository's releases, on what was built", () => {
    expect(jobs.archives!.permissions).toEqual({
      contents: "write",
      "id-token": "write",
      attestations: "write",
    });
    const own = jobs.archives!.steps.map(({ run, uses }) => run?.split(" ").slice(0, 3).join(" ") ?? uses);
    expect(own).toEqual([
      expect.stringMatching(/^actions\/download-artifact@/),
      expect.stringMatching(/^actions\/attest-build-provenance@[0-9a-f]{40}$/),
      "gh release view",
      "gh release upload",
    ]);
  });
});

/** jest does not load ES modules. */
function releaseProblems(...args: unknown[]): unknown {
  const script = `
    import { releaseProblems } from "./scripts/lib/release.mjs";
    console.log(JSON.stringify(releaseProblems(...JSON.parse(process.argv[1]))));
  `;
  const options = { cwd: root, encoding: "utf8" } as const;
  const text = execFileSync(
    process.execPath,
    ["--input-type=module", "-e", script, JSON.stringify(args)],
    options,
  );
  return JSON.parse(text);
}

describe("a release", () => {
  const repository = { type: "git", url: "git+https://git.example.com/owner/name.git" };
  const bugs = { url: "https://git.example.com/owner/name/issues" };
  const changelog = "# Changelog\n\n## 1.2.3 - 2026-01-31\n\n### Added\n";

  it("may be published when tag, version and changelog agree and its addresses are known", () => {
    expect(releaseProblems("v1.2.3", { version: "1.2.3", repository, bugs }, changelog)).toEqual([]);
  });

  it.each<[string, string | undefined, object, string, RegExp]>([
    ["another tag", "v1.2.4", { repository, bugs }, changelog, /"v1\.2\.4".*1\.2\.3/],
    ["no tag", undefined, { repository, bugs }, changelog, /The tag is ""/],
    [
      "no changelog",
      "v1.2.3",
      { repository, bugs },
      "# Changelog\n\n## Unreleased\n",
      /no section "## 1\.2\.3"/,
    ],
    ["a longer version only", "v1.2.3", { repository, bugs }, "## 1.2.30\n", /no section "## 1\.2\.3"/],
    ["no repository", "v1.2.3", { bugs }, changelog, /npm pkg set repository/],
    ["no address for bugs", "v1.2.3", { repository }, changelog, /npm pkg set bugs/],
  ])("is refused with %s", (_, tag, manifest, text, message) => {
    const problems = releaseProblems(tag, { version: "1.2.3", ...manifest }, text);
    expect(problems).toEqual([expect.stringMatching(message)]);
  });
});
