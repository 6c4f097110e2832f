/** Reviews of several stacks: what is one entry, and what is not. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "../../support/fast-check";
import { mergedReview } from "../../../src/tools/review/merge";
import { rehearse } from "../../../src/tools/rehearsal/rehearse";
import type { Finding } from "../../../src/tools/output/finding";
import { ownNames } from "../../../src/tools/review/own-names";
import { markdown } from "../../../src/tools/review/output/forms";
import { stackText, summary } from "../../../src/tools/review/output/sentences";
import { review, type Review, type ReviewOptions } from "../../../src/tools/review/review";
import { cases } from "../../support/cases";
import { formats } from "./formats";
import { previewText, urnOf, writtenPreview, type Written } from "./support";
import { readPreview } from "../../support/recorded";

const folder = join(__dirname, "../../fixtures/previews");
const fixtures = readdirSync(folder).flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -5)] : []));

const now = Date.parse("2026-11-21T12:00:00Z");

/** The text of a preview as another stack of the program prints it, whose objects have other ids. */
function asStack(text: string, stack: string): string {
  const { stackName, resources } = readPreview(text);
  const ids = [...resources.values()].flatMap(({ before, after, recorded }) =>
    [before, after, recorded].flatMap((state) => state?.id?.split("/") ?? []),
  );
  const own = new Set(ids.filter((id) => /^[a-z]+_[A-Za-z0-9]+$/.test(id)));
  const other = text.replaceAll(`urn:pulumi:${stackName?.stack}::`, `urn:pulumi:${stack}::`);
  return other.replace(/[a-z]+_[A-Za-z0-9]+/g, (id) =>
    own.has(id) ? id + stack.replace(/[^A-Za-z0-9]/g, "") : id,
  );
}

function reviewIn(stack: string, text: string, options: ReviewOptions = {}) {
  const preview = readPreview(text);
  return { stack, names: ownNames(preview), review: review(preview, { now, ...options }) };
}

async function rehearsedIn(stack: string, text: string, options: ReviewOptions = {}) {
  const rehearsal = await rehearse(readPreview(text).plan, { now });
  return reviewIn(stack, text, { ...options, rehearsal });
}

/** The same, with the runs of their plans. */
async function rehearsedAll(
  texts: Readonly<Record<string, string>>,
  options: ReviewOptions = {},
): Promise<Review> {
  const all = Object.entries(texts).map(([stack, text]) => rehearsedIn(stack, asStack(text, stack), options));
  return mergedReview(await Promise.all(all));
}

const merged = (texts: Readonly<Record<string, string>>, options: ReviewOptions = {}): Review =>
  mergedReview(Object.entries(texts).map(([stack, text]) => reviewIn(stack, asStack(text, stack), options)));

const ofRules = (...rules: Written[]): string =>
  writtenPreview([
    { type: "IpPolicy", name: "office", id: "ipp_1", before: {}, after: {} },
    { type: "IpPolicy", name: "home", id: "ipp_2", before: {}, after: {} },
    ...rules,
  ]);
const rule = (name: string, after: object): Written => ({
  ...{ type: "IpPolicyRule", name, id: `ipr_${name}` },
  after: { ipPolicyId: "ipp_1", cidr: "203.0.113.0/24", action: "allow", ...after },
});
const changesIn = ({ changes }: Review): [string, readonly string[] | undefined][] =>
  changes.map(({ name, stacks }) => [name, stacks]);

it("says of baseUrls what is new for any stack, and where the keys of all go", () => {
  const urls = ["https://one.example.com", "https://two.example.com"];
  const stacks = (baseUrls: readonly string[], ...own: string[]): Review =>
    mergedReview(
      own.map((url, i) => {
        const text = writtenPreview([], { config: { "tunnel-gateway:baseUrl": url } });
        return reviewIn(`s${i}`, text, { baseUrls });
      }),
    );
  const namesOf = ({ settings }: Review): string[] => settings.map(({ name }) => name);
  expect(namesOf(stacks([urls[0]!], urls[0]!, urls[0]!))).toEqual([]);
  const mixed = stacks(urls, ...urls);
  expect(namesOf(mixed)).toEqual(["baseUrls"]);
  expect(mixed.listedUrls).toEqual(urls);
  expect(namesOf(stacks([urls[0]!], ...urls))).toEqual(["baseUrls"]);
});

it("keeps what one stack has twice", () => {
  const [one, two] = ["a", "b"].map((stack) => reviewIn(stack, ofRules()));
  const errors = ["no answer", "no answer"];
  const all = [{ ...one!, review: { ...one!.review, errors } }, two!];
  expect(mergedReview(all).errors).toEqual(["a: no answer", "a: no answer"]);
});

it("counts what is gone as drift", () => {
  const { stack, names, review } = reviewIn("a", ofRules(rule("lan", {})));
  const changes = review.changes.map((change) => ({ ...change, gone: true }));
  const all = [{ stack, names, review: { ...review, changes } }, reviewIn("b", ofRules())];
  expect(mergedReview(all).stacks!.map(({ drift }) => drift)).toEqual([changes.length, 0]);
});

it("says that nothing of this package changes where other packages change something", () => {
  const bucket = (op: string): object => {
    const state = { type: "aws:s3/bucket:Bucket", custom: true, inputs: {} };
    const urn = "urn:pulumi:test::written::aws:s3/bucket:Bucket::b";
    return { op, urn, newState: state, ...(op === "same" && { oldState: state }) };
  };
  const office: Written = { type: "IpPolicy", name: "office", id: "ipp_1", before: {}, after: {} };
  const preview = JSON.parse(writtenPreview([office])) as { steps: object[] };
  const text = (op: string): string => JSON.stringify({ ...preview, steps: [...preview.steps, bucket(op)] });
  const [foreign, none] = ["nothing of this package changes", "nothing changes"];
  const summaryOf = (op: string): string => summary(reviewIn("a", text(op)).review);
  expect(summaryOf("create")).toBe(`${foreign}; 1 change of other packages, not reviewed`);
  expect(summaryOf("same")).toBe(none);
  const { stacks } = merged({ a: text("create"), b: text("same") });
  expect(stacks!.map((each) => stackText(each).split(";")[0])).toEqual([foreign, none]);
});

describe.each(fixtures.filter((_, i) => i % cases(3, 1) === 0))("the preview %s", (name) => {
  const text = previewText(name);

  it("is its own review where it is alone", () => {
    const alone = reviewIn("prod-eu", text);
    expect(mergedReview([alone])).toEqual(alone.review);
  });

  it("gives each entry once, with all stacks that have the same one", async () => {
    await expectOnce(text, ["prod-eu", "prod-us"]);
  });
});

it("gives each entry once, whatever the stacks are called and how many there are", async () => {
  const text = previewText("pull-request");
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9._-]{0,12}$/), {
    minLength: 2,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(names, (stacks) => expectOnce(text, stacks)),
    { numRuns: 6 },
  );
});

async function expectOnce(text: string, stacks: readonly string[]): Promise<void> {
  const one = (await rehearsedIn("prod-eu", text)).review;
  const many = await rehearsedAll(Object.fromEntries(stacks.map((stack) => [stack, text])));
  const { access } = many;
  const lists = [
    [many.changes, one.changes],
    [many.findings, one.findings],
    [many.existing, one.existing],
    [many.silenced, one.silenced],
    [access!.guarded, one.access!.guarded],
    [access!.policies, one.access!.policies],
  ] as const;
  for (const [entries, own] of lists) {
    expect(entries).toHaveLength(own.length);
    for (const entry of entries) expect(entry.stacks).toEqual(stacks);
  }
  expect(many.cost!.requests).toBe(stacks.length * one.cost!.requests);
  expect(many.stacks!.map(({ stack }) => stack)).toEqual(stacks);
}

it("what only some stacks have is an entry of its own, in front of what all have", () => {
  const text = (cidr: string): string => ofRules(rule("all", {}), rule("some", { cidr }));
  const { changes } = merged({
    ...{ a1: text("192.0.2.0/24"), a2: text("192.0.2.0/24"), a3: text("198.51.100.0/24") },
  });
  expect(changes.map(({ name, stacks }) => [name, stacks])).toEqual([
    ["some", ["a3"]],
    ["some", ["a1", "a2"]],
    ["all", ["a1", "a2", "a3"]],
  ]);
});

it("an error of all stacks comes before a warning of one", () => {
  const text = ofRules();
  const finding = (severity: Finding["severity"]) => ({
    ...{
      severity,
      rule: severity,
      type: "IpPolicy",
      name: "office",
      message: "m",
      place: undefined,
      urn: urnOf("IpPolicy", "office"),
    },
  });
  const reviewed = (stack: string, ...severities: Finding["severity"][]) => {
    const one = reviewIn(stack, asStack(text, stack));
    return { ...one, review: { ...one.review, findings: severities.map(finding) } };
  };
  const { findings } = mergedReview([reviewed("a", "error", "warning"), reviewed("b", "error")]);
  expect(findings.map(({ severity }) => severity)).toEqual(["error", "warning"]);
});

it("shows an id that each stack has another one for by its resource, and an equal one as it is", () => {
  const own = { ipPolicyId: "ipp_1", exclusive: false, rules: {} };
  // A set has the id of its policy.
  const set: Written = { type: "IpPolicyRuleSet", name: "set", id: "ipp_1", before: own, after: own };
  const text = ofRules(rule("x", {}), set);
  const [change] = merged({ "prod-eu": text, "prod-us": text }).changes;
  const next = (path: string): unknown => change!.differences.find((each) => each.path === path)!.next;
  expect(next("ipPolicyId")).toBe("[id of IpPolicy office]");
  expect(change!.urn).toBe(urnOf("IpPolicyRule", "x").replace("test", "[stack]"));
  const same = mergedReview([
    reviewIn("prod-eu", ofRules(rule("x", {})).replaceAll("pulumi:test::", "pulumi:prod-eu::")),
    reviewIn("prod-us", ofRules(rule("x", {})).replaceAll("pulumi:test::", "pulumi:prod-us::")),
  ]);
  expect(same.changes[0]!.differences.find(({ path }) => path === "ipPolicyId")!.next).toBe("ipp_1");
});

it("does not take equal ids of different resources for the same", () => {
  const swapped = ofRules(rule("x", {}))
    .replace(/::office"/g, '::temp"')
    .replace(/::home"/g, '::office"')
    .replace(/::temp"/g, '::home"');
  const all = mergedReview([
    reviewIn("prod-eu", ofRules(rule("x", {})).replaceAll("pulumi:test::", "pulumi:prod-eu::")),
    reviewIn("prod-us", swapped.replaceAll("pulumi:test::", "pulumi:prod-us::")),
  ]);
  expect(changesIn(all)).toEqual([
    ["x", ["prod-eu"]],
    ["x", ["prod-us"]],
  ]);
});

it("does not take a value for an id or a name, whatever objects are called", () => {
  // An id is only what looks like one of the service.
  const named = (id: string, action: string): string =>
    writtenPreview([
      { type: "IpPolicy", name: "office", id, before: {}, after: {} },
      { ...rule("x", { action }), after: { ipPolicyId: "ipp_9", cidr: "203.0.113.0/24", action } },
    ]);
  expect(changesIn(merged({ a1: named("allow", "allow"), a2: named("deny", "deny") }))).toHaveLength(2);
  const texts = ["\0stack\0", "prod-us", "[stack]"].map((description) => ofRules(rule("x", { description })));
  const [literal, own, shown] = texts as [string, string, string];
  expect(changesIn(merged({ "prod-eu": literal, "prod-us": own }))).toHaveLength(2);
  expect(changesIn(merged({ "prod-eu": shown, "prod-us": own }))).toHaveLength(2);
});

it("shows the name of the stack in values as [stack] where the values differ in nothing else", () => {
  const text = (stack: string): string => ofRules(rule("x", { description: `office of ${stack}` }));
  const [change, ...more] = merged({ "prod-eu": text("prod-eu"), "prod-us": text("prod-us") }).changes;
  expect(more).toEqual([]);
  expect(change!.differences.find(({ path }) => path === "description")!.next).toBe("office of [stack]");
});

it("keeps two entries of one stack apart", () => {
  const silences = [{ rule: "access/*", reason: "known" }];
  const text = ofRules(rule("x", { cidr: "0.0.0.0/0" }), {
    ...rule("x", { cidr: "0.0.0.0/0" }),
    type: "IpPolicyRule",
  });
  const one = reviewIn("prod-eu", text, { silences }).review;
  const many = merged({ "prod-eu": text, "prod-us": text }, { silences });
  expect(many.silenced).toHaveLength(one.silenced.length);
  expect(many.silences[0]!.findings).toBe(2 * one.silences[0]!.findings);
});

it("adds up the stacks, with the time of the slowest", async () => {
  const many = await rehearsedAll(
    { a1: ofRules(rule("x", {})), a2: ofRules(rule("x", {}), rule("y", { cidr: "198.51.100.0/24" })) },
    { requestsPerMinute: 1 },
  );
  expect(many.cost).toMatchObject({ requests: 3, writes: { POST: 3 }, seconds: 60, isLowerBound: false });
  expect(many.stacks).toMatchObject([{ changes: { create: 1 } }, { changes: { create: 2 } }]);
  const run = await rehearsedIn("run", ofRules(rule("x", {})));
  // Nothing of a failed preview is run.
  const withFailed = mergedReview([run, reviewIn("failed", ofRules())]);
  expect(withFailed.cost).toEqual({ ...run.review.cost, isLowerBound: true });
});

describe.each(formats)("the %s output of several stacks", (format, output) => {
  it("names every stack of an entry, or the first and their number", () => {
    const open = ofRules(rule("x", { cidr: "0.0.0.0/0" }));
    const closed = ofRules();
    const stacks = ["prod-1", "prod-2", "prod-3", "prod-4"];
    const text = output(
      merged({ ...Object.fromEntries(stacks.map((stack) => [stack, open])), "prod-5": closed }),
    );
    if (format === "json" || format === "sarif")
      for (const stack of stacks) expect(text).toContain(`"${stack}"`);
    else expect(text).toContain("prod-1, prod-2 and 2 more (4 of 5 stacks)");
  });

  it("names a stack without a preview", () => {
    const failed = JSON.stringify({
      ...{ steps: [], diagnostics: [{ severity: "error", message: "no\n::x::passphrase" }] },
    });
    const text = output(mergedReview([reviewIn("prod-eu", ofRules()), reviewIn("prod-us", failed)]));
    expect(text).toMatch(/prod-us: no/);
    expect(text).not.toMatch(/^\s*::x/m);
  });

  it("obeys no name of a stack", () => {
    const hostile = "\u202e<b>x</b>|`\u001b[2J\n::stop-commands::x\n##[add-mask]y".replaceAll("::", ": :");
    const text = ofRules(rule("x", { cidr: "0.0.0.0/0" }));
    const all = mergedReview([
      reviewIn(hostile, text),
      reviewIn("prod-us", ofRules()),
      reviewIn("\n::error::x", text),
    ]);
    const shown = output(all);
    expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(shown.includes("\u001b")).toBe(false);
    const lines = shown.split("\n").filter((line) => !/^::(error|warning|notice) /.test(line));
    for (const line of lines) expect(line).not.toMatch(/^\s*::/);
    // In a code span it is only text.
    if (format === "markdown" || format === "html")
      expect(shown.replace(/(`+)[^]*?\1/g, "")).not.toContain("<b>x</b>");
  });
});

it("the Markdown of 200 stacks stays within its limit, and says what it leaves out", () => {
  const text = (i: number): string => ofRules(rule("x", { cidr: `10.0.${i}.0/24` }));
  const texts = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`prod-${i}`, text(i)]));
  const shown = markdown(merged(texts), 20_000);
  expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(20_000);
  expect(shown).toMatch(/… and \d+ changes more, left out because of the size limit/);
});
