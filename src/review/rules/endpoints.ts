/** The rules about bindings and traffic policies. */
import { isEmpty } from "../../schema/formats/traffic-policy";
import { isRecord, isUnknown, hasUnknown } from "../../schema/unknown";
import type { ChangeRule } from "../rule";
import type { InventoryObject } from "../../inventory/inventory";
import { knownList, pairs } from "./pairs";
import { isPublic } from "./single";

export const bindingPublic: ChangeRule = {
  id: "access/binding-public",
  severity: "warning",
  title: "A cloud endpoint becomes public",
  help: "The bindings of a cloud endpoint contain `public` and did not before, or its bindings are removed: the specification does not say where an endpoint without bindings is reachable. Check that everyone may reach it.",
  *changes(context) {
    for (const { old, next } of pairs(context, "CloudEndpoint")) {
      const from = isUnknown(old.outputs.bindings)
        ? ["bindings that were hidden"]
        : (knownList(old.outputs.bindings) ?? []);
      const to = knownList(next.outputs.bindings) ?? [];
      if (from.length === 0 || isPublic(old.outputs) || hasUnknown(next.outputs.bindings)) continue;
      if (isPublic(next.outputs)) {
        const message = `its bindings change from ${from.join(", ")} to ${to.join(", ")}`;
        yield { on: next, field: "bindings", message };
      } else if (to.length === 0) {
        yield { on: next, field: "bindings", message: `its bindings are removed: ${from.join(", ")}` };
      }
    }
  },
};

export const trafficPolicyEmptied: ChangeRule = {
  id: "access/traffic-policy-emptied",
  severity: "error",
  title: "A traffic policy is emptied, disabled or removed",
  help: "The traffic policy of a cloud endpoint or TCP edge had rules and has none now: it no longer restricts traffic.",
  *changes(context) {
    for (const { old, next } of pairs(context, "CloudEndpoint", "TcpEdge")) {
      const [from, to] = [trafficPolicy(old), trafficPolicy(next)];
      // The rule about endpoints without a policy reports a policy that is removed from one.
      const isReported = next.declaration.type === "CloudEndpoint" && (to === undefined || to === "");
      if (isReported || isUnknown(to) || isEmpty(from) || !isEmpty(to)) continue;
      yield { on: next, field: "trafficPolicy", message: "its traffic policy no longer has rules" };
    }
  },
};

/** The text of the traffic policy; undefined if there is none or it is disabled. */
function trafficPolicy({ outputs }: InventoryObject): unknown {
  const module = outputs.trafficPolicy;
  if (!isRecord(module)) return module;
  return module.enabled === false ? undefined : module.value;
}
