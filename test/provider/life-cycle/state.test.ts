import { withoutAbsent } from "../../../src/schema/recorded-state";

describe("values without absent members", () => {
  it("have no undefined and no null members at any depth, and keep false, 0, empty texts and lists", () => {
    const values = {
      a: undefined,
      b: null,
      c: { d: null, e: { f: undefined }, g: 0 },
      h: [null, "x"],
      i: false,
      j: "",
    };
    expect(withoutAbsent(values)).toStrictEqual({ c: { e: {}, g: 0 }, h: [null, "x"], i: false, j: "" });
  });

  it("leave the given values as they are", () => {
    const values = Object.freeze({ a: null, b: Object.freeze({ c: null, d: 1 }) });
    expect(withoutAbsent(values)).toStrictEqual({ b: { d: 1 } });
    expect(values).toStrictEqual({ a: null, b: { c: null, d: 1 } });
  });

  it("are not copied where nothing is absent", () => {
    const values = { a: { b: 1 }, c: undefined };
    expect(withoutAbsent(values).a).toBe(values.a);
  });
});
