import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { readPreview } from "../../src/tools/inventory/read-preview";
import { baseEnv, withoutPreviewing } from "../support/pulumi-command";
import { Program, type Stack } from "../support/engine";
import { engineSetup } from "../support/engine-setup";
import { commonWorlds, quickstartFinds } from "../fixtures/previews/scenarios";
import { inHosts } from "../support/worker-hosts";
import { slimmed } from "../fixtures/previews/slim";
import { findingsOf } from "../tools/review/support";
import { reviewWorlds, write } from "./recorded-previews";
import { cjs, transpileOnly } from "./support";

// With TUNNEL_GATEWAY_WRITE_PREVIEWS=1 the previews are kept as the fixtures of the unit tests.
const folder = join(__dirname, "../fixtures/previews");

reviewWorlds(commonWorlds);

describe("the review of the quickstart", () => {
  const emulator = EmulatorProcess.forTests();

  it("finds no danger, and two notes that are true", async () => {
    const example = readFileSync(join(__dirname, "../../examples/quickstart/index.ts"), "utf8");
    const stack = await new Program({ name: "quickstart", files: example }).stack({
      env: { ...emulator.env, ...transpileOnly },
    });
    const { stdout } = (await stack.previewJson({ args: ["--show-sames"] })).result;
    if (write) writeFileSync(join(folder, "example-quickstart.json"), slimmed(stdout));
    expect(await findingsOf(stdout)).toEqual(quickstartFinds);
  });
});

describe("tunnel-gateway review", () => {
  const emulator = EmulatorProcess.forTests();
  let stack: Stack;
  beforeAll(async () => {
    const open = `new IpPolicyRule("all", { ipPolicyId: new IpPolicy("p").id, cidr: "0.0.0.0/0", action: "allow" });`;
    stack = await cjs(open, { name: "command" }).stack({ env: emulator.env });
  });

  let hosts: Record<string, string>;
  beforeAll(async () => {
    hosts = await inHosts();
  });
  const environment = () => ({ ...baseEnv(), ...emulator.env, ...stack.backendEnv, ...hosts });
  const run = (...args: string[]) => {
    const bin = join(engineSetup().template, "node_modules/.bin/tunnel-gateway");
    const command = [bin, "review", ...args];
    return spawnSync(process.execPath, command, {
      cwd: stack.program.dir,
      env: environment(),
      encoding: "utf8",
    });
  };

  it("previews a stack, and ends by the worst finding", () => {
    const failed = run("--stack", stack.name);
    expect(withoutPreviewing(failed.stderr)).toBe("");
    expect(failed.stdout).toContain("error   access/open-cidr  IpPolicyRule all: it allows 0.0.0.0/0");
    expect(failed.stdout).toContain("2 to create; 2 requests (2 POST) to the service");
    expect(failed.status).toBe(3);
  });

  it("reads a preview that streams its events, and takes none that is cut at a line end for complete", async () => {
    const streaming = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
    const { stdout } = await stack.preview({ args: ["--json", "--show-sames"], env: streaming });
    const file = join(stack.program.dir, "streamed.jsonl");
    writeFileSync(file, stdout);
    expect(run(file).status).toBe(3);
    const lines = stdout.trimEnd().split("\n");
    const summary = lines.findIndex((line) => line.includes('"summaryEvent"'));
    const errorsAt = (count: number) => readPreview(lines.slice(0, count).join("\n")).errors;
    expect(errorsAt(lines.length)).toEqual([]);
    for (let count = 1; count <= summary; count += 1)
      expect([count, errorsAt(count)]).toEqual([count, [expect.stringContaining("ends before its summary")]]);
    writeFileSync(file, lines.slice(0, summary).join("\n"));
    expect(run(file, "--save", "approval.json").status).toBe(1);
    expect(existsSync(join(stack.program.dir, "approval.json"))).toBe(false);
  });

  it("reads a file, silences with a reason, and writes several forms", async () => {
    const { stdout } = (await stack.previewJson({ args: ["--show-sames"] })).result;
    const file = join(stack.program.dir, "preview.json");
    writeFileSync(file, stdout);
    const silenced = run(
      file,
      "--silence",
      "access/open-cidr@all=a test",
      "--output",
      "annotations",
      "--output",
      "markdown=comment.md",
      "--output",
      "sarif=review.sarif",
    );
    expect([silenced.status, silenced.stderr, silenced.stdout]).toEqual([
      0,
      "",
      "::notice title=1 silence::access/open-cidr@all silences 1 finding: a test\n" +
        "::notice file=index.js,line=4,title=hygiene/unused-policy::IpPolicy p: nothing in this program uses it (POST /ip_policies)\n",
    ]);
    expect(readFileSync(join(stack.program.dir, "comment.md"), "utf8")).toContain("Silenced: a test");
    expect(readFileSync(join(stack.program.dir, "review.sarif"), "utf8")).toContain('"suppressions"');
  });
});
