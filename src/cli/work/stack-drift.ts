/** Compares one stack with its account. */
import type { Semantics } from "../../access/semantics";
import type { AccessTest } from "../../access/tests";
import { edges, endpoints, ipPolicies } from "../../resources/groups";
import type { Declaration } from "../../schema/declaration";
import { accountTestFailures, stackDrift } from "../../review/drift";
import type { StackDrift } from "../../review/drift";
import { configOnce } from "../../stack/config";
import type { StackConfig } from "../../stack/config";
import { isFailure } from "../../stack/pulumi";
import { ApiError, GatewayError, SettingsError } from "../../provider/errors";
import { connect, plainList } from "../input/connect";
import { accountInventory } from "../input/inventory";
import { previewOfStack } from "../input/preview";

interface Comparing {
  readonly stack: string;
  readonly cwd: string | undefined;
  readonly tests: readonly AccessTest[];
  readonly semantics: Semantics;
  /** Whether there are several stacks: nobody can be asked for a passphrase then. */
  readonly isMany: boolean;
}

/** What differs, or why the stack could not be compared. Throws only after an interrupt. */
export async function stackDriftOf({ stack, cwd, tests, semantics, isMany }: Comparing): Promise<StackDrift> {
  const nothing = { project: undefined, drift: [], ended: [], pending: none, accessTests: 0, failures: [] };
  let found: StackDrift = { stack, ...nothing, errors: [] };
  try {
    const call = { cwd, mayAsk: !isMany };
    const config = configOnce(stack, call);
    const preview = await previewOfStack({ ...call, stack, refresh: true, config });
    found = { ...found, ...stackDrift(preview, stack, Date.now()) };
    if (found.errors.length > 0) return found;
    await requireAcceptedKey(stack, config);
    if (tests.length === 0) return found;
    const account = await accountInventory({ stack, cwd }, decidesAccess, config);
    const failures = accountTestFailures(preview, account, tests, semantics);
    return { ...found, accessTests: tests.length, failures };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { ...found, errors: [...found.errors, error.message] };
  }
}

/**
 * Throws where the service refuses the key of the configuration. A refresh does not notice: Pulumi refreshes with the key
 * in the state. Without settings, all providers of the stack have their own.
 */
async function requireAcceptedKey(stack: string, config: StackConfig): Promise<void> {
  try {
    const client = await connect({ stack }, config);
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

const none = { create: 0, update: 0, replace: 0, delete: 0 } as const;

function decidesAccess({ group }: Declaration): boolean {
  return [edges, endpoints, ipPolicies].includes(group);
}
