/** Compares stacks with their accounts. */
import type { Semantics } from "../access/semantics";
import type { AccessTest } from "../access/access-tests";
import { accountInventory, connect, plainList } from "../inventory/connect";
import type { Reporter } from "../inventory/connect";
import { ApiError, GatewayError, SettingsError } from "../../provider/errors";
import { configKey, environmentNames } from "../../provider/settings/settings";
import { accessGroups } from "../../resources/collection";
import type { Declaration } from "../../schema/declaration";
import { configOnce } from "../stack/config";
import type { StackConfig } from "../stack/config";
import { secretMask } from "../stack/mask";
import { isFailure } from "../stack/pulumi";
import { isSameUrl } from "../stack/state";
import { defaultProvider, inAccountOf } from "../inventory/providers";
import { previewOfStack } from "../inventory/run-preview";
import { readStack } from "../inventory/stack";
import type { StackContents } from "../inventory/stack";
import { counted } from "../../schema/text/phrase";
import { accountTestFailures, stackDrift } from "./drift";
import type { StackDrift } from "./drift";
import { inParallel } from "./parallel";
import { actionCountsOf } from "./review";

export interface Comparing {
  readonly cwd: string | undefined;
  readonly tests: readonly AccessTest[];
  readonly semantics: Semantics;
  /** How many stacks are compared at the same time. */
  readonly parallel: number;
  /** Whether the Pulumi CLI may ask the user, for a passphrase for example. */
  readonly mayAsk: boolean;
  readonly reporter: Reporter;
}

/** The drift of each stack, or why it could not be compared. Throws only after an interrupt. */
export function driftOfStacks(stacks: readonly string[], comparing: Comparing): Promise<StackDrift[]> {
  const progress = (done: number): void =>
    comparing.reporter.status(
      `Comparing ${counted(stacks.length, "stack with its account", "stacks with their accounts")}: ${done} done`,
    );
  return inParallel(stacks, comparing.parallel, progress, (stack) => driftOfStack(stack, comparing));
}

async function driftOfStack(stack: string, comparing: Comparing): Promise<StackDrift> {
  const { cwd, tests, semantics, mayAsk, reporter } = comparing;
  const nothing = {
    project: undefined,
    drift: [],
    ended: [],
    pending: actionCountsOf([]),
    accessTests: 0,
    failures: [],
  };
  let found: StackDrift = { stack, ...nothing, errors: [] };
  try {
    const config = configOnce(stack, { cwd, mayAsk });
    const preview = await previewOfStack({ stack, cwd, mayAsk, refresh: true, config });
    found = { ...found, ...stackDrift(preview, stack, Date.now()) };
    if (found.errors.length > 0) return found;
    // The preview has reported what the contents leave out.
    const contents = await readStack({ stack, cwd, note: () => undefined });
    await requireSameUrl(contents, config);
    await requireAcceptedKey(stack, config, reporter);
    if (tests.length === 0) return found;
    const own = inAccountOf(contents, undefined);
    const parts = { isChosen: ({ group }: Declaration) => accessGroups.includes(group) };
    const account = await accountInventory({ stack, cwd }, own, parts, reporter, config);
    const failures = accountTestFailures(preview, account, tests, semantics);
    return { ...found, accessTests: tests.length, failures };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { ...found, errors: [...found.errors, error.message] };
  }
}

/**
 * Throws if the settings name another base URL than the refresh used, which is that of the last deployment: the next deployment
 * would change another account than the one that was compared.
 */
async function requireSameUrl(contents: StackContents, config: StackConfig): Promise<void> {
  const provider = defaultProvider(contents);
  if (provider === undefined || provider.baseUrl === secretMask) return;
  const { [environmentNames.baseUrl]: ofEnvironment = "" } = process.env;
  const refreshed = provider.baseUrl ?? ofEnvironment;
  const next = (await config()).get(configKey("baseUrl")) ?? ofEnvironment;
  if (refreshed === "" || next === "" || isSameUrl(refreshed, next)) return;
  throw new GatewayError(
    `the base URL of the stack ${contents.stack} is ${next}, and the refresh used that of the last deployment, ${refreshed}: correct ` +
      `${configKey("baseUrl")} or ${environmentNames.baseUrl}, or review the change and run pulumi up`,
  );
}

/**
 * Throws if the service refuses the key of the configuration. A refresh does not notice: Pulumi refreshes with the key
 * in the state. Without settings, all providers of the stack have their own.
 */
async function requireAcceptedKey(stack: string, config: StackConfig, { note }: Reporter): Promise<void> {
  try {
    const client = await connect({ stack }, note, config);
    for await (const _ of client.pages(plainList)) break;
  } catch (error) {
    if (error instanceof SettingsError) return;
    if (!(error instanceof ApiError)) throw error;
    // Any other refusal, such as a missing permission, comes from a service that accepts the key.
    if (error.status !== 401) return;
    throw new GatewayError(
      `the service refuses the key in the configuration of the stack ${stack}, so the refresh used the key in the state: ` +
        "correct tunnel-gateway:apiKey, and run pulumi up",
    );
  }
}
