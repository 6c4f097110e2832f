import { Chance } from "../worlds/chance";
import { limitMs } from "./until";
import type { Timing } from "../../src/provider/http/timing";

/** Time that passes only when nothing else is left to do, and random numbers that are the same in every run. */
export class VirtualTime implements Timing {
  /** Every pause so far, in milliseconds. */
  readonly pauses: number[] = [];
  private time: number;
  private sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  private readonly chance: Chance;
  private moved = 0;

  constructor(start: string | number = "2030-06-01T12:00:00Z", seed = 1) {
    this.time = new Date(start).getTime();
    this.chance = new Chance(seed);
  }

  now(): number {
    return this.time + this.moved;
  }

  elapsed(): number {
    return this.time;
  }

  /** Sets the clock forward, or back, without that any time passes. */
  moveClock(milliseconds: number): void {
    this.moved += milliseconds;
  }

  sleep(milliseconds: number): Promise<void> {
    this.pauses.push(milliseconds);
    return new Promise((wake) => this.sleepers.push({ until: this.time + milliseconds, wake }));
  }

  /** In real time, as real input and output do not wait for virtual time. */
  after(milliseconds: number, work: () => void): () => void {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  }

  every(milliseconds: number, work: () => void): () => void {
    let isStopped = false;
    const tick = (): void => {
      if (isStopped) return;
      work();
      this.sleepers.push({ until: this.time + milliseconds, wake: tick });
    };
    this.sleepers.push({ until: this.time + milliseconds, wake: tick });
    return () => (isStopped = true);
  }

  random(): number {
    return this.chance.next();
  }

  /** Advances the time until the work is done. `turns`: how long real input and output can take between steps. */
  async run<T>(work: Promise<T>, turns = 10): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    let end = performance.now() + limitMs;
    for (let idle = 0; !isDone;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone || ++idle < turns) continue;
      idle = 0;
      this.sleepers.sort((a, b) => a.until - b.until);
      const next = this.sleepers.shift();
      if (next === undefined) {
        if (performance.now() <= end) continue;
        throw new Error(`The work has not ended after ${limitMs / 1000} s, and no pause of it is left`);
      }
      end = performance.now() + limitMs;
      this.time = Math.max(this.time, next.until);
      next.wake();
    }
    return work;
  }
}
