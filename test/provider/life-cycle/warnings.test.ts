/** What a preview prints beside its lines. */
import type { Declaration } from "../../../src/schema/declaration";
import { notReturned } from "../../../src/schema/secrets";
import type { Json } from "../../../src/schema/json";
import { setPaths } from "../../../src/schema/walk";
import { declarationOf, declarations } from "../../../src/resources/registry";
import { Life } from "../../support/life";
import { thing } from "./made-up";

/** What the preview of a change prints. */
async function printed(declaration: Declaration, before: Json, next: Json): Promise<string[]> {
  const life = new Life(declaration, (body) => body);
  const state = { ...before, __args: setPaths(declaration.fields, before) };
  await life.cycle.diff("id_1", state, next);
  return life.lines;
}

const released =
  "thing id_1: count is no longer in the program, and its default is left to the service; the value stays as it is";

describe("an argument that is removed and keeps its value", () => {
  it("is named, and no other change is", async () => {
    expect(await printed(thing, { count: 1, description: "d" }, { description: "e" })).toEqual([released]);
  });

  it("is not named where the object is replaced", async () => {
    expect(await printed(thing, { count: 1, fixed: "f" }, { fixed: "g" })).toEqual([]);
  });
});

describe("a change that must send a secret that the service does not return", () => {
  const target = (name: string): Json => ({ target: { one: { name, password: notReturned } } });
  const unsendable = expect.stringMatching(
    /^thing id_1: password: the service does not return this secret/,
  ) as unknown;

  it("is warned of, also beside an argument that is only recorded", async () => {
    expect(await printed(thing, target("a"), target("b"))).toEqual([unsendable]);
    expect(await printed(thing, { ...target("a"), count: 1 }, target("b"))).toEqual([unsendable, released]);
  });

  it("is not warned of where the object is replaced", async () => {
    expect(await printed(thing, { ...target("a"), fixed: "f" }, { ...target("b"), fixed: "g" })).toEqual([]);
  });

  it("is not warned of where a module, which is sent whole, does not change", async () => {
    const args = { edgeId: "e", routeId: "r", issuer: "https://id.example.com", clientId: "c" };
    const oidc = declarationOf("HttpsEdgeRouteOidc");
    const life = new Life(oidc, (body) => body);
    const state = { ...args, clientSecret: notReturned, __args: ["clientId", "clientSecret", "issuer"] };
    await life.cycle.diff("e/r", state, { ...args, clientSecret: notReturned });
    expect(life.lines).toEqual([]);
  });
});

it("what an object is called tells its class: a line names nothing else of it but the id", () => {
  expect(new Set(declarations.map(({ noun }) => noun)).size).toBe(declarations.length);
});

it("a collection's own notes on a change are printed, each once", async () => {
  const notes = (state: Json, args: Json) => [
    `${String(state.description)} to ${String(args.description)}`,
    "more",
  ];
  expect(await printed({ ...thing, notes }, { description: "a" }, { description: "b" })).toEqual([
    "thing id_1: a to b",
    "thing id_1: more",
  ]);
});
