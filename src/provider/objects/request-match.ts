/** Whether an object matches a request: how a write whose answer was lost is recognised. */
import type { Declaration } from "../../schema/declaration";
import { isCreationMark } from "../../schema/metadata";
import { defaultOf } from "../../schema/field";
import { setPaths } from "../../schema/walk";
import type { Settings } from "../../settings";
import type { Json } from "../../schema/json";
import { compare } from "../life-cycle/changes";
import { outputsOf } from "../life-cycle/state";

/** Whether the object has every argument that was sent, as far as answers show; they may not show secrets. */
export function matchesRequest(
  declaration: Declaration,
  answer: Json,
  sent: Json,
  settings: Settings,
): boolean {
  const outputs = outputsOf(declaration, answer, sent, setPaths(declaration.fields, sent));
  return compare(declaration, outputs, sent, settings).changes.length === 0;
}

/**
 * Whether the object may have been made with these arguments: a text that was not sent must have its
 * default, or an object without a name would be recognised in every other.
 */
export function mayResultFrom(
  declaration: Declaration,
  answer: Json,
  args: Json,
  settings: Settings,
): boolean {
  const texts = Object.entries(declaration.fields)
    .filter(([name, { shape }]) => shape.kind === "string" && args[name] === undefined)
    .filter(([, { traits }]) => !traits.writeOnly && !traits.secret)
    .map(([name, field]): [string, unknown] => [name, defaultOf(field)]);
  // An object whose creation did not end has a mark in the place of its metadata.
  const shown = isCreationMark(answer.metadata) ? { ...answer, metadata: args.metadata } : answer;
  return matchesRequest(declaration, shown, { ...args, ...Object.fromEntries(texts) }, settings);
}
