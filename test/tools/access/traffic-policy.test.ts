import { isEmpty, isSameDocument, mayRestrict } from "../../../src/tools/access/traffic-policy";

// Node prints a warning as it is, and it holds the text.
test("A traffic policy that YAML warns of prints nothing", () => {
  const warn = jest.spyOn(process, "emitWarning").mockReturnValue();
  const printed = ["%\u001b[31m::error::\n---\na: 1", "a: !unknown 1"].flatMap((policy) => {
    isEmpty(policy);
    return warn.mock.calls.splice(0);
  });
  warn.mockRestore();
  expect(printed).toEqual([]);
});

test.each([
  undefined,
  "",
  "{}",
  "# nothing",
  "on_http_request: []",
  '{"on_http_request": [], "on_http_response": {}}',
  '{"on_http_request": [{"name": "x", "actions": []}]}',
  '{"on_http_request": [{"actions": [{}]}]}',
  '{"on_http_request": [], "enabled": false}',
  '{"on_http_request": [{"actions": [{"type": "deny"}], "enabled": false}]}',
  '{"on_http_request": [{"actions": [{"type": "deny"}]}], "enabled": false}',
])("The traffic policy %j has no rules", (policy) => expect(isEmpty(policy)).toBe(true));

test.each([
  "on_tcp_connect: [{actions: [{type: deny}]}]",
  '{"on_http_request": [{"another_word": "deny"}]}',
  "deny",
  "{ not closed",
])("The traffic policy %j has rules, or nobody knows", (policy) => expect(isEmpty(policy)).toBe(false));

test.each([
  "on_tcp_connect: [{actions: [{type: restrict-ips}]}]",
  '{"on_http_request": [{"actions": [{"type": "log"}]}, {"actions": [{"type": "log"}, {"type": "oauth"}]}]}',
  "on_tcp_connect: [{actions: [{type: terminate-tls, config: {mutual_tls_certificate_authorities: [ca_1]}}]}]",
])("The traffic policy %j has an action that restricts", (policy) => expect(mayRestrict(policy)).toBe(true));

test.each([
  undefined,
  "",
  "deny",
  "{ not closed",
  '{"on_http_request": [{"actions": [{"type": "log"}]}]}',
  '{"on_http_request": [{"actions": [{"type": "another-word"}]}]}',
  "on_tcp_connect: [{actions: [{type: terminate-tls, config: {mutual_tls_certificate_authorities: []}}]}]",
  '{"on_http_request": [{"name": "deny", "type": "deny", "actions": [{"type": "log", "config": {"type": "deny"}}]}]}',
  '{"on_http_request": [{"actions": [{"type": "log", "config": {"actions": [{"type": "deny"}]}}]}]}',
  '{"on_http_request": [{"enabled": false, "actions": [{"type": "deny"}]}]}',
  '{"on_http_request": [{"actions": [{"type": "restrict-ips", "config": {"enforce": false}}]}]}',
  '{"on_http_request": [{"actions": [{"type": "deny"}]}], "enabled": false}',
])("The traffic policy %j has none that is known to restrict", (policy) =>
  expect(mayRestrict(policy)).toBe(false),
);

test("Two policies are the same in another layout, and what is not YAML only in the same one", () => {
  expect(isSameDocument('{"on_tcp_connect": [{"actions": []}]}', "on_tcp_connect:\n  - actions: []\n")).toBe(
    true,
  );
  expect(isSameDocument("a: [1, 2]", "a: [2, 1]")).toBe(false);
  expect(isSameDocument("{ not closed", "{ not closed")).toBe(true);
  expect(isSameDocument("{ not closed", "{ not  closed")).toBe(false);
  expect([isSameDocument(undefined, ""), isSameDocument(undefined, "{}")]).toEqual([true, false]);
});
