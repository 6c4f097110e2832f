/** The statements of all imported resources, and which of them may use each other's variables. */
import { placeOf, programFiles } from "./program-files";
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
  const variables = new Variables(resources, options);
  const provider = options.provider?.variable;
  return resources.map((resource) =>
    newStatement(resource, {
      protect: options.protect,
      provider,
      refer: (id) => variables.visibleTo(resource, id),
    }),
  );
}

/** A statement with its position in its file. */
interface Placed {
  readonly variable: string;
  readonly file: number;
  readonly position: number;
}

/**
 * The variables of the program by the ids of their objects. A statement uses variables of earlier files and of
 * statements above it only, so that files do not import each other in a circle.
 */
class Variables {
  private readonly added: ReadonlyMap<string, Placed>;
  private readonly kept: ReadonlyMap<string, Placed>;
  /** The positions that statements had in the program of an earlier run, by their keys. */
  private readonly earlier: ReadonlyMap<string, number>;
  private readonly positions: ReadonlyMap<PlannedResource, number>;

  constructor(resources: readonly PlannedResource[], { existing, managed }: StatementsOptions) {
    this.positions = new Map(resources.map((each, i) => [each, i]));
    this.earlier = new Map(existing.map((statement, i) => [statementKey(statement), i]));
    this.added = new Map(
      [...referable(resources)].map(([id, each]) => [
        id,
        {
          variable: each.variable,
          file: placeOf(each.declaration.type).file,
          position: this.positions.get(each)!,
        },
      ]),
    );
    this.kept = new Map(
      existing
        .filter((statement) => managed.has(statementKey(statement)))
        .map((statement) => {
          const { id, type, variable } = statement;
          return [
            id,
            { variable, file: placeOf(type).file, position: this.earlier.get(statementKey(statement))! },
          ];
        }),
    );
  }

  /** The variable of the object with the id; undefined where the resource's statement cannot use it. */
  visibleTo(resource: PlannedResource, id: string): string | undefined {
    const file = placeOf(resource.declaration.type).file;
    const added = this.added.get(id);
    if (added) return isBefore(added, file, this.positions.get(resource)!) ? added.variable : undefined;
    const kept = this.kept.get(id);
    // A kept statement that stands behind the resource's earlier position may use the resource's own variable.
    const own = this.earlier.get(statementKey({ type: resource.declaration.type, id: resource.id }));
    return kept && isBefore(kept, file, own ?? Infinity) ? kept.variable : undefined;
  }
}

function isBefore({ file, position }: Placed, otherFile: number, otherPosition: number): boolean {
  return file < otherFile || (file === otherFile && position < otherPosition);
}

/** The statements by their file. */
export function byFile(statements: readonly NewStatement[]): Map<string, NewStatement[]> {
  return Map.groupBy(statements, ({ type }) => programFiles[placeOf(type).file]!.file);
}
