import { saidOf } from "./support";

const type = "RotatingApiKey";
const args = { rotateAfterDays: 30, overlapDays: 3 };
const key = (rotatedAt: string, previousKeyId: string | null) => ({
  ...{ keyId: "ak_two", previousKeyId, rotatedAt },
  rotatesAfter: new Date(Date.parse(rotatedAt) + 30 * 86_400_000).toISOString().replace(".000Z", "Z"),
});
const about = (outputs: object, after: object | undefined, op = "update"): string[] =>
  saidOf([
    {
      type,
      name: "ci",
      op,
      before: args,
      ...(after && { after: { ...args, ...after } }),
      outputs: { ...outputs },
    },
  ])
    .filter((line) => line.includes("access/key-rotates"))
    .map((line) => line.slice(line.indexOf(": ") + 2));

it("says which key is created and how long the current one stays valid", () => {
  expect(about(key("2026-10-01T12:00:00Z", null), {})).toEqual([
    "a new API key is created, because ak_two was created at 2026-10-01T12:00:00Z and rotateAfterDays is 30; ak_two stays valid for at least 3 days",
  ]);
});

it("says which key ends", () => {
  expect(about(key("2026-11-18T00:00:00Z", "ak_one"), {})).toEqual([
    "the previous API key ak_one is deleted, because its overlap ended at 2026-11-21T00:00:00Z (overlapDays is 3)",
  ]);
  expect(about(key("2026-11-20T00:00:00Z", "ak_one"), undefined, "delete")).toEqual([
    "its keys end: ak_two, ak_one",
  ]);
});

it("says nothing while nothing is due", () => {
  expect(about(key("2026-11-20T00:00:00Z", "ak_one"), { description: "ci" })).toEqual([]);
});

it("says that a new recipient gets a new key, and that somebody else may act", () => {
  const before = { ...args, sealTo: "b2xk" };
  const step = { type, name: "ci", op: "update", before, after: { ...args, sealTo: "bmV3" } };
  const said = saidOf([{ ...step, outputs: key("2026-11-20T00:00:00Z", null) }]);
  expect(said).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /access\/key-rotates.*a new API key is created, because sealTo changed; ak_two stays/,
      ),
      expect.stringMatching(/error.*access\/who-may-act.*sealTo changes from "?b2xk"? to "?bmV3"?/),
    ]),
  );
});
