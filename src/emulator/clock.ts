/** The emulator's clock: a source of time and an offset that tests move. */
export class Clock {
  private offset = 0;

  constructor(private readonly source: () => Date = () => new Date()) {}

  now(): Date {
    return new Date(this.source().getTime() + this.offset);
  }

  /** RFC 3339 in UTC with whole seconds. */
  stamp(): string {
    return timestamp(this.now());
  }

  set(time?: Date | string): void {
    if (time === undefined) {
      this.offset = 0;
      return;
    }
    const target = new Date(time).getTime();
    if (Number.isNaN(target)) throw new RangeError("the time must be in RFC 3339");
    this.offset = target - this.source().getTime();
  }

  advance(milliseconds: number): void {
    if (!Number.isFinite(milliseconds))
      throw new RangeError("the milliseconds to advance must be a finite number");
    this.offset += milliseconds;
  }
}

export function timestamp(time: Date): string {
  return time.toISOString().replace(/\.\d{3}Z$/, "Z");
}
