import { Blocked, RateLimiter, retryAfterOf } from "../../../src/provider/http/rate-limiter";
import { VirtualTime } from "../../support/virtual-time";
import { failureOf } from "../../support/failure";

/** A service that takes so many requests in any 60 seconds. */
class Service {
  readonly taken: number[] = [];
  refusals = 0;

  constructor(
    private readonly time: VirtualTime,
    private readonly limit: number,
    private readonly form: "seconds" | "date" | "none",
  ) {}

  /** Undefined when it takes the request, else its Retry-After. */
  ask(): { retryAfter: number | undefined } | undefined {
    const now = this.time.now();
    const recent = this.taken.filter((at) => at > now - 60_000);
    if (recent.length < this.limit) {
      this.taken.push(now);
      return undefined;
    }
    this.refusals += 1;
    const seconds = Math.ceil((recent[0]! + 60_000 - now) / 1000);
    if (this.form === "none") return { retryAfter: undefined };
    const text = this.form === "seconds" ? String(seconds) : new Date(now + seconds * 1000).toUTCString();
    return { retryAfter: retryAfterOf(text, undefined, now) };
  }
}

interface Run {
  readonly seconds: number;
  readonly refusals: number;
  readonly lines: string[];
}

/** Sends `count` requests by eight hooks at once, each with some work between its requests. */
async function send(
  count: number,
  options: {
    limit?: number;
    form?: "seconds" | "date" | "none";
    perMinute?: number;
    work?: number;
    others?: number;
  } = {},
): Promise<Run> {
  const time = new VirtualTime();
  const lines: string[] = [];
  const service = new Service(time, options.limit ?? 120, options.form ?? "seconds");
  for (let i = 0; i < (options.others ?? 0); i++) service.ask();
  const pace = new RateLimiter(options.perMinute ?? Infinity, time, (line) => lines.push(line), 360_000);
  const start = time.now();
  let left = count;
  const hook = async (): Promise<void> => {
    while (left-- > 0) {
      for (let isTaken = false, wasRefused = false; !isTaken;) {
        const ticket = await pace.admit(wasRefused);
        await time.sleep(20);
        const refusal = service.ask();
        await time.sleep(20);
        wasRefused = refusal !== undefined;
        if (refusal) pace.refused(ticket, refusal.retryAfter);
        else {
          isTaken = true;
          pace.settled(ticket, true);
        }
      }
      await time.sleep(options.work ?? 0);
    }
  };
  await time.run(Promise.all(Array.from({ length: 8 }, hook)), 3);
  return { seconds: (time.now() - start) / 1000, refusals: service.refusals, lines };
}

describe("the pace of a process", () => {
  // 300 requests under 120 in any minute: 120 at once, 120 after a minute, the rest after another one.
  const ideal = 120;

  test.each(["seconds", "date", "none"] as const)(
    "reaches 95 % of what the service allows, with Retry-After in the form %s",
    async (form) => {
      const { seconds, refusals } = await send(300, { form });
      expect(ideal / seconds).toBeGreaterThanOrEqual(0.95);
      expect(refusals).toBeLessThanOrEqual(40);
    },
  );

  test("reaches 95 % where the engine's own work spreads the requests", async () => {
    // Eight hooks with 500 ms of work each send about 15 in a second.
    const { seconds, refusals } = await send(600, { work: 500 });
    expect((4 * 60 + 8) / seconds).toBeGreaterThanOrEqual(0.95);
    expect(refusals).toBeLessThanOrEqual(60);
  });

  test("finds the limit again after others have used the account", async () => {
    const { seconds } = await send(240, { others: 115 });
    expect(seconds).toBeLessThanOrEqual(2 * 60 + 10);
  });

  test("never goes above the ceiling that the user set, so that nothing is refused", async () => {
    const { seconds, refusals } = await send(240, { perMinute: 100 });
    expect(refusals).toBe(0);
    expect(seconds).toBeGreaterThanOrEqual(120);
    expect(seconds).toBeLessThanOrEqual(122);
  });

  test("tells why it waits, once for a long wait", async () => {
    const { lines } = await send(300);
    expect(lines.length).toBeLessThanOrEqual(6);
    expect(lines[0]).toMatch(
      /^the service accepts no more requests at the moment \(it accepted 12\d in the last minute\); waiting up to \d+ seconds/,
    );
    const own = await send(240, { perMinute: 100 });
    expect(own.lines[0]).toMatch(
      /^the setting requestsPerMinute allows 100 requests in a minute; waiting up to 6\d seconds, then continuing; no action needed$/,
    );
  });

  test("sends at once and tells nothing where nobody objects", async () => {
    const { seconds, lines } = await send(1000, { limit: Infinity });
    expect(seconds).toBeLessThan(6);
    expect(lines).toEqual([]);
  });

  test("pauses longer after each refusal, until the service has taken nothing for too long", async () => {
    const time = new VirtualTime();
    const pace = new RateLimiter(Infinity, time, () => undefined, 120_000);
    const pauses: number[] = [];
    const work = async (): Promise<void> => {
      for (let i = 0; i < 30; i++) pauses.push(pace.refused(await pace.admit(), undefined));
    };
    const error: unknown = await failureOf<unknown>(time.run(work()));
    expect(error).toBeInstanceOf(Blocked);
    expect((error as Blocked).milliseconds).toBeGreaterThan(120_000);
    expect(pauses).toEqual([1000, 2000, 4000, ...Array<number>(15).fill(8000)]);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2030-06-01T12:00:00Z");

  test("is a number of seconds or a date by the service's clock", () => {
    expect(retryAfterOf("7", undefined, now)).toBe(7000);
    expect(retryAfterOf("9".repeat(400), undefined, now)).toBe(365 * 86_400_000);
    expect(retryAfterOf("Sat, 01 Jun 2030 12:00:09 GMT", undefined, now)).toBe(10_000);
    expect(retryAfterOf("Sat, 01 Jun 2030 13:00:09 GMT", "Sat, 01 Jun 2030 13:00:00 GMT", now)).toBe(10_000);
    expect(retryAfterOf("Sat, 01 Jun 2030 11:00:00 GMT", undefined, now)).toBe(0);
  });

  test("says nothing where it is missing or cannot be read", () => {
    for (const value of [undefined, "", "soon", ["1", "2"]]) {
      expect(retryAfterOf(value, undefined, now)).toBeUndefined();
    }
  });
});
