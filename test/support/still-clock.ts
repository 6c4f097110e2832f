/** A clock that shows only what a test sets, however slow the test is: the process's own and that of its emulator. */
export class StillClock {
  private readonly start = Date.parse("2030-01-01T00:00:00Z");
  private time = this.start;

  /** Each test of the file begins at the start of 2030. */
  constructor() {
    beforeEach(() => {
      this.time = this.start;
      jest.spyOn(Date, "now").mockImplementation(this.now);
    });
    afterEach(() => jest.restoreAllMocks());
  }

  readonly now = (): number => this.time;
  readonly date = (): Date => new Date(this.time);

  /** Shows the start and so many days. */
  readonly goTo = (days: number): void => {
    this.time = this.start + days * 86_400_000;
  };

  /** A pause that takes no time of the test's. */
  readonly sleep = (milliseconds: number): Promise<void> => {
    this.time += milliseconds;
    return new Promise((resolve) => setImmediate(resolve));
  };
}
