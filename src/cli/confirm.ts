import { createInterface } from "node:readline/promises";
import { UsageError } from "./command";

export interface ConfirmFlags {
  yes?: boolean;
}

/** Fails before anything is done where a question must be asked and nobody can answer it. */
export function canConfirm({ yes }: ConfirmFlags): void {
  if (yes || (process.stdin.isTTY && process.stderr.isTTY)) return;
  throw new UsageError("this stops an agent, and here is no terminal to ask on: add --yes to confirm it");
}

/** Asks; anything but a yes ends the command as a failure. */
export async function confirm({ yes }: ConfirmFlags, question: string): Promise<void> {
  if (yes) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    if (/^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())) return;
  } finally {
    terminal.close();
  }
  throw new Error("nothing was done");
}
