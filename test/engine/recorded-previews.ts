import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { mapValues } from "../../src/schema/unknown";
import { Program, type Result, type Stack } from "../support/engine";
import { programOf } from "../fixtures/previews/scenarios";
import { slimmed } from "../fixtures/previews/slim";
import { configuration, seed, type Scenario, type World } from "../fixtures/previews/world";
import { findingsOf } from "../tools/review/support";
import { idOf } from "./support";

// With TUNNEL_GATEWAY_WRITE_PREVIEWS=1 the previews are kept as the fixtures of the unit tests.
const folder = join(__dirname, "../fixtures/previews");
export const write = process.env.TUNNEL_GATEWAY_WRITE_PREVIEWS === "1";

/** Has Pulumi deploy each program and preview its changes, and compares the findings with the expected ones. */
export function reviewWorlds(worlds: readonly World[]): void {
  const inEachRun = ({ byPulumi }: Scenario): boolean => byPulumi !== undefined || write;
  const previewed = worlds
    .map((world) => ({ ...world, scenarios: world.scenarios.filter(inEachRun) }))
    .filter(({ scenarios }) => scenarios.length > 0);

  describe.each(previewed)("the review of a real preview of the program $name", (world) => {
    const emulator = EmulatorProcess.forTests();
    let program: Program;
    let stack: Stack;

    beforeAll(async () => {
      await emulator.seed(seed);
      const { plain, secrets } = configuration();
      program = new Program({ kind: "cjs", name: "review", files: programOf(world) });
      stack = await program.stack({
        env: emulator.env,
        config: { ...plain, ...mapValues(secrets, (secret) => ({ secret })) },
      });
      await stack.up();
      // A rule that was just created and is gone would be waited for.
      await emulator.ageObjects();
    });

    const filled = (text: string): string =>
      text
        .replace(/<id:([^>]+)>/g, (_, name: string) => idOf(stack, name))
        .replace(/<urn:([^:]+):([^>]+)>/g, (_, type: string, name: string) => stack.urn(type, name));

    async function previewOf(scenario: Scenario): Promise<Result> {
      for (const [line, body] of scenario.behind ?? []) {
        const [method, path] = filled(line).split(" ") as [string, string];
        await emulator.api(method, path, body);
      }
      program.write(filled(programOf(world, scenario.change)));
      const args = ["--show-sames", "--show-replacement-steps", ...(scenario.args ?? []).map(filled)];
      if (scenario.command === undefined) return (await stack.previewJson({ args })).result;
      const all = [scenario.command, "--stack", stack.name, "--preview-only", "--json"];
      return stack.pulumi([...all, ...args]);
    }

    it.each(world.scenarios)("$name finds what it must", async (scenario) => {
      const { stdout } = await previewOf(scenario);
      if (write) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${scenario.name}.json`), slimmed(stdout));
      }
      expect(await findingsOf(stdout, scenario)).toEqual(scenario.finds);
      expect(await findingsOf(slimmed(stdout), scenario)).toEqual(scenario.finds);
    });
  });
}
