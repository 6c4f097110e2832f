import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measured, repeatedly } from "./review.mjs";
import { codeOf, kindOf, urnOf } from "./states.mjs";

/** The sizes of the published IPv4 ranges of four large clouds, and of the fewest ranges with the same addresses. */
const lists = [
  [7_904, 1_752],
  [49_110, 457],
  [1_109, 97],
  [5_953, 4_063],
];

/**
 * What lists of the sizes of real ones cost as a rule set, each range by itself and summarized: the rules, and requests and
 * seconds at the usual rate limit, as the review of the first deployment and of a change of every hundredth range counts
 * them, and the seconds of that review.
 */
export async function summaryCost(command, folder, runs) {
  const results = [];
  for (const [count, fewest] of lists) {
    const ranges = listOf(count, fewest);
    for (const summarize of [false, true]) {
      const first = await costOf(command, folder, runs, undefined, rulesOf(ranges), summarize);
      const next = await costOf(command, folder, runs, rulesOf(ranges), rulesOf(changed(ranges)), summarize);
      if (summarize && first.requests !== fewest + 1)
        throw new Error(`${count} ranges became ${first.requests - 1} rules instead of ${fewest}`);
      results.push({ count, summarize, rules: first.requests - 1, first, next });
    }
  }
  return results;
}

async function costOf(command, folder, runs, before, after, summarize) {
  const file = join(folder, "summary.json");
  const state = (rules) => {
    const inputs = { ipPolicyId: "ipp_1", rules, summarize };
    const outputs = { ...inputs, __args: Object.keys(inputs) };
    return {
      ...kindOf("IpPolicyRuleSet"),
      id: "ipp_1",
      inputs: { ...inputs, __provider: codeOf("IpPolicyRuleSet") },
      outputs,
    };
  };
  const step = { urn: urnOf("IpPolicyRuleSet", "office"), newState: state(after) };
  const steps = [before ? { ...step, op: "update", oldState: state(before) } : { ...step, op: "create" }];
  writeFileSync(file, JSON.stringify({ steps, changeSummary: {} }));
  const { stdout, seconds } = await repeatedly(runs, { own: command }, (cli) =>
    measured(cli, ["review", file, "--output", "json", "--fail-on", "never"]),
  );
  rmSync(file);
  const { cost } = JSON.parse(stdout);
  return { requests: cost.requests, waiting: cost.seconds, seconds };
}

const rulesOf = (ranges) => Object.fromEntries(ranges.map((range) => [range, "allow"]));

/** Every hundredth range is another one. */
const changed = (ranges) =>
  ranges.map((range, i) => (i % 100 === 50 ? `100.64.${i >> 8}.${i & 255}/32` : range));

/**
 * Ranges that join to as many of /18 that do not touch, each split into halves, one half of these again, and so on; a
 * fourth of the ranges lies inside of another one.
 */
function listOf(count, fewest) {
  const ranges = [];
  for (let i = 0; i < fewest; i++) {
    const own = Math.floor((count * (i + 1)) / fewest) - Math.floor((count * i) / fewest);
    const inside = Math.floor(own / 4);
    const split = own - inside;
    // Of /18 every other one, from 8.0.0.0 on.
    const first = 0x08000000 + i * 0x8000;
    const parts = [{ first, prefix: 18 }];
    while (parts.length < split) {
      const { first: start, prefix } = parts.shift();
      parts.push(
        { first: start, prefix: prefix + 1 },
        { first: start + 2 ** (31 - prefix), prefix: prefix + 1 },
      );
    }
    for (let n = 0; n < inside; n++) parts.push({ first: first + n * 3, prefix: 32 });
    ranges.push(...parts);
  }
  return ranges.map(
    ({ first, prefix }) => `${[24, 16, 8, 0].map((bits) => (first >>> bits) & 255).join(".")}/${prefix}`,
  );
}
