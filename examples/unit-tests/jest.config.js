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
    // The compiler reports arguments of a wrong type before a test runs.
    "\\.ts$": ["ts-jest", { tsconfig }],
    // This dependency checks selectors. It is an ES module, which Node.js can load and Jest cannot.
    "/node_modules/@marcbachmann/.*\\.js$": [
      "ts-jest",
      { tsconfig: { ...tsconfig, allowJs: true }, diagnostics: false },
    ],
  },
  transformIgnorePatterns: ["/node_modules/(?!@marcbachmann/)"],
};
