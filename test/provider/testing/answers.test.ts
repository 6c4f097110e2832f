/** What the mocks answer about any resource, checked by its declaration and by the life cycle. */
import * as fc from "../../support/fast-check";
import type { AnyField } from "../../../src/schema/field";
import { recordedState } from "../../../src/schema/recorded-state";
import { otherForm } from "../../../src/schema/sealing";
import { setPaths } from "../../../src/schema/walk";
import { withoutEndTimes } from "../../../src/schema/entry-ends";
import { compare } from "../../../src/provider/life-cycle/changes";
import { namesIn } from "../../../src/provider/http/path";
import { readSettings } from "../../../src/provider/settings/read-settings";
import { declarations } from "../../../src/resources/registry";
import { mocks } from "../../../src/testing";
import { argumentsFrom } from "../../../src/schema/values";
import { argumentsOf, seed } from "../life-cycle/properties/arbitraries";
import type { Json } from "../life-cycle/properties/arbitraries";
import { plain } from "../../support/in-process/values";

const settings = readSettings(
  { get: (key) => ({ apiKey: "key", baseUrl: "https://a.test" })[key.split(":")[1]!] },
  {},
);

interface Answered {
  readonly id: string;
  readonly state: Json;
}

/** What the mocks answer to a registration, or with an id to a look-up. */
async function answered(type: string, inputs: Json, id?: string): Promise<Answered> {
  const args = { type: `pulumi-nodejs:dynamic/tunnel-gateway:${type}`, name: "it", inputs, custom: true, id };
  return (await mocks().newResource(args)) as Answered;
}

describe.each(declarations.map((declaration) => [declaration.type, declaration] as const))(
  "the mocked %s",
  (type, declaration) => {
    const args = argumentsOf(declaration);
    const names = Object.keys(declaration.fields);
    const runs = { seed, numRuns: 8 };

    it("has outputs in which the life cycle finds no change, whatever its arguments are", async () => {
      await fc.assert(
        fc.asyncProperty(args, async (given) => {
          const { state } = await answered(type, given);
          const known = recordedState(plain(state));
          const recorded = { ...known, managed: setPaths(declaration.fields, given) };
          const own = argumentsFrom(withoutEndTimes(declaration.fields, given));
          expect(compare(declaration, recorded, own, settings)).toEqual([]);
        }),
        runs,
      );
    });

    it("has what only the service knows, of the right type and form, and its secrets are secret", async () => {
      const own = names.filter((name) => {
        const { presence, traits } = declaration.fields[name]!;
        if (traits.local || traits.writeOnly || traits.within !== undefined) return false;
        return presence === "computed" || traits.serverDefault?.known === false;
      });
      await fc.assert(
        fc.asyncProperty(args, async (given) => {
          const { state } = await answered(type, given);
          for (const name of own) {
            const field = declaration.fields[name]!;
            const value = state[name];
            if (name === otherForm(declaration, given)) {
              expect([name, plain(value)]).toEqual([name, null]);
              continue;
            }
            if (field.traits.secret)
              expect(value).toMatchObject({ value: expect.stringContaining("mocked") as string });
            expect([name, wrong(field, plain(value))]).toEqual([name, undefined]);
          }
        }),
        runs,
      );
      const secrets = names.filter((name) => declaration.fields[name]!.traits.secret);
      // A set has nothing of its own.
      if (declaration.style !== "ruleSet") expect(own.length + secrets.length).toBeGreaterThan(0);
    });

    it("has an id of its form", async () => {
      const [given] = fc.sample(args, { seed, numRuns: 1 }) as [Json];
      const { id } = await answered(type, given);
      const { idPrefix = "mocked_" } = declaration.rotates ?? declaration;
      if (!declaration.path.includes("{")) expect(id).toBe(`${idPrefix}it`);
      else
        expect(id).toBe(
          namesIn(declaration.path)
            .map((name) => String(given[name]))
            .join("/"),
        );
      expect((await answered(type, given, "of-the-option-import")).id).toBe("of-the-option-import");
    });

    it("is looked up by its id, with every output that a class declares", async () => {
      const id =
        namesIn(declaration.path)
          .map((name) => `of-${name}`)
          .join("/") || "of-the-service";
      const found = await answered(type, {}, id);
      expect(found.id).toBe(id);
      const required = names.filter((name) => declaration.fields[name]!.presence === "required");
      for (const name of required) {
        const { shape, traits } = declaration.fields[name]!;
        // Which alternative is set, and what nothing returns, only its program knows.
        if (shape.kind === "object" || traits.secret || traits.writeOnly) continue;
        expect([name, found.state[name]]).not.toEqual([name, null]);
      }
      for (const name of namesIn(declaration.path)) expect(found.state[name]).toBe(`of-${name}`);
    });
  },
);

/** What is wrong with a value as one of the field; undefined where nothing is. */
function wrong(field: AnyField, value: unknown): string | undefined {
  const { shape } = field;
  switch (shape.kind) {
    case "string":
      return typeof value === "string" && value !== "" ? shape.format.check?.(value) : "is no text";
    case "number":
      return typeof value === "number" ? shape.check(value) : "is no number";
    case "boolean":
      return typeof value === "boolean" ? undefined : "is no boolean";
    case "list":
      if (!Array.isArray(value)) return "is no list";
      return value.map((item) => wrong(shape.item, item)).find((problem) => problem !== undefined);
    case "map":
      if (typeof value !== "object" || value === null) return "is no map";
      return Object.values(value)
        .map((item) => wrong(shape.value, item))
        .find((problem) => problem !== undefined);
    case "object": {
      if (typeof value !== "object" || value === null) return "is no object";
      const members = Object.entries(shape.fields).map(([name, member]) =>
        wrong(member, (value as Json)[name]),
      );
      return members.find((problem) => problem !== undefined);
    }
  }
}
