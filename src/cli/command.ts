/** The shared parts of all commands: how they fail, and the options that most of them have. */
import { Command, InvalidArgumentError, Option } from "commander";

export const exitCode = { ok: 0, failure: 1, usage: 2, findings: 3, interrupted: 130 } as const;

/** The meanings of the exit codes, for the help and docs/cli.md. */
export const exitCodeMeanings: readonly (readonly [code: number, meaning: string])[] = [
  [exitCode.ok, "success; also the emulator after an interrupt"],
  [exitCode.failure, "failure, or a failed check"],
  [exitCode.usage, "wrong usage, or a file that an option names cannot be read"],
  [
    exitCode.findings,
    "findings of review of the severity of --fail-on or a higher one, or another deployment than that of --approved; " +
      "drift: an account differs; access --test: a test fails",
  ],
  [exitCode.interrupted, "interrupted"],
];

/** The command line is wrong. */
export class UsageError extends Error {}

/** A failure that the command has reported already. */
export class ReportedFailure extends Error {}

/** A command whose usage errors end with exit code 2. */
export function newCommand(name: string): Command {
  return new Command(name).exitOverride().showHelpAfterError("(use --help for the allowed arguments)");
}

/** A stack, by its name and the folder of its project. */
export interface StackFlags {
  stack?: string;
  cwd?: string;
}

/** Whose account a command works with. */
export interface AccountFlags extends StackFlags {
  provider?: string;
}

/** The options that choose the stack whose settings a command takes. */
export function withStack(command: Command): Command {
  return command
    .option(
      "--stack <name>",
      "take the settings from this Pulumi stack's configuration, then from the environment",
    )
    .option("--cwd <folder>", "the folder of the stack's Pulumi project (default: the current folder)");
}

/** The options of every command that works with an account. */
export function withAccount(command: Command): Command {
  return withProvider(withStack(command));
}

export function withProvider(command: Command): Command {
  return command.option(
    "--provider <name>",
    "work with the account of this explicit provider of the stack, by its name or URN",
  );
}

/** Throws a UsageError where options that need a stack come without one. */
export function requireStack({ stack, cwd, provider }: AccountFlags): void {
  if (stack !== undefined) return;
  if (cwd !== undefined)
    throw new UsageError("--cwd names the folder of a stack's project, so it needs --stack");
  if (provider !== undefined)
    throw new UsageError("--provider needs --stack <name>, the stack that holds the provider");
}

export interface OutputFlags {
  json?: boolean;
  showSecrets?: boolean;
}

export function withOutput(command: Command): Command {
  return command.option("--json", "print JSON");
}

export function withSecrets(command: Command): Command {
  return command.addOption(new Option("--show-secrets", "print secrets in plaintext instead of [secret]"));
}

export function withFilters(command: Command): Command {
  return command
    .option("--filter <field=value>", "only objects that match; * matches any text; may be repeated", several)
    .option("--limit <number>", "at most this many objects", integer(0, 10_000_000));
}

/** A parser for a whole number from `min` to `max`. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** The parser for an option that may be repeated. */
export function several(value: string, before: string[] = []): string[] {
  return [...before, value];
}
