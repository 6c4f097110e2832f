/** `npm run simulate -- --real --disturbed` has faults and kills on the real engine, test/provider/faults each fault at each request. */
import { EmulatorProcess } from "../../support/emulator-process";
import { until } from "../../support/until";
import { cjs, doors, resources, stackTrace } from "../../engine/support";

const start = EmulatorProcess.forOneTest();

describe("an up that is interrupted", () => {
  const count = 40;
  const body = `
    const office = new IpPolicy("office");
    for (let i = 0; i < ${count}; i++)
      new IpPolicyRule("rule" + i, { ipPolicyId: office.id, cidr: "10." + i + ".0.0/16", action: "allow" });
    for (let i = 0; i < 8; i++) new ApiKey("key" + i);
  `;

  it.each(doors)(
    "by one SIGINT ends what it began and records it, and the next up does the rest, by the %s door",
    async (door) => {
      const emulator = await start({ latencyMs: 500 });
      const stack = await cjs(body, { door }).stack({ env: emulator.env });
      const running = stack.start(["up", "--yes", "--skip-preview", "--stack", stack.name]);
      const posts = async (): Promise<number> =>
        (await emulator.requests()).filter(({ method }) => method === "POST").length;
      await until(async () => (await posts()) >= 12);
      running.signal("SIGINT");
      const { exitCode, output } = await running.done;
      expect(exitCode).not.toBe(0);
      expect(output).not.toMatch(stackTrace);

      const ids = async (): Promise<unknown[]> => {
        const { ip_policies, ip_policy_rules, api_keys } = await emulator.state();
        return [...ip_policies!, ...ip_policy_rules!, ...api_keys!].map(({ id }) => id).sort();
      };
      const recorded = (): unknown[] =>
        Object.values(resources(stack))
          .map(({ id }) => id)
          .sort();
      const made = await ids();
      expect(made.length).toBeGreaterThanOrEqual(12);
      expect(made.length).toBeLessThan(count);
      expect(recorded()).toEqual(made);
      expect((await stack.exportState()).deployment.pending_operations ?? []).toEqual([]);

      await stack.up();
      expect(recorded()).toHaveLength(1 + count + 8);
      expect(recorded()).toEqual(await ids());
      await stack.previewNoChanges();
    },
  );
});
