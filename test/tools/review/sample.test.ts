import * as pulumi from "@pulumi/pulumi";
import * as classes from "../../../src";
import { programOf, worlds } from "../../fixtures/previews/scenarios";
import { configuration, seed } from "../../fixtures/previews/world";
import { htmlReview, markdown, terminal } from "../../../src/tools/review/output/forms";
import { json } from "../../../src/tools/review/output/json-report";
import { sarif } from "../../../src/tools/review/output/sarif";
import { annotations } from "../../../src/tools/review/output/annotations";
import { printedPlan } from "../../simulation/plan-text";
import { sharedEmulator } from "../../support/emulators";
import { InProcessStack } from "../../support/in-process/stack";
import { findingsIn, findingsOf, previewText, reviewOf } from "./support";

const scenarios = worlds.flatMap((world) => world.scenarios);

describe("the review of the recorded previews", () => {
  it("covers at least 25 previews", () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(25);
  });

  it.each(scenarios)(
    "of $name has exactly the expected findings and text, and no secret in any format",
    async (scenario) => {
      const made = await reviewOf(previewText(scenario.name), scenario);
      expect(findingsIn(made)).toEqual(scenario.finds);
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
    },
  );
});

/** What the package makes of the programs now; test/engine/review.test.ts has Pulumi preview one of each kind of step. */
describe.each(worlds)("the review of the small engine's previews of the program $name", (world) => {
  const emulator = sharedEmulator();
  let stack: InProcessStack;

  const program = (text: string) => (): void => {
    const body = text.replace(/<id:([^>]+)>/g, (_, name: string) => stack.resources[name]!.id);
    // oxlint-disable-next-line typescript/no-implied-eval -- the text is a scenario's
    const run = new Function("require", body) as (load: (name: string) => object) => void;
    run((name) => (name === "pulumi-tunnel-gateway" ? classes : pulumi));
  };

  beforeAll(async () => {
    await emulator.seed(seed);
    const { plain, secrets } = configuration();
    const named = Object.entries({ ...plain, ...secrets }).map(([name, value]) => [`review:${name}`, value]);
    const settings = { apiKey: emulator.apiKey, baseUrl: emulator.baseUrl };
    const config = Object.fromEntries(named) as Record<string, string>;
    stack = new InProcessStack(settings, { project: "review", config });
    await stack.up(program(programOf(world)));
  });

  const previewed = world.scenarios.filter(({ byPulumi }) => byPulumi !== "alone");
  it.each(previewed)("$name finds what it must", async (scenario) => {
    const next = program(programOf(world, scenario.change));
    const plan = await stack.preview(scenario.command === "destroy" ? () => undefined : next);
    expect(await findingsOf(printedPlan(plan, "dynamic", {}), scenario)).toEqual(scenario.finds);
  });
});
