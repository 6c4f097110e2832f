/** Filters of lists by what an object must hold. */
import { matcher } from "../../../src/account/filter";
import { declarationOf } from "../../../src/resources/registry";

const { fields, noun } = declarationOf("SshUserCertificate");
const matches = (filter: Record<string, unknown>, object: object): boolean =>
  matcher<Record<string, unknown>>(fields, noun, filter)(object as Record<string, unknown>);

it.each([
  [["web"], true],
  [["web", "root"], true],
  [["web", "db"], false],
  [["db"], false],
  [[], true],
])("takes a list that holds all of %j", (principals, expected) => {
  expect(matches({ principals }, { principals: ["root", "web"] })).toBe(expected);
});

it("takes an object by its id, which no declaration has as a field", () => {
  expect(matches({ id: "sucrt_1" }, { id: "sucrt_1" })).toBe(true);
  expect(matches({ id: "sucrt_1" }, { id: "sucrt_2" })).toBe(false);
});

it("takes what an answer leaves out for what that means", () => {
  const { fields: ofBot, noun: bot } = declarationOf("BotUser");
  for (const active of [true, false])
    expect(matcher<Record<string, unknown>>(ofBot, bot, { active })({})).toBe(active);
});

it("must hold all that is asked for", () => {
  const object = { description: "a", metadata: "b" };
  expect(matches({ description: "a", metadata: "b" }, object)).toBe(true);
  expect(matches({ description: "a", metadata: "c" }, object)).toBe(false);
});
