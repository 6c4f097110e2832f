/**
 * The generated pages and tables, and what they say of each argument: its default, as the specification states it, and what a
 * removal does.
 */
import { spawnSync } from "node:child_process";
import { declarationOf } from "../../src/resources/registry";
import { membersOf, valueAt } from "../../src/schema/unknown";
import { fieldAt } from "../../src/schema/walk";
import { snake, type Change, type Json, type Subject } from "../rounds/subject";
import { subjects } from "../rounds/table";
import { specification, type ManagedObject } from "../spec/specification";
import { root } from "./blocks";

interface Documented {
  readonly optional: boolean;
  /** The text after "Default:". */
  readonly fallback: string;
  /** The column "If removed". */
  readonly removed: string;
}

const { status, stdout, stderr } = spawnSync(
  process.execPath,
  ["scripts/docs.mjs", "--check", "--arguments"],
  { cwd: root, encoding: "utf8" },
);
const documented = JSON.parse(stdout) as Record<string, Record<string, Documented>>;

it("has every field described, and the generated pages and tables as they would be generated now", () => {
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

const snakePath = (path: string): string => path.split(".").map(snake).join(".");

/** The default as the page must word it; undefined where it is the package's own or there can be none. */
function statedDefault(object: ManagedObject, path: string): string | RegExp | undefined {
  const wire = snakePath(path);
  const { defaults = {}, defaultsInWords = {}, requiredToCreate = [], requiredUnlessOff = [] } = object;
  if (object.localArguments?.includes(path) || [...requiredToCreate, ...requiredUnlessOff].includes(wire))
    return undefined;
  if (wire in defaults) return literal(defaults[wire]);
  if (wire in defaultsInWords) return defaultsInWords[wire];
  // Conventions: both are optional, and what was never set is absent.
  return wire === "description" || wire === "metadata" ? "none" : "left to the service";
}

function literal(value: unknown): RegExp {
  const values = Array.isArray(value) ? value : value instanceof Object ? Object.keys(value) : [value];
  return new RegExp(values.map((each) => String(each).replace(/\W/g, "\\$&")).join(".*"));
}

describe.each(specification.map((object) => [object.class, object] as const))("%s", (type, object) => {
  const optional = Object.entries(documented[type]!).filter(([, each]) => each.optional);

  it("has the default that the specification states on its page, and no other", () => {
    const expected = optional.map(([path]) => [path, statedDefault(object, path)] as const);
    const wrong = expected.filter(([path, stated]) => {
      const { fallback } = documented[type]![path]!;
      if (stated === undefined) return false;
      return typeof stated === "string" ? fallback !== stated : !stated.test(fallback);
    });
    expect(wrong).toEqual([]);
  });

  it("declares a default where the specification states one, and nowhere else", () => {
    const isDeclared = ([path]: readonly [string, unknown]): boolean =>
      fieldAt(declarationOf(type).fields, path.split("."))!.traits.serverDefault?.known === true;
    const stated = Object.keys(object.defaults ?? {});
    expect(
      optional
        .filter(isDeclared)
        .map(([path]) => snakePath(path))
        .sort(),
    ).toEqual(stated.sort());
  });
});

/** Whether the change of the table, which the hooks and the engine are tested with, is what the page says. */
function isAsDocumented({ type }: Subject, path: string, { op, sends }: Change): boolean {
  const { removed } = documented[type]![path]!;
  const { whole } = declarationOf(type);
  if (removed === "see its members") return true;
  if (removed.startsWith("replaced"))
    return op === "replace" || (sends === null && removed.includes("default"));
  const sent = valueAt(sends ?? {}, snakePath(path));
  switch (removed) {
    case "nothing is sent":
      return sends === null;
    case "stays as it is":
      return op === "update" && (sends === null || sent === undefined);
    case "cleared":
      return op === "update" && (sent === "" || (sent instanceof Object && Object.keys(sent).length === 0));
    case "its default again":
      return op === "update" && (whole || sends === null || sent !== undefined || isInWhole(type, path));
    case "left to the service":
      return op === "update" && sent === undefined;
    case "switched off":
      return op === "update" && membersOf(sent).enabled === false;
    default:
      return false;
  }
}

/** Whether the argument is a member of an object that is sent whole. */
function isInWhole(type: string, path: string): boolean {
  const { shape } = declarationOf(type).fields[path.split(".")[0]!]!;
  return path.includes(".") && shape.kind === "object" && shape.whole;
}

it("says on every page what the removal of an argument does", () => {
  const removals = subjects.flatMap((subject) =>
    subject.changes.flatMap((change): [Subject, string, Change][] => {
      const [[path, value], ...more] = Object.entries(change.set) as [[string, unknown]];
      return value === undefined && more.length === 0 ? [[subject, path, change]] : [];
    }),
  );
  expect(removals.length).toBeGreaterThan(60);
  const wrong = removals.filter(([subject, path, change]) => !isAsDocumented(subject, path, change));
  expect(
    wrong.map(([{ type }, path, { op, sends }]): Json => {
      return { path: `${type}.${path}`, page: documented[type]![path]!.removed, op, sends };
    }),
  ).toEqual([]);
  const shown = Object.values(documented).flatMap((paths) => Object.values(paths));
  expect(shown.filter(({ optional, removed }) => optional && removed === "")).toEqual([]);
});
