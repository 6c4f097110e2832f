/** Secrets: found by the declaration, at every depth. */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { everyField, wireName } from "./field";
import type { AnyField, Fields } from "./field";
import { redacted } from "./formats/text";
import type { Json } from "./json";
import { oncePer } from "./once-per";
import { isAbsent, isRecord, isUnknown, membersOf } from "./unknown";
import { mapMembers, mapParts, memberFields, partsIn, walk } from "./walk";

/** Whether the field is a secret or holds one. */
export function holdsSecret(field: AnyField): boolean {
  return everyField(field).some(({ traits }) => traits.secret === true);
}

/** Whether any of the fields is or holds a secret. */
export const haveSecrets = oncePer((fields: Fields) => Object.values(fields).some(holdsSecret));

/** Whether a value of the field reveals a secret. */
export function isSensitive({ shape, traits }: AnyField): boolean {
  return traits.secret === true && !(shape.kind === "string" && shape.format.isPublic);
}

/** The warning about a secret that a program gives in plaintext: a clause that completes its path. */
export const inPlaintext =
  "is a secret in plaintext: take it from secret configuration (config.requireSecret), or mark it with pulumi.secret";

/** The paths of the secrets without the engine's notation for a secret, in the inputs of a program. */
export function unsignedSecrets(fields: Fields, inputs: Json): string[] {
  const found: string[] = [];
  walk(partsIn(fields, inputs), (part) => {
    const { field, value, path } = part;
    if (isAbsent(value) || isSigned(value) || isUnknown(value) || !holdsSecret(field)) return false;
    if (isSensitive(field) && value !== notReturned) found.push(path);
    return true;
  });
  return found;
}

/** The names on the wire of all secrets among the fields, at every depth. */
function secretWireNames(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!holdsSecret(field)) return [];
    const members = memberFields(field);
    const isWhole = field.traits.secret === true || Object.keys(members).length === 0;
    return isWhole ? [wireName(name, field)] : secretWireNames(members);
  });
}

/** Whether an answer with this value in the place of a secret hides it: some services show "" to a weaker key. */
export function isHiddenSecret(value: unknown): boolean {
  return typeof value !== "string" || value === "" || redacted(value);
}

/** The names of the secrets that only the answer to a creation holds. */
export function secretsOfCreation(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => {
    const { presence, traits } = fields[name]!;
    return presence === "computed" && traits.secret === true;
  });
}

const declared: Fields[] = [];
let declaredSecrets: ReadonlySet<string> | undefined;

/** Notes the secrets of a declaration, so that {@link isSecretOnWire} knows them. */
export function noteSecrets(fields: Fields): void {
  declared.push(fields);
  declaredSecrets = undefined;
}

/** Whether a declaration calls what has this name on the wire a secret: for the log, which sees only bodies. */
export function isSecretOnWire(name: string): boolean {
  declaredSecrets ??= new Set(declared.flatMap(secretWireNames)); // here, because most programs never log
  return declaredSecrets.has(name);
}

/** The texts in a body that a declaration calls secrets. */
export function secretTextsIn(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(secretTextsIn);
  const members = Object.entries(membersOf(body));
  return members.flatMap(([name, value]) =>
    isSecretOnWire(name) ? longTextsIn(value) : secretTextsIn(value),
  );
}

/** The texts in a value. Shorter ones may be common words. */
export function longTextsIn(value: unknown): string[] {
  if (typeof value === "string") return value.length >= 4 ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(longTextsIn) : [];
}

/** Applies `mark` to every secret in the values. */
export function mapSecrets(
  fields: Fields,
  values: Json,
  mark: (secret: unknown) => unknown,
): Record<string, unknown> {
  return mapMembers(fields, values, (field, value) => mapSecret(field, value, mark));
}

function mapSecret(field: AnyField, value: unknown, mark: (secret: unknown) => unknown): unknown {
  if (isAbsent(value) || !holdsSecret(field)) return value;
  if (field.traits.secret) return mark(value);
  // Only the leaf is wrapped: a secret Output of the whole would hide its neighbours in every preview.
  if (sdk.isLater(value)) {
    const later: pulumi.Output<unknown> = sdk.output(value as pulumi.Input<unknown>);
    return later.apply((known) => mapSecret(field, known, mark));
  }
  return mapParts(field, value, (inner, each) => mapSecret(inner, each, mark));
}

/** In a program: every secret argument becomes a secret Output. */
export function markInProgram(fields: Fields, args: Record<string, unknown>): Record<string, unknown> {
  return mapSecrets(fields, args, (value) => sdk.secret(value));
}

/** The engine's notation for a secret: an object with this member, at any depth. */
export const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const [[signatureKey, signature]] = Object.entries(secretSignature) as [[string, string]];

/** Whether a value is a secret in the engine's notation. */
export function isSigned(value: unknown): value is Json {
  return isRecord(value) && value[signatureKey] === signature;
}

/** A secret in a hook's answer, in the engine's own notation for secrets. */
export function inHook(value: unknown): unknown {
  return isUnknown(value) ? value : { ...secretSignature, value };
}

/**
 * Stands for a secret of an imported object that the service does not return and Pulumi does not know. The object
 * keeps its secret. The placeholder shows no change and is never sent; a change that must send it is refused.
 */
export const notReturned = "tunnel-gateway:not-returned";
