/** `main.ts` as the child of a test: outside of jest's sandbox it takes two thirds of the processor time. */
import { fork } from "node:child_process";
import { join } from "node:path";
import type { Found } from "./finding";
import type { Options } from "./main";
import type { Count } from "../worlds/tally";

/** What the worlds had done. */
export interface Done {
  readonly counts: Record<Count, number>;
  /** How often each kind of fault was met. */
  readonly faults: readonly (readonly [kind: string, count: number])[];
  readonly moments: number;
}

/** Runs worlds. Throws the first finding. */
export async function simulated(
  options: Pick<Options, "seed" | "first" | "worlds" | "points">,
): Promise<Done> {
  const execArgv = ["-r", join(__dirname, "../support/typescript.cjs")];
  const child = fork(join(__dirname, "main.ts"), [], { execArgv });
  try {
    return await new Promise<Done>((resolve, reject) => {
      child.on("message", ({ found, failed, done }: { found?: Found; failed?: string; done?: Done }) => {
        if (found) reject(new Error(inWords(found)));
        if (failed !== undefined) reject(new Error(failed));
        if (done) resolve(done);
      });
      child.on("exit", (code, signal) => reject(new Error(`the process ended with ${code ?? signal}`)));
      child.send({ ...options, process: 0, processes: 1 });
    });
  } finally {
    child.kill();
  }
}

const inWords = ({ number, message, test }: Found): string =>
  `world ${number}: ${message}\n\nThe shortest one, as a test:\n${test}`;
