/** The rules about the ACLs of SSH credentials. */
import { covers } from "../../schema/formats/acl";
import { isUnknown } from "../../schema/unknown";
import type { ChangeRule, Context, Found } from "../rule";
import { pairs } from "./pairs";

/**
 * The known rules of an ACL; undefined if it permits everything. Services answer an empty list for a credential without
 * restrictions, and the specification does not say what one in a request means.
 */
function restriction(acl: unknown): readonly string[] | undefined {
  if (isUnknown(acl)) return [];
  if (!Array.isArray(acl) || acl.length === 0) return undefined;
  const rules = acl.filter((rule): rule is string => typeof rule === "string" && !isUnknown(rule));
  return rules.includes("*") ? undefined : rules;
}

/** The credentials whose ACL permits everything now and did not before. */
function* unrestricted(context: Context, isExplicit: boolean): Generator<Found> {
  for (const { old, next } of pairs(context, "SshCredential")) {
    const { acl } = next.args;
    const isFreed = restriction(old.outputs.acl) && !restriction(next.outputs.acl);
    const isAny = Array.isArray(acl) && acl.length > 0;
    if (!isFreed || isAny !== isExplicit) continue;
    const change = isAny ? "contains *" : acl === undefined ? "is removed" : emptied;
    yield { on: next, message: `its ACL ${change}: it may bind everything`, field: "acl" };
  }
}

const emptied = "becomes an empty list, which services treat as no restriction";

export const aclRemoved: ChangeRule = {
  id: "access/acl-removed",
  severity: "error",
  title: "The ACL of an SSH credential is removed",
  help: "A credential without an ACL has no restrictions (specification, ACL rules): the holder of the key may bind any domain, address and label. An empty list counts as none: services return it for a credential without restrictions.",
  changes: (context) => unrestricted(context, false),
};

export const aclAny: ChangeRule = {
  id: "access/acl-any",
  severity: "error",
  title: "The ACL of an SSH credential becomes *",
  help: "The rule `*` permits all actions, whatever other rules the ACL has (specification, ACL rules).",
  changes: (context) => unrestricted(context, true),
};

export const aclWidened: ChangeRule = {
  id: "access/acl-widened",
  severity: "warning",
  title: "The ACL of an SSH credential permits more",
  help: "The ACL has a rule that no earlier rule covers, such as `bind:*.example.com` after `bind:app.example.com`. A domain rule may have a leading wildcard, a label rule a wildcard as key or value (specification, ACL rules). Check that the holder of the key may bind all of it.",
  *changes(context) {
    for (const { old, next } of pairs(context, "SshCredential")) {
      const [from, to] = [restriction(old.outputs.acl), restriction(next.outputs.acl)];
      if (!from || !to) continue;
      const added = to.filter((rule) => !from.some((earlier) => covers(earlier, rule)));
      if (added.length > 0) {
        yield { on: next, message: `its ACL also permits ${added.join(", ")}`, field: "acl" };
      }
    }
  },
};
