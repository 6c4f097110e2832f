/** The search for the objects of creates whose answers were lost, over a service that shows what a test says. */
import type { ServerResponse } from "node:http";
import { TransportError, UndecidedError } from "../../../src/provider/errors";
import { equalCreates, LostCreates, secondLook } from "../../../src/provider/life-cycle/lost-creates";
import { declarationOf } from "../../../src/resources/registry";
import type { Json } from "../../../src/schema/json";
import { stampText } from "../../../src/schema/metadata";
import { argumentsFrom } from "../../../src/schema/values";
import { hasty, Plugin } from "../../support/plugin";
import { until } from "../../support/until";
import { serverForTests } from "../../support/servers";

const start = Date.parse("2030-06-01T12:00:00Z");
/** A time so many seconds after the start. */
const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString().replace(".000", "");

/** What the service shows in its lists. */
let shown: Json[];
/** The form of its answers. */
let answer: (response: ServerResponse) => void;
let searches: number;
let pauses: number[];
/** What happens while the package pauses. */
let meanwhile: () => void;
let clock: number;

const listed =
  (headers: Record<string, string> = { date: new Date(start).toUTCString() }) =>
  (response: ServerResponse): void => {
    response.sendDate = false;
    response.writeHead(200, { "content-type": "application/json", ...headers });
    const page = { ip_policies: shown, http_response_backends: shown, backends: shown, next_page_uri: null };
    response.end(JSON.stringify(page));
  };

const server = serverForTests((_, response) => {
  searches += 1;
  answer(response);
});
beforeEach(() => {
  shown = [];
  answer = listed();
  searches = 0;
  pauses = [];
  meanwhile = () => undefined;
  clock = start;
});

/** The creates of one collection in a process whose clock is that of the service. */
function collection(type = "IpPolicy", stampMetadata = false) {
  const timing = {
    ...hasty,
    now: () => clock,
    elapsed: () => clock,
    sleep: (milliseconds: number) => {
      pauses.push(milliseconds);
      meanwhile();
      return Promise.resolve();
    },
  };
  const { baseUrl } = server;
  const plugin = new Plugin({ baseUrl, stampMetadata }, { timing });
  const creates = new LostCreates(declarationOf(type), plugin.http);
  return { creates, lines: plugin.lines };
}

interface Lost {
  readonly args: Json;
  /** Seconds after the start. */
  readonly sentAt?: number;
  readonly isOneEnough?: boolean;
}

/** Loses the answers of creates that were under way together; resolves with the ids of their objects, or the errors. */
async function lose(creates: LostCreates, ...lost: readonly Lost[]): Promise<unknown[]> {
  const ends = await Promise.all(lost.map(() => creates.begin()));
  const searches = lost.map(({ args, sentAt = 0, isOneEnough = false }) => {
    const error = new TransportError("creating the IP policy", "the connection ended", "broken");
    error.sentAt = start + sentAt * 1000;
    return creates.search(argumentsFrom(args), error, isOneEnough);
  });
  for (const end of ends) end();
  const found = await Promise.allSettled(searches);
  return found.map((each) => (each.status === "fulfilled" ? each.value?.id : (each.reason as unknown)));
}

const x = { description: "x" };
const made = (id: string, seconds: number, others: Json = x): Json => ({
  id,
  created_at: at(seconds),
  ...others,
});

describe("an object of a lost create", () => {
  test.each([
    [-2, true],
    [-3, false],
    [30, true],
  ])("that the service made %i seconds after the request, by its own clock: %s", async (seconds, isFound) => {
    shown = [made("ipp_1", seconds)];
    expect(await lose(collection().creates, { args: x })).toEqual([isFound ? "ipp_1" : undefined]);
  });

  test.each([
    [-59, true],
    [-61, false],
  ])("that was made %i seconds after it where no answer shows a time: %s", async (seconds, isFound) => {
    answer = listed({});
    shown = [made("ipp_1", seconds)];
    expect(await lose(collection().creates, { args: x })).toEqual([isFound ? "ipp_1" : undefined]);
  });

  test("is looked for since the first of the equal creates", async () => {
    shown = [made("ipp_1", 0), made("ipp_2", 20)];
    const found = await lose(collection().creates, { args: x, sentAt: 20 }, { args: x, sentAt: 0 });
    expect(found.sort()).toEqual(["ipp_1", "ipp_2"]);
  });

  test("is not one that is older than its request, though another create was lost before", async () => {
    shown = [made("ipp_1", 0), made("ipp_y", 0, { description: "y" })];
    const found = await lose(
      collection().creates,
      { args: x, sentAt: 20 },
      { args: { description: "y" }, sentAt: 0 },
    );
    expect(found).toEqual([undefined, "ipp_y"]);
  });

  test("has an id", async () => {
    shown = [{ created_at: at(0), ...x }];
    expect(await lose(collection().creates, { args: x })).toEqual([undefined]);
  });

  test("is nobody else's: not one that is known, and not one that another lost create got", async () => {
    const { creates } = collection();
    shown = [made("ipp_known", 0)];
    creates.know("ipp_known");
    expect(await lose(creates, { args: x })).toEqual([undefined]);
    shown = [made("ipp_1", 0)];
    expect(await lose(creates, { args: x })).toEqual(["ipp_1"]);
    expect(await lose(creates, { args: x })).toEqual([undefined]);
  });

  test("goes to the create with the most arguments first, which matches the fewest objects", async () => {
    const [some, more] = [{ body: "x" }, { body: "x", statusCode: 404 }];
    shown = [made("bkdhr_1", 0, { body: "x", status_code: 404 })];
    const { creates } = collection("HttpResponseBackend");
    expect(await lose(creates, { args: some }, { args: more })).toEqual([undefined, "bkdhr_1"]);
  });
});

describe("a search", () => {
  test("is repeated once, 2 seconds later, where it lacks the object of one create", async () => {
    shown = [made("ipp_1", 0)];
    meanwhile = () => shown.push(made("ipp_2", 1, { description: "y" }));
    const found = await lose(collection().creates, { args: x }, { args: { description: "y" } });
    expect(found).toEqual(["ipp_1", "ipp_2"]);
    expect([searches, pauses]).toEqual([2, [secondLook]]);
  });

  test("is repeated where one object fits two creates with different arguments", async () => {
    const [some, more] = [{ body: "x" }, { body: "x", statusCode: 404 }];
    shown = [made("bkdhr_more", 0, { body: "x", status_code: 404 })];
    meanwhile = () => shown.push(made("bkdhr_some", 1, { body: "x", status_code: 200 }));
    const { creates } = collection("HttpResponseBackend");
    expect(await lose(creates, { args: some }, { args: more })).toEqual(["bkdhr_some", "bkdhr_more"]);
    expect([searches, pauses]).toEqual([2, [secondLook]]);
  });

  test("is not repeated where it finds all", async () => {
    shown = [made("ipp_1", 0)];
    await lose(collection().creates, { args: x });
    expect([searches, pauses]).toEqual([1, []]);
  });

  test("is not repeated where every create has waited as long as the service asked, and is where one has not", async () => {
    const waited = { args: x, isOneEnough: true };
    await lose(collection().creates, waited, waited);
    expect([searches, pauses]).toEqual([1, []]);
    await lose(collection().creates, waited, { args: x });
    expect([searches, pauses]).toEqual([3, [secondLook]]);
  });

  test("holds up the creates that begin meanwhile, until it has ended", async () => {
    const { creates } = collection();
    const responses: ServerResponse[] = [];
    answer = (response) => responses.push(response);
    shown = [made("ipp_1", 0)];
    const found = lose(creates, { args: x });
    const order: string[] = [];
    await until(() => responses.length > 0);
    const next = creates.begin().then(() => order.push("the next create"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push("the answer");
    listed()(responses[0]!);
    expect(await found).toEqual(["ipp_1"]);
    await next;
    expect(order).toEqual(["the answer", "the next create"]);
  });

  test("waits for the answers of the other creates that are under way", async () => {
    const { creates } = collection();
    const endOther = await creates.begin();
    shown = [made("ipp_1", 0), made("ipp_other", 0)];
    const found = lose(creates, { args: x });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(searches).toBe(0);
    creates.know("ipp_other");
    endOther();
    expect(await found).toEqual(["ipp_1"]);
  });

  test("that fails is the error of every create, which says what to look for, and blocks no later one", async () => {
    answer = (response) => response.writeHead(403, { "content-type": "application/json" }).end("{}");
    const { creates } = collection();
    const errors = await lose(creates, { args: x }, { args: { description: "y" } });
    for (const error of errors) {
      expect(error).toBeInstanceOf(UndecidedError);
      expect((error as Error).message).toContain(
        "because the search for it failed too: searching for the IP policy of an unanswered create failed: 403",
      );
    }
    answer = listed();
    shown = [made("ipp_1", 0)];
    expect(await lose(creates, { args: x })).toEqual(["ipp_1"]);
  });
});

describe("objects that cannot be distinguished", () => {
  const undecided = async (...args: Parameters<typeof lose>): Promise<void> => {
    for (const error of await lose(...args)) {
      expect(error).toBeInstanceOf(UndecidedError);
      expect((error as Error).message).toContain(
        "cannot be distinguished from others: ipp_1, ipp_2 may be it",
      );
    }
  };

  test("are an error that names them where they are more or fewer than the creates", async () => {
    shown = [made("ipp_1", 0), made("ipp_2", 0)];
    await undecided(collection().creates, { args: x });
    await undecided(collection().creates, { args: x }, { args: x }, { args: x });
  });

  test.each([undefined, null, 1, "soon"])(
    "are an error where one of them does not say when it was made: %j",
    async (created_at) => {
      shown = [made("ipp_1", 0), { id: "ipp_2", created_at, ...x }];
      await undecided(collection().creates, { args: x }, { args: x });
    },
  );

  const stamped = { metadata: stampText({ project: "p", stack: "s", name: "n" }), ...x };

  test("are those of the create where the stamp says so: it gets the newest, and the others are reported", async () => {
    shown = [made("ipp_1", -1, stamped), made("ipp_3", 1, stamped), made("ipp_2", 0, stamped)];
    const { creates, lines } = collection("IpPolicy", true);
    expect(await lose(creates, { args: stamped })).toEqual(["ipp_3"]);
    expect(lines).toEqual(["ipp_2, ipp_1: created by an unanswered create of this stack, and not needed"]);
    // They stay what they are for the creates after it.
    expect(await lose(creates, { args: stamped })).toEqual([undefined]);
  });

  test("leave nothing to report where there is one for each create", async () => {
    shown = [made("ipp_1", 0, stamped)];
    const { creates, lines } = collection("IpPolicy", true);
    expect(await lose(creates, { args: stamped })).toEqual(["ipp_1"]);
    expect(lines).toEqual([]);
  });

  test("are an error where a program wrote the text of a stamp itself, or another text with the setting", async () => {
    shown = [made("ipp_1", 0, stamped), made("ipp_2", 0, stamped)];
    await undecided(collection("IpPolicy", false).creates, { args: stamped });
    const own = { metadata: "own", ...x };
    shown = [made("ipp_1", 0, own), made("ipp_2", 0, own)];
    await undecided(collection("IpPolicy", true).creates, { args: own });
  });
});

test("creates are equal in whatever order their arguments are, and lists in theirs alone", () => {
  const creates = [
    { a: 1, b: { c: 1, d: [1, 2] } },
    { b: { d: [1, 2], c: 1 }, a: 1 },
    { a: 1, b: { c: 1, d: [2, 1] } },
    { a: 1, b: "{}", e: 0 },
  ];
  const groups = equalCreates([...creates.keys()], (i) => argumentsFrom(creates[i]!));
  expect(groups).toEqual([[3], [0, 1], [2]]);
});
