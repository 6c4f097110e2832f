import { mapValues } from "../schema/parts";
import { isLater, isRecord, unknown } from "../schema/unknown";

/** The arguments that a constructor can check: Outputs and promises become unknown. */
export function visible(args: Record<string, unknown>): Record<string, unknown> {
  return mapValues(args, seen);
}

function seen(value: unknown): unknown {
  if (isLater(value)) return unknown;
  if (Array.isArray(value)) return value.map(seen);
  return isRecord(value) ? visible(value) : value;
}
