import { annotations } from "../../../src/review/output/annotations";
import { htmlReview } from "../../../src/review/output/html";
import { json } from "../../../src/review/output/json";
import { markdown } from "../../../src/review/output/markdown";
import { sarif } from "../../../src/review/output/sarif";
import { terminal } from "../../../src/review/output/terminal";
import type { Review } from "../../../src/review/review";

/** Every format of a review with its name. */
export const formats: readonly [name: string, output: (review: Review) => string][] = [
  ["terminal", terminal],
  ["markdown", markdown],
  ["html", htmlReview],
  ["json", json],
  ["sarif", sarif],
  ["annotations", annotations],
];
