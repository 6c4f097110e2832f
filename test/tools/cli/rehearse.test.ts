/** `rehearse`: the writes, and the number of requests in one line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommandLine } from "../../support/command-line";
import { filesIn, temporaryFolder } from "../../support/folders";
import { recorded } from "../../support/recorded";
import { keptPolicy, urnOf, writtenPreview } from "../review/support";
import type { Written } from "../review/support";

const rules = { "10.0.0.0/8": "allow" };

it.each<[string, Written[], string]>([
  ["no write", [keptPolicy("office")], "0 writes, 0 requests\n"],
  [
    "the writes by method",
    [{ ...keptPolicy("office"), after: { description: "changed" } }],
    "PATCH /ip_policies/ipp_office: 200\n1 write (1 PATCH), 1 request\n",
  ],
  [
    "no reads",
    [
      keptPolicy("office"),
      { type: "IpPolicyRuleSet", name: "office", after: { ipPolicyId: "ipp_office", rules } },
    ],
    "POST /ip_policy_rules: 201\n1 write (1 POST), 3 requests\n",
  ],
])("shows %s", async (_, resources, expected) => {
  const file = join(temporaryFolder("rehearse"), "preview.json");
  writeFileSync(file, writtenPreview(resources));
  const { code, stdout } = await runCommandLine(["rehearse", file], {});
  expect(stdout.replace(/^Incomplete: .*\n/m, "")).toBe(expected);
  expect(code).toBe(0);
});

it("takes the file of --account for the account of the default provider alone", async () => {
  const file = filesIn(temporaryFolder("rehearse"));
  const provider = "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::other";
  const inputs = { "tunnel-gateway:baseUrl": "https://other.example.com" };
  const updated = (name: string, more: object = {}) => {
    const state = { id: `ipp_${name}`, inputs: {}, outputs: { __args: [] }, ...more };
    const newState = { ...state, inputs: { description: "new" } };
    return { op: "update", urn: urnOf("IpPolicy", name), oldState: state, newState };
  };
  const newState = { type: "pulumi:providers:pulumi-nodejs", custom: true, inputs };
  const steps = [
    ...[{ op: "same", urn: provider, newState }, updated("theirs", { provider: `${provider}::id` })],
    ...[updated("kept"), updated("gone")],
  ];
  const preview = file("preview.json", JSON.stringify(recorded({ steps })));
  const account = file("account.json", JSON.stringify({ ip_policies: [{ id: "ipp_kept" }] }));
  const { code, stdout } = await runCommandLine(["rehearse", preview, "--account", account], {});
  expect(code).toBe(0);
  expect(stdout.match(/^PATCH .*$/gm)).toEqual([
    ...["PATCH /ip_policies/ipp_theirs: 200", "PATCH /ip_policies/ipp_kept: 200"],
    "PATCH /ip_policies/ipp_gone: 404",
  ]);
});
