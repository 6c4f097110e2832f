/** Random pairs of worlds for the oracle, and what it is asked about them. */
import fc from "../support/fast-check";
import type { Action, Answers, Guard, Policy, Rule } from "./oracle";
import type { Range } from "./ranges";

/** Known, known only after the deployment, or hidden as a secret. */
export type Visibility = "known" | "unknown" | "hidden";

export interface RuleSpec {
  readonly action: Action;
  readonly range: Range;
  readonly actionIs: Visibility;
  readonly rangeIs: Visibility;
  /** Of the policy's id: `flow` is not known, and comes from the policy; `lost` comes from nowhere. */
  readonly policyIs: "known" | "flow" | "lost";
  readonly end: number;
}

export interface PolicySpec {
  /** `own`: of the program; `list`: of an IpAccessList; `read`: only read; `outside`: the program has its id alone. */
  readonly kind: "own" | "list" | "read" | "outside";
  readonly exists: boolean;
  readonly rules: readonly RuleSpec[];
  readonly form: "rules" | "set" | "open set" | "maybe open set" | "unknown set";
}

export interface PlaceSpec {
  readonly exists: boolean;
  readonly enabled: boolean | "unset" | "unknown" | "hidden";
  readonly uses: readonly number[];
  /** What is not known of the list of policies. */
  readonly list: "known" | "one unknown" | "unknown" | "all unknown" | "hidden";
}

export type Switch = "none" | "on" | "off" | "unknown" | "hidden";

export interface World {
  readonly policies: readonly PolicySpec[];
  /** Two TCP edges, and the module of a TLS edge. */
  readonly places: readonly PlaceSpec[];
  /** The OIDC, OAuth and webhook modules of a route. */
  readonly modules: readonly Switch[];
  /** The traffic policies of the first edge and of a cloud endpoint. */
  readonly traffic: readonly Switch[];
}

/** What an access test asks about a place. */
export interface Question {
  readonly place: number;
  readonly ranges: readonly Range[];
}

export interface Pair {
  readonly before: World;
  readonly after: World;
  readonly answers: Answers;
  /** One for each of what is asked: a preview, a stack and an account. */
  readonly questions: readonly Question[];
  /** Whether other spellings of the first world are asked about, or else the way back: each takes as long as all the rest. */
  readonly isRespelled: boolean;
}

export const placeTypes = ["TcpEdge", "TcpEdge", "TlsEdgeIpRestriction"] as const;

const bases = [
  ...Array.from({ length: 4 }, () => ({ family: 4, base: 0x0a000000n }) as const),
  { family: 6, base: 0x20010db8n << 96n },
  { family: 6, base: (0xffffn << 32n) + 0x0a000000n },
  { family: 6, base: (0x64ff9bn << 96n) + 0x0a000000n },
  { family: 6, base: 0x0a000000n },
  { family: 6, base: (0xffffn << 48n) + 0x0a000000n },
  { family: 6, base: (0x64ff9b0001n << 80n) + (0x1234n << 64n) + 0x0a000000n },
  { family: 6, base: (0x64ff9b0001n << 80n) + (0x0a00n << 64n) },
] as const;

const range = fc
  .tuple(fc.constantFrom(...bases), fc.nat(7), fc.constantFrom(0, 0, 1, 2, 3, 3, 99))
  .map(([{ family, base }, low, hostBits]): Range => {
    const width = family === 4 ? 32 : 128;
    const bits = BigInt(hostBits === 99 ? width : hostBits);
    return { family, value: ((base + BigInt(low)) >> bits) << bits, prefix: width - Number(bits) };
  });

/** Mostly the first value; each of the others with the weight 1. */
const mostly = <T>(weight: number, usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.nat(weight + others.length - 1).map((n) => others[n - weight] ?? usual);

/** How much of a world is known: all, all but secrets, or not all. */
type Knowledge = "all" | "secrets" | "some";

const worldOf = (knowledge: Knowledge): fc.Arbitrary<World> => {
  const or = <T>(weight: number, usual: T, hidden: readonly T[], open: readonly T[]): fc.Arbitrary<T> =>
    mostly(weight, usual, ...(knowledge === "all" ? [] : hidden), ...(knowledge === "some" ? open : []));
  const visibility = or<Visibility>(16, "known", ["hidden"], ["unknown"]);
  const rule = fc.record({
    action: fc.constantFrom<Action>("allow", "allow", "deny"),
    range,
    actionIs: visibility,
    rangeIs: visibility,
    policyIs: or<RuleSpec["policyIs"]>(20, "known", [], ["flow", "lost"]),
    end: fc.constantFrom(Infinity, Infinity, 2020, 2025, 2030, 2040),
  });
  const policy = fc.record({
    kind: fc.constantFrom<PolicySpec["kind"]>("own", "own", "own", "list", "read", "outside"),
    exists: mostly(7, true, false),
    rules: fc.array(rule, { maxLength: 3 }),
    form: fc
      .tuple(
        fc.constantFrom<PolicySpec["form"]>("rules", "rules", "set", "set", "open set"),
        or<PolicySpec["form"] | undefined>(20, undefined, [], ["maybe open set", "unknown set"]),
      )
      .map(([usual, open]) => open ?? usual),
  });
  const place = fc.record({
    exists: mostly(1, true, false),
    enabled: fc
      .tuple(
        mostly<boolean | "unset">(8, "unset", true, false),
        or<"unknown" | "hidden" | undefined>(24, undefined, ["hidden"], ["unknown"]),
      )
      .map(([usual, open]) => open ?? usual),
    uses: fc.constantFrom([0], [1], [0, 1], [0, 1], [1, 2], [0, 1, 2], []),
    list: or<PlaceSpec["list"]>(16, "known", ["hidden"], ["one unknown", "unknown", "all unknown"]),
  });
  const gate = (weight: number): fc.Arbitrary<Switch> =>
    fc
      .tuple(
        fc.constantFrom<Switch>("none", "none", "on", "off"),
        or<Switch | undefined>(weight, undefined, ["hidden"], ["unknown"]),
      )
      .map(([usual, open]) => open ?? usual);
  return fc.record({
    policies: fc.tuple(policy, policy, policy),
    places: fc.tuple(place, place, place),
    modules: fc.tuple(gate(6), gate(6), gate(6)),
    traffic: fc.tuple(gate(6), gate(6)),
  });
};

export const answerValues = {
  overlap: ["unknown", "deny-wins", "allow-wins"],
  unmatched: ["unknown", "denied", "allowed"],
  empty: ["unknown", "open", "closed"],
  policies: ["unknown", "any", "all"],
} as const;

/** A third of the teams has no answer: the default. */
const answers: fc.Arbitrary<Answers> = fc.oneof(
  fc.constant<Answers>({ overlap: "unknown", unmatched: "unknown", empty: "unknown", policies: "unknown" }),
  ...[1, 2].map(() =>
    fc.record<Answers>({
      overlap: fc.constantFrom(...answerValues.overlap),
      unmatched: fc.constantFrom(...answerValues.unmatched),
      empty: fc.constantFrom(...answerValues.empty),
      policies: fc.constantFrom(...answerValues.policies),
    }),
  ),
);

const question = fc.record({ place: fc.nat(2), ranges: fc.array(range, { minLength: 1, maxLength: 3 }) });

/** Half of the second worlds are small changes of the first. Who a policy belongs to does not change. */
export const pairs: fc.Arbitrary<Pair> = fc.nat(4).chain((kind) => {
  // The engine knows everything that is deployed; only the reader may not.
  const old = worldOf(kind === 0 ? "all" : kind === 1 ? "secrets" : "all");
  const next = worldOf(kind === 0 ? "some" : kind === 1 ? "secrets" : "all");
  return fc
    .record({
      old,
      next,
      answers,
      questions: fc.tuple(question, question, question),
      isRespelled: fc.boolean(),
    })
    .map(({ old: before, next: other, ...rest }): Pair => {
      const [first, ...others] = other.policies;
      const near: World = {
        ...other,
        policies: [first!, ...before.policies.slice(1)],
        places: before.places.map((place, i) =>
          i === 0 ? { ...place, uses: other.places[0]!.uses } : place,
        ),
      };
      const after = kind < 3 ? { ...other, policies: [first!, ...others] } : near;
      const policies = after.policies.map((each, i) => ({ ...each, kind: before.policies[i]!.kind }));
      return { before, after: { ...after, policies }, ...rest };
    });
});

/** A single rule of a policy, or the entries of its set: an entry has a known key, which stands once, and a policy. */
export interface Declared {
  readonly single: readonly { readonly rule: RuleSpec; readonly source: string }[];
  readonly entries: readonly RuleSpec[];
  readonly hasSet: boolean;
}

export function declared({ kind, form, rules, exists }: PolicySpec, index: number): Declared {
  if (!exists && kind !== "outside") return { single: [], entries: [], hasSet: false };
  const isList = kind === "list";
  const hasSet = isList || form !== "rules";
  const inSet = (rule: RuleSpec): boolean =>
    hasSet && rule.rangeIs === "known" && rule.policyIs === "known" && !(isList && rule.actionIs !== "known");
  const single = isList ? [] : rules.filter((rule) => !inSet(rule));
  const distinct = new Map(rules.filter(inSet).map((rule) => [keyOf(rule.range), rule]));
  // What is outside is no resource that an id could come from.
  const placed = (rule: RuleSpec): RuleSpec =>
    kind === "outside" && rule.policyIs === "flow" ? { ...rule, policyIs: "lost" } : rule;
  return {
    single: single.map((rule, i) => ({ rule: placed(rule), source: `r${index}-${i}` })),
    entries: [...distinct.values()],
    hasSet,
  };
}

function keyOf({ family, value, prefix }: Range): string {
  return `${family} ${value}/${prefix}`;
}

/** Where a world is seen: the account shows what no program knows, and what is hidden. */
export type View = "before" | "after" | "account";

function ruleOf(rule: RuleSpec, source: string, isInSet: boolean, view: View): Rule {
  const shows = (is: Visibility): boolean => is === "known" || view === "account";
  return {
    action: shows(rule.actionIs) ? rule.action : "unknown",
    range: shows(rule.rangeIs) ? rule.range : "unknown",
    isHere: rule.policyIs === "known" || view === "account" ? true : "unknown",
    end: isInSet && view !== "account" && rule.actionIs === "known" ? rule.end : Infinity,
    source,
  };
}

/** The policies of a world: `earlier` is the world before it, which the program of a deployment comes from. */
function policiesOf(world: World, view: View, earlier: World = world): Policy[] {
  const all = world.policies.map((spec, index) => declared(spec, index));
  const lost = all.flatMap(({ single }) => single.filter(({ rule }) => rule.policyIs === "lost"));
  return world.policies.map((spec, index): Policy => {
    const name = `p${index}`;
    const { kind, form, exists } = spec;
    const { single, entries, hasSet } = all[index]!;
    const entriesHere = entries.map((rule) => ruleOf(rule, `s${index}`, true, view));
    if (view === "account") {
      const rules = [...single.map(({ rule, source }) => ruleOf(rule, source, false, view)), ...entriesHere];
      return { name, hasOthers: false, rules: exists ? rules : [], open: [], isGone: !exists };
    }
    // A preview shows what the deployment deletes; a stack does not show what has been there.
    const wasThere = view === "after" && earlier.policies[index]!.exists;
    if (!exists && wasThere && (kind === "own" || kind === "list"))
      return { name, hasOthers: false, rules: [], open: [], isGone: true };
    const isFixed = view === "after" && isNew(world, index, earlier);
    const here = single.filter(({ rule }) => rule.policyIs !== "lost");
    const rules = [
      ...here.map(({ rule, source }) =>
        ruleOf(isFixed ? { ...rule, policyIs: "known" } : rule, source, false, view),
      ),
      ...lost.map(({ rule, source }) => ruleOf(rule, source, false, view)),
    ];
    const isIn = (...forms: readonly PolicySpec["form"][]): boolean =>
      hasSet && kind !== "list" && forms.includes(form);
    const isThere = exists || kind === "outside" || wasThere;
    return {
      name: isThere ? name : `id of ${name}`,
      hasOthers: !exists || kind === "read" || kind === "outside" || isIn("open set", "maybe open set"),
      rules: isIn("unknown set") ? rules : [...rules, ...entriesHere],
      open: isIn("unknown set") ? [`s${index}`] : [],
      isGone: false,
    };
  });
}

/** Whether the program has the policy as a resource, whose id a preview takes from it. */
export function isResource({ kind, exists }: PolicySpec): boolean {
  return exists && kind !== "outside";
}

/** Whether a deployment creates the policy, so that its id is not known before it. */
export function isNew(world: World, index: number, earlier: World): boolean {
  const [now, then] = [world.policies[index]!, earlier.policies[index]!];
  return isResource(now) && !isResource(then) && now.kind !== "read";
}

export function guardOf(world: World, place: number, view: View, earlier: World = world): Guard {
  const spec = world.places[place]!;
  const list = view === "account" ? "known" : spec.list;
  const isModule = placeTypes[place] === "TlsEdgeIpRestriction";
  const all = policiesOf(world, view, earlier);
  const isCreated = (index: number): boolean => view === "after" && isNew(world, index, earlier);
  const isWhole = list === "unknown" || list === "all unknown" || list === "hidden";
  // With another id that is not known, those of new policies could be in either place.
  const certain = spec.uses.filter((index) => !isWhole && !(list === "one unknown" && isCreated(index)));
  const flows = spec.uses.filter((index) => isResource(world.policies[index]!));
  const meant = isWhole ? flows : spec.uses;
  const enabled =
    view !== "account" &&
    (spec.enabled === "unknown" || spec.enabled === "hidden" || (list === "all unknown" && !isModule))
      ? "unknown"
      : spec.enabled !== false;
  return {
    enabled,
    isOpenList: isWhole,
    hasUnknown: list === "one unknown",
    policies: certain.map((index) => all[index]!),
    meant: meant.map((index) => all[index]!),
  };
}

/** The ranges that decide in a pair of worlds, and those that its questions are about. */
export function rangesIn({ before, after, questions }: Pair): Range[] {
  const rules = [before, after].flatMap(({ policies }) => policies.flatMap((each) => each.rules));
  return [...rules.map((rule) => rule.range), ...questions.flatMap(({ ranges }) => ranges)];
}

/** Whether a review of the way back sees as much as one of the way there. */
export function isMirrored({ before, after }: Pair): boolean {
  return [before, after].every(({ policies, places }) => {
    const isSeen = policies.every(
      ({ rules, form }) =>
        rules.every(
          (each) => each.actionIs === "known" && each.rangeIs === "known" && each.policyIs === "known",
        ) &&
        form !== "maybe open set" &&
        form !== "unknown set",
    );
    // The stack does not show that a policy is gone, and a deployment does.
    return (
      isSeen &&
      places.every(
        ({ list, enabled, uses, exists }) =>
          !exists ||
          (list === "known" &&
            enabled !== "unknown" &&
            enabled !== "hidden" &&
            uses.every((index) => policies[index]!.exists || policies[index]!.kind === "outside")),
      )
    );
  });
}
