/** The secrets of a program in the values that the native provider answers with. */
import { plain, toStruct } from "../../../src/provider/native/protocol-values";
import { unknown } from "../../../src/schema/unknown";
import { secretOf } from "../../support/in-process/values";

const answered = (value: unknown, given: unknown) =>
  toStruct({ value }, { value: given }).toJavaScript().value;

it.each([
  ["an object that is secret as a whole", { b: "hidden" }, secretOf({ b: "hidden" })],
  ["an item of a list in another order", ["hidden", "public"], ["public", secretOf("hidden")]],
  ["a member that the answer writes in a shorter form", { a: "allow" }, { a: { action: secretOf("allow") } }],
  ["a member of a name in another spelling", { "10.0.0.0/8": "x" }, { "010.0.0.0/8": secretOf("x") }],
  [
    "all where one of several secret members has another name",
    { "10.0.0.0/8": "x", "192.0.2.0/24": "y" },
    { "10.0.0.0/8": secretOf("x"), "192.0.2.1/24": secretOf("y") },
  ],
  [
    "all where the names of two secret members are others",
    { a: "x", b: "y", open: "z" },
    { c: secretOf("x"), d: secretOf("y"), open: "z" },
  ],
])("hides %s", (_, value, given) => {
  const text = JSON.stringify(answered(value, given));
  const [start, end] = ['{"4dabf18193072939515e22adb298388d":', '"value":'];
  expect(text.startsWith(start) || text.includes(`{"a":${start}`)).toBe(true);
  expect(text).toContain(end);
  // None of the secrets is left in plaintext beside.
  const shown = JSON.stringify(answered(value, given), (_name, part: unknown) =>
    JSON.stringify(part)?.startsWith(start) ? "[secret]" : part,
  );
  for (const hidden of JSON.stringify(given).matchAll(/"value":"(\w+)"/g))
    expect(shown).not.toContain(`"${hidden[1]!}"`);
});

it("leaves the rest of an object as it is", () => {
  expect(answered({ open: "a", hidden: "b" }, { open: "a", hidden: secretOf("b") })).toEqual({
    open: "a",
    hidden: secretOf("b"),
  });
  expect(answered(["a"], ["a"])).toEqual(["a"]);
  expect(answered(null, secretOf("a"))).toBeNull();
  expect(answered(unknown, secretOf("a"))).toBe(unknown);
});

it("makes one secret of a secret in a secret, and reads what is in it", () => {
  const whole = secretOf({ a: "x" });
  expect(answered({ a: secretOf("x") }, whole)).toEqual(whole);
  expect(answered(whole, whole)).toEqual(whole);
  const called = secretOf({ value: "x" });
  expect(answered(called, { value: secretOf("x") })).toEqual(called);
  const unknownList = "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2";
  expect(plain({ at: secretOf([secretOf("x"), unknownList]) })).toEqual({ at: ["x", unknown] });
});
