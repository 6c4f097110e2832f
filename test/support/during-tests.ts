/**
 * What `start` starts before the first test of a file or a block, and `stop` ends after the last one. The result stands for it
 * in hooks and tests.
 */
export function duringTests<T extends object>(
  start: () => Promise<T>,
  stop: (running: T) => Promise<unknown>,
): T {
  let running: T;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => stop(running));
  return new Proxy({} as T, {
    get: (_, name) => {
      const member: unknown = Reflect.get(running, name);
      return typeof member === "function" ? (member.bind(running) as unknown) : member;
    },
  });
}

/** Starts something as often as a test asks for it, and stops each after the test that started it. */
export function duringOneTest<T, Options extends unknown[]>(
  start: (...options: Options) => Promise<T>,
  stop: (running: T) => Promise<unknown>,
): (...options: Options) => Promise<T> {
  const all: T[] = [];
  afterEach(() => Promise.all(all.splice(0).map(stop)));
  return async (...options) => {
    const running = await start(...options);
    all.push(running);
    return running;
  };
}
