/**
 * The projects: `unit`, `cases` and `fuzz` run on the sources; `engine` and `real` run the real Pulumi CLI on the packed
 * package; `full` holds the slow tests of `npm run test:full`, and `night` those that it leaves to the night.
 */
const common = {
  testEnvironment: "node",
  cacheDirectory: "<rootDir>/node_modules/.cache/jest", // jest's default goes with the temporary files of a run
  modulePathIgnorePatterns: ["<rootDir>/coverage/", "<rootDir>/tools/"], // Stryker copies the repository into the first
  transform: { "\\.[jt]s$": "<rootDir>/test/support/translate.cjs" },
  // These are ES modules, which Node can require and jest cannot.
  transformIgnorePatterns: ["/node_modules/(?!(@marcbachmann|@noble|cidr-tools|ip-bigint)/)"],
  moduleNameMapper: {
    "^(\\.{1,2}/.*)\\.js$": "$1", // a dynamic import names the compiled file
    "^pulumi-tunnel-gateway$": "<rootDir>/src/index.ts",
    "^pulumi-tunnel-gateway/emulator$": "<rootDir>/src/emulator/index.ts",
    "^pulumi-tunnel-gateway/native$": "<rootDir>/src/native.ts",
    "^pulumi-tunnel-gateway/provider$": "<rootDir>/src/provider/dynamic/index.ts",
    "^pulumi-tunnel-gateway/testing$": "<rootDir>/src/testing/index.ts",
  },
};

/** What the tests of the packed package share: it is packed and installed once. */
const packed = {
  globalSetup: "<rootDir>/test/support/engine-setup.ts",
  globalTeardown: "<rootDir>/test/support/engine-teardown.ts",
};

const unit = {
  ...common,
  moduleNameMapper: {
    ...common.moduleNameMapper,
    "/typescript-shim$": "<rootDir>/test/support/lazy/typescript.cjs", // of @pulumi/pulumi
    "^@npmcli/arborist$": "<rootDir>/test/support/lazy/arborist.cjs",
    "^\\./automation$": "<rootDir>/test/support/lazy/automation.cjs",
  },
  setupFilesAfterEnv: ["inspector-sessions", "quiet"].map((each) => `<rootDir>/test/support/${each}.ts`),
};

/** The unit tests of which `npm test` takes a few cases and `npm run test:full` more: those with test/support/cases.ts. */
const withCases = [
  "provider/faults/doors",
  "provider/faults/left-out",
  "simulation/way-back",
  "provider/native/import",
  "provider/native/previews",
  "tools/inventory/mixed-doors",
  "tools/review/kept-access-changes",
  "tools/review/merge",
  "provider/schema/formats/robustness",
];

/** Those of which the nightly run alone takes more: what holds for a few random values seldom fails for the next ones. */
const withCasesAtNight = [
  "provider/faults/random",
  "provider/life-cycle/properties/accepted",
  "provider/life-cycle/properties/every-moment",
  "tools/access/properties/few-ranges",
  "provider/life-cycle/properties/life",
  "tools/access/properties/proposal",
  "provider/rule-set/properties/rule-set",
  "provider/rule-set/properties/rule-set-way",
  "provider/life-cycle/properties/secrecy",
  "provider/rule-set/properties/summary",
  "tools/access/properties/unused",
  "provider/life-cycle/properties/wire",
  "tools/access/range-text",
  "tools/review/any-order",
  "tools/review/engine-order",
  "provider/schema/addresses/address-set",
  "tools/import/layout",
  "provider/http/rate-limiters-together",
  "tools/review/access",
  "simulation/rehearsal",
  "simulation/expire",
  "oracle/oracle",
];

const isNight = process.env.TUNNEL_GATEWAY_CASES === "night";
const nightlySeed = Number(process.env.TUNNEL_GATEWAY_SEED ?? 0);

module.exports = {
  coverageProvider: "v8", // Istanbul's counters would end up in the serialized provider
  collectCoverageFrom: ["src/**/*.ts"],
  coverageThreshold: { global: { lines: 95, branches: 90 } },
  projects: [
    {
      ...unit,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: [
        "/node_modules/",
        "/test/engine/",
        "/test/full/",
        "/test/night/",
        "/test/simulation/real/",
        "/test/fuzz/",
      ],
    },
    {
      ...unit,
      displayName: "cases",
      globals: { takesAllCases: true, nightlySeed },
      testMatch: [...withCases, ...(isNight ? withCasesAtNight : [])].map(
        (name) => `<rootDir>/test/${name}.test.ts`,
      ),
    },
    { ...common, ...packed, displayName: "engine", testMatch: ["<rootDir>/test/engine/**/*.test.ts"] },
    {
      ...common,
      ...packed,
      displayName: "night",
      testMatch: ["<rootDir>/test/night/**/*.test.ts"],
    },
    { ...common, ...packed, displayName: "real", testMatch: ["<rootDir>/test/simulation/real/**/*.test.ts"] },
    { ...common, ...packed, displayName: "full", testMatch: ["<rootDir>/test/full/**/*.test.ts"] },
    { ...common, displayName: "fuzz", testMatch: ["<rootDir>/test/fuzz/**/*.test.ts"] },
  ],
  testSequencer: "<rootDir>/test/support/slowest-first.cjs",
  // One real deployment takes seconds, and two cores can run several at the same time.
  testTimeout: 300_000,
};
