/** The rules about bindings and traffic policies. */
import { isEmpty, isSameDocument } from "../../access/traffic-policy";
import { hasUnknown, isUnknown, itemsOf } from "../../../schema/unknown";
import { gatesOf, trafficPolicyOf } from "../../access/gates";
import type { ChangeRule, Context } from "../rule";
import { newObjects, pairs, pairsOf } from "./each";

/** The traffic policies that are new or have, or may have, another effect. */
function otherPolicies(context: Context, ...types: string[]) {
  const created = [...newObjects(context)].filter(({ declaration }) => types.includes(declaration.type));
  const all = [
    ...pairsOf(context, types).map(({ old, next }) => ({ next, from: trafficPolicyOf(old) })),
    ...created.map((next) => ({ next, from: undefined })),
  ].map((each) => ({ ...each, to: trafficPolicyOf(each.next) }));
  return all.filter(({ from, to }) => !isUnknown(to) && !isSameDocument(from, to));
}

export const endpointRules: readonly ChangeRule[] = [
  {
    id: "access/traffic-policy-emptied",
    severity: "error",
    title: "The traffic policy of a TCP edge is emptied, disabled or removed",
    help: "It had rules with actions and has none now. `access/unguarded` reports cloud endpoints.",
    *changes(find, context) {
      for (const { next, from, to } of otherPolicies(context, "TcpEdge")) {
        if (isUnknown(from) || isEmpty(from) || !isEmpty(to)) continue;
        yield find(next, "its traffic policy no longer has rules", { field: "trafficPolicy" });
      }
    },
  },
  {
    id: "access/traffic-policy-changed",
    severity: "error",
    title: "A traffic policy changes",
    help: "The review does not know what its rules do: read the change. It is a warning if another gate of the object is on, or if the object is new or had no policy before.",
    *changes(find, context) {
      for (const { next, from, to } of otherPolicies(context, "CloudEndpoint", "TcpEdge")) {
        if (isEmpty(to)) continue;
        const hasOtherGate = gatesOf(next).some(({ by, isOn }) => by !== "trafficPolicy" && isOn === true);
        const isFirst = isEmpty(from);
        const message = isFirst
          ? "it gets a traffic policy, which the review does not understand"
          : `its traffic policy changes, and the review does not understand it${hasOtherGate ? "" : "; no other gate restricts its traffic"}`;
        const severity = isFirst || hasOtherGate ? "warning" : undefined;
        yield find(next, message, { field: "trafficPolicy", severity });
      }
    },
  },
  {
    id: "access/binding-public",
    severity: "error",
    title: "A cloud endpoint becomes public, or gets another binding",
    help: "Check that everyone whom the binding lets in may reach it.",
    changes: pairs(["CloudEndpoint"], (old, next) => {
      if (hasUnknown(next.values.bindings)) return undefined;
      const wasHidden = isUnknown(old.values.bindings);
      const from = wasHidden ? ["bindings that were hidden"] : itemsOf(old.values.bindings);
      const to = itemsOf(next.values.bindings);
      const isWider = to.length === 0 ? from.length > 0 : to.some((binding) => !from.includes(binding));
      if (!isWider) return undefined;
      const message =
        to.length === 0
          ? `its bindings are removed: ${from.join(", ")}`
          : `its bindings change from ${from.join(", ") || "none"} to ${to.join(", ")}`;
      return { field: "bindings", message };
    }),
  },
];
