/**
 * The names by which the stacks of one program differ: the stack's name in URNs and values, and the ids of its objects. The
 * review of several stacks compares their entries without these names.
 */
import { isRecord } from "../../schema/unknown";
import type { Preview, ResourceChange } from "../inventory/read-preview";
import type { StackName } from "../../provider/urn";
import { shortened } from "../../schema/text/phrase";

/** The names of one stack. */
export interface OwnNames {
  /** Undefined for a preview without a resource. */
  readonly stackName: StackName | undefined;
  /** The stack's name, if no preview names it with its project. */
  readonly stack?: string;
  /** The resources that the ids of the stack's objects belong to, such as `IpPolicy office`. */
  readonly ids: ReadonlyMap<string, string>;
}

export function ownNames({ stackName, resources }: Pick<Preview, "stackName" | "resources">): OwnNames {
  // A module or set has the id of its owner, which keeps the owner's name.
  const sorted = [...resources.values()].sort((a, b) => Number(isOwner(a)) - Number(isOwner(b)));
  const ids = sorted.flatMap(({ declaration, name, before, after, recorded }) =>
    [before, after, recorded].flatMap((state) =>
      (state?.id ?? "").split("/").map((part, i): [string, string] => {
        const text = `${declaration.type} ${shortened(name, 100)}`;
        return [part, i === 0 ? text : `${text}, part ${i + 1}`];
      }),
    ),
  );
  return { stackName, ids: new Map(ids.filter(([id]) => id.search(idForm) === 0)) };
}

function isOwner({ declaration }: ResourceChange): boolean {
  return declaration.style === "collection";
}

/** The form of the service's ids. Other texts, such as "deny", are never replaced, even if an object has this id. */
const idForm = /[a-z]+_[A-Za-z0-9]+/g;

/** Encloses a placeholder for a name. It is doubled in texts that contain it, so that no value looks like a placeholder. */
const mark = "\0";

/** The value without the stack's name in URNs. */
export function withoutStackName<T>(value: T, { stackName }: OwnNames): T {
  return stackName ? mapTexts(value, (text) => withoutPrefix(text, stackName)) : value;
}

/** The same without the ids of the stack's objects. */
export function withoutIds<T>(value: T, { stackName, ids }: OwnNames): T {
  return mapTexts(value, (text) => {
    const escaped = text.replaceAll(mark, mark + mark);
    const found = escaped.replace(idForm, (id) => {
      const resource = ids.get(id);
      return resource === undefined ? id : `${mark}id of ${resource}${mark}`;
    });
    return stackName ? withoutPrefix(found, stackName) : found;
  });
}

/** The shortest name of a stack that is replaced in values. Shorter names are parts of many words. */
const shortestName = 3;

/** The members of a review whose texts are words of the package, never names of stacks. */
const ownWords = new Set(["rule", "severity", "type", "action", "kind", "change", "field", "path", "place"]);

/** The same without the stack's name in values. */
export function withoutNames<T>(value: T, names: OwnNames): T {
  const inner = withoutIds(value, names);
  const stack = names.stackName?.stack ?? names.stack ?? "";
  if (stack.length < shortestName || !/[A-Za-z]/.test(stack)) return inner;
  const literal = stack.replace(/\W/g, "\\$&");
  const word = new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, "g");
  const unnamed = (text: string): string => text.replace(word, `${mark}stack${mark}`);
  return mapTexts(inner, (text, member) => (ownWords.has(member) ? text : unnamed(text)), false);
}

/** The value as it is shown: names as `[stack]` and `[id of IpPolicy office]`. */
export function shownNames<T>(value: T): T {
  const named = new RegExp(`${mark}${mark}|${mark}([^${mark}]*)${mark}`, "g");
  return mapTexts(value, (text) =>
    text.includes(mark)
      ? text.replace(named, (_, name?: string) => (name === undefined ? mark : `[${name}]`))
      : text,
  );
}

function withoutPrefix(text: string, { stack, project }: StackName): string {
  const prefix = `urn:pulumi:${stack}::${project}::`;
  return text.startsWith(prefix) ? `urn:pulumi:[stack]::${project}::${text.slice(prefix.length)}` : text;
}

/**
 * The value with its texts changed, by default those of keys too: the keys of a map may be ids. `change` also gets the
 * innermost key that the text is under.
 */
function mapTexts<T>(value: T, change: (text: string, member: string) => string, withKeys = true): T {
  const mapped = (each: unknown, member: string): unknown => {
    if (typeof each === "string") return change(each, member);
    if (Array.isArray(each)) return each.map((item) => mapped(item, member));
    if (!isRecord(each)) return each;
    return Object.fromEntries(
      Object.entries(each).map(([key, inner]) => [withKeys ? change(key, "") : key, mapped(inner, key)]),
    );
  };
  return mapped(value, "") as T;
}
