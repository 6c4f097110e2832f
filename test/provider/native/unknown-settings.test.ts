/** Programs that load the native classes: who warns of an unknown key, the program or the provider that gets it too. */
import * as dynamic from "../../../src";
import * as native from "../../../src/native";
import { failureOf } from "../../support/failure";
import { warnedIn } from "../../support/warned";

const config = { "tunnel-gateway:keepAcess": "the value" };
const listed = () => failureOf(native.listIpPolicies().toArray());

it.each([
  ["a resource", () => new native.IpPolicy("office")],
  [
    "a resource, then a dynamic one and a function",
    () => {
      new native.IpPolicy("office");
      new dynamic.IpPolicy("vpn");
      return listed();
    },
  ],
])("leaves the warning about an unknown key to the native provider: %s", async (_, program) => {
  expect(await warnedIn(program, config)).toEqual([]);
});

it.each([
  ["dynamic resources", () => new dynamic.IpPolicy("office")],
  ["functions", listed],
])(
  "warns of it in a run without a native resource, which no native provider sees: %s",
  async (_, program) => {
    await warnedIn(() => new native.IpPolicy("office"), config); // An earlier run of the process decides nothing.
    expect(await warnedIn(program, config)).toEqual([
      expect.stringMatching(/^tunnel-gateway:keepAcess is not/),
    ]);
  },
);
