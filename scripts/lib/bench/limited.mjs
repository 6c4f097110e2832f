import { Life } from "./life.mjs";
import { gatewayProgram } from "./programs.mjs";
import { startService } from "./service.mjs";
import { makeStack } from "./stack.mjs";

export const perMinute = 120;
const minute = 60_000;

/** Create and refresh of `count` rules where the service takes 120 requests in any 60 seconds. */
export async function underLimit(bench, count, note) {
  const service = await startService(bench.gateway, { requestsPerMinute: perMinute });
  try {
    const own = new Life(await makeStack(bench.cli, bench.gateway, service), gatewayProgram, count, service);
    note(`creating ${count} rules under ${perMinute} requests per minute`);
    const creates = await own.step("up");
    // The rate limiter must consider the account idle by then, or the refresh waits because of the create.
    note("letting the minute run out");
    await new Promise((done) => setTimeout(done, minute + 1000));
    note(`refreshing ${count} rules under ${perMinute} requests per minute`);
    const reads = await own.step("refresh");
    return {
      count,
      perMinute,
      create: { ...own.steps.up, ...taken(creates), pace: paceOf(creates) },
      refresh: { ...own.steps.refresh, ...taken(reads) },
    };
  } finally {
    await service.stop();
  }
}

function taken(requests) {
  const refused = refusedOf(requests);
  return { taken: requests.length - refused, refused };
}

export function refusedOf(requests) {
  return requests.filter(({ status }) => status === 429).length;
}

/**
 * How close the create came to the limit: the earliest time at which the service could have accepted the last
 * request, divided by the time at which it did. Undefined if there were too few requests to reach the limit.
 */
export function paceOf(requests) {
  const times = requests
    .filter(({ status }) => status !== 429)
    .map(({ at }) => Date.parse(at))
    .sort((a, b) => a - b);
  const last = times.length - 1;
  const windows = Math.floor(last / perMinute);
  if (windows < 1) return undefined;
  const [start, before] = [times[0], times[last - windows * perMinute]];
  return (before + windows * minute - start) / (times[last] - start);
}
