/**
 * Services that normalise. When the answer to a write holds another value than was sent, the state records what was
 * sent. As long as the service keeps its value and the program keeps its own, that isn't a change.
 */
import type { Declaration } from "../../schema/declaration";
import { quote } from "../../schema/formats/quote";
import type { Json } from "../../schema/json";
import { same } from "../../schema/equality";
import { fieldsOf } from "../../schema/field";
import type { AnyField, Fields } from "../../schema/field";
import { holdsSecret } from "../../schema/secrets";
import { membersOf, valueAt } from "../../schema/unknown";
import { acceptedIn } from "./changes";
import type { ArgumentChange } from "./changes";
import { GatewayError } from "../errors";

/** The arguments that the service keeps in another form, with its values, and the record of what was sent. */
export function acceptedValues(state: Json): Json {
  const names = Object.keys(acceptedIn(state)).map((path) => path.split(".")[0]!);
  if (names.length === 0) return {};
  return { ...Object.fromEntries(names.map((name) => [name, state[name]])), __accepted: state.__accepted };
}

/** How the answer to a write differs from what was sent. */
interface Differences {
  /** What was sent and is accepted in another form, by path; undefined where nothing is. */
  readonly accepted?: Json;
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
    if (isIgnored)
      problems.push(`${path} was not changed: sent ${shown(sent, secret)}, kept ${shown(kept, secret)}`);
    else if (decidesAccess) {
      problems.push(
        `${path} decides who has access, and the service keeps another value: sent ${shown(sent, secret)}, ` +
          `kept ${shown(kept, secret)}`,
      );
    } else if (sent !== undefined) accepted[path] = sent;
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
    ...(Object.keys(accepted).length > 0 ? { accepted } : {}),
    ...(problem ? { problem } : {}),
  };
}

/** What was accepted before and still is: the service has the same value as in the state. */
export function stillAccepted(state: Json, outputs: Json): Json | undefined {
  const entries = Object.entries(acceptedIn(state)).filter(
    ([path]) => JSON.stringify(valueAt(state, path)) === JSON.stringify(valueAt(outputs, path)),
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The arguments with other values at the paths. */
export function withValues(args: Json, values: Json): Json {
  return Object.entries(values).reduce((all, [path, value]) => withValue(all, path.split("."), value), args);
}

function withValue(args: Json, [first = "", ...rest]: readonly string[], value: unknown): Json {
  return { ...args, [first]: rest.length === 0 ? value : withValue(membersOf(args[first]), rest, value) };
}

/** What a preview says about values that the service keeps in another form. */
export function acceptedNotes(
  { fields }: Declaration,
  state: Json,
  changes: readonly ArgumentChange[],
): string[] {
  const changed = new Set(changes.map(({ path }) => path));
  return Object.entries(acceptedIn(state))
    .filter(([path]) => !changed.has(path))
    .map(([path, sent]) => {
      const isSecret = holdsSecret(fieldAt(fields, path));
      return (
        `${path}: the service keeps ${shown(valueAt(state, path), isSecret)} for ${shown(sent, isSecret)}. This is not a ` +
        "change; to end this warning, write what the service keeps into the program"
      );
    });
}

/** The field of an argument's path, such as `deployment.version`. */
function fieldAt(fields: Fields, path: string): AnyField {
  const [first = "", ...rest] = path.split(".");
  const field = fields[first]!;
  return rest.length === 0 ? field : fieldAt(fieldsOf(field), rest.join("."));
}

function shown(value: unknown, isSecret: boolean): string {
  if (isSecret) return "a secret value";
  if (value === undefined) return "nothing";
  return typeof value === "string" ? quote(value) : quote(JSON.stringify(value)).slice(1, -1);
}
