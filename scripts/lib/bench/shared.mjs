import { gatewayProgram } from "./programs.mjs";
import { paceOf, perMinute, refusedOf } from "./limited.mjs";
import { startService } from "./service.mjs";
import { makeStack } from "./stack.mjs";
import { median } from "./statistics.mjs";

const rules = 60;

/** `count` processes, each of which creates a policy and its rules in one account that takes 120 requests per minute. */
export async function sharedLimit(bench, count, note) {
  note(`${count} processes that share a rate limit`);
  process.setMaxListeners(process.getMaxListeners() + count); // one for each command that runs
  const service = await startService(bench.gateway, { requestsPerMinute: perMinute });
  try {
    const stacks = [];
    for (let i = 0; i < count; i++) stacks.push(await makeStack(bench.cli, bench.gateway, service));
    stacks[0].write(gatewayProgram(rules));
    const runs = await Promise.allSettled(stacks.map((stack) => stack.run("up", "--yes", "--skip-preview")));
    const seconds = runs.flatMap(({ value }) => value?.seconds ?? []);
    const requests = await service.takeRequests();
    const refused = refusedOf(requests);
    return {
      count,
      rules,
      perMinute,
      failed: count - seconds.length,
      median: median(seconds),
      slowest: Math.max(...seconds),
      taken: requests.length - refused,
      refused,
      pace: paceOf(requests),
    };
  } finally {
    await service.stop();
  }
}
