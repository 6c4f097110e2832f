/** The rules about interruptions. */
import { firstLines } from "../../../schema/text/phrase";
import { addressesOf } from "../../access/served";
import { removedAs } from "../../../schema/field";
import { isRecord } from "../../../schema/unknown";
import { ownedTypes, typesIn } from "../../../resources/registry";
import { deletesFirst, changesOf, repairsReplacement } from "../differences";
import type { ResourceChange } from "../../inventory/read-preview";
import type { Action } from "../../stack/preview";
import type { ChangeRule, Context } from "../rule";
import { keyOf, named } from "../../inventory/inventory";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { pairs, subjects } from "./each";

/** Reports one action on objects of some types, because it interrupts their clients. */
function loss(
  action: Action,
  types: readonly string[],
  text: (subject: ResourceChange, context: Context) => string,
): ChangeRule["changes"] {
  return subjects((subject, context) => {
    if (subject.action !== action || !types.includes(subject.declaration.type)) return undefined;
    // An object that stays in the account interrupts no client.
    if (action === "delete" && context.after.all.has(subject.urn)) return undefined;
    const renewed = renewalOf(subject);
    const reason = renewed ? `renewed before it expires because of ${renewed}; ` : "";
    return { message: reason + text(subject, context), severity: renewed ? "note" : undefined };
  });
}

/** The argument that asks for the renewal, if only time causes the replacement. */
function renewalOf(subject: ResourceChange): string | undefined {
  const { declaration, after, replaceReasons } = subject;
  const { validity } = declaration;
  const asks = validity !== undefined && typeof after?.args[validity.renewalHours] === "number";
  const byTime =
    asks && replaceReasons.join() === validity.until && changesOf(subject).differences.length === 0;
  return byTime ? validity.renewalHours : undefined;
}

export const interruptionRules: readonly ChangeRule[] = [
  {
    id: "interruption/certificate-replaced",
    severity: "warning",
    title: "A certificate is replaced",
    help: "It gets another id. Update everything outside this program that uses the old one.",
    changes: loss(
      "replace",
      typesIn("certificates"),
      (subject) => `it gets a new id; ${order(subject)}. Install the new one where the old one is in use`,
    ),
  },
  {
    id: "interruption/edge-replaced",
    severity: "warning",
    title: "An edge is replaced",
    help: "Its addresses move to an edge with a new id.",
    changes: loss("replace", ["TcpEdge"], (subject) => `its addresses move to a new edge; ${order(subject)}`),
  },
  {
    id: "interruption/edge-deleted",
    severity: "warning",
    title: "An edge is deleted",
    help: "Check that no client still connects to its addresses.",
    changes: loss("delete", ["TcpEdge"], ({ urn }, context) => addressesLost(urn, context)),
  },
  {
    id: "interruption/endpoint-replaced",
    severity: "warning",
    title: "A cloud endpoint is replaced",
    help: "Its address may be without service for a moment.",
    changes: loss(
      "replace",
      ["CloudEndpoint"],
      (subject) => `its address moves to a new endpoint; ${order(subject)}`,
    ),
  },
  {
    id: "interruption/endpoint-deleted",
    severity: "warning",
    title: "A cloud endpoint is deleted",
    help: "Check that no client still connects to it.",
    changes: loss("delete", ["CloudEndpoint"], ({ urn }, context) => addressesLost(urn, context)),
  },
  {
    id: "interruption/backend-replaced",
    severity: "warning",
    title: "A backend is replaced",
    help: "Update edges and backends outside the program that refer to its old id.",
    changes: loss(
      "replace",
      typesIn("backends"),
      (subject) => `it gets a new id, and its edges and backends move to it; ${order(subject)}`,
    ),
  },
  {
    id: "interruption/credential-replaced",
    severity: "warning",
    title: "An API key or SSH credential is replaced",
    help: "Give its clients the new one, also those outside this program.",
    changes: loss("replace", ownedTypes, (subject, { before }) => {
      const token = "token" in subject.declaration.fields;
      const what = token
        ? "it gets a new token, and the old one stops working"
        : "agents that use the old one lose access";
      const advice = isUsed(subject, before) ? "Check" : "Nothing in this program uses it: check";
      return `${what}; ${order(subject)}. ${advice} for clients outside this program`;
    }),
  },
  {
    id: "interruption/credential-deleted",
    severity: "warning",
    title: "An API key or SSH credential is deleted",
    help: "Check for its clients outside this program.",
    changes: loss("delete", ownedTypes, ({ urn }, { before, after }) => {
      const old = before.all.get(urn);
      const next = old && successorsOf(old, after)[0];
      return next
        ? `${named(next)} has its key from now on`
        : "clients that use it lose access. Check for clients outside this program";
    }),
  },
  {
    id: "interruption/delete-first",
    severity: "warning",
    title: "An IP policy rule is deleted before its replacement is created",
    help: "A policy may contain a range only once: for a moment no rule covers it.",
    changes: subjects((subject, context) => {
      const cidr = String(subject.before?.record.outputs.cidr);
      const isFirst = subject.declaration.type === "IpPolicyRule" && deletesFirst(subject);
      const notes = notesOf(subject);
      if (!isFirst && notes.length === 0) return undefined;
      const gap =
        repairsReplacement(subject) && !isDeletedNow(subject, context)
          ? `deleted by an earlier deployment, which did not create it again: no rule covers ${cidr} until this one creates it`
          : `deleted before its replacement is created: for a moment no rule covers ${cidr}`;
      return [isFirst && gap, notes.length > 0 && firstLines(notes, 1, "range").join("; ")];
    }),
  },
  {
    id: "interruption/bot-deactivated",
    severity: "warning",
    title: "A bot user is deactivated or deleted",
    help: "The keys and credentials that it owns stop working.",
    *changes(find, { before, after }) {
      for (const old of before.ofType("BotUser")) {
        const next = after.all.get(keyOf(old));
        if (old.values.active === false || (next && next.values.active !== false)) continue;
        const owned = before.referrers(old).map(({ from }) => named(from));
        const keys = owned.length === 0 ? "its keys and credentials" : owned.join(", ");
        const message = `${next ? "deactivated" : "deleted"}: ${keys} stop working`;
        yield find(old, message, { field: "active" });
      }
    },
  },
  {
    id: "interruption/module-left-program",
    severity: "warning",
    title: "A module of a TCP edge is disabled because it left the program",
    help: "To keep the module, keep it in the program. An edge without its backend serves nothing.",
    changes: pairs(["TcpEdge"], (old, next) => {
      const { fields } = old.declaration;
      const off = Object.keys(fields)
        .filter((name) => removedAs(fields[name]!) !== undefined)
        .filter((name) => isOn(old.values[name]) && isOff(next.args[name]));
      return off.length > 0 && { message: `disabled: ${off.join(" and ")}`, field: off[0] };
    }),
  },
];

/** The objects of the same type that serve an address of a deleted one after the deployment. */
function successorsOf(old: InventoryObject, after: Inventory): InventoryObject[] {
  const addresses = new Set(addressesOf(old));
  return after
    .ofType(old.declaration.type)
    .filter((next) => addressesOf(next).some((address) => addresses.has(address)));
}

/** Which addresses of a deleted edge or endpoint are no longer served, and which another object serves. */
function addressesLost(urn: string, { before, after }: Context): string {
  const old = before.all.get(urn);
  const addresses = old ? addressesOf(old) : [];
  if (!old || addresses.length === 0) return "its addresses are no longer served";
  const moved = successorsOf(old, after).map((next) => ({ next, served: new Set(addressesOf(next)) }));
  const lost = addresses.filter((address) => !moved.some(({ served }) => served.has(address)));
  return [
    ...(lost.length === 0 ? [] : [`${lost.join(", ")} ${lost.length === 1 ? "is" : "are"} no longer served`]),
    ...moved.map(({ next, served }) => {
      const kept = addresses.filter((address) => served.has(address));
      return `${named(next)} serves ${kept.join(", ")} from now on`;
    }),
  ].join("; ");
}

/** Whether this deployment deletes the old object: the engine names no reason either for what is replaced with another resource. */
function isDeletedNow({ urn, before }: ResourceChange, { plan }: Context): boolean {
  return plan.steps.some(
    (step) => step.op === "delete-replaced" && step.urn === urn && step.before?.id === before?.id,
  );
}

function order(subject: ResourceChange): string {
  return deletesFirst(subject) ? "the old one is deleted first" : "the new one is created first";
}

function isUsed({ urn }: ResourceChange, before: Inventory): boolean {
  const dependents = [...before.all.values()].filter(({ record }) => record?.dependencies.includes(urn));
  const own = before.all.get(urn);
  return (own ? before.referrers(own).length : 0) + dependents.length > 0;
}

/** The notes of the declaration on an update: for a rule set, the ranges whose action changes. */
function notesOf({ declaration, action, before, after }: ResourceChange): string[] {
  if (action !== "update" || !before || !after) return [];
  return declaration.notes?.(before.record.outputs, after.args) ?? [];
}

function isOn(module: unknown): boolean {
  return isRecord(module) && module.enabled !== false;
}

/** Whether a module has the value that check gives to one that left the program. */
function isOff(module: unknown): boolean {
  return isRecord(module) && module.enabled === false && Object.keys(module).length === 1;
}
