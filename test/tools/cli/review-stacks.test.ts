/** `review` of several previews in process: from files, and of the stacks of a project. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PulumiError } from "../../../src/tools/stack/pulumi";
import { runCommandLine } from "../../support/command-line";
import { previewOf } from "../review/access-preview";
import { filesIn, temporaryFolder } from "../../support/folders";

const rule = { name: "berlin", policy: "office", action: "allow", cidr: "203.0.113.0/24" } as const;
const before = { policies: ["office"], rules: [rule], edges: { database: ["office"] } };
const wider = { ...before, rules: [{ ...rule, cidr: "203.0.112.0/22" }] };
const widest = { ...before, rules: [{ ...rule, cidr: "0.0.0.0/0" }] };

const previewIn = (stack: string, next: Parameters<typeof previewOf>[1] = wider): string =>
  previewOf(before, next).replaceAll("pulumi:test::", `pulumi:${stack}::`);

let mockPreviews: Record<string, string>;
let mockRunning: number;
let mockMost: number;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: async (args: readonly string[]) => {
    if (args[1] === "ls") {
      const stacks = [...Object.keys(mockPreviews), "dev"].map((name) => ({ name, current: false }));
      return { stdout: JSON.stringify(stacks), stderr: "" };
    }
    if (args[0] !== "preview") return { stdout: "{}", stderr: "" };
    mockRunning += 1;
    mockMost = Math.max(mockMost, mockRunning);
    await new Promise((resolve) => setTimeout(resolve, 5));
    mockRunning -= 1;
    const preview = mockPreviews[args[args.indexOf("--stack") + 1]!]!;
    if (preview === "") throw new PulumiError("failed", 255, { stdout: "", stderr: "error: no passphrase" });
    return { stdout: preview, stderr: "" };
  },
}));

const folder = temporaryFolder("stacks");
const file = filesIn(folder);
beforeEach(() => {
  [mockRunning, mockMost] = [0, 0];
  mockPreviews = { "prod-eu": previewIn("prod-eu"), "prod-us": previewIn("prod-us") };
});

const review = (...args: string[]) => runCommandLine(["review", ...args], {});

interface Printed {
  findings: { rule: string; stacks: string[]; urn: string }[];
  changes: { name: string; stacks: string[]; urn: string }[];
  stacks: { stack: string; errors: string[]; changes: { update: number } }[];
  errors: string[];
}
const json = (stdout: string): Printed => JSON.parse(stdout) as Printed;

it("makes one entry of what several stacks have, and names the stacks", async () => {
  const files = [file("a.json", previewIn("prod-eu")), file("b.json", previewIn("prod-us"))];
  const { code, stdout } = await review(...files, file("c.json", previewIn("prod-ap", widest)));
  expect(code).toBe(3);
  expect(stdout).toContain("IpPolicyRule berlin: updated [prod-eu, prod-us (2 of 3 stacks)]");
  expect(stdout).toContain("IpPolicyRule berlin: updated [prod-ap (1 of 3 stacks)]");
  expect(stdout).toContain("3 stacks: 3 to update; 3 requests (3 PATCH) to the service");
  const printed = json((await review(...files, "--output", "json")).stdout);
  expect(printed.changes).toMatchObject([{ name: "berlin", stacks: ["prod-eu", "prod-us"] }]);
  expect(printed.changes[0]!.urn).toMatch(/^urn:pulumi:\[stack\]::network::/);
  expect(printed.stacks).toMatchObject([
    { stack: "prod-eu", changes: { update: 1 } },
    { stack: "prod-us", changes: { update: 1 } },
  ]);
});

it("previews the stacks that match, at most --parallel at once", async () => {
  for (let i = 0; i < 6; i += 1) mockPreviews[`prod-${i}`] = previewIn(`prod-${i}`);
  const { code, stdout } = await review("--stacks", "prod-*", "--parallel", "3", "--offline");
  expect([code, mockMost]).toEqual([0, 3]);
  expect(stdout).toContain("IpPolicyRule berlin: updated [all 8 stacks]");
  expect(stdout).not.toContain("dev");
});

it("reviews the other stacks where one cannot be previewed, and fails", async () => {
  mockPreviews["prod-ap"] = "";
  const { code, stdout } = await review("--stacks", "prod-*", "--offline", "--fail-on", "never");
  expect(code).toBe(1);
  expect(stdout).toContain(
    "the preview failed: prod-ap: the stack prod-ap could not be previewed: error: no passphrase",
  );
  expect(stdout).toContain("IpPolicyRule berlin: updated [all 2 stacks with a complete preview]");
});

it("prints once why several stacks cannot be previewed, with their names and number", async () => {
  for (const name of ["prod-ap", "prod-br", "prod-cn", "prod-dk"]) mockPreviews[name] = "";
  const { code, stdout } = await review("--stacks", "prod-*", "--offline", "--fail-on", "never");
  expect(code).toBe(1);
  const reason = "the stack [stack] could not be previewed: error: no passphrase";
  expect(stdout).toContain(`the preview failed: prod-ap, prod-br and 2 more: ${reason}`);
  expect(stdout.split("the preview failed: ")).toHaveLength(2);
});

it("takes a stack by its name without its organization, and refuses two previews of one and a pattern of none", async () => {
  const same = await review(
    file("a.json", previewIn("prod-eu")),
    file("b.json", previewIn("prod-eu", widest)),
  );
  expect([same.code, same.stdout]).toEqual([1, ""]);
  expect(same.stderr).toMatch(/a\.json and .*b\.json are previews of the same stack, network\/prod-eu/);
  mockPreviews["acme/network/live"] = previewIn("live");
  const live = await review("--stacks", "live", "--offline", "--output", "json", "--fail-on", "never");
  expect(json(live.stdout).changes.length).toBeGreaterThan(0);
  delete mockPreviews["acme/network/live"];
  const none = await review("--stacks", "live-*");
  expect(none.code).toBe(1);
  expect(none.stderr).toContain(
    'no stack of the project matches "live-*"; its stacks are prod-eu, prod-us, dev',
  );
});

it("keeps what was approved of all stacks in one file, which also holds for one of them", async () => {
  const approval = join(folder, "approval.json");
  const all = ["--stacks", "prod-*", "--offline"];
  expect((await review(...all, "--save", approval)).code).toBe(0);
  expect(JSON.parse(readFileSync(approval, "utf8"))).toMatchObject({
    ...{ approval: 3, stacks: [{ stack: "prod-eu", project: "network" }, { stack: "prod-us" }] },
  });
  const accepted = await review(...all, "--approved", approval);
  expect([accepted.code, accepted.stderr]).toEqual([0, ""]);
  const one = await review("--stack", "prod-us", "--offline", "--approved", approval);
  expect([one.code, one.stderr]).toEqual([0, ""]);

  mockPreviews["prod-us"] = previewIn("prod-us", widest);
  const other = await review(...all, "--approved", approval, "--fail-on", "never");
  expect(other.code).toBe(3);
  expect(other.stdout).toContain(
    'IpPolicyRule berlin: PATCH /ip_policy_rules/id_berlin: it was approved with another value of "/cidr" [prod-us (1 of 2 stacks)]',
  );
});

it("refuses a stack that was not approved, and one that was approved and is missing", async () => {
  const approval = join(folder, "approval.json");
  const all = ["--stacks", "prod-*", "--offline"];
  await review(...all, "--save", approval);
  const { "prod-us": moved, ...rest } = mockPreviews;
  mockPreviews = { ...rest, "prod-am": moved!.replaceAll("prod-us", "prod-am") };
  const renamed = await review(...all, "--approved", approval, "--fail-on", "never");
  expect(renamed.code).toBe(1);
  expect(renamed.stdout).toContain("prod-am: the approval is that of 2 stacks and not of network/prod-am");
  expect(renamed.stdout).toContain("network/prod-us: it was approved, but the review has no preview of it");
  mockPreviews = rest;
  const fewer = await review(...all, "--approved", approval, "--fail-on", "never");
  expect([fewer.code, fewer.stdout]).toEqual([
    1,
    expect.stringContaining("network/prod-us: it was approved"),
  ]);
});

it("refuses a file of approvals that is broken", async () => {
  const approval = join(folder, "approval.json");
  const all = ["--stacks", "prod-*", "--offline"];
  await review(...all, "--save", approval);
  const whole = JSON.parse(readFileSync(approval, "utf8")) as { approval: number; stacks: object[] };
  const [first] = whole.stacks;
  const broken = [
    ...[
      { ...whole, stacks: [] },
      { ...whole, stacks: [first, first] },
      { ...whole, more: 1 },
    ],
    ...[
      { ...whole, stacks: [first, {}] },
      { ...whole, stacks: first },
      { ...whole, stacks: [first, null] },
    ],
  ];
  for (const value of broken) {
    const { code, stderr } = await review(...all, "--approved", file("broken.json", JSON.stringify(value)));
    expect([code, stderr]).toEqual([1, expect.stringContaining("broken.json: the approval is broken")]);
  }
});
