/** Secrets: found by the declaration, at every depth. */
import * as pulumi from "@pulumi/pulumi";
import type { AnyField, Fields } from "./field";
import { isRecord, isUnknown } from "./unknown";
import type { Json } from "./json";

/** The hidden argument that says which secrets the program gives in clear. It is sent nowhere and is no output. */
export const plaintextKey = "__clear";

/** Whether the field is a secret or holds one. */
export function holdsSecret(field: AnyField): boolean {
  if (field.traits.secret) return true;
  switch (field.shape.kind) {
    case "list":
      return holdsSecret(field.shape.item);
    case "map":
      return holdsSecret(field.shape.value);
    case "object":
      return Object.values(field.shape.fields).some(holdsSecret);
    default:
      return false;
  }
}

/** Applies `mark` to every secret in the values. */
export function mapSecrets(
  fields: Fields,
  values: Json,
  mark: (secret: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      // A wrong argument may be called like a member of every object, such as "constructor".
      const isField = Object.prototype.hasOwnProperty.call(fields, name);
      return [name, isField ? mapSecret(fields[name]!, value, mark) : value];
    }),
  );
}

function mapSecret(field: AnyField, value: unknown, mark: (secret: unknown) => unknown): unknown {
  if (value === undefined || value === null || !holdsSecret(field)) return value;
  if (field.traits.secret) return mark(value);
  // Only the leaf is wrapped: a secret Output of the whole would hide its neighbours in every preview.
  if (pulumi.Output.isInstance(value) || value instanceof Promise) {
    const later: pulumi.Output<unknown> = pulumi.output(value as pulumi.Input<unknown>);
    return later.apply((known) => mapSecret(field, known, mark));
  }
  const { shape } = field;
  if (shape.kind === "list" && Array.isArray(value)) {
    return value.map((item) => mapSecret(shape.item, item, mark));
  }
  if (!isRecord(value)) return value;
  if (shape.kind === "object") return mapSecrets(shape.fields, value, mark);
  if (shape.kind === "map") {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, mapSecret(shape.value, v, mark)]));
  }
  return value;
}

/** In a program: every secret argument becomes a secret Output. */
export function markInProgram(fields: Fields, args: Record<string, unknown>): Record<string, unknown> {
  return mapSecrets(fields, args, (value) => pulumi.secret(value));
}

/** The engine's notation for a secret: an object with this member, at any depth. */
export const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** In a hook's answer: every secret is written in the engine's own notation for secrets. */
export function markInHook(fields: Fields, values: Record<string, unknown>): Record<string, unknown> {
  return mapSecrets(fields, values, (value) => (isUnknown(value) ? value : { ...secretSignature, value }));
}
