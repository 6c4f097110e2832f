/** Fields that many collections have in common. */
import type { Field } from "../declaration/field";
import * as time from "../declaration/formats/time";
import { bytes, id, text } from "../declaration/kinds";

/** description and metadata. Specification: Conventions and Limits. */
export function described(): { description: Field<string>; metadata: Field<string> } {
  return { description: bytes(255), metadata: bytes(4096) };
}

/** uri and createdAt. Specification: Conventions. */
export function recorded(): { uri: Field<string, "computed">; createdAt: Field<string, "computed"> } {
  return { uri: text().computed(), createdAt: text(time).computed() };
}

/**
 * The user or bot user that owns a credential, fixed at its creation. What the service sets without it is
 * known to the service only. Specification: Authentication 3.
 */
export function owned(): { ownerId: Field<string> } {
  return { ownerId: id("usr_", "bot_").replace().serverDefault() };
}
