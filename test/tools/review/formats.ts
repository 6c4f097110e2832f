import { annotations } from "../../../src/tools/review/output/annotations";
import { htmlReview, markdown, terminal } from "../../../src/tools/review/output/forms";
import { json } from "../../../src/tools/review/output/json-report";
import { sarif } from "../../../src/tools/review/output/sarif";
import type { Review } from "../../../src/tools/review/review";

/** Every format of a review with its name. */
export const formats: readonly [name: string, output: (review: Review) => string][] = [
  ["terminal", terminal],
  ["markdown", markdown],
  ["html", htmlReview],
  ["json", json],
  ["sarif", sarif],
  ["annotations", annotations],
];
