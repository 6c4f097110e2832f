/** The objects of the account that the user chooses. */
import { valueAt } from "../../schema/unknown";
import { GatewayError } from "../../provider/errors";
import { declarations } from "../../resources/registry";
import { globPattern } from "../../text/glob";
import type { Glob } from "../../text/glob";

export interface ImportSelection {
  /** Names of classes; none chooses all. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /** `field=value`; `*` matches any text. An object must match all of them. */
  readonly filter?: readonly string[];
}

/** Whether a class is chosen. Throws where a name is not that of a class. */
export function chosenTypes({ only = [], except = [] }: ImportSelection): (type: string) => boolean {
  const [included, excluded] = [only.map(typeNamed), except.map(typeNamed)];
  return (type) => (included.length === 0 || included.includes(type)) && !excluded.includes(type);
}

/** The class with a name, in upper or lower case. */
export function typeNamed(name: string): string {
  const found = declarations.find(({ type }) => type.toLowerCase() === name.trim().toLowerCase());
  if (found) return found.type;
  throw new GatewayError(
    `${JSON.stringify(name)} is not a class; the classes are ${declarations.map(({ type }) => type).join(", ")}`,
  );
}

/** Whether an object with these outputs matches. An object without the field is compared as empty text. */
export function matching({
  filter = [],
}: ImportSelection): (id: string, outputs: Readonly<Record<string, unknown>>) => boolean {
  const wanted = filter.map(parseFilter);
  return (id, outputs) =>
    wanted.every(([path, pattern]) =>
      textsIn(valueAt({ ...outputs, id }, path)).some((text) => pattern.test(text)),
    );
}

function parseFilter(text: string): [path: string, pattern: Glob] {
  const equals = text.indexOf("=");
  const path = text.slice(0, Math.max(equals, 0));
  const field = path.split(".")[0]!;
  const isKnown = field === "id" || declarations.some(({ fields }) => Object.keys(fields).includes(field));
  if (isKnown) return [path, globPattern(text.slice(equals + 1))];
  const reason = field === "" ? "" : `: no class has a field ${field}`;
  throw new GatewayError(
    `--filter takes field=value, such as description=office*; not ${JSON.stringify(text)}${reason}`,
  );
}

function textsIn(value: unknown): string[] {
  if (value === undefined || value === null) return [""];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return [typeof value === "string" ? value : JSON.stringify(value)];
}
