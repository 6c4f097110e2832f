/** What may be sent again, and how soon. */
import {
  AnswerError,
  ApiError,
  isForeignNotFound,
  isLost,
  isPassing,
  isUnsent,
  TransportError,
} from "../../../src/provider/errors";
import { Blocked } from "../../../src/provider/http/rate-limiter";
import { Budget, rateLimitWindow, retryTimeoutAfter } from "../../../src/provider/http/retry";

const api = (status: number, options: { json?: boolean; retryAfter?: number } = {}) =>
  new ApiError("reading", status, undefined, "no", undefined, {
    own: true,
    json: options.json ?? true,
    retryAfter: options.retryAfter,
  });
const transport = (outcome: TransportError["outcome"], longestRetry?: number) =>
  new TransportError("reading", "the connection ended", outcome, longestRetry);

describe("an error", () => {
  const errors: [string, unknown, string[]][] = [
    ["a connection that broke", transport("broken"), ["lost"]],
    ["a request that was not sent", transport("unsent"), ["unsent"]],
    ["a certificate that is wrong", transport("hopeless"), []],
    ["an unreadable answer to something done", new AnswerError("creating", "it is empty", true), ["lost"]],
    ["an unreadable answer to a read", new AnswerError("reading", "it is empty", false), []],
    ...[502, 503, 504, 520, 524].map((status): [string, unknown, string[]] => [
      `${status}`,
      api(status),
      ["lost"],
    ]),
    ...[408, 500].map((status): [string, unknown, string[]] => [`${status}`, api(status), ["passing"]]),
    ...[400, 401, 403, 404, 409, 429, 501, 505].map((status): [string, unknown, string[]] => [
      `${status}`,
      api(status),
      [],
    ]),
    ["404 that is no JSON", api(404, { json: false }), ["foreign"]],
    ["410 that is no JSON", api(410, { json: false }), ["foreign"]],
    ["403 that is no JSON", api(403, { json: false }), []],
    ["another error", new Error("500"), []],
  ];

  test.each(errors)("%s: what it says of the request", (_, error, kinds) => {
    const found = { lost: isLost, passing: isPassing, unsent: isUnsent, foreign: isForeignNotFound };
    const holding = Object.entries(found).filter(([, holds]) => holds(error));
    expect(holding.map(([kind]) => kind)).toEqual(kinds);
  });

  test("is retried for the time of the operation, or for the shorter time that it has itself", () => {
    expect(retryTimeoutAfter(transport("unsent", 15_000), 300_000)).toBe(15_000);
    expect(retryTimeoutAfter(transport("unsent", 15_000), 10_000)).toBe(10_000);
    expect(retryTimeoutAfter(transport("unsent"), 300_000)).toBe(300_000);
    expect(retryTimeoutAfter(api(503), 300_000)).toBe(300_000);
  });
});

/** A budget in a time that passes with pauses and work alone. */
function budgetOf(milliseconds: number, { random = 1, patience = Infinity } = {}) {
  let now = 1_000_000;
  const pauses: number[] = [];
  const timing = {
    now: () => now,
    elapsed: () => now,
    sleep: (pause: number) => {
      pauses.push(pause);
      now += pause;
      return Promise.resolve();
    },
    after: () => () => undefined,
    every: () => () => undefined,
    random: () => random,
  };
  const budget = new Budget(milliseconds, timing, patience);
  const pass = (time: number) => budget.spend(() => Promise.resolve((now += time)));
  return { budget, pauses, pass };
}

/** Pauses after the error until the budget gives it up. */
async function pausesAfter(error: Error, milliseconds: number, options?: Parameters<typeof budgetOf>[1]) {
  const { budget, pauses } = budgetOf(milliseconds, options);
  for (;;) {
    const end: unknown = await budget.pause(error).catch((reason: unknown) => reason);
    if (end !== undefined) return { pauses, error: end as Error };
  }
}

describe("the pauses between attempts", () => {
  test("double from half a second to half a minute", async () => {
    const { pauses } = await pausesAfter(api(503), 200_000);
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000]);
  });

  test("stay half a minute after however many attempts", async () => {
    const { pauses } = await pausesAfter(api(503), 40_000_000);
    expect(pauses.length).toBeGreaterThan(1200);
    expect(new Set(pauses.slice(6))).toEqual(new Set([30_000]));
  });

  test("are at least half as long, by chance", async () => {
    const { pauses } = await pausesAfter(api(503), 5_000, { random: 0 });
    expect(pauses).toEqual([250, 500, 1000, 2000]);
  });

  test("are as long as the service asks where that is longer", async () => {
    expect((await pausesAfter(api(503, { retryAfter: 3_000 }), 12_000)).pauses).toEqual([3000, 3000, 3000]);
    expect((await pausesAfter(api(503, { retryAfter: 1 }), 1_500)).pauses).toEqual([500, 1000]);
  });

  test("end with the last one that fits, and the error says what was tried", async () => {
    const { error, pauses } = await pausesAfter(api(503), 3_500);
    expect(pauses).toEqual([500, 1000, 2000]);
    expect(error.message).toBe(
      "reading failed: 503: no; given up after 4 attempts in 4 seconds (setting retryTimeout)",
    );
    expect((await pausesAfter(api(503), 1_000)).error.message).toMatch(
      /given up after 2 attempts in 1 second \(/,
    );
    // Without another attempt there is nothing to say about it.
    expect((await pausesAfter(api(503), 499)).error.message).toBe("reading failed: 503: no");
  });

  test("end after five answers that cannot be read, and after three pages of a proxy", async () => {
    const unreadable = await pausesAfter(new AnswerError("reading", "it is empty", false), 300_000);
    expect(unreadable.pauses).toEqual([500, 1000, 2000, 4000]);
    expect((await pausesAfter(api(404, { json: false }), 300_000)).pauses).toEqual([500, 1000]);
  });

  test("end after 15 seconds where the host name has no address", async () => {
    const { pauses, error } = await pausesAfter(transport("unsent", 15_000), 300_000);
    expect(pauses).toEqual([500, 1000, 2000, 4000]);
    expect(error.message).toMatch(
      /given up after 5 attempts in 8 seconds \(sooner than the setting retryTimeout, because waiting seldom helps here\)$/,
    );
  });

  test("end sooner for a command that does not wait as long, and the error says how long a deployment does", async () => {
    const patience = 5_000;
    const { pauses, error } = await pausesAfter(api(503), 300_000, { patience });
    expect(pauses).toEqual([500, 1000, 2000]);
    expect(error.message).toMatch(
      /given up after 4 attempts in 4 seconds \(this command waits no longer; a deployment tries for up to 300 seconds, the setting retryTimeout\)$/,
    );
    expect((await pausesAfter(transport("unsent", 15_000), 300_000, { patience })).error.message).toMatch(
      /\(this command waits no longer; a deployment tries for up to 15 seconds\)$/,
    );
    expect((await pausesAfter(api(503), 3_500, { patience })).error.message).toMatch(
      /in 4 seconds \(setting retryTimeout\)$/,
    );
  });

  test("of a refused rate limit end sooner too", () => {
    const { budget } = budgetOf(300_000, { patience: 5_000 });
    expect(() => budget.waits(5_000 + rateLimitWindow)).not.toThrow();
    expect(() => budget.waits(1)).toThrow(Blocked);
  });

  test("are counted together with the time of the work, also where that fails", async () => {
    const { budget, pauses, pass } = budgetOf(10_000);
    await pass(4_000);
    await expect(budget.spend(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await pass(5_000);
    await budget.pause(api(503));
    expect(pauses).toEqual([500]);
    await expect(budget.pause(api(503))).rejects.toThrow(
      /given up after 2 attempts in 10 seconds \(setting retryTimeout\)$/,
    );
  });

  test("throw what is no Error as it is", async () => {
    const { budget } = budgetOf(600);
    await budget.pause("text");
    await expect(budget.pause("text")).rejects.toBe("text");
  });
});

test("the waits for the rate limit have the time of the operation once more, and a minute", () => {
  const { budget } = budgetOf(10_000);
  budget.waits(30_000);
  budget.waits(10_000 + rateLimitWindow - 30_000);
  expect(() => budget.waits(1)).toThrow(Blocked);
  const { budget: other } = budgetOf(10_000);
  const blocked = (): Blocked | undefined => {
    try {
      other.waits(100_000);
    } catch (error) {
      return error as Blocked;
    }
  };
  expect(blocked()!.milliseconds).toBe(100_000);
});
