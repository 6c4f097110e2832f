/** The path and the body of an approved write are those of the review and no others, whatever ids the deployment gives to new objects. */
import { bodyTemplate, differenceIn, pathAgrees, pathTemplate } from "../../../src/tools/approval/template";
import * as fc from "../../support/fast-check";

/** The objects that the review has created, and the same ones in the deployment. */
const [reviewed, deployed] = [
  ["ipp_1", "ipp_2"],
  ["ipp_x", "ipp_y"],
] as const;
const made = new Map(reviewed.map((id, i) => [id as string, i]));
const isMade = (position: number, id: string): boolean => deployed[position] === id;

const text = fc
  .array(fc.constantFrom(...reviewed, "ipp_old", " in ", "/", "~", "x"), { maxLength: 4 })
  .map((parts) => parts.join(""));
const { body } = fc.letrec<{ value: unknown; body: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: text },
    fc.constantFrom(null, true, 0),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("body"),
  ),
  body: fc.dictionary(fc.constantFrom("a", "b", "a/b", "~0"), tie("value"), { noNullPrototype: true }),
}));

const sentAs = (value: object): object =>
  JSON.parse(
    JSON.stringify(value).replace(/\w+/g, (word) => deployed[made.get(word) ?? -1] ?? word),
  ) as object;

/** The value with one change, at any depth. */
function* changes(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null)
    return yield* [`${String(value)} x`, `x ${String(value)}`, {}, 1];
  const isList = Array.isArray(value);
  const made = (members: [string, unknown][]): unknown =>
    isList ? members.map(([, member]) => member) : Object.fromEntries(members);
  const members = Object.entries(value);
  yield made([...members, ["more", null]]);
  for (const [i, [name, member]] of members.entries()) {
    yield made(members.toSpliced(i, 1));
    for (const other of changes(member)) yield made(members.with(i, [name, other]));
  }
}

test("a body passes with the ids of the deployment, and with no change of it", () => {
  fc.assert(
    fc.property(body, (value) => {
      const approved = { method: "POST", ...bodyTemplate(value, made) } as const;
      const sent = sentAs(value);
      expect(differenceIn(approved, sent, isMade)).toBeUndefined();
      const passing = [...changes(sent)].filter(
        (other) => differenceIn(approved, other, isMade) === undefined,
      );
      expect(passing).toEqual([]);
    }),
  );
});

test("a path passes with the ids of the deployment, and with no other segment, none more and none less", () => {
  const segment = fc.constantFrom(...reviewed, "ip_policies", "ipp_old");
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
      const approved = pathTemplate(`/${segments.join("/")}`, made, new Map());
      const agrees = (sent: readonly unknown[]) =>
        pathAgrees(approved, `/${sent.map(String).join("/")}`, isMade, () => false);
      const sent = segments.map((each) => deployed[made.get(each) ?? -1] ?? each);
      expect(agrees(sent)).toBe(true);
      expect([...changes(sent)].filter((other) => agrees(other as unknown[]))).toEqual([]);
    }),
  );
});
