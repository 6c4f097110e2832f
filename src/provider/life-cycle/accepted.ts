/**
 * Services that normalise. When the answer to a write holds another value than was sent, the state records what was
 * sent. As long as the service keeps its value and the program keeps its own, that isn't a change.
 */
import type { Declaration } from "../../schema/declaration";
import type { Json } from "../../schema/json";
import { same } from "../../schema/equality";

import { holdsSecret } from "../../schema/secrets";
import { membersOf, valueAt } from "../../schema/unknown";
import { fieldAt } from "../../schema/walk";
import { acceptedIn } from "./changes";
import type { ArgumentChange } from "./changes";
import { keptNote, notChanged, otherMeaning } from "./deviation";
import { GatewayError } from "../errors";

/** The arguments that the service keeps in another form, with its values, and the record of what was sent. */
export function acceptedValues(state: Json): Json {
  const names = Object.keys(acceptedIn(state)).map((path) => path.split(".")[0]!);
  if (names.length === 0) return {};
  return { ...Object.fromEntries(names.map((name) => [name, state[name]])), __accepted: state.__accepted };
}

/** How the answer to a write differs from what was sent. */
interface Differences {
  /** What was sent and is accepted in another form, by path. */
  readonly accepted: Json;
  /** Why the write failed though it was answered. */
  readonly problem?: GatewayError;
  /** The outputs differ in a way that the next update repairs. */
  readonly isUnlike: boolean;
}

/**
 * What the differences between the outputs after a write and the arguments mean.
 * @param differences of the outputs and the arguments, without what was accepted before.
 * @param before the outputs before an update; undefined after a create.
 */
export function differencesAfter(
  { noun }: Declaration,
  differences: readonly ArgumentChange[],
  { outputs, args, before }: { readonly outputs: Json; readonly args: Json; readonly before?: Json },
): Differences {
  const accepted: Record<string, unknown> = {};
  const problems: string[] = [];
  let isUnlike = false;
  for (const { path, field, secret, decidesAccess, recordedOnly } of differences) {
    if (recordedOnly) continue;
    const [sent, kept] = [valueAt(args, path), valueAt(outputs, path)];
    const isIgnored = before !== undefined && same(field, valueAt(before, path), kept);
    if (sent === undefined) isUnlike = true;
    if (isIgnored) problems.push(notChanged({ name: path, sent, kept }, secret));
    else if (decidesAccess) problems.push(otherMeaning({ name: path, sent, kept }, secret));
    else if (sent !== undefined) accepted[path] = sent;
  }
  const problem =
    problems.length === 0
      ? undefined
      : new GatewayError(
          `the service answered the write of the ${noun} with success and did not take it: ${problems.join("; ")}. ` +
            "Write the value that the service keeps into the program, or ask its operator",
        );
  return {
    isUnlike: isUnlike || problem !== undefined,
    accepted,
    ...(problem ? { problem } : {}),
  };
}

/** What was accepted before and still is: the service has the same value as in the state. */
export function stillAccepted(state: Json, outputs: Json): Json {
  const entries = Object.entries(acceptedIn(state)).filter(
    ([path]) => JSON.stringify(valueAt(state, path)) === JSON.stringify(valueAt(outputs, path)),
  );
  return Object.fromEntries(entries);
}

/** What was accepted and the program still has as it was sent. */
export function acceptedOf({ fields }: Declaration, accepted: Json, args: Json): Json {
  return Object.fromEntries(
    Object.entries(accepted).filter(([path, sent]) => same(fieldAt(fields, path), sent, valueAt(args, path))),
  );
}

/** The arguments with other values at the paths. */
export function withValues(args: Json, values: Json): Json {
  return Object.entries(values).reduce((all, [path, value]) => withValue(all, path.split("."), value), args);
}

function withValue(args: Json, [first = "", ...rest]: readonly string[], value: unknown): Json {
  return { ...args, [first]: rest.length === 0 ? value : withValue(membersOf(args[first]), rest, value) };
}

/** What a preview says about values that the service keeps in another form. */
export function acceptedNotes(declaration: Declaration, state: Json, args: Json): string[] {
  const accepted = acceptedOf(declaration, acceptedIn(state), args);
  return Object.entries(accepted).map(([path, sent]) =>
    keptNote(path, valueAt(state, path), sent, holdsSecret(fieldAt(declaration.fields, path))),
  );
}
