/** The rules about IP policies and their rules. */
import { contains } from "../../schema/formats/cidr";
import { Ranges } from "../ranges";
import { named } from "../rule";
import type { ChangeRule, Context, Found, StateRule } from "../rule";
import type { Resource, World } from "../world";

/** The rules of every policy; a policy that is no resource here stands by its id. */
function byPolicy(world: World): Map<string, Resource[]> {
  const found = new Map<string, Resource[]>();
  for (const rule of world.ofType("IpPolicyRule")) {
    for (const policy of world.targets(rule, "ipPolicyId")) {
      const rules = found.get(policy);
      if (rules) rules.push(rule);
      else found.set(policy, [rule]);
    }
  }
  return found;
}

function rangesOf(rules: readonly Resource[], action?: string): Ranges<Resource> {
  const ranges = new Ranges<Resource>();
  for (const rule of rules) {
    if (action === undefined || rule.values.action === action) ranges.add(rule.values.cidr, rule);
  }
  return ranges;
}

function* removedDenials({ before, after }: Context): Generator<Found> {
  const denials = new Map([...byPolicy(after)].map(([urn, rules]) => [urn, rangesOf(rules, "deny")]));
  for (const rule of before.ofType("IpPolicyRule")) {
    const { action, cidr } = rule.values;
    const policy = before.targets(rule, "ipPolicyId")[0];
    if (action !== "deny" || typeof cidr !== "string" || policy === undefined) continue;
    // What becomes of those who refer to a policy that goes is a rule of its own.
    if (before.all.has(policy) && !after.all.has(policy)) continue;
    const denied = denials.get(policy);
    if (denied && (denied.at(cidr).length > 0 || denied.around(cidr).length > 0)) continue;
    const next = after.all.get(rule.urn);
    yield { on: rule, field: "action", message: lost(cidr, next, policy, after) };
  }
}

function lost(cidr: string, next: Resource | undefined, policy: string, after: World): string {
  const now = `${cidr} is no longer denied`;
  if (!next) return `the rule is deleted: ${now}`;
  if (next.values.action === "allow") {
    const same = next.values.cidr === cidr;
    return same ? `flipped from deny to allow: ${cidr} gets in` : `flipped from deny to allow: ${now}`;
  }
  if (after.targets(next, "ipPolicyId")[0] !== policy) return `moved to another policy: ${now} by this one`;
  const narrowed = typeof next.values.cidr === "string" && contains(cidr, next.values.cidr);
  return narrowed
    ? `narrowed to ${String(next.values.cidr)}: the rest of ${now}`
    : `the range changes: ${now}`;
}

export const denyRemoved: ChangeRule = {
  id: "access/deny-removed",
  severity: "error",
  title: "A deny rule is removed, flipped or narrowed",
  help: "Addresses that a policy denied are no longer denied by any rule of it. A rule that only gets another name, or whose range another deny rule covers, is not reported.",
  changes: removedDenials,
};

export const lastRule: ChangeRule = {
  id: "access/last-rule",
  severity: "error",
  title: "A policy loses its last rule",
  help: "A policy without rules neither allows nor denies any address. Whatever refers to it has zero rules.",
  needsAll: true,
  *changes({ before, after }) {
    const [old, next] = [byPolicy(before), byPolicy(after)];
    for (const policy of after.ofType("IpPolicy")) {
      const rules = old.get(policy.urn)?.length ?? 0;
      if (rules === 0 || next.has(policy.urn)) continue;
      const lost = rules === 1 ? "its only rule is" : `all of its ${rules} rules are`;
      yield { on: policy, message: `${lost} deleted: whatever refers to it has zero rules` };
    }
  },
};

export const policyDeletedInUse: ChangeRule = {
  id: "access/policy-deleted-in-use",
  severity: "error",
  title: "A policy that others refer to is deleted",
  help: "The service deletes a policy that is in use, and the objects that refer to it behave as if it had zero rules (specification, States and transitions). The reference is a plain id, which Pulumi does not see as a dependency: use the `id` of the resource.",
  needsAll: true,
  *changes({ before, after }) {
    for (const policy of before.ofType("IpPolicy")) {
      const next = after.all.get(policy.urn);
      if (policy.id === undefined || next?.id === policy.id) continue;
      const users = after.idReferences(policy.id).filter(({ from }) => from.type !== "IpPolicyRule");
      if (users.length === 0) continue;
      const names = [...new Set(users.map(({ from }) => named(from)))].join(", ");
      const what = next ? "replaced, and the old one deleted" : "deleted";
      yield {
        on: policy,
        message: `${what}, while ${names} still refer to it: they behave as if it has zero rules`,
      };
    }
  },
};

export const unusedPolicy: StateRule = {
  id: "hygiene/unused-policy",
  severity: "note",
  title: "A policy that nothing uses",
  help: "Nothing in this program refers to the policy, and a policy has no effect on traffic by itself (specification, States and transitions). If an object outside of the program uses it, silence this rule for the policy.",
  needsAll: true,
  *states(world) {
    for (const policy of world.ofType("IpPolicy")) {
      const users = world.referrers(policy.urn).filter(({ from }) => from.type !== "IpPolicyRule");
      if (users.length === 0) yield { on: policy, message: "nothing in this program uses it" };
    }
  },
};

export const shadowedRule: StateRule = {
  id: "hygiene/shadowed-rule",
  severity: "note",
  title: "A rule that another rule of its policy covers",
  help: "The narrowest range around it in the same policy has the same action, or another rule has the same range: the rule has no effect. Remove it, or check its action.",
  needsAll: true,
  *states(world) {
    for (const rules of byPolicy(world).values()) {
      const ranges = rangesOf(rules);
      for (const rule of rules) {
        const { cidr, action } = rule.values;
        const twin = ranges.at(cidr)[0];
        if (twin && twin !== rule) {
          yield { on: rule, field: "cidr", message: `${String(cidr)} stands in ${named(twin)} already` };
          continue;
        }
        const wider = ranges.around(cidr)[0];
        if (!wider || wider.values.action !== action) continue;
        const covered = `${String(cidr)} lies in ${String(wider.values.cidr)} of ${named(wider)}`;
        yield { on: rule, field: "cidr", message: `${covered}, with the same action` };
      }
    }
  },
};
