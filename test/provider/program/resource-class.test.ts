import * as pulumi from "@pulumi/pulumi";
import { IpPolicy } from "../../../src";

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({
      id: `${name}-id`,
      state: { ...(inputs as object), metadata: null },
    }),
    call: () => ({}),
  });
});

/** The stacks that Pulumi notes while a resource is made: of each, how many lines. */
function stacksNoted(make: () => void): number[] {
  const holder: { prepareStackTrace?: unknown } = Error;
  const { prepareStackTrace } = holder;
  const lengths: number[] = [];
  Error.prepareStackTrace = (error, frames) => {
    lengths.push(frames.length);
    return [String(error), ...frames.map((frame) => `    at ${String(frame as unknown)}`)].join("\n");
  };
  try {
    make();
  } finally {
    holder.prepareStackTrace = prepareStackTrace;
  }
  return lengths;
}

test("of the stacks of a resource's many promises none is written, only the one that holds the program's line", () => {
  const lengths = stacksNoted(() => new IpPolicy("quick", { description: "office" }));
  expect(lengths.length).toBeGreaterThan(20);
  expect(lengths.filter((length) => length > 0).length).toBeLessThanOrEqual(3);
});

test("an error of Pulumi's own constructor keeps its stack, and the next error has as long a one as before", () => {
  const limit = Error.stackTraceLimit;
  const make = (): unknown => new IpPolicy("", {});
  expect(make).toThrow("Missing resource name");
  let stack: string | undefined;
  try {
    make();
  } catch (error) {
    stack = (error as Error).stack;
  }
  expect(stack).toContain("resource-class.test.ts");
  expect(Error.stackTraceLimit).toBe(limit);
});

test("an optional output is made once, when the program reads it, and shows undefined instead of null", async () => {
  const policy = new IpPolicy("nulls", { description: "office" });
  const first = policy.metadata;
  expect(policy.metadata).toBe(first);
  expect(Object.keys(policy)).toContain("metadata");
  expect(await new Promise((resolve) => first.apply(resolve))).toBeUndefined();
});
