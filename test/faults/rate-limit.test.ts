import { startEmulator } from "../../src/emulator";
import { VirtualTime } from "../support/virtual-time";
import { Plugin } from "./support";

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
