/** The rules about SSH certificates that permit more than before. */
import { keyOf } from "../../inventory/inventory";
import type { InventoryObject } from "../../inventory/inventory";
import { declarations } from "../../../resources/registry";
import { toInstant } from "../../../schema/formats/time";
import { isUnknown, itemsOf } from "../../../schema/unknown";
import { day, durationText, hour } from "../../../schema/text/phrase";
import type { ChangeRule, Context } from "../rule";
import type { Flaw } from "../../access/open-gates";
import { pairs } from "./each";

/** The types of objects whose validity the program may choose. */
const types = declarations.filter(({ validity }) => validity).map(({ type }) => type);

export const certificateRules: readonly ChangeRule[] = [
  {
    id: "access/principals-widened",
    severity: "error",
    title: "An SSH certificate gets more principals",
    help: "The holder may sign in as more users, or more hosts may serve SSH with it. Check the new ones.",
    changes: pairs(types, (old, next) => {
      const [from, to] = [itemsOf(old.values.principals), itemsOf(next.values.principals)];
      const added = to.filter((principal) => !isUnknown(principal) && !from.includes(principal));
      // Without principals a certificate is valid for all of them.
      if (from.length === 0 || added.length === 0) return undefined;
      return { field: "principals", message: `principals are added: ${added.map(String).join(", ")}` };
    }),
  },
  {
    id: "access/validity-extended",
    severity: "error",
    title: "An SSH certificate stays valid longer",
    help: "A lost key is usable for that time. Without `validUntil` and `validForHours` a user certificate is valid for 24 hours and a host certificate for one year.",
    changes: pairs(types, (old, next, context) =>
      keyOf(old) === keyOf(next) && context.resources.get(keyOf(next))?.action !== "replace"
        ? laterExtended(old, next)
        : extended(old, next, context),
    ),
  },
];

function extended(old: InventoryObject, next: InventoryObject, { now }: Context): Flaw | undefined {
  const start = toTime(old.values.validAfter ?? old.values.createdAt);
  const end = toTime(old.values.validUntil);
  // The new certificate is created now, and in any case after the old one.
  const newStart = toTime(next.args.validAfter, Math.max(now, start ?? 0));
  if (start === undefined || end === undefined || newStart === undefined) return undefined;
  const { validForHours = next.declaration.validity!.defaultHours } = next.args;
  if (typeof validForHours !== "number") return undefined;
  const newEnd = toTime(next.args.validUntil, newStart + validForHours * hour);
  if (newEnd === undefined) return undefined;
  const [from, to] = [end - start, newEnd - newStart];
  if (to - from < hour) return undefined;
  return { field: "validUntil", message: `its validity grows from ${lifeText(from)} to ${lifeText(to)}` };
}

/** A certificate whose validity grows with its next renewal. */
function laterExtended(old: InventoryObject, next: InventoryObject): Flaw | undefined {
  const { defaultHours, forHours } = next.declaration.validity!;
  const [from, to] = [old, next].map(({ args }) => args[forHours] ?? defaultHours);
  if (typeof from !== "number" || typeof to !== "number" || to <= from) return undefined;
  const message = `the validity of its next certificate grows from ${lifeText(from * hour)} to ${lifeText(to * hour)}`;
  return { field: forHours, message };
}

/** Milliseconds since 1970; undefined if the time is not known. */
function toTime(value: unknown, ifAbsent?: number): number | undefined {
  return value === undefined ? ifAbsent : toInstant(value);
}

function lifeText(milliseconds: number): string {
  const unit = milliseconds < 3 * day ? "hour" : "day";
  const length = { hour, day }[unit];
  return durationText(Math.round(milliseconds / length) * length, unit);
}
