/** The rate limiter, request by request: when each may go, and what a refusal changes. */
import { Blocked, RateLimiter, retryAfterOf, type Ticket } from "../../../src/provider/http/rate-limiter";
import { VirtualTime } from "../../support/virtual-time";

/** How long a request counts, in milliseconds. */
const window = 60_300;

function limited({ limit = Infinity, longestWait = 360_000 } = {}) {
  const time = new VirtualTime();
  const lines: string[] = [];
  const limiter = new RateLimiter(limit, time, (line) => lines.push(line), longestWait);
  const begin = time.elapsed();
  const now = (): number => time.elapsed() - begin;
  const take = (): Promise<Ticket> => time.run(limiter.admit(), 2);
  /** So many requests that the service takes, and when each of them went. */
  const taken = async (count: number): Promise<number[]> => {
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      limiter.settled(await take(), true);
      times.push(now());
    }
    return times;
  };
  return { time, lines, limiter, now, take, taken, wait: (ms: number) => time.run(time.sleep(ms), 2) };
}

const blockedBy = (work: () => unknown): number => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(Blocked);
    return (error as Blocked).milliseconds;
  }
  throw new Error("it is not blocked");
};

describe("a request under the user's limit", () => {
  test("goes when the one that it replaces is a minute old", async () => {
    const { taken, wait } = limited({ limit: 2 });
    expect(await taken(1)).toEqual([0]);
    await wait(10_000);
    expect(await taken(3)).toEqual([10_000, window, 10_000 + window]);
  });

  test("goes in the order of asking, but after those that were refused", async () => {
    const { limiter, take, time } = limited({ limit: 1 });
    await take();
    const order: string[] = [];
    const ask = (name: string, wasRefused?: boolean) =>
      limiter.admit(wasRefused).then(() => order.push(name));
    await time.run(Promise.all([ask("a"), ask("b"), ask("refused", true), ask("c")]), 2);
    expect(order).toEqual(["refused", "a", "b", "c"]);
    // One loop serves all that wait.
    expect(time.pauses.length).toBeLessThanOrEqual(4 * 61);
  });

  test("says twice in a minute how long it waits, and never sleeps for longer than a second", async () => {
    const { taken, lines, time } = limited({ limit: 1 });
    await taken(2);
    const why = "the setting requestsPerMinute allows 1 requests in a minute; waiting up to";
    const advice = "seconds, then continuing; no action needed";
    expect(lines).toEqual([`${why} 61 ${advice}`, `${why} 31 ${advice}`]);
    expect(Math.max(...time.pauses)).toBe(1000);
  });
});

describe("a refusal", () => {
  test("lets nothing through for as long as the service asks", async () => {
    const { limiter, take, taken } = limited();
    expect(limiter.refused(await take(), 200)).toBe(200);
    expect(await taken(1)).toEqual([200]);
  });

  test("pauses for a second where the service asks for nothing, and twice as long after each that follows", async () => {
    const { limiter, take, taken, now } = limited();
    const pauses: number[] = [];
    for (const asked of [undefined, 0, 200, 10_000]) pauses.push(limiter.refused(await take(), asked));
    expect(pauses).toEqual([1000, 2000, 4000, 10_000]);
    const [at] = await taken(1);
    expect(at).toBe(17_000);
    // What the service has taken begins the count anew.
    expect(limiter.refused(await take(), undefined)).toBe(1000);
    expect(now()).toBeGreaterThanOrEqual(17_000);
  });

  test("is one for all requests that were under way together", async () => {
    const { limiter, take, wait } = limited();
    const tickets = [await take(), await take(), await take()];
    await wait(20);
    const pauses = tickets.map((ticket) => limiter.refused(ticket, undefined));
    expect(pauses).toEqual([1000, 1000, 1000]);
    expect(limiter.refused(await take(), undefined)).toBe(2000);
  });

  test("counts as a further one although a request before it ended without an answer, or went at the same time", async () => {
    const { limiter, take } = limited();
    limiter.refused(await take(), undefined);
    limiter.settled(await take(), false);
    expect(limiter.refused(await take(), undefined)).toBe(2000);
    const other = limited();
    expect(other.limiter.refused(await other.take(), 0)).toBe(0);
    expect(other.limiter.refused(await other.take(), undefined)).toBe(2000);
  });

  test("learns from the last minute alone what the service takes", async () => {
    const { limiter, take, taken, wait } = limited();
    await taken(10);
    await wait(window);
    limiter.refused(await take(), 0);
    expect(await taken(2)).toEqual([window, window + 1000]);
  });

  test("never shortens the pause that an earlier one asked for", async () => {
    const { limiter, take, taken } = limited();
    const [one, other] = [await take(), await take()];
    limiter.refused(one, 30_000);
    limiter.refused(other, 5_000);
    expect(await taken(1)).toEqual([30_000]);
  });

  test("pauses no longer than until a request of the window leaves it, and at least a second", async () => {
    const { limiter, take, taken, wait, now } = limited();
    await taken(1);
    await wait(50_000);
    const pauses: [number, number][] = [];
    for (let i = 0; i < 4; i++) {
      const ticket = await take();
      pauses.push([now(), limiter.refused(ticket, undefined)]);
    }
    expect(pauses).toEqual([
      [50_000, 1000],
      [51_000, 2000],
      [53_000, 4000],
      [57_000, 3300],
    ]);
    const late = limited();
    await late.taken(1);
    await late.wait(60_000);
    expect(late.limiter.refused(await late.take(), undefined)).toBe(1000);
  });

  test("of an hour or more is asked about again after an hour", async () => {
    const { limiter, take, taken } = limited({ longestWait: 36_000_000 });
    expect(limiter.refused(await take(), 36_000_000)).toBe(36_000_000);
    expect(await taken(1)).toEqual([3_600_000]);
  });

  test("for longer than a request may wait ends all that wait, and those that come after it", async () => {
    const { limiter, take, wait } = limited({ limit: 1, longestWait: 60_000 });
    const ticket = await take();
    const waiting = [limiter.admit(), limiter.admit()].map((each) => each.catch((error: unknown) => error));
    expect(blockedBy(() => limiter.refused(ticket, 60_001))).toBe(60_001);
    for (const error of await Promise.all(waiting)) expect((error as Blocked).milliseconds).toBe(60_001);
    await expect(limiter.admit()).rejects.toThrow("the service accepts no request");
    await wait(1);
    // From now on it is short enough.
    expect((await take()).at).toBe(ticket.at + 60_001);
  });

  test("ends what waits where the service has taken nothing for as long as a request may wait", async () => {
    const { limiter, take, taken, now } = limited({ longestWait: 10_000 });
    await taken(1);
    const refuse = async () => limiter.refused(await take(), 4_000);
    expect([await refuse(), await refuse(), await refuse()]).toEqual([4000, 4000, 4000]);
    const last = await take();
    expect(now()).toBe(12_000);
    expect(blockedBy(() => limiter.refused(last, 4_000))).toBe(12_000);
    const taking = limited({ longestWait: 10_000 });
    for (let i = 0; i < 5; i++) {
      expect(taking.limiter.refused(await taking.take(), 4_000)).toBe(4000);
      await taking.taken(1);
    }
  });

  test("is worth a line from a pause of 2 seconds on, at most every 30 seconds", async () => {
    const short = limited();
    short.limiter.refused(await short.take(), 1_999);
    await short.taken(1);
    expect(short.lines).toEqual([]);
    const { limiter, take, taken, lines } = limited();
    limiter.refused(await take(), 2_000);
    limiter.refused(await take(), 20_000);
    await taken(1);
    expect(lines).toEqual([
      "the service accepts no more requests at the moment (it accepted 0 in the last minute); " +
        "waiting up to 2 seconds, then continuing; no action needed",
    ]);
  });
});

describe("after a refusal", () => {
  /** Ten requests that the service takes, and one that it refuses at the same time. */
  async function full(limit?: number) {
    const limits = limited({ limit });
    await limits.taken(10);
    limits.limiter.refused(await limits.take(), 0);
    return limits;
  }

  test("one request a second tries for more room, and each that succeeds makes twice as much", async () => {
    const { taken } = await full();
    expect(await taken(1 + 2 + 4 + 8)).toEqual([
      1000,
      ...times(2, 2000),
      ...times(4, 3000),
      ...times(8, 4000),
    ]);
  });

  test("one request alone tries, until it is answered", async () => {
    const { limiter, take, time, now } = await full();
    const [other, probe] = [{ at: time.elapsed() }, await take()];
    limiter.settled(other, true);
    let isLater = false;
    const later = limiter.admit().then(() => (isLater = true));
    await time.run(time.sleep(20_000), 2);
    expect(isLater).toBe(false);
    // An answer that says nothing of the limit makes no room, but the next one may try.
    limiter.settled(probe, false);
    await time.run(later, 2);
    expect(now()).toBe(21_000);
  });

  test("tries that are refused are twice as far apart each time, up to 32 seconds", async () => {
    const { limiter, take, now } = await full();
    const tries: number[] = [];
    for (let i = 0; i < 5; i++) {
      const probe = await take();
      tries.push(now());
      limiter.refused(probe, 0);
    }
    expect(tries).toEqual([1000, 3000, 7000, 15_000, 31_000]);
  });

  test("a try that succeeds makes the next ones come after a second again", async () => {
    const { limiter, take, taken, now } = await full();
    limiter.refused(await take(), 0); // at 1 s
    limiter.refused(await take(), 0); // at 3 s
    expect(await taken(1)).toEqual([7000]);
    limiter.refused(await take(), 0); // at 8 s
    expect(now()).toBe(8000);
    await take();
    expect(now()).toBe(10_000);
  });

  test("a burst comes back one by one, over 5 seconds", async () => {
    const { taken } = await full(11);
    const back = Array.from({ length: 10 }, (_, i) => window + i * 500);
    // The user's limit is the most that a try can find.
    expect(await taken(12)).toEqual([1000, ...back, window + 4500]);
  });

  test("at least one request may go, although others use up the account", async () => {
    const { limiter, take, taken } = limited();
    limiter.refused(await take(), 0);
    expect(await taken(3)).toEqual([0, 1000, 2000]);
  });

  const times = (count: number, at: number): number[] => Array<number>(count).fill(at);
});

test("Retry-After may have spaces, asks for a year at most, and needs no valid Date beside it", () => {
  const now = Date.parse("2030-06-01T12:00:00Z");
  expect(retryAfterOf(" 7 ", undefined, now)).toBe(7000);
  expect(retryAfterOf("0", undefined, now)).toBe(0);
  expect(retryAfterOf("  ", undefined, now)).toBeUndefined();
  expect(retryAfterOf("Sat, 01 Jun 2030 12:00:00 GMT", "soon", now)).toBe(1000);
  expect(retryAfterOf("Sat, 01 Jun 2030 12:00:00 GMT", now, now)).toBe(1000);
  expect(retryAfterOf("Fri, 01 Jun 2040 12:00:00 GMT", undefined, now)).toBe(365 * 86_400_000);
  expect(retryAfterOf("120", undefined, now)).toBe(120_000);
  for (const value of ["soon", "", 7]) expect(retryAfterOf(value, undefined, now)).toBeUndefined();
  // Node reads some texts as dates that are none; they are never no number.
  for (const value of ["7 seconds", "seconds 7"]) expect(retryAfterOf(value, undefined, now)).not.toBeNaN();
});
