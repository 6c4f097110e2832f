/** What Pulumi records of an object that exists though making it did not end well. */
import type { Declaration } from "../../../src/schema/declaration";
import { text } from "../../../src/schema/kinds";
import type { Json } from "../../../src/schema/json";
import { GatewayError, IncompleteError } from "../../../src/provider/errors";
import type { LifeCycle } from "../../../src/provider/life-cycle/life-cycle";
import { PartialFailure } from "../../../src/provider/life-cycle/partial-failure";
import { thing } from "./made-up";
import { Life } from "../../support/life";
import { secretOf } from "../../support/in-process/values";
import { failureOf } from "../../support/failure";

const key: Declaration = { ...thing, fields: { ...thing.fields, token: text().secret().computed() } };

/** The life cycle whose requests fail so. */
function failingWith(error: Error): LifeCycle {
  return new Life(key, () => {
    throw error;
  }).cycle;
}

describe("a create whose answer is of no use", () => {
  const inputs = {
    description: "d",
    hint: 5,
    csr: "request",
    __provider: "shim",
    __secretsInPlaintext: ["password"],
  };
  const failing = (answer: Json) => {
    const life = new Life(key, () => answer);
    life.problem = new GatewayError("the answer is wrong");
    return failureOf(life.cycle.create(inputs));
  };

  it("records the arguments that are outputs and the secrets of the creation, marked", async () => {
    const failure = (await failing({ token: "t", description: "theirs" })) as PartialFailure;
    expect(failure).toBeInstanceOf(PartialFailure);
    expect(failure.id).toBe("id_1");
    expect(failure.message).toBe(
      "the answer is wrong. The object id_1 exists and is recorded; the next pulumi up repairs it",
    );
    expect(failure.properties).toStrictEqual({
      __account: expect.any(String) as string,
      description: "d",
      csr: "request",
      token: secretOf("t"),
      __args: ["description", "csr"],
      __local: secretOf({ hint: 5 }),
      __partial: true,
      __provider: "shim",
    });
  });

  it.each([{ token: 5 }, { token: null }, {}])("records no token of the answer %j", async (answer) => {
    expect(((await failing(answer)) as PartialFailure).properties).not.toHaveProperty("token");
  });
});

describe("a write that leaves an object incomplete", () => {
  const incomplete = new IncompleteError("one part failed", "th_1", { description: "theirs" });
  const inputs = { description: "mine", csr: "request", __provider: "shim" };

  it.each([
    ["create", () => failingWith(incomplete).create(inputs)],
    ["update", () => failingWith(incomplete).update("th_1", { __args: [] }, inputs)],
  ])("in %s records the object as it is now", async (_hook, call) => {
    const failure = await failureOf<PartialFailure>(call());
    expect(failure).toBeInstanceOf(PartialFailure);
    expect(failure.id).toBe("th_1");
    expect(failure.message).toContain("one part failed");
    expect(failure.properties).toMatchObject({
      description: "theirs",
      csr: "request",
      __args: ["description", "csr"],
      __unlike: true,
      __provider: "shim",
    });
  });

  it("has no mark where the object is as its arguments say", async () => {
    const done = new IncompleteError("one part failed", "th_1", { description: "mine" });
    const failure = await failureOf(failingWith(done).create(inputs));
    expect((failure as PartialFailure).properties).not.toHaveProperty("__unlike");
  });

  it("that failed for another reason is that failure", async () => {
    const refused = new GatewayError("refused");
    const cycle = failingWith(refused);
    expect(await failureOf(cycle.create(inputs))).toBe(refused);
    expect(await failureOf(cycle.update("th_1", { __args: [] }, inputs))).toBe(refused);
  });
});
