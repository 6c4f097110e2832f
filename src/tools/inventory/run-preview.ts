/** The preview of a stack by the Pulumi CLI. */
import { acceptDeleted } from "../../provider/settings/own-account";
import {
  configKey,
  configuredAccount,
  environmentNames,
  refreshOfTool,
} from "../../provider/settings/settings";
import type { StackConfig } from "../stack/config";
import { maskedText } from "../stack/mask";
import { PulumiError, isFailure, pulumi, withReason } from "../stack/pulumi";
import type { PulumiCall } from "../stack/pulumi";
import { previewIn, readPreview } from "./read-preview";
import type { Preview } from "./read-preview";

/** The preview of a stack, as the Pulumi CLI makes it. */
export interface StackPreview extends Pick<PulumiCall, "cwd" | "mayAsk"> {
  readonly stack: string;
  /** Whether it begins with a refresh. */
  readonly refresh?: boolean;
  readonly config: StackConfig;
}

/** Runs the preview of a stack. If it fails, the result has the errors. */
export async function previewOfStack({ stack, refresh, config, ...call }: StackPreview): Promise<Preview> {
  // The steps of replacements show what an interrupted replacement has left, which the next deployment deletes.
  const shown = ["--show-sames", "--show-replacement-steps"];
  const args = ["preview", "--json", ...shown, "--stack", stack, ...(refresh ? ["--refresh"] : [])];
  const printed = async (env: Record<string, string>): Promise<Preview> => {
    try {
      return readPreview((await pulumi(args, { ...call, env })).stdout);
    } catch (error) {
      const failed = error instanceof PulumiError ? failedIn(error) : undefined;
      if (failed) return failed;
      return withReason((reason) => `the stack ${stack} could not be previewed: ${reason}`)(error);
    }
  };
  if (!refresh) return printed({});
  const env = { ...(await configuredAccountOf(config)), [refreshOfTool]: "true" };
  // The preview as a whole shows whether objects of the stack exist, which the plugin cannot know from one resource.
  const preview = await printed({ ...env, [acceptDeleted]: "true" });
  const isAccepted = process.env[acceptDeleted] === "true";
  // If none exists, the second run fails unless the state shows that the key belongs to their account.
  return isAccepted || preview.errors.length > 0 || !lacksAllOfProvider(preview) ? preview : printed(env);
}

/** The preview that the CLI printed before it failed. It always has an error: without one, a review would take it for complete. */
function failedIn({ output, exitCode }: PulumiError): Preview | undefined {
  const preview = previewIn(output.stdout);
  if (preview === undefined || preview.errors.length > 0) return preview;
  const printed = maskedText(output.stderr.trim());
  return {
    ...preview,
    errors: [`the Pulumi CLI ended with exit code ${exitCode}${printed === "" ? "" : `: ${printed}`}`],
  };
}

/** Whether a refresh found no object of some provider. The preview may then be of another account. */
function lacksAllOfProvider({ resources }: Preview): boolean {
  const refreshed = [...resources.values()].filter(({ recorded }) => recorded !== undefined);
  const accounts = Map.groupBy(refreshed, ({ recorded }) => recorded!.provider);
  return [...accounts.values()].some((all) => all.every(({ before }) => before === undefined));
}

/**
 * Pulumi refreshes with the settings of the last deployment. If that took the key from the environment, the plugin gets the
 * key of the configuration by an environment variable, which only the same user can read.
 */
async function configuredAccountOf(read: StackConfig): Promise<Record<string, string>> {
  if ((process.env[environmentNames.apiKey] ?? "") !== "") return {};
  const config = await read().catch((error: unknown) => {
    // The preview fails for the same reason, and reports it.
    if (isFailure(error)) return new Map<string, string>();
    throw error;
  });
  const apiKey = config.get(configKey("apiKey"));
  const baseUrl = config.get(configKey("baseUrl")) ?? process.env[environmentNames.baseUrl];
  return apiKey === undefined ? {} : { [configuredAccount]: JSON.stringify({ apiKey, baseUrl }) };
}
