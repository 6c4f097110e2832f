/**
 * Creates that Pulumi has no record of: if a plugin dies and the CLI does not, the engine records neither the object nor the
 * pending create. They are found by the program's planned creates and the new objects of the account since that update.
 */
import { maybeCreated } from "../inventory/stack";
import type { PendingCreate, StackLocation } from "../inventory/stack";
import { previewIn } from "../inventory/read-preview";
import type { Preview } from "../inventory/read-preview";
import { GatewayError } from "../../provider/errors";
import { withoutHidden } from "../../schema/recorded-state";
import { mapSecrets, notReturned } from "../../schema/secrets";
import { hasUnknown, recordsIn } from "../../schema/unknown";
import { argumentsFrom } from "../../schema/values";
import { hasSecret } from "../stack/engine-secrets";
import { secretMask } from "../stack/mask";
import { PulumiError, printedJson, pulumi } from "../stack/pulumi";
import { nameIn } from "../../provider/urn";

/** The time of the updates that failed since the last successful one, in milliseconds since 1970. */
export interface FailedTime {
  readonly from: number;
  readonly until: number;
}

/** The time of the latest failed updates of a stack; undefined if the last update succeeded. */
export async function failedTime(location: StackLocation): Promise<FailedTime | undefined> {
  const { stdout } = await pulumi(["stack", "history", "--stack", location.stack, "--json"], location);
  return failedTimeIn(printedJson(stdout, `the history of the stack ${location.stack}`));
}

/** The same, from the history as the CLI prints it: the newest update first. */
export function failedTimeIn(history: unknown): FailedTime | undefined {
  const updates = recordsIn(history).filter(({ kind }) => kind === "update");
  const end = updates.findIndex(({ result }) => result !== "failed");
  const failed = end < 0 ? updates : updates.slice(0, end);
  if (failed.length === 0) return undefined;
  return {
    from: Date.parse(String(failed.at(-1)!.startTime)),
    until: Date.parse(String(failed[0]!.endTime)),
  };
}

/** The creates of the program's next update whose arguments are known. It runs the program in a preview. */
export async function plannedCreates({ stack, cwd }: StackLocation): Promise<PendingCreate[]> {
  const args = ["preview", "--stack", stack, "--json"];
  const { stdout } = await pulumi(args, { cwd }).catch((error: unknown) => {
    throw error instanceof PulumiError ? previewFailure(error, stack) : error;
  });
  const preview = previewIn(stdout);
  if (!preview) throw new GatewayError("the planned creates could not be read: pulumi printed no JSON");
  return plannedIn(preview);
}

/** The failure of a preview that prints JSON. Its diagnostics hold the errors; the rest of its output is irrelevant. */
export function previewFailure(
  { output, reason }: PulumiError,
  stack: string,
  advice = "Fix the program, or leave out --planned",
): GatewayError {
  const { errors = [] } = previewIn(output.stdout) ?? {};
  return new GatewayError(
    `the stack ${stack} could not be previewed: ${errors.join("\n") || reason}. ${advice}`,
  );
}

/** The same, from a preview. */
export function plannedIn({ changes, resources, after }: Preview): PendingCreate[] {
  // A replacement also creates, and the plugin may have died after the create.
  const creating = changes.filter(({ action }) => action === "create" || action === "replace");
  const created = new Set(creating.map(({ urn }) => urn));
  const mismatch = after.mismatches.find(({ urn }) => created.has(urn));
  if (mismatch) throw maybeCreated(mismatch);
  return [...resources.values()].flatMap(({ urn, after: object }): PendingCreate[] => {
    if (!object || !created.has(urn)) return [];
    const { fields } = object.declaration;
    const unmasked = (value: unknown): unknown => (value === secretMask ? notReturned : value);
    const args = argumentsFrom(mapSecrets(fields, withoutHidden(object.args), unmasked));
    // Values that only the program marks as secret are masked too, so such a create cannot be compared.
    if (hasUnknown(args) || hasSecret(args)) return [];
    return [{ ...object, name: nameIn(urn, object.record.type), args, values: args }];
  });
}
