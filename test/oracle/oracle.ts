/**
 * An oracle of who gets in, written from docs/access.md alone: it uses nothing of `src`. It answers about one address in one
 * world, by going through all that is not known.
 */

export type Action = "allow" | "deny";
export type Verdict = "allowed" | "denied" | "undecided" | "unmatched" | "open" | "unknown";

/** "What the specification leaves open". */
export interface Answers {
  readonly overlap: "unknown" | "deny-wins" | "allow-wins";
  readonly unmatched: "unknown" | "denied" | "allowed";
  readonly empty: "unknown" | "open" | "closed";
  readonly policies: "unknown" | "any" | "all";
}

export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

export interface Range extends Address {
  readonly prefix: number;
}

interface Rule {
  readonly action: Action | "unknown";
  readonly range: Range | "unknown";
}

export interface Policy {
  /** Whether it may have any rule beside its own: it is outside, only read, or has a set that is not exclusive. */
  readonly hasOthers: boolean;
  readonly rules: readonly Rule[];
}

export interface Edge {
  readonly enabled: boolean | "unknown";
  /** Without a policy nothing restricts by address. */
  readonly policies: readonly Policy[];
}

const width = (family: 4 | 6): bigint => (family === 4 ? 32n : 128n);

function contains({ family, value, prefix }: Range, address: Address): boolean {
  const bits = width(family) - BigInt(prefix);
  return family === address.family && value >> bits === address.value >> bits;
}

/** "… also counts as an allow rule for the IPv4 addresses that are the last 32 bits of it." */
function counts(range: Range, action: Action, address: Address): boolean {
  if (contains(range, address)) return true;
  if (action === "deny" || address.family === 6) return false;
  const networks = [0n, 0xffffn << 32n, 0xffffn << 48n, 0x64ff9bn << 96n];
  return (
    networks.some((network) => contains(range, { family: 6, value: network + address.value })) ||
    localForms.some((form) => range.family === 6 && hasForm(range, address.value, form))
  );
}

/** "… may follow a prefix of 48, 56, 64 or 96 bits". */
const localForms = [48n, 56n, 64n, 96n];

/** Whether the range has an address that is the IPv4 address after a prefix of 64:ff9b:1::/48, with zeros where they are due. */
function hasForm({ value, prefix }: Range, ipv4: bigint, length: bigint): boolean {
  let [at, wanted, free] = [length, 0x64ff9b0001n << 80n, 0n];
  for (let bit = 48n; bit < length; bit += 1n) if (bit < 64n || bit > 71n) free |= 1n << (127n - bit);
  for (let i = 31n; i >= 0n; i -= 1n, at += 1n) {
    if (at === 64n) at = 72n;
    wanted |= ((ipv4 >> i) & 1n) << (127n - at);
  }
  const fixed = (((1n << BigInt(prefix)) - 1n) << BigInt(128 - prefix)) & ~free;
  return (value & fixed) === (wanted & fixed);
}

/** What the rules of a policy can be for an address: whether one allows it, one denies it, and whether there is one. */
interface Facts {
  readonly allow: boolean;
  readonly deny: boolean;
  readonly isEmpty: boolean;
}

function factsOf({ hasOthers, rules }: Policy, address: Address): Facts[] {
  let all: Facts[] = [{ allow: false, deny: false, isEmpty: true }];
  const each = (next: (facts: Facts) => Facts[]): void => {
    const found = all.flatMap(next);
    all = [...new Map(found.map((facts) => [JSON.stringify(facts), facts])).values()];
  };
  for (const { action, range } of rules) {
    each((facts) =>
      (action === "unknown" ? (["allow", "deny"] as const) : [action]).flatMap((one) =>
        (range === "unknown" ? [true, false] : [counts(range, one, address)]).map((covers) => ({
          ...{ ...facts, isEmpty: false },
          ...(covers && { [one]: true }),
        })),
      ),
    );
  }
  if (hasOthers) {
    each((facts) =>
      [true, false].flatMap((allow) =>
        [true, false].flatMap((deny) => {
          const found = { allow: facts.allow || allow, deny: facts.deny || deny };
          const others = allow || deny || !facts.isEmpty ? [false] : [true, false];
          return others.map((isEmpty) => ({ ...found, isEmpty }));
        }),
      ),
    );
  }
  return all;
}

type Says = "in" | "out" | "both" | "nothing";

/** "Each policy then says of an address one of four things". */
function saysOf({ allow, deny, isEmpty }: Facts, { overlap, unmatched, empty }: Answers): Says {
  if (isEmpty) return ({ unknown: "nothing", open: "in", closed: "out" } as const)[empty];
  if (allow && deny) return ({ unknown: "both", "deny-wins": "out", "allow-wins": "in" } as const)[overlap];
  if (allow) return "in";
  if (deny) return "out";
  return ({ unknown: "nothing", denied: "out", allowed: "in" } as const)[unmatched];
}

/** "The policies together decide as follows. A policy that says nothing has no part in it". */
function together(all: readonly Says[], { policies }: Answers): Verdict {
  const said = new Set(all.filter((each) => each !== "nothing"));
  if (said.size === 0) return "unmatched";
  if (policies === "any" && said.has("in")) return "allowed";
  if (policies === "all" && said.has("out")) return "denied";
  if (said.has("both") || said.size > 1) return "undecided";
  return said.has("in") ? "allowed" : "denied";
}

/** "An address is `unknown` only where what is not known can change its verdict." */
export function verdictOf({ enabled, policies }: Edge, address: Address, answers: Answers): Verdict {
  if (enabled === false || policies.length === 0) return "open";
  const found = new Set<Verdict>(enabled === "unknown" ? ["open"] : []);
  const choices = policies.map((policy) => [
    ...new Set(factsOf(policy, address).map((facts) => saysOf(facts, answers))),
  ]);
  const go = (said: readonly Says[]): void => {
    const next = choices[said.length];
    if (next === undefined) found.add(together(said, answers));
    else for (const each of next) go([...said, each]);
  };
  go([]);
  return found.size === 1 ? [...found][0]! : "unknown";
}

/** Whether an access test that asks about one address holds. */
export function holds(
  edge: Edge,
  expectation: "allowed" | "denied" | "notAllowed",
  address: Address,
  answers: Answers,
): boolean {
  const verdict = verdictOf(edge, address, answers);
  if (expectation !== "notAllowed") return verdict === expectation;
  if (verdict === "unmatched") return unmatchedIsFine(edge, answers);
  return verdict === "denied";
}

/** "… none is `unmatched` where a policy has no allow rule"; "if `policies` is `all`, one policy with an allow rule is enough". */
function unmatchedIsFine({ policies }: Edge, answers: Answers): boolean {
  const allows = policies.map(({ rules }) =>
    rules.some(({ action, range }) => action === "allow" && range !== "unknown"),
  );
  return answers.policies === "all" ? allows.includes(true) : !allows.includes(false);
}

/** A rule of which nothing but its existence is known: no test asks about its only address. */
const somewhere: Rule = { action: "deny", range: { family: 6, value: (1n << 128n) - 1n, prefix: 128 } };

/** What is known of what an edge lets in and keeps out: a review reports the differences of these. */
export function known(
  edge: Edge,
  address: Address,
  answers: Answers,
): { letsIn: boolean; keepsOut: boolean } {
  const policies = edge.policies.map(({ hasOthers, rules }): Policy => {
    const sure = rules.filter(({ action, range }) => action !== "unknown" && range !== "unknown");
    return { hasOthers: false, rules: hasOthers || sure.length < rules.length ? [...sure, somewhere] : sure };
  });
  const verdict = verdictOf({ enabled: true, policies }, address, answers);
  return {
    letsIn: verdict === "allowed" || verdict === "undecided",
    keepsOut: verdict === "denied" || verdict === "undecided",
  };
}
