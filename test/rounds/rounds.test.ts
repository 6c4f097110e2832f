/**
 * Every class with every argument, through the hooks as Pulumi's engine calls them. test/engine/rounds takes the first
 * round of the same table through the real engine.
 */
import { declarations } from "../../src/resources/registry";
import { EmulatorClient } from "../support/emulator-process";
import { changing, classes, everyArgument, leaving, secretValues } from "./coverage";
import { unchangeable, unremovable } from "./exceptions";
import { InProcessWorld } from "./in-process-world";
import { Scenario, account, roundCount } from "./scenario";
import { seed, subjects } from "./table";
import { sharedEmulator } from "../support/emulators";

describe("the table of all changes", () => {
  it("holds every class but rule sets, which test/engine/rule-set.test.ts changes, and rotating keys (test/faults/rotation.test.ts)", () => {
    const names = classes.map(({ type }) => type);
    expect([...new Set(subjects.map(({ type }) => type))].sort()).toEqual([...names].sort());
    const others = declarations.filter((declaration) => !classes.includes(declaration));
    expect(others.map(({ type }) => type)).toEqual(["RotatingApiKey", "IpPolicyRuleSet"]);
  });

  it("changes every argument, in place where an update takes it and by a replacement where none does", () => {
    const [inPlace, byReplacement] = [changing(subjects, "update"), changing(subjects, "replace")];
    const missing = everyArgument
      .filter(({ name, replaces }) => !(replaces ? byReplacement : inPlace).has(name))
      .map(({ name }) => name);
    expect(missing.filter((name) => !(name in unchangeable))).toEqual([]);
    expect(Object.keys(unchangeable).filter((name) => !missing.includes(name))).toEqual([]);
  });

  it("takes every optional argument out of the program", () => {
    const left = leaving(subjects);
    const missing = everyArgument
      .filter(({ name, optional }) => optional && !left.has(name))
      .map(({ name }) => name);
    expect(missing.filter((name) => !(name in unremovable))).toEqual([]);
    expect(Object.keys(unremovable).filter((name) => !missing.includes(name))).toEqual([]);
  });

  it("gives every secret a value that no other has", () => {
    const secrets = [...secretValues(subjects)];
    expect(secrets.filter(([, values]) => values.size === 0).map(([name]) => name)).toEqual([]);
    expect(secrets.length).toBeGreaterThan(15);
  });
});

describe("one stack with every class", () => {
  const emulator = sharedEmulator();
  let client: EmulatorClient;
  let world: InProcessWorld;
  let scenario: Scenario;

  beforeAll(async () => {
    await emulator.seed(seed);
    client = new EmulatorClient(emulator);
    world = new InProcessWorld(client);
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

  it.each(Array.from({ length: roundCount }, (_, i) => i + 1))("goes through round %i of all changes", (k) =>
    scenario.round(k),
  );

  it("makes everything anew that was deleted behind its back", () => scenario.lose());

  it("looks up an object of every class that another one made, and leaves it alone", () =>
    scenario.lookUp(new InProcessWorld(client)));

  it("is destroyed in an order that the service takes, and leaves the account as it was", () =>
    scenario.destroy());

  it("never showed a secret, though the program marked none", () => {
    expect(world.texts.length).toBeGreaterThan(30);
    scenario.expectNoSecretShown(world.stateText());
  });
});
