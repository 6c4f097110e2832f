/**
 * What the engine records of writes, also of those that fail in part: what the program marked as secret stays a secret. The
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
/** The last one is the end of each entry. */
const end = "2099-01-02T03:04:05Z";
const entry = (description: string): object => ({
  ...{ action: "allow", description: secretOf(description), until: secretOf(end) },
});
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

/** What the engine would write into the state in plaintext. */
function inPlaintext(properties: unknown): string {
  return JSON.stringify(properties, (_, part: unknown) =>
    typeof part === "object" && part !== null && "4dabf18193072939515e22adb298388d" in part
      ? "[secret]"
      : part,
  );
}

/** The secrets in it. */
function plaintextIn(properties: unknown): string[] {
  const text = inPlaintext(properties);
  return [...hidden, end].filter((each) => text.includes(each));
}

function plaintextOfFailure(error: unknown): string[] {
  const recorded = recordedIn(error);
  expect(recorded?.id).toMatch(/^ipp_/);
  return plaintextIn(recorded!.properties);
}

describe.each([
  ["a set", {}],
  ["a summarized set", { summarize: true }],
])("%s", (_, form) => {
  async function inputsOf(rules: object): Promise<Record<string, unknown>> {
    const policy = await native.create("IpPolicy", {});
    const args = { ipPolicyId: policy.id, rules, ...form };
    const { inputs, failures } = await native.check("IpPolicyRuleSet", args);
    expect(failures).toEqual([]);
    return inputs;
  }

  it("keeps its secrets in what a creation, an update and a refresh record", async () => {
    const inputs = await inputsOf(first);
    const made = await native.create("IpPolicyRuleSet", inputs);
    const news = { ...inputs, rules: { ...(inputs.rules as object), ...more } };
    const changed = await native.update("IpPolicyRuleSet", made, news);
    const found = await native.read("IpPolicyRuleSet", made.id, changed.outputs, news);
    const recorded = [made, changed, found].map(({ outputs }) => plaintextIn(outputs));
    expect(recorded).toEqual([[], [], []]);
  });

  it("keeps its secrets in what a creation that fails in part records", async () => {
    const inputs = await inputsOf({ ...first, ...more });
    refuseSecond();
    const failure = await failureOf(native.create("IpPolicyRuleSet", inputs));
    expect(plaintextOfFailure(failure)).toEqual([]);
  });

  it("keeps its secrets, old ones and new ones, in what an update that fails in part records", async () => {
    const inputs = await inputsOf(first);
    const made = await native.create("IpPolicyRuleSet", inputs);
    refuseSecond();
    const news = { ...inputs, rules: { ...(inputs.rules as object), ...more } };
    const failure = await failureOf(native.update("IpPolicyRuleSet", made, news));
    expect(plaintextOfFailure(failure)).toEqual([]);
  });

  it("keeps the secrets of an entry that the program has taken out and the service keeps", async () => {
    const made = await native.create("IpPolicyRuleSet", await inputsOf(first));
    emulator.setFaults({
      rules: [{ kind: "status", status: 400, method: "DELETE", path: "/ip_policy_rules" }],
    });
    const news = { ...made.inputs, rules: more };
    const failure = await failureOf(native.update("IpPolicyRuleSet", made, news));
    expect(JSON.stringify(recordedIn(failure)!.properties)).toContain("203.0.113.0/24");
    expect(plaintextOfFailure(failure)).toEqual([]);
  });
});

it("keeps what the program marked out of the errors of a check and of a write", async () => {
  const rule = { cidr: secretOf("hidden-range"), ipPolicyId: "ipp_1", action: "allow" };
  const { failures } = await native.check("IpPolicyRule", rule);
  expect(failures).toEqual([expect.stringContaining('"[secret]" does not begin with')]);
  const body = { msg: `cannot take ${hidden[0]}` };
  emulator.setFaults({ rules: [{ kind: "status", status: 400, method: "POST", body, times: 1 }] });
  const made = native.create("IpPolicy", { description: secretOf(hidden[0]) });
  await expect(made).rejects.toThrow(/ failed: 400: cannot take \[secret\]$/);
});

it("keeps the ranges of a set in no plaintext where all of its rules are a secret", async () => {
  const policy = await native.create("IpPolicy", {});
  for (const form of [{}, { summarize: true }, { exclusive: false }, { exclusive: false, summarize: true }]) {
    const range = "203.0.113.0/24";
    const args = { ipPolicyId: policy.id, rules: secretOf({ [range]: "allow" }), ...form };
    const { inputs } = await native.check("IpPolicyRuleSet", args);
    const made = await native.create("IpPolicyRuleSet", inputs);
    expect([form, inPlaintext(made.outputs).includes(range)]).toEqual([form, false]);
    await native.delete("IpPolicyRuleSet", made);
  }
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
