/** jest as Stryker runs it, once for each mutant. */
const { projects } = require("../../jest.config.js");
const unit = projects.find(({ displayName }) => displayName === "unit");

module.exports = {
  ...unit,
  rootDir: "../..",
  testMatch: ["<rootDir>/test/support/mutation.ts"],
};
