/** The confirmation before a command that interrupts agents. */
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { escapeControls } from "../../../schema/text/escape";
import { UsageError } from "../command";

export interface ConfirmFlags {
  yes?: boolean;
}

export function withConfirmation(command: Command): Command {
  return command.option("--yes", "do not ask for confirmation");
}

/** Throws before any work if the question cannot be asked. */
export function requireConfirmable({ yes }: ConfirmFlags): void {
  if (yes || (process.stdin.isTTY && process.stderr.isTTY)) return;
  throw new UsageError("this command asks for confirmation, which needs a terminal: add --yes to confirm it");
}

/** Asks the question. Any answer but yes ends the command as a failure. */
export async function confirm({ yes }: ConfirmFlags, question: string): Promise<void> {
  if (yes) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    if (/^y(es)?$/i.test((await terminal.question(escapeControls(`${question} [y/N] `))).trim())) return;
  } finally {
    terminal.close();
  }
  throw new Error("canceled: nothing was done");
}
