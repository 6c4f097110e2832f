import { Output } from "@pulumi/pulumi";
import { isRecord, unknown } from "../schema/unknown";

/** The arguments that a constructor can check: Outputs and promises become unknown. */
export function visible(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, seen(value)]));
}

function seen(value: unknown): unknown {
  if (Output.isInstance(value) || value instanceof Promise) return unknown;
  if (Array.isArray(value)) return value.map(seen);
  return isRecord(value) ? visible(value) : value;
}
