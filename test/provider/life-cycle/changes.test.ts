import { runtime } from "@pulumi/pulumi";
import { alternatives, flag, object, text, wholeObject } from "../../../src/schema/kinds";
import type { Fields } from "../../../src/schema/field";
import { setPaths } from "../../../src/schema/walk";
import { changedArguments, compare, setsOthers } from "../../../src/provider/life-cycle/changes";
import { argumentsAsSent } from "../../../src/provider/life-cycle/recording";
import type { Declaration } from "../../../src/schema/declaration";
import { noState, recordedState } from "../../../src/schema/recorded-state";
import { toWire } from "../../../src/provider/life-cycle/wire";
import { argumentsFrom, outputsFrom } from "../../../src/schema/values";
import { thing } from "./made-up";

type Json = Record<string, unknown>;
const settings = { patchUndocumented: false };

/** A state whose outputs are these, after the program set `args`. */
const after = (args: Json, answered: Json = {}): Json => ({
  ...args,
  ...answered,
  __args: setPaths(thing.fields, args),
});

/** The inputs that stand for the outputs of a program that set these arguments. */
const inputsOf = (declaration: Declaration, outputs: Json, managed: readonly string[]): Json =>
  argumentsAsSent(declaration, outputsFrom(outputs), { ...noState, managed });

/** The differences of a state, as the engine holds it, and the arguments. */
const differences = (declaration: Declaration, state: Json, args: Json) =>
  compare(declaration, recordedState(state), argumentsFrom(args), settings);

/** What an update from `args` to `next` sends, by the changed argument's path with `!` where it replaces. */
function change(state: Json, next: Json): { changes: string[]; body: Json; setChanged: boolean } {
  const [changes, args] = [differences(thing, state, next), argumentsFrom(next)];
  const body = toWire(thing.fields, changedArguments(thing, changes, args, settings));
  const shown = changes.map(({ path, replaces, recordedOnly }) =>
    [path, replaces ? "!" : "", recordedOnly ? "?" : ""].join(""),
  );
  return { changes: shown, body, setChanged: setsOthers(thing, recordedState(state), args) };
}

describe("the removal of an argument", () => {
  it.each([
    ["description", "text", ""],
    ["region", "eu", "global"],
    ["active", false, true],
    ["labels", { a: "b" }, {}],
    ["order", ["a"], []],
    ["policyIds", ["ipp_1"], [], "policy_ids"],
  ])("restores the default of %s", (name, value, restored, wire = name) => {
    expect(change(after({ [name]: value }), {})).toEqual({
      changes: [name],
      body: { [wire]: restored },
      setChanged: true,
    });
  });

  it.each([
    ["description", ""],
    ["region", "global"],
    ["active", true],
    ["labels", {}],
    ["order", []],
  ])("of %s that has its default already sends nothing", (name, value) => {
    expect(change(after({ [name]: value }), {})).toEqual({ changes: [], body: {}, setChanged: true });
  });

  it("whose default only the service knows replaces the object, or is recorded where that cannot help", () => {
    expect(change(after({ owner: "me" }), {}).changes).toEqual(["owner!"]);
    expect(change(after({ count: 5 }), {})).toEqual({ changes: ["count?"], body: {}, setChanged: true });
  });

  it("in favour of another one with its default sends nothing, and is recorded", () => {
    expect(change(after({ description: "" }), { region: "global" })).toEqual({
      changes: [],
      body: {},
      setChanged: true,
    });
  });

  it("that was never sent sends nothing", () => {
    expect(change(after({ csr: "request" }), {}).body).toEqual({});
    expect(change(after({ hint: 1 }), {})).toEqual({ changes: [], body: {}, setChanged: false });
  });
});

describe("what the program leaves to the service", () => {
  it("is no change, whatever it holds", () => {
    const answered = {
      region: "eu",
      active: false,
      labels: { a: "b" },
      policyIds: ["ipp_1"],
      module: { value: "x" },
      deployment: { name: "n", version: "2" },
    };
    expect(change(after({}, answered), {})).toEqual({ changes: [], body: {}, setChanged: false });
  });

  it("is no change inside of an object that the program sets in part", () => {
    const state = after({ deployment: { name: "n" } }, { deployment: { name: "n", version: "2" } });
    expect(change(state, { deployment: { name: "n" } }).changes).toEqual([]);
  });

  it("is no change in an object that is set whole either, whatever the service fills in", () => {
    const state = after({ module: { enabled: true } }, { module: { enabled: true, value: "theirs" } });
    expect(change(state, { module: { enabled: true } }).changes).toEqual([]);
  });

  it("is drift where it decides who has access and its stated default is gone", () => {
    const state = after({ module: { value: "mine" } }, { module: { enabled: false, value: "mine" } });
    expect(change(state, { module: { value: "mine" } })).toMatchObject({
      changes: ["module.enabled"],
      body: { module: { value: "mine" } },
    });
  });
});

describe("equal values", () => {
  it.each([
    ["a set in another order", { policyIds: ["ipp_1", "ipp_2"] }, { policyIds: ["ipp_2", "ipp_1"] }],
    ["a set in other letters and another order", { hosts: ["a", "B"] }, { hosts: ["b", "A"] }],
    ["keys of headers in other letters", { headers: { "X-A": "1" } }, { headers: { "x-a": "1" } }],
    ["a map's keys in another order", { labels: { a: "1", b: "2" } }, { labels: { b: "2", a: "1" } }],
    ["a module's default", { module: { value: "v" } }, { module: { value: "v", enabled: true } }],
  ])("are no change: %s", (_what, before, next) => {
    expect(change(after(before), next).changes).toEqual([]);
  });

  it.each([
    ["a list in another order", { order: ["a", "b"] }, { order: ["b", "a"] }, "order"],
    ["another item in a set of as many", { hosts: ["a", "A"] }, { hosts: ["a", "b"] }, "hosts"],
    ["an item less in a set of as many", { hosts: ["a", "b"] }, { hosts: ["a", "A"] }, "hosts"],
    ["a label with an empty value", { labels: {} }, { labels: { a: "" } }, "labels"],
    ["a label less, whose value was empty", { labels: { a: "", b: "" } }, { labels: { a: "" } }, "labels"],
    ["false for true", { active: true }, { active: false }, "active"],
    ["0 for 1", { count: 1 }, { count: 0 }, "count"],
  ])("are only what means the same: %s is a change", (_what, before, next, path) => {
    const { changes, body } = change(after(before), next);
    expect(changes).toEqual([path]);
    expect(body).toEqual(next);
  });
});

describe("unknown values", () => {
  const unknown = runtime.unknownValue;

  it("replace the object in a field that only a create takes, and update it elsewhere", () => {
    const state = after({ fixed: "a", description: "b", policyIds: ["ipp_1"], labels: { a: "b" } });
    const { changes } = change(state, {
      fixed: unknown,
      description: unknown,
      policyIds: ["ipp_1", unknown],
      labels: { a: unknown },
    });
    expect(changes).toEqual(["description", "fixed!", "labels", "policyIds"]);
  });

  it("are tolerated in the place of a whole object", () => {
    const state = after({
      deployment: { name: "n" },
      target: { one: { name: "x" } },
      module: { value: "v" },
    });
    const { changes } = change(state, { deployment: unknown, target: unknown, module: unknown });
    expect(changes).toEqual(["deployment", "module", "target"]);
  });
});

describe("an object", () => {
  const deployment = { name: "n", version: "1", csr: "c", namespace: "s" };

  it("is sent with all that an update takes, though only one member changed", () => {
    const { changes, body } = change(after({ deployment }), { deployment: { ...deployment, version: "2" } });
    expect(changes).toEqual(["deployment.version"]);
    expect(body).toEqual({ deployment: { name: "n", version: "2" } });
  });

  it("is sent with what goes out only when it changed, when it changed", () => {
    const { body } = change(after({ deployment }), { deployment: { ...deployment, csr: "d" } });
    expect(body).toEqual({ deployment: { name: "n", version: "1", csr: "d" } });
  });

  it("inside of it goes out only when one of its members changed", () => {
    const inner = object({ name: text() }).writeOnly();
    const fields = { outer: object({ inner, innermost: object({ name: text() }), version: text() }) };
    const nested = { ...thing, fields };
    const outer = { inner: { name: "a" }, innermost: { name: "b" }, version: "1" };
    const sent = (next: Json): unknown => {
      const state = { outer, __args: setPaths(fields, { outer }) };
      const args = argumentsFrom({ outer: next });
      const changes = differences(nested, state, args);
      return changedArguments(nested, changes, args, settings).outer;
    };
    expect(sent({ ...outer, inner: { name: "c" } })).toEqual({ ...outer, inner: { name: "c" } });
    const { inner: _, ...rest } = outer;
    expect(sent({ ...outer, version: "2" })).toEqual({ ...rest, version: "2" });
    expect(sent({ ...outer, innermost: { name: "c" } })).toEqual({ ...rest, innermost: { name: "c" } });
  });

  it("replaces by the members that only a create takes", () => {
    expect(change(after({ deployment }), { deployment: { ...deployment, namespace: "t" } }).changes).toEqual([
      "deployment.namespace!",
    ]);
  });

  it("that is set whole is sent whole, without the members that were removed", () => {
    const module = { enabled: false, value: "v", policyIds: ["x"] };
    expect(change(after({ module }), { module: { value: "v", policyIds: ["x"] } })).toEqual({
      changes: ["module.enabled"],
      body: { module: { value: "v", policy_ids: ["x"] } },
      setChanged: true,
    });
    expect(change(after({ module }), { module: { enabled: false } })).toEqual({
      changes: ["module.value", "module.policyIds"],
      body: { module: { enabled: false } },
      setChanged: true,
    });
  });

  it("that is set for the first time is a change, even with nothing but defaults", () => {
    expect(change(after({}), { module: {} })).toMatchObject({ changes: ["module"], body: { module: {} } });
  });

  it("of alternatives without any of them is no change", () => {
    expect(change(after({}), { target: {} }).changes).toEqual([]);
  });

  it("of alternatives changes as a whole where another one is chosen, and is sent as it is", () => {
    const state = after({ target: { one: { name: "x", password: "p" } } });
    const next = { target: { other: { name: "x", password: "p" } } };
    expect(change(state, next)).toMatchObject({ changes: ["target"], body: next });
  });
});

describe("a value that nobody knows", () => {
  it("is recorded and not sent when it is given for the first time, and sent when it changes", () => {
    expect(change(after({}), { csr: "request" })).toMatchObject({ changes: ["csr?"], body: {} });
    expect(change(after({ csr: "request" }), { csr: "another" })).toMatchObject({
      changes: ["csr!"],
      body: { csr: "another" },
    });
  });

  it.each([
    ["the program gave it before and the state does not hold it", { __args: ["csr"] }],
    ["the state holds it and the program did not give it", { csr: "request" }],
  ])("is sent where %s", (_where, state) => {
    expect(change(state, { csr: "another" })).toMatchObject({ changes: ["csr!"], body: { csr: "another" } });
  });
});

describe("the inputs after a drift", () => {
  it("hold what the program set, with the values that the service has", () => {
    const set = { description: "mine", labels: { a: "b" }, deployment: { name: "n" } };
    const drifted = {
      description: "theirs",
      labels: {},
      region: "eu",
      deployment: { name: "m", version: "9" },
      createdAt: "now",
    };
    expect(inputsOf(thing, drifted, setPaths(thing.fields, set))).toEqual({
      description: "theirs",
      labels: {},
      deployment: { name: "m" },
    });
  });

  it("hold what the program did not set only where it decides who has access and is not the stated default", () => {
    const drifted = { module: { enabled: false, value: "theirs", policyIds: [] } };
    expect(inputsOf(thing, drifted, ["module"])).toEqual({ module: { enabled: false } });
    expect(inputsOf(thing, { module: { ...drifted.module, enabled: true } }, ["module"])).toEqual({
      module: {},
    });
    expect(inputsOf(thing, drifted, [])).toEqual({});
  });
});

describe("an output that was an argument of an older version", () => {
  it("is no change, and is in no inputs", () => {
    const state = { createdAt: "then", description: "d", __args: ["createdAt", "description"] };
    expect(differences(thing, state, { description: "d" })).toEqual([]);
    expect(inputsOf(thing, state, state.__args)).toEqual({ description: "d" });
  });
});

describe("the inputs after a drift of an object", () => {
  it("do not hold one that is gone", () => {
    expect(inputsOf(thing, { description: "d" }, ["description", "deployment", "deployment.name"])).toEqual({
      description: "d",
    });
  });

  it("hold of the alternative that the program chose what it set, and another one as a whole", () => {
    const set = ["target", "target.one", "target.one.name"];
    const option = { name: "theirs", size: 9 };
    expect(inputsOf(thing, { target: { one: option } }, set)).toEqual({
      target: { one: { name: "theirs" } },
    });
    expect(inputsOf(thing, { target: { other: option } }, set)).toEqual({ target: { other: option } });
    const both = { one: option, other: option };
    expect(inputsOf(thing, { target: both }, set)).toEqual({ target: both });
  });

  it("hold a guard that the program never set only where it is in an object that is set whole", () => {
    const guarded = { mode: text(), guard: flag().serverDefault(true).means("who gets in") };
    const fields = { parts: object(guarded), whole: wholeObject(guarded) };
    const drifted = { parts: { mode: "m", guard: false }, whole: { mode: "m", guard: false } };
    expect(inputsOf({ ...thing, fields }, drifted, ["parts", "parts.mode", "whole", "whole.mode"])).toEqual({
      parts: { mode: "m" },
      whole: { mode: "m", guard: false },
    });
  });
});

describe("a change", () => {
  const fields: Fields = {
    plain: text(),
    gate: text().means("who gets in"),
    changeable: text().means("who gets in").serviceMayChange(),
    rooms: alternatives({ one: object({ inner: object({ name: text() }) }) }, "at most one").means(
      "who gets in",
    ),
    parts: object({ plain: text(), gate: text().means("who gets in") }),
  };

  it("decides who has access where its argument does, or one around it, and the service must keep it", () => {
    const all = (value: string): Json => ({
      ...{ plain: value, gate: value, changeable: value, parts: { plain: value, gate: value } },
      rooms: { one: { inner: { name: value } } },
    });
    const state = { ...all("a"), __args: setPaths(fields, all("a")) };
    const changes = differences({ ...thing, fields }, state, all("b"));
    expect(Object.fromEntries(changes.map(({ path, decidesAccess }) => [path, decidesAccess]))).toEqual({
      plain: false,
      gate: true,
      changeable: false,
      "rooms.one.inner.name": true,
      "parts.plain": false,
      "parts.gate": true,
    });
  });

  it("is none where a module that stands for one that is off is gone and leaves the program", () => {
    const off = { enabled: false };
    const modules = {
      module: wholeObject<{ enabled?: boolean; value?: string }>({
        enabled: flag().serverDefault(true),
        value: text(),
      }).absentAs(off),
    };
    const state = { __args: ["module", "module.enabled"] };
    expect(differences({ ...thing, fields: modules }, state, {})).toEqual([]);
    expect(differences({ ...thing, fields: modules }, state, { module: off })).toEqual([]);
    const on = { module: { enabled: true } };
    expect(differences({ ...thing, fields: modules }, state, on)).toHaveLength(1);
  });

  it("of an object is sent without the members that an update cannot send as they are", () => {
    const fields = { parts: object({ name: text(), size: text().replace(({ next }) => next === "big") }) };
    const sent = (size: string): unknown => {
      const state = { parts: { name: "a", size }, __args: ["parts", "parts.name", "parts.size"] };
      const next = argumentsFrom({ parts: { name: "b", size } });
      const changes = differences({ ...thing, fields }, state, next);
      return changedArguments({ ...thing, fields }, changes, next, settings);
    };
    expect(sent("small")).toEqual({ parts: { name: "b", size: "small" } });
    expect(sent("big")).toEqual({ parts: { name: "b" } });
  });
});
