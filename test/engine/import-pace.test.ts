import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import { tunnelGateway } from "./cli";
import { resources } from "./support";

const objects = 240;
const allowed = 25;

/** The most requests of the service's that came in any of its minutes. */
function most(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));
}

async function imported(
  options: { requestsPerMinute?: number },
  config: Record<string, string>,
  env: Record<string, string> = {},
) {
  const emulator = await EmulatorProcess.start({ pageSize: 20, ...options });
  try {
    await emulator.seed({
      ip_policies: [...Array(objects).keys()].map((i) => ({ description: `policy ${i}` })),
    });
    const program = new Program({ name: "paced", files: {} });
    const stack = await program.stack({ config: { ...emulator.config, ...config } });
    const args = ["import", "--run", "--stack", stack.name, "--only", "IpPolicy"];
    const result = await tunnelGateway(program, stack, args, env);
    if (result.exitCode !== 0) throw new Error(result.stdout + result.stderr);
    expect(result.stdout).toContain("The preview of the stack test shows no change.");
    expect(Object.keys(resources(stack))).toHaveLength(objects);
    const requests = await emulator.requests();
    return { stderr: result.stderr, requests, statuses: new Set(requests.map(({ status }) => status)) };
  } finally {
    await emulator.stop();
  }
}

// Twelve pages, read twice before the import and once after it: more than a minute allows.
it("imports at the pace of the service, and says that it waits", async () => {
  const { stderr, requests, statuses } = await imported({ requestsPerMinute: allowed }, {});
  expect(stderr).toMatch(/the service takes no more requests for now .*waiting up to \d+ seconds/);
  expect(statuses).toEqual(new Set([200, 429]));
  const taken = requests.filter(({ status }) => status === 200);
  expect(taken).toHaveLength(36);
}, 300_000);

it("keeps to the ceiling that the stack's configuration or the environment sets", async () => {
  const runs = await Promise.all([
    imported({}, { "tunnel-gateway:requestsPerMinute": String(allowed) }),
    imported({}, {}, { TUNNEL_GATEWAY_REQUESTS_PER_MINUTE: String(allowed) }),
  ]);
  const told = new RegExp(
    `requestsPerMinute allows ${allowed} requests in a minute; waiting up to \\d+ seconds`,
  );
  for (const { stderr, requests, statuses } of runs) {
    expect(stderr).toMatch(told);
    expect(statuses).toEqual(new Set([200]));
    expect(requests).toHaveLength(36);
    expect(most(requests.map(({ at }) => Date.parse(at)))).toBeLessThanOrEqual(allowed);
  }
}, 300_000);
