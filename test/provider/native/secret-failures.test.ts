/**
 * Writes that fail in part: the engine records what they left, in which what the program marked as secret stays a secret. The
 * provider itself does not know these secrets by their fields.
 */
import { DiffResponse } from "@pulumi/pulumi/proto/provider_pb";
import { nativeForTests, recordedIn } from "../../support/native-client";
import { emulatorForTests } from "../../support/emulators";
import { failureOf } from "../../support/failure";
import { secretOf } from "../../support/in-process/values";

const { DiffChanges } = DiffResponse;

const emulator = emulatorForTests();
const native = nativeForTests();

const hidden = ["hidden-office", "hidden-guests", "hidden-vpn"] as const;
const entry = (description: string): object => ({ action: "allow", description: secretOf(description) });
const first = { "203.0.113.0/24": entry(hidden[0]) };
const more = { "198.51.100.0/24": entry(hidden[1]), "192.0.2.0/24": entry(hidden[2]) };

const configure = (more: object = {}): Promise<unknown> =>
  native.configure({ apiKey: secretOf(emulator.apiKey), baseUrl: emulator.baseUrl, ...more });

beforeEach(() => configure());

/** Refuses the second rule that is created from now on. */
function refuseSecond(): void {
  const rule = { kind: "status", status: 400, method: "POST", path: "/ip_policy_rules", times: 1 } as const;
  emulator.setFaults({ rules: [{ ...rule, after: 1 }] });
}

async function inputsOf(rules: object): Promise<Record<string, unknown>> {
  const policy = await native.create("IpPolicy", {});
  const { inputs, failures } = await native.check("IpPolicyRuleSet", { ipPolicyId: policy.id, rules });
  expect(failures).toEqual([]);
  return inputs;
}

/** What the engine would write into the state in plaintext. */
function plaintextIn(error: unknown): string {
  const recorded = recordedIn(error);
  expect(recorded?.id).toMatch(/^ipp_/);
  return JSON.stringify(recorded!.properties, (_, part: unknown) =>
    typeof part === "object" && part !== null && "4dabf18193072939515e22adb298388d" in part
      ? "[secret]"
      : part,
  );
}

it("marks the secrets of a creation that fails in part", async () => {
  const inputs = await inputsOf({ ...first, ...more });
  refuseSecond();
  const text = plaintextIn(await failureOf(native.create("IpPolicyRuleSet", inputs)));
  for (const each of hidden) expect(text).not.toContain(each);
});

it("marks the secrets of an update that fails in part, old ones and new ones", async () => {
  const inputs = await inputsOf(first);
  const made = await native.create("IpPolicyRuleSet", inputs);
  refuseSecond();
  const news = { ...inputs, rules: { ...(inputs.rules as object), ...more } };
  const text = plaintextIn(await failureOf(native.update("IpPolicyRuleSet", made, news)));
  for (const each of hidden) expect(text).not.toContain(each);
});

it("marks the secrets of an entry that the program has taken out and the service keeps", async () => {
  const made = await native.create("IpPolicyRuleSet", await inputsOf(first));
  emulator.setFaults({
    rules: [{ kind: "status", status: 400, method: "DELETE", path: "/ip_policy_rules" }],
  });
  const news = { ...made.inputs, rules: more };
  const text = plaintextIn(await failureOf(native.update("IpPolicyRuleSet", made, news)));
  expect(text).toContain("203.0.113.0/24");
  for (const each of hidden) expect(text).not.toContain(each);
});

it("knows the secrets of a state again, so that a deletion finds all that they name", async () => {
  const policy = await native.create("IpPolicy", {});
  const args = { ipPolicyId: secretOf(policy.id), rules: secretOf({ "203.0.113.0/24": "allow" }) };
  const { inputs } = await native.check("IpPolicyRuleSet", args);
  const made = await native.create("IpPolicyRuleSet", inputs);
  expect(made.outputs).toMatchObject(args);
  expect((await native.diff("IpPolicyRuleSet", made, inputs)).getChanges()).toBe(DiffChanges.DIFF_NONE);
  const found = await native.read("IpPolicyRuleSet", made.id, made.outputs, inputs);
  expect(found).toEqual(made);
  // The process of a destroy knows nothing that the program declares. Connections are shared by their settings.
  await configure({ requestTimeout: "59" });
  await native.delete("IpPolicyRuleSet", found);
  expect(emulator.snapshot().ip_policy_rules).toEqual([]);
});
