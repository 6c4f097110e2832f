import { EmulatorProcess } from "../../support/emulator-process";
import type { Plan, Result, StateResource } from "../../support/engine";
import { declarationOf, declarations } from "../../../src/resources/registry";
import { resources } from "../support";
import { changing, everyArgument, leaving, needle, secretValues } from "./coverage";
import { missingDrift, unchangeable, unremovable } from "./exceptions";
import { at, history, snake, wire, type Change, type Json, type Subject } from "./subject";
import { seed, subjects } from "./table";
import { World, makes, operations, pathOf, sorted, type Write } from "./world";

const rounds = Math.max(...subjects.map(({ changes }) => changes.length));
const histories = new Map(subjects.map((subject) => [subject.name, history(subject)]));

/** The arguments of a resource after round k; those that it is made with after round 0. */
function argsAfter(subject: Subject, k: number): Json {
  const states = histories.get(subject.name)!;
  return states[Math.min(k, states.length - 1)]!;
}

const declared = (k: number) =>
  subjects.map((subject) => ({ name: subject.name, type: subject.type, args: argsAfter(subject, k) }));

describe("the table of all changes", () => {
  it("holds every class", () => {
    const names = declarations.map(({ type }) => type);
    expect([...new Set(subjects.map(({ type }) => type))].sort()).toEqual([...names].sort());
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

/** `up --json` tells the SDK's own trace of its calls, which holds the outputs of any provider in clear. */
const ownTrace = `"prefix":"debug: ","message":"RegisterResource RPC finished`;

describe("one stack with every class", () => {
  const texts: string[] = [];
  const drifted = new Set<string>();
  let emulator: EmulatorProcess;
  let world: World;
  let before: string;

  /** The account without what changes by itself: the authorities' keys. */
  const account = async (): Promise<string> => {
    const { ssh_certificate_authorities: _, ...rest } = await emulator.state();
    return JSON.stringify(rest);
  };

  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
    await emulator.seed(seed);
    before = await account();
    world = await World.start(emulator);
    world.declare(declared(0));
  });
  afterAll(() => emulator.stop());
  beforeEach(() => emulator.clearRequests());

  function noted<T extends Plan | Result>(result: T): T {
    const { output } = "result" in result ? result.result : result;
    texts.push(
      output
        .split("\n")
        .filter((line) => !line.includes(ownTrace))
        .join("\n"),
    );
    return result;
  }

  /** What the preview plans, which sends nothing. */
  async function planned(): Promise<Plan> {
    const plan = noted(await world.stack.previewJson());
    expect(await emulator.requestLines()).toEqual([]);
    return plan;
  }

  /** Does what the preview plans, and nothing else; then there is nothing to do. */
  async function done(plan: Plan): Promise<void> {
    const up = noted(await world.stack.upJson());
    expect(operations(up)).toEqual(operations(plan));
    const requests = await emulator.requests();
    noted(await world.stack.previewNoChanges());
    expect(await emulator.requests()).toHaveLength(requests.length);
  }

  const ofTable = (pick: (subject: Subject) => string | undefined): Record<string, string> =>
    Object.fromEntries(
      subjects.flatMap((subject) => {
        const op = pick(subject);
        return op === undefined ? [] : [[subject.name, op]];
      }),
    );

  /** The body of an update that sends these arguments. */
  const updateOf = ({ type, sendable }: Subject, args: Json, names: readonly string[]): Json => {
    if (declarationOf(type).style !== "collection") return wire(args);
    const sent = names.map((name): [string, unknown] => {
      const only = sendable?.[name];
      const value = args[name] as Json;
      const members = only?.filter((member) => member in value).map((member) => [member, value[member]]);
      return [name, members ? Object.fromEntries(members) : value];
    });
    return wire(Object.fromEntries(sent));
  };

  const updates = (subject: Subject, id: string, body: Json): Write => {
    const verb = declarationOf(subject.type).style === "collection" ? "PATCH" : "PUT";
    return { line: `${verb} ${pathOf(subject.type, id)}`, body };
  };

  const deletes = ({ type }: Subject, id: string): Write => ({ line: `DELETE ${pathOf(type, id)}` });

  it("is planned whole, though hardly anything has an id yet, and made with one request each", async () => {
    const { output } = noted(await world.stack.preview({ args: ["--diff"] }));
    expect(output).toMatch(/backends\s*: (output<string>|\[unknown\]|.*unknown)/);
    const plan = await planned();
    expect(operations(plan)).toEqual(ofTable(() => "create"));
    await done(plan);
    const expected = subjects.map(({ type, args }) => makes(type, world.resolved(args)));
    expect(sorted(await world.writes())).toEqual(sorted(expected));
  });

  it("is not changed by a refresh", async () => {
    noted(await world.stack.refresh({ args: ["--expect-no-changes"] }));
    expect(await world.writes()).toEqual([]);
    noted(await world.stack.previewNoChanges());
  });

  it("finds each change that is made behind its back, and only those of what it manages", async () => {
    for (const { type, name, args, drift, stray } of subjects) {
      const id = world.ids()[name]!;
      const body = { ...drift, ...stray };
      if (Object.keys(body).length === 0) continue;
      const isModule = declarationOf(type).style === "singleton";
      const sent = isModule ? { ...wire(world.resolved(args)), ...body } : body;
      await emulator.api(isModule ? "PUT" : "PATCH", pathOf(type, id), sent);
    }
    const found = await refreshed();
    for (const subject of subjects) {
      const names = found
        .get(subject.name)!
        .map((name) => name.slice(subject.type.length + 1).split(".")[0]!);
      expect([subject.name, [...new Set(names.map(snake))].sort()]).toEqual([
        subject.name,
        Object.keys(subject.drift ?? {}).sort(),
      ]);
    }
    await emulator.clearRequests();
    noted(await world.stack.preview({ args: ["--diff"] }));
    const plan = await planned();
    expect(operations(plan)).toEqual(ofTable(({ drift }) => drift && "update"));
    await done(plan);
    const expected = subjects.flatMap((subject) => {
      if (!subject.drift) return [];
      const names = Object.keys(subject.args).filter((name) => snake(name) in subject.drift!);
      const args = world.resolved(subject.args);
      return [updates(subject, world.ids()[subject.name]!, updateOf(subject, args, names))];
    });
    expect(sorted(await world.writes())).toEqual(sorted(expected));
  });

  it("finds other objects in the places of its own, and replaces them", async () => {
    const old = world.ids();
    const bodies = subjects.filter(({ exchanged }) => exchanged);
    for (const { type, name } of bodies) await emulator.api("DELETE", pathOf(type, old[name]!));
    for (const { type, name, exchanged } of bodies) {
      await emulator.seed({ [declarationOf(type).path.slice(1)]: [{ id: old[name], ...exchanged }] });
    }
    await refreshed();
    await emulator.clearRequests();
    const plan = await planned();
    expect(operations(plan)).toEqual(ofTable(({ exchanged }) => exchanged && "replace"));
    await done(plan);
    const expected = bodies.flatMap((subject) => [
      makes(subject.type, world.resolved(subject.args)),
      deletes(subject, old[subject.name]!),
    ]);
    expect(sorted(await world.writes())).toEqual(sorted(expected));
  });

  /** Refreshes; says which arguments have other values in the state than before, and notes them as found. */
  async function refreshed(): Promise<Map<string, string[]>> {
    const old = await inputs();
    noted(await world.stack.refresh());
    const next = await inputs();
    const found = new Map<string, string[]>();
    for (const { name, type } of subjects) {
      const names = everyArgument
        .map((argument) => argument.name)
        .filter((each) => each.startsWith(`${type}.`));
      const valueIn = (values: Record<string, unknown>, each: string) =>
        JSON.stringify(at(values[name], each.slice(type.length + 1)));
      const differ = names.filter((each) => valueIn(old, each) !== valueIn(next, each));
      found.set(name, differ);
      differ.forEach((each) => drifted.add(each));
    }
    return found;
  }

  /** The inputs of the state by the resources' names, secrets in clear. */
  async function inputs(): Promise<Record<string, unknown>> {
    const { deployment } = await world.stack.exportState(true);
    return Object.fromEntries(
      (deployment.resources ?? []).map((each) => [each.urn.split("::").at(-1)!, each.inputs]),
    );
  }

  it("found a change of every argument that answers tell", () => {
    const missing = everyArgument.map(({ name }) => name).filter((name) => !drifted.has(name));
    expect(missing.filter((name) => !(name in missingDrift))).toEqual([]);
    expect(Object.keys(missingDrift).filter((name) => !missing.includes(name))).toEqual([]);
  });

  it.each(Array.from({ length: rounds }, (_, i) => i + 1))(
    "goes through round %i of all changes",
    async (k) => {
      const old = world.ids();
      const changing = subjects.flatMap((subject): [Subject, Change, Json][] => {
        const change = subject.changes[k - 1];
        return change ? [[subject, change, argsAfter(subject, k)]] : [];
      });
      world.declare(declared(k));
      const plan = await planned();
      const ops = new Map(changing.map(([{ name }, { op }]) => [name, op]));
      expect(operations(plan)).toEqual(
        ofTable(({ name }) => (ops.get(name) === "same" ? undefined : ops.get(name))),
      );
      const reasons = plan.changes
        .filter(({ op }) => op === "replace")
        .map(({ name, replaceReasons }) => [name, [...replaceReasons].sort()]);
      expect(Object.fromEntries(reasons)).toEqual(
        Object.fromEntries(
          changing
            .filter(([, { op }]) => op === "replace")
            .map(([{ name, type }, { set }]) => [name, replacingNames(type, set)]),
        ),
      );

      await done(plan);
      const log = await world.writes();
      const expected = changing.flatMap(([subject, change, plainArgs]): Write[] => {
        const args = world.resolved(plainArgs);
        const id = old[subject.name]!;
        if (change.op === "replace") return [deletes(subject, id), makes(subject.type, args)];
        if (change.op === "same" || change.sends === null) return [];
        const names = [...new Set(Object.keys(change.set).map((path) => path.split(".")[0]!))];
        return [updates(subject, id, world.resolved(change.sends ?? updateOf(subject, args, names)))];
      });
      expect(sorted(log)).toEqual(sorted(expected));

      const replaced = changing.filter(([, { op }]) => op === "replace");
      const placeOf = (write: Write) => log.findIndex((each) => isEqual(each, write));
      for (const [subject, { deleteFirst }, args] of replaced) {
        const [made, deleted] = [
          makes(subject.type, world.resolved(args)),
          deletes(subject, old[subject.name]!),
        ];
        expect([subject.name, placeOf(deleted) < placeOf(made)]).toEqual([
          subject.name,
          deleteFirst ?? false,
        ]);
      }
    },
  );

  /** The arguments of a change that no update can send. */
  function replacingNames(type: string, set: Change["set"]): string[] {
    const names = new Set(Object.keys(set).map((path) => path.split(".")[0]!));
    const isReason = (name: string) =>
      everyArgument.some((each) => each.replaces && `${each.name}.`.startsWith(`${type}.${name}.`));
    return [...names].filter(isReason).sort();
  }

  it("makes everything anew that was deleted behind its back", async () => {
    const ids = world.ids();
    const dependentsFirst = [...subjects].reverse();
    for (const { type, name } of dependentsFirst) await emulator.api("DELETE", pathOf(type, ids[name]!));
    expect(await account()).toBe(before);
    noted(await world.stack.refresh());
    expect(resources(world.stack)).toEqual({});
    await emulator.clearRequests();
    const plan = await planned();
    expect(operations(plan)).toEqual(ofTable(() => "create"));
    await done(plan);
    const expected = subjects.map((subject) =>
      makes(subject.type, world.resolved(argsAfter(subject, rounds))),
    );
    expect(sorted(await world.writes())).toEqual(sorted(expected));
  });

  it("looks up an object of every class that another one made, and leaves it alone", async () => {
    // The objects of this stack are foreign to the other one.
    const ids = world.ids();
    const lookUps = declarations.map(({ type }) => {
      const { name } = subjects.find((subject) => subject.type === type)!;
      return { name: `found-${name}`, type, id: ids[name]! };
    });
    const other = await World.start(emulator);
    other.declare([], lookUps);
    noted(await other.stack.up());
    const [own, found] = [resources(world.stack), resources(other.stack)];
    for (const { name, type, id } of lookUps) {
      expect(found[name]).toMatchObject({ id, external: true });
      expect([name, toldOf(type, found[name]!)]).toEqual([name, toldOf(type, own[name.slice(6)]!)]);
    }
    noted(await other.stack.previewNoChanges());
    other.declare([]);
    await other.stack.up();
    expect(await world.writes()).toEqual([]);
  });

  /** The computed outputs of a resource that every answer tells. */
  function toldOf(type: string, { outputs }: StateResource): Json {
    const { fields } = declarationOf(type);
    const told = Object.keys(fields).filter(
      (name) => fields[name]!.presence === "computed" && !fields[name]!.traits.secret,
    );
    return Object.fromEntries(told.map((name) => [name, outputs?.[name]]));
  }

  it("is destroyed in an order that the service takes, and leaves the account as it was", async () => {
    const ids = world.ids();
    noted(await world.stack.destroy());
    expect(await account()).toBe(before);
    const log = (await world.writes()).map(({ line }) => line);
    expect(log).toHaveLength(subjects.length);
    // points.test.ts tells the same of policies, where the service would not refuse the wrong order.
    const placeOf = (name: string) =>
      log.indexOf(
        deletes(
          subjects.find((subject) => subject.name === name)!,
          ids[name]!,
        ).line,
      );
    expect(placeOf("weighted")).toBeLessThan(placeOf("group"));
  });

  it("never showed a secret, though the program marked none", async () => {
    const secrets = [...secretValues(subjects)].flatMap(([name, values]) =>
      [...values].map((value): [string, string] => [name, needle(value)]),
    );
    texts.push(world.stack.stateText(), JSON.stringify(await world.stack.exportState()));
    expect(texts.length).toBeGreaterThan(30);
    const shown = secrets.flatMap(([name, secret]) => {
      const text = texts.find((each) => each.includes(secret));
      const place = text?.indexOf(secret) ?? 0;
      return text === undefined ? [] : [`${name} in …${text.slice(Math.max(0, place - 200), place)}`];
    });
    expect(shown).toEqual([]);
  });
});

function isEqual(a: Write, b: Write): boolean {
  const [[one], [other]] = [sorted([a]), sorted([b])];
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}
