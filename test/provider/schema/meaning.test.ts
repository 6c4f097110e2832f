/** No argument is silent by omission: each says what its change means. */
import { declarations } from "../../../src/resources/registry";
import { fieldsOf } from "../../../src/schema/field";
import type { Fields } from "../../../src/schema/field";
import { flag, map, object, set, text } from "../../../src/schema/kinds";

/** The paths of the arguments that say nothing, and of which nothing around them does. */
function silent(fields: Fields, prefix = ""): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.presence === "computed" || field.traits.meaning !== undefined) return [];
    const members = fieldsOf(field);
    return Object.keys(members).length > 0 ? silent(members, `${prefix}${name}.`) : [prefix + name];
  });
}

describe("what the change of an argument means", () => {
  it.each(declarations.map((declaration) => [declaration.type, declaration.fields] as const))(
    "is said by every argument of %s",
    (_type, fields) => {
      expect(silent(fields)).toEqual([]);
    },
  );

  it("counts as said for all that is inside of an argument that says it, and for nothing else", () => {
    const fields = {
      said: object({ one: text(), two: set(object({ three: flag() })) }).means("none"),
      open: object({ one: text(), two: text().means("who gets in"), three: map(text().means("none")) }),
      answered: text().computed(),
    };
    expect(silent(fields)).toEqual(["open.one", "open.three"]);
  });
});
