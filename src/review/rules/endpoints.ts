/** The rules about bindings and traffic policies. */
import { isEmpty, isSameDocument } from "../../schema/formats/traffic-policy";
import { isRecord, isUnknown, hasUnknown } from "../../schema/unknown";
import { gatesOf } from "../../access/gates";
import type { ChangeRule, Context } from "../rule";
import type { InventoryObject } from "../../inventory/inventory";
import { knownList, pairs } from "./pairs";
import type { Pair } from "./pairs";

export const bindingPublic: ChangeRule = {
  id: "access/binding-public",
  severity: "error",
  title: "A cloud endpoint becomes public, or gets another binding",
  help: "The bindings of a cloud endpoint contain one that they did not contain, such as `public`, or its bindings are removed: the specification does not say where an endpoint without bindings is reachable. Check that everyone whom the binding lets in may reach it.",
  *changes(context) {
    for (const { old, next } of pairs(context, "CloudEndpoint")) {
      if (hasUnknown(next.outputs.bindings)) continue;
      const wasHidden = isUnknown(old.outputs.bindings);
      const from = wasHidden ? ["bindings that were hidden"] : (knownList(old.outputs.bindings) ?? []);
      const to = knownList(next.outputs.bindings) ?? [];
      const isWider = to.length === 0 ? from.length > 0 : to.some((binding) => !from.includes(binding));
      if (!isWider) continue;
      const message =
        to.length === 0
          ? `its bindings are removed: ${from.join(", ")}`
          : `its bindings change from ${from.join(", ") || "none"} to ${to.join(", ")}`;
      yield { on: next, field: "bindings", message };
    }
  },
};

/** The pairs whose traffic policy has another effect, or may have. */
function* otherPolicies(
  context: Context,
  ...types: string[]
): Generator<Pair & { readonly from: unknown; readonly to: unknown }> {
  for (const { old, next } of pairs(context, ...types)) {
    const [from, to] = [trafficPolicy(old), trafficPolicy(next)];
    if (!isUnknown(to) && !isSameDocument(from, to)) yield { old, next, from, to };
  }
}

export const trafficPolicyEmptied: ChangeRule = {
  id: "access/traffic-policy-emptied",
  severity: "error",
  title: "The traffic policy of a TCP edge is emptied, disabled or removed",
  help: "The traffic policy of a TCP edge had rules with actions and has none now: it no longer restricts traffic. The rule `access/unguarded` reports cloud endpoints.",
  *changes(context) {
    for (const { next, from, to } of otherPolicies(context, "TcpEdge")) {
      if (isEmpty(from) || !isEmpty(to)) continue;
      yield { on: next, field: "trafficPolicy", message: "its traffic policy no longer has rules" };
    }
  },
};

export const trafficPolicyChanged: ChangeRule = {
  id: "access/traffic-policy-changed",
  severity: "error",
  title: "A traffic policy changes",
  help: "The review does not know what the rules of a traffic policy do: they may let other clients in, or forward traffic elsewhere. Read the change. It is a warning where another gate of the object is on, such as the IP restriction of a TCP edge, and where the object had no policy before. Another layout of the same JSON or YAML is not reported.",
  *changes(context) {
    for (const { next, from, to } of otherPolicies(context, "CloudEndpoint", "TcpEdge")) {
      if (isEmpty(to)) continue;
      const isGuarded = gatesOf(next).some(({ by, isOn }) => by !== "trafficPolicy" && isOn === true);
      const isFirst = isEmpty(from);
      const message = isFirst
        ? "it gets a traffic policy, which the review does not understand"
        : `its traffic policy changes, and the review does not understand it${isGuarded ? "" : "; no other gate restricts its traffic"}`;
      yield {
        ...{ on: next, field: "trafficPolicy", message },
        ...((isFirst || isGuarded) && { severity: "warning" as const }),
      };
    }
  },
};

/** The text of the traffic policy; undefined if there is none or it is disabled. */
function trafficPolicy({ outputs }: InventoryObject): unknown {
  const module = outputs.trafficPolicy;
  if (!isRecord(module)) return module;
  return module.enabled === false ? undefined : module.value;
}
