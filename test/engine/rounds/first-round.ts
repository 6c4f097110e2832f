/** The first round of the table on the real engine; test/rounds goes through all of them in process. */
import { EmulatorProcess } from "../../support/emulator-process";
import type { Door } from "../../rounds/doors";
import { Scenario, account, declared } from "../../rounds/scenario";
import { seed } from "../../rounds/table";
import { World } from "./world";

/** Tests it by a door. */
export function testFirstRound(door: Door): void {
  describe(`one stack with every class by the ${door} door`, () => {
    const emulator = EmulatorProcess.forTests();
    let world: World;
    let scenario: Scenario;
    const stored: string[] = [];

    beforeAll(async () => {
      await emulator.seed(seed);
      world = await World.start(emulator, {}, door);
      scenario = new Scenario(world, await account(world));
    });
    beforeEach(() => emulator.clearRequests());

    it("is planned whole, though hardly anything has an id yet, and made with one request each", () =>
      scenario.create());

    it("is not changed by a refresh", async () => {
      world.noted(await world.stack.refresh({ args: ["--expect-no-changes"] }));
      expect(await world.writes()).toEqual([]);
    });

    it("finds each change that is made behind its back, and only those of what it manages", () =>
      scenario.drift());

    it("goes through a round of changes", async () => {
      world.declare(declared(1));
      world.noted(await world.stack.preview({ args: ["--diff"] }));
      await scenario.round(1);
      stored.push(world.stateText(), JSON.stringify(await world.stack.exportState()));
    });

    it("is destroyed in an order that the service takes, and leaves the account as it was", () =>
      scenario.destroy());

    it("never showed a secret, though the program marked none", () => {
      expect(world.texts.length).toBeGreaterThan(10);
      scenario.expectNoSecretShown(...stored);
    });
  });
}
