import { startEmulator } from "../../../src/emulator";
import { RateLimiter } from "../../../src/provider/http/rate-limiter";
import { VirtualTime } from "../../support/virtual-time";
import { Plugin } from "../../support/plugin";
import { servers } from "../../support/servers";

/** Creates 300 rules by eight hooks at once, by a clock of the test's that service and provider share. */
async function create(retryAfter: "seconds" | "none", requestsPerMinute?: number) {
  const time = new VirtualTime();
  const emulator = await startEmulator({
    requestsPerMinute: 120,
    retryAfter,
    now: () => new Date(time.now()),
  });
  try {
    await emulator.seed({ ip_policies: [{ id: "ipp_1" }] });
    const plugin = Plugin.for(emulator, { requestsPerMinute }, { timing: time });
    const start = time.now();
    let next = 0;
    const hook = async (): Promise<void> => {
      for (let i = next++; i < 300; i = next++) {
        await plugin.create("IpPolicyRule", {
          ipPolicyId: "ipp_1",
          cidr: `10.${i >> 8}.${i & 255}.0/24`,
          action: "allow",
        });
      }
    };
    await time.run(Promise.all(Array.from({ length: 8 }, hook)), 60);
    const seconds = (time.now() - start) / 1000;
    const refused = emulator.requests.filter(({ status }) => status === 429).length;
    return { seconds, refused, rules: emulator.snapshot().ip_policy_rules!.length, lines: plugin.lines };
  } finally {
    await emulator.close();
  }
}

// Dates are left out: the server stamps its answers with the real time, which is not the test's.
test.each(["seconds", "none"] as const)(
  "300 rules under 120 requests in any minute are made without a failure at 95 % of the pace, Retry-After: %s",
  async (form) => {
    const { seconds, refused, rules, lines } = await create(form);
    expect(rules).toBe(300);
    // Two windows must pass before the last of 300 can go.
    expect(120 / seconds).toBeGreaterThanOrEqual(0.95);
    expect(refused).toBeLessThanOrEqual(40);
    expect(lines.length).toBeLessThanOrEqual(6);
  },
);

test("with the setting requestsPerMinute nothing is refused at all", async () => {
  const { seconds, refused, rules } = await create("seconds", 120);
  expect({ refused, rules }).toEqual({ refused: 0, rules: 300 });
  expect(120 / seconds).toBeGreaterThanOrEqual(0.95);
});

// Which request goes when: test/provider/http/rate-limiter-steps.test.ts.
describe("a service that asks to wait", () => {
  const start = servers();

  /** Answers GET /<name> with what the function returns: the seconds of a Retry-After, or nothing for a success. */
  async function reading(
    retryAfter: (path: string) => string | undefined,
    work: (read: (name: string) => Promise<unknown>, time: VirtualTime) => Promise<void>,
  ): Promise<number> {
    let requests = 0;
    const { baseUrl } = await start((request, response) => {
      requests += 1;
      const asked = retryAfter(request.url!);
      if (asked === undefined) response.writeHead(200).end('{"id":"ipp_1"}');
      else response.writeHead(429, { "retry-after": asked }).end('{"msg":"slow down"}');
    });
    const time = new VirtualTime();
    const plugin = new Plugin({ baseUrl, requestTimeout: 20 }, { timing: time });
    const read = (name: string) =>
      plugin.http.send({ method: "GET", path: `/${name}`, operation: `reading ${name}` });
    await time.run(work(read, time), 60);
    return requests;
  }

  test.each(["3600", "31536000", "9".repeat(400), "Fri, 01 Jan 2100 00:00:00 GMT"])(
    "for longer than an operation may take (%s) fails the request and all later ones at once, with a message",
    async (asked) => {
      const requests = await reading(
        () => asked,
        async (read, time) => {
          await expect(read("first")).rejects.toThrow(
            /^reading first failed: 429: slow down\. It accepts no request for [\d,]+ hours?; try again later/,
          );
          for (const name of ["second", "third"]) {
            await expect(read(name)).rejects.toThrow(
              new RegExp(
                `^reading ${name} failed: 429: slow down\\. It accepts no request for [\\d,]+ hours?; try again`,
              ),
            );
          }
          expect(time.pauses).toEqual([]);
        },
      );
      expect(requests).toBe(1);
    },
  );

  test("again and again for one object, while others are answered, is given up within the time of the operation", async () => {
    const requests = await reading(
      (path) => (path === "/bad" ? "100" : undefined),
      async (read, time) => {
        const bad = read("bad");
        const others = (async () => {
          for (let i = 0; i < 50; i += 1) {
            await read("good");
            await time.sleep(30_000);
          }
        })();
        await expect(bad).rejects.toThrow(
          /^reading bad failed: 429: slow down\. It accepts no request for 400 seconds/,
        );
        await others;
      },
    );
    expect(requests).toBe(50 + 4);
  });
});

test("a clock that is set back by a year makes no request wait longer", async () => {
  const time = new VirtualTime();
  const limiter = new RateLimiter(2, time, () => undefined, 360_000);
  const start = time.elapsed();
  await time.run(
    (async () => {
      for (let i = 0; i < 4; i += 1) {
        if (i === 1) limiter.refused(await limiter.admit(), 5_000);
        limiter.settled(await limiter.admit(), true);
        time.moveClock(-365 * 86_400_000);
      }
    })(),
  );
  expect(time.elapsed() - start).toBeLessThan(2 * 61_000 + 5_000);
});
