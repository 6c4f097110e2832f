import type { Declaration } from "../schema/declaration";
import { stampIn } from "../schema/stamp";
import type { Settings } from "../settings";
import type { Json } from "../schema/json";

/**
 * The arguments of an existing object, its metadata as it was where only a stamp would come, go or change and
 * the change would replace the object: what a setting adds is no reason to make an object anew.
 */
export function withoutLateStamp(
  { fields }: Declaration,
  before: Json,
  args: Json,
  settings: Settings,
): Json {
  const change = { old: before.metadata, next: args.metadata };
  const isNew = Object.keys(before).length === 0;
  if (isNew || !fields.metadata?.traits.replace?.(change, settings)) return args;
  if (![change.old, change.next].every((text) => text === undefined || stampIn(text))) return args;
  return { ...args, metadata: change.old };
}
