/** The steps of a value are types alone: what this file states is checked by the compiler. */
import type { Json } from "../../../src/schema/json";
import type { Answer, Arguments, Body, Inputs, Outputs } from "../../../src/schema/values";

const send = (body: Body): Body => body;
const compare = (outputs: Outputs, args: Arguments): Json => ({ ...outputs, ...args });

describe("a value of one step", () => {
  const args: Arguments = { description: "office" };
  const outputs: Outputs = args as Json;
  const [inputs, answer]: [Inputs, Answer] = [{}, {}];

  it("is refused where another step is expected", () => {
    // @ts-expect-error Arguments are no body before they have the names of the wire.
    send(args);
    // @ts-expect-error The outputs come first.
    compare(args, outputs);
    // @ts-expect-error Inputs hold hidden names.
    compare(outputs, inputs);
    // @ts-expect-error An answer has the names of the wire.
    compare(answer, args);
    // @ts-expect-error A copy stays what it is.
    send({ ...args, description: "lab" });
    expect(compare(outputs, args)).toEqual(args);
  });

  it("may begin as any object", () => {
    const value: Json = { description: "office" };
    expect(send(value)).toBe(value);
  });
});
