import { readFileSync } from "node:fs";
import { join } from "node:path";
import { svgOfChanges } from "../../../src/tools/map/map-page";
import { htmlReview } from "../../../src/tools/review/output/forms";
import { runCommandLine } from "../../support/command-line";
import { previewOf } from "./access-preview";
import type { Network } from "./access-preview";
import { thousandChanges } from "./many";
import { previewText, reviewOf, rehearsedReview, reviewText } from "./support";
import { readPreview } from "../../support/recorded";
import { temporaryFolder } from "../../support/folders";

/** The text of the page without tags and with single spaces. The section of a heading, if one is given. */
function textOf(page: string, heading?: string): string {
  const body = page.slice(page.indexOf("<main>"));
  const sections = body.split("<section>");
  const part = heading === undefined ? body : sections.find((each) => each.includes(`<h2>${heading}</h2>`));
  return (part ?? "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, " ")
    .trim();
}

describe("the review as HTML", () => {
  let page: string;
  beforeAll(async () => {
    page = htmlReview(await reviewOf(previewText("pull-request")));
  });

  it("shows the verdict, then the new access, then the findings by severity, then the changes", () => {
    const parts = [
      "1 error",
      "4 warnings",
      "1 note",
      "1 to update, 2 to replace, 1 to delete; 6 requests (2 POST, 1 PUT, 3 DELETE) to the service.",
      "New access",
      "no longer denied: 203.0.113.128/25 (128 addresses)",
      "Findings",
      "IP restriction of edgtls_1 is deleted",
      "Deleted before its replacement is created",
      "Changes",
      '"deny" → "allow" (forces the replacement)',
    ];
    const places = parts.map((part) => textOf(page).indexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  it("has a row for each guarded resource: before, after and difference", () => {
    expect(textOf(page, "New access")).toBe(
      "New access Access to Before After Difference " +
        "TcpEdge database allows 203.0.113.0/24 (256 addresses) denies 203.0.113.128/25 (128 addresses) " +
        "allows 203.0.113.0/24 (256 addresses) denies no address no longer denied: 203.0.113.128/25 (128 addresses) " +
        "TlsEdgeIpRestriction admin-console allows 203.0.113.0/24 (256 addresses) " +
        "denies 203.0.113.128/25 (128 addresses) does not exist deleted",
    );
  });

  it("separates access that ends from new access", async () => {
    const lost = htmlReview(await reviewOf(previewText("access-allow-removed")));
    expect(textOf(lost, "New access")).toBe("New access The IP policies of this program give no new access.");
    expect(textOf(lost, "Other changes of access")).toContain("no longer allowed: ");
  });

  it("lists under new access what is not known, and a restriction that is disabled", async () => {
    const unknown = htmlReview(await reviewOf(previewText("access-unknown-range")));
    expect(textOf(unknown, "New access")).toContain("unknown");
    const disabled = htmlReview(await reviewOf(previewText("modules-disabled")));
    expect(textOf(disabled, "New access")).toContain("no longer restricted");
  });

  it("lists under new access a resource that is new", () => {
    const rule = { name: "lan", policy: "office", action: "allow", cidr: "10.0.0.0/8" } as const;
    const before: Network = { policies: ["office"], rules: [rule], edges: {} };
    const made = htmlReview(reviewText(previewOf(before, { ...before, edges: { db: ["office"] } })));
    expect(textOf(made, "New access")).toContain("TcpEdge db does not exist allows 10.0.0.0/8");
  });

  it("lists all ranges of a difference that names only some, and folds long tables", () => {
    const many = htmlReview(reviewText(thousandChanges(1000), { now: 0 }));
    expect(many).toContain("<summary>all 667 ranges</summary>");
    expect(many).toContain("<li>10.0.0.0/24</li>");
    expect(many.match(/<details>/g)!.length).toBe(many.match(/<\/details>/g)!.length);
  });

  it("leaves out what exceeds 2,000 entries of a list, and counts it", () => {
    const many = textOf(htmlReview(reviewText(thousandChanges(9000), { now: 0 })));
    expect(many).toContain("3000 to create");
    expect(many.match(/… and 1,000 more changes, left out\./g)).toHaveLength(3);
  });

  it("says that the preview failed, with its errors", () => {
    const errors = Array.from({ length: 7 }, (_, i) => ({ severity: "error", message: `wrong <${i}>` }));
    const failed = htmlReview(reviewText(JSON.stringify({ steps: [], diagnostics: errors }), { now: 0 }));
    expect(textOf(failed)).toContain("The preview failed, so the review is incomplete. wrong &lt;0&gt;");
    expect(textOf(failed)).toContain("2 more errors wrong &lt;5&gt; wrong &lt;6&gt;");
  });

  it("lists existing and silenced findings with their reasons", () => {
    const silences = [{ rule: "access/*", reason: "planned with <the> team" }];
    const now = Date.parse("2026-11-21T12:00:00Z");
    const also = textOf(htmlReview(reviewText(previewText("pull-request"), { now, silences })), "Also");
    expect(also).toContain("2 silenced findings");
    expect(also).toContain("Silenced: planned with &lt;the&gt; team");
  });

  it("contains the picture of the map as it is", async () => {
    const made = htmlReview(await reviewOf(previewText("pull-request")), {
      map: "<svg><title>map</title></svg>",
    });
    expect(made).toContain("<figure><svg><title>map</title></svg></figure>");
    expect(page).not.toContain("<figure>");
  });

  it("is what the command writes to a file or prints", async () => {
    const folder = temporaryFolder("review-html");
    const preview = join(__dirname, "../../fixtures/previews/pull-request.json");
    const command = ["review", preview, "--fail-on", "never", "--output"];
    const file = join(folder, "review.html");
    expect(await runCommandLine([...command, `html=${file}`], {})).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    const map = svgOfChanges(readPreview(previewText("pull-request")));
    expect(map).toMatch(/^<svg /);
    const now = Date.parse("2026-11-21T12:00:00Z");
    const withMap = htmlReview(await rehearsedReview(previewText("pull-request"), { now, failOn: "never" }), {
      map,
      now,
    });
    const atThatTime = (made: string): string =>
      made.replace(/<p>\d{4}-\d\d-\d\dT[\d:]+Z/, "<p>2026-11-21T12:00:00Z");
    expect(atThatTime(readFileSync(file, "utf8"))).toBe(withMap);
    expect(atThatTime((await runCommandLine([...command, "html"], {})).stdout)).toBe(withMap);
  });
});
