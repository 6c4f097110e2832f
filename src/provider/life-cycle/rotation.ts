/** Keys that are replaced in time: what is due for a resource with a current and a previous key. */
import type { Declaration } from "../../schema/declaration";
import { same } from "../../schema/equality";
import { secondsText, toInstant } from "../../schema/formats/time";
import type { RecordedState } from "../../schema/recorded-state";
import { isUnknown } from "../../schema/unknown";
import type { Arguments } from "../../schema/values";
import { day, fractionText } from "../../schema/text/phrase";

/** What the next update does for a key, beside sending changed arguments. */
export interface RotationDue {
  /** It creates a new key; the current one becomes the previous one. */
  readonly creates: boolean;
  /** It deletes this key. */
  readonly removes?: string;
  /** The sentences that the user reads; empty if nothing is due. */
  readonly reasons: readonly string[];
}

/** What is due for the state at the time `now`; undefined for resources that do not rotate. */
export function rotationDue(
  declaration: Declaration,
  state: RecordedState,
  args: Arguments,
  now: number,
): RotationDue | undefined {
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
  return { creates, ...(removes === undefined ? {} : { removes }), reasons };
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
