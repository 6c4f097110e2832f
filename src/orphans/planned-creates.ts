/**
 * Creates that Pulumi has no record of: where a plugin dies and the CLI does not, the engine records neither the
 * object nor that it was being created. They are found by what the program is still about to create and by what the
 * account has got since that update.
 */
import { jsonIn } from "../schema/json";
import { mapSecrets, notReturned } from "../schema/secrets";
import { hasUnknown, membersOf, recordsIn } from "../schema/unknown";
import { GatewayError } from "../provider/errors";
import { secretMask } from "../stack/mask";
import { hasSecret } from "../stack/engine-secrets";
import { errorsIn } from "../stack/preview";
import { PulumiError, printedJson, pulumi } from "../stack/pulumi";
import { creatable } from "../inventory/stack";
import type { PendingCreate, StackLocation } from "../inventory/stack";

/** The time of the updates that failed since the last successful one, in milliseconds since 1970. */
export interface FailedTime {
  readonly from: number;
  readonly until: number;
}

/** The time of the latest failed updates of a stack; undefined where the last update succeeded. */
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
export async function plannedCreates(location: StackLocation): Promise<PendingCreate[]> {
  // The environment of the user may ask for one event a line instead of a document.
  const env = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "false" };
  const args = ["preview", "--stack", location.stack, "--json"];
  const { stdout } = await pulumi(args, { cwd: location.cwd, env }).catch((error: unknown) => {
    throw error instanceof PulumiError ? previewFailure(error, location.stack) : error;
  });
  return plannedIn(printedJson(stdout, "the planned creates"));
}

/** The failure of a preview that prints JSON: its diagnostics hold the errors, and everything else is noise. */
export function previewFailure({ output, reason }: PulumiError, stack: string): GatewayError {
  return new GatewayError(
    `the stack ${stack} could not be previewed: ${errorsIn(jsonIn(output.stdout)).join("\n") || reason}. ` +
      "Fix the program, or leave out --planned",
  );
}

/** The same, from the preview as the CLI prints it. */
export function plannedIn(preview: unknown): PendingCreate[] {
  // A replacement creates too, and the plugin may have died after that.
  const states = recordsIn(membersOf(preview).steps)
    .filter(({ op }) => op === "create" || op === "replace")
    .map(({ newState }) => newState);
  return creatable(recordsIn(states)).flatMap((each): PendingCreate[] => {
    const { fields } = each.declaration;
    const args = mapSecrets(fields, each.args, (value) => (value === secretMask ? notReturned : value));
    // Values that only the program marks as secret are hidden too, so such a create cannot be compared.
    return hasUnknown(args) || hasSecret(args) ? [] : [{ ...each, args }];
  });
}
