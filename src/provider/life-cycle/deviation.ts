/** What is said of values that the service answers otherwise than they were sent. */
import { quote } from "../../schema/formats/quote";

/** A value that the service answers a write with. */
export interface Deviation {
  /** The argument. */
  readonly name: string;
  readonly sent: unknown;
  readonly kept: unknown;
}

/** Of an answer with the value from before. */
export function notChanged({ name, sent, kept }: Deviation, isSecret = false): string {
  return `${name} was not changed: sent ${shown(sent, isSecret)}, kept ${shown(kept, isSecret)}`;
}

/** Of an answer with another value of what decides who has access. */
export function otherMeaning({ name, sent, kept }: Deviation, isSecret = false): string {
  return (
    `${name} decides who has access, and the service keeps another value: sent ${shown(sent, isSecret)}, ` +
    `kept ${shown(kept, isSecret)}`
  );
}

/** Of a value that the service keeps in another form. */
export function keptNote(path: string, kept: unknown, sent: unknown, isSecret = false): string {
  return (
    `${path}: the service keeps ${shown(kept, isSecret)} for ${shown(sent, isSecret)}. This is not a ` +
    "change; to end this warning, write what the service keeps into the program"
  );
}

function shown(value: unknown, isSecret: boolean): string {
  if (isSecret) return "a secret value";
  if (value === undefined) return "nothing";
  return typeof value === "string" ? quote(value) : quote(JSON.stringify(value)).slice(1, -1);
}
