import { problems } from "../../support/life";
import { changes, created, refreshed, stateOf, updated } from "./mapping";
import { declarationOf } from "../../../src/resources/registry";

const httpResponseBackend = declarationOf("HttpResponseBackend");

const headers = { "Content-Type": "text/plain", "x-count": "1" };
const lower = { "content-type": "text/plain", "x-count": "1" };

test("wrong names, values, status codes and doubled names are found", () => {
  const args = { headers: { "a b": "x", Dup: "1", dup: "2", ok: "line\nend" }, statusCode: 99.5, body: 1 };
  expect(problems(httpResponseBackend, args)).toEqual([
    "body: must be a string, not a number",
    expect.stringMatching(/^headers\["a b"\]: its key must be a header name of letters, digits /),
    'headers["dup"]: its key means the same as "Dup": remove one of them',
    expect.stringMatching(/^headers\["ok"\]: must be a header value without line ends/),
    expect.stringMatching(/^statusCode: must be a whole number from -2147483648 to 2147483647/),
  ]);
});

test("header names that come back in lower case are no difference and keep their spelling", async () => {
  const args = { headers, statusCode: 200 };
  const state = await stateOf(httpResponseBackend, args, { body: "", headers: lower, status_code: 200 });
  expect(state.headers).toEqual(headers);
  expect(await changes(httpResponseBackend, state, { headers: lower, statusCode: 200 })).toEqual([]);
});

test("a header that drifted is the only one that changes its look", async () => {
  const state = await stateOf(httpResponseBackend, { headers }, { headers: lower });
  const drifted = await refreshed(httpResponseBackend, state, { headers: { ...lower, "x-count": "2" } });
  expect(drifted.headers).toEqual({ "Content-Type": "text/plain", "x-count": "2" });
  expect(await changes(httpResponseBackend, drifted, { headers })).toEqual(["headers"]);
});

test("what is left out is no difference to null headers and the default status code", async () => {
  const state = await stateOf(httpResponseBackend, {}, { body: "", headers: null, status_code: 200 });
  expect(await changes(httpResponseBackend, state, {})).toEqual([]);
  expect(await changes(httpResponseBackend, state, { headers: {}, statusCode: 200, body: "" })).toEqual([]);
});

test("of the arguments that are removed, texts and headers are cleared, and the status code stays", async () => {
  const args = { body: "a", headers, statusCode: 404 };
  expect(await created(httpResponseBackend, args)).toEqual({ body: "a", headers, status_code: 404 });
  const state = await stateOf(httpResponseBackend, args, { body: "a", headers: lower, status_code: 404 });
  expect(await updated(httpResponseBackend, state, {})).toEqual({ body: "", headers: {} });
});
