/**
 * Without an engine, Pulumi's SDK prints each warning of a program on the console, where Jest adds the lines of the source and the
 * calls: two thousand times in a run, for nobody. Tests of warnings read them where the engine would.
 */
const { warn } = console;

console.warn = (...texts: unknown[]): void => {
  if (!String(texts[0]).startsWith("warning: [runtime] ")) warn.apply(console, texts);
};
