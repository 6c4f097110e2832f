/** What every output says of a preview that failed: nothing that only a complete preview can show. */
import { mergedReview } from "../../../src/tools/review/merge";
import { ownNames } from "../../../src/tools/review/own-names";
import { annotations } from "../../../src/tools/review/output/annotations";
import { htmlReview, markdown, terminal } from "../../../src/tools/review/output/forms";
import { json } from "../../../src/tools/review/output/json-report";
import { sarif } from "../../../src/tools/review/output/sarif";
import type { Review } from "../../../src/tools/review/review";
import { previewOf } from "./access-preview";
import { formats } from "./formats";
import { reviewText, writtenPreview } from "./support";
import { readPreview } from "../../support/recorded";

const rule = { name: "berlin", policy: "office", action: "allow", cidr: "203.0.113.0/24" } as const;
const before = { policies: ["office"], rules: [rule], edges: { database: ["office"] } };
const after = { ...before, rules: [{ ...rule, cidr: "203.0.112.0/25" }] };
const accessTests = [{ resource: "TcpEdge database", allowed: ["203.0.113.7"] }];

/** The preview with this error of the engine. */
function failing(text: string, message = "wrong cidr"): string {
  const diagnostics = [{ severity: "error", message }];
  return JSON.stringify({ ...(JSON.parse(text) as object), diagnostics });
}
const complete = previewOf(before, after);
const nothing = failing(JSON.stringify({ steps: [] }));
const partial = failing(complete);

const isIncomplete = /incomplete|"complete": false/;
const verdicts = [
  ...[/no findings/i, /finds nothing/i, /give no new access/, /nothing changes/, /all hold|it holds/],
  ...[/ACCESS TO/i, /allows 203/, /"guarded"/, /No client of the log/],
];

describe.each(formats)("the %s output of a failed preview", (_, output) => {
  it.each([
    ["without a step", nothing],
    ["with steps", partial],
  ])("%s says that it failed, with its error and that the review is incomplete", (_, text) => {
    const shown = output({ ...reviewText(text, { now: 0 }), accessTests: 2 });
    expect(shown).toMatch(/preview failed|"errors": \[\n/i);
    expect(shown).toMatch(isIncomplete);
    expect(shown).toContain("wrong cidr");
    for (const verdict of verdicts) expect(shown).not.toMatch(verdict);
  });

  it("says the same where one of several stacks failed, and shows the access of the others alone", () => {
    const of = (stack: string, text: string) => {
      const preview = readPreview(text.replaceAll("pulumi:test::", `pulumi:${stack}::`));
      return { stack, names: ownNames(preview), review: reviewText(text, { now: 0 }) };
    };
    const both = output(mergedReview([of("prod-eu", nothing), of("prod-us", nothing)]));
    expect(both).toMatch(isIncomplete);
    for (const verdict of verdicts) expect(both).not.toMatch(verdict);
    const one = output(mergedReview([of("prod-eu", complete), of("prod-us", partial)]));
    expect(one).toMatch(/1 of 2 stacks failed|"complete": false/);
    expect(one).not.toMatch(/prod-eu, prod-us/);
  });
});

/** The line of a text that holds this. */
const lineWith = (text: string, part: string): string | undefined =>
  text.split("\n").find((line) => line.includes(part));

it("each output has its own form of it", () => {
  const made = reviewText(nothing, { now: 0 });
  const what = "The preview failed, so the review is incomplete";
  expect(annotations(made)).toBe(`::error title=the preview failed::${what}: wrong cidr\n`);
  expect(terminal(made).trimEnd().split("\n").at(-1)).toBe(
    "the preview failed, so the review is incomplete; no change is known",
  );
  expect(lineWith(markdown(made), "## ")).toBe(
    `## Tunnel Gateway review failed: the preview failed, so the review is incomplete`,
  );
  expect(lineWith(htmlReview(made), "<title>")).toContain(
    "Tunnel Gateway review failed: the preview failed, so the review is incomplete",
  );
  const { runs } = JSON.parse(sarif(made)) as { runs: [{ invocations: [object] }] };
  expect(runs[0].invocations[0]).toMatchObject({
    executionSuccessful: false,
    toolExecutionNotifications: [{ level: "error", message: { text: `${what}: wrong cidr` } }],
  });
  const document = JSON.parse(json(made)) as Review;
  expect(document).toMatchObject({ complete: false, errors: ["wrong cidr"] });
  expect(document).not.toHaveProperty("access");
  expect(JSON.parse(json(reviewText(complete)))).toMatchObject({ complete: true, access: { guarded: [{}] } });
});

it("keeps the findings of what was previewed, and counts them as those so far", () => {
  const open = {
    type: "IpPolicyRule",
    name: "all",
    after: { ipPolicyId: "ipp_1", cidr: "0.0.0.0/0", action: "allow" },
  };
  const made = reviewText(failing(writtenPreview([open])), { now: 0 });
  expect(made.findings.length).toBeGreaterThan(0);
  expect(terminal(made)).toMatch(/review is incomplete: 2 errors so far; known changes: 1 to create\n$/);
  expect(markdown(made)).toContain("`access/open-cidr`");
});

it("evaluates no access test, because the rules that were not previewed are missing", () => {
  const made = reviewText(partial, { now: 0, accessTests });
  expect(made.findings.map(({ rule: id }) => id)).not.toContain("access/test-failed");
  expect(terminal(made)).toContain("1 access test, not evaluated: the preview failed");
});

it("an annotation holds the whole error on its line, and none of its commands", () => {
  const hostile = "50% of it\r\n::stop-commands::x\n##[add-mask]y\u001b[2J";
  const [line, ...rest] = annotations(reviewText(failing(nothing, hostile))).split("\n");
  expect(rest).toEqual([""]);
  expect(line).toContain("50%25 of it%0A::stop-commands::x%0A");
  expect(line).not.toContain("\u001b");
});

describe.each(formats)("the %s output", (_, output) => {
  it("masks a private key in the error of a preview", () => {
    const key =
      "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\nZXktdjEA\n-----END OPENSSH PRIVATE KEY-----";
    const shown = output(reviewText(failing(nothing, `cannot read ${key} of the host\nsecond`)));
    expect(shown).not.toMatch(/b3BlbnNzaC1r|ZXktdjEA/);
    expect(shown).toMatch(/cannot read \\?\[secret\\?\] of the host/);
    expect(output(reviewText(failing(nothing, key.slice(0, 60))))).not.toContain("b3BlbnNzaC1r");
  });
});
