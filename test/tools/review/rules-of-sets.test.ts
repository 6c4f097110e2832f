/** Single rules that leave the stack while a rule set holds their ranges. */
import { mixed } from "../../support/mixed-doors";
import { keptPolicy, reviewText, saidBy, writtenPreview, type Written } from "./support";

const said = (...resources: readonly Written[]) => saidBy("rule-of-set", keptPolicy("office"), resources);
const rule = (cidr: string, action = "allow"): Written => ({
  ...{ type: "IpPolicyRule", name: cidr, id: `ipr_${cidr.replaceAll(/\W/g, "_")}`, after: undefined },
  before: { ipPolicyId: "ipp_office", cidr, action },
});
const set = (rules: object, before?: object, more: object = {}): Written => {
  const args = (given: object) => ({ ipPolicyId: "ipp_office", rules: given, ...more });
  return {
    ...{ type: "IpPolicyRuleSet", name: "rules", id: "ipp_office" },
    ...{ before: before && args(before), after: args(rules) },
  };
};
const both = { "10.0.0.0/8": "allow", "192.0.2.0/24": { action: "deny" } };

it.each<[string, object | undefined]>([
  ["creates", undefined],
  ["has", both],
])("are a note where the deployment %s the set", (_, before) => {
  expect(said(rule("10.0.0.0/8"), rule("192.0.2.0/24", "deny"), set(both, before))).toEqual([
    "note hygiene/rule-of-set IpPolicyRuleSet rules: it keeps 2 IP policy rules that the preview shows as deleted: " +
      "allow 10.0.0.0/8, deny 192.0.2.0/24",
  ]);
});

it("are none where the set has another action, another range or another policy, or is summarized", () => {
  expect(said(rule("10.0.0.0/8", "deny"), set(both, both))).toEqual([]);
  expect(said(rule("10.0.0.0/9"), set(both, both))).toEqual([]);
  expect(said(rule("10.0.0.0/8"), set(both, both, { ipPolicyId: "ipp_other" }))).toEqual([]);
  expect(said(rule("10.0.0.0/8"), set(both, both, { summarize: true }))).toEqual([]);
});

it("are a warning where the set has another provider, which cannot know of their deletion", () => {
  const text = writtenPreview([keptPolicy("office"), rule("10.0.0.0/8"), set(both, both)]);
  const found = ({ findings }: ReturnType<typeof reviewText>) =>
    findings
      .filter(({ rule }) => rule === "hygiene/rule-of-set")
      .map(({ severity, message }) => `${severity}: ${message}`);
  expect(found(reviewText(text))).toEqual([expect.stringMatching(/^note: it keeps 1 IP policy rule/)]);
  expect(found(reviewText(mixed(text)))).toEqual([
    "warning: 1 IP policy rule with another provider than the set will be deleted, although the set declares the range: " +
      "allow 10.0.0.0/8",
  ]);
});
