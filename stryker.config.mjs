/** Mutation tests of one part of test/mutation/parts.cjs, which the environment names: `npm run mutation -- --part ranges`. */
import parts from "./test/mutation/parts.cjs";

const part = process.env.TUNNEL_GATEWAY_MUTATION;

export default {
  mutate: parts[part].files,
  testRunner: "jest",
  // The files of tests are the part's: there is nothing to look up.
  jest: { configFile: "test/mutation/jest.config.cjs", enableFindRelatedTests: false },
  coverageAnalysis: "perTest",
  concurrency: 2,
  // A slow machine must not look like a mutant that never ends.
  timeoutMS: 15_000,
  maxTestRunnerReuse: 200, // what jest loads for each run stays in memory
  incremental: true,
  incrementalFile: `coverage/mutation/${part}.incremental.json`,
  // Prints each mutant that no test notices, and the score.
  reporters: ["dots", "clear-text"],
  clearTextReporter: { logTests: false, reportTests: false },
  thresholds: { break: 95 },
  tempDirName: `coverage/stryker/${part}`,
  // What no test of a part reads is not copied.
  ignorePatterns: ["/coverage", "/dist", "/docs", "/examples", "/templates", "/tools"],
};
