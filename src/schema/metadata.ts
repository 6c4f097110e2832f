/**
 * What this package writes into an object's metadata, where the program gives none.
 * - Marks, while an object is created of which only the answer to its creation holds a secret: the object of a request
 *   whose answer is lost is found by them with certainty.
 * - The stamp of the setting stampMetadata, which says of which resource the object is. Programs write it, the plugin and
 *   the command line read it.
 */
import { randomUUID } from "node:crypto";
import type { Fields } from "./field";
import type { Json } from "./json";
import { jsonIn } from "./json";
import { isAbsent, membersOf } from "./unknown";

const creation = "pulumi-tunnel-gateway creation ";
const succession = "pulumi-tunnel-gateway succeeded by ";

/**
 * A random mark for an object that is being created.
 * @param owner names the resource that it is created for, where something does: that of {@link creationOwner}, or the words of a rotation.
 */
export function newCreationMark(owner?: string): string {
  const mark = creation + randomUUID();
  return owner === undefined ? mark : `${mark} ${owner}`;
}

/** The text as it is, and a mark without what is random in it. */
export function withoutRandomPart(metadata: string): string {
  if (!isCreationMark(metadata)) return metadata;
  const owner = ownerInMark(metadata);
  return owner === undefined ? `${creation}-` : `${creation}- ${owner}`;
}

/** The owner in a mark; undefined for a mark without one, and for other metadata. */
export function ownerInMark(metadata: unknown): string | undefined {
  if (!isCreationMark(metadata)) return undefined;
  const end = metadata.indexOf(" ", creation.length);
  return end < 0 ? undefined : metadata.slice(end + 1);
}

/**
 * How a mark names the resource that an object is created for: its stamp alone may be that of another class, or of another
 * parent. Undefined where the resource has no stamp, or its URN is not known.
 */
export function creationOwner(metadata: unknown, urn: string | undefined): string | undefined {
  const stamp = stampIn(metadata);
  return stamp && urn !== undefined ? JSON.stringify({ ...stamp, urn }) : undefined;
}

/** The stamp in a mark; undefined for a mark without one, and for other metadata. */
export function stampInMark(metadata: unknown): Stamp | undefined {
  const { urn: _, ...stamp } = membersOf(jsonIn(ownerInMark(metadata) ?? ""));
  return stampFrom(stamp);
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

/** The resource that an object belongs to. */
export interface Stamp {
  readonly project: string;
  readonly stack: string;
  readonly name: string;
}

/** Whether the program leaves the metadata to a stamp. */
export function hasRoomForStamp({ metadata }: Fields, args: Json): boolean {
  return metadata !== undefined && metadata.presence !== "computed" && isAbsent(args.metadata);
}

/** The metadata of a resource's object; the same text for the same resource. */
export function stampText({ project, stack, name }: Stamp): string {
  return JSON.stringify({ project, stack, name });
}

/** The stamp that the metadata is; undefined where a user wrote it. */
export function stampIn(metadata: unknown): Stamp | undefined {
  if (typeof metadata !== "string" || !metadata.startsWith('{"project":')) return undefined;
  return stampFrom(membersOf(jsonIn(metadata)));
}

function stampFrom({ project, stack, name, ...rest }: Json): Stamp | undefined {
  const isStamp = [project, stack, name].every((text) => typeof text === "string");
  return isStamp && Object.keys(rest).length === 0 ? ({ project, stack, name } as Stamp) : undefined;
}
