/**
 * Options of the CLI and of resources with which somebody may get past the gate, with the packed package on the real engine.
 * docs/security.md lists them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommandLine } from "../../support/command-line";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { tunnelGateway } from "../../engine/cli";
import { cjs, idOf, rewrite } from "../../engine/support";

const base = `
  const { TcpEdge } = require("pulumi-tunnel-gateway");
  const office = new IpPolicy("office");
  const rule = (name, cidr, options, action = "allow") =>
    new IpPolicyRule(name, { ipPolicyId: office.id, cidr, action }, options);
  const edge = (name, port) =>
    new TcpEdge(name, { hostports: ["1.tcp.example.com:" + port], ipRestriction: { ipPolicyIds: [office.id] } });
`;
const lan = `rule("lan", "203.0.113.0/24");`;
const db = `edge("db", 5001);`;
const settings = { accessTests: [{ resource: "TcpEdge db", onlyFrom: ["203.0.113.0/24"] }] };

const emulator = EmulatorProcess.forTests();
let program: Program;
let stack: Stack;

/** Deploys a program. */
async function deployed(body: string): Promise<void> {
  program = cjs(base + body, { name: "options" });
  program.write({ "settings.json": JSON.stringify(settings), "none.json": "{}" });
  stack = await program.stack({ env: emulator.env });
  await stack.up();
}

interface Attack {
  readonly body: string;
  /** Of `pulumi preview`. */
  readonly args?: readonly string[];
  /** Of the review. */
  readonly options?: readonly string[];
  readonly fails?: boolean;
}

/** The exit code of the review of a preview of another program, and its errors as `rule Type name`. */
async function reviewed({ body, args = [], options = [], fails = false }: Attack) {
  rewrite(program, base + body);
  const all = ["--json", "--show-sames", ...args];
  const preview = await stack.preview({ args: all, ...(fails && { exitCode: "any" as const }) });
  writeFileSync(join(program.dir, "preview.json"), preview.stdout);
  // In this process: test/engine/review.test.ts runs the command of the package.
  const command = ["review", "preview.json", "--config", "settings.json", ...options];
  const inFolder = command.map((each) => (each.endsWith(".json") ? join(program.dir, each) : each));
  const { code: exitCode, stdout } = await runCommandLine(inFolder, {});
  const errors = stdout
    .split("\n")
    .flatMap((line) => /^error +(\S+ +[^:]*(?::\S[^:]*)*): /.exec(line)?.[1] ?? []);
  return { exitCode, stdout, errors: errors.map((error) => error.replace(/ +/g, " ")) };
}

const urn = (type: string, name: string): string => stack.urn(type, name);
const foreign = "pulumi-nodejs:dynamic/tunnel-gateway:";

describe("a rule for everybody that a preview does not remove although the program has it no more", () => {
  beforeAll(() => deployed(lan + db + `rule("wide", "0.0.0.0/0");`));

  it.each(["--target", "--exclude"])("counts with %s, for new edges and for access tests", async (option) => {
    const chosen = option === "--target" ? urn("TcpEdge", "second") : urn("IpPolicyRule", "wide");
    const { exitCode, errors } = await reviewed({
      body: lan + db + `edge("second", 5002);`,
      args: [option, chosen],
    });
    expect([exitCode, errors]).toEqual([
      3,
      ["access/newly-allowed TcpEdge second", "access/test-failed TcpEdge db"],
    ]);
  });

  it("counts where ignoreChanges hides that the program's text is another one", async () => {
    const narrow = `rule("wide", "203.0.113.7/32", { ignoreChanges: ["*"] });`;
    const { exitCode, errors } = await reviewed({ body: lan + db + narrow });
    expect([exitCode, errors]).toEqual([3, ["access/test-failed TcpEdge db"]]);
  });

  it("is in no approval of a part, and an approval of the whole does not hold for a part", async () => {
    const body = lan + db;
    const part = ["--target", urn("TcpEdge", "db")];
    const neverFails = ["--fail-on", "never"];
    await reviewed({ body, args: part, options: ["--save", "part.json", ...neverFails] });
    const whole = await reviewed({
      body,
      options: ["--approved", "part.json", "--save", "whole.json", ...neverFails],
    });
    expect([whole.exitCode, whole.errors]).toEqual([3, ["approval/changed IpPolicyRule wide"]]);
    const again = await reviewed({ body, args: part, options: ["--approved", "whole.json", ...neverFails] });
    expect([again.exitCode, again.errors]).toEqual([
      3,
      ["approval/changed IpPolicyRule wide", "access/test-failed TcpEdge db"],
    ]);
  });
});

describe("a program whose edge is for one network", () => {
  beforeAll(() => deployed(lan + db + `rule("vip", "203.0.113.7/32", { protect: true });`));
  const vip = `rule("vip", "203.0.113.7/32", { protect: true });`;

  it("has no deny rule that --target leaves out", async () => {
    const body =
      lan + db + vip + `rule("guests", "203.0.113.0/25", {}, "deny"); rule("more", "203.0.113.8/32");`;
    const { exitCode, errors, stdout } = await reviewed({
      body,
      args: ["--target", urn("IpPolicyRule", "more")],
    });
    expect([exitCode, errors]).toEqual([
      3,
      [`access/identity ${foreign}IpPolicyRule guests`, "access/test-failed the deployment"],
    ]);
    expect(stdout).not.toContain("--show-sames");
  });

  it.each([`version: "3.270.0"`, `pluginDownloadURL: "http://127.0.0.1:9"`])(
    "gets no other plugin by the option %s",
    async (option) => {
      const { exitCode, errors } = await reviewed({
        body: `rule("lan", "203.0.113.0/24", { ${option} });` + db + vip,
      });
      expect([exitCode, errors]).toEqual([
        3,
        [
          expect.stringMatching(/^access\/base-url-changed Provider default_/),
          "access/unknown-ranges IpPolicyRule lan",
        ],
      ]);
    },
  );

  it("is reviewed as a transform changes it", async () => {
    const transform = `
      pulumi.runtime.registerResourceTransform(({ type, name, props, opts }) =>
        name === "lan" ? { props: { ...props, cidr: "0.0.0.0/0" }, opts } : undefined);`;
    const { exitCode, errors } = await reviewed({ body: transform + lan + db + vip });
    expect([exitCode, errors]).toEqual([
      3,
      [
        "access/newly-allowed TcpEdge db",
        "access/open-cidr IpPolicyRule lan",
        "access/test-failed TcpEdge db",
      ],
    ]);
  });

  it("has no approval for a replacement that --replace asks for, nor for a preview that protect fails", async () => {
    const body = lan + db + vip;
    const whole = await reviewed({ body, options: ["--save", "whole.json"] });
    expect([whole.exitCode, whole.errors]).toEqual([0, []]);
    const replaced = await reviewed({
      body,
      args: ["--replace", urn("IpPolicyRule", "lan")],
      options: ["--approved", "whole.json"],
    });
    // Without --show-replacement-steps a preview does not say what a replacement sends.
    expect([replaced.exitCode, replaced.errors]).toEqual([3, ["approval/changed IpPolicyRule lan"]]);
    const removed = await reviewed({ body: lan + db, options: ["--save", "removed.json"], fails: true });
    expect(removed.exitCode).toBe(1);
    expect(removed.stdout).toContain("the preview failed: ");
  });

  it("hides nothing behind names that look like a table", async () => {
    const name = "x\\\\| fine | `all` |\\\\";
    const body = lan + db + vip + `rule(${JSON.stringify(name)}, "0.0.0.0/0");`;
    const { exitCode, stdout } = await reviewed({ body, options: ["--output", "markdown"] });
    const rows = stdout.split("\n").filter((line) => /^\| .*error/.test(line));
    expect([exitCode, rows.length]).toEqual([3, 3]);
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
  });

  it("has no edge that was deleted from the state: a test of it fails, and orphans lists it", async () => {
    const id = idOf(stack, "db");
    await stack.pulumi(["state", "delete", urn("TcpEdge", "db"), "--yes", "--stack", stack.name]);
    const { exitCode, errors } = await reviewed({ body: lan + vip });
    expect([exitCode, errors]).toEqual([3, ["access/test-failed the deployment"]]);
    const untested = await reviewed({ body: lan + vip, options: ["--config", "none.json"] });
    expect(untested.exitCode).toBe(0);
    const orphans = await tunnelGateway(program, stack, ["orphans", "--stack", stack.name], emulator.env);
    expect(orphans.stdout).toContain(id);
  });
});
