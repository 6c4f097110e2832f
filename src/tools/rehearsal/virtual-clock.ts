/** Time that passes only while everything waits. So a rehearsal never really waits for the rate limit or a retry. */
import type { Timing } from "../../provider/http/timing";

export class VirtualClock implements Timing {
  private passed = 0;
  private running = 0;
  private isTurning = false;
  private readonly sleeping: { readonly until: number; readonly wake: () => void }[] = [];

  /** @param begins milliseconds since 1970. */
  constructor(private readonly begins: number) {}

  now(): number {
    return this.begins + this.passed;
  }

  elapsed(): number {
    return this.passed;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      this.sleeping.push({ until: this.passed + milliseconds, wake });
      this.turn();
    });
  }

  /** No timer runs out, because an answer comes at once. */
  after(): () => void {
    return () => undefined;
  }

  every(): () => void {
    return () => undefined;
  }

  random(): number {
    return 0.5;
  }

  /** Stops the time while work runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.turn();
    }
  }

  /** Wakes the first sleeper, after all work that needs no time. */
  private turn(): void {
    if (this.isTurning) return;
    this.isTurning = true;
    setImmediate(() => {
      this.isTurning = false;
      if (this.running > 0 || this.sleeping.length === 0) return;
      this.sleeping.sort((a, b) => a.until - b.until);
      const { until, wake } = this.sleeping.shift()!;
      this.passed = Math.max(this.passed, until);
      wake();
      this.turn();
    });
  }
}
