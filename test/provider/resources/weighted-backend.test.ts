import * as pulumi from "@pulumi/pulumi";
import { unknown } from "../../../src/schema/unknown";
import { problems } from "../../support/life";
import { changes, created, stateOf, updated } from "./mapping";
import { declarationOf } from "../../../src/resources/registry";

const weightedBackend = declarationOf("WeightedBackend");

test("weights are whole numbers from 0 to 10000 of backends that hold no others", () => {
  const backends = {
    bkdtg_1: 0,
    bkdhr_1: 10000,
    bkdtg_2: 10001,
    bkdhr_2: 0.5,
    bkdwd_1: 1,
    bkdfo_1: 1,
    ipp_1: 1,
  };
  expect(problems(weightedBackend, { backends })).toEqual([
    expect.stringMatching(/^backends\["bkdtg_2"\]: must be a whole number from 0 to 10000/),
    expect.stringMatching(/^backends\["bkdhr_2"\]: must be a whole number/),
    'backends["bkdwd_1"]: its key must be an id that starts with bkdtg_ or bkdhr_; "bkdwd_1" is the id of a weighted backend',
    'backends["bkdfo_1"]: its key must be an id that starts with bkdtg_ or bkdhr_; "bkdfo_1" is the id of a failover backend',
    expect.stringMatching(/^backends\["ipp_1"\]: its key must be an id that starts with bkdtg_ or bkdhr_/),
  ]);
});

test("an Output as a key is recognised, and the error shows how to write it", () => {
  // Plain JavaScript allows it, and TypeScript too under a cast.
  const id = pulumi.output("bkdtg_1") as unknown as string;
  const [problem, ...rest] = problems(weightedBackend, { backends: { [id]: 5 } });
  expect(problem).toMatch(/^backends: has an Output as a key/);
  expect(problem).toMatch(/pulumi\.all\(\[first\.id, second\.id\]\)\.apply\(/);
  expect(rest).toEqual([]);
});

test("a map that is not known yet is not checked, and shows as an update", async () => {
  expect(problems(weightedBackend, { backends: unknown })).toEqual([]);
  const state = await stateOf(weightedBackend, { backends: { bkdtg_1: 1 } }, { backends: { bkdtg_1: 1 } });
  expect(await changes(weightedBackend, state, { backends: unknown })).toEqual(["backends"]);
});

test("a weight of 0 is sent, and the whole map goes with a change", async () => {
  const args = { backends: { bkdtg_1: 0, bkdtg_2: 5 } };
  expect(await created(weightedBackend, args)).toEqual(args);
  const state = await stateOf(weightedBackend, args, args);
  const next = { backends: { bkdtg_1: 1, bkdtg_2: 5 } };
  expect(await updated(weightedBackend, state, next)).toEqual(next);
});
