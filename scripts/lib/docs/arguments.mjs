// What the pages say of each argument, by class and path, for the tests that compare it with the specification.
import { removalColumn } from "./facts.mjs";
import { alone, columns, membersOf, within } from "./prose.mjs";

/** `{ class: { path: { optional, fallback, removed } } }`; the members of alternatives have neither text. */
export function documentedArguments(declarations, types) {
  return Object.fromEntries(
    declarations.map(({ type, fields, whole }) => [
      type,
      Object.fromEntries(argumentsIn(types.get(`${type}Args`), fields, { ...alone, whole }, types)),
    ]),
  );
}

function argumentsIn(type, fields, around, types, { prefix = "", isAlternatives = false } = {}) {
  return membersOf(type, types).flatMap((member) => {
    const [field, path] = [fields[member.name], prefix + member.name];
    const optional = member.optional && !isAlternatives;
    const removed = optional ? removalColumn(field, around) : "";
    const { fallback } = columns(member.text);
    const inner = types.get(member.refersTo.find((name) => types.has(name)));
    const { shape } = field;
    const below =
      inner && shape.kind === "object"
        ? argumentsIn(inner, shape.fields, within(around, field), types, {
            prefix: `${path}.`,
            isAlternatives: shape.alternatives !== undefined,
          })
        : [];
    return [[path, { optional, fallback, removed }], ...below];
  });
}
