import fc from "../../../support/fast-check";
import { globPattern } from "../../../../src/schema/text/glob";
import {
  shellWord,
  escapeControls,
  escapeControlsInLines,
  hasControls,
} from "../../../../src/schema/text/escape";
import {
  clipped,
  counted,
  most3,
  firstLines,
  firstOf,
  listText,
  most20,
  pluralOf,
} from "../../../../src/schema/text/phrase";

describe("globPattern", () => {
  it.each([
    ["office*", "office network", true],
    ["office*", "my office", false],
    ["*", "", true],
    ["a.b", "axb", false],
    ["(a|b)*", "(a|b)\nc", true],
    ["3.1.*", "3.1.0", true],
    ["*a*", "bab", true],
    ["a*b*c", "a-bc", true],
    ["a*b*c", "acb", false],
    ["ab*ba", "aba", false],
    ["a**b", "ab", true],
    ["*ab", "aab", true],
    ["a*", "", false],
    ["", "", true],
    ["", "a", false],
  ])("%s against %j: %s", (glob, text, matches) => {
    expect(globPattern(glob).test(text)).toBe(matches);
  });
});

it("a pattern agrees with the expression that it stands for, and many stars do not make it slow", () => {
  const characters = fc.constantFrom("a", "b", "*");
  const words = fc.string({ unit: characters, maxLength: 8 });
  fc.assert(
    fc.property(words, words, (glob, text) => {
      expect(globPattern(glob).test(text)).toBe(new RegExp(`^${glob.split("*").join("[^]*")}$`).test(text));
    }),
  );
  // An expression with this many stars does not end within the life of the test.
  expect(globPattern(`${"*a".repeat(10_000)}*b`).test("a".repeat(40_000))).toBe(false);
  expect(globPattern(`${"*a".repeat(10_000)}*b`).test(`${"a".repeat(40_000)}b`)).toBe(true);
});

describe("escapeControls", () => {
  it("replaces what would control a terminal by its escape", () => {
    expect(escapeControls("a\u001b[2Jb\u009bc\r\n\td\u202ee")).toBe("a\\u001b[2Jb\\u009bc\\r\\n\\td\\u202ee");
  });

  it("leaves other text alone", () => {
    expect(escapeControls("Zürich 東京 🙂")).toBe("Zürich 東京 🙂");
  });
});

describe("control characters", () => {
  const codes = [...Array.from({ length: 0x20 }, (_, i) => i), 0x7f];
  const more = [
    ...Array.from({ length: 0x20 }, (_, i) => 0x80 + i),
    0x61c,
    0x200e,
    0x2028,
    0x2029,
    0x202e,
    0x2066,
  ];

  it.each([...codes, ...more].map((code) => [code.toString(16), String.fromCodePoint(code)]))(
    "finds and escapes U+%s as JSON does",
    (_, character) => {
      expect(hasControls(`a${character}b`)).toBe(true);
      const escaped = escapeControls(`a${character}b`);
      expect(hasControls(escaped)).toBe(false);
      expect(JSON.parse(`"${escaped}"`)).toBe(`a${character}b`);
    },
  );

  it("keeps the lines and tabs of a message of several lines, and nothing else", () => {
    expect(escapeControlsInLines("a\tb\r\nc\u001b[2J\rd\u2028e\n")).toBe("a\tb\nc\\u001b[2J\\rd\\u2028e\n");
  });

  it.each(["", "Zürich 東京 🙂", "a\u200db"])("finds none in %j", (text) =>
    expect(hasControls(text)).toBe(false),
  );
});

describe("plurals", () => {
  it.each([
    ["IP policy", "IP policies"],
    ["API key", "API keys"],
    ["certificate authority", "certificate authorities"],
    ["TCP edge", "TCP edges"],
  ])("%s: %s", (noun, plural) => expect(pluralOf(noun)).toBe(plural));

  it("counts in the singular and in the plural", () => {
    expect(counted(0, "object")).toBe("0 objects");
    expect(counted(1, "object")).toBe("1 object");
    expect(counted(2, "IP policy")).toBe("2 IP policies");
    expect(counted(1_000, "request")).toBe("1,000 requests");
    expect(counted(2, "is", "are")).toBe("2 are");
  });
});

describe("a list in a text", () => {
  const names = ["a", "b", "c", "d", "e"];

  it("names the first items and counts the others", () => {
    expect(firstOf(names.slice(0, 3), most3, "range")).toBe("a, b, c");
    expect(firstOf(names, most3)).toBe("a, b, c and 2 more");
    expect(firstLines(names, most3, "policy")).toEqual(["a", "b", "c", "and 2 more policies"]);
    expect(listText(names.slice(0, 2), "range")).toBe("a and b");
    expect(listText(names, "range")).toBe("a, b, c and 2 more ranges");
  });

  it("counts what the list itself does not have", () => {
    expect(firstOf(names, most20, "client", 6)).toBe("a, b, c, d, e and 1 more client");
    expect(firstLines(["a"], most20, "client", 1_000)).toEqual(["a", "and 999 more clients"]);
  });
});

it("a clipped text ends with an ellipsis and never with half of a character", () => {
  expect(clipped("abc", 3)).toBe("abc");
  expect(clipped("abcd", 3)).toBe("ab…");
  expect(clipped("🙂🙂🙂🙂", 3)).toBe("🙂🙂…");
});

describe("shellWord", () => {
  it.each([
    ["edghts_1/x", "edghts_1/x"],
    ["/home/ann/my project", "'/home/ann/my project'"],
    ["edghts_$(reboot)", "'edghts_$(reboot)'"],
    ["a;b|c&d`e`", "'a;b|c&d`e`'"],
    ["it's", "'it'\\''s'"],
    ["", "''"],
  ])("%s is %s", (text, word) => expect(shellWord(text)).toBe(word));
});
