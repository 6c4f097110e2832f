import type { Fields } from "../schema/field";
import type { Json } from "../schema/json";
import { ApiError } from "./errors";

/** A refusal that is about one of the arguments names it, and says what the specification says of it. */
export function atItsArgument(error: unknown, fields: Fields, args: Json): unknown {
  if (!(error instanceof ApiError)) return error;
  for (const [name, { traits }] of Object.entries(fields)) {
    const { refusal } = traits;
    const isMissing = args[name] === undefined;
    if (!refusal?.status.includes(error.status) || isMissing !== (refusal.missing ?? false)) continue;
    if (refusal.words?.test(error.serviceMessage ?? "") ?? true) return error.at(name, refusal.clause);
  }
  return error;
}
