/** Fields that many collections have in common. */
import type { Field, ReplaceWhen } from "../declaration/field";
import * as time from "../declaration/formats/time";
import { bytes, id, text } from "../declaration/kinds";

interface Described {
  readonly description: Field<string>;
  readonly metadata: Field<string>;
}

/** description and metadata, their limits in bytes unless said. Specification: Conventions and Limits. */
export function described(limited: (limit: number) => Field<string> = bytes): Described {
  return { description: limited(255), metadata: limited(4096) };
}

/**
 * A change in a collection whose update the specification does not show: it replaces the object, unless the
 * user says that the service's update takes it. Specification: Create and update parameters, "see gaps".
 */
export const undocumented: ReplaceWhen = (_change, { patchUndocumented }) => !patchUndocumented;

/** description and metadata of a collection whose update the specification does not show. */
export function describedByReplacement(): Described {
  const { description, metadata } = described();
  return { description: description.replace(undocumented), metadata: metadata.replace(undocumented) };
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
