import { labelKey, labelValue, number, quote, redacted, text } from "./formats";

test("A byte limit counts UTF-8 and tells both numbers without the value", () => {
  expect(text.byteLimit(4)("é🎉".slice(0, 1) + "ab")).toBeUndefined();
  expect(text.byteLimit(4)("éé")).toBeUndefined();
  expect(text.byteLimit(4)("ééé")).toBe("is 6 bytes in UTF-8; the limit is 4");
  expect(text.byteLimit(255)("x".repeat(256))).toBe("is 256 bytes in UTF-8; the limit is 255");
});

test("A character limit counts code points, a lone surrogate as one", () => {
  expect(text.charLimit(3)("é🎉\ud800")).toBeUndefined();
  expect(text.charLimit(3)("é🎉🎉🎉")).toBe("is 4 characters; the limit is 3");
});

test("A quoted value is cut at 60 characters, never inside one", () => {
  expect(quote("x".repeat(60))).toBe(`"${"x".repeat(60)}"`);
  expect(quote("x".repeat(61))).toBe(`"${"x".repeat(60)}…"`);
  expect(quote("🎉".repeat(60))).toBe(`"${"🎉".repeat(60)}"`);
  expect(quote("🎉".repeat(1_000_000))).toBe(`"${"🎉".repeat(60)}…"`);
});

test("A quoted value cannot draw anything in a terminal", () => {
  expect(quote('a"\n\u001b[31m\u009b\u202e\u2028\ud800')).toBe(
    '"a\\"\\n\\u001b[31m\\u009b\\u202e\\u2028\\ud800"',
  );
});

test.each([0, 1, 10000])("%d is a weight", (value) => {
  expect(number.weight(value)).toBeUndefined();
});

test.each([-1, 10001, 0.5, NaN, Infinity])("%d is no weight", (value) => {
  expect(number.weight(value)).toBe(`must be a whole number from 0 to 10000, got ${value}`);
});

test("The bounds of seconds and of status codes tell why they are", () => {
  expect(number.uint32(0)).toBeUndefined();
  expect(number.uint32(4294967295)).toBeUndefined();
  expect(number.uint32(4294967296)).toBe(
    "must be a whole number from 0 to 4294967295 (an unsigned 32-bit number), got 4294967296",
  );
  expect(number.statusCode(2 ** 31)).toBe(
    "must be a whole number from -2147483648 to 2147483647 (a signed 32-bit number), got 2147483648",
  );
});

test("A label holds no equals sign", () => {
  expect(labelKey.check("team")).toBeUndefined();
  expect(labelValue.check("")).toBeUndefined();
  expect(labelKey.check("a=b")).toContain('got "a=b"');
  expect(labelValue.check("a=b")).toContain('got "a=b"');
});

test.each(["***", "••••", "****abcd", "abcd****", "[REDACTED]", "<redacted>", "Redacted", "(redacted)"])(
  "%s is a redaction",
  (value) => {
    expect(redacted(value)).toBe(true);
  },
);

test.each([
  "",
  "*",
  "**",
  "**abcd",
  "a***b",
  "xxxxxxxx",
  "redacted-by-me",
  "[REDACTED",
  "my[redacted]",
  "AKIA0123",
])("%j may be a real secret", (value) => {
  expect(redacted(value)).toBe(false);
});
