/** The steps of a value are types alone: what this file states is checked by the compiler. */
import { withMaps } from "../../../src/schema/listed";
import { withoutEndedEntries, withoutEndTimes } from "../../../src/schema/entry-ends";
import type { Json } from "../../../src/schema/json";
import { withLocal } from "../../../src/schema/local";
import {
  argumentsIn,
  outputsForEngine,
  recordedState,
  withoutHidden,
} from "../../../src/schema/recorded-state";
import { argumentsFrom, bodyFrom, outputsFrom } from "../../../src/schema/values";
import type { Answer, Arguments, Inputs, Outputs, StoredOutputs } from "../../../src/schema/values";
import { asSent } from "../../../src/provider/life-cycle/accepted";
import { withUnanswered } from "../../../src/provider/life-cycle/answers";
import { withoutEmptyDefaults } from "../../../src/provider/life-cycle/arguments";
import type { LifeCycle } from "../../../src/provider/life-cycle/life-cycle";
import type { ObjectClient } from "../../../src/provider/life-cycle/object-client";
import type { Call } from "../../../src/provider/http/path";
import { fromWire, toWire } from "../../../src/provider/life-cycle/wire";
import { thing } from "../life-cycle/made-up";

const { fields } = thing;
const json: Json = { description: "office" };
const [inputs, stored, answer]: [Inputs, StoredOutputs, Answer] = [json, json, json];
const [args, outputs, body] = [argumentsFrom(json), outputsFrom(json), bodyFrom(json)];
const send = (sent: Call["body"]) => sent;

describe("a value of one step", () => {
  it("is refused where arguments are expected", () => {
    const wrong = [
      // @ts-expect-error Any object may hold hidden names, or those of the wire.
      () => toWire(fields, json),
      // @ts-expect-error Inputs hold hidden names.
      () => toWire(fields, inputs),
      // @ts-expect-error Outputs hold what the program does not give.
      () => toWire(fields, outputs),
      // @ts-expect-error An answer has the names of the wire.
      () => toWire(fields, answer),
      // @ts-expect-error A body has the names of the wire.
      (client: ObjectClient) => client.create(body),
      // @ts-expect-error What the engine stores of an object holds hidden names.
      (client: ObjectClient) => client.create(stored),
    ];
    expect(wrong).toHaveLength(6);
  });

  it("is refused where the body of a request is expected", () => {
    const wrong = [
      // @ts-expect-error Any object may have the names of the fields.
      () => send(json),
      // @ts-expect-error Arguments are no body before they have the names of the wire.
      () => send(args),
      // @ts-expect-error A copy stays what it is.
      () => send({ ...args, description: "lab" }),
      // @ts-expect-error Outputs are never sent.
      () => send(outputs),
      // @ts-expect-error An answer is what the service says.
      () => send(answer),
    ];
    expect(wrong).toHaveLength(5);
  });

  it("is refused where outputs are expected", () => {
    const wrong = [
      // @ts-expect-error Any object may have the names of the wire.
      () => outputsForEngine(thing, json),
      // @ts-expect-error Arguments lack what only answers hold.
      () => outputsForEngine(thing, args),
      // @ts-expect-error An answer has the names of the wire.
      () => outputsForEngine(thing, answer),
      // @ts-expect-error What the engine stores of an object holds hidden names.
      () => outputsForEngine(thing, stored),
      // @ts-expect-error Only arguments and outputs have the names of the fields.
      () => fromWire(fields, answer, answer),
      // @ts-expect-error What is known of an object has the names of the fields too.
      () => withUnanswered(fields, outputs, answer),
    ];
    expect(wrong).toHaveLength(6);
  });

  it("is refused where values from outside are expected", () => {
    const wrong = [
      // @ts-expect-error A body is what the service is asked, and no answer.
      () => fromWire(fields, body),
      // @ts-expect-error Arguments are inputs without the hidden names.
      () => argumentsIn(args),
      // @ts-expect-error The engine stores outputs with hidden names.
      () => recordedState(outputs),
      // @ts-expect-error Inputs hold what the program gives.
      () => recordedState(inputs),
      // @ts-expect-error What the engine stores of the object comes before the inputs.
      (cycle: LifeCycle) => cycle.update("id", inputs, stored),
      // @ts-expect-error The life cycle itself reads the arguments among the inputs.
      (cycle: LifeCycle) => cycle.create(args),
    ];
    expect(wrong).toHaveLength(6);
  });

  it("from outside may begin as any object", () => {
    expect(argumentsIn(json)).toEqual(json);
    expect(recordedState(json).outputs).toEqual(json);
    expect(fromWire(fields, json)).toEqual(json);
  });

  it("stays of its step where a function changes its members", () => {
    const listed: Arguments = withoutEmptyDefaults(fields, withMaps(fields, args));
    const given: Arguments = withLocal(
      fields,
      withoutEndTimes(fields, withoutEndedEntries(fields, listed, 0)),
      {},
    );
    const shown: Outputs = withUnanswered(
      fields,
      asSent(withoutHidden(outputs), []),
      given,
      {},
      { keeps: () => false, keptPaths: [] },
    );
    // @ts-expect-error A function that changes members makes no other step of them.
    const other: Outputs = withMaps(fields, args);
    expect([given, shown, other]).toEqual([json, json, json]);
  });
});
