/** Values between program, engine and hooks: JSON with marked secrets and texts for unknown values. */
import { secretSignature } from "../../../src/schema/secrets";
import { isRecord } from "../../../src/schema/unknown";

export type Values = Readonly<Record<string, unknown>>;

const [[signatureKey, signature]] = Object.entries(secretSignature) as [[string, string]];

/** The value as a secret. */
export function secretOf(value: unknown): Values {
  return { ...secretSignature, value };
}

function isSecret(value: unknown): value is { value: unknown } {
  return isRecord(value) && value[signatureKey] === signature;
}

function mapMembers(values: unknown, change: (value: unknown, name: string) => unknown): unknown {
  if (Array.isArray(values)) return values.map((item, i) => change(item, String(i)));
  if (!isRecord(values)) return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

/** The values with their secrets in plaintext, as hooks get them. */
export function plain<T>(value: T): T {
  return (isSecret(value) ? plain(value.value) : mapMembers(value, plain)) as T;
}

/** The values of an import file, in which a secret is the JSON text of its value. */
export function ofFile<T>(value: T): T {
  if (!isSecret(value)) return mapMembers(value, ofFile) as T;
  const { plaintext } = value as unknown as { plaintext: string };
  return { ...secretSignature, value: JSON.parse(plaintext) as unknown } as T;
}

/** The paths of all secrets in what a hook returns. */
export function secretPaths(value: unknown, path = ""): string[] {
  if (isSecret(value)) return [path];
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => secretPaths(item, path ? `${path}.${name}` : name));
}

const secretText = "[secret]";

/** The values with secrets as the text that displays show. */
export function shown(value: unknown): unknown {
  return isSecret(value) ? secretText : mapMembers(value, shown);
}

/** As displays show them, but for secrets that are null, which no display tells from others. */
export function shownOrNull(value: unknown): unknown {
  if (isSecret(value)) return value.value === null ? null : secretText;
  return mapMembers(value, shownOrNull);
}

/** The values. Each one whose counterpart in the other values is a secret becomes a secret. */
export function markedAs<T>(value: T, other: unknown): T {
  if (isSecret(other) && !isSecret(value)) {
    return { ...secretSignature, value: plain(value) } as T;
  }
  if (isSecret(value)) return value;
  return mapMembers(value, (item, name) => markedAs(item, memberOf(other, name))) as T;
}

function memberOf(values: unknown, name: string): unknown {
  return typeof values === "object" && values !== null ? (values as Values)[name] : undefined;
}

/** The values with these members as secrets, those that are null too, as Pulumi marks them. */
export function marked(values: Values, names: readonly string[]): Values {
  const marks = names.map((name) => [name, { ...secretSignature }]);
  const present = marks.filter(([name]) => values[name as string] !== undefined);
  return markedAs(values, Object.fromEntries(present));
}

/** The values after Pulumi's protocol, which has only JSON's values and sorts members. */
export function sent<T>(value: T): T {
  const isValue =
    value === null ||
    ["string", "boolean", "object"].includes(typeof value) ||
    (typeof value === "number" && Number.isFinite(value));
  if (!isValue || value instanceof Date)
    throw new TypeError(`not a value of Pulumi's protocol: ${String(value)}`);
  if (!isRecord(value)) return mapMembers(value, sent) as T;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sent(value[name])])) as T;
}

/** Pulumi's text for a value that is not known yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The values with these members unknown, as a whole or where they are lists as one item. */
export function withUnknown(values: Values, names: readonly string[]): Values {
  return { ...values, ...Object.fromEntries(names.map((name) => [name, unknown])) };
}

/** The values as an export or an import file has them, in which a secret is the JSON text of its value. */
export function toFile<T>(value: T): T {
  if (!isSecret(value)) return mapMembers(value, toFile) as T;
  return { ...secretSignature, plaintext: JSON.stringify(value.value) } as T;
}
