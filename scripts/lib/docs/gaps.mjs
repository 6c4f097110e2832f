// What the JSDoc of the resources leaves out, or says differently from the declarations.
import { limitOf, removalColumn, replaceColumn } from "./facts.mjs";
import { alone, columns, nestedTypes, parts } from "./prose.mjs";

/** What the JSDoc of a resource leaves out. */
export function gaps(declaration, types) {
  const { type } = declaration;
  const args = types.get(`${type}Args`);
  const outputs = types.get(type).members;
  const { about, examples, section } = parts(types.get(type).text);
  const missing = [
    [about === "", `${type} has no description`],
    [examples.length === 0, `${type} has no titled example ("## Example: …" and a typescript block)`],
    [section === "", `${type} names no section of the specification ("Specification: …")`],
    ...Object.keys(declaration.fields)
      .filter((name) => !declaration.fields[name].traits.local)
      .map((name) => [
        !outputs.some((output) => output.name === name),
        `${type}.${name} is no output of the class`,
      ]),
    ...outputs.map(({ name, text }) => [text === "", `${type}.${name} (output) has no description`]),
  ];
  const around = { ...alone, whole: declaration.whole };
  const nested = nestedTypes([...args.members, ...outputs], declaration.fields, types, around);
  return [
    ...missing.filter(([isMissing]) => isMissing).map(([, what]) => what),
    ...argumentGaps(args, declaration.fields, around),
    ...nested.flatMap((each) =>
      each.fields ? argumentGaps(each, each.fields, each.around) : textGaps(each),
    ),
  ];
}

/** What the JSDoc of a class without a declaration leaves out. */
export function undeclaredGaps(name, types) {
  const { text, members } = types.get(name);
  const args = types.get(`${name}Args`);
  const { about, examples } = parts(text);
  const described = [args, ...nestedTypes(args.members, undefined, types)];
  return [
    ...(about === "" ? [`${name} has no description`] : []),
    ...(examples.length === 0 ? [`${name} has no titled example`] : []),
    ...textGaps({ name, text, members }),
    ...described.flatMap((type) => [
      ...textGaps(type),
      ...type.members
        .filter((member) => member.optional && columns(member.text).fallback === "")
        .map((member) => `${type.name}.${member.name} names no default`),
    ]),
  ];
}

function textGaps({ name, text, members }) {
  const without = [{ name: "", text }, ...members].filter((member) => member.text === "");
  return without.map((member) => `${name}${member.name && `.${member.name}`} has no description`);
}

function argumentGaps(type, fields, around) {
  const described = type.members.flatMap((member) => {
    const field = fields[member.name];
    const { fallback, limit, required, removed } = columns(member.text);
    const removal = member.optional && !type.isAlternatives ? removalColumn(field, around) : "";
    // The members of alternatives have no defaults: which of them is set is the value.
    const needsDefault = member.optional && !type.isAlternatives && required === "";
    const stated = field.traits.serverDefault;
    return [
      [needsDefault && fallback === "", "names no default"],
      [!needsDefault && !member.optional && fallback !== "", "is required but names a default"],
      [
        stated?.known && fallback !== "" && !agrees(fallback, stated.value),
        `names another default than ${JSON.stringify(stated?.value)}`,
      ],
      [limitOf(field) !== "" && limit !== limitOf(field), `does not name the limit: ${limitOf(field)}`],
      [
        replaceColumn(field) !== "no" && !/replace|moves|never changes/.test(`${member.text} ${type.text}`),
        "does not say that a change of it replaces the object",
      ],
      [removed !== removal, `says ${said(removed)} and not ${said(removal)}`],
    ]
      .filter(([isWrong]) => isWrong)
      .map(([, what]) => `${type.name}.${member.name} ${what}`);
  });
  return [...textGaps(type), ...described];
}

/** The sentence of a hover text that says what removing the argument does. */
function said(removal) {
  return removal === "" ? "nothing of its removal" : `"If removed: ${removal}."`;
}

/** Whether the words of a default mean the value. */
function agrees(words, value) {
  const values = typeof value === "object" && !Array.isArray(value) ? Object.keys(value) : [value].flat();
  return values.every((each) => words.includes(String(each)));
}
