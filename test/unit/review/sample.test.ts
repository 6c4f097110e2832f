import { worlds } from "../../fixtures/previews/scenarios";
import { markdown } from "../../../src/review/output/markdown";
import { terminal } from "../../../src/review/output/terminal";
import { json } from "../../../src/review/output/json";
import { sarif } from "../../../src/review/output/sarif";
import { annotations } from "../../../src/review/output/annotations";
import { findingsOf, previewText, reviewOf } from "./support";

const scenarios = worlds.flatMap((world) => world.scenarios);

describe("the review of the sample of real previews", () => {
  it("is of 25 previews at least", () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(25);
  });

  it.each(scenarios)("of $name finds what it must and nothing else", (scenario) => {
    expect(findingsOf(previewText(scenario.name), scenario)).toEqual(scenario.finds);
  });

  it.each(scenarios)("of $name says it, and shows no secret in any form", (scenario) => {
    const made = reviewOf(previewText(scenario.name), scenario);
    const text = markdown(made);
    for (const words of scenario.says ?? []) expect(text).toContain(words);
    const forms = [text, terminal(made, true), terminal(made), json(made), sarif(made), annotations(made)];
    for (const form of forms) {
      expect(form).not.toMatch(/SECRET|PRIVATE KEY|04da6b54/);
      expect(form).not.toContain("undefined");
    }
  });
});
