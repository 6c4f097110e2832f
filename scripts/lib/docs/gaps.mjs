// What the JSDoc of the resources leaves out, or says differently from the declarations.
import { limitOf, replaceColumn } from "./facts.mjs";
import { argumentsOf, columns, everyMember, parts } from "./prose.mjs";

/** What the JSDoc of a resource leaves out. */
export function gaps(declaration, types) {
  const { type, fields } = declaration;
  const outputs = types.get(type).members;
  const local = (name) => fields[name].traits.local;
  const hidden = Object.keys(fields).filter(
    (name) => !local(name) && !outputs.some((output) => output.name === name),
  );
  return [
    ...classGaps(type, types, true),
    ...hidden.map((name) => `${type}.${name} is no output of the class`),
    ...textGaps(type, everyMember(outputs, types), types),
    ...argumentGaps(`${type}Args`, argumentsOf(declaration, types), types),
  ];
}

/** What the JSDoc of a class without a declaration leaves out. */
export function undeclaredGaps(name, types) {
  const args = everyMember(types.get(`${name}Args`).members, types);
  const unstated = args.filter((member) => member.optional && columns(member.own).fallback === "");
  return [
    ...classGaps(name, types, false),
    ...textGaps(name, everyMember(types.get(name).members, types), types),
    ...textGaps(`${name}Args`, args, types),
    ...unstated.map(({ path }) => `${name}Args.${path} names no default`),
  ];
}

function classGaps(name, types, needsSection) {
  const { about, examples, section } = parts(types.get(name).text);
  return problems(name, [
    [about === "", "has no description"],
    [examples.length === 0, 'has no titled example ("## Example: …" and a typescript block)'],
    [needsSection && section === "", 'names no section of the specification ("Specification: …")'],
  ]);
}

/** The members without a text, and their types without one. */
function textGaps(name, members, types) {
  const referred = new Set(members.flatMap(({ refersTo }) => refersTo.filter((each) => types.has(each))));
  return [
    ...members.filter(({ own }) => own === "").map(({ path }) => `${name}.${path} has no description`),
    ...[...referred]
      .filter((each) => types.get(each).text === "")
      .map((each) => `${each} has no description`),
  ];
}

function argumentGaps(name, members, types) {
  const described = members.flatMap(
    ({ path, own, text, field, optional, isAlternative, removed: removal }) => {
      const { fallback, limit, required, removed } = columns(own);
      // The members of alternatives have no defaults: which of them is set is the value.
      const needsDefault = optional && !isAlternative && required === "";
      const stated = field.traits.serverDefault;
      return problems(`${name}.${path}`, [
        [needsDefault && fallback === "", "names no default"],
        [!needsDefault && !optional && fallback !== "", "is required but names a default"],
        [
          stated?.known && fallback !== "" && !agrees(fallback, stated.value),
          `names another default than ${JSON.stringify(stated?.value)}`,
        ],
        [limitOf(field) !== "" && limit !== limitOf(field), `does not name the limit: ${limitOf(field)}`],
        [
          replaceColumn(field) !== "no" &&
            !/replace|moves|never changes/.test(`${text} ${types.get(name).text}`),
          "does not say that a change of it replaces the object",
        ],
        [removed !== removal, `says ${said(removed)} and not ${said(removal)}`],
      ]);
    },
  );
  return [...textGaps(name, members, types), ...described];
}

const problems = (subject, all) => all.filter(([is]) => is).map(([, what]) => `${subject} ${what}`);

/** The sentence of a hover text that says what removing the argument does. */
const said = (removal) => (removal === "" ? "nothing of its removal" : `"If removed: ${removal}."`);

/** Whether the words of a default mean the value. */
function agrees(words, value) {
  const values = typeof value === "object" && !Array.isArray(value) ? Object.keys(value) : [value].flat();
  return values.every((each) => words.includes(String(each)));
}
