/** What is replaced before its time is over: objects that are valid for a time, and keys with an overlap. */
import type { Declaration } from "../../schema/declaration";
import { textOf, toInstant, secondsText } from "../../schema/formats/time";
import type { Arguments, Outputs } from "../../schema/values";
import { durationText, hour, day, fractionText } from "../../schema/text/phrase";
import { same } from "../../schema/equality";
import type { RecordedState } from "../../schema/recorded-state";
import { isUnknown } from "../../schema/unknown";

/** Whether the object is replaced now, and why: the warning that the user reads. Undefined if nothing is due. */
export function renewalOf(declaration: Declaration, state: Outputs, args: Arguments, now: number) {
  if (!declaration.validity) return undefined;
  const { renewalHours: name, from, until } = declaration.validity;
  const [hours, start, end] = [args[name], toInstant(state[from]), toInstant(state[until])];
  if (typeof hours !== "number" || end === undefined) return undefined;
  const asked = `${name} is ${hours}`;
  if (end <= now)
    return {
      due: true,
      message: `due for renewal, because it expired at ${String(state[until])} and ${asked}`,
    };
  if (end - hours * hour > now) return undefined;
  // An object that the service gives so short a life would be due again at once, in every deployment.
  if (start !== undefined && end - start <= hours * hour) {
    const life = durationText(end - start, "hour");
    return {
      due: false,
      message: `not renewed before it expires, because the service made it valid for ${life} and ${asked}`,
    };
  }
  return { due: true, message: `due for renewal, because it ends at ${String(state[until])} and ${asked}` };
}

/** The arguments of a new object, with the end of its validity if the program says how long it is valid. */
export function withEndOfValidity(
  validity: NonNullable<Declaration["validity"]>,
  args: Arguments,
  now: number,
): Arguments {
  const hours = args[validity.forHours];
  if (typeof hours !== "number") return args;
  const end = (toInstant(args[validity.from]) ?? now) + hours * hour;
  const seconds = Math.ceil(end / 1000); // SSH's time has whole seconds
  return { ...args, [validity.until]: textOf(seconds * 1000) };
}

/**
 * What the next update does for a key at the time `now`, beside sending changed arguments; undefined for resources that do not rotate.
 * It creates a new key, and the current one becomes the previous one; it removes a key. The reasons are what the user reads.
 */
export function rotationDue(declaration: Declaration, state: RecordedState, args: Arguments, now: number) {
  if (!declaration.rotates) return undefined;
  const { keyId, previousKeyId, rotatedAt, rotatesAfter } = state.outputs;
  const { rotateAfterDays, overlapDays } = args;
  const { noun } = declaration.rotates;
  const reasons: string[] = [];

  const end = later(rotatedAt, rotateAfterDays);
  const isOld = end !== undefined && end <= now;
  const isGone = rotatedAt !== undefined && keyId === undefined;
  const changed = rotatingChange(declaration, state, args);

  const overlapEnd = later(rotatedAt, overlapDays);
  const isEnded = overlapEnd !== undefined && overlapEnd <= now;
  // A rotation by age comes after the overlap, and one by a change may come before its end: there are never three keys.
  const isDisplaced = changed !== undefined && !isGone;
  const removes = typeof previousKeyId === "string" && (isEnded || isDisplaced) ? previousKeyId : undefined;
  if (removes !== undefined) {
    const reason = isEnded
      ? `its overlap ended at ${secondsText(overlapEnd)} (overlapDays is ${String(overlapDays)})`
      : `${changed} changed, and the current ${noun} takes its place`;
    reasons.push(`the previous ${noun} ${removes} is deleted, because ${reason}`);
  }

  // The state of a creation whose answer was unusable has no id of a key.
  const current = typeof keyId === "string" ? keyId : `the current ${noun}`;
  const stays = `${current} stays valid for at least ${typeof overlapDays === "number" ? fractionText(overlapDays * day) : "overlapDays"}`;
  if (isGone) reasons.push(`a new ${noun} is created, because the current one no longer exists`);
  else if (changed !== undefined)
    reasons.push(`a new ${noun} is created, because ${changed} changed; ${stays}`);
  else if (isOld) {
    reasons.push(
      `a new ${noun} is created, because ${current} was created at ${String(rotatedAt)} and rotateAfterDays is ` +
        `${String(rotateAfterDays)}; ${stays}`,
    );
  }
  const creates = isGone || isOld || changed !== undefined;
  if (!creates && end !== undefined && rotatesAfter !== secondsText(end)) {
    reasons.push(`the current ${noun} ${String(keyId)} now rotates after ${secondsText(end)}`);
  }
  return { creates, removes, reasons };
}

/** The changed argument whose new value the current key cannot take: what its secret is sealed for. */
function rotatingChange(
  { fields, seals }: Declaration,
  { local }: RecordedState,
  args: Arguments,
): string | undefined {
  const name = seals?.to;
  if (name === undefined || isUnknown(args[name])) return undefined;
  return same(fields[name]!, local?.[name], args[name]) ? undefined : name;
}

/** The time when a key that was created at `rotatedAt` is replaced, RFC 3339; undefined if that is not known. */
export function rotationTime(rotatedAt: unknown, { rotateAfterDays }: Arguments): string | undefined {
  const end = later(rotatedAt, rotateAfterDays);
  return end === undefined ? undefined : secondsText(end);
}

function later(time: unknown, days: unknown): number | undefined {
  const start = toInstant(time);
  return start === undefined || typeof days !== "number" ? undefined : start + days * day;
}
