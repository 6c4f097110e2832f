import { answerValidator } from "../../../src/provider/life-cycle/response-schema";
import { declarationOf, declarations } from "../../../src/resources/registry";

const validator = answerValidator(declarationOf("IpPolicyRule"));
const rule = { id: "ipr_1", cidr: "10.0.0.0/8", action: "allow", ip_policy: { id: "ipp_1", uri: "u" } };

test("every member but the id may be left out or null, and members of later versions are accepted", () => {
  expect(validator(rule)).toBeUndefined();
  expect(validator({ id: "ipr_1" })).toBeUndefined();
  expect(validator({ id: "ipr_1", cidr: null, action: null, ip_policy: null })).toBeUndefined();
  expect(validator({ ...rule, description: null, metadata: "", later: { any: 1 } })).toBeUndefined();
});

test.each([
  [undefined, "it is empty"],
  [[rule], "it is not a JSON object"],
  ["text", "it is not a JSON object"],
  [{ ...rule, id: undefined }, "the member id is missing or wrong: it must be a string"],
  [{ ...rule, id: "" }, "the member id is missing or wrong: it is empty"],
  [{ ...rule, cidr: 5 }, "the member cidr is missing or wrong: it must be a string"],
  [{ ...rule, description: ["hidden"] }, "the member description is missing or wrong: it must be a string"],
  [{ ...rule, ip_policy: "hidden" }, "the member ip_policy is missing or wrong: it must be an object"],
  [{ ...rule, ip_policy: { id: 5 } }, "the member ip_policy.id is missing or wrong: it must be a string"],
])("%j is wrong, and the message holds no value of it", (answer, problem) => {
  expect(validator(answer)).toBe(problem);
});

test("no object of a collection is without an id", () => {
  for (const declaration of declarations.filter(({ style }) => style === "collection")) {
    expect(answerValidator(declaration)({})).toMatch(/^the member \w+ is missing or wrong/);
  }
});

test.each([
  ["EventDestination", { format: 5 }, "the member format is missing or wrong: it must be a string"],
  ["TcpEdge", { hostports: "a:1" }, "the member hostports is missing or wrong: it must be an array"],
  ["TcpEdge", { hostports: ["a:1", 5] }, "the member hostports[1] is missing or wrong: it must be a string"],
  ["IpPolicyRule", { ip_policy: [] }, "the member ip_policy is missing or wrong: it must be an object"],
  ["IpPolicyRule", { ip_policy: null, cidr: [] }, "the member cidr is missing or wrong: it must be a string"],
])("of a %s %j is wrong", (type, members, problem) => {
  expect(answerValidator(declarationOf(type))({ id: "x", ...members })).toBe(problem);
});
