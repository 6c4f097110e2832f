import * as fc from "../../../support/fast-check";
import type { AnyField, Fields } from "../../../../src/schema/field";
import { fromWire, toWire } from "../../../../src/provider/life-cycle/wire";
import { declarations } from "../../../../src/resources/registry";
import { argumentsFrom } from "../../../../src/schema/values";
import { argumentsOf, seed, type Json } from "./arbitraries";
import { cases } from "../../../support/cases";

/** The answer to a body: ids come back as Refs, all else as it was sent. */
function answerTo(fields: Fields, body: Json): Json {
  const answer = { ...body };
  for (const [name, { traits, shape, presence }] of Object.entries(fields)) {
    const wire = traits.wire ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const value = body[wire];
    if (value === undefined || presence === "computed") continue;
    if (shape.kind === "object") answer[wire] = answerTo(shape.fields, value as Json);
    if (traits.ref === undefined) continue;
    const refTo = (id: unknown) => ({ id, uri: `https://api.example.com/${String(id)}` });
    if (wire !== traits.ref) delete answer[wire];
    answer[traits.ref] = Array.isArray(value) ? value.map(refTo) : refTo(value);
  }
  return answer;
}

/** What answers tell of arguments: not what stays here, and of what is optional nothing where it is "". */
function known(fields: Fields, args: Json): Json {
  const members = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    const field = fields[name]!;
    const { local, writeOnly, inPath } = field.traits;
    const shown = toldOf(field, value);
    const isNone = shown === undefined || field.traits.noneWhen?.(shown) === true;
    return local || writeOnly || inPath || isNone ? [] : [[name, shown]];
  });
  return Object.fromEntries(members);
}

function toldOf({ shape, presence }: AnyField, value: unknown): unknown {
  if (shape.kind === "map" && shape.value.shape.kind === "object") {
    const entries = Object.entries(value as Json).map(([key, item]) => [key, toldOfEntry(shape.value, item)]);
    return Object.fromEntries(entries);
  }
  if (shape.kind !== "object") return value === "" && presence === "optional" ? undefined : value;
  const members = known(shape.fields, value as Json);
  return shape.alternatives && Object.keys(members).length === 0 ? undefined : members;
}

/** An entry that may be written as one of its members is, where nothing else of it is set. */
function toldOfEntry(field: AnyField, item: unknown): unknown {
  const { shorthand } = field.shape as Extract<AnyField["shape"], { kind: "object" }>;
  if (shorthand === undefined) return toldOf(field, item);
  const members = toldOf(field, typeof item === "string" ? { [shorthand]: item } : item) as Json;
  return Object.keys(members).join() === shorthand ? members[shorthand] : members;
}

describe.each(declarations.map((declaration) => [declaration.type, declaration] as const))(
  "the wire form of any valid %s",
  (_type, declaration) => {
    const { fields } = declaration;
    const args = argumentsOf(declaration);
    const isArgument = (name: string) => fields[name]!.presence !== "computed";

    it("stands for it and nothing else, whatever the keys of its maps", () => {
      fc.assert(
        fc.property(args, (given) => {
          const sent = JSON.parse(
            JSON.stringify(answerTo(fields, toWire(fields, argumentsFrom(given)))),
          ) as Json;
          const back = Object.entries(fromWire(fields, sent)).filter(([name]) => isArgument(name));
          // A list that every answer holds is one, however empty.
          const kept = back.filter(([name, value]) => name in given || !Array.isArray(value));
          expect(Object.fromEntries(kept)).toEqual(known(fields, given));
        }),
        { seed, numRuns: cases(12, 120) },
      );
    });
  },
);
