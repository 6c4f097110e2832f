/** The state of a stack as `pulumi stack export --show-secrets` prints it. */
import { tokenPrefix } from "../../src/program/shim";
import type { Snapshot, Stored } from "../support/in-process/snapshot";
import { shown, toFile } from "../support/in-process/values";

export function exported({ resources, pending }: Snapshot, components: readonly string[]): object {
  return {
    version: 3,
    deployment: {
      resources: [
        ...components.map((urn) => ({ urn, custom: false, type: urn.split("::")[2] })),
        ...resources.map(stateOf),
      ],
      pending_operations: pending.map(({ type, resource }) => ({ type, resource: stateOf(resource) })),
    },
  };
}

function stateOf(stored: Stored): object {
  const { urn, type, id, inputs, outputs, dependencies, propertyDependencies, external, protect } = stored;
  return {
    urn,
    custom: true,
    id,
    type: tokenPrefix + type,
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
export function stateShown(after: Planned): object {
  const { urn, type, inputs } = after;
  return { urn, custom: true, type: tokenPrefix + type, inputs: shown(inputs), parent: componentOf(after) };
}

type Planned = Pick<Stored, "urn" | "type" | "inputs" | "parent">;

/** The URN of the component that a resource is a part of. */
export function componentOf({ urn, parent }: Pick<Stored, "urn" | "parent">): string | undefined {
  if (parent === undefined) return undefined;
  const [scheme, own, rest] = [urn.split("::").slice(0, 2).join("::"), urn.split("::")[2]!, parent];
  return `${scheme}::${own.split("$")[0]}::${rest}`;
}
