/** What all commands have in common: how they fail, and the options of most of them. */
import { Command, InvalidArgumentError, Option } from "commander";

/** The exit codes of every command. */
export const exitCode = { ok: 0, failure: 1, usage: 2, interrupted: 130 } as const;

/** The command was given in a way that it cannot work. */
export class UsageError extends Error {}

/** A failure that was told already. */
export class ToldFailure extends Error {}

/** A command whose mistakes in use end as exit code 2. */
export function newCommand(name: string): Command {
  return new Command(name).exitOverride().showHelpAfterError("(add --help for what is allowed)");
}

/** Whose account a command works with. */
export interface AccountFlags {
  stack?: string;
  cwd?: string;
}

/** The options of every command that works with an account. */
export function withAccount(command: Command): Command {
  return command
    .option(
      "--stack <name>",
      "take the settings from this Pulumi stack's configuration, then the environment",
    )
    .option("--cwd <folder>", "folder of the Pulumi project that --stack belongs to (default: this one)");
}

export interface OutputFlags {
  json?: boolean;
  showSecrets?: boolean;
}

export function withOutput(command: Command): Command {
  return command.option("--json", "print JSON, for machines");
}

export function withSecrets(command: Command): Command {
  return command.addOption(new Option("--show-secrets", "print secrets in clear instead of [secret]"));
}

/** A whole number in bounds. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** An option that may be given several times. */
export function several(value: string, before: string[] = []): string[] {
  return [...before, value];
}
