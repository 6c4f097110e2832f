/** The statements of all imported resources, and which of them may use each other's variables. */
import { placeOf } from "./program-files";
import { statementKey } from "./existing-program";
import type { ExistingStatement } from "./existing-program";
import type { NamedProvider } from "./options";
import type { PlannedResource } from "./plan";
import { referable } from "./references";
import { newStatement } from "./statement";
import type { NewStatement } from "./statement";

export interface StatementsOptions {
  readonly existing: readonly ExistingStatement[];
  /** The resources that the stack manages: `<class> <id>`. */
  readonly managed: ReadonlySet<string>;
  readonly protect: boolean;
  readonly provider?: NamedProvider;
}

/** The statements of the resources, in the same order. */
export function newStatements(
  resources: readonly PlannedResource[],
  options: StatementsOptions,
): NewStatement[] {
  const variableFor = variablesOf(resources, options);
  const provider = options.provider?.variable;
  return resources.map((resource) =>
    newStatement(resource, {
      protect: options.protect,
      provider,
      refer: (id) => variableFor(resource, id),
    }),
  );
}

/**
 * The variable of the object with an id; undefined where the statement of the resource cannot use it. A statement uses
 * variables of earlier files and of statements above it only, so that files do not import each other in a circle.
 */
function variablesOf(
  resources: readonly PlannedResource[],
  { existing, managed }: StatementsOptions,
): (resource: PlannedResource, id: string) => string | undefined {
  const added = referable(resources);
  const positions = new Map(resources.map((each, i) => [each, i]));
  const kept = new Map(
    existing.filter((each) => managed.has(statementKey(each))).map((each) => [each.id, each]),
  );
  /** The positions that statements had in the program of an earlier run. */
  const earlier = new Map(existing.map((each, i) => [statementKey(each), i]));
  return (resource, id) => {
    const { type } = resource.declaration;
    const isAbove = (other: string, position: number, own: number): boolean => {
      const distance = placeOf(type).file - placeOf(other).file;
      return distance > 0 || (distance === 0 && position < own);
    };
    const target = added.get(id);
    if (target) {
      const own = positions.get(resource)!;
      return isAbove(target.declaration.type, positions.get(target)!, own) ? target.variable : undefined;
    }
    const statement = kept.get(id);
    if (!statement) return undefined;
    // A kept statement that stands behind the resource's earlier position may use the resource's own variable.
    const own = earlier.get(statementKey({ type, id: resource.id })) ?? Infinity;
    const position = earlier.get(statementKey(statement))!;
    return isAbove(statement.type, position, own) ? statement.variable : undefined;
  };
}
