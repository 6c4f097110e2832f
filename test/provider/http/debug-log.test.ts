import "../../../src/resources/registry";
import { DebugLog } from "../../../src/provider/http/debug-log";
import type { LoggedRequest } from "../../../src/provider/http/debug-log";

function lineOf(changes: Partial<LoggedRequest>): string {
  const lines: string[] = [];
  const log = new DebugLog("the-key-itself", (line) => lines.push(line));
  const exchanged = {
    method: "POST",
    path: "/things",
    attempt: 1,
    milliseconds: 12,
    sent: undefined,
    outcome: 201,
  };
  log.note({ ...exchanged, ...changes });
  return lines.join("\n");
}

test("tells method, path, status, time, attempt and both bodies", () => {
  const line = lineOf({ sent: { description: "x" }, text: '{"id":"ipp_1","description":"x"}' });
  expect(line).toBe(
    'tunnel-gateway: POST /things 201 in 12 ms, attempt 1: {"description":"x"} -> {"id":"ipp_1","description":"x"}',
  );
});

test.each([
  ["a declared secret", { private_key_pem: "hidden-1" }],
  ["a declared secret deep inside", { target: { monitoring: { api_key: "hidden-1", ddsite: "shown" } } }],
  ["what is named like one", { settings: { dbPassword: "hidden-1", "X-Auth-Token": "hidden-1" } }],
  ["a list of what is named like one", { tokens: ["hidden-1", "hidden-1"] }],
])("hides %s, sent or answered", (_name, body) => {
  expect(lineOf({ sent: body })).not.toContain("hidden-1");
  expect(lineOf({ text: JSON.stringify({ items: [body] }) })).not.toContain("hidden-1");
  expect(lineOf({ sent: body })).toContain("[secret]");
});

test("hides a secret that a refusal repeats in its own words, and the key of the connection anywhere", () => {
  const text = JSON.stringify({ msg: "hidden-1 is no good for the-key-itself" });
  const line = lineOf({ sent: { client_secret: "hidden-1" }, text, outcome: 400 });
  expect(line).not.toMatch(/hidden-1|the-key-itself/);
});

test("shows the keys of a list of API keys, without their tokens", () => {
  const line = lineOf({ text: '{"keys":[{"id":"ak_1","token":"hidden-1"}],"next_page_uri":null}' });
  expect(line).toContain("ak_1");
  expect(line).not.toContain("hidden-1");
});

test("does not show what is not JSON, and tells why there is no answer", () => {
  expect(lineOf({ text: "hidden-1" })).toMatch(/8 characters that are not JSON$/);
  expect(lineOf({ outcome: "no answer within 60 seconds" })).toMatch(/no answer within 60 seconds in 12 ms/);
});
