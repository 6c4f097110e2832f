/**
 * Jest starts the files that took longest in an earlier run first. In a fresh clone it knows none and takes the largest, so
 * that one that takes minutes might begin last, when the other processors have nothing left to do.
 */
const { default: Sequencer } = require("@jest/test-sequencer");

/** Parts of paths of the files that take longest, the longest first. */
const slowest = [
  "test/night",
  "test/full/documentation.test",
  "test/simulation/real/disturbed",
  "test/full/examples/workflows",
  "test/full/interrupts",
  "test/full/native",
  "test/full/engine/rule-set",
  "test/full/examples",
  "test/full/package",
  "test/full/engine",
  "test/full/stacks",
  "test/full/adopt",
  "test/simulation/real",
  "test/provider/faults/doors",
  "test/full",
  "test/fuzz",
  "test/engine",
  "test/rounds/rounds.test",
  "test/oracle",
  "test/provider/life-cycle/properties",
  "test/simulation",
];

const rank = ({ path }) => {
  const at = slowest.findIndex((part) => path.includes(`/${part}`));
  return at < 0 ? slowest.length : at;
};

module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
};
