/**
 * The marks that an object carries in its metadata while it is created, where only the answer to its creation holds a
 * secret: the object of a request whose answer is lost is found by them with certainty.
 */
import { randomUUID } from "node:crypto";
import { stampIn } from "./stamp";

const creation = "pulumi-tunnel-gateway creation ";
const succession = "pulumi-tunnel-gateway succeeded by ";

/**
 * A random mark for an object that is being created.
 * @param owner names the resource that it is created for, where something does: a stamp, or the words of `ownerOf`.
 */
export function newCreationMark(owner?: string): string {
  const mark = creation + randomUUID();
  return owner === undefined ? mark : `${mark} ${owner}`;
}

/** The owner in a mark; undefined for a mark without one, and for other metadata. */
export function ownerInMark(metadata: unknown): string | undefined {
  if (!isCreationMark(metadata)) return undefined;
  const end = metadata.indexOf(" ", creation.length);
  return end < 0 ? undefined : metadata.slice(end + 1);
}

/** The stamp in a mark; undefined for a mark without one, and for other metadata. */
export function stampInMark(metadata: unknown): string | undefined {
  const owner = ownerInMark(metadata);
  return stampIn(owner) ? owner : undefined;
}

/** Whether the metadata is a mark: the creation of its object did not end. */
export function isCreationMark(metadata: unknown): metadata is string {
  return typeof metadata === "string" && metadata.startsWith(creation);
}

/** The mark of an object whose successor is being created. */
export function successionMark(successor: string): string {
  return succession + successor;
}

/** The id of the successor in a mark; undefined for other metadata. */
export function successorInMark(metadata: unknown): string | undefined {
  const isMark = typeof metadata === "string" && metadata.startsWith(succession);
  return isMark ? metadata.slice(succession.length) : undefined;
}

/** Whether the metadata is a mark of either kind: a creation did not end. */
export function isMark(metadata: unknown): boolean {
  return isCreationMark(metadata) || successorInMark(metadata) !== undefined;
}
