/** The values of the engine's protocol: secrets in the engine's notation, and unknown values of several kinds. */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import type { Json } from "../../schema/json";
import { inHook, isSigned, longTextsIn } from "../../schema/secrets";
import { scrub } from "../errors";
import { contains, isAbsent, isRecord, mapDeep, mapValues, unknown } from "../../schema/unknown";

/** An unknown boolean, number, list and object. An unknown text is the one that the life cycle uses. */
const otherUnknowns: ReadonlySet<unknown> = new Set([
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** The values of a request, with its secrets in the engine's notation. */
export function received(struct: Struct | undefined): Json {
  return struct?.toJavaScript() ?? {};
}

/** The values for the life cycle: no secret is marked, and all unknown values are the same. */
export function plain<Values extends Json>(values: Values): Values {
  return mapDeep(values, plainPart) as Values;
}

function plainPart(part: unknown): unknown {
  if (isSigned(part)) return mapDeep(part.value, plainPart);
  return otherUnknowns.has(part) ? unknown : part;
}

/** The values of an answer. What is secret in the values of the request is a secret in the answer. */
export function toStruct(values: Json, ...requests: readonly Json[]): Struct {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const marked = given.map(([name, value]) => [
    name,
    requests.reduce((known, request) => markedAs(request[name], known), value),
  ]);
  return Struct.fromJavaScript(Object.fromEntries(marked) as Record<string, JavaScriptValue>);
}

/**
 * The value, with everything secret that is secret in the source. If the service answers with items in another order, or with
 * members of other names, the whole value is secret.
 */
function markedAs(source: unknown, value: unknown): unknown {
  if (isAbsent(value) || isSigned(value) || !contains(source, isSigned)) return value;
  if (isRecord(source) && isRecord(value) && !isSigned(source)) {
    const names = Object.keys(source).filter((name) => contains(source[name], isSigned));
    if (names.every((name) => name in value))
      return mapValues(value, (each, name) => markedAs(source[name], each));
  }
  return inHook(mapDeep(value, plainPart));
}

/** The text of an error without what the values of its call mark as secret: a check or the service may repeat it. */
export function withoutMarkedSecrets(text: string, values: readonly Json[]): string {
  const secrets: string[] = [];
  mapDeep(values, (part) => {
    if (isSigned(part)) for (const each of longTextsIn(part.value)) secrets.push(each);
    return part;
  });
  return scrub(text, secrets);
}
