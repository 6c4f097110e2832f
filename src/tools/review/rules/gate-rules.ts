/** The rules about the gates of edges, endpoints and routes: IP restriction, OIDC, OAuth, webhook verification. */
import { gatesOf } from "../../access/gates";
import type { GateState } from "../../access/gates";
import { denyOnly, hasGateBeside, openByItself, unguardedIn } from "../../access/open-gates";
import { placeKey } from "../../access/served";
import { keyOf, named } from "../../inventory/inventory";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { idIn } from "../../../provider/http/path";
import { restrictingActions } from "../../access/traffic-policy";
import { outputsFrom } from "../../../schema/values";
import { repairsReplacement } from "../differences";
import type { Context, Rule } from "../rule";
import { objects, subjects } from "./each";

/** The gate of a module. Other rules compare traffic policies. */
function gateOf(on: InventoryObject): GateState | undefined {
  return gatesOf(on).find(({ by }) => by !== "trafficPolicy");
}

/** Whether a gate is on, or may be: another rule reports what is not known before the deployment. */
export function isOn(on: InventoryObject): boolean {
  return gateOf(on)!.isOn !== false;
}

/** The edge, or edge and route, that a module resource belongs to. */
function ownerOf({ declaration, values }: InventoryObject): string {
  return idIn(declaration.path, outputsFrom(values));
}

/** The modules that leave their place without a gate, with their owners. */
function* leaving({ before, after }: Context) {
  for (const old of before.all.values()) {
    const gate = gateOf(old);
    if (!gate || old.declaration.style !== "singleton" || hasGateBeside(gate, after)) continue;
    const next = after.all.get(keyOf(old));
    if (next && placeKey(next) === placeKey(old)) continue;
    const twin = twinOf(old, after);
    if (gate.isOn === false && !(twin && isOn(twin))) continue;
    const { what } = gate;
    const also = twin ? `, and with it that of ${named(twin)}: an edge or route has one ${what}` : "";
    yield { old, next, what, owner: ownerOf(old), also };
  }
}

/** Another resource of the type at the place. A place has one module of each type, so it goes with this one. */
function twinOf(old: InventoryObject, inventory: Inventory): InventoryObject | undefined {
  const all = inventory.ofType(old.declaration.type).filter((each) => keyOf(each) !== keyOf(old));
  return all.find((each) => placeKey(each) === placeKey(old));
}

export const gateRules: readonly Rule[] = [
  {
    id: "access/unguarded",
    severity: "error",
    title: "An edge, endpoint or module restricts nobody",
    help: `An edge has no enabled IP restriction whose policies have rules, now or once rules with \`until\` have ended; a cloud endpoint has no traffic policy with an action that restricts who gets in (${restrictingActions.join(", ")}, and terminate-tls with mutual_tls_certificate_authorities); or a sign-in or verification module is disabled, and no other guards the place. Restrict who gets in, or [silence](#silencing) the rule for an object that is public on purpose, by its name.`,
    states(find, inventory, context) {
      const { unseen, semantics, now } = context;
      // An object that the preview leaves out may guard or have rules.
      if (unseen > 0) return objects("of all types", openByItself)(find, inventory, context);
      return unguardedIn(inventory, semantics, now).map(({ on, message, field }) =>
        find(on, message, { field }),
      );
    },
  },
  {
    id: "access/deny-only",
    severity: "error",
    title: "IP policies only deny",
    help: "Everybody whom no rule denies may get in, now or once rules with `until` have ended. Add the ranges that need access as allow rules.",
    needsAll: true,
    states: (find, inventory, { semantics, now }) =>
      denyOnly(inventory, semantics, now).map(({ on, message }) => find(on, message)),
  },
  {
    id: "access/module-deleted",
    severity: "error",
    title: "A module that guards an edge or route is deleted",
    help: "If it only has another name in the program, add `aliases`: otherwise Pulumi deletes it under its old name.",
    *changes(find, context) {
      for (const { old, next, what, owner, also } of leaving(context))
        if (!next) yield find(old, `${what} of ${owner} is deleted${also}`);
    },
  },
  {
    id: "access/module-moved",
    severity: "error",
    title: "A module that guards an edge or route moves away",
    help: "The old edge or route is no longer guarded.",
    *changes(find, context) {
      for (const { next, what, owner, also } of leaving(context))
        if (next) yield find(next, `${what} moves away from ${owner}${also}`);
    },
  },
  {
    id: "access/open-in-between",
    severity: "warning",
    title: "A module that guards an edge or route may be missing until the deployment creates it again",
    help: "An earlier deployment deleted the module and did not create it again. This one repairs that: check what the module guards, and deploy.",
    changes: subjects((subject, { before, after }) => {
      const [old, next] = [before.all.get(subject.urn), after.all.get(subject.urn)];
      if (!old || !next || old.declaration.style !== "singleton" || !repairsReplacement(subject))
        return undefined;
      const gate = gateOf(old);
      if (!gate || gate.isOn === false || hasGateBeside(gate, before)) return undefined;
      return `${gate.what} of ${ownerOf(old)} may be missing: an earlier deployment deleted it and did not create it again. This one creates it`;
    }),
  },
];
