/** One edge with random policies in a universe of 32 addresses, as a stack and as what the oracle of access takes. */
import fc from "../../../support/fast-check";
import type { Inventory } from "../../../../src/tools/inventory/inventory";
import { ClientLog } from "../../../../src/tools/access/client-log";
import type { Verdict } from "../../../../src/tools/access/verdicts";
import { answerValues } from "../../../oracle/worlds";
import { contains, embedded, intervalOf, rangeOf, text } from "../../../oracle/ranges";
import type { Address } from "../../../oracle/ranges";
import { verdictOf } from "../../../oracle/oracle";
import type { Action, Answers, Guard, Rule } from "../../../oracle/oracle";
import { contentsOf } from "../../../support/recorded";

/** Every range of a /28 of IPv4, and of the NAT64 addresses that embed it. */
const ranges = [28, 29, 30, 31, 32].flatMap((prefix) =>
  Array.from({ length: 1 << (prefix - 28) }, (_, i) => {
    const last = i << (32 - prefix);
    return [`10.0.0.${last}/${prefix}`, `64:ff9b::a00:${last.toString(16)}/${prefix + 96}`];
  }).flat(),
);
/** Every address of these ranges, IPv4 first. */
export const addresses: readonly Address[] = ranges
  .map(rangeOf)
  .filter(({ family, prefix }) => prefix === (family === 4 ? 32 : 128))
  .toSorted((a, b) => a.family - b.family || Number(a.value - b.value));

export interface GuardedRule {
  readonly cidr: string;
  readonly action: Action;
  /** Whether it ends, long after all tests. */
  readonly ends: boolean;
}

export interface GuardedPolicy {
  readonly rules: readonly GuardedRule[];
  /** One rule set, else a resource for each rule. */
  readonly isSet: boolean;
  /** Whether other rules may stand beside those of the set. */
  readonly isShared: boolean;
}

export interface Guarded {
  /** None for an edge that nothing restricts. */
  readonly policies: readonly GuardedPolicy[];
  readonly answers: Answers;
  /** The requests of each of the addresses. */
  readonly requests: readonly number[];
}

const rule = fc.record({
  cidr: fc.constantFrom(...ranges),
  action: fc.constantFrom<Action>("allow", "allow", "deny"),
  ends: fc.constantFrom(false, false, false, true),
});
const policy = fc.record({
  rules: fc.uniqueArray(rule, { maxLength: 7, selector: ({ cidr }) => cidr }),
  isSet: fc.boolean(),
  isShared: fc.constantFrom(false, false, false, true),
});

export const guarded: fc.Arbitrary<Guarded> = fc.record({
  policies: fc.array(policy, { maxLength: 2 }),
  answers: fc.record({
    overlap: fc.constantFrom(...answerValues.overlap),
    unmatched: fc.constantFrom(...answerValues.unmatched),
    empty: fc.constantFrom(...answerValues.empty),
    policies: fc.constantFrom(...answerValues.policies),
  }),
  requests: fc.array(fc.constantFrom(0, 0, 0, 1, 2, 5), { minLength: 32, maxLength: 32 }),
});

const end = "2099-01-01T00:00:00Z";
const state = (type: string, name: string, id: string, outputs: object): object => ({
  urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tunnel-gateway:${type}::${name}`,
  ...{ id, inputs: outputs, outputs },
});

/** The stack that has the edge. A rule that ends needs a set. */
export function stackOf({ policies }: Guarded): Inventory {
  const ids = policies.map((_, i) => `ipp_${i}`);
  const resources = policies.flatMap(({ rules, isSet, isShared }, i) => {
    const ipPolicyId = ids[i]!;
    const entries = rules.map(({ cidr, action, ends }) => [cidr, ends ? { action, until: end } : action]);
    return [
      state("IpPolicy", `p${i}`, ipPolicyId, {}),
      ...(isSet
        ? [
            state("IpPolicyRuleSet", `p${i}`, ipPolicyId, {
              ...{ ipPolicyId, rules: Object.fromEntries(entries) as object, exclusive: !isShared },
            }),
          ]
        : rules.map(({ cidr, action }, at) =>
            state("IpPolicyRule", `p${i}-${at}`, `ipr_${i}_${at}`, { ipPolicyId, cidr, action }),
          )),
    ];
  });
  const edge = state("TcpEdge", "edge", "edgtcp_1", { ipRestriction: { ipPolicyIds: ids } });
  return contentsOf({ deployment: { resources: [...resources, edge] } }, "dev").inventory;
}

/** The same for the oracle. */
export function guardOf({ policies }: Pick<Guarded, "policies">): Guard {
  const all = policies.map(({ rules, isSet, isShared }, i) => ({
    ...{ name: `p${i}`, hasOthers: isSet && isShared, open: [], isGone: false },
    rules: rules.map(({ cidr, action, ends }): Rule => ({
      ...{ action, range: rangeOf(cidr), isHere: true, source: "" },
      end: ends && isSet ? Date.parse(end) : Infinity,
    })),
  }));
  return { enabled: true, isOpenList: false, hasUnknown: false, policies: all, meant: all };
}

export function verdictAt(guard: Guard, answers: Answers, address: Address): Verdict {
  return verdictOf(guard, address, answers);
}

/** Whether a rule counts for an address. */
export function covers({ cidr, action }: Pick<GuardedRule, "cidr" | "action">, address: Address): boolean {
  const range = rangeOf(cidr);
  const reach = [intervalOf(range), ...(action === "allow" ? embedded(range) : [])];
  return reach.some((each) => contains(each, address));
}

/** A log with the requests, in any order. */
export function logOf({ requests }: Pick<Guarded, "requests">): ClientLog {
  const lines = addresses.flatMap((address, i) => Array<string>(requests[i]!).fill(text(address)));
  const log = new ClientLog();
  log.push(Buffer.from(lines.toReversed().join("\n")));
  log.end();
  return log;
}
