// What the pages say of each argument, by class and path, for the tests that compare it with the specification.
import { argumentsOf, columns } from "./prose.mjs";

/** A map that remembers nothing: a type is described wherever it occurs. */
const everywhere = { get: () => undefined, set: () => undefined };

/** `{ class: { path: { optional, fallback, removed } } }`; the members of alternatives have neither text. */
export function documentedArguments(declarations, types) {
  return Object.fromEntries(
    declarations.map((declaration) => {
      const described = argumentsOf(declaration, types, everywhere).filter(
        ({ path }) => !path.includes("[]"),
      );
      return [
        declaration.type,
        Object.fromEntries(
          described.map(({ path, text, optional, isAlternative, removed }) => [
            path,
            { optional: optional && !isAlternative, fallback: columns(text).fallback, removed },
          ]),
        ),
      ];
    }),
  );
}
