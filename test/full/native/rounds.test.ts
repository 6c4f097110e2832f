/** All rounds of the table by both doors: the same requests, accounts, outputs and verdicts. */
import { differences, doors } from "../../rounds/doors";
import { testRounds } from "../../rounds/every-class";

const [dynamic, native] = doors.map(testRounds) as [
  ReturnType<typeof testRounds>,
  ReturnType<typeof testRounds>,
];

it("both doors do the same", () => {
  expect(dynamic.length).toBeGreaterThan(40);
  expect(native.map(({ operation }) => operation)).toEqual(dynamic.map(({ operation }) => operation));
  expect(differences(dynamic, native)).toEqual([]);
});
