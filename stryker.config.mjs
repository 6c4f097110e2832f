/** Mutation tests of the life cycle and the wire mapping, on which users depend most: `npm run mutation`. */
export default {
  mutate: [
    "src/provider/life-cycle/life-cycle.ts",
    "src/provider/life-cycle/changes.ts",
    "src/provider/life-cycle/state.ts",
    "src/provider/wire.ts",
    "src/provider/objects/request-match.ts",
    "src/provider/life-cycle/partial-failure.ts",
    "src/provider/life-cycle/arguments.ts",
    "src/provider/life-cycle/notes.ts",
    "src/provider/life-cycle/outputs.ts",
  ],
  testRunner: "jest",
  // The one file of tests belongs to every mutant: there is nothing to look up.
  jest: { configFile: "test/support/jest.mutation.config.js", enableFindRelatedTests: false },
  coverageAnalysis: "perTest",
  ignoreStatic: true,
  concurrency: 2,
  // A slow machine must not look like a mutant that never ends.
  timeoutMS: 60_000,
  maxTestRunnerReuse: 100, // what jest loads for each run stays in memory
  reporters: ["dots", "json"],
  jsonReporter: { fileName: "coverage/mutation.json" },
  tempDirName: "coverage/stryker",
  thresholds: { high: 97, low: 95, break: 95 },
};
