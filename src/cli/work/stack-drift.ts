/** Compares one stack with its account. */
import type { AccessTest } from "../../access/tests";
import { edges, endpoints, ipPolicies } from "../../resources/groups";
import type { Declaration } from "../../schema/declaration";
import { accountTestFailures, stackDrift } from "../../review/drift";
import type { StackDrift } from "../../review/drift";
import { isFailure } from "../../stack/pulumi";
import { accountInventory } from "../input/inventory";
import { previewOfStack } from "../input/preview";

interface Comparing {
  readonly stack: string;
  readonly cwd: string | undefined;
  readonly tests: readonly AccessTest[];
  /** Whether there are several stacks: nobody can be asked for a passphrase then. */
  readonly isMany: boolean;
}

/** What differs, or why the stack could not be compared. Throws only after an interrupt. */
export async function stackDriftOf({ stack, cwd, tests, isMany }: Comparing): Promise<StackDrift> {
  const nothing = { project: undefined, drift: [], ended: [], pending: none, accessTests: 0, failures: [] };
  let found: StackDrift = { stack, ...nothing, errors: [] };
  try {
    const preview = await previewOfStack(stack, { cwd, refresh: true, mayAsk: !isMany });
    found = { ...found, ...stackDrift(preview, stack, Date.now()) };
    if (found.errors.length > 0 || tests.length === 0) return found;
    const account = await accountInventory({ stack, cwd }, decidesAccess, !isMany);
    return { ...found, accessTests: tests.length, failures: accountTestFailures(preview, account, tests) };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { ...found, errors: [...found.errors, error.message] };
  }
}

const none = { create: 0, update: 0, replace: 0, delete: 0 } as const;

function decidesAccess({ group }: Declaration): boolean {
  return [edges, endpoints, ipPolicies].includes(group);
}
