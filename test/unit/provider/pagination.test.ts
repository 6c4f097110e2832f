import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AnswerError } from "../../../src/provider/errors";
import { pages } from "../../../src/provider/pagination";
import { Plugin } from "../../faults/support";

let server: Server;
let asked: string[];
let answer: (url: URL) => unknown;

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url!, "http://x");
    asked.push(request.url!);
    const body = answer(url);
    response.setHeader("content-type", "application/json");
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked = [];
});

async function list(most = Infinity): Promise<string[]> {
  const { port } = server.address() as AddressInfo;
  const { http } = new Plugin({ baseUrl: `http://127.0.0.1:${port}/prefix`, apiKey: "a-key-for-tests" });
  const ids: string[] = [];
  for await (const page of pages(http, {
    path: "/things",
    listKey: "things",
    operation: "listing the things",
  })) {
    ids.push(...page.map(({ id }) => String(id)));
    if (ids.length >= most) break;
  }
  return ids;
}

test("only before_id and limit of the next page's address are used, on the base URL's own path", async () => {
  answer = ({ searchParams }) =>
    searchParams.has("before_id")
      ? { things: [{ id: "b" }], next_page_uri: null }
      : { things: [{ id: "a" }], next_page_uri: "https://other.example/evil?x=1&before_id=a%2F&limit=7#z" };
  expect(await list()).toEqual(["a", "b"]);
  expect(asked).toEqual(["/prefix/things?limit=100", "/prefix/things?before_id=a%2F&limit=7"]);
});

test("an empty page with a next one goes on", async () => {
  answer = ({ searchParams }) =>
    searchParams.get("before_id") === "n3"
      ? { things: [{ id: "last" }] }
      : {
          things: [],
          next_page_uri: `/?before_id=n${Number(searchParams.get("before_id")?.slice(1) ?? 0) + 1}`,
        };
  expect(await list()).toEqual(["last"]);
});

test("a loop is an error", async () => {
  answer = () => ({ things: [{ id: "a" }], next_page_uri: "/things?before_id=a" });
  await expect(list()).rejects.toThrow(/listing the things: .*its pages go in a circle/);
  expect(asked.length).toBe(2);
});

test("empty pages without end are an error", async () => {
  let count = 0;
  answer = () => ({ things: [], next_page_uri: `/things?before_id=n${count++}` });
  await expect(list()).rejects.toThrow(/does not end after 100 pages/);
});

test("no more pages are asked for than are wanted", async () => {
  let count = 0;
  answer = () => ({ things: [{ id: `n${count}` }], next_page_uri: `/things?before_id=n${count++}` });
  expect(await list(3)).toHaveLength(3);
  expect(asked.length).toBe(3);
});

test.each([
  [{}, /the member things is missing or wrong: it must be an array/],
  [{ things: {} }, /the member things is missing or wrong: it must be an array/],
  [{ things: ["secret-value"] }, /the member things\[0\] is missing or wrong: it must be an object/],
  [{ things: [], next_page_uri: 5 }, /the member next_page_uri is missing or wrong: it must be a string/],
  [{ things: [], next_page_uri: "/things?page=2" }, /its next_page_uri has no before_id/],
  [[], /it is no JSON object/],
  ["", /it is empty/],
  ["<html>", /is not JSON/],
])("an answer like %j is an error that holds none of its values", async (body, words) => {
  answer = () => body;
  const failure = await list().then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  expect(failure).toBeInstanceOf(AnswerError);
  expect(failure!.message).toMatch(words);
  expect(failure!.message).not.toContain("secret-value");
});
