/** Ends the process where a case never ends: a loop of JavaScript leaves no other way to notice. */
import { Worker } from "node:worker_threads";

const textBytes = 64 * 1024;

/** The watchdog's own thread. It reads what the other thread works on from shared memory. */
const script = `
  const { workerData: { shared, text, limitMs } } = require("node:worker_threads");
  const { writeSync } = require("node:fs");
  const state = new Int32Array(shared);
  let last = -1, since = Date.now();
  setInterval(() => {
    const [count, busy, length] = state;
    if (count !== last || busy === 0) { last = count; since = Date.now(); return; }
    if (Date.now() - since < limitMs) return;
    const what = Buffer.from(text).subarray(0, length).toString("utf8");
    writeSync(2, "\\nThe fuzz test hangs for more than " + limitMs + " ms in: " + JSON.stringify(what) + "\\n");
    process.kill(process.pid, "SIGKILL");
  }, 500);
`;

export class Watchdog {
  private readonly state = new Int32Array(new SharedArrayBuffer(12));
  private readonly text = new Uint8Array(new SharedArrayBuffer(textBytes));
  private readonly worker: Worker;

  constructor(limitMs: number) {
    const workerData = { shared: this.state.buffer, text: this.text.buffer, limitMs };
    this.worker = new Worker(script, { eval: true, workerData });
    this.worker.unref();
  }

  /** A case begins. */
  begin(what: string): void {
    this.state[2] = new TextEncoder().encodeInto(what.slice(0, textBytes / 4), this.text).written;
    this.state[1] = 1;
    this.state[0]! += 1;
  }

  /** The case has ended. */
  end(): void {
    this.state[1] = 0;
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}
