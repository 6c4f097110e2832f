/** What is decided about the rules of a policy, for what the program wants, the state knows and the policy holds. */
import { EntryPlanner } from "../../../src/provider/entries/plan";
import type { SetEntry } from "../../../src/provider/entries/plan";
import { declarationOf } from "../../../src/resources/registry";
import type { Declaration, EntrySet } from "../../../src/schema/declaration";
import type { Json } from "../../../src/schema/json";
import { flag, id, map, number, object as objectOf, oneOf, text } from "../../../src/schema/kinds";
import { thing } from "../life-cycle/made-up";

const declaration = declarationOf("IpPolicyRuleSet");
const planner = new EntryPlanner(declaration, declaration.entries!);
const standIn = "pulumi-tunnel-gateway stand-in";

/** Each step of a plan as `<range> <action> <description> <metadata>`, of an update what is sent. */
type Plan = Partial<Record<keyof ReturnType<EntryPlanner["plan"]>, string[]>>;

interface Case {
  readonly wanted?: Json;
  readonly known?: Json;
  /** What the service keeps for entries of the state, which record what was sent. */
  readonly sent?: Json;
  /** The rules that the policy holds, as `<range> <action> <description>`. */
  readonly held?: readonly string[];
  /** The set manages its own ranges only. */
  readonly shared?: true;
  readonly plan: Plan;
}

const object = (text: string, index: number): Json => {
  const [cidr, action, description = null, ...metadata] = text.split(" ");
  return { id: `ipr_${index}`, cidr, action, description, metadata: metadata.join(" ") || null };
};
const words = ({ cidr, action, description, metadata }: Json): string =>
  [cidr, action, description, metadata].filter((each) => each !== null && each !== "").join(" ");
const entriesOf = (rules: Json = {}, sent: Json = {}): Map<string, SetEntry> =>
  planner.entriesOf(
    { ipPolicyId: "ipp_1", rules },
    Object.entries(sent).map(([range, rule]) => ({ at: ["rules", range], sent: rule })),
  );

function planOf({ wanted, known, sent, held = [], shared }: Case): Plan {
  const [next, before] = [entriesOf(wanted), entriesOf(known, sent)];
  const isOwned = (key: string): boolean => !shared || next.has(key) || before.has(key);
  const plan = planner.plan(next, before, held.map(object), isOwned);
  const inWords: Plan = {
    create: plan.create.map(({ args }) => words(args)),
    replace: plan.replace.map(({ entry, objects }) => `${objects.map(words).join()} > ${words(entry.args)}`),
    update: plan.update.map(({ object, changed }) => `${words(object)} ${JSON.stringify(changed)}`),
    remove: plan.remove.map(words),
    unseen: plan.unseen.map(words),
    blocked: plan.blocked.map(({ args }) => words(args)),
    accepted: plan.accepted.map(({ args, sent }) => `${words(args)} for ${words(sent!)}`),
  };
  return Object.fromEntries(Object.entries(inWords).filter(([, steps]) => steps.length > 0));
}

const office = { "10.0.0.0/8": { action: "allow", description: "office" } };
const cases: Record<string, Case> = {
  "a new entry is created": {
    wanted: { "10.0.0.0/8": "allow", "192.0.2.1": { action: "deny", description: "d" } },
    plan: { create: ["10.0.0.0/8 allow", "192.0.2.1/32 deny d"] },
  },
  "an entry that the policy holds, in whatever spelling, is left as it is": {
    wanted: { "2001:DB8:0::/32": "allow", "192.0.2.1": "deny" },
    held: ["2001:db8::/32 allow", "192.0.2.1/32 deny"],
    plan: {},
  },
  "only what differs is updated": {
    wanted: { "10.0.0.0/8": { action: "allow", description: "lab", metadata: "m" } },
    held: ["10.0.0.0/8 allow office m"],
    plan: { update: ['10.0.0.0/8 allow office m {"description":"lab"}'] },
  },
  "what the entry leaves out is cleared": {
    wanted: { "10.0.0.0/8": "allow" },
    held: ["10.0.0.0/8 allow office"],
    plan: { update: ['10.0.0.0/8 allow office {"description":""}'] },
  },
  "an entry that left the program is removed": {
    known: { "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" },
    wanted: { "192.0.2.0/24": "deny" },
    held: ["10.0.0.0/8 allow", "192.0.2.0/24 deny"],
    plan: { remove: ["10.0.0.0/8 allow"] },
  },
  "an entry that left the program is removed from a shared policy too, and nothing of others": {
    known: { "10.0.0.0/8": "allow" },
    held: ["10.0.0.0/8 allow", "192.0.2.0/24 deny"],
    shared: true,
    plan: { remove: ["10.0.0.0/8 allow"] },
  },
  "an entry whose action changes is replaced": {
    known: { "10.0.0.0/8": "allow" },
    wanted: { "10.0.0.0/8": "deny" },
    held: ["10.0.0.0/8 allow"],
    plan: { replace: ["10.0.0.0/8 allow > 10.0.0.0/8 deny"] },
  },
  "a rule that nobody named stays": {
    known: { "10.0.0.0/8": "allow" },
    wanted: { "10.0.0.0/8": "allow" },
    held: ["10.0.0.0/8 allow", "192.0.2.0/24 deny"],
    plan: { unseen: ["192.0.2.0/24 deny"] },
  },
  "a rule of the range of an entry, with an action that nobody named, stays and blocks the entry": {
    known: { "10.0.0.0/8": "allow" },
    wanted: { "10.0.0.0/8": "allow" },
    held: ["10.0.0.0/8 deny"],
    plan: { unseen: ["10.0.0.0/8 deny"], blocked: ["10.0.0.0/8 allow"] },
  },
  "a rule with an action that nobody named stays where its entry leaves the program": {
    known: { "10.0.0.0/8": "allow" },
    held: ["10.0.0.0/8 deny"],
    plan: { unseen: ["10.0.0.0/8 deny"] },
  },
  "a rule with an action that nobody named blocks no entry that the policy holds beside it": {
    known: { "10.0.0.0/8": "allow" },
    wanted: { "10.0.0.0/8": "allow" },
    held: ["10.0.0.0/8 deny", "10.0.0.0/8 allow"],
    plan: { unseen: ["10.0.0.0/8 deny"] },
  },
  "of two rules of an entry the one that is as the entry says stays": {
    known: office,
    wanted: office,
    held: ["10.0.0.0/8 allow", "10.0.0.0/8 allow office"],
    plan: { remove: ["10.0.0.0/8 allow"] },
  },
  "of two rules of an entry of which none is as it says one is updated": {
    known: office,
    wanted: office,
    held: ["10.0.0.0/8 allow lab", "10.0.0.0/8 allow home"],
    plan: {
      update: ['10.0.0.0/8 allow lab {"description":"office"}'],
      remove: ["10.0.0.0/8 allow home"],
    },
  },
  "of the rules of an entry whose action changes the one with the new action stays": {
    known: { "10.0.0.0/8": "allow" },
    wanted: { "10.0.0.0/8": "deny" },
    held: ["10.0.0.0/8 allow", "10.0.0.0/8 deny"],
    plan: { remove: ["10.0.0.0/8 allow"] },
  },
  "what a killed run left in the place of a rule is removed": {
    wanted: { "10.0.0.0/8": "deny" },
    held: [`10.0.0.0/9 deny of ${standIn}`, "10.0.0.0/8 deny"].map((text) => text.replace(" of ", "  ")),
    shared: true,
    plan: { remove: [`10.0.0.0/9 deny ${standIn}`] },
  },
  "what a killed run left in the place of a rule is replaced by an entry of its range": {
    wanted: { "10.0.0.0/9": "allow" },
    held: [`10.0.0.0/9 deny  ${standIn}`],
    plan: { replace: [`10.0.0.0/9 deny ${standIn} > 10.0.0.0/9 allow`] },
  },
  "an entry that the service keeps in another form, which was accepted, is left as it is": {
    known: office,
    sent: { "10.0.0.0/8": { action: "allow", description: "Office" } },
    wanted: { "10.0.0.0/8": { action: "allow", description: "Office" } },
    held: ["10.0.0.0/8 allow office"],
    plan: { accepted: ["10.0.0.0/8 allow office for 10.0.0.0/8 allow Office"] },
  },
  "an entry that the program has as the service keeps it is accepted no more": {
    known: office,
    sent: { "10.0.0.0/8": { action: "allow", description: "Office" } },
    wanted: office,
    held: ["10.0.0.0/8 allow office"],
    plan: {},
  },
  "an entry is sent again where the service keeps yet another form": {
    known: office,
    sent: { "10.0.0.0/8": { action: "allow", description: "Office" } },
    wanted: { "10.0.0.0/8": { action: "allow", description: "Office" } },
    held: ["10.0.0.0/8 allow by-hand"],
    plan: { update: ['10.0.0.0/8 allow by-hand {"description":"Office"}'] },
  },
  "an entry is sent where the program has another form than was accepted": {
    known: office,
    sent: { "10.0.0.0/8": { action: "allow", description: "Office" } },
    wanted: { "10.0.0.0/8": { action: "allow", description: "OFFICE" } },
    held: ["10.0.0.0/8 allow office"],
    plan: { update: ['10.0.0.0/8 allow office {"description":"OFFICE"}'] },
  },
  "of two rules of an entry the one in the accepted form stays": {
    known: office,
    sent: { "10.0.0.0/8": { action: "allow", description: "Office" } },
    wanted: { "10.0.0.0/8": { action: "allow", description: "Office" } },
    held: ["10.0.0.0/8 allow lab", "10.0.0.0/8 allow office"],
    plan: {
      accepted: ["10.0.0.0/8 allow office for 10.0.0.0/8 allow Office"],
      remove: ["10.0.0.0/8 allow lab"],
    },
  },
};

it.each(Object.keys(cases))("%s", (sentence) =>
  expect(planOf(cases[sentence]!)).toEqual(cases[sentence]!.plan),
);

/** Doors of a house: a set whose arguments have other names on the wire, and of which two decide on a replacement. */
const door: Declaration = {
  ...thing,
  type: "Door",
  path: "/doors",
  parentId: "houseId",
  fields: {
    doorName: text({ canonical: (name) => name.toLowerCase() }).required(),
    houseId: id().required().replace().fromRef("house"),
    openMode: oneOf("open", "shut").required().replace(),
    keyKind: text().replace(),
    leafCount: number().serverDefault(1),
    shownText: text(),
    madeBy: text(),
  },
};
const doorsOf: EntrySet = {
  of: door,
  ...{ entries: "doors", key: "doorName", exclusive: "exclusive" },
  precedence: {
    ...{ argument: "openMode", closing: "shut" },
    overlap: (one, other) => one === other,
    parts: () => [],
    standIn: { shownText: "stand-in", madeBy: "the set" },
  },
};
const entry = objectOf({
  openMode: oneOf("open", "shut").required(),
  keyKind: text(),
  leafCount: number().serverDefault(1),
  shownText: text(),
  madeBy: text(),
});
const doors: Declaration = {
  ...thing,
  type: "Doors",
  entries: doorsOf,
  fields: {
    houseId: id().required().replace(),
    doors: map(entry, { canonical: (name) => name.toLowerCase() }),
    exclusive: flag(),
  },
};

describe("entries whose arguments have other names on the wire", () => {
  const planner = new EntryPlanner(doors, doorsOf);
  const entryOf = (value: Json) =>
    planner.entriesOf({ houseId: "h_1", doors: { Front: value } }).get("front")!;
  const held = (more: Json = {}) => ({ id: "d_1", door_name: "FRONT", open_mode: "open", ...more });
  const plan = (value: Json, objects: Json[], known?: SetEntry) => {
    const wanted = new Map([["front", entryOf(value)]]);
    return planner.plan(wanted, known ? new Map([["front", known]]) : new Map(), objects, () => true);
  };

  it("are made with the key, the parent and the defaults of what they leave out", () => {
    expect(entryOf({ openMode: "open", madeBy: "me" })).toEqual({
      key: "front",
      args: {
        doorName: "front",
        houseId: "h_1",
        openMode: "open",
        keyKind: "",
        leafCount: 1,
        shownText: "",
        madeBy: "me",
      },
    });
  });

  it("are left as they are where their objects have the same or the default", () => {
    for (const more of [{}, { leaf_count: 1, shown_text: null }, { key_kind: "" }]) {
      const { create, update, replace } = plan({ openMode: "open" }, [held(more)]);
      expect([create, update, replace]).toEqual([[], [], []]);
    }
  });

  it("are updated where another member differs, with what was known of them", () => {
    const known = entryOf({ openMode: "open" });
    expect(plan({ openMode: "open", leafCount: 2 }, [held()], known).update).toEqual([
      {
        entry: entryOf({ openMode: "open", leafCount: 2 }),
        object: held(),
        changed: { leafCount: 2 },
        known,
      },
    ]);
  });

  it.each([{ openMode: "shut" }, { openMode: "open", keyKind: "steel" }])(
    "are replaced where one of the members differs that no update takes: %j",
    (value) => {
      const known = entryOf({ openMode: "open" });
      expect(plan(value, [held()], known).replace).toEqual([{ entry: entryOf(value), objects: [held()] }]);
    },
  );

  it("close by the entry's argument and by the object's member", () => {
    expect([{ openMode: "shut" }, { open_mode: "shut" }].map((each) => planner.isClosing(each))).toEqual([
      true,
      true,
    ]);
    expect([{ openMode: "open" }, { open_mode: "open" }].map((each) => planner.isClosing(each))).toEqual([
      false,
      false,
    ]);
  });

  it("are shown with all that no update takes", () => {
    expect(planner.kindOf({ openMode: "shut", keyKind: "steel" })).toBe("shut, steel");
    expect(planner.kindOf({ open_mode: "shut", key_kind: "steel" })).toBe("shut, steel");
  });

  it("have a stand-in only in an object with all of its marks", () => {
    const marked = held({ shown_text: "stand-in", made_by: "the set" });
    expect(plan({ openMode: "shut" }, [marked]).replace).toHaveLength(1);
    for (const part of [{ shown_text: "stand-in" }, { made_by: "the set" }]) {
      const { replace, blocked } = plan({ openMode: "shut" }, [held(part)]);
      expect([replace.length, blocked.length]).toEqual([0, 1]);
    }
  });

  it("name what an answer keeps of another key or another kind", () => {
    const wanted = entryOf({ openMode: "open", keyKind: "steel" });
    const answer = held({ key_kind: "steel" });
    expect(planner.otherMeaning(answer, wanted)).toBeUndefined();
    expect(planner.otherMeaning({ ...answer, door_name: "back" }, wanted)).toEqual({
      ...{ name: "doorName", sent: "front", kept: "back" },
    });
    expect(planner.otherMeaning({ ...answer, key_kind: "wood" }, wanted)).toEqual({
      ...{ name: "keyKind", sent: "steel", kept: "wood" },
    });
  });

  it("name what an answer to an update left as it was before, in the state and in the object", () => {
    const known = entryOf({ openMode: "open", shownText: "old" });
    const update = (object: Json, before?: SetEntry) => ({
      entry: entryOf({ openMode: "open", shownText: "new" }),
      ...{ object, known: before, changed: { shownText: "new" } },
    });
    const old = held({ shown_text: "old" });
    expect(planner.ignored(old, update(old, known))).toEqual({
      ...{ name: "shownText", sent: "new", kept: "old" },
    });
    expect(planner.ignored(held({ shown_text: "new" }), update(old, known))).toBeUndefined();
    expect(planner.ignored(held({ shown_text: "NEW" }), update(old, known))).toBeUndefined();
    expect(planner.ignored(old, update(held({ shown_text: "by hand" }), known))).toBeUndefined();
    expect(planner.ignored(old, update(old, entryOf({ openMode: "open" })))).toBeUndefined();
    expect(planner.ignored(old, update(old))).toBeUndefined();
  });
});
