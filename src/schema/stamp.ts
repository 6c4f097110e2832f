/**
 * The stamp that the setting stampMetadata puts into the metadata of an object whose program gives none: it
 * says of which resource the object is. Programs write it, the plugin and the command line read it.
 */
import { isRecord } from "./unknown";

/** The resource that an object belongs to. */
export interface Stamp {
  readonly project: string;
  readonly stack: string;
  readonly name: string;
}

/** The metadata of a resource's object; the same text for the same resource. */
export function stampText({ project, stack, name }: Stamp): string {
  return JSON.stringify({ project, stack, name });
}

/** The stamp that the metadata is; undefined where a user wrote it. */
export function stampIn(metadata: unknown): Stamp | undefined {
  if (typeof metadata !== "string" || !metadata.startsWith('{"project":')) return undefined;
  try {
    const stamp: unknown = JSON.parse(metadata);
    if (!isRecord(stamp)) return undefined;
    const { project, stack, name, ...rest } = stamp;
    const texts = [project, stack, name].every((text) => typeof text === "string");
    return texts && Object.keys(rest).length === 0 ? (stamp as unknown as Stamp) : undefined;
  } catch {
    return undefined;
  }
}
