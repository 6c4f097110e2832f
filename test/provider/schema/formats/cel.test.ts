import { cel } from "./formats";

test.each([
  "true",
  "endpoint.type == 'cloud' && 'public' in endpoint.bindings",
  "endpoint.labels.exists(l, l.startsWith('a'))",
  "no_such_function(1) + 'a'",
  "a.?b.orValue('')",
  "Type{field: 1}.field == 1",
  "a.Type{}",
  ".root.name",
  "a.`b-c` == 1",
  "[?a]",
  "{?'k': v}",
  'br\'x\' == bR"""a\nb"""',
  "a[.5] + .5e-3 < 1e999 + 99999999999999999999999",
  "r'\\' + rb + 'x'",
  "a\f== b // it's a comment",
  "'\\x41\\101\\u0041\\U00000041\\?\\`' + B'''it's'''",
])("%s is an expression, whatever it may mean", (value) => {
  expect(cel.check(value)).toBeUndefined();
});

test.each([
  ["a ==", '"a ==" at character 5: the expression ends too early'],
  ["a = b", '"a = b" at character 3: unexpected character: ='],
  ["a ==\n  b &", '"a ==\\n  b &" at line 2, character 5: unexpected character: &'],
  ["'abc", "at character 1: unterminated string"],
  ["(a", "the expression ends too early"],
  ["a b", "at character 3"],
  ["a {", "at character 3"],
  ["a ? b", "the expression ends too early"],
  ["a.5", "at character 3"],
  ["'\\q'", "at character 2"],
  ["br'x", "at character 3"],
  ["'a' == 'b' 'c'", "at character 12"],
])("%j is refused at its place: %s", (value, reason) => {
  expect(cel.check(value)).toMatch(/^must be a CEL expression; /);
  expect(cel.check(value)).toContain(reason);
});

test("A long list is an expression", () => {
  const list = Array.from({ length: 2000 }, (_, index) => index);
  expect(cel.check(`x in [${list.join(", ")}]`)).toBeUndefined();
});

test("An empty selector is refused", () => {
  expect(cel.check("")).toBe("must be a CEL expression, which is not empty");
  expect(cel.check(" \n")).toBe("must be a CEL expression, which is not empty");
});

test("What is nested too deeply to be parsed is not refused but warned about", () => {
  for (const value of ["(".repeat(100_000), `${"(".repeat(300)}1${")".repeat(300)}`, "!".repeat(1_000_000)]) {
    expect(cel.check(value)).toBeUndefined();
    expect(cel.advise(value)).toBe(
      "is nested so deeply that it is not checked here, and the service may refuse it",
    );
  }
  expect(cel.advise("a == 1")).toBeUndefined();
  expect(cel.advise("a ==")).toBeUndefined();
});

test("Importing the formats loads neither the CEL parser nor the address library", () => {
  jest.isolateModules(() => {
    const loaded: string[] = [];
    jest.doMock(
      "@marcbachmann/cel-js",
      () => (loaded.push("cel-js"), jest.requireActual("@marcbachmann/cel-js")),
    );
    jest.doMock("ipaddr.js", () => (loaded.push("ipaddr.js"), jest.requireActual("ipaddr.js")));

    const fresh = require("./formats") as typeof import("./formats");
    expect(loaded).toEqual([]);
    fresh.cel.check("true");
    fresh.cidr.check("::/0");
    expect(loaded).toEqual(["cel-js", "ipaddr.js"]);
  });
});
