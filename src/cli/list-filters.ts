/** The options that choose objects of a list. */
import type { Command } from "commander";
import { integer, several } from "./command";

export function withFilters(command: Command): Command {
  return command
    .option("--filter <field=value>", "only objects that match; * matches any text; may be repeated", several)
    .option("--limit <number>", "at most this many objects", integer(0, 10_000_000));
}
