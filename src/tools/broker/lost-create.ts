/** The objects of creates whose answers were lost. */
import { mayResultFrom } from "../../provider/life-cycle/answers";
import { declarations } from "../../resources/registry";
import type { Declaration } from "../../schema/declaration";
import { wireName } from "../../schema/field";
import type { AnyField, Fields } from "../../schema/field";
import { toInstant } from "../../schema/formats/time";
import type { Json } from "../../schema/json";
import { membersOf } from "../../schema/unknown";
import { argumentsFrom } from "../../schema/values";
import type { Answer, Arguments } from "../../schema/values";
import { mapParts } from "../../schema/walk";
import { listPathOf } from "../../provider/http/pagination";
import { namesIn, segment } from "../../provider/http/path";
import type { LostWrite, SentWrite } from "../approval/approved-writes";

/** The collection in which a create at the path makes objects. */
export function collectionAt(path: string): Declaration | undefined {
  return declarations.find((each) => each.style === "collection" && each.path === path);
}

/** The path of the member that a create adds to its parent, such as an event type; undefined for an object with an id of its own. */
export function memberPath({ path, body }: Pick<SentWrite, "path" | "body">): string | undefined {
  const declaration = declarations.find((each) => each.style === "member" && isOf(listPathOf(each), path));
  const value = declaration && membersOf(body)[namesIn(declaration.path).at(-1)!];
  return typeof value === "string" ? `${path}/${segment(value)}` : undefined;
}

/** Whether a path has the form of a template, in which `{name}` stands for one segment. */
function isOf(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
}

/** The ids of the objects that the create may have made: not older than the create, and with all values that it sent. */
export function resultsOf(
  declaration: Declaration,
  { body, lacks }: LostWrite,
  objects: readonly Answer[],
  since: number,
): string[] {
  // An unknown value cannot be compared. No answer shows a secret, and each attempt computes another end.
  if (lacks.has("other")) return [];
  const args = argumentsIn(declaration.fields, body);
  const isResult = (object: Answer): boolean =>
    (toInstant(object.created_at) ?? Infinity) >= since &&
    mayResultFrom(declaration, object, args, { patchUndocumented: false });
  return objects.filter(isResult).map(({ id }) => String(id));
}

/** The arguments of a body. */
function argumentsIn(fields: Fields, body: Json): Arguments {
  const sent = Object.entries(fields).map(([name, field]) => [
    name,
    valueIn(field, body[wireName(name, field)]),
  ]);
  return argumentsFrom(Object.fromEntries(sent.filter(([, value]) => value !== undefined)) as Json);
}

function valueIn(field: AnyField, value: unknown): unknown {
  return mapParts(field, value, valueIn, ({ fields }, members) => argumentsIn(fields, membersOf(members)));
}
