/** The creation of keys whose answers may be lost, step by step, over a service whose list shows what a test says. */
import {
  AnswerError,
  ApiError,
  GatewayError,
  TransportError,
  UndecidedError,
} from "../../../src/provider/errors";
import { secondLook } from "../../../src/provider/life-cycle/lost-creates";
import { MarkedCreate } from "../../../src/provider/life-cycle/marked-create";
import { declarationOf } from "../../../src/resources/registry";
import type { Json } from "../../../src/schema/json";
import { isCreationMark, newCreationMark, creationOwner, stampText } from "../../../src/schema/metadata";
import { argumentsFrom } from "../../../src/schema/values";
import { hasty, Plugin } from "../../support/plugin";
import { serverForTests } from "../../support/servers";
import { failureOf } from "../../support/failure";

/** The keys of the account as its list shows them. */
let keys: Json[];
/** How often the list fails from now on. */
let listFailures: number;
let searches: number;

const server = serverForTests((_, response) => {
  searches += 1;
  response.writeHead(listFailures-- > 0 ? 403 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify({ keys, next_page_uri: null }));
});
beforeEach(() => {
  [keys, listFailures, searches] = [[], 0, 0];
});

const lostAnswer = () => new TransportError("creating the API key", "the connection ended", "broken");
const refusal = (status: number, retryAfter?: number) =>
  new ApiError("the operation", status, undefined, "no", undefined, { own: true, json: true, retryAfter });

/** What happens to a request for a new key, after or instead of its creation. */
type Post = { readonly makes?: boolean; readonly fails?: Error };

/** @param posts what happens to each request for a key; those after them are answered. */
function process(posts: readonly Post[], meanwhile = (): void => undefined) {
  const steps: string[] = [];
  const pauses: number[] = [];
  const failing = new Map<string, Error>();
  const sleep = (milliseconds: number) => {
    pauses.push(Math.round(milliseconds));
    meanwhile();
    return Promise.resolve();
  };
  const { baseUrl } = server;
  const plugin = new Plugin({ baseUrl }, { timing: { ...hasty, sleep } });
  let count = 0;
  const marked = new MarkedCreate(declarationOf("ApiKey"), plugin.http, {
    post: (args) => {
      steps.push("post");
      const { makes = true, fails } = posts[count++] ?? {};
      const key: Json & { id: string } = { ...args, id: `ak_${count}` };
      if (makes) keys.push(key);
      return fails ? Promise.reject(fails) : Promise.resolve({ id: key.id, answer: { ...key, token: "t" } });
    },
    update: (id, changed) => {
      steps.push(`update ${id}`);
      const error = failing.get(`update ${id}`);
      if (error) return Promise.reject(error);
      const key: Json = Object.assign(
        keys.find((each) => each.id === id)!,
        changed,
      );
      return Promise.resolve({ ...key });
    },
    remove: (id) => {
      steps.push(`remove ${id}`);
      const error = failing.get(`remove ${id}`);
      if (error) return Promise.reject(error);
      keys = keys.filter((each) => each.id !== id);
      return Promise.resolve();
    },
  });
  const create = (args: Json, owner?: string) => marked.create(argumentsFrom(args), owner);
  return { create, steps, pauses, failing, lines: plugin.lines };
}

const ids = (): unknown[] => keys.map(({ id }) => id);
const stamp = (name: string): string => stampText({ project: "p", stack: "s", name });

describe("a key", () => {
  test("is made with a mark, which the metadata of the program replaces, or none", async () => {
    const { create, steps } = process([]);
    const made = await create({ description: "d", metadata: "wanted" });
    expect(made).toEqual({
      id: "ak_1",
      answer: { id: "ak_1", description: "d", metadata: "wanted", token: "t" },
    });
    expect(steps).toEqual(["post", "update ak_1"]);
    expect((await create({})).answer.metadata).toBe("");
    expect(searches).toBe(0);
  });

  test("that the service refuses is neither looked for nor asked for again", async () => {
    const { create, steps, pauses } = process([{ makes: false, fails: refusal(422) }]);
    await expect(create({})).rejects.toThrow("the operation failed: 422: no");
    expect([steps, pauses, searches]).toEqual([["post"], [], 0]);
  });

  test("whose answer is broken is recorded with what is wrong, and its mark stays", async () => {
    const { create, steps, failing } = process([]);
    failing.set("update ak_1", refusal(500));
    const { id, problem, answer } = await create({ metadata: "wanted" });
    expect([id, answer.token, isCreationMark(answer.metadata)]).toEqual(["ak_1", "t", true]);
    expect(problem!.message).toBe("the operation failed: 500: no");
    expect(steps).toEqual(["post", "update ak_1"]);
  });
});

describe("a key of a lost answer", () => {
  test("is found with one search, deleted, and made again after a pause", async () => {
    const { create, steps, pauses, lines } = process([{ fails: lostAnswer() }]);
    expect((await create({})).id).toBe("ak_2");
    expect(steps).toEqual(["post", "remove ak_1", "post", "update ak_2"]);
    expect(ids()).toEqual(["ak_2"]);
    // One search for it, and one after the next creation for what came late.
    expect(searches).toBe(2);
    expect(pauses).toEqual([375]);
    expect(lines).toEqual([
      "creating the API key failed: the connection ended; retrying for up to 300 seconds",
    ]);
  });

  test("is looked for twice, 2 seconds apart, where the first search finds none", async () => {
    let late: Json | undefined;
    const post = { makes: false, fails: lostAnswer() };
    const { create, steps, pauses } = process([post], () => {
      if (late) keys.push(late);
      late = undefined;
    });
    await create({});
    expect(steps).toEqual(["post", "post", "update ak_2"]);
    expect([searches, pauses]).toEqual([3, [secondLook, 375]]);
  });

  test("is looked for once where the service had the time that it asked for, and is made again at once", async () => {
    const { create, steps, pauses } = process([{ makes: false, fails: refusal(503, 7_000) }]);
    await create({});
    expect(steps).toEqual(["post", "post", "update ak_2"]);
    expect([searches, pauses]).toEqual([2, [7_000]]);
  });

  test("is the only one that is deleted: not one with other metadata, without any, or with another's mark", async () => {
    keys = [
      { id: "ak_other", metadata: "other" },
      { id: "ak_none" },
      { id: "ak_null", metadata: null },
      { id: "ak_mark", metadata: newCreationMark() },
      { id: "ak_stamped", metadata: newCreationMark(stamp("other")) },
    ];
    const others = ids();
    for (const metadata of [undefined, "wanted", stamp("own")]) {
      const { create, steps } = process([{ fails: lostAnswer() }]);
      const { id } = await create({ metadata });
      expect(steps.filter((step) => step.startsWith("remove"))).toEqual(["remove ak_1"]);
      expect(ids()).toEqual([...others, id]);
      keys.pop();
    }
  });

  test("cannot be deleted without an id", async () => {
    const { create, steps } = process([{ fails: lostAnswer() }]);
    const made = create({});
    keys[0] = { metadata: keys[0]!.metadata };
    await made;
    expect(steps).toEqual(["post", "post", "update ak_2"]);
  });

  test("is an error with its mark where the search fails", async () => {
    const { create, steps } = process([{ fails: lostAnswer() }]);
    listFailures = 1;
    const error = await failureOf(create({}));
    expect(error).toBeInstanceOf(UndecidedError);
    expect(error.message).toBe(
      "creating the API key failed: the connection ended. It is not known whether it was created, because the " +
        "search for it failed too: searching for the API key of an unanswered create failed: 403: the answer holds no error " +
        `message of the service. If one of the API keys has the metadata "${String(keys[0]!.metadata)}", ` +
        "delete it, and run pulumi up again",
    );
    expect(steps).toEqual(["post"]);
  });

  test("is an error with its id where it cannot be deleted", async () => {
    const { create, steps, failing } = process([{ fails: lostAnswer() }]);
    failing.set("remove ak_1", refusal(409));
    const error = await failureOf(create({}));
    expect(error).toBeInstanceOf(UndecidedError);
    expect(error.message).toBe(
      "creating the API key failed: the connection ended. The API key ak_1 was created, and its secret is lost. " +
        "Deleting it failed: the operation failed: 409: no. Delete it, and run pulumi up again",
    );
    expect(steps).toEqual(["post", "remove ak_1"]);
  });

  test("is deleted after the next creation where it comes that late", async () => {
    const posted: Json[] = [];
    const { create, steps } = process([{ fails: lostAnswer() }], () => {
      // It is hidden from the searches, until the pause before the next attempt.
      if (searches === 2) keys.unshift(posted[0]!);
    });
    const made = create({});
    posted.push(keys.pop()!);
    await made;
    expect(steps).toEqual(["post", "post", "remove ak_1", "update ak_2"]);
    expect(ids()).toEqual(["ak_2"]);
  });

  test("that comes late and cannot be deleted is reported with its mark, and the next one is made", async () => {
    const posted: Json[] = [];
    const { create, failing, lines } = process([{ fails: lostAnswer() }], () => {
      if (searches === 2) keys.unshift(posted[0]!);
    });
    failing.set("remove ak_1", refusal(403));
    const made = create({ metadata: "wanted" });
    posted.push(keys.pop()!);
    expect((await made).answer).toMatchObject({ id: "ak_2", metadata: "wanted" });
    expect(lines.at(-1)).toBe(
      `the operation failed: 403: no. If one of the API keys has the metadata ${String(posted[0]!.metadata)}, ` +
        "delete it: its creation was never answered",
    );
  });
});

describe("a key that a killed process left", () => {
  test("is deleted where its mark names the same resource", async () => {
    keys = [
      { id: "ak_left", metadata: newCreationMark(creationOwner(stamp("own"), "urn:own")) },
      { id: "ak_twin", metadata: newCreationMark(creationOwner(stamp("own"), "urn:twin")) },
      { id: "ak_another", metadata: newCreationMark(creationOwner(stamp("another"), "urn:another")) },
    ];
    const { create, steps } = process([]);
    await create({ metadata: stamp("own") }, creationOwner(stamp("own"), "urn:own"));
    expect(steps).toEqual(["post", "remove ak_left", "update ak_1"]);
    expect(ids()).toEqual(["ak_twin", "ak_another", "ak_1"]);
  });

  test("is reported with the words of its owner where it cannot be looked for", async () => {
    const { create, lines } = process([]);
    listFailures = 1;
    expect((await create({}, "the owner")).id).toBe("ak_1");
    expect(lines).toEqual([
      "searching for the API key of an unanswered create failed: 403: the answer holds no error message of the service. " +
        "If one of the API keys has the metadata … the owner, delete it: its creation was never answered",
    ]);
  });
});

test("errors that say nothing of the answer are thrown as they are", async () => {
  for (const error of [new AnswerError("creating the API key", "no", false), new GatewayError("broken")]) {
    const { create, steps } = process([{ fails: error }]);
    await expect(create({})).rejects.toBe(error);
    expect(steps).toEqual(["post"]);
  }
});
