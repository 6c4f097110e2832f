import { startEmulator, type Emulator } from "../../../src/emulator";
import { clientWith } from "../../../src/account/client";
import { findOrphans } from "../../../src/orphans/find";
import { readSettings } from "../../../src/provider/settings";
import type { StackContents } from "../../../src/stack/state";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
  await emulator.seed({ ip_policies: [{ id: "ipp_office" }] });
});
afterAll(() => emulator.close());

const urn = (type: string): string =>
  `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tunnel-gateway:${type}::office`;

/** A stack with a policy, whose rule set was about to be created. */
const contents: StackContents = {
  project: "shop",
  stack: "dev",
  managed: [{ urn: urn("IpPolicy"), type: "IpPolicy", name: "office", id: "ipp_office" }],
  urns: new Set([urn("IpPolicy")]),
  pending: [
    {
      urn: urn("IpPolicyRuleSet"),
      type: "IpPolicyRuleSet",
      name: "office",
      inputs: { ipPolicyId: "ipp_office", rules: { "203.0.113.0/24": "allow" } },
      protect: false,
    },
  ],
  providers: new Map(),
};

test("a rule set that was not created is no orphan: its id is that of the policy, which the stack manages", async () => {
  const settings = readSettings(
    { get: () => undefined },
    {
      TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
      TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
    },
  );
  const { orphans, outcomes } = await findOrphans(
    clientWith(settings, () => undefined),
    contents,
    undefined,
    () => undefined,
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(["not created"]);
  expect(orphans).toEqual([]);
});
