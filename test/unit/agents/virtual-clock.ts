/** A clock that tests move: it goes on to the next waiter once nothing else happens. */
export class VirtualClock {
  private waiters: { at: number; wake: () => void }[] = [];

  constructor(private time = Date.parse("2026-01-01T00:00:00Z")) {}

  readonly now = (): number => this.time;
  readonly elapsed = this.now;

  readonly sleep = (milliseconds: number): Promise<void> =>
    new Promise((wake) => this.waiters.push({ at: this.time + milliseconds, wake }));

  /** Runs the work; `idle` resolves once nothing is under way but waiting. */
  async run<T>(work: Promise<T>, idle: () => Promise<void> = turns): Promise<T> {
    let ended = false;
    const end = work.finally(() => (ended = true));
    end.catch(() => undefined);
    for (;;) {
      await idle();
      if (ended) return end;
      const next = this.waiters.reduce<number>((least, { at }) => Math.min(least, at), Infinity);
      if (next === Infinity) continue;
      this.time = Math.max(this.time, next);
      const due = this.waiters.filter(({ at }) => at <= next);
      this.waiters = this.waiters.filter(({ at }) => at > next);
      for (const { wake } of due) wake();
    }
  }
}

async function turns(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}
