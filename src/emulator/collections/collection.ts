import type { z } from "zod";
import type { Context } from "../context";
import type { Fields, Index, Stored } from "../store";

/**
 * One collection of the specification: its row of each table and its own rules. crud.ts has what all collections share.
 * `C`, `U` and `F` are its create body, its update body and its stored fields.
 */
export interface Collection<C = unknown, U = unknown, F = Fields> {
  /** Collection path, without a slash at the end. */
  path: string;
  /** Id prefix. */
  prefix: string;
  listKey: string;
  /** Name of one of its objects in messages. */
  noun: string;
  create: z.ZodType<C>;
  /** Absent: the specification does not show an update. */
  update?: z.ZodType<U>;
  /** The update body under the option undocumentedUpdates. */
  undocumentedUpdate?: z.ZodType<U>;
  /** Its objects have no description and metadata (bot users). */
  withoutDescription?: boolean;
  /** Checks the values of a create or update body, before `build` or `change`. */
  check?(input: C | U, context: Context): void;
  /** Checks a create body and returns the fields to store. `id` is the new object's. Default: its members. */
  build?(input: C, context: Context, id: string): F;
  /** Rejects an update before its body is checked against the schema. */
  beforeUpdate?(body: unknown, context: Context, stored: Stored<F>): void;
  /** Checks an update and returns the fields to store. Default: the members sent replace the stored ones. */
  change?(input: U, context: Context, stored: Stored<F>): F;
  /** The response's members except id, uri, created_at, description and metadata. */
  response(fields: F, context: Context, stored: Stored<F>): object;
  /** Members that only the response to a create has. */
  created?(context: Context, stored: Stored<F>): object;
  /** The fields to store of an object that is copied from an answer. Default: the members that are set. */
  copied?(answer: Fields): Fields;
  /** Values that must be unique in the collection, by the field that an error names. */
  unique?(fields: F): Record<string, string | undefined>;
  /** Ids that an object refers to. */
  refs?(fields: F): string[];
  /** Kinds whose objects prevent the deletion of an object that they refer to. */
  inUseBy?: string[];
  /** Rejects the deletion, or deletes dependent objects. */
  beforeDelete?(context: Context, stored: Stored<F>): void;
}

/** Checks each collection against its own types and gives all of them one type. */
export function collection<C, U, F = C>(definition: Collection<C, U, F>): Collection {
  return definition as unknown as Collection;
}

export function indexOf(definition: Collection): Index {
  return { unique: definition.unique?.bind(definition), refs: definition.refs?.bind(definition) };
}
