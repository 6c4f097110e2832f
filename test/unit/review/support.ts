import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readPreview } from "../../../src/stack/preview";
import { review, type Review, type ReviewOptions } from "../../../src/review/review";
import type { Scenario } from "../../fixtures/previews/scenarios";

const folder = join(__dirname, "../../fixtures/previews");

/** A preview of the real engine, recorded by the engine test. */
export function previewText(name: string): string {
  return readFileSync(join(folder, `${name}.json`), "utf8");
}

/** The review of the text of a preview. */
export function reviewText(text: string, options: ReviewOptions = {}): Review {
  return review(readPreview(text), options);
}

export function reviewOf(text: string, scenario: Pick<Scenario, "now"> = {}): Review {
  return reviewText(text, { now: Date.parse(scenario.now ?? "2026-11-21T12:00:00Z") });
}

/** The findings in the form of the scenarios. */
export function findingsOf(text: string, scenario: Pick<Scenario, "now"> = {}): string[] {
  const { findings } = reviewOf(text, scenario);
  return findings.map(({ severity, rule, type, name }) => `${severity} ${rule} ${type} ${name}`.trim());
}
