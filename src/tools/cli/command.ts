/** The common parts of all commands: exit codes, errors and the way an action is loaded. */
import { Command } from "commander";

export const exitCode = {
  ok: 0,
  failure: 1,
  usage: 2,
  findings: 3,
  unapproved: 4,
  interrupted: 130,
} as const;

/** The meanings of the exit codes, for the help and docs/cli.md. */
export const exitCodeMeanings: readonly (readonly [code: number, meaning: string])[] = [
  [exitCode.ok, "success; also the emulator after an interrupt"],
  [exitCode.failure, "failure, or a failed check"],
  [exitCode.usage, "wrong usage, or a file that an option names cannot be read"],
  [
    exitCode.findings,
    "findings of review of the severity of --fail-on or a higher one, or another deployment than that of --approved; " +
      "drift: an account differs; drift and access --test: a test fails; ranges check: the file would change; deploy: a write was refused, or left out by a command that succeeded, or its command ended with 3",
  ],
  [exitCode.unapproved, "deploy --unapproved: the command succeeded, and what it sent was not approved"],
  [exitCode.interrupted, "interrupted"],
];

/** The command line is wrong. */
export class UsageError extends Error {}

/** Does work on the options of a command. An error of it is a UsageError. */
export function onOptions<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A failure that the command has reported already. */
export class ReportedFailure extends Error {}

/** A command whose usage errors end with exit code 2. */
export function newCommand(name: string): Command {
  return new Command(name).exitOverride().showHelpAfterError("(use --help for the allowed arguments)");
}

/** The action of a command whose work is in its own module, which is loaded when the command runs. */
export function lazily<A extends unknown[]>(
  load: () => Promise<(...args: A) => Promise<void>>,
): (...args: A) => Promise<void> {
  return async (...args) => (await load())(...args);
}
