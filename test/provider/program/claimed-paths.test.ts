import * as pulumi from "@pulumi/pulumi";
import { claim } from "../../../src/program/claims";
import { declarationOf } from "../../../src/resources/registry";
import { emulatorForTests } from "../../support/emulators";
import { secretOf } from "../../support/in-process/values";
import { modules } from "../../support/modules";
import { nativeForTests } from "../../support/native-client";

type Claim = readonly [type: string, name: string, args: Record<string, unknown>, provider?: object];

/** The resources whose path another one has. */
async function repetitions(...claims: readonly Claim[]): Promise<string[]> {
  const found: string[] = [];
  await pulumi.runtime.setMocks({ newResource: () => ({ id: "1", state: {} }), call: () => ({}) });
  await pulumi.runtime.runInPulumiStack(() => {
    for (const [type, name, args, provider] of claims) {
      const ofProvider = provider as pulumi.ProviderResource | undefined;
      claim({ declaration: declarationOf(type), name, args, provider: ofProvider }, ({ path, clause }) =>
        found.push(`${name} ${path} ${clause}`),
      );
    }
    return Promise.resolve(undefined);
  });
  // Outputs are known a few promises later.
  await new Promise(setImmediate);
  await pulumi.runtime.disconnect();
  return found;
}

describe.each(Object.values(modules))("two resources of one program: $type", ({ type, args }) => {
  const others: Record<string, string> = { EventSource: "ip_policy_updated.v0" };

  it.each([
    ["with plain values", (text: unknown) => text],
    ["with Outputs", (text: unknown) => pulumi.output(text)],
  ])("with one path are an error that names both and their lines, %s", async (_, as) => {
    const given = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, as(value)]));
    const found = await repetitions([type, "a", args], [type, "b", given]);
    expect(found).toHaveLength(1);
    const line = String.raw`\(test/provider/program/claimed-paths\.test\.ts:\d+\)`;
    expect(found[0]).toMatch(
      new RegExp(
        `^b \\w+ must not be that of ${type} "a" ${line} too: only one .* Remove one of the two; this`,
      ),
    );
  });

  it("with two paths or two providers are none", async () => {
    const moved = { ...args, edgeId: "other", type: others[type] ?? args.type };
    expect(await repetitions([type, "a", args], [type, "b", moved], [type, "c", args, {}])).toEqual([]);
  });
});

it("shares the path of a policy among its sets of rules", async () => {
  const set = { ipPolicyId: "ipp_1", rules: {}, exclusive: false };
  expect(await repetitions(["IpPolicyRuleSet", "a", set], ["IpPolicyRuleSet", "b", set])).toEqual([]);
});

describe("the native provider, of a program in another language", () => {
  const emulator = emulatorForTests();
  const native = nativeForTests();
  beforeEach(() => native.configure({ apiKey: secretOf(emulator.apiKey), baseUrl: emulator.baseUrl }));

  it.each(Object.values(modules))("refuses two resources with one path: $type", async ({ type, args }) => {
    const check = (name: string) =>
      native.check(`urn:pulumi:dev::shop::tunnel-gateway:index:${type}::${name}`, args);
    expect((await check("a")).failures).toEqual([]);
    expect((await check("a")).failures).toEqual([]);
    expect((await check("b")).failures).toEqual([
      expect.stringMatching(
        new RegExp(`must not be that of ${type} "a" too: only one .* Remove one of the two$`),
      ),
    ]);
  });
});
