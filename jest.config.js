/**
 * The projects: `unit` and `fuzz` run on the sources; `engine`, `soak` and `real` run the real Pulumi CLI on the packed package; `full`
 * holds the slow tests of `npm run test:full`, among them other compilers, package managers and versions of Pulumi.
 */
const compiler = {
  // `npm run types` checks the types; here each file is only translated.
  tsconfig: {
    ...require("./tsconfig.json").compilerOptions,
    module: "commonjs",
    moduleResolution: "node10",
    ignoreDeprecations: "6.0",
    isolatedModules: true,
    allowJs: true,
    noEmit: false,
    paths: {},
  },
  diagnostics: false,
};

const common = {
  testEnvironment: "node",
  cacheDirectory: "<rootDir>/node_modules/.cache/jest", // jest's default goes with the temporary files of a run
  modulePathIgnorePatterns: ["<rootDir>/coverage/", "<rootDir>/tools/"], // Stryker copies the repository into the first
  transform: { "\\.[jt]s$": ["ts-jest", compiler] },
  // These are ES modules, which Node can require and jest cannot.
  transformIgnorePatterns: ["/node_modules/(?!(@marcbachmann|cidr-tools|ip-bigint)/)"],
  moduleNameMapper: {
    "^(\\.{1,2}/.*)\\.js$": "$1", // a dynamic import names the compiled file
    "^pulumi-tunnel-gateway$": "<rootDir>/src/index.ts",
    "^pulumi-tunnel-gateway/emulator$": "<rootDir>/src/emulator/index.ts",
    "^pulumi-tunnel-gateway/native$": "<rootDir>/src/native-door.ts",
    "^pulumi-tunnel-gateway/provider$": "<rootDir>/src/plugin/index.ts",
    "^pulumi-tunnel-gateway/testing$": "<rootDir>/src/testing/index.ts",
  },
};

/** What the tests of the packed package share: it is packed and installed once. */
const packed = {
  globalSetup: "<rootDir>/test/support/engine-setup.ts",
  globalTeardown: "<rootDir>/test/support/engine-teardown.ts",
};

module.exports = {
  coverageProvider: "v8", // Istanbul's counters would end up in the serialized provider
  collectCoverageFrom: ["src/**/*.ts"],
  projects: [
    {
      ...common,
      displayName: "unit",
      moduleNameMapper: {
        ...common.moduleNameMapper,
        "/typescript-shim$": "<rootDir>/test/support/lazy/typescript.cjs", // of @pulumi/pulumi
        "^@npmcli/arborist$": "<rootDir>/test/support/lazy/arborist.cjs",
        "^\\./automation$": "<rootDir>/test/support/lazy/automation.cjs",
      },
      setupFilesAfterEnv: ["<rootDir>/test/support/inspector-sessions.ts"],
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: [
        "/node_modules/",
        "/test/engine/",
        "/test/full/",
        "/test/soak/",
        "/test/simulation/real/",
        "/test/fuzz/",
      ],
    },
    { ...common, ...packed, displayName: "engine", testMatch: ["<rootDir>/test/engine/**/*.test.ts"] },
    { ...common, ...packed, displayName: "soak", testMatch: ["<rootDir>/test/soak/**/*.test.ts"] },
    { ...common, ...packed, displayName: "real", testMatch: ["<rootDir>/test/simulation/real/**/*.test.ts"] },
    { ...common, ...packed, displayName: "full", testMatch: ["<rootDir>/test/full/**/*.test.ts"] },
    { ...common, displayName: "fuzz", testMatch: ["<rootDir>/test/fuzz/**/*.test.ts"] },
  ],
  // One real deployment takes seconds, and two cores can run several at the same time.
  testTimeout: 300_000,
};
