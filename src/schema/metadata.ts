/**
 * What this package writes into an object's metadata if the program gives none.
 * - Marks, while an object with a secret that only the answer to its creation holds is created. If the answer is lost, the mark
 *   identifies the object.
 * - The stamp of the setting stampMetadata, which names the resource of the object. Programs write it, the plugin and the
 *   command line read it.
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
 * @param owner the resource that the object is created for: from {@link creationOwner}, or from a rotation.
 */
export function newCreationMark(owner?: string): string {
  const mark = creation + randomUUID();
  return owner === undefined ? mark : `${mark} ${owner}`;
}

const uuid = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";
const randomPart = new RegExp(`(?<=^${creation})${uuid}(?= |$)`);

/** A mark without its random part; other text is returned unchanged, even if it begins like a mark. */
export function withoutRandomPart(text: string): string {
  return text.replace(randomPart, "-");
}

/** The owner in a mark; undefined for a mark without one, and for other metadata. */
export function ownerInMark(metadata: unknown): string | undefined {
  if (!isCreationMark(metadata)) return undefined;
  const end = metadata.indexOf(" ", creation.length);
  return end < 0 ? undefined : metadata.slice(end + 1);
}

/**
 * The text by which a mark names the resource that an object is created for: its stamp and its URN, because resources of other
 * classes or parents may have the same stamp. Undefined if there is no stamp, or the URN is not known.
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

/** Whether the metadata is a mark of a creation, which did not finish. */
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

/** Whether the metadata is a mark of either kind: a creation did not finish. */
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

/** The stamp in the metadata; undefined for other text. */
export function stampIn(metadata: unknown): Stamp | undefined {
  if (typeof metadata !== "string" || !metadata.startsWith('{"project":')) return undefined;
  return stampFrom(membersOf(jsonIn(metadata)));
}

function stampFrom({ project, stack, name, ...rest }: Json): Stamp | undefined {
  const isStamp = [project, stack, name].every((text) => typeof text === "string");
  return isStamp && Object.keys(rest).length === 0 ? ({ project, stack, name } as Stamp) : undefined;
}
