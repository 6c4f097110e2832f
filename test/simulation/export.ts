/** The state of a stack as `pulumi stack export --show-secrets` prints it. */
import { nativeProviderType } from "../../src/provider/urn";
import type { Snapshot, Stored } from "../support/in-process/snapshot";
import { shown, toFile } from "../support/in-process/values";
import type { DoorName } from "../support/engine";
import { doorOf } from "./program";

export function exported(
  { resources, pending }: Snapshot,
  components: readonly string[],
  door: DoorName,
): object {
  return {
    version: 3,
    deployment: {
      resources: [
        ...components.map((urn) => ({ urn, custom: false, type: urn.split("::")[2] })),
        ...resources.map((each) => stateOf(each, door)),
      ],
      pending_operations: pending.map(({ type, resource }) => ({ type, resource: stateOf(resource, door) })),
    },
  };
}

function stateOf(stored: Stored, door: DoorName): object {
  const { urn, type, id, inputs, outputs, dependencies, propertyDependencies, external, protect } = stored;
  return {
    urn,
    custom: true,
    id,
    ...workedOnBy(type, door, urn),
    inputs: toFile(inputs),
    outputs: toFile(outputs),
    parent: componentOf(stored),
    dependencies,
    propertyDependencies,
    external,
    protect,
    delete: stored.isReplaced,
    pendingReplacement: stored.isDeletedFirst,
    initErrors: stored.initErrors,
  };
}

/** A state in the output of `pulumi preview --json`. */
export function stateShown(after: Planned, door: DoorName): object {
  const { urn, type, inputs } = after;
  return {
    ...{ urn, custom: true, inputs: shown(inputs), parent: componentOf(after) },
    ...workedOnBy(type, door, urn),
  };
}

/** The type of a resource, and the default provider of a native one. */
function workedOnBy(type: string, door: DoorName, urn: string): object {
  const token = doorOf[door].tokenPrefix + type;
  if (door === "dynamic") return { type: token };
  const stack = urn.split("::").slice(0, 2).join("::");
  return { type: token, provider: `${stack}::${nativeProviderType}::default::1` };
}

type Planned = Pick<Stored, "urn" | "type" | "inputs" | "parent">;

/** The URN of the component that a resource is a part of. */
export function componentOf({ urn, parent }: Pick<Stored, "urn" | "parent">): string | undefined {
  if (parent === undefined) return undefined;
  const [scheme, own, rest] = [urn.split("::").slice(0, 2).join("::"), urn.split("::")[2]!, parent];
  return `${scheme}::${own.split("$")[0]}::${rest}`;
}
