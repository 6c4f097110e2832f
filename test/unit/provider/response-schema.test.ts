import { answerValidator } from "../../../src/provider/response-schema";
import { declarationOf, declarations } from "../../../src/resources/registry";

const validator = answerValidator(declarationOf("IpPolicyRule"));
const rule = { id: "ipr_1", cidr: "10.0.0.0/8", action: "allow", ip_policy: { id: "ipp_1", uri: "u" } };

test("what is as specified is right, unset members left out or null, and members of later versions too", () => {
  expect(validator(rule)).toBeUndefined();
  expect(validator({ ...rule, description: null, metadata: "", later: { any: 1 } })).toBeUndefined();
});

test.each([
  [undefined, "it is empty"],
  [[rule], "it is no JSON object"],
  ["text", "it is no JSON object"],
  [{ ...rule, id: undefined }, "the member id is missing or wrong: it must be a string"],
  [{ ...rule, id: "" }, "the member id is missing or wrong: it is empty"],
  [{ ...rule, cidr: null }, "the member cidr is missing or wrong: it must be a string"],
  [{ ...rule, description: ["hidden"] }, "the member description is missing or wrong: it must be a string"],
  [{ ...rule, ip_policy: "hidden" }, "the member ip_policy is missing or wrong: it must be an object"],
  [{ ...rule, ip_policy: { id: 5 } }, "the member ip_policy.id is missing or wrong: it must be a string"],
])("%j is wrong, and no value of it is told", (answer, problem) => {
  expect(validator(answer)).toBe(problem);
});

test("no object of a collection is without an id", () => {
  for (const declaration of declarations.filter(({ style }) => style === "collection")) {
    expect(answerValidator(declaration)({})).toMatch(/^the member \w+ is missing or wrong/);
  }
});
