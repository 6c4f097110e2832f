/** What formats answer as data, over the fields of all resources. */
import type { AnyField, Format } from "../../../src/schema/field";
import { declarations } from "../../../src/resources/registry";

/** Every format in a field, with its path. */
function formatsIn(path: string, { shape }: AnyField): [string, Format][] {
  switch (shape.kind) {
    case "string":
      return [[path, shape.format]];
    case "list":
      return formatsIn(`${path}[]`, shape.item);
    case "map":
      return [[`${path} (key)`, shape.key], ...formatsIn(`${path}{}`, shape.value)];
    case "object":
      return Object.entries(shape.fields).flatMap(([name, field]) => formatsIn(`${path}.${name}`, field));
    default:
      return [];
  }
}

const formats = declarations.flatMap(({ type, fields }) =>
  Object.entries(fields).flatMap(([name, field]) => formatsIn(`${type}.${name}`, field)),
);

test("an example is a value of its format", () => {
  const withExample = formats.filter(([, format]) => "example" in format);
  expect(withExample.length).toBeGreaterThan(50);
  const wrong = withExample.filter(([, format]) => format.check?.(format.example!("label")) !== undefined);
  expect(wrong.map(([path]) => path)).toEqual([]);
});

test("an id refers to collections with its prefixes, also as a key of a map", () => {
  const refersTo = Object.fromEntries(formats.map(([path, format]) => [path, format.refersTo]));
  expect(refersTo["IpPolicyRule.ipPolicyId"]).toEqual(["ipp_"]);
  expect(refersTo["WeightedBackend.backends (key)"]).toContain("bkdtg_");
  expect(refersTo["HttpsEdgeRouteOidc.edgeId"]).toEqual([]);
  expect(refersTo["IpPolicyRule.cidr"]).toBeUndefined();
  for (const [path, format] of formats) {
    for (const prefix of format.refersTo ?? [])
      expect([path, format.check?.(`${prefix}1`)]).toEqual([path, undefined]);
  }
});

test("a limit is the longest text that the check accepts", () => {
  const limited = formats.filter(([, { limit }]) => limit !== undefined);
  expect(limited.length).toBeGreaterThan(20);
  for (const [path, format] of limited) {
    const { count, unit } = format.limit!;
    const check = (text: string) => format.check?.(text);
    const longest = "a".repeat(count);
    expect([path, check(longest), check(`${longest}a`)]).toEqual([path, undefined, expect.any(String)]);
    const isTooLong = check("é".repeat(count)) !== undefined;
    expect([path, isTooLong]).toEqual([path, unit === "bytes"]);
  }
});
