import { worlds } from "../../fixtures/previews/scenarios";
import { htmlReview, markdown, terminal } from "../../../src/tools/review/output/forms";
import { json } from "../../../src/tools/review/output/json-report";
import { sarif } from "../../../src/tools/review/output/sarif";
import { annotations } from "../../../src/tools/review/output/annotations";
import { findingsOf, previewText, reviewOf } from "./support";

const scenarios = worlds.flatMap((world) => world.scenarios);

describe("the review of the recorded previews", () => {
  it("covers at least 25 previews", () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(25);
  });

  it.each(scenarios)("of $name has exactly the expected findings", async (scenario) => {
    expect(await findingsOf(previewText(scenario.name), scenario)).toEqual(scenario.finds);
  });

  it.each(scenarios)("of $name contains the expected text, and no secret in any format", async (scenario) => {
    const made = await reviewOf(previewText(scenario.name), scenario);
    const text = markdown(made);
    for (const words of scenario.says ?? []) expect(text).toContain(words);
    const forms = [
      text,
      terminal(made, { isColored: true }),
      terminal(made),
      json(made),
      sarif(made),
      annotations(made),
      htmlReview(made),
    ];
    for (const form of forms) {
      expect(form).not.toMatch(/SECRET|PRIVATE KEY|04da6b54/);
      expect(form).not.toContain("undefined");
    }
  });
});
