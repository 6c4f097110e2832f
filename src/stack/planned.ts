/**
 * Creates that an update lost without a trace: where a plugin dies while the CLI lives, the engine records
 * neither the object nor that it was being made. What the program is still about to make, and what is in the
 * account since that update, tells them.
 */
import { mapSecrets } from "../schema/secrets";
import { notReturned } from "../schema/not-returned";
import { hasUnknown, isRecord } from "../schema/unknown";
import { argumentsIn } from "../import/entries";
import { GatewayError } from "../provider/errors";
import { declarationOf } from "../resources/registry";
import { pulumi } from "./pulumi";
import { creatable } from "./state";
import type { PendingCreate, StackPlace } from "./state";

/** The time of the updates that failed since the last one that did not, in milliseconds since 1970. */
export interface FailedTime {
  readonly from: number;
  readonly until: number;
}

/** When the last updates failed; undefined where the last one did not. */
export async function failedTime(place: StackPlace): Promise<FailedTime | undefined> {
  const { stdout } = await pulumi(["stack", "history", "--stack", place.stack, "--json"], place);
  return failedTimeIn(JSON.parse(stdout) as unknown);
}

/** The same, from what the CLI prints: the newest update first. */
export function failedTimeIn(history: unknown): FailedTime | undefined {
  const updates = Array.isArray(history)
    ? history.filter(isRecord).filter(({ kind }) => kind === "update")
    : [];
  const end = updates.findIndex(({ result }) => result !== "failed");
  const failed = end < 0 ? updates : updates.slice(0, end);
  if (failed.length === 0) return undefined;
  return {
    from: Date.parse(String(failed.at(-1)!.startTime)),
    until: Date.parse(String(failed[0]!.endTime)),
  };
}

/** What the program is about to make, as far as its arguments are known. It runs the program in a preview. */
export async function plannedCreates(place: StackPlace): Promise<PendingCreate[]> {
  const { stdout } = await pulumi(["preview", "--stack", place.stack, "--json"], place);
  try {
    return plannedIn(JSON.parse(stdout) as unknown);
  } catch {
    throw new GatewayError(
      "what the program is about to make could not be read: pulumi preview printed no JSON",
    );
  }
}

/** The same, from what the CLI prints. */
export function plannedIn(preview: unknown): PendingCreate[] {
  const steps = isRecord(preview) && Array.isArray(preview.steps) ? preview.steps.filter(isRecord) : [];
  const states = steps.filter(({ op }) => op === "create").map(({ newState }) => newState);
  return creatable(states.filter(isRecord)).flatMap((each): PendingCreate[] => {
    const { fields } = declarationOf(each.type);
    const args = argumentsIn(each.inputs);
    const inputs = mapSecrets(fields, args, (value) => (value === mask ? notReturned : value));
    // What was secret to the program alone is hidden too, so nothing can be compared with it.
    return hasUnknown(inputs) || holdsMask(inputs) ? [] : [{ ...each, inputs }];
  });
}

/** What a preview prints in the place of a secret, whatever it is asked for. */
const mask = "[secret]";

function holdsMask(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsMask);
  return isRecord(value) ? Object.values(value).some(holdsMask) : value === mask;
}
