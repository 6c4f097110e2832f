/** The rules about the ACLs of SSH credentials. */
import { covers } from "../../schema/formats/acl";
import { hasUnknown } from "../../schema/unknown";
import type { ChangeRule, Context, Found } from "../rule";
import { pairs } from "./pairs";

/** The rules of an ACL; undefined if it permits everything. */
function restriction(acl: unknown): readonly string[] | undefined {
  const rules = Array.isArray(acl) ? acl.filter((rule) => typeof rule === "string") : [];
  return Array.isArray(acl) && !rules.includes("*") ? rules : undefined;
}

/** The credentials whose ACL permits everything now and did not before. */
function* unrestricted(context: Context, isExplicit: boolean, message: string): Generator<Found> {
  for (const { old, next } of pairs(context, "SshCredential")) {
    const isFreed =
      restriction(old.values.acl) && !hasUnknown(next.values.acl) && !restriction(next.values.acl);
    if (isFreed && Array.isArray(next.inputs.acl) === isExplicit) yield { on: next, message, field: "acl" };
  }
}

export const aclRemoved: ChangeRule = {
  id: "access/acl-removed",
  severity: "error",
  title: "The ACL of an SSH credential is removed",
  help: "A credential without an ACL has no restrictions (specification, ACL rules): the holder of the key may bind any domain, address and label.",
  changes: (context) => unrestricted(context, false, "its ACL is removed: it may bind everything"),
};

export const aclAny: ChangeRule = {
  id: "access/acl-any",
  severity: "error",
  title: "The ACL of an SSH credential becomes *",
  help: "The rule `*` permits all actions, whatever other rules the ACL has (specification, ACL rules).",
  changes: (context) => unrestricted(context, true, "its ACL contains *: it may bind everything"),
};

export const aclWidened: ChangeRule = {
  id: "access/acl-widened",
  severity: "warning",
  title: "The ACL of an SSH credential permits more",
  help: "The ACL has a rule that no earlier rule covers, such as `bind:*.example.com` after `bind:app.example.com`. A domain rule may have a leading wildcard, a label rule a wildcard as key or value (specification, ACL rules). Check that the holder of the key may bind all of it.",
  *changes(context) {
    for (const { old, next } of pairs(context, "SshCredential")) {
      const [from, to] = [restriction(old.values.acl), restriction(next.values.acl)];
      if (!from || !to || hasUnknown(to)) continue;
      const added = to.filter((rule) => !from.some((earlier) => covers(earlier, rule)));
      if (added.length > 0) {
        yield { on: next, message: `its ACL also permits ${added.join(", ")}`, field: "acl" };
      }
    }
  },
};
