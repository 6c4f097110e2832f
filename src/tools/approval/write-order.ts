/** The order of the writes of one step. */
import { policyOf } from "../../schema/rule-set";
import type { Answer } from "../../schema/values";
import type { RehearsedRequest } from "../rehearsal/rehearsed-account";

type Write = Pick<RehearsedRequest, "method" | "changes">;

const rules = "ip_policy_rules";

/**
 * For each write of a step, how many writes of the step come first. A resource sends one write after the other, but a set sends
 * rules of one kind at once: those that it creates, changes, replaces or deletes, with one action.
 * @param rulesBefore the rules before the deployment, by id.
 */
export function writeOrder(writes: readonly Write[], rulesBefore: ReadonlyMap<string, Answer>): number[] {
  // The rules are not copied: a plan may have a step for each of thousands.
  const known = new Map<string, Answer>();
  const changed = writes.map(({ method, changes }) => {
    const change = changes.find(({ list }) => list === rules);
    if (change === undefined) return undefined;
    const { id, object = known.get(id) ?? rulesBefore.get(id) } = change;
    if (object === undefined) return undefined;
    known.set(id, object);
    return { method, action: object.action, place: `${String(policyOf(object))} ${String(object.cidr)}` };
  });
  const actionAt = new Map(
    changed.flatMap((each) => (each?.method === "POST" ? [[each.place, each.action]] : [])),
  );
  const gone = new Set(changed.flatMap((each) => (each?.method === "DELETE" ? [each.place] : [])));
  const kindOf = (each: (typeof changed)[number], i: number): string => {
    if (each === undefined) return `write ${i}`;
    const { method, action, place } = each;
    if (method === "PATCH") return method;
    if (gone.has(place) && actionAt.has(place)) return `replace ${String(actionAt.get(place))}`;
    return `${method} ${String(action)}`;
  };
  const kinds = changed.map(kindOf);
  let first = 0;
  return kinds.map((kind, i) => {
    if (kind !== kinds[i - 1]) first = i;
    return first;
  });
}
