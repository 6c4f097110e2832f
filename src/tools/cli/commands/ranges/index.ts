import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import { integer, repeated, withOutput } from "../../shared-options";

export function command(): Command {
  return newCommand("ranges")
    .summary("pull published lists of ranges into a lock file")
    .description(
      "Downloads the lists of ranges that ranges.yaml names, checks them, and writes them to ranges.lock.json, from which\n" +
        "programs read them. It sends no key, and changes no account.",
    )
    .addCommand(pull())
    .addCommand(check());
}

function pull(): Command {
  const description =
    "Downloads and checks the sources, and writes the lock file. If one source cannot be used, the lock file stays as it is.";
  return withSources(newCommand("pull").description(description))
    .option(
      "--accept <source>",
      "accept any change and another host of this source; may be repeated",
      repeated,
    )
    .addHelpText("after", pullHelp)
    .action(lazily(async () => (await import("./run.js")).pull));
}

function check(): Command {
  const description =
    "Downloads and checks the sources, and says what a pull would change. It writes nothing.";
  return withSources(newCommand("check").description(description))
    .addHelpText("after", checkHelp)
    .action(lazily(async () => (await import("./run.js")).checkRanges));
}

function withSources(command: Command): Command {
  return withOutput(command)
    .option("--cwd <folder>", "the folder of ranges.yaml and ranges.lock.json (default: the current folder)")
    .option("--timeout <seconds>", "the longest time of a download", integer(1, 3600), 60);
}

const pullHelp = `
Exit codes:
  0  the lock file holds what the sources publish
  1  a source cannot be used, or the lock file cannot be read or written
  2  wrong usage of the command

Example:
  $ npx pulumi-tunnel-gateway ranges pull --cwd network`;

const checkHelp = `
Exit codes:
  0  the lock file holds what the sources publish
  1  a source cannot be used, or the lock file cannot be read
  2  wrong usage of the command
  3  a pull would change the lock file

Example:
  $ npx pulumi-tunnel-gateway ranges check --json`;
