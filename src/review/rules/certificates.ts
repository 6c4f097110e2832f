/** The rules about SSH certificates that permit more than before. */
import { keyOf } from "../../inventory/inventory";
import { declarations } from "../../resources/registry";
import { isUnknown } from "../../schema/unknown";
import { counted } from "../../text/phrase";
import type { InventoryObject } from "../../inventory/inventory";
import type { ChangeRule, Found } from "../rule";
import { knownList, pairs } from "./pairs";
import { toInstant } from "../../schema/formats/time";

const hour = 3600 * 1000;

/** The types of objects that are valid for a time that the program may choose. */
const types = declarations.filter(({ validity }) => validity).map(({ type }) => type);

export const principalsWidened: ChangeRule = {
  id: "access/principals-widened",
  severity: "error",
  title: "An SSH certificate gets more principals",
  help: "The principals of a user certificate are the usernames that its holder may sign in as; those of a host certificate are the hosts that may serve SSH with it (specification, SSH user certificate and SSH host certificate). Check the new ones.",
  *changes(context) {
    for (const { old, next } of pairs(context, ...types)) {
      const [from, to] = [knownList(old.outputs.principals) ?? [], knownList(next.outputs.principals) ?? []];
      const added = to.filter((principal) => !isUnknown(principal) && !from.includes(principal));
      // Without principals a certificate is valid for all of them.
      if (from.length === 0 || added.length === 0) continue;
      const message = `principals are added: ${added.map(String).join(", ")}`;
      yield { on: next, field: "principals", message };
    }
  },
};

export const validityExtended: ChangeRule = {
  id: "access/validity-extended",
  severity: "error",
  title: "An SSH certificate is valid for a longer time",
  help: "The time from `validAfter` to `validUntil` grows. Without `validUntil` and `validForHours` the defaults are 24 hours for a user certificate and one year for a host certificate (specification, SSH user certificate and SSH host certificate). A lost key is usable for that time. A longer `validForHours` counts also where it takes effect with the next certificate.",
  *changes(context) {
    for (const { old, next } of pairs(context, ...types)) {
      if (keyOf(old) === keyOf(next) && context.actions.get(keyOf(next)) !== "replace") {
        yield* laterExtended(old, next);
        continue;
      }
      const start = toTime(old.outputs.validAfter ?? old.outputs.createdAt);
      const end = toTime(old.outputs.validUntil);
      // The new certificate is created now, and in any case after the old one.
      const newStart = toTime(next.args.validAfter, Math.max(context.now, start ?? 0));
      if (start === undefined || end === undefined || newStart === undefined) continue;
      const { defaultHours } = next.declaration.validity!;
      const { validForHours = defaultHours } = next.args;
      if (typeof validForHours !== "number") continue;
      const newEnd = toTime(next.args.validUntil, newStart + validForHours * hour);
      if (newEnd === undefined) continue;
      const [from, to] = [end - start, newEnd - newStart];
      if (to - from < hour) continue;
      const message = `its validity grows from ${time(from)} to ${time(to)}`;
      yield { on: next, field: "validUntil", message };
    }
  },
};

/** A validity that grows with the next certificate. */
function* laterExtended(old: InventoryObject, next: InventoryObject): Generator<Found> {
  const { defaultHours, forHours } = next.declaration.validity!;
  const [from, to] = [old, next].map(({ args }) => args[forHours] ?? defaultHours);
  if (typeof from !== "number" || typeof to !== "number" || to <= from) return;
  const message = `the validity of its next certificate grows from ${time(from * hour)} to ${time(to * hour)}`;
  yield { on: next, field: forHours, message };
}

/** Milliseconds since 1970; undefined if the time is not known. */
function toTime(value: unknown, ifAbsent?: number): number | undefined {
  return value === undefined ? ifAbsent : toInstant(value);
}

function time(milliseconds: number): string {
  const hours = Math.round(milliseconds / hour);
  return hours < 72 ? counted(hours, "hour") : counted(Math.round(hours / 24), "day");
}
