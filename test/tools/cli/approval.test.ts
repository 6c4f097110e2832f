/** The options of `review` in process. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { settingsOf } from "../../../src/tools/cli/commands/review/run";
import { runCommandLine } from "../../support/command-line";
import { previewOf } from "../review/access-preview";
import { filesIn, temporaryFolder } from "../../support/folders";

const rule = { name: "berlin", policy: "office", action: "allow", cidr: "203.0.113.0/24" } as const;
const before = { policies: ["office"], rules: [rule], edges: { database: ["office"] } };
const wider = { ...before, rules: [{ ...rule, cidr: "203.0.112.0/22" }] };
const widest = { ...before, rules: [{ ...rule, cidr: "0.0.0.0/0" }] };

const folder = temporaryFolder("approval");
const file = filesIn(folder);

const review = (...args: string[]) => runCommandLine(["review", ...args], {});

it("accepts what was saved, and fails for anything else whatever --fail-on and silences say", async () => {
  const approval = join(folder, "approval.json");
  const reviewed = file("reviewed.json", previewOf(before, wider));
  expect(await review(reviewed, "--save", approval)).toMatchObject({
    code: 0,
    stderr: `The approval is written to ${approval}\n`,
  });
  expect(JSON.parse(readFileSync(approval, "utf8"))).toMatchObject({ stack: "test", project: "network" });

  const accepted = await review(reviewed, "--approved", approval);
  expect([accepted.code, accepted.stderr]).toEqual([0, ""]);

  const other = file("other.json", previewOf(before, widest));
  const refused = await review(
    ...[other, "--approved", approval, "--fail-on", "never", "--silence", "*=a reason for everything"],
  );
  expect(refused.code).toBe(3);
  expect(refused.stdout).toContain(
    'error   approval/changed  IpPolicyRule berlin: PATCH /ip_policy_rules/id_berlin: it was approved with another value of "/cidr"',
  );
});

it("takes options of the command line before those of the configuration, and silences of both", () => {
  const [mine, theirs] = ["hygiene/no-owner", "access/open-cidr"].map((rule) => ({ rule, reason: "known" }));
  const given = {
    failOn: "note",
    requestsPerMinute: 60,
    errorFrom: { ipv4: "/24", ipv6: "/64" },
    silence: [theirs],
  };
  const config = file("options.json", JSON.stringify(given));
  const [ipv4, ipv6] = [256n, 2n ** 64n];
  const [usual, configured] = [settingsOf({}), settingsOf({ config })];
  expect(usual).toMatchObject({ failOn: "error", requestsPerMinute: undefined, errorFrom: {}, silences: [] });
  const own = { failOn: "note", requestsPerMinute: 60, errorFrom: { 4: ipv4, 6: ipv6 }, silences: [theirs] };
  expect(configured).toMatchObject(own);
  expect(settingsOf({ config, failOn: "never" })).toMatchObject({ ...own, failOn: "never" });
  expect(settingsOf({ config, requestsPerMinute: 9 })).toMatchObject({ ...own, requestsPerMinute: 9 });
  for (const [flag, family] of [
    ["errorFromIpv4", 4],
    ["errorFromIpv6", 6],
  ] as const)
    expect(settingsOf({ config, [flag]: "7" }).errorFrom).toEqual({ ...own.errorFrom, [family]: 7n });
  expect(settingsOf({ config, silence: [`${mine!.rule}=known`] })).toMatchObject({
    ...own,
    silences: [mine, theirs],
  });
});

it.each<[string, "stdout"[], Record<string, string>, boolean]>([
  ["on a terminal", ["stdout"], {}, true],
  ["on a terminal with NO_COLOR", ["stdout"], { NO_COLOR: "1" }, false],
  ["in a pipe", [], {}, false],
])("has colors on a terminal alone, unless its user wants none: %s", async (_, terminals, env, isColored) => {
  const args = ["review", file("reviewed.json", previewOf(before, widest))];
  const ended = await runCommandLine(args, { NO_COLOR: "", ...env }, terminals);
  expect([ended.code, ended.stdout.includes("\u001b[31m")]).toEqual([3, isColored]);
});

it("names the line of a resource that is not deployed as it was approved", async () => {
  const approval = join(folder, "approval.json");
  await review(file("reviewed.json", previewOf(before, wider)), "--save", approval);
  const position = ',"sourcePosition":"project:///network.ts#7,3"';
  const other = previewOf(before, widest).replace('"newState":{"id":"id_berlin"', `$&${position}`);
  expect(other).toContain(position);
  const { stdout } = await review(
    ...[file("other.json", other), "--approved", approval, "--output", "annotations"],
  );
  expect(stdout).toContain("::error file=network.ts,line=7,title=approval/changed::IpPolicyRule berlin: ");
});

it("ends with exit code 1 for another stack and a broken file, and with 2 for no file", async () => {
  const reviewed = file("reviewed.json", previewOf(before, wider));
  const approval = join(folder, "approval.json");
  await review(reviewed, "--save", approval);
  const elsewhere = file(
    "elsewhere.json",
    previewOf(before, wider).replaceAll("pulumi:test::", "pulumi:live::"),
  );
  const broken = file("broken.json", readFileSync(approval, "utf8").slice(0, 200));
  const runs = [
    await review(elsewhere, "--approved", approval),
    await review(reviewed, "--approved", broken),
    await review(reviewed, "--approved", join(folder, "nothing.json")),
  ];
  expect(runs.map(({ code }) => code)).toEqual([1, 1, 2]);
  expect(runs[0]!.stderr).toContain("the approval is that of the stack network/test, not of network/live");
  expect(runs[1]!.stderr).toContain("broken.json: the approval is not JSON");
  expect(runs[2]!.stderr).toContain("nothing.json");
});

it("saves no approval of a preview that failed", async () => {
  const failing = {
    ...(JSON.parse(previewOf(before, wider)) as object),
    diagnostics: [{ severity: "error", message: "no" }],
  };
  const approval = join(folder, "none.json");
  const { code, stderr } = await review(file("failed.json", JSON.stringify(failing)), "--save", approval);
  expect(code).toBe(1);
  expect(stderr).toContain(`${approval} is not written: a preview that failed cannot be approved\n`);
  expect(() => readFileSync(approval)).toThrow("ENOENT");
});

it("prints the error of a failed preview as an annotation, which a job shows", async () => {
  const diagnostics = [{ severity: "error", message: "wrong cidr\n::warning::x" }];
  const failed = { ...(JSON.parse(previewOf(before, wider)) as object), diagnostics };
  const { code, stdout } = await review(
    file("failed.json", JSON.stringify(failed)),
    "--output",
    "annotations",
  );
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^::error title=the preview failed::The preview failed, so the review is incomplete: wrong cidr%0A::warning::x\n/,
  );
});

it("names the file that is not a preview", async () => {
  for (const [name, text] of Object.entries({ "tsconfig.json": "{}", "text.json": "plan" })) {
    const { code, stderr } = await review(file(name, text));
    expect(code).toBe(1);
    expect(stderr).toContain(`${name}: the input is not the output of \`pulumi preview --json\``);
  }
});

describe("review --clients", () => {
  const reviewed = () => file("reviewed.json", previewOf(before, wider));

  it("reads logs, also of one resource and of JSON lines", async () => {
    const log = file("access.log", "203.0.112.9 GET /\n");
    const lines = file("lines.log", '{"client":{"ip":"203.0.115.1"}}\n');
    const all = await review(reviewed(), "--clients", log);
    expect(all.stdout).toContain(
      "TcpEdge database: 1 client with 1 request gains access\n    203.0.112.9: 1 request",
    );
    expect(all.stdout).toContain("The log holds all clients of the file");
    const own = await review(
      reviewed(),
      "--clients",
      `${lines}=TcpEdge database`,
      "--clients-field",
      "client.ip",
    );
    expect(own.stdout).toContain("203.0.115.1: 1 request, last in line 1");
    expect(own.stdout).not.toContain("The log holds all clients");
  });

  it("fails for a resource that the preview does not have, also where other logs name one", async () => {
    const log = file("access.log", "203.0.112.9 GET /\n");
    const wrong = await review(
      ...[reviewed(), "--clients", `${log}=TcpEdge database`, "--clients", `${log}=TcpEdge databse`],
    );
    expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
    expect(wrong.stderr).toContain(
      'nothing with IP policies has the name "TcpEdge databse" of --clients: correct it, as the access table writes it',
    );
  });

  it("takes a resource that only one of several stacks has", async () => {
    const log = file("access.log", "203.0.112.9 GET /\n");
    const none = { policies: ["office"], rules: [rule], edges: {} };
    const other = file("none.json", previewOf(none, none).replaceAll("pulumi:test::", "pulumi:live::"));
    const { code, stdout, stderr } = await review(
      ...[reviewed(), other, "--clients", `${log}=TcpEdge database`, "--fail-on", "never"],
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("TcpEdge database: 1 client with 1 request gains access");
    const wrong = await review(reviewed(), other, "--clients", `${log}=TcpEdge foo`);
    expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
  });

  it("fails for a log without an address, and for a field that no line has", async () => {
    const without = await review(reviewed(), "--clients", file("without.log", "GET /\nGET /\n"));
    expect([without.code, without.stdout]).toEqual([1, ""]);
    expect(without.stderr).toMatch(/without\.log: an address is in 0 of 2 lines: correct --clients /);
    const lines = file("lines.log", '{"client":{"ip":"203.0.115.1"}}\n');
    const field = ["--clients", lines, "--clients-field", "clientIp"];
    for (const previews of [[reviewed()], ["--fail-on", "never", reviewed()]]) {
      const { code, stdout, stderr } = await review(...previews, ...field);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/lines\.log: an address in "clientIp" is in 0 of 1 line: /);
    }
    const empty = await review(reviewed(), "--clients", file("empty.log", ""));
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining("is in 0 of 0 lines")]);
  });

  it("says how many lines of a log contain an address where some do not", async () => {
    const log = file("partly.log", "203.0.112.9 GET /\nstarted\nstopped");
    const { code, stderr } = await review(reviewed(), "--clients", log, "--fail-on", "never");
    expect(code).toBe(0);
    expect(stderr).toMatch(/partly\.log: an address is in 1 of 3 lines; the others are ignored\n/);
  });

  it("reports a log that cannot be used once, and not as the failure of each stack", async () => {
    const other = file("other.json", previewOf(before, wider).replaceAll("pulumi:test::", "pulumi:live::"));
    const log = file("without.log", "GET /\n");
    const { code, stdout, stderr } = await review(reviewed(), other, "--clients", log);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.match(/is in 0 of 1 line:/g)).toHaveLength(1);
  });
});
