/** The rules about what SSH credentials may bind. */
import { hasUnknown } from "../../schema/unknown";
import type { ChangeRule, Context, Found } from "../rule";
import type { Resource } from "../world";

/** The ACL that a credential is to have where it had a restricting one. */
function* freed({ before, after }: Context): Generator<{ old: Resource; next: Resource }> {
  for (const old of before.ofType("SshCredential")) {
    const next = after.all.get(old.urn);
    if (next && restricts(old) && !restricts(next)) yield { old, next };
  }
}

function restricts({ values }: Resource): boolean {
  const { acl } = values;
  return hasUnknown(acl) || (Array.isArray(acl) && !acl.includes("*"));
}

function* found(context: Context, explicit: boolean, message: string): Generator<Found> {
  for (const { next } of freed(context)) {
    const isExplicit = Array.isArray(next.inputs.acl);
    if (isExplicit === explicit) yield { on: next, message, field: "acl" };
  }
}

export const aclRemoved: ChangeRule = {
  id: "access/acl-removed",
  severity: "error",
  title: "The ACL of an SSH credential is removed",
  help: "A credential without an ACL has no restrictions (specification, ACL rules): whoever holds the key may bind any domain, address and label.",
  changes: (context) => found(context, false, "its ACL is removed: it may bind everything"),
};

export const aclAny: ChangeRule = {
  id: "access/acl-any",
  severity: "error",
  title: "The ACL of an SSH credential becomes *",
  help: "The rule `*` permits all actions, whatever stands beside it (specification, ACL rules).",
  changes: (context) => found(context, true, "its ACL holds *: it may bind everything"),
};
