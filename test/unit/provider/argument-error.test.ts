import { atItsArgument } from "../../../src/provider/life-cycle/partial-failure";
import { ApiError } from "../../../src/provider/errors";
import { declarationOf } from "../../../src/resources/registry";

const { fields } = declarationOf("SshCredential");
const refusal = (message: string | undefined) =>
  new ApiError("creating the SSH credential", 403, undefined, message, undefined);
const shown = (message: string | undefined, args: object) =>
  (atItsArgument(refusal(message), fields, args as Record<string, unknown>) as Error).message;

test.each([["owner_id may only be set by admins"], ["only admins may do this"], ["forbidden"], [undefined]])(
  "a 403 that says %j is shown at ownerId, where the program gives one",
  (message) => {
    expect(shown(message, { ownerId: "bot_1" })).toMatch(/^ownerId: only admins may set an owner/);
    expect(shown(message, {})).not.toContain("ownerId");
  },
);

test.each([
  ["the plan of this account allows no more SSH credentials"],
  ["this key may not create SSH credentials"],
  ["not the service's own error: <html>blocked by the firewall</html>"],
])("a 403 that speaks of something else is not: %s", (message) => {
  expect(shown(message, { ownerId: "bot_1" })).not.toContain("ownerId");
});
