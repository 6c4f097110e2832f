/** jest as Stryker runs it, once for each mutant of a part. */
const { projects } = require("../../jest.config.js");
const unit = projects.find(({ displayName }) => displayName === "unit");

module.exports = {
  ...unit,
  rootDir: "../..",
  roots: ["<rootDir>/src", "<rootDir>/test"],
  testEnvironment: require.resolve("./environment.cjs"),
  testMatch: ["<rootDir>/test/mutation/tests.ts"],
  testTimeout: 10_000, // what a mutant keeps waiting ends with it
};
