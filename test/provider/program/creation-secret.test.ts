/**
 * A secret that only the answer to a creation holds, in the program. test/full/engine/missing-token.test.ts uses one that is
 * missing, which ends the process.
 */
import * as pulumi from "@pulumi/pulumi";
import { ApiKey, Provider, getApiKey } from "../../../src";
import { secretOf } from "../../support/in-process/values";

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, id, inputs }) => ({
      id: id === "" || id === undefined ? `${name}_id` : id,
      // The state of an imported key holds null.
      state: {
        ...(inputs as object),
        ownerId: "usr_1",
        token: secretOf(name === "created" ? "TOKEN-1" : null),
      },
    }),
    call: () => ({}),
  });
});

const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  (output as unknown as { promise(): Promise<T> }).promise();

it("is a string to the compiler, and fits where a string is needed", async () => {
  const key = new ApiKey("created");
  const token: pulumi.Output<string> = key.token;
  const robot = new Provider("robot", { apiKey: key.token, baseUrl: "https://api.example.com" });
  expect(await valueOf(token)).toBe("TOKEN-1");
  expect(await valueOf(token.length)).toBe(7);
  expect(await valueOf(pulumi.interpolate`Bearer ${token}`)).toBe("Bearer TOKEN-1");
  expect(await pulumi.isSecret(token)).toBe(true);
  expect(await pulumi.isSecret(pulumi.interpolate`Bearer ${token}`)).toBe(true);
  expect(await valueOf(robot.urn)).toContain("robot");
  // What is read never holds it.
  const read = async (): Promise<undefined> => (await getApiKey("ak_1")).token;
  expect(read).toEqual(expect.any(Function));
});

it("disturbs no program that does not use it where it is missing", async () => {
  const key = new ApiKey("imported", { description: "by hand" });
  const held = { key, token: key.token };
  expect(pulumi.Output.isInstance(held.token)).toBe(true);
  expect(await pulumi.isSecret(held.token)).toBe(true);
  expect(await valueOf(key.ownerId)).toBe("usr_1");
  expect(await valueOf(key.description)).toBe("by hand");
  expect(await valueOf(pulumi.output(key).id)).toBe("imported_id");
  // A rejection that nothing handles would end this process.
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
});
