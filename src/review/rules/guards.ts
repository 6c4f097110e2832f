/** The rules about what guards edges and routes: IP restriction, OIDC, OAuth, webhook verification. */
import { hasUnknown } from "../../schema/unknown";
import type { ChangeRule, Context } from "../rule";
import type { Resource, World } from "../world";
import { allowLists, guardOf, guards } from "./single";

const signIns = ["HttpsEdgeRouteOidc", "HttpsEdgeRouteOauth"];

function isOn(resource: Resource | undefined): boolean {
  if (!resource) return false;
  const settings = guardOf(resource.type, resource.values);
  return settings !== undefined && settings.enabled !== false;
}

/** The edge, and route, that a module of its own belongs to. */
function addressOf({ values, declaration }: Resource): string {
  const inPath = Object.keys(declaration.fields).filter((name) => declaration.fields[name]!.traits.inPath);
  return inPath.map((name) => String(values[name])).join("/");
}

/** Whether the address stays guarded: by the same kind of module, or users sign in another way. */
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
  title: "A module that guards an edge or route is switched off",
  help: "An IP restriction, OIDC, OAuth or webhook verification module is switched off, or an IP restriction loses all its policies: what it kept out gets in. A module taken out of a TcpEdge is switched off too, because the API cannot remove it.",
  *changes(context) {
    for (const { old, next } of guarded(context)) {
      if (!next) continue;
      const { what } = guards[old.type]!;
      if (!isOn(next)) {
        if (!staysGuarded(old, context.after))
          yield { on: next, message: `${what} is switched off`, field: "enabled" };
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
  help: "An IP restriction, OIDC, OAuth or webhook verification module is deleted: what it kept out gets in. A change from OIDC to OAuth on the same route is not reported. A module that only gets another name in the program needs the resource option `aliases`: Pulumi would delete the object under its old name.",
  *changes(context) {
    for (const { old, next } of guarded(context)) {
      // An edge that goes takes its guard along.
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
  help: "The module is replaced by one of another edge or route: the address that it guarded stays without it.",
  *changes(context) {
    for (const { old, next } of guarded(context)) {
      if (!next || guards[old.type]!.module !== undefined || addressOf(next) === addressOf(old)) continue;
      const { what } = guards[old.type]!;
      if (!staysGuarded(old, context.after)) yield { on: next, message: `${what} leaves ${addressOf(old)}` };
    }
  },
};

export const emailDomainsEmptied: ChangeRule = {
  id: "access/email-domains-emptied",
  severity: "error",
  title: "The allow-lists of an OAuth module are emptied",
  help: "The module named who may pass, by e-mail domain, address, team or organization, and no longer does: everybody whom the identity provider signs in may pass.",
  *changes({ before, after }) {
    for (const old of before.ofType("HttpsEdgeRouteOauth")) {
      const next = after.all.get(old.urn);
      if (!next || !isOn(next) || hasUnknown(next.values.provider)) continue;
      const [from, to] = [allowLists(old.values), allowLists(next.values)];
      const had = Object.keys(from).filter((name) => from[name]!.length > 0);
      if (had.length === 0 || Object.values(to).some((list) => list.length > 0)) continue;
      yield {
        on: next,
        field: "provider",
        message: `the allow-list ${had.join(" and ")} is emptied: everybody who can sign in may pass`,
      };
    }
  },
};
