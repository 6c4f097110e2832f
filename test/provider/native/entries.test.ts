/** The rules of a set as a list, in languages whose types know no union of a map and a list. */
import { unknown } from "../../../src/schema/unknown";
import { emulatorForTests } from "../../support/emulators";
import { nativeForTests } from "../../support/native-client";
import { secretOf } from "../../support/in-process/values";

const emulator = emulatorForTests();
const native = nativeForTests();

const type = "IpPolicyRuleSet";
const entries = [
  { cidr: "203.0.113.0/24", action: "allow" },
  { cidr: "198.51.100.7/32", action: "deny", description: "guest" },
];
const rules = { "203.0.113.0/24": "allow", "198.51.100.7/32": { action: "deny", description: "guest" } };

beforeEach(async () => {
  await native.configure({ apiKey: secretOf(emulator.apiKey), baseUrl: emulator.baseUrl });
  await emulator.seed({ ip_policies: [{ id: "ipp_one" }] });
});

it("are the same rules as those of a map, so that a change of the form is no change", async () => {
  const { inputs, failures } = await native.check(type, { ipPolicyId: "ipp_one", entries });
  expect(failures).toEqual([]);
  expect(inputs).toEqual({ ipPolicyId: "ipp_one", rules });
  const made = await native.create(type, inputs);
  expect(made.outputs).toMatchObject({ rules });
  expect(emulator.snapshot().ip_policy_rules).toHaveLength(2);
  const asMap = await native.check(type, { ipPolicyId: "ipp_one", rules }, inputs);
  expect(asMap.inputs).toEqual(inputs);
});

it("stay secret, and may be unknown", async () => {
  const secret = [{ cidr: secretOf("203.0.113.0/24"), action: "allow" }];
  const { inputs } = await native.check(type, { ipPolicyId: "ipp_one", entries: secret });
  expect(inputs.rules).toEqual(secretOf({ "203.0.113.0/24": "allow" }));
  const later = await native.check(type, { ipPolicyId: "ipp_one", entries: unknown });
  expect(later).toEqual({ inputs: { ipPolicyId: "ipp_one", rules: unknown }, failures: [] });
});

it("are an error beside a map, and where an entry is wrong or there are no rules", async () => {
  const failuresOf = async (args: object) =>
    (await native.check(type, { ipPolicyId: "ipp_one", ...args })).failures;
  expect(await failuresOf({ entries, rules })).toEqual([
    "entries: the program gives rules, too; give one of the two",
  ]);
  expect(await failuresOf({ entries: [{ cidr: "wrong", action: "allow" }] })).toEqual([
    expect.stringMatching(/^rules.*cidr/),
  ]);
  expect(await failuresOf({})).toEqual([expect.stringMatching(/^rules/)]);
  expect(await failuresOf({ entries: null, rules })).toEqual([]);
});
