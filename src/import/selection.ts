/** Which objects of the account are meant. */
import { isRecord } from "../schema/unknown";
import { GatewayError } from "../provider/errors";
import { declarations } from "../resources/registry";
import { globPattern } from "../text/glob";

export interface Selection {
  /** Names of classes; none means all. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /** `field=value`, `*` standing for any text. An object must have all of them. */
  readonly filter?: readonly string[];
}

/** The classes that are meant. Throws where a name is none. */
export function chosenTypes({ only = [], except = [] }: Selection): (type: string) => boolean {
  const [included, excluded] = [only.map(typeNamed), except.map(typeNamed)];
  return (type) => (included.length === 0 || included.includes(type)) && !excluded.includes(type);
}

/** The class of a name, in whatever case. */
export function typeNamed(name: string): string {
  const found = declarations.find(({ type }) => type.toLowerCase() === name.trim().toLowerCase());
  if (found) return found.type;
  throw new GatewayError(
    `${JSON.stringify(name)} is no class; the classes are ${declarations.map(({ type }) => type).join(", ")}`,
  );
}

/** Whether an object with these outputs is meant. A class without the field has no such object. */
export function matching({
  filter = [],
}: Selection): (id: string, outputs: Readonly<Record<string, unknown>>) => boolean {
  const wanted = filter.map((text): [string, RegExp] => {
    const equals = text.indexOf("=");
    const name = text.slice(0, Math.max(equals, 0));
    const field = name.split(".")[0]!;
    const isKnown = field === "id" || declarations.some(({ fields }) => Object.keys(fields).includes(field));
    if (!isKnown) {
      const why = field === "" ? "" : `: no class has a field ${field}`;
      throw new GatewayError(
        `--filter takes field=value, such as description=office*; not ${JSON.stringify(text)}${why}`,
      );
    }
    return [name, globPattern(text.slice(equals + 1))];
  });
  return (id, outputs) =>
    wanted.every(([name, pattern]) =>
      texts(valueAt({ ...outputs, id }, name)).some((text) => pattern.test(text)),
    );
}

function texts(value: unknown): string[] {
  if (value === undefined || value === null) return [""];
  if (Array.isArray(value)) return value.flatMap(texts);
  return [typeof value === "string" ? value : JSON.stringify(value)];
}

function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);
}
