import { declarations } from "../../../src/resources/registry";
import { declaresRules } from "../../../src/schema/rule-set";

it("knows rules and sets of them by the argument that names their policy, which no other class has", () => {
  const types = declarations.filter(declaresRules).map(({ type }) => type);
  expect(types.sort()).toEqual(["IpPolicyRule", "IpPolicyRuleSet"]);
});
