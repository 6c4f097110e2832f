/** The rules about the modules that guard edges and routes: IP restriction, OIDC, OAuth, webhook verification. */
import { gatesByPlace, gatesOf, guardedPlace } from "../../access/gates";
import type { GateState } from "../../access/gates";
import { policyPrefix } from "../../access/policies";
import { keyOf } from "../../inventory/inventory";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { idIn } from "../../provider/path";
import type { ChangeRule, Context } from "../rule";

/** The gate of a resource that guards; rules of their own compare traffic policies. */
function guardOf(on: InventoryObject): GateState | undefined {
  return gatesOf(on).find(({ by }) => by !== "trafficPolicy");
}

/** Whether a guard exists and is enabled, or may be: a rule of its own reports what is not known before the deployment. */
export function isOn(on: InventoryObject): boolean {
  return guardOf(on)!.isOn !== false;
}

/** The edge, or edge and route, that a module resource belongs to. */
function addressOf({ declaration, outputs }: InventoryObject): string {
  return idIn(declaration.path, outputs);
}

/** Whether another module in place of this one, or another way to sign in, guards the same edge or route. */
function staysGuarded({ on, by }: GateState, after: Inventory): boolean {
  const place = guardedPlace(on);
  const others = gatesByPlace(after).get(place) ?? [];
  const next = after.all.get(keyOf(on));
  // A place has one module of a type: a second resource of it says nothing while the first one stays.
  const stays = next !== undefined && guardedPlace(next) === place;
  const isOther = (other: GateState): boolean =>
    stays ? other.on.declaration !== on.declaration : keyOf(other.on) !== keyOf(on);
  return others.some((other) => other.by === by && isOther(other) && other.isOn !== false);
}

interface Guarded {
  readonly gate: GateState;
  readonly old: InventoryObject;
  readonly next: InventoryObject | undefined;
}

/** The modules that guard before the deployment. */
function* guarded({ before, after }: Context): Generator<Guarded> {
  for (const old of before.all.values()) {
    const gate = guardOf(old);
    if (gate && gate.isOn !== false) yield { gate, old, next: after.all.get(keyOf(old)) };
  }
}

export const moduleDisabled: ChangeRule = {
  id: "access/module-disabled",
  severity: "error",
  title: "A module that guards an edge or route is disabled",
  help: "An IP restriction, OIDC, OAuth or webhook verification module is disabled, or an IP restriction loses all its policies: the module no longer restricts access. Removing a module from a TcpEdge disables it, because modules cannot be removed through the edge update (specification, Create and update parameters).",
  *changes(context) {
    const { before, after } = context;
    for (const { old, next, gate } of guarded(context)) {
      if (!next) continue;
      if (isOn(next)) {
        if (refersToPolicy(before, old) && !refersToPolicy(after, next))
          yield { on: next, message: `${gate.what} loses all its IP policies`, field: "ipPolicyIds" };
      } else if (!staysGuarded(gate, after)) {
        yield { on: next, message: `${gate.what} is disabled`, field: "enabled" };
      }
    }
  },
};

function refersToPolicy(inventory: Inventory, on: InventoryObject): boolean {
  return inventory.references(on).some(({ prefixes }) => prefixes.includes(policyPrefix));
}

export const moduleDeleted: ChangeRule = {
  id: "access/module-deleted",
  severity: "error",
  title: "A module that guards an edge or route is deleted",
  help: "An IP restriction, OIDC, OAuth or webhook verification module is deleted: it no longer restricts access. A change from OIDC to OAuth on the same route is not reported. If the module only has another name in the program, add the resource option `aliases`: otherwise Pulumi deletes the object under its old name.",
  *changes(context) {
    for (const { old, next, gate } of guarded(context)) {
      // A deleted edge serves nothing, so its module guards nothing.
      if (next || old.declaration.style !== "singleton" || staysGuarded(gate, context.after)) continue;
      yield { on: old, message: `${gate.what} of ${addressOf(old)} is deleted` };
    }
  },
};

export const moduleMoved: ChangeRule = {
  id: "access/module-moved",
  severity: "error",
  title: "A module that guards an edge or route moves away",
  help: "The module is replaced by one of another edge or route, or in another account: the old edge or route is no longer guarded.",
  *changes(context) {
    for (const { old, next, gate } of guarded(context)) {
      if (!next || guardedPlace(next) === guardedPlace(old) || staysGuarded(gate, context.after)) continue;
      yield { on: next, message: `${gate.what} moves away from ${addressOf(old)}` };
    }
  },
};
