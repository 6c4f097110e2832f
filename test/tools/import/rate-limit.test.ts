/** Imports under a rate limit, in a time that passes only when everything waits for it. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RecordedRequest } from "../../../src/emulator";
import type { Timing } from "../../../src/provider/http/timing";
import { runCommandLine } from "../../support/command-line";
import { PulumiStub } from "../../support/pulumi-stub";
import { VirtualTime } from "../../support/virtual-time";
import { emulators } from "../../support/emulators";
import { temporaryFolder } from "../../support/folders";

const start = emulators();

let mockTime: VirtualTime;
jest.mock("../../../src/provider/http/timing", () => ({
  get realTiming(): Timing {
    return mockTime;
  },
}));

let mockPulumi: PulumiStub;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: (...given: Parameters<PulumiStub["run"]>) => mockPulumi.run(...given),
}));

const objects = 240;
const allowed = 15;

let folder: string;
beforeEach(() => {
  mockTime = new VirtualTime();
  folder = temporaryFolder("rate-limit");
  writeFileSync(join(folder, "Pulumi.yaml"), "name: limited\nruntime: nodejs\n");
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve(__dirname, "../../.."), join(folder, "node_modules/pulumi-tunnel-gateway"));
});

/** The most requests of the service's that came in any of its minutes. */
function most(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));
}

interface Imported {
  stderr: string;
  requests: RecordedRequest[];
  statuses: Set<number>;
}

async function imported(
  options: { requestsPerMinute?: number },
  config: Record<string, string>,
  env: Record<string, string>,
): Promise<Imported> {
  const emulator = await start({ pageSize: 20, now: () => new Date(mockTime.now()), ...options });
  await emulator.seed({
    ip_policies: [...Array(objects).keys()].map((i) => ({ description: `policy ${i}` })),
  });
  mockPulumi = new PulumiStub("limited", {
    "tunnel-gateway:baseUrl": emulator.baseUrl,
    "tunnel-gateway:apiKey": emulator.apiKey,
    ...config,
  });
  const args = ["import", "--run", "--stack", "test", "--only", "IpPolicy", "--cwd", folder];
  const { code, stderr } = await mockTime.run(runCommandLine(args, env));
  if (code !== 0) throw new Error(stderr);
  expect(mockPulumi.resources).toHaveLength(objects);
  const { requests } = emulator;
  return { stderr, requests, statuses: new Set(requests.map(({ status }) => status)) };
}

// Twelve pages, read before the import and checked after it: more than a minute allows.
it("imports at the rate of the service, and says that it waits", async () => {
  const { stderr, requests, statuses } = await imported({ requestsPerMinute: allowed }, {}, {});
  expect(stderr).toMatch(/the service accepts no more requests at the moment .*waiting up to \d+ seconds/);
  expect(statuses).toEqual(new Set([200, 429]));
  const taken = requests.filter(({ status }) => status === 200);
  expect(taken).toHaveLength(24);
});

it.each([
  ["stack's configuration", { "tunnel-gateway:requestsPerMinute": String(allowed) }, {}],
  ["environment", {}, { TUNNEL_GATEWAY_REQUESTS_PER_MINUTE: String(allowed) }],
] as const)("keeps to the ceiling that the %s sets", async (_, config, env) => {
  const { stderr, requests, statuses } = await imported({}, config, env);
  expect(stderr).toMatch(
    new RegExp(`requestsPerMinute allows ${allowed} requests in a minute; waiting up to \\d+ seconds`),
  );
  expect(statuses).toEqual(new Set([200]));
  expect(requests).toHaveLength(24);
  expect(most(requests.map(({ at }) => Date.parse(at)))).toBeLessThanOrEqual(allowed);
});
