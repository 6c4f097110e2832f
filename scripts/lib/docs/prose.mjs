// Splits the JSDoc into its parts.
import { removalColumn, replaceColumn } from "./facts.mjs";

/** The parts that have columns of their own, and the rest. */
export function columns(text) {
  const flat = text.replace(/\s+/g, " ").trim();
  const fallback = /(?:^| )Default: (.*?)\.(?= [A-Z]|$)/.exec(flat);
  const limit = /(?:^| )(At most [^.]*)\.|, (?:a whole number from )?(\d+ to \d+)(?=[.:;])/.exec(flat);
  const required = /(?:^| )Required (to|unless) (.*?)\.(?= |$)/.exec(flat);
  const removed = /(?:^| )If removed: (.*?)\.(?= [A-Z]|$)/.exec(flat);
  const description = [fallback, limit, required, removed].reduce(
    (rest, found) => (found ? rest.replace(found[0], "") : rest),
    flat,
  );
  return {
    description: description.trim(),
    fallback: fallback?.[1] ?? "",
    limit: (limit?.[1] ?? limit?.[2] ?? "").toLowerCase(),
    required: required ? `${required[1]} ${required[2]}` : "",
    removed: removed?.[1] ?? "",
  };
}

/** The parts of a class's JSDoc: what it is, its titled examples, what comes after them, and the section. */
export function parts(text) {
  const section = /^Specification: ([\s\S]*)$/m.exec(text);
  const examples = [...text.matchAll(/^## Example: (.*)\n+```typescript\n([\s\S]*?)```/gm)];
  const rest = text.slice(0, section?.index);
  const end = examples.length > 0 ? examples.at(-1).index + examples.at(-1)[0].length : rest.length;
  return {
    about: rest.slice(0, examples[0]?.index).trim(),
    examples: examples.map(([, title, code]) => ({ title, code })),
    more: rest.slice(end).trim(),
    section: section?.[1].trim() ?? "",
  };
}

export function kebab(name) {
  return name.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/** `{@link X}` as a link to the page of X, and the path of a page with its section as a link to it. */
export function linked(text) {
  return text
    .replace(/\{@link (\w+)\}(s?)/g, (_, name, plural) =>
      /Args$|^[a-z]/.test(name) ? `\`${name}\`${plural}` : `[${name}](${kebab(name)}.md)${plural}`,
    )
    .replace(/\bdocs\/([\w-]+\.md)(#[\w-]+)?/g, "[docs/$1](../$1$2)");
}

/** The JSDoc of an arguments interface without the name of its class and the section of the specification. */
export function remarks(text) {
  return text
    .replace(/^The arguments of an? \{@link \w+\}\.\s*/, "")
    .replace(/Specification: [^.]*\.\s*$/, "")
    .trim();
}

/** What holds for an argument that is no member of another one; `whole`: whether every request sends all of them. */
const alone = { replaces: "no", whole: false };

/** What holds for the members of the field. */
function within(around, field) {
  const own = replaceColumn(field);
  const shape = shapeIn(field);
  // The entries of a map are compared member by member.
  const isEntry = field.shape.kind === "map";
  const isWhole = shape.kind === "object" && shape.whole && !isEntry;
  return { replaces: own === "no" ? around.replaces : own, whole: around.whole || isWhole, isEntry };
}

/** The shape of the field, or of its items or entries. The items of a list that stands for a map say most. */
function shapeIn({ shape }) {
  return shape.listed?.item.shape ?? shape.item?.shape ?? shape.value?.shape ?? shape;
}

/** The type that most pages refer to; the overview describes it. */
export const shared = "Ref";

/**
 * The members and those of their types, in order, each with its `path` and its `own` text; those of a list or map are below
 * `name[]`.
 * @param options.fields the fields of arguments, which then have the columns `replaces` and `removed`
 * @param options.found the types described so far and where: such a type is not described again
 */
export function everyMember(members, types, options = {}) {
  const { fields, around = alone, isAlternatives = false, prefix = "", found = new Map() } = options;
  return members.flatMap((member) => {
    const path = prefix + member.name;
    const field = fields?.[member.name];
    const key = field?.shape.listed?.key;
    const isSubject = (each) => key === undefined || types.get(each).members.some(({ name }) => name === key);
    const name = member.refersTo.find((each) => types.has(each) && each !== shared && isSubject(each));
    const columns = field && argumentColumns(member, field, around, isAlternatives);
    const own = { ...member, path, own: member.text, ...columns };
    if (name === undefined) return [own];
    const first = found.get(name);
    if (first) return [{ ...own, text: `${member.text} As \`${first}\`.` }];
    const text = [member.text, ...sentences(types.get(name).text).slice(1)].join(" ");
    found.set(name, path);
    const shape = field && shapeIn(field);
    const below = everyMember(types.get(name).members, types, {
      fields: shape?.fields,
      around: field ? within(around, field) : around,
      isAlternatives: shape?.alternatives !== undefined,
      prefix: `${path}${/\[\]$|^Record</.test(member.type) ? "[]" : ""}.`,
      found,
    });
    return [{ ...own, text }, ...below];
  });
}

/** `around` has the facts of the object that contains the argument, which may be one of alternatives. */
function argumentColumns({ optional }, field, around, isAlternatives) {
  const replaces = replaceColumn(field);
  return {
    field,
    replaces: replaces === "no" ? around.replaces : replaces,
    removed: optional && !isAlternatives ? removalColumn(field, around) : "",
    optional,
    isAlternative: isAlternatives,
  };
}

/** Every argument of the class. */
export function argumentsOf({ type, style, fields, whole, seals }, types, found) {
  const rotating = style === "rotation" ? fields[seals.to] : undefined;
  const members = types.get(`${type}Args`).members;
  return everyMember(members, types, { fields, around: { ...alone, whole, rotating }, found });
}

/** How the texts of optional arguments end, by their keys: with a default and the effect of a removal that they do not state. */
export function endings(declarations, types) {
  const found = new Map();
  for (const { key, own, field, removed } of declarations.flatMap((each) => argumentsOf(each, types))) {
    const stated = columns(own);
    const isOfService = !field.traits.local && !field.traits.serverDefault?.known;
    const ending = [
      isOfService && stated.fallback + stated.required === "" && "Default: left to the service.",
      stated.removed === "" && `If removed: ${removed}.`,
    ];
    const text = removed === "" ? "" : ending.filter(Boolean).join(" ");
    if ((found.get(key) ?? text) !== text)
      throw new Error(`Two arguments have the text "${own}", but end differently`);
    found.set(key, text);
  }
  return found;
}

/** The sentences of a text without the section of the specification. */
function sentences(text) {
  return text
    .replace(/\s+/g, " ")
    .split(/(?<=\.) (?=[A-Z`])/)
    .filter((sentence) => !sentence.startsWith("Specification: "));
}
