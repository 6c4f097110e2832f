import { Option } from "commander";
import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import {
  integer,
  previewCommand,
  repeated,
  withFolder,
  withReviewConfig,
  withStacks,
} from "../../shared-options";

export function command(): Command {
  const review = newCommand("review")
    .summary("review a preview: what changes, who gains or loses access, what is interrupted")
    .description(
      `Reads the output of \`${previewCommand}\` and reports which fields change, which changes replace ` +
        "an object, who gains or loses access, what is interrupted, and how many requests the deployment sends. It shows " +
        "no secret. With --stack it lists the online agents and backends that the deployment affects. Several " +
        "previews become one review: what several stacks have in common is one entry with their names.",
    )
    .argument("[files...]", "the previews, one for each stack (default: stdin, also -)")
    .option("--stack <name>", "run the preview of this Pulumi stack");
  return withReviewConfig(withFolder(withStacks(review)))
    .option("--refresh", "with --stack or --stacks: refresh first, and report drift")
    .option("--offline", "with --stack or --stacks: do not read the account")
    .option(
      "--output <format>",
      "terminal, markdown, html, json, sarif or annotations; <format>=<file> writes a file; repeatable (default: terminal)",
      repeated,
    )
    .addOption(
      new Option(
        "--fail-on <severity>",
        "lowest severity of a finding that fails the review: error, warning, note or never (default: error)",
      ).choices(["error", "warning", "note", "never"]),
    )
    .option(
      "--silence <rule=reason>",
      "accept the findings of a rule, or as rule@resource=reason those of one resource, by name, type and name, or " +
        "URN; * matches any text; repeatable",
      repeated,
    )
    .option(
      "--requests-per-minute <number>",
      "the rate limit of the service (default: 120)",
      integer(1, 100_000),
    )
    .option(
      "--error-from-ipv4 <size>",
      "newly allowed IPv4 addresses that are an error: a number or /prefix (default: /16)",
    )
    .option(
      "--error-from-ipv6 <size>",
      "newly allowed IPv6 addresses that are an error: a number or /prefix (default: /32)",
    )
    .option(
      "--clients <file>",
      "a log: which of its clients gain or lose access, by the first address of each line; <file>=<resource> for " +
        "one resource; repeatable",
      repeated,
    )
    .option("--clients-field <name>", "with a log: the member of JSON lines that holds the address")
    .option(
      "--save <file>",
      "write an approval of all reviewed stacks: the writes that deploy --approved lets through",
    )
    .option(
      "--accept-unknown <argument>",
      "with --save: accept any value of an argument that only the deployment knows, such as 'IpPolicy office.description'; " +
        "repeatable",
      repeated,
    )
    .option(
      "--approved <file>",
      "fail for anything that is not in this approval; use it with --refresh, so that drift counts",
    )
    .option(
      "--size-limit <bytes>",
      "the maximum size of the Markdown, at least 2000",
      integer(2_000, 10_000_000),
      65_000,
    )
    .option("--commit <id>", "the commit, which the HTML page names")
    .addOption(new Option("--json").hideHelp())
    .option("--rules", "list the rules and exit")
    .addHelpText("after", help)
    .action(lazily(async () => (await import("./run.js")).run));
}

const help = `
Exit codes:
  0  no finding of the severity of --fail-on or higher
  1  the review or the preview failed
  2  wrong usage of the command
  3  findings of the severity of --fail-on or higher, or a deployment that is not the one of --approved

Examples:
  $ ${previewCommand} | npx pulumi-tunnel-gateway review
  $ npx pulumi-tunnel-gateway review --stack production --refresh
  $ npx pulumi-tunnel-gateway review preview.json --output markdown=comment.md --output annotations --fail-on warning
  $ npx pulumi-tunnel-gateway review preview.json --output html=review.html
  $ npx pulumi-tunnel-gateway review europe.json america.json
  $ npx pulumi-tunnel-gateway review --stacks 'prod-*' --save approval.json
  $ npx pulumi-tunnel-gateway review --stack production --refresh --approved approval.json --fail-on never
  $ npx pulumi-tunnel-gateway review preview.json --output sarif --fail-on never > review.sarif
  $ npx pulumi-tunnel-gateway review preview.json --silence 'hygiene/unused-policy@IpPolicy office=used by the HTTPS edges'`;
