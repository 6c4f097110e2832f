import { runtime } from "@pulumi/pulumi";
import { object, text } from "../../../src/schema/kinds";
import { setPaths } from "../../../src/schema/unknown";
import { changedArguments, compare } from "../../../src/provider/life-cycle/changes";
import { inputsOf } from "../../../src/provider/life-cycle/state";
import { toWire } from "../../../src/provider/wire";
import { thing } from "./made-up";

type Json = Record<string, unknown>;
const settings = { patchUndocumented: false };

/** A state whose outputs are these, after the program set `args`. */
const after = (args: Json, answered: Json = {}): Json => ({
  ...args,
  ...answered,
  __args: setPaths(thing.fields, args),
});

/** What an update from `args` to `next` sends, by the changed argument's path with `!` where it replaces. */
function change(state: Json, next: Json): { changes: string[]; body: Json; setChanged: boolean } {
  const { changes, setChanged } = compare(thing, state, next, settings);
  const body = toWire(thing.fields, changedArguments(thing, changes, next, settings));
  const shown = changes.map(({ path, replaces, recordedOnly }) =>
    [path, replaces ? "!" : "", recordedOnly ? "?" : ""].join(""),
  );
  return { changes: shown, body, setChanged };
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
    ["keys of headers in other letters", { headers: { "X-A": "1" } }, { headers: { "x-a": "1" } }],
    ["a map's keys in another order", { labels: { a: "1", b: "2" } }, { labels: { b: "2", a: "1" } }],
    ["a module's default", { module: { value: "v" } }, { module: { value: "v", enabled: true } }],
  ])("are no change: %s", (_what, before, next) => {
    expect(change(after(before), next).changes).toEqual([]);
  });

  it.each([
    ["a list in another order", { order: ["a", "b"] }, { order: ["b", "a"] }, "order"],
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
    const inner = object({ name: text() }).onlyWhenChanged();
    const fields = { outer: object({ inner, innermost: object({ name: text() }), version: text() }) };
    const nested = { ...thing, fields };
    const outer = { inner: { name: "a" }, innermost: { name: "b" }, version: "1" };
    const sent = (next: Json): unknown => {
      const state = { outer, __args: setPaths(fields, { outer }) };
      const { changes } = compare(nested, state, { outer: next }, settings);
      return changedArguments(nested, changes, { outer: next }, settings).outer;
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
      changes: ["csr"],
      body: { csr: "another" },
    });
  });

  it.each([
    ["the program gave it before and the state does not hold it", { __args: ["csr"] }],
    ["the state holds it and the program did not give it", { csr: "request" }],
  ])("is sent where %s", (_where, state) => {
    expect(change(state, { csr: "another" })).toMatchObject({ changes: ["csr"], body: { csr: "another" } });
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
