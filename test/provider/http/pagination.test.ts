import { AnswerError } from "../../../src/provider/errors";
import { pages } from "../../../src/provider/http/pagination";
import type { Settings } from "../../../src/provider/settings/settings";
import { VirtualTime } from "../../support/virtual-time";
import { Plugin } from "../../support/plugin";
import { serverForTests } from "../../support/servers";
import { failureOf } from "../../support/failure";

let asked: string[];
let answer: (url: URL) => unknown;

const server = serverForTests((request, response) => {
  const url = new URL(request.url!, "http://x");
  asked.push(request.url!);
  const body = answer(url);
  if (body === undefined) response.statusCode = 400;
  response.setHeader("content-type", "application/json");
  response.end(typeof body === "string" ? body : JSON.stringify(body));
});
beforeEach(() => {
  asked = [];
});

async function list(
  most = Infinity,
  settings: Partial<Settings> = {},
  timing?: VirtualTime,
): Promise<string[]> {
  const baseUrl = `${server.baseUrl}/prefix`;
  const { http } = new Plugin({ baseUrl, apiKey: "a-key-for-tests", ...settings }, timing && { timing });
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

test("the whole query of the next page's address is used, on the base URL's own path", async () => {
  answer = ({ searchParams }) =>
    searchParams.has("before_id")
      ? { things: [{ id: "b" }], next_page_uri: null }
      : { things: [{ id: "a" }], next_page_uri: "https://other.example/evil?x=1&before_id=a%2F&limit=7#z" };
  expect(await list()).toEqual(["a", "b"]);
  expect(asked).toEqual(["/prefix/things?limit=100", "/prefix/things?x=1&before_id=a%2F&limit=7"]);
});

test("a page is followed by whatever query its service names the next one", async () => {
  answer = ({ searchParams }) =>
    searchParams.get("cursor") === "c2"
      ? { things: [{ id: "b" }] }
      : { things: [{ id: "a" }], next_page_uri: "/things?cursor=c2&filter=x&filter=y" };
  expect(await list()).toEqual(["a", "b"]);
  expect(asked[1]).toBe("/prefix/things?cursor=c2&filter=x&filter=y");
});

test("limit is asked once of a kind of lists that refuses it, and not of each of them", async () => {
  const { http } = new Plugin({ baseUrl: server.baseUrl, apiKey: "a-key-for-tests" });
  answer = ({ searchParams }) =>
    searchParams.has("limit") ? undefined : { things: [], next_page_uri: null };
  for (const owner of ["a", "b", "c"]) {
    const within = { path: `/owners/${owner}/things`, kind: "/owners/{id}/things" };
    await pages(http, { ...within, listKey: "things", operation: "listing the things" }).next();
  }
  expect(asked).toEqual([
    "/owners/a/things?limit=100",
    "/owners/a/things",
    "/owners/b/things",
    "/owners/c/things",
  ]);
});

test("limit is asked again of a list that was refused without it too", async () => {
  const { http } = new Plugin({ baseUrl: server.baseUrl, apiKey: "a-key-for-tests" });
  const things = { path: "/things", listKey: "things", operation: "listing the things" };
  answer = () => undefined;
  await expect(pages(http, things).next()).rejects.toThrow("400");
  answer = () => ({ things: [], next_page_uri: null });
  await pages(http, things).next();
  expect(asked).toEqual(["/things?limit=100", "/things", "/things?limit=100"]);
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

test.each([{ next_page_uri: null }, {}])("a last page of null with %j has no objects", async (end) => {
  answer = ({ searchParams }) =>
    searchParams.has("before_id")
      ? { things: null, ...end }
      : { things: [{ id: "a" }], next_page_uri: "/things?before_id=a" };
  expect(await list()).toEqual(["a"]);
  answer = () => ({ things: null, ...end });
  expect(await list()).toEqual([]);
});

describe("a list that changes while it is read", () => {
  it("shows an object that is on two pages once", async () => {
    answer = ({ searchParams }) =>
      searchParams.has("before_id")
        ? { things: [{ id: "b" }, { id: "c" }] }
        : { things: [{ id: "a" }, { id: "b" }, { id: "a" }], next_page_uri: "/things?before_id=b" };
    expect(await list()).toEqual(["a", "b", "c"]);
  });

  it("shows objects without an id as they are", async () => {
    answer = () => ({ things: [{}, {}, { id: 5 }, { id: 5 }] });
    expect(await list()).toEqual(["undefined", "undefined", "5", "5"]);
  });
});

describe("a list without end is given up when it exceeds", () => {
  const pageOf = (count: number, size: number) => {
    let page = 0;
    answer = () => ({
      things: Array.from({ length: count }, (_, i) => ({ id: `n${page}-${i}`, text: "x".repeat(size) })),
      next_page_uri: `/things?before_id=n${page++}`,
    });
  };

  it("the number of objects of the setting", async () => {
    pageOf(100, 1);
    await expect(list(Infinity, { listObjects: 1000 })).rejects.toThrow(
      "listing the things: the answer is not as specified: the list does not end within 1,000 objects. If the account " +
        "is as large as this, increase the setting tunnel-gateway:listObjects",
    );
    expect(asked).toHaveLength(11);
  });

  it("the bytes of the setting", async () => {
    pageOf(1, 300_000);
    await expect(list(Infinity, { listMebibytes: 2 })).rejects.toThrow(
      /the list does not end within 2 MiB\. .* increase the setting tunnel-gateway:listMebibytes$/,
    );
    expect(asked).toHaveLength(7);
  });

  it("the time of the setting", async () => {
    pageOf(1, 1);
    const time = new VirtualTime();
    const limited = { listTimeout: 100, requestsPerMinute: 1 };
    await expect(time.run(list(Infinity, limited, time), 60)).rejects.toThrow(
      /the list does not end within 100 seconds\. .* increase the setting tunnel-gateway:listTimeout$/,
    );
    expect(asked).toHaveLength(3);
  });

  it("but not when the caller needs no more of it", async () => {
    pageOf(100, 1);
    expect(await list(1000, { listObjects: 1000 })).toHaveLength(1000);
  });
});

test("a loop is an error", async () => {
  answer = () => ({ things: [{ id: "a" }], next_page_uri: "/things?before_id=a" });
  await expect(list()).rejects.toThrow(/listing the things: .*its pages repeat/);
  expect(asked.length).toBe(2);
});

test("empty pages without end are an error, and not those between others; an empty address is the end", async () => {
  let count = 0;
  answer = () => ({ things: [], next_page_uri: `/things?before_id=n${count++}` });
  await expect(list()).rejects.toThrow(/does not end after 100 pages/);
  count = 0;
  const last = 150;
  answer = () => ({
    things: count % 75 === 0 ? [{ id: `t${count}` }] : [],
    next_page_uri: count === last ? "" : `/things?before_id=n${count++}`,
  });
  expect(await list()).toEqual(["t0", "t75", "t150"]);
});

test("no more pages are asked for than are wanted", async () => {
  let count = 0;
  answer = () => ({ things: [{ id: `n${count}` }], next_page_uri: `/things?before_id=n${count++}` });
  expect(await list(3)).toHaveLength(3);
  expect(asked.length).toBe(3);
});

test.each([
  [{}, /the member things is missing or wrong: it must be an array/],
  [
    { things: null, next_page_uri: "/things?x=1" },
    /the member things is missing or wrong: it must be an array/,
  ],
  [{ things: {} }, /the member things is missing or wrong: it must be an array/],
  [{ things: ["secret-value"] }, /the member things\[0\] is missing or wrong: it must be an object/],
  [{ things: [], next_page_uri: 5 }, /the member next_page_uri is missing or wrong: it must be a string/],
  [{ things: [], next_page_uri: "/things" }, /its next_page_uri has no query/],
  [[], /it is not a JSON object/],
  ["", /it is empty/],
  ["<html>", /is not JSON/],
])("an answer like %j is an error that holds none of its values", async (body, words) => {
  answer = () => body;
  const failure = await failureOf(list());
  expect(failure).toBeInstanceOf(AnswerError);
  expect(failure.message).toMatch(words);
  expect(failure.message).not.toContain("secret-value");
});
