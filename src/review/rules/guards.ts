/** The rules about the modules that guard edges and routes: IP restriction, OIDC, OAuth, webhook verification. */
import { hasUnknown } from "../../schema/unknown";
import type { ChangeRule, Context } from "../rule";
import { idsInPath } from "../world";
import type { Resource, World } from "../world";
import { guardOf, guards } from "./single";

const signIns = ["HttpsEdgeRouteOidc", "HttpsEdgeRouteOauth"];

/** Whether a guarding module exists and is enabled. */
export function isOn(resource: Resource | undefined): boolean {
  if (!resource) return false;
  const settings = guardOf(resource.type, resource.values);
  return settings !== undefined && settings.enabled !== false;
}

/** The edge, or edge and route, that a module resource belongs to. */
function addressOf(resource: Resource): string {
  return idsInPath(resource).map(String).join("/");
}

/** Whether another module of the same kind, or another way to sign in, guards the same address. */
function staysGuarded(old: Resource, after: World): boolean {
  const kinds = signIns.includes(old.type) ? signIns : [old.type];
  return after
    .ofType(...kinds)
    .some((other) => other.urn !== old.urn && isOn(other) && addressOf(other) === addressOf(old));
}

function* guarded({ before, after }: Context): Generator<{ old: Resource; next: Resource | undefined }> {
  for (const old of before.ofType(...Object.keys(guards))) {
    if (isOn(old)) yield { old, next: after.all.get(old.urn) };
  }
}

export const moduleDisabled: ChangeRule = {
  id: "access/module-disabled",
  severity: "error",
  title: "A module that guards an edge or route is disabled",
  help: "An IP restriction, OIDC, OAuth or webhook verification module is disabled, or an IP restriction loses all its policies: the module no longer restricts access. Removing a module from a TcpEdge disables it, because modules cannot be removed through the edge update (specification, Create and update parameters).",
  *changes(context) {
    for (const { old, next } of guarded(context)) {
      if (!next) continue;
      const { what } = guards[old.type]!;
      if (!isOn(next)) {
        if (!staysGuarded(old, context.after))
          yield { on: next, message: `${what} is disabled`, field: "enabled" };
        continue;
      }
      const [from, to] = [policiesOf(old), policiesOf(next)];
      if (from.length > 0 && to.length === 0) {
        yield { on: next, message: `${what} loses all its IP policies`, field: "ipPolicyIds" };
      }
    }
  },
};

function policiesOf({ type, values }: Resource): readonly unknown[] {
  const ids = guardOf(type, values)?.ipPolicyIds;
  if (hasUnknown(ids)) return ["not known yet"];
  return Array.isArray(ids) ? ids : [];
}

export const moduleDeleted: ChangeRule = {
  id: "access/module-deleted",
  severity: "error",
  title: "A module that guards an edge or route is deleted",
  help: "An IP restriction, OIDC, OAuth or webhook verification module is deleted: it no longer restricts access. A change from OIDC to OAuth on the same route is not reported. If the module only has another name in the program, add the resource option `aliases`: otherwise Pulumi deletes the object under its old name.",
  *changes(context) {
    for (const { old, next } of guarded(context)) {
      // A deleted edge serves nothing, so its module guards nothing.
      if (next || guards[old.type]!.module !== undefined || staysGuarded(old, context.after)) continue;
      const { what } = guards[old.type]!;
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
    for (const { old, next } of guarded(context)) {
      if (!next || guards[old.type]!.module !== undefined || addressOf(next) === addressOf(old)) continue;
      const { what } = guards[old.type]!;
      if (!staysGuarded(old, context.after))
        yield { on: next, message: `${what} moves away from ${addressOf(old)}` };
    }
  },
};
