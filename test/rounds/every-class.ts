/** What a stack with every class goes through, and what is tested of it, on the small engine. */
import { EmulatorClient } from "../support/emulator-process";
import { sharedEmulator } from "../support/emulators";
import { NotedWorld, type Deed, type Door } from "./doors";
import { InProcessWorld } from "./in-process-world";
import { Scenario, account, roundCount } from "./scenario";
import { seed } from "./table";

/** Tests all rounds by a door. Returns what each operation did, once the tests have run. */
export function testRounds(door: Door): readonly Deed[] {
  const deeds: Deed[] = [];
  describe(`one stack with every class by the ${door} door`, () => {
    const emulator = sharedEmulator();
    let client: EmulatorClient;
    let world: NotedWorld;
    let scenario: Scenario;

    beforeAll(async () => {
      await emulator.seed(seed);
      client = new EmulatorClient(emulator);
      world = new NotedWorld(new InProcessWorld(client, door));
      scenario = new Scenario(world, await account(world));
    });
    beforeEach(() => emulator.clearRequests());

    it("is planned whole, though hardly anything has an id yet, and made with one request each", () =>
      scenario.create());

    it("is not changed by a refresh", async () => {
      await world.refresh();
      expect((await world.preview()).ops).toEqual({});
      expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    });

    it("finds each change that is made behind its back, and only those of what it manages", () =>
      scenario.drift());

    it("finds other objects in the places of its own, and replaces them", () => scenario.exchange());

    it("found a change of every argument that answers hold", () => scenario.expectDriftOfEveryArgument());

    it.each(Array.from({ length: roundCount }, (_, i) => i + 1))(
      "goes through round %i of all changes",
      (k) => scenario.round(k),
    );

    it("makes everything anew that was deleted behind its back", () => scenario.lose());

    it("looks up an object of every class that another one made, and leaves it alone", () =>
      scenario.lookUp(new InProcessWorld(client, door)));

    it("is destroyed in an order that the service takes, and leaves the account as it was", () =>
      scenario.destroy());

    it("never showed a secret, though the program marked none", () => {
      expect(world.texts.length).toBeGreaterThan(30);
      scenario.expectNoSecretShown(world.stateText());
      deeds.push(...world.deeds);
    });
  });
  return deeds;
}
