/** The engine prints independent steps in another order each time. A review must not show which. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { terminal } from "../../../src/tools/review/output/forms";
import { membersOf } from "../../../src/schema/unknown";
import { cases } from "../../support/cases";
import fc from "../../support/fast-check";
import { formats } from "./formats";
import { previewText, reviewOf, writtenPreview, type Written } from "./support";

interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: unknown;
  readonly newState?: unknown;
}

const stepsOf = (name: string): readonly Step[] =>
  (JSON.parse(previewText(name)) as { readonly steps?: readonly Step[] }).steps ?? [];

/** Those of several resources. */
const previews = readdirSync(join(__dirname, "../../fixtures/previews"))
  .filter((file) => file.endsWith(".json"))
  .map((file) => basename(file, ".json"))
  .filter((name) => stepsOf(name).length > 10);

/** The page in HTML says when it was made. */
const timeOfPage = /\d{4}-\d\d-\d\dT[\d:]+Z/;

const isDeletion = ({ op }: Step): boolean => op.startsWith("delete");

/** Whether one of the steps names the resource of the other, as a dependency, parent or provider. */
function needs(one: Step, other: Step): boolean {
  return [one.oldState, one.newState].some((state) => {
    const { dependencies, propertyDependencies, parent, provider } = membersOf(state);
    return JSON.stringify([dependencies, propertyDependencies, parent, provider]).includes(other.urn);
  });
}

/** Whether the engine may run two neighbours in the other order. */
function mayChange(one: Step, other: Step): boolean {
  if (one.urn === other.urn || isDeletion(one) !== isDeletion(other)) return false;
  return !needs(one, other) && !needs(other, one);
}

/** The steps after changes of neighbours. */
function inAnotherOrder(steps: readonly Step[], places: readonly number[]): Step[] {
  const all = [...steps];
  for (const place of places) {
    const at = place % Math.max(1, all.length - 1);
    const [one, other] = all.slice(at, at + 2);
    if (one && other && mayChange(one, other)) all.splice(at, 2, other, one);
  }
  return all;
}

describe.each(previews)("the review of %s", (name) => {
  it("is the same in every order of independent steps", async () => {
    const steps = stepsOf(name);
    const shown = async (all: readonly Step[]): Promise<string[]> => {
      const review = await reviewOf(JSON.stringify({ ...JSON.parse(previewText(name)), steps: all }));
      return formats.map(([format, output]) => `${format}\n${output(review).replace(timeOfPage, "")}`);
    };
    const expected = await shown(steps);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(), { minLength: 3 * steps.length, maxLength: 6 * steps.length }),
        async (places) => {
          expect(await shown(inAnotherOrder(steps, places))).toEqual(expected);
        },
      ),
      { numRuns: cases(1, 5) },
    );
  });
});

it("counts the requests by their methods in one order", async () => {
  const policies: Written[] = [
    { type: "IpPolicy", name: "a", before: { description: "old" }, after: { description: "new" } },
    { type: "IpPolicy", name: "b", after: {} },
    { type: "IpPolicy", name: "c", before: {} },
  ];
  for (const all of [policies, policies.toReversed()])
    expect(terminal(await reviewOf(writtenPreview(all)))).toContain("3 requests (1 POST, 1 PATCH, 1 DELETE)");
});
