/** The kinds of situations in a pair of worlds: a run in which one of them never occurs has asked too little. */
import { expectations, kinds } from "./oracle";
import type { Answers } from "./oracle";
import { embedded } from "./ranges";
import { answerValues, declared, isMirrored, isNew, isResource, placeTypes } from "./worlds";
import type { Pair, PlaceSpec, RuleSpec, World } from "./worlds";

const rulesOf = ({ policies }: World): RuleSpec[] =>
  policies.flatMap(({ rules, exists }) => (exists ? rules : []));
const placesOf = ({ places }: World): PlaceSpec[] => places.filter(({ exists }) => exists);

const inWorld: Readonly<Record<string, (world: World) => boolean>> = {
  "several places": (world) => placesOf(world).length > 1,
  "IP restriction module": ({ places }) =>
    places.some(({ exists }, i) => exists && placeTypes[i] === "TlsEdgeIpRestriction"),
  "OIDC module": ({ modules }) => modules[0] !== "none",
  "OAuth module": ({ modules }) => modules[1] !== "none",
  "webhook module": ({ modules }) => modules[2] !== "none",
  "modules on a route together": ({ modules }) => modules.filter((each) => each !== "none").length > 1,
  "module that is not known": ({ modules }) => modules.includes("unknown"),
  "secret module": ({ modules }) => modules.includes("hidden"),
  "no policy": (world) => placesOf(world).some(({ uses, list }) => uses.length === 0 && list === "known"),
  disabled: (world) => placesOf(world).some(({ enabled }) => enabled === false),
  "enabled not known": (world) => placesOf(world).some(({ enabled }) => enabled === "unknown"),
  "secret enabled": (world) => placesOf(world).some(({ enabled }) => enabled === "hidden"),
  "one policy not known": (world) => placesOf(world).some(({ list }) => list === "one unknown"),
  "list not known": (world) => placesOf(world).some(({ list }) => list === "unknown"),
  "restriction not known": (world) => placesOf(world).some(({ list }) => list === "all unknown"),
  "secret list": (world) => placesOf(world).some(({ list }) => list === "hidden"),
  "range not known": (world) => rulesOf(world).some(({ rangeIs }) => rangeIs === "unknown"),
  "secret range": (world) => rulesOf(world).some(({ rangeIs }) => rangeIs === "hidden"),
  "action not known": (world) => rulesOf(world).some(({ actionIs }) => actionIs === "unknown"),
  "secret action": (world) => rulesOf(world).some(({ actionIs }) => actionIs === "hidden"),
  "policy of a rule not known": (world) => rulesOf(world).some(({ policyIs }) => policyIs === "lost"),
  "policy of a rule by data flow": (world) => rulesOf(world).some(({ policyIs }) => policyIs === "flow"),
  IpAccessList: ({ policies }) => policies.some((each) => each.kind === "list" && each.exists),
  "policy that is only read": ({ policies }) => policies.some((each) => each.kind === "read" && each.exists),
  "policy outside": ({ policies }) => policies.some(({ kind }) => kind === "outside"),
  "policy without rules": ({ policies }) =>
    policies.some((each) => isResource(each) && each.rules.length === 0),
  "exclusive: false": ({ policies }) => policies.some((each) => isResource(each) && each.form === "open set"),
  "exclusive not known": ({ policies }) =>
    policies.some((each) => isResource(each) && each.form === "maybe open set"),
  "set not known": ({ policies }) => policies.some((each) => isResource(each) && each.form === "unknown set"),
  until: ({ policies }) =>
    policies.some((each, i) => declared(each, i).entries.some(({ end }) => end !== Infinity)),
  "end in the past": ({ policies }) =>
    policies.some((each, i) => declared(each, i).entries.some(({ end }) => end < 2026)),
  "set with an entry that is not known beside known ones": ({ policies }) =>
    policies.some((each, i) => {
      const { entries } = declared(each, i);
      const known = entries.filter(({ actionIs }) => actionIs === "known");
      return known.length > 0 && known.length < entries.length;
    }),
  "embedded IPv4": (world) =>
    rulesOf(world).some(({ action, range }) => action === "allow" && embedded(range).length > 0),
};

const deletes = ({ before, after }: Pair, index: number): boolean =>
  isResource(before.policies[index]!) && !after.policies[index]!.exists;

const betweenWorlds: Readonly<Record<string, (pair: Pair) => boolean>> = {
  "new policy in use": ({ before, after }) =>
    placesOf(after).some(({ uses }) => uses.some((index) => isNew(after, index, before))),
  "deleted policy in use": (pair) =>
    placesOf(pair.after).some(({ uses }) => uses.some((index) => deletes(pair, index))),
  "new place": ({ before, after }) =>
    after.places.some(({ exists }, i) => exists && !before.places[i]!.exists),
  "deleted place": ({ before, after }) =>
    before.places.some(({ exists }, i) => exists && !after.places[i]!.exists),
  "way back": (pair) => isMirrored(pair) && !pair.isRespelled,
  "other spelling": ({ isRespelled }) => isRespelled,
  ...Object.fromEntries(
    Object.entries(answerValues).flatMap(([member, values]) =>
      values.map((value) => [
        `${member} ${value}`,
        ({ answers }: Pair) => answers[member as keyof Answers] === value,
      ]),
    ),
  ),
};

/** The situations of a pair, each once. */
export function situationsOf(pair: Pair): string[] {
  const worlds = [pair.before, pair.after];
  const found = Object.entries(inWorld).filter(([, occurs]) => worlds.some(occurs));
  const between = Object.entries(betweenWorlds).filter(([, occurs]) => occurs(pair));
  return [...found, ...between].map(([what]) => what);
}

/** What a run must have asked about: each situation, each verdict of each source, each outcome and each difference. */
export const wanted: readonly string[] = [
  ...Object.keys(inWorld),
  ...Object.keys(betweenWorlds),
  ...["preview", "stack", "account"].flatMap((source) => [
    ...["allowed", "denied", "undecided", "unmatched", "open"].map((verdict) => `${source} ${verdict}`),
    ...["1 module", "2 modules", "3 modules"].map((modules) => `${source} route with ${modules}`),
    `${source} traffic policy on`,
    `${source} traffic policy off`,
  ]),
  ...["preview unknown", "stack unknown"],
  ...expectations.flatMap((each) => [`${each} holds`, `${each} fails`, `${each} fails later`]),
  ...kinds,
  ...["allowed for longer until an end", "no difference", "clients change", "clients stay"],
  ...["kept access lost", "kept access stays"],
  ...["mirrored newly allowed", "mirrored newly denied", "mirrored nothing"],
];
