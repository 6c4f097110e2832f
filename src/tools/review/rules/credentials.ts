/** The rules about keys and credentials: their ACLs, and who gets new ones. */
import { covers } from "../../../schema/formats/acl";
import { named } from "../../inventory/inventory";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { isUnknown, itemsOf } from "../../../schema/unknown";
import type { ChangeRule } from "../rule";
import { unexplainedAccess } from "../unexplained";
import { newObjects, pairs } from "./each";
import { later } from "../../../schema/text/phrase";

/**
 * The known rules of an ACL; undefined if it permits everything. Services answer an empty list for a credential without
 * restrictions. The specification does not say what an empty list in a request means.
 */
function restriction(acl: unknown): readonly string[] | undefined {
  if (isUnknown(acl)) return [];
  if (!Array.isArray(acl) || acl.length === 0) return undefined;
  const rules = acl.filter((rule): rule is string => typeof rule === "string" && !isUnknown(rule));
  return rules.includes("*") ? undefined : rules;
}

/** The credentials whose ACL permits everything now and did not before. */
function unrestricted(isExplicit: boolean): ChangeRule["changes"] {
  return pairs(["SshCredential"], (old, { args: { acl }, values }) => {
    const isFreed = restriction(old.values.acl) && !restriction(values.acl);
    const isAny = Array.isArray(acl) && acl.length > 0;
    if (!isFreed || isAny !== isExplicit) return undefined;
    const change = isAny ? "contains *" : acl === undefined ? "is removed" : emptied;
    return { message: `its ACL ${change}: it may bind everything`, field: "acl" };
  });
}

const emptied = "becomes an empty list, which services treat as no restriction";

export const credentialRules: readonly ChangeRule[] = [
  {
    id: "access/new-actor",
    severity: "warning",
    title: "A new key, credential, certificate or authority",
    help: "Check who gets it. It is an error if nothing limits the holder or somebody else gets it: an SSH credential without an ACL, with `*` or with `bind:*=*`, a certificate for `root`, an owner that is not a bot user of this program, or values known only after the deployment.",
    *changes(find, context) {
      for (const next of newObjects(context)) {
        const { grants } = next.declaration;
        if (grants === undefined) continue;
        const open = openLimits(next, context.after);
        const { text, isForeign } = ownerOf(next, context.after);
        const unlimited = [...unlimitedBy(next), ...open.map((path) => `${path} is ${later}`)];
        const owner = open.includes("ownerId") ? [] : text;
        const message = [grants, ...owner, ...unlimited].join("; ");
        const isError = isForeign || unlimited.length > 0;
        yield find(next, message, { severity: isError ? "error" : undefined });
      }
    },
  },
  {
    id: "access/acl-removed",
    severity: "error",
    title: "The ACL of an SSH credential is removed",
    help: "The holder of the key may bind any domain, address and label.",
    changes: unrestricted(false),
  },
  {
    id: "access/acl-any",
    severity: "error",
    title: "The ACL of an SSH credential becomes *",
    help: "It permits all actions, whatever other rules the ACL has.",
    changes: unrestricted(true),
  },
  {
    id: "access/acl-widened",
    severity: "error",
    title: "The ACL of an SSH credential permits more",
    help: "A rule is not covered by an earlier one, such as `bind:\\*.example.com` after `bind:app.example.com`. Check that the holder may bind all of it.",
    changes: pairs(["SshCredential"], (old, next) => {
      const [from, to] = [restriction(old.values.acl), restriction(next.values.acl)];
      if (!from || !to) return undefined;
      const added = to.filter((rule) => !from.some((earlier) => covers(earlier, rule)));
      if (added.length === 0) return undefined;
      return { message: `its ACL also permits ${added.join(", ")}`, field: "acl" };
    }),
  },
];

/** Why nothing limits the holder of a new credential. Another rule reports certificates without principals. */
function unlimitedBy({ declaration: { fields }, values }: InventoryObject): string[] {
  const isAny = "acl" in fields && restriction(values.acl) === undefined;
  const isEveryLabel = itemsOf(values.acl).includes("bind:*=*");
  const isRoot = "criticalOptions" in fields && itemsOf(values.principals).includes("root");
  return [
    ...(isAny ? ["no ACL limits it: it may bind everything"] : []),
    ...(isEveryLabel ? ["its ACL permits every label"] : []),
    ...(isRoot ? ["its holder may sign in as root"] : []),
  ];
}

/** The paths of the limits of a new credential that are not known. */
function openLimits(on: InventoryObject, inventory: Inventory): string[] {
  const paths = unexplainedAccess(inventory, on).map(({ path }) => path);
  return paths.filter((path) => /^(acl|principals|ownerId)\b/.test(path));
}

/** The owner of a new credential. Any owner but a bot user that this program manages is foreign. */
function ownerOf(on: InventoryObject, after: Inventory) {
  const owner = after.references(on).find(({ argument }) => argument === "ownerId");
  if (owner?.to) {
    const isRead = owner.to.record?.external === true;
    const text = `its owner is ${named(owner.to)}${isRead ? ", which this program only reads" : ""}`;
    return { text: [text], isForeign: isRead };
  }
  if (owner) {
    const text = `its owner is ${owner.id}, not a bot user of this program`;
    return { text: [text], isForeign: owner.id !== undefined };
  }
  return {
    text: on.declaration.fields.ownerId ? ["its owner is the user or bot user that deploys it"] : [],
    isForeign: false,
  };
}
