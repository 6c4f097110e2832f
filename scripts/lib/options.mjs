import { parseArgs } from "node:util";

/**
 * Reads the arguments of a task. Prints its options and returns undefined where an argument is wrong.
 * @param options the options by name, each made by a function below.
 */
export function readOptions(task, args, options) {
  try {
    const { values } = parseArgs({ args, options });
    return Object.fromEntries(
      Object.entries(options).map(([name, { read }]) => [
        name,
        values[name] === undefined ? undefined : read(values[name]),
      ]),
    );
  } catch {
    console.log(usageOf(task, options));
    return undefined;
  }
}

/** A number of at least `least`; `byDefault` is its text, as for all options. */
export function wholeNumber(byDefault, what, least = 1) {
  return option(byDefault, what, (text) => wholeNumberIn(text, least), { default: byDefault });
}

/** Numbers between commas. */
export function wholeNumbers(byDefault, what, least = 1) {
  const read = (text) => text.split(",").map((each) => wholeNumberIn(each, least));
  return option(byDefault, what, read, { default: byDefault });
}

/** A number above 0, which may have a fraction. */
export function positiveNumber(byDefault, what) {
  const isRight = (value) => value > 0 && value < Infinity;
  return option(byDefault, what, (text) => checked(Number(text), isRight), { default: byDefault });
}

/** Any text; undefined where it is not given. */
export function text(shown, what) {
  return option(shown, what, (value) => value);
}

/** One of these words; undefined where it is not given. */
export function oneOf(words, what, shown = words.join("|")) {
  return option(shown, what, (value) => checked(value, () => words.includes(value)));
}

/** Whether it is given. */
export function flag(what) {
  return { type: "boolean", default: false, shown: "", what, read: (value) => value };
}

function option(shown, what, read, more) {
  return { type: "string", shown, what, read, ...more };
}

function wholeNumberIn(text, least) {
  return checked(Number(text), (value) => Number.isSafeInteger(value) && value >= least);
}

function checked(value, isRight) {
  if (!isRight(value)) throw new RangeError("an option has a wrong value");
  return value;
}

function usageOf(task, options) {
  const rows = Object.entries(options).map(([name, { shown, what }]) => [`--${name} ${shown}`.trim(), what]);
  const width = Math.max(...rows.map(([start]) => start.length));
  const lines = rows.map(([start, what]) => `  ${start.padEnd(width)}  ${what}`);
  return [`npm run ${task} -- [options]`, ...lines].join("\n");
}
