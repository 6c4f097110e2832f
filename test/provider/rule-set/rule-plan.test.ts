/** What is decided about the rules of a policy, for what the program wants, the state knows and the policy holds. */
import {
  heldRule,
  ignoredBy,
  otherRule,
  planRules,
  setRules,
  temporaryMark,
} from "../../../src/provider/rule-set/rule-plan";
import type { RulePlan, SetRule } from "../../../src/provider/rule-set/rule-plan";
import type { Json } from "../../../src/schema/json";
import type { RuleValues } from "../../../src/schema/rule-set";
import { outputsFrom } from "../../../src/schema/values";

/** Each step of a plan as `<range> <action> <description> <metadata>`, of an update what is sent. */
type Plan = Partial<Record<keyof RulePlan, string[]>>;

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
const words = ({ cidr, action, description, metadata }: RuleValues): string =>
  [cidr, action, description, metadata].filter((each) => each !== "").join(" ");
const rulesOf = (rules: Json = {}, sent: Json = {}): Map<string, SetRule> =>
  setRules(
    outputsFrom({ rules }),
    Object.entries(sent).map(([range, rule]) => ({ at: ["rules", range], sent: rule })),
  );

function planOf({ wanted, known, sent, held = [], shared }: Case): Plan {
  const [next, before] = [rulesOf(wanted), rulesOf(known, sent)];
  const isOwned = (key: string): boolean => !shared || next.has(key) || before.has(key);
  const plan = planRules(next, before, held.map(object).map(heldRule), isOwned);
  const inWords: Plan = {
    create: plan.create.map(words),
    replace: plan.replace.map(({ rule, old }) => `${old.map(words).join()} > ${words(rule)}`),
    update: plan.update.map(({ rule, held, changed }) => {
      const sent = Object.fromEntries(changed.map((name) => [name, rule[name]]));
      return `${words(held)} ${JSON.stringify(sent)}`;
    }),
    remove: plan.remove.map(words),
    unseen: plan.unseen.map(words),
    blocked: plan.blocked.map(words),
    accepted: plan.accepted.map((rule) => `${words(rule)} for ${words(rule.sent!)}`),
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
    held: [`10.0.0.0/9 deny of ${temporaryMark}`, "10.0.0.0/8 deny"].map((text) =>
      text.replace(" of ", "  "),
    ),
    shared: true,
    plan: { remove: [`10.0.0.0/9 deny ${temporaryMark}`] },
  },
  "what a killed run left in the place of a rule is replaced by an entry of its range": {
    wanted: { "10.0.0.0/9": "allow" },
    held: [`10.0.0.0/9 deny  ${temporaryMark}`],
    plan: { replace: [`10.0.0.0/9 deny ${temporaryMark} > 10.0.0.0/9 allow`] },
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

describe("what an answer to a write keeps", () => {
  const [rule] = [...rulesOf({ "10.0.0.0/8": { action: "allow", description: "new" } }).values()];
  const answered = (text: string) => heldRule(object(text, 1));

  it("is another rule where its range or its action differs", () => {
    expect(otherRule(answered("10.0.0.0/8 allow lab"), rule!)).toBeUndefined();
    expect(otherRule(answered("10.0.0.0/9 allow lab"), rule!)).toEqual({
      ...{ name: "cidr", sent: "10.0.0.0/8", keptValue: "10.0.0.0/9" },
    });
    expect(otherRule(answered("10.0.0.0/8 deny lab"), rule!)).toEqual({
      ...{ name: "action", sent: "allow", keptValue: "deny" },
    });
  });

  it("was ignored where it is as it was before, in the state and in the policy", () => {
    const [known] = [...rulesOf({ "10.0.0.0/8": { action: "allow", description: "old" } }).values()];
    const ignored = (answer: string, held = "old", before: SetRule | undefined = known): unknown =>
      ignoredBy(answered(`10.0.0.0/8 allow ${answer}`), {
        ...{
          rule: rule!,
          held: answered(`10.0.0.0/8 allow ${held}`),
          changed: ["description"],
          recorded: before,
        },
      });
    expect(ignored("old")).toEqual({ name: "description", sent: "new", keptValue: "old" });
    expect(ignored("new")).toBeUndefined();
    expect(ignored("NEW")).toBeUndefined();
    expect(ignored("old", "by-hand")).toBeUndefined();
    expect(ignored("old", "old", { ...known!, description: "" })).toBeUndefined();
    const update = { rule: rule!, held: answered("10.0.0.0/8 allow old"), changed: ["description"] as const };
    expect(ignoredBy(answered("10.0.0.0/8 allow old"), { ...update, recorded: undefined })).toBeUndefined();
  });
});
