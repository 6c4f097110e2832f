/**
 * The mark that an object carries in its metadata while it is created, where only the answer to its creation holds
 * a secret. It is random, so an object with the mark is certainly the one of that request.
 */
import { randomUUID } from "node:crypto";
import { stampIn } from "./stamp";

const prefix = "pulumi-tunnel-gateway creation ";

/** A mark for an object with the wanted metadata. It ends with the stamp that the metadata is, if it is one. */
export function newCreationMark(wanted: unknown): string {
  const mark = prefix + randomUUID();
  return stampIn(wanted) ? `${mark} ${String(wanted)}` : mark;
}

/** The stamp in a mark; undefined for a mark without one, and for other metadata. */
export function stampInMark(metadata: unknown): string | undefined {
  if (!isCreationMark(metadata)) return undefined;
  const stamp = metadata.slice(metadata.indexOf(" ", prefix.length) + 1);
  return stampIn(stamp) ? stamp : undefined;
}

/** Whether the metadata is a mark: the creation of its object did not end. */
export function isCreationMark(metadata: unknown): metadata is string {
  return typeof metadata === "string" && metadata.startsWith(prefix);
}
