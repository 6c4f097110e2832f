/**
 * A service may keep another form of what it is sent. Whatever member it changes, it gets the write that made the object
 * and none after it, or the write fails because the member decides who has access. Real drift is found all the same.
 */
import * as fc from "../../../support/fast-check";

import { wireName } from "../../../../src/schema/field";
import type { AnyField, Fields } from "../../../../src/schema/field";
import { isAccess } from "../../../../src/schema/meaning";
import type { Meaning } from "../../../../src/schema/meaning";
import { PartialFailure } from "../../../../src/provider/life-cycle/partial-failure";
import { declarations } from "../../../../src/resources/registry";
import { answerFor } from "../../../../src/testing/mocked-answer";
import { Life } from "../../../support/life";
import { argumentsOf, seed, type Json } from "./arbitraries";
import { plain } from "../../../support/in-process/values";

type Path = readonly (string | number)[];

/** The paths of all members of an answer that hold a text, a number, a boolean or a list. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return path.length > 0 ? [path] : [];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    pathsIn(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return Array.isArray(value) && path.length > 0 ? [path, ...inner] : inner;
}

/** What a service may make of a value; undefined where it makes nothing else of it. */
const normalised: Readonly<Record<string, (value: unknown) => unknown>> = {
  "other case": (value) =>
    typeof value !== "string"
      ? undefined
      : value === value.toLowerCase()
        ? value.toUpperCase()
        : value.toLowerCase(),
  shortened: (value) =>
    typeof value === "string" && value.length > 1
      ? value.slice(0, -1)
      : Array.isArray(value) && value.length > 0
        ? value.slice(0, -1)
        : undefined,
  sorted: (value) =>
    Array.isArray(value) && value.length > 1
      ? [...(value as unknown[])].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? 1 : -1))
      : undefined,
  "left out": () => null,
  "filled in": (value) => (value === "" || value === null ? "of the service" : undefined),
  "another number": (value) => (typeof value === "number" ? value + 1 : undefined),
};

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (held, key) => (held as Record<string | number, unknown> | undefined)?.[key],
    value,
  );
}

/** The answer with the member changed where it is what was sent. */
function changed(answer: Json, path: Path, from: unknown, to: unknown): Json {
  const copy = structuredClone(answer) as Record<string | number, unknown>;
  const holder = path.slice(0, -1).reduce<unknown>((held, key) => (held as Json | undefined)?.[key], copy);
  if (typeof holder !== "object" || holder === null) return copy;
  const last = path[path.length - 1]!;
  const members = holder as Record<string | number, unknown>;
  if (JSON.stringify(members[last]) === JSON.stringify(from)) members[last] = to;
  return copy;
}

/** Whether the member of an answer shows an argument that decides who has access. */
function decidesAccess(fields: Fields, path: Path, around?: Meaning): boolean {
  const shows = ([name, { traits }]: [string, AnyField]): boolean =>
    [traits.within, traits.ref, wireName(name, fields[name]!)].includes(String(path[0]));
  return Object.entries(fields)
    .filter(shows)
    .some(([, field]) => {
      if (field.traits.serviceMayChange) return false;
      const { shape, traits } = field;
      const meaning = traits.meaning ?? around;
      if (shape.kind !== "object" || path.length === 1) return isAccess(meaning);
      return decidesAccess(shape.fields, path.slice(1), meaning);
    });
}

const answered = declarations.filter(({ setOf, rotates }) => !setOf && !rotates);

describe.each(answered.map((declaration) => [declaration.type, declaration] as const))(
  "any member of any %s that the service normalises",
  (_type, declaration) => {
    const samples = fc.sample(argumentsOf(declaration), { seed, numRuns: 12 });
    const bySize = [...samples].sort((a, b) => Object.keys(b).length - Object.keys(a).length);

    it("costs no further write, and its drift is found", async () => {
      let accepted = 0;
      for (const given of [bySize[0]!, bySize.at(-1)!]) {
        const inputs = plain(
          (await new Life(declaration, () => ({})).cycle.check({}, given)) as { inputs: Json },
        ).inputs;
        const id = "id_1";
        const echoed = answerFor(declaration, id, "it", inputs);
        for (const path of pathsIn(echoed)) {
          for (const [how, change] of Object.entries(normalised)) {
            const from = at(echoed, path);
            const to = change(from);
            if (to === undefined || JSON.stringify(to) === JSON.stringify(from)) continue;
            const context = `${path.join(".")} ${how}`;
            const life = new Life(declaration, () => changed(echoed, path, from, to));
            let state: Json;
            try {
              state = await life.create(inputs);
            } catch (error) {
              expect([context, error]).toEqual([context, expect.any(PartialFailure)]);
              expect([context, decidesAccess(declaration.fields, path)]).toEqual([context, true]);
              continue;
            }
            expect([context, await life.diff(state, inputs)]).toEqual([context, "none"]);
            const read = await life.read(state);
            expect([context, read.inputs]).toEqual([context, undefined]);
            expect([context, await life.diff(read.state, inputs)]).toEqual([context, "none"]);
            if (state.__accepted === undefined) continue;
            accepted += 1;

            const drifted = typeof to === "string" ? "by hand" : typeof to === "number" ? to + 1 : undefined;
            if (drifted === undefined) continue;
            life.answer = () => changed(echoed, path, from, drifted);
            const found = await life.read(state);
            expect([context, await life.diff(found.state, inputs)]).not.toEqual([context, "none"]);
          }
        }
      }
      const isPlain = declaration.fields.description?.presence === "optional";
      if (isPlain) expect(accepted).toBeGreaterThan(0);
    });
  },
);
