/** How the object of a lost request is recognised. */
import type { Json } from "../../../src/schema/json";
import { newCreationMark } from "../../../src/schema/metadata";
import { matchesRequest, mayResultFrom } from "../../../src/provider/life-cycle/answers";
import { declarationOf } from "../../../src/resources/registry";
import type { Settings } from "../../../src/provider/settings/settings";
import { argumentsFrom } from "../../../src/schema/values";
import { thing } from "../life-cycle/made-up";

const settings = { patchUndocumented: false } as Settings;

describe("an object that a lost create may have made", () => {
  const matches = (answer: Json, args: Json) =>
    mayResultFrom(
      thing,
      { id: "th_1", created_at: "2026-01-01T00:00:00Z", ...answer },
      argumentsFrom(args),
      settings,
    );

  it.each<[string, Json, Json]>([
    ["has what was sent", { description: "d", order: ["a"] }, { description: "d", order: ["a"] }],
    ["shows no text that was not sent", { description: "" }, {}],
    ["shows defaults of texts that were not sent", { region: "global" }, {}],
    ["shows what the service chose where its default is unknown", { owner: "usr_1" }, {}],
    ["shows no secret that was sent", { description: "d" }, { description: "d", password: "p" }],
    ["shows a secret that was not sent", { password: "p" }, {}],
    ["shows none of what stays here", {}, { csr: "request", hint: 5 }],
    [
      "shows what is no text and was not sent",
      { active: false, count: 5, labels: { a: "b" }, order: ["a"] },
      {},
    ],
  ])("%s", (_what, answer, args) => {
    expect(matches(answer, args)).toBe(true);
  });

  it.each<[string, Json, Json]>([
    ["another value than was sent", { description: "e" }, { description: "d" }],
    ["nothing of what was sent", {}, { description: "d" }],
    ["a text that was not sent", { description: "theirs" }, {}],
    ["a text that is not the default and was not sent", { region: "eu" }, {}],
    ["a secret that is not the one that was sent", { password: "another" }, { password: "p" }],
    ["another list than was sent", { order: ["b"] }, { order: ["a"] }],
  ])("does not show %s", (_what, answer, args) => {
    expect(matches(answer, args)).toBe(false);
  });

  it("may have the mark of its creation in the place of its metadata", () => {
    const marked = { description: "d", metadata: newCreationMark(undefined) };
    const ofKey = (args: Json) =>
      mayResultFrom(declarationOf("ApiKey"), marked, argumentsFrom(args), settings);
    expect(ofKey({ description: "d", metadata: "m" })).toBe(true);
    expect(ofKey({ description: "d" })).toBe(true);
    expect(ofKey({ description: "e" })).toBe(false);
  });
});

describe("an object that a lost update may have changed", () => {
  it("has what was sent, and anything else", () => {
    const answer = { description: "d", region: "eu", labels: { a: "b" } };
    const matches = (args: Json) => matchesRequest(thing, answer, argumentsFrom(args), settings);
    expect(matches({ description: "d" })).toBe(true);
    expect(matches({ description: "e" })).toBe(false);
  });
});
