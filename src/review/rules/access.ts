/** The rules about who gains and who loses access through IP policies. */
import { families } from "../../access/block";
import type { Comparison, RangeDifference, Kind } from "../access/compare";
import { policiesOf, unplacedRanges } from "../../access/policies";
import { rangeList, rangesText } from "../../access/range-text";
import { plainDifference } from "../access/report";
import { differenceSentence } from "../access/text";
import type { ChangeRule, Context, Found, StateRule } from "../rule";
import type { InventoryObject } from "../../inventory/inventory";
import { hiddenAccess } from "./hidden";

/** The differences of some kinds, of each guarded resource and policy. */
function* found(context: Context, ...kinds: Kind[]): Generator<Found> {
  for (const comparison of [...context.access.guarded, ...context.access.policies]) {
    const differences = comparison.differences.filter(({ kind }) => kinds.includes(kind));
    const causes = differences.flatMap((each) => each.causes);
    const changed = causes.flatMap(({ rule, policy }) => rule ?? policy.policy ?? []);
    const on = comparison.on ?? changed[0];
    if (!on || differences.length === 0) continue;
    const sentences = differences.map((each) => sentence(comparison, each));
    const isError = differences.some((each) => isLarge(each, context));
    yield { on, at: changed[0]?.urn, message: sentences.join("; "), ...(isError && { severity: "error" }) };
  }
}

function sentence(comparison: Comparison, difference: RangeDifference): string {
  const isPolicy = comparison.on === undefined || comparison.on.declaration.type === "IpPolicy";
  const text = differenceSentence(plainDifference(difference), isPolicy);
  const { opens } = difference;
  return opens.length === 0 ? text : `${text}; every IPv${opens.join(" and IPv")} address is allowed now`;
}

/** Whether more people gain access than a warning is for. */
function isLarge({ kind, addresses, opens }: RangeDifference, { errorFrom }: Context): boolean {
  if (kind !== "newly allowed" && kind !== "no longer denied") return false;
  return opens.length > 0 || families.some((family) => addresses.size(family) >= errorFrom[family]);
}

const size =
  "An error at a /8 of IPv4 or a /32 of IPv6 or larger (`--error-from-ipv4`, `--error-from-ipv6`), and when every address of a family is allowed.";

export const newlyAllowed: ChangeRule = {
  id: "access/newly-allowed",
  severity: "warning",
  title: "Addresses are newly allowed",
  help: `Addresses that no policy of the resource allowed before are allowed now: a rule is added or widened, or the resource gets another policy. ${size} Another spelling, order or name, and ranges that are split or merged, are not reported.`,
  changes: (context) => found(context, "newly allowed"),
};

export const denyRemoved: ChangeRule = {
  id: "access/deny-removed",
  severity: "warning",
  title: "Addresses are no longer denied",
  help: `Addresses that a policy of the resource denied before are no longer denied: a rule is deleted or narrowed, becomes an allow rule, or the resource loses a policy. ${size}`,
  changes: (context) => found(context, "no longer denied"),
};

export const accessLost: ChangeRule = {
  id: "interruption/access-lost",
  severity: "warning",
  title: "Addresses are no longer allowed, or are newly denied",
  help: "Clients with these addresses may lose access: a rule changes, the resource gets other policies, or an IP restriction is enabled. Check that no client needs them.",
  *changes(context) {
    yield* found(context, "no longer allowed", "newly denied");
    for (const { on, before, after } of context.access.guarded) {
      if (!before || before.isRestricted || !after?.isRestricted) continue;
      const [allowed, denied] = [rangeList(after.allowed), rangeList(after.denied)].map(rangesText);
      const message = `its access was not restricted; now its policies allow ${allowed} and deny ${denied}`;
      yield { on, message };
    }
  },
};

export const unknownRanges: ChangeRule = {
  id: "access/unknown-ranges",
  severity: "warning",
  title: "Ranges are not known before the deployment",
  help: "A range, an action or a policy is only known after the deployment, or a guarded resource gains or loses a policy outside of this program. The review cannot say who gains or loses access.",
  *changes({ access, after }) {
    for (const { unknown } of policiesOf(after).values()) {
      // The rule about hidden values reports those that are secrets.
      for (const on of unknown.filter((each) => hiddenAccess(each).length === 0))
        yield { on, message: "its range or action is known only after the deployment" };
    }
    for (const { entries, possible } of unplacedRanges(after)) {
      const [entry] = [...entries, ...possible];
      if (entry && hiddenAccess(entry.from).length === 0)
        yield { on: entry.from, message: "its policy is known only after the deployment" };
    }
    for (const { on, unknownPolicies, hasUnknownPolicy } of access.guarded) {
      if (unknownPolicies.length > 0) {
        const names = unknownPolicies.join(", ");
        yield { on, message: `it gains or loses ${names}, whose ranges are not part of this program` };
      }
      if (hasUnknownPolicy && hiddenAccess(on).length === 0)
        yield { on, message: "one of its policies is known only after the deployment" };
    }
  },
};

export const openCidr: StateRule = {
  id: "access/open-cidr",
  severity: "error",
  title: "A policy allows every address",
  help: "The rules of an IP policy allow every IPv4 or IPv6 address, as `0.0.0.0/0` or `::/0` or in parts such as `0.0.0.0/1` and `128.0.0.0/1`. Allow only the ranges that need access.",
  *states(inventory) {
    for (const { policy, entries, allowed } of [
      ...policiesOf(inventory).values(),
      ...unplacedRanges(inventory),
    ]) {
      for (const family of families.filter((each) => allowed.coversFamily(each))) {
        const allows = entries.filter(({ action, block }) => action === "allow" && block.family === family);
        const whole = allows.filter(({ cidr }) => cidr.endsWith("/0"));
        for (const { cidr, from } of whole) {
          const message = `it allows ${cidr}, which is every IPv${family} address`;
          yield { on: from, field: "cidr", message };
        }
        const on: InventoryObject = policy ?? allows[0]!.from;
        if (whole.length === 0) yield { on, message: `its rules together allow every IPv${family} address` };
      }
    }
  },
};
