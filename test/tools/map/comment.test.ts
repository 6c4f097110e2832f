/** The map in the Markdown and the HTML of a review. */
import { commentMap } from "../../../src/tools/map/mermaid";
import { markdown } from "../../../src/tools/review/output/forms";
import type { Preview } from "../../../src/tools/inventory/read-preview";
import { runCommandLine } from "../../support/command-line";
import { previewText, rehearsedReview, reviewOf } from "../review/support";
import { readPreview } from "../../support/recorded";

const text = previewText("pull-request");
const file = require.resolve("../../fixtures/previews/pull-request.json");

/** A preview that creates unconnected backends. */
function creating(count: number): Preview {
  const [prefix, type] = [
    "urn:pulumi:dev::shop::",
    "pulumi-nodejs:dynamic/tunnel-gateway:TunnelGroupBackend",
  ];
  const steps = Array.from({ length: count }, (_, i) => ({
    ...{ op: "create", urn: `${prefix}${type}::b${i}` },
    newState: { type, inputs: { labels: { service: `${i}` } } },
  }));
  return readPreview(JSON.stringify({ steps, changeSummary: { create: count } }));
}

describe("the map in a review", () => {
  it("shows up to 40 objects", () => {
    expect(commentMap(creating(40))).toContain('n39("Tunnel group backend: added');
    expect(commentMap(creating(41))).toBeUndefined();
  });

  it("is left out where nothing of the map changes", () => {
    expect(commentMap(readPreview(previewText("nothing-changed")))).toBeUndefined();
  });

  it("is a block of the Markdown between the table of access and the changes", async () => {
    const { stdout } = await runCommandLine(
      ["review", file, "--output", "markdown", "--fail-on", "never"],
      {},
    );
    const blocks =
      /\| Access to[^]*```mermaid\nflowchart LR\n([^]*?)\n```\n[^]*<details><summary>Changes/.exec(stdout);
    expect(blocks![1]).toContain('"IP policy: changed<br/>office');
    const review = await rehearsedReview(text, { failOn: "never" });
    expect(stdout).toBe(markdown(review, undefined, commentMap(readPreview(text))));
  });

  it("is left out of the Markdown whole where there is no room for it", async () => {
    const made = await reviewOf(text);
    const page = (limit: number): string => markdown(made, limit, commentMap(readPreview(text)));
    expect(page(65_536)).toContain("```mermaid");
    expect(page(3_000)).not.toContain("mermaid");
    expect(Buffer.byteLength(page(3_000))).toBeLessThanOrEqual(3_000);
  });

  it("is a picture in the HTML", async () => {
    const { stdout } = await runCommandLine(["review", file, "--output", "html", "--fail-on", "never"], {});
    expect(stdout).toContain("<title>Map of the traffic:");
    expect(stdout).toContain(">IP policy: changed</text>");
  });
});
