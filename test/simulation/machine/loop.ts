/** Virtual time: one event after the other, in an order that the seed decides. Nothing happens at the same time. */
import type { Timing } from "../../../src/provider/http/timing";
import type { Chance } from "../../worlds/chance";

interface Event {
  readonly at: number;
  readonly number: number;
  readonly process: Process | undefined;
  readonly work: () => unknown;
}

/** What can be killed: then nothing of it happens any more. */
export class Process {
  isAlive = true;
  private readonly watchers = new Set<() => void>();

  constructor(readonly name: string) {}

  kill(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    for (const watch of [...this.watchers]) watch();
    this.watchers.clear();
  }

  /** Calls the function when the process is killed, unless the function that it returns is called before. */
  watch(killed: () => void): () => void {
    this.watchers.add(killed);
    return () => void this.watchers.delete(killed);
  }
}

/** Turns of Node's own loop that promises may need without an event; more mean that they wait for nothing. */
const mostTurns = 50;

export class Loop {
  private readonly events: Event[] = [];
  private count = 0;

  constructor(
    private time: number,
    readonly chance: Chance,
  ) {}

  now(): number {
    return this.time;
  }

  /**
   * The work happens after the delay, in milliseconds, unless the process was killed until then or the function that it
   * returns was called.
   */
  after(delay: number, process: Process | undefined, work: () => unknown): () => void {
    const event = { at: this.time + delay, number: this.count++, process, work };
    let i = this.events.length;
    while (i > 0 && isEarlier(this.events[i - 1]!, event)) i--;
    this.events.splice(i, 0, event);
    return () => {
      const at = this.events.indexOf(event);
      if (at >= 0) this.events.splice(at, 1);
    };
  }

  /** A pause of a process: it never ends if the process is killed. */
  sleep(milliseconds: number, process?: Process): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, process, resolve));
  }

  /** Lets things happen until the work is done. Throws where nothing is left to happen before. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    for (let idle = 0; ;) {
      await turn();
      if (isDone) return work;
      if (await this.step()) idle = 0;
      else if (++idle > mostTurns) throw new Error("everything waits, and nothing is left to happen");
    }
  }

  /** Lets everything happen that is left, such as the end of requests whose sender is gone. */
  async settle(): Promise<void> {
    for (let idle = 0; idle < 3;) {
      await turn();
      idle = (await this.step()) ? 0 : idle + 1;
    }
  }

  /** Time and chance as a process of the package has them. */
  timing(process: Process): Timing {
    return {
      now: () => this.time,
      elapsed: () => this.time,
      sleep: (milliseconds) => this.sleep(milliseconds, process),
      after: (milliseconds, work) => this.after(milliseconds, process, work),
      every: (milliseconds, work) => {
        // It keeps nothing alive, like the real one.
        const tick = (): void => {
          if (this.events.length === 0) return;
          work();
          stop = this.after(milliseconds, process, tick);
        };
        let stop = this.after(milliseconds, process, tick);
        return () => stop();
      },
      random: () => this.chance.next(),
    };
  }

  private async step(): Promise<boolean> {
    const event = this.events.pop();
    if (event === undefined) return false;
    // No time passes for what is dead.
    if (event.process?.isAlive === false) return true;
    this.time = Math.max(this.time, event.at);
    await event.work();
    return true;
  }
}

function isEarlier(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.number < b.number);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
