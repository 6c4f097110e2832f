/** The rules about the modules that guard edges and routes: IP restriction, OIDC, OAuth, webhook verification. */
import { hasUnknown, isUnknown, unknown } from "../../schema/unknown";
import type { ChangeRule, Context } from "../rule";
import { idsInPath } from "../world";
import type { Resource, World } from "../world";
import { guardOf, guards } from "./single";
import type { Guard } from "./single";

const signIns = ["HttpsEdgeRouteOidc", "HttpsEdgeRouteOauth"];

/** Whether a guarding module exists and is enabled. */
export function isOn({ type, values }: Resource): boolean {
  const { module } = guards[type] ?? {};
  // Not known before the deployment: a rule of its own reports it.
  if (module !== undefined && isUnknown(values[module])) return true;
  const settings = guardOf(type, values);
  return settings !== undefined && settings.enabled !== false;
}

/** The edge, or edge and route, that a module resource belongs to. */
function addressOf(resource: Resource): string {
  return idsInPath(resource).map(String).join("/");
}

/** Whether another module of the same kind, or another way to sign in, guards the same address. */
function staysGuarded(old: Resource, after: World): boolean {
  // The module of a TcpEdge is a part of the edge: nothing else guards it.
  if (old.declaration.style !== "singleton" || idsInPath(old).some(isUnknown)) return false;
  const kinds = signIns.includes(old.type) ? signIns : [old.type];
  return after
    .ofType(...kinds)
    .some((other) => other.urn !== old.urn && isOn(other) && addressOf(other) === addressOf(old));
}

/** The modules that guard before the deployment. */
function* guarded({ before, after }: Context): Generator<Guard & { old: Resource; next?: Resource }> {
  for (const old of before.ofType(...Object.keys(guards))) {
    if (isOn(old)) yield { ...guards[old.type]!, old, next: after.all.get(old.urn) };
  }
}

export const moduleDisabled: ChangeRule = {
  id: "access/module-disabled",
  severity: "error",
  title: "A module that guards an edge or route is disabled",
  help: "An IP restriction, OIDC, OAuth or webhook verification module is disabled, or an IP restriction loses all its policies: the module no longer restricts access. Removing a module from a TcpEdge disables it, because modules cannot be removed through the edge update (specification, Create and update parameters).",
  *changes(context) {
    for (const { old, next, what } of guarded(context)) {
      if (!next) continue;
      if (isOn(next)) {
        if (policiesOf(old).length > 0 && policiesOf(next).length === 0)
          yield { on: next, message: `${what} loses all its IP policies`, field: "ipPolicyIds" };
      } else if (!staysGuarded(old, context.after)) {
        yield { on: next, message: `${what} is disabled`, field: "enabled" };
      }
    }
  },
};

function policiesOf({ type, values }: Resource): readonly unknown[] {
  const { module } = guards[type]!;
  const ids = isUnknown(values[module ?? ""]) ? unknown : guardOf(type, values)?.ipPolicyIds;
  if (hasUnknown(ids)) return ["not known yet"];
  return Array.isArray(ids) ? ids : [];
}

export const moduleDeleted: ChangeRule = {
  id: "access/module-deleted",
  severity: "error",
  title: "A module that guards an edge or route is deleted",
  help: "An IP restriction, OIDC, OAuth or webhook verification module is deleted: it no longer restricts access. A change from OIDC to OAuth on the same route is not reported. If the module only has another name in the program, add the resource option `aliases`: otherwise Pulumi deletes the object under its old name.",
  *changes(context) {
    for (const { old, next, what, module } of guarded(context)) {
      // A deleted edge serves nothing, so its module guards nothing.
      if (next || module !== undefined || staysGuarded(old, context.after)) continue;
      yield { on: old, message: `${what} of ${addressOf(old)} is deleted` };
    }
  },
};

export const moduleMoved: ChangeRule = {
  id: "access/module-moved",
  severity: "error",
  title: "A module that guards an edge or route moves away",
  help: "The module is replaced by one of another edge or route: the old edge or route is no longer guarded.",
  *changes(context) {
    for (const { old, next, what } of guarded(context)) {
      if (!next || addressOf(next) === addressOf(old) || staysGuarded(old, context.after)) continue;
      yield { on: next, message: `${what} moves away from ${addressOf(old)}` };
    }
  },
};
