import { RateLimiter, retryAfterOf } from "../../../src/provider/http/rate-limiter";
import { cases } from "../../support/cases";
import { VirtualTime } from "../../support/virtual-time";

const perMinute = 120;
const seeds = Array.from({ length: cases(1, 8) }, (_, i) => i + 1);
const minute = 60_000;

type Form = "seconds" | "date" | "none";

/** An account that takes so many requests in any 60 seconds, whoever sends them. */
class Account {
  private recent: number[] = [];
  taken = 0;

  constructor(
    private readonly time: VirtualTime,
    private readonly form: Form,
  ) {}

  /** Undefined when it takes the request, else its Retry-After. */
  ask(): { retryAfter: number | undefined } | undefined {
    const now = this.time.elapsed();
    this.recent = this.recent.filter((at) => at > now - minute);
    if (this.recent.length < perMinute) {
      this.recent.push(now);
      this.taken += 1;
      return undefined;
    }
    const seconds = Math.ceil((this.recent[0]! + minute - now) / 1000);
    if (this.form === "none") return { retryAfter: undefined };
    const text = this.form === "seconds" ? String(seconds) : new Date(now + seconds * 1000).toUTCString();
    return { retryAfter: retryAfterOf(text, undefined, now) };
  }
}

interface Runner {
  /** How many requests it sends. */
  readonly count: number;
  /** How many hooks send them. Default: 8. */
  readonly hooks?: number;
  /** When it starts, in milliseconds. Default: with the others. */
  readonly start?: number;
  /** The work of a hook between two requests, in milliseconds. Default: 50. */
  readonly work?: number;
}

interface Outcome {
  /** How long each took, in seconds. */
  readonly seconds: number[];
  /** How many requests the account accepted in a minute, as a share of what it allows. */
  readonly pace: number;
  /** The longest time in which a process had no request accepted, in seconds. */
  readonly longestIdle: number;
}

/** Runs as many processes, each with a rate limiter of its own, against one account. */
async function together(runners: readonly Runner[], form: Form, seed = 1): Promise<Outcome> {
  const time = new VirtualTime("2030-06-01T12:00:00Z", seed);
  const account = new Account(time, form);
  const start = time.elapsed();
  let longestIdle = 0;
  const run = async ({ count, hooks = 8, start: delay = 0, work = 50 }: Runner): Promise<number> => {
    const jitter = (milliseconds: number) => time.sleep(milliseconds * (0.5 + time.random()));
    await time.sleep(delay + time.random() * 500);
    const begin = time.elapsed();
    const limiter = new RateLimiter(Infinity, time, () => undefined, 360_000);
    let left = count;
    let last = time.elapsed();
    const hook = async (): Promise<void> => {
      while (left-- > 0) {
        for (let isTaken = false, wasRefused = false; !isTaken;) {
          const ticket = await limiter.admit(wasRefused);
          await jitter(10);
          const refusal = account.ask();
          await jitter(10);
          wasRefused = refusal !== undefined;
          if (refusal) limiter.refused(ticket, refusal.retryAfter);
          else {
            isTaken = true;
            longestIdle = Math.max(longestIdle, time.elapsed() - last);
            last = time.elapsed();
            limiter.settled(ticket, true);
          }
        }
        await jitter(work);
      }
    };
    await Promise.all(Array.from({ length: hooks }, hook));
    return (time.elapsed() - begin) / 1000;
  };
  const seconds = await time.run(Promise.all(runners.map(run)), 3);
  const total = (time.elapsed() - start) / 1000;
  const windows = Math.floor((account.taken - 1) / perMinute);
  return { seconds, pace: (windows * 60) / total, longestIdle: longestIdle / 1000 };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

const ten = (runner: Runner): Runner[] => Array.from({ length: 10 }, () => runner);

/** How many hooks each of ten processes has. */
const hooks = [1, 2, 4, 8, 8, 8, 8, 16, 16, 32];

describe.each<Form>(["seconds", "date", "none"])(
  "processes that share an account, Retry-After: %s",
  (form) => {
    test.each<[what: string, runners: Runner[]]>([
      ["with few requests each", ten({ count: 49 })],
      ["with many requests each", ten({ count: 300 })],
      ["whose own work takes longer than their requests", ten({ count: 100, work: 2000 })],
      ["with one hook each", ten({ count: 60, hooks: 1 })],
      ["with different numbers of hooks", hooks.map((number) => ({ count: 100, hooks: number }))],
      ["that start one after the other", hooks.map((_, i) => ({ count: 100, start: i * 7000 }))],
      ["of which one starts late", hooks.map((_, i) => ({ count: 150, start: i === 9 ? 45_000 : 0 }))],
    ])(
      "%s: none fails or waits twice as long as the median, and 90 %% of the pace is used",
      async (_, runners) => {
        for (const seed of seeds) {
          const { seconds, pace, longestIdle } = await together(runners, form, seed);
          expect(pace).toBeGreaterThanOrEqual(0.9);
          expect(Math.max(...seconds)).toBeLessThanOrEqual(2 * median(seconds));
          expect(longestIdle).toBeLessThanOrEqual(190);
        }
      },
    );

    test("a process finds room beside one that has used the whole account for minutes", async () => {
      for (const seed of seeds) {
        const { longestIdle } = await together([{ count: 1500 }, { count: 150, start: 130_000 }], form, seed);
        expect(longestIdle).toBeLessThanOrEqual(70);
      }
    });

    test("none of twenty fails", async () => {
      const runners = [...ten({ count: 60 }), ...ten({ count: 60 })];
      await expect(together(runners, form)).resolves.toMatchObject({
        seconds: expect.any(Array) as number[],
      });
    });
  },
);
