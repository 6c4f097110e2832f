/** Programs that use the native classes: their provider warns of unknown keys, so that nothing is said twice. */
import * as native from "../../../src/native-door";
import { failureOf } from "../../support/failure";
import { warnedIn } from "../../support/warned";

it.each([
  ["a resource", () => new native.IpPolicy("office")],
  ["a function", () => failureOf(native.listIpPolicies().toArray())],
  ["an explicit provider", () => new native.Provider("partner", { keepAcess: "the value" } as object)],
])("leaves the warning about an unknown key to the provider: %s", async (_, program) => {
  expect(await warnedIn(program, { "tunnel-gateway:keepAcess": "the value" })).toEqual([]);
});
