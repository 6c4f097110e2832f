import { ApiError } from "../../../src/provider/errors";
import { Life } from "../../support/life";
import { declarationOf } from "../../../src/resources/registry";

const apiKey = declarationOf("ApiKey");

function refusing(status: number): Life {
  return new Life(apiKey, () => {
    throw new ApiError("creating the API key", status, "ERR_ADMIN", "not allowed", undefined);
  });
}

test("a refusal with an owner names ownerId as a possible reason, in the specification's words", async () => {
  await expect(refusing(403).create({ ownerId: "usr_2" })).rejects.toThrow(
    "ownerId may be the reason: only admins may set an owner other than themselves (creating the API key failed: 403 ERR_ADMIN: not allowed)",
  );
});

test("a refusal that cannot be about the owner stays as it is", async () => {
  const asItIs = /^creating the API key failed: /;
  await expect(refusing(403).create({ description: "pipeline" })).rejects.toThrow(asItIs);
  await expect(refusing(409).create({ ownerId: "usr_2" })).rejects.toThrow(asItIs);
});
