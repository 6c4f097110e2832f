/** What every class goes through with all its arguments; the same on the real engine and in process. */
import { declarationOf } from "../../src/resources/registry";
import { classes, everyArgument, needle, secretValues } from "./coverage";
import { missingDrift } from "./exceptions";
import { deletes, makes, pathOf, sorted, textOf, updates, writesTo, type Write } from "./requests";
import { valueAt } from "../../src/schema/unknown";
import { history, snake, wire, type Change, type Json, type Subject } from "./subject";
import { subjects } from "./table";
import { idsIn, resolvedIn, type Outcome, type World, type WorldState } from "./world";

/** How many rounds the table has. */
export const roundCount = Math.max(...subjects.map(({ changes }) => changes.length));

const histories = new Map(subjects.map((subject) => [subject.name, history(subject)]));

/** The arguments of a resource after round k; those that it is made with after round 0. */
function argsAfter(subject: Subject, k: number): Json {
  const states = histories.get(subject.name)!;
  return states[Math.min(k, states.length - 1)]!;
}

/** What the program declares after round k. */
export const declared = (k: number) =>
  subjects.map((subject) => ({ name: subject.name, type: subject.type, args: argsAfter(subject, k) }));

const ofTable = (pick: (subject: Subject) => string | undefined): Record<string, string> =>
  Object.fromEntries(
    subjects.flatMap((subject) => {
      const op = pick(subject);
      return op === undefined ? [] : [[subject.name, op]];
    }),
  );

/** The steps of the scenario, on one world. Each leaves the stack as the program declares it. */
export class Scenario {
  private readonly drifted = new Set<string>();

  /** @param before the account beside the stack, as {@link account} gives it. */
  constructor(
    private readonly world: World,
    private readonly before: string,
  ) {}

  async create(): Promise<void> {
    const { world } = this;
    world.declare(declared(0));
    const plan = await this.planned();
    expect(plan.ops).toEqual(ofTable(() => "create"));
    await this.done(plan);
    const ids = idsIn(world);
    const expected = subjects.flatMap(({ type, name, args }) =>
      makes(type, ids[name]!, resolvedIn(world, args)),
    );
    expect(sorted(await writesTo(world.emulator))).toEqual(sorted(expected));
  }

  /** Changes what the table says behind Pulumi's back: a refresh finds it, and the next update repairs it. */
  async drift(): Promise<void> {
    const { world } = this;
    const ids = idsIn(world);
    for (const { type, name, args, drift, stray } of subjects) {
      const body = { ...drift, ...stray };
      if (Object.keys(body).length === 0) continue;
      const isModule = declarationOf(type).style === "singleton";
      const sent = isModule ? { ...wire(resolvedIn(world, args)), ...body } : body;
      await world.emulator.api(isModule ? "PUT" : "PATCH", pathOf(type, ids[name]!), sent);
    }
    const found = await this.refreshed();
    for (const subject of subjects) {
      const names = found
        .get(subject.name)!
        .map((name) => name.slice(subject.type.length + 1).split(".")[0]!);
      expect([subject.name, [...new Set(names.map(snake))].sort()]).toEqual([
        subject.name,
        Object.keys(subject.drift ?? {}).sort(),
      ]);
    }
    await world.emulator.clearRequests();
    const plan = await this.planned();
    expect(plan.ops).toEqual(ofTable(({ drift }) => drift && "update"));
    await this.done(plan);
    const expected = subjects.flatMap((subject) => {
      if (!subject.drift) return [];
      const names = Object.keys(subject.args).filter((name) => snake(name) in subject.drift!);
      const args = resolvedIn(world, subject.args);
      return [updates(subject.type, ids[subject.name]!, updateOf(subject, args, names))];
    });
    expect(sorted(await writesTo(world.emulator))).toEqual(sorted(expected));
  }

  /** Puts other objects in the places of the stack's: a refresh finds them, and the next update replaces them. */
  async exchange(): Promise<void> {
    const { world } = this;
    const old = idsIn(world);
    const bodies = subjects.filter(({ exchanged }) => exchanged);
    for (const { type, name } of bodies) await world.emulator.api("DELETE", pathOf(type, old[name]!));
    for (const { type, name, exchanged } of bodies) {
      await world.emulator.seed({ [declarationOf(type).path.slice(1)]: [{ id: old[name], ...exchanged }] });
    }
    await this.refreshed();
    await world.emulator.clearRequests();
    const plan = await this.planned();
    expect(plan.ops).toEqual(ofTable(({ exchanged }) => exchanged && "replace"));
    await this.done(plan);
    const ids = idsIn(world);
    const expected = bodies.flatMap(({ type, name, args }) => [
      ...makes(type, ids[name]!, resolvedIn(world, args)),
      deletes(type, old[name]!),
    ]);
    expect(sorted(await writesTo(world.emulator))).toEqual(sorted(expected));
  }

  /** The drifts of this world were those of every argument that answers hold. */
  expectDriftOfEveryArgument(): void {
    const missing = everyArgument.map(({ name }) => name).filter((name) => !this.drifted.has(name));
    expect(missing.filter((name) => !(name in missingDrift))).toEqual([]);
    expect(Object.keys(missingDrift).filter((name) => !missing.includes(name))).toEqual([]);
  }

  /** Makes the changes of round k: by one request each, in place or by a replacement in the right order. */
  async round(k: number): Promise<void> {
    const { world } = this;
    const old = idsIn(world);
    const changing = subjects.flatMap((subject): [Subject, Change, Json][] => {
      const change = subject.changes[k - 1];
      return change ? [[subject, change, argsAfter(subject, k)]] : [];
    });
    world.declare(declared(k));
    const plan = await this.planned();
    const ops = new Map(changing.map(([{ name }, { op }]) => [name, op]));
    expect(plan.ops).toEqual(ofTable(({ name }) => ops.get(name)));
    const replaced = changing.filter(([, { op }]) => op === "replace");
    expect(plan.reasons).toEqual(
      Object.fromEntries(replaced.map(([{ name, type }, { set }]) => [name, replacingNames(type, set)])),
    );

    await this.done(plan);
    const log = await writesTo(world.emulator);
    const ids = idsIn(world);
    const expected = changing.flatMap(([subject, change, plainArgs]): Write[] => {
      const { type, name } = subject;
      const args = resolvedIn(world, plainArgs);
      const id = old[name]!;
      if (change.op === "replace") return [deletes(type, id), ...makes(type, ids[name]!, args)];
      if (change.sends === null) return [];
      const names = [...new Set(Object.keys(change.set).map((path) => path.split(".")[0]!))];
      return [updates(type, id, resolvedIn(world, change.sends ?? updateOf(subject, args, names)))];
    });
    expect(sorted(log)).toEqual(sorted(expected));

    const texts = log.map(textOf);
    const placeOf = (write: Write) => texts.indexOf(textOf(write));
    for (const [{ name, type }, { deleteFirst }, args] of replaced) {
      const made = placeOf(makes(type, ids[name]!, resolvedIn(world, args))[0]!);
      const isDeletedFirst = placeOf(deletes(type, old[name]!)) < made;
      expect([name, made >= 0, isDeletedFirst]).toEqual([name, true, deleteFirst ?? false]);
    }
  }

  /** Deletes everything behind Pulumi's back: a refresh finds it, and the next update makes it anew. */
  async lose(): Promise<void> {
    const { world } = this;
    const ids = idsIn(world);
    const dependentsFirst = [...subjects].reverse();
    for (const { type, name } of dependentsFirst)
      await world.emulator.api("DELETE", pathOf(type, ids[name]!));
    expect(await account(world)).toBe(this.before);
    await world.refresh();
    expect(world.resources()).toEqual({});
    await world.emulator.clearRequests();
    const plan = await this.planned();
    expect(plan.ops).toEqual(ofTable(() => "create"));
    await this.done(plan);
    const next = idsIn(world);
    const expected = subjects.flatMap((subject) =>
      makes(subject.type, next[subject.name]!, resolvedIn(world, argsAfter(subject, roundCount))),
    );
    expect(sorted(await writesTo(world.emulator))).toEqual(sorted(expected));
  }

  /** Another stack, to which the objects are foreign, looks up one of every class and leaves it alone. */
  async lookUp(other: World): Promise<void> {
    const ids = idsIn(this.world);
    const lookUps = classes.map(({ type }) => {
      const { name } = subjects.find((subject) => subject.type === type)!;
      return { name: `found-${name}`, type, id: ids[name]! };
    });
    other.declare([], lookUps);
    await other.up();
    const [own, found] = [this.world.resources(), other.resources()];
    for (const { name, type, id } of lookUps) {
      expect(found[name]).toMatchObject({ id, external: true });
      expect([name, computedIn(type, found[name]!)]).toEqual([name, computedIn(type, own[name.slice(6)]!)]);
    }
    expect((await other.preview()).ops).toEqual({});
    other.declare([]);
    await other.up();
    expect(await writesTo(other.emulator)).toEqual([]);
  }

  async destroy(): Promise<void> {
    const { world } = this;
    const ids = idsIn(world);
    await world.destroy();
    expect(await account(world)).toBe(this.before);
    const log = (await writesTo(world.emulator)).map(({ line }) => line);
    expect(log).toHaveLength(subjects.length);
    // test/engine/rounds/order.test.ts shows the same of policies, where the service would not refuse the wrong order.
    const placeOf = (type: string, name: string) => log.indexOf(deletes(type, ids[name]!).line);
    expect(placeOf("WeightedBackend", "weighted")).toBeLessThan(placeOf("TunnelGroupBackend", "group"));
  }

  /** Neither what was shown nor the state holds a secret in plaintext, though the program marks none. */
  expectNoSecretShown(...more: string[]): void {
    const texts = [...this.world.texts, ...more];
    const secrets = [...secretValues(subjects)].flatMap(([name, values]) =>
      [...values].map((value): [string, string] => [name, needle(value)]),
    );
    const shown = secrets.flatMap(([name, secret]) => {
      const text = texts.find((each) => each.includes(secret));
      const place = text?.indexOf(secret) ?? 0;
      return text === undefined ? [] : [`${name} in …${text.slice(Math.max(0, place - 200), place)}`];
    });
    expect(shown).toEqual([]);
  }

  /** What the preview plans, which sends nothing. */
  private async planned(): Promise<Outcome> {
    const plan = await this.world.preview();
    expect(await this.world.emulator.requestLines()).toEqual([]);
    return plan;
  }

  /** Does what the preview plans, and nothing else; then there is nothing to do. */
  private async done({ ops }: Outcome): Promise<void> {
    const { world } = this;
    expect((await world.up()).ops).toEqual(ops);
    const requests = await world.emulator.requests();
    expect((await world.preview()).ops).toEqual({});
    expect(await world.emulator.requests()).toHaveLength(requests.length);
  }

  /** Refreshes; says which arguments have other values in the state than before, and notes them as found. */
  private async refreshed(): Promise<Map<string, string[]>> {
    const old = await this.world.inputs();
    await this.world.refresh();
    const next = await this.world.inputs();
    const found = new Map<string, string[]>();
    for (const { name, type } of subjects) {
      const names = everyArgument
        .map((argument) => argument.name)
        .filter((each) => each.startsWith(`${type}.`));
      const valueIn = (values: Record<string, unknown>, each: string) =>
        JSON.stringify(valueAt(values[name], each.slice(type.length + 1)));
      const differ = names.filter((each) => valueIn(old, each) !== valueIn(next, each));
      found.set(name, differ);
      differ.forEach((each) => this.drifted.add(each));
    }
    return found;
  }
}

/** The account without what changes by itself: the authorities' keys. */
export async function account({ emulator }: Pick<World, "emulator">): Promise<string> {
  const { ssh_certificate_authorities: _, ...rest } = await emulator.state();
  return JSON.stringify(rest);
}

/** The body of an update that sends these arguments. */
function updateOf({ type, sendable }: Subject, args: Json, names: readonly string[]): Json {
  if (declarationOf(type).style !== "collection") return wire(args);
  const sent = names.map((name): [string, unknown] => {
    const only = sendable?.[name];
    const value = args[name] as Json;
    const members = only?.filter((member) => member in value).map((member) => [member, value[member]]);
    return [name, members ? Object.fromEntries(members) : value];
  });
  return wire(Object.fromEntries(sent));
}

/** The arguments of a change that no update can send. */
function replacingNames(type: string, set: Change["set"]): string[] {
  const names = new Set(Object.keys(set).map((path) => path.split(".")[0]!));
  const isReason = (name: string) =>
    everyArgument.some((each) => each.replaces && `${each.name}.`.startsWith(`${type}.${name}.`));
  return [...names].filter(isReason).sort();
}

/** The computed outputs of a resource that every answer holds. */
function computedIn(type: string, { outputs }: WorldState): Json {
  const { fields } = declarationOf(type);
  const computed = Object.keys(fields).filter(
    (name) => fields[name]!.presence === "computed" && !fields[name]!.traits.secret,
  );
  return Object.fromEntries(computed.map((name) => [name, outputs?.[name]]));
}
