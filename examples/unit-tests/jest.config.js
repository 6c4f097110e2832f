const tsconfig = {
  target: "ES2022",
  module: "commonjs",
  strict: true,
  esModuleInterop: true,
  skipLibCheck: true,
  types: ["node", "jest"],
};

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  transform: {
    // Arguments of a wrong type are told before a test runs.
    "\\.ts$": ["ts-jest", { tsconfig }],
    // It judges selectors, and is an ES module, which Node can load and jest cannot.
    "/node_modules/@marcbachmann/.*\\.js$": [
      "ts-jest",
      { tsconfig: { ...tsconfig, allowJs: true }, diagnostics: false },
    ],
  },
  transformIgnorePatterns: ["/node_modules/(?!@marcbachmann/)"],
};
