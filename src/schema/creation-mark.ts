/**
 * The mark that an object carries in its metadata while it is created, where only the answer to its creation holds
 * a secret. It is random, so an object with the mark is certainly the one of that request.
 */
import { randomUUID } from "node:crypto";

const prefix = "pulumi-tunnel-gateway creation ";

export function newCreationMark(): string {
  return prefix + randomUUID();
}

/** Whether the metadata is a mark: the creation of its object did not end. */
export function isCreationMark(metadata: unknown): metadata is string {
  return typeof metadata === "string" && metadata.startsWith(prefix);
}
