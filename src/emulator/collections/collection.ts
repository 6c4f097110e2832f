import type { z } from "zod";
import type { Context } from "../context";
import type { Fields, Index, Stored } from "../store";

/**
 * One collection of the specification: its row of each table and the rules of its own. Everything else is shared.
 * `C`, `U` and `F` are its create body, its update body and what is kept of them.
 */
export interface Collection<C = unknown, U = unknown, F = Fields> {
  /** Collection path, without a slash at the end. */
  path: string;
  /** Id prefix. */
  prefix: string;
  listKey: string;
  /** What a message calls one of its objects. */
  noun: string;
  create: z.ZodType<C>;
  /** Absent: the specification does not show an update. */
  update?: z.ZodType<U>;
  /** Served instead under the option undocumentedUpdates. */
  undocumentedUpdate?: z.ZodType<U>;
  /** Some services refuse an empty PATCH body. */
  refusesEmptyUpdate?: boolean;
  /** It has description and metadata (all but bot users). */
  undescribed?: boolean;
  /** Checks a create body and answers what to keep. `id` is the new object's. */
  build(input: C, context: Context, id: string): F;
  /** Refuses an update before its body is checked against the schema. */
  beforeUpdate?(body: unknown, context: Context, stored: Stored<F>): void;
  /** Checks an update and answers what to keep. Default: the members sent replace those kept. */
  change?(input: U, context: Context, stored: Stored<F>): F;
  /** The answer's members but id, uri, created_at, description and metadata. */
  answer(fields: F, context: Context, stored: Stored<F>): object;
  /** Members that only the answer to a create holds. */
  created?(context: Context, stored: Stored<F>): object;
  /** Values that stand once in the collection, by the field that a refusal names. */
  unique?(fields: F): Record<string, string>;
  /** Ids it refers to. */
  refs?(fields: F): string[];
  /** Another object that refers to it keeps it from being deleted: kinds that do. */
  heldBy?: string[];
  /** Refuses or accompanies the deletion. */
  beforeDelete?(context: Context, stored: Stored<F>): void;
}

/** Lets each collection be checked against its own types, and the table hold them all. */
export function collection<C, U, F>(definition: Collection<C, U, F>): Collection {
  return definition as unknown as Collection;
}

export function indexOf(definition: Collection): Index {
  return { unique: definition.unique?.bind(definition), refs: definition.refs?.bind(definition) };
}
