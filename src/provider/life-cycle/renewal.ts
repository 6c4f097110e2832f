/** Objects that are valid for a time: when they end, and when they are replaced before that. */
import type { Declaration } from "../../schema/declaration";
import { textOf, toInstant } from "../../schema/formats/time";
import type { Arguments, Outputs } from "../../schema/values";
import { durationText, hour } from "../../schema/text/phrase";

export interface Renewal {
  readonly due: boolean;
  /** The warning that the user reads. */
  readonly message: string;
}

/** Whether the object is replaced now, and why; undefined if nothing is due. */
export function renewalOf(
  declaration: Declaration,
  state: Outputs,
  args: Arguments,
  now: number,
): Renewal | undefined {
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
export function withEndOfValidity({ validity }: Declaration, args: Arguments, now: number): Arguments {
  const hours = validity && args[validity.forHours];
  if (typeof hours !== "number") return args;
  const end = (toInstant(args[validity!.from]) ?? now) + hours * hour;
  const seconds = Math.ceil(end / 1000); // SSH's time has whole seconds
  return { ...args, [validity!.until]: textOf(seconds * 1000) };
}
