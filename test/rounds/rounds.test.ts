/**
 * Every class with every argument, through the hooks as Pulumi's engine calls them. test/engine/rounds takes the first
 * round of the same table through the real engine.
 */
import type * as timing from "../../src/provider/http/timing";
import { declarations } from "../../src/resources/registry";
import type * as hasty from "../support/hasty";
import { changing, classes, everyArgument, leaving, secretValues } from "./coverage";
import { unchangeable, unremovable } from "./exceptions";
import { differences, doors } from "./doors";
import { testRounds } from "./every-class";
import { subjects } from "./table";

// A 404 may be lag for a minute after the creation, so time passes by pauses alone.
jest.mock("../../src/provider/http/timing", () => {
  const { realTiming } = jest.requireActual<typeof timing>("../../src/provider/http/timing");
  return { realTiming: jest.requireActual<typeof hasty>("../support/hasty").withoutPauses(realTiming) };
});

describe("the table of all changes", () => {
  it("holds every class but rule sets, which test/full/engine/rule-set.test.ts changes, and rotating keys (test/provider/faults/rotation.test.ts)", () => {
    const names = classes.map(({ type }) => type);
    expect([...new Set(subjects.map(({ type }) => type))].sort()).toEqual([...names].sort());
    const others = declarations.filter((declaration) => !classes.includes(declaration));
    expect(others.map(({ type }) => type)).toEqual(["RotatingApiKey", "IpPolicyRuleSet"]);
  });

  it("changes every argument, in place where an update takes it and by a replacement where none does", () => {
    const [inPlace, byReplacement] = [changing(subjects, "update"), changing(subjects, "replace")];
    const missing = everyArgument
      .filter(({ name, replaces }) => !(replaces ? byReplacement : inPlace).has(name))
      .map(({ name }) => name);
    expect(missing.filter((name) => !(name in unchangeable))).toEqual([]);
    expect(Object.keys(unchangeable).filter((name) => !missing.includes(name))).toEqual([]);
  });

  it("takes every optional argument out of the program", () => {
    const left = leaving(subjects);
    const missing = everyArgument
      .filter(({ name, optional }) => optional && !left.has(name))
      .map(({ name }) => name);
    expect(missing.filter((name) => !(name in unremovable))).toEqual([]);
    expect(Object.keys(unremovable).filter((name) => !missing.includes(name))).toEqual([]);
  });

  it("gives every secret a value that no other has", () => {
    const secrets = [...secretValues(subjects)];
    expect(secrets.filter(([, values]) => values.size === 0).map(([name]) => name)).toEqual([]);
    expect(secrets.length).toBeGreaterThan(15);
  });
});

describe("all rounds of the table by both doors", () => {
  const [dynamic, native] = doors.map(testRounds) as [
    ReturnType<typeof testRounds>,
    ReturnType<typeof testRounds>,
  ];

  it("are the same requests, accounts, outputs and verdicts", () => {
    expect(dynamic.length).toBeGreaterThan(40);
    expect(native.map(({ operation }) => operation)).toEqual(dynamic.map(({ operation }) => operation));
    expect(differences(dynamic, native)).toEqual([]);
  });
});
