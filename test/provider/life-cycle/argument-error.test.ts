import { atItsArgument } from "../../../src/provider/life-cycle/partial-failure";
import { ApiError } from "../../../src/provider/errors";
import { declarationOf } from "../../../src/resources/registry";
import type { Json } from "../../../src/schema/json";
import { argumentsFrom } from "../../../src/schema/values";

const { fields } = declarationOf("SshCredential");
const refusal = (message: string | undefined) =>
  new ApiError("creating the SSH credential", 403, undefined, message, undefined);
const shown = (message: string | undefined, args: Json) =>
  (atItsArgument(refusal(message), fields, argumentsFrom(args)) as Error).message;

test.each([
  ["owner_id may only be set by admins"],
  ["only admins may do this"],
  ["propriétaire non autorisé"],
  ["the plan of this account allows no more SSH credentials"],
  [undefined],
])("whatever a 403 says (%j), an ownerId of the program is named as a possible reason", (message) => {
  expect(shown(message, { ownerId: "bot_1" })).toMatch(
    /^ownerId may be the reason: only admins may set an owner other than themselves \(creating .* failed: 403/,
  );
  expect(shown(message, { ownerId: "bot_1" })).toContain(message ?? "no error message of the service");
  expect(shown(message, {})).not.toContain("ownerId");
});
