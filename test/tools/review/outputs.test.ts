/** What the outputs of a review do with hostile names and texts, and what they say of the review's own settings. */
import { markdown, terminal } from "../../../src/tools/review/output/forms";
import { sarif } from "../../../src/tools/review/output/sarif";
import type { Review, ReviewOptions } from "../../../src/tools/review/review";
import { parseSilence } from "../../../src/tools/review/silence";
import { withoutCommands } from "../../../src/schema/text/escape";
import { formats } from "./formats";
import { reviewText, writtenPreview, type Written } from "./support";

const rule = (name: string, cidr = "0.0.0.0/0"): Written => ({
  ...{ type: "IpPolicyRule", name, after: { ipPolicyId: "ipp_1", cidr, action: "allow" } },
});
const made = (resources: readonly Written[], options: ReviewOptions = {}): Review =>
  reviewText(writtenPreview(resources), { now: 0, ...options });

describe.each(formats)("the %s output", (format, output) => {
  it("names the settings that differ from the defaults, and no others", () => {
    const changed = made([rule("all")], {
      ...{ failOn: "never", requestsPerMinute: 600, errorFrom: { 4: 1n << 32n } },
    });
    for (const text of ["failOn", "never", "requestsPerMinute", "errorFrom.ipv4", "4,294,967,296"])
      expect(output(changed)).toContain(text);
    const usual = made([rule("all")], {
      failOn: "error",
      requestsPerMinute: 120,
      errorFrom: { 4: 1n << 16n },
    });
    expect(output(usual)).not.toContain("failOn");
  });

  it("shows the stack's base URL where baseUrls lists it, as no setting that differs", () => {
    const stackUrl = "https://api.example.com";
    const preview = writtenPreview([rule("all")], { config: { "tunnel-gateway:baseUrl": stackUrl } });
    const said = (baseUrls: readonly string[]): string =>
      output(reviewText(preview, { now: 0, baseUrls })).replace(/\\(.)/g, "$1");
    expect(said([`${stackUrl}/`])).toContain("//api.example.com");
    expect(said([`${stackUrl}/`])).not.toMatch(/differ from the defaults|"usual"/);
    expect(said([stackUrl, "https://api.example.org"])).toContain("//api.example.org");
    expect(said([stackUrl, "https://api.example.org"])).toMatch(/differ from the defaults|"usual"/);
  });

  it("shows the line of the program for a finding, where the preview has it", () => {
    const preview = writtenPreview([rule("all")]);
    const position = '$&"sourcePosition":"project:///gate`way|/rules.ts#7,3",';
    const text = output(reviewText(preview.replace('"newState":{', position), { now: 0 }));
    if (["terminal", "markdown", "html", "annotations"].includes(format))
      expect(text).toMatch(/gate.way.*rules\.ts.*7/);
  });

  it("lists every silence, used or not", () => {
    const silences = ["access/open-cidr@all=planned work", "interruption/*=in the night"].map((text) =>
      parseSilence(text)!,
    );
    const text = output(made([rule("all")], { silences }));
    for (const said of ["planned work", "in the night", "interruption/"]) expect(text).toContain(said);
  });

  it("does not say that there are no findings beside those that it lists", () => {
    const policy: Written = { type: "IpPolicy", name: "old", before: {}, after: {} };
    const silences = [parseSilence("hygiene/unused-policy@new=a test")!];
    const review = made([policy, { type: "IpPolicy", name: "new", after: {} }], { silences });
    expect([review.findings, review.existing.length, review.silenced.length]).toEqual([[], 1, 1]);
    expect(output(review)).not.toMatch(/no findings|finds nothing/i);
    const said = "no new findings (1 note not caused by this deployment, 1 note silenced)";
    if (["terminal", "markdown", "html"].includes(format)) expect(output(review)).toContain(said);
  });

  it("counts neither components nor keys that rotate as changes of other packages", () => {
    const key: Written = { type: "RotatingApiKey", name: "ci", after: { rotateAfterDays: 30 } };
    const urn = "urn:pulumi:test::written::tunnel-gateway:index:IpAccessList::staff";
    const list = {
      op: "create",
      urn,
      newState: { type: "tunnel-gateway:index:IpAccessList", custom: false },
    };
    const preview = JSON.parse(writtenPreview([key])) as { steps: object[] };
    const review = reviewText(JSON.stringify({ ...preview, steps: [list, ...preview.steps] }));
    expect(review.others).toBe(0);
    expect(output(review)).not.toContain("other packages");
  });

  it("bounds names and messages", () => {
    const text = output(made([rule("n".repeat(40_000)), rule("second")]));
    expect(text).toContain("second");
    // A URN identifies the resource for machines, so it stays whole.
    const isForMachines = format === "json" || format === "sarif";
    const urns = isForMachines ? text.replace(/"[^"]*urn:pulumi[^"]*"/g, "") : text;
    expect(urns).not.toMatch(/n{200}/);
  });

  it("obeys no marks of direction, and begins no line with a command to a CI system", () => {
    const hostile =
      "\u202eevil\u2066\n::stop-commands::x\n  ::set-output name=a::b ##[add-mask]x ##vso[task.x]y";
    const review = {
      ...made([rule(hostile)]),
      errors: [hostile, `first\n${hostile}`],
    };
    const text = output(review);
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    // Those of the format itself are its purpose.
    const lines = text.split("\n").filter((line) => !/^::(error|warning|notice) /.test(line));
    for (const line of lines) expect(line).not.toMatch(/^\s*::/);
    if (format !== "html" && format !== "annotations") expect(text).not.toMatch(/##(vso)?\[/);
  });
});

it("the terminal shows the reasons of a replacement without control characters", () => {
  const replaced: Written = {
    ...{ type: "IpPolicyRule", name: "lan", op: "replace", reasons: ["\u001b[2Jx"] },
    before: { ipPolicyId: "ipp_1", cidr: "::1/128", action: "allow" },
    after: { ipPolicyId: "ipp_1", cidr: "::1/128", action: "deny" },
  };
  expect(terminal(made([replaced]))).not.toContain("\u001b");
  expect(terminal(made([replaced]))).toContain("\\u001b[2Jx");
});

describe("the Markdown", () => {
  it("skips a finding that does not fit, keeps those behind it, and counts what it leaves out by severity", () => {
    const many = Array.from({ length: 40 }, (_, i) => rule(`rule-${i}`));
    const text = markdown(made(many), 4_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000);
    expect(text).toMatch(
      /… and \d+ errors?, .*\d+ (warnings?|notes?) more, left out because of the size limit/,
    );
    expect(text).toMatch(/… and 40 errors more|`rule-/);
  });

  it("is not pushed out by long errors of the preview", () => {
    const review = { ...made([rule("all")]), errors: Array.from({ length: 50 }, () => "&<>".repeat(4_000)) };
    const text = markdown(review, 8_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_000);
    expect(text).toContain("`access/open-cidr` | IpPolicyRule `all`");
    expect(text).toMatch(/… and \d+ errors more/);
  });

  it("makes no link of a URL, a host name, an issue or a person", () => {
    const policy: Written = { type: "IpPolicy", name: "p", id: "ipp_1", before: {}, after: {} };
    const silences = [parseSilence("cost/*=see https://evil.example, www.evil.example, #12 and @team")!];
    const text = markdown(made([policy], { silences }));
    for (const link of ["https://evil", "www.evil", "#12", "@team"]) expect(text).not.toContain(link);
  });
});

it("gives each finding of a rule, a resource and a field a fingerprint of its own, the same in each run", () => {
  const rules = { "0.0.0.0/0": "allow", "::/0": "allow" };
  const set: Written = { type: "IpPolicyRuleSet", name: "all", after: { ipPolicyId: "ipp_1", rules } };
  const printsOf = (resources: readonly Written[], options: ReviewOptions = {}): string[] => {
    const { runs } = JSON.parse(sarif(made(resources, options))) as {
      runs: { results: { ruleId: string; partialFingerprints: Record<string, string> }[] }[];
    };
    const own = runs[0]!.results.filter(({ ruleId }) => ruleId === "access/open-cidr");
    return own.map(({ partialFingerprints: prints }) => {
      expect(prints.primaryLocationLineHash).toBe(prints["ruleAndResource/v2"]);
      return prints.primaryLocationLineHash!;
    });
  };
  const both = printsOf([set]);
  expect(new Set(both).size).toBe(2);
  expect(printsOf([set], { silences: [parseSilence("access/open-cidr=known")!] })).toEqual(both);
  // What stands beside a range does not change its fingerprint.
  const one = { ...set, after: { ipPolicyId: "ipp_1", rules: { "::/0": "allow" } } };
  expect(printsOf([one])).toEqual([both[1]]);
});

it("a finding with a lone surrogate in its file is still SARIF", () => {
  const [finding] = made([rule("all")]).findings;
  const broken = { ...finding!, place: { file: "a\ud800b.ts", line: 1 } };
  expect(() => sarif({ ...made([rule("all")]), findings: [broken] })).not.toThrow();
});

it("a shortened name is silenced by its whole name", () => {
  const name = "n".repeat(500);
  const silences = [parseSilence(`access/*@${name}=long`)!];
  expect(made([rule(name)], { silences }).findings).toEqual([]);
});

it("a text without commands keeps everything else", () => {
  expect(withoutCommands("a::b\n #1 ## heading")).toBe("a::b\n #1 ## heading");
  expect(withoutCommands("x\n\t::error::y")).toBe("x\n\t\\u003a:error::y");
  expect(JSON.parse(withoutCommands(JSON.stringify("##[x]")))).toBe("##[x]");
});

it("shows the errors of a preview behind a mark, so that none begins a line", () => {
  const failed = JSON.stringify({
    steps: [],
    diagnostics: [{ severity: "error", message: "one\ntwo\nthree" }],
  });
  expect(terminal(reviewText(failed))).toContain("the preview failed: one\n  | two\n  | three\n");
});
