import { oncePerText } from "../../../src/schema/once-per";

it("computes the result of a text once, and forgets results where texts are many", () => {
  const computed: string[] = [];
  const lengthOf = oncePerText((text) => (computed.push(text), text === "" ? undefined : text.length));
  expect(["a", "", "a", ""].map(lengthOf)).toEqual([1, undefined, 1, undefined]);
  expect(computed).toEqual(["a", ""]);
  for (let i = 0; i < 1000; i += 1) lengthOf(`text ${i}`);
  expect(lengthOf("a")).toBe(1);
  expect(computed.filter((text) => text === "a")).toHaveLength(2);
});
