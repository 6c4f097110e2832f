import { isEmpty } from "../../../../src/schema/formats/traffic-policy";

test.each([
  undefined,
  "",
  "{}",
  "# nothing",
  "on_http_request: []",
  '{"on_http_request": [], "on_http_response": {}}',
])("The traffic policy %j has no rules", (policy) => expect(isEmpty(policy)).toBe(true));

test.each(["on_tcp_connect: [{actions: [{type: deny}]}]", '{"enabled": false}', "{ not closed"])(
  "The traffic policy %j has rules, or nobody knows",
  (policy) => expect(isEmpty(policy)).toBe(false),
);
