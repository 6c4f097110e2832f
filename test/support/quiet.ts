/**
 * Without an engine, the package prints its diagnostics on the standard output, and Pulumi's SDK each warning of a program on the
 * console, where Jest adds the lines of the source and the calls: two thousand times in a run, for nobody. Tests of warnings read
 * them where the engine would.
 */
const { warn } = console;

console.warn = (...texts: unknown[]): void => {
  if (!String(texts[0]).startsWith("warning: [runtime] ")) warn.apply(console, texts);
};

const { stdout } = process;
const write = stdout.write.bind(stdout);

beforeAll(() => {
  stdout.write = (...args: unknown[]): boolean => {
    const done = args.at(-1);
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
});

// Jest itself prints there where it runs a single file.
afterAll(() => {
  stdout.write = write;
});
