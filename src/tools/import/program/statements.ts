/** The statements of all imported resources, and the variables that each may use. */
import { Inventory } from "../../inventory/inventory";
import { statementKey } from "./existing-program";
import type { ExistingStatement } from "./existing-program";
import { positionOf } from "../objects/program-order";
import type { PlannedResource } from "../objects/plan";
import { newStatement } from "./statement";
import type { NewStatement, StatementOptions } from "./statement";

export interface StatementsOptions extends Omit<StatementOptions, "refer"> {
  readonly existing: readonly ExistingStatement[];
}

export function newStatements(
  resources: readonly PlannedResource[],
  options: StatementsOptions,
): NewStatement[] {
  const variableFor = variablesOf(resources, options);
  return resources.map((resource) =>
    newStatement(resource, { ...options, refer: (id) => variableFor(resource, id) }),
  );
}

/**
 * The variable of the object with an id; undefined if the statement cannot use it. A statement uses only variables of earlier
 * files and of statements above it, so that files do not import each other in a cycle.
 */
function variablesOf(
  resources: readonly PlannedResource[],
  { existing }: StatementsOptions,
): (resource: PlannedResource, id: string) => string | undefined {
  const added = new Inventory(resources);
  const positions = new Map(resources.map((each, i) => [each, i]));
  const kept = new Map(existing.filter(({ isManaged }) => isManaged).map((each) => [each.id, each]));
  /** The positions of statements in the program of an earlier run. */
  const earlier = new Map(existing.map((each, i) => [statementKey(each), i]));
  return (resource, id) => {
    const { type } = resource.declaration;
    const isUsable = (other: string, isAbove: boolean): boolean => {
      const distance = positionOf(type).file - positionOf(other).file;
      return distance > 0 || (distance === 0 && isAbove);
    };
    const target = added.byId(id);
    if (target) {
      const isAbove = positions.get(target)! < positions.get(resource)!;
      return isUsable(target.declaration.type, isAbove) ? target.variable : undefined;
    }
    const statement = kept.get(id);
    if (!statement) return undefined;
    // A kept statement below the resource's earlier position may use the resource's own variable.
    const own = earlier.get(statementKey({ type, id: resource.id })) ?? Infinity;
    const isAbove = earlier.get(statementKey(statement))! < own;
    return isUsable(statement.type, isAbove) ? statement.variable : undefined;
  };
}
