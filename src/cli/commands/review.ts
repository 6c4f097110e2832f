import { Option } from "commander";
import type { Command } from "commander";
import { readFile, stat } from "node:fs/promises";
import { commentMap } from "../../map/mermaid";
import { svgOfChanges } from "../../map/page";
import { GatewayError } from "../../provider/errors";
import { readApprovals, approvalsText } from "../../review/approval";
import type { Approval } from "../../review/approval";
import { isDeviation } from "../../review/approved";
import { annotations } from "../../review/output/annotations";
import { htmlReview } from "../../review/output/html";
import { json } from "../../review/output/json";
import { markdown } from "../../review/output/markdown";
import { sarif } from "../../review/output/sarif";
import { terminal } from "../../review/output/terminal";
import { worst } from "../../review/review";
import { severities } from "../../review/rule";
import { catalog } from "../../review/rules/index";
import { UsageError, exitCode, integer, newCommand, several } from "../command";
import { requireReadable } from "../input/file";
import { sourcesOf } from "../input/preview";
import { settingsOf } from "../input/review-settings";
import type { ReviewFlags } from "../input/review-settings";
import { withStacks } from "../input/stacks";
import { targetsOf, write } from "../options";
import { printTable } from "../terminal/output";
import { note } from "../terminal/progress";
import type { StackReviewFlags } from "../work/review-stack";
import { reviewAll } from "../work/review-stacks";
import type { ReviewResult } from "../work/review-stacks";

interface Flags extends StackReviewFlags, ReviewFlags {
  output?: string[];
  sizeLimit: number;
  rules?: boolean;
  approved?: string;
}

export function reviewCommand(): Command {
  const command = newCommand("review")
    .summary("review a preview: what changes, who gains or loses access, what is interrupted")
    .description(
      "Reads the output of `pulumi preview --json --show-sames` and reports which fields change, which changes replace " +
        "an object, who gains or loses access, what is interrupted, and how many requests the deployment sends. It shows " +
        "no secret. With --stack it lists the online agents and backends that the deployment affects. Several " +
        "previews become one review: what several stacks have in common is one entry with their names.",
    )
    .argument("[files...]", "the previews, one for each stack (default: stdin, also -)")
    .option("--stack <name>", "run the preview of this Pulumi stack");
  return withStacks(command)
    .option("--cwd <folder>", "folder of the Pulumi project of --stack (default: the current folder)")
    .option("--refresh", "with --stack or --stacks: refresh first, and report drift")
    .option("--offline", "with --stack or --stacks: do not read the account")
    .option(
      "--output <format>",
      "terminal, markdown, html, json, sarif or annotations; <format>=<file> writes a file; repeatable (default: terminal)",
      several,
    )
    .addOption(
      new Option(
        "--fail-on <severity>",
        "lowest severity of a finding that fails the review: error, warning, note or never (default: error)",
      ).choices(["error", "warning", "note", "never"]),
    )
    .option(
      "--silence <rule=reason>",
      "accept the findings of a rule; rule@resource=reason accepts those of one resource, by name, type and name, or " +
        "URN; * matches any text; repeatable",
      several,
    )
    .option("--config <file>", "the configuration file (default: .tunnel-gateway-review.json, if it exists)")
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
      "a log: which of its clients gain or lose access, by the first address of each line; <file>=<resource> if it is " +
        "the log of one resource; repeatable",
      several,
    )
    .option("--clients-field <name>", "with --clients: the member of JSON lines that holds the address")
    .option("--save <file>", "write an approval of all reviewed stacks, for --approved of a later preview")
    .option(
      "--approved <file>",
      "fail for anything that is not in this approval; use it with --refresh, so that drift counts",
    )
    .option(
      "--size-limit <bytes>",
      "the maximum size of the Markdown, at least 2000",
      integer(2_000, 10_000_000),
      65_536,
    )
    .option("--rules", "list the rules and exit")
    .addHelpText("after", help)
    .action(run);
}

const help = `
Exit codes:
  0  no finding of the severity of --fail-on or higher
  1  the review or the preview failed
  2  wrong usage of the command
  3  findings of the severity of --fail-on or higher, or a deployment that is not the one of --approved

Examples:
  $ pulumi preview --json --show-sames | tunnel-gateway review
  $ tunnel-gateway review --stack production --refresh
  $ tunnel-gateway review preview.json --output markdown=comment.md --output annotations --fail-on warning
  $ tunnel-gateway review preview.json --output html=review.html
  $ tunnel-gateway review europe.json america.json
  $ tunnel-gateway review --stacks 'prod-*' --save approval.json
  $ tunnel-gateway review --stack production --refresh --approved approval.json --fail-on never
  $ tunnel-gateway review preview.json --output sarif --fail-on never > review.sarif
  $ tunnel-gateway review preview.json --silence 'hygiene/unused-policy@IpPolicy office=used by the HTTPS edges'`;

async function run(files: string[], flags: Flags): Promise<void> {
  if (flags.rules) return listRules();
  if (flags.clientsField !== undefined && flags.clients === undefined)
    throw new UsageError("--clients-field needs --clients");
  const outputs = targetsOf(formats, flags.output ?? ["terminal"]);
  const { failOn, ...options } = settingsOf(flags);
  const approvals = flags.approved === undefined ? undefined : await approvalsIn(flags.approved);
  const sources = await sourcesOf(files, flags);
  const has = (wanted: Format): boolean => outputs.some(({ format }) => format === wanted);
  const result = await reviewAll(sources, {
    ...{ options: { ...options, failOn }, flags, approvals },
    isMany: sources.length > 1 || flags.stacks !== undefined,
    keep: (preview) => ({
      mermaid: has("markdown") ? commentMap(preview) : undefined,
      svg: has("html") ? svgOfChanges(preview) : undefined,
    }),
  });
  const { made } = result;
  for (const { format, into } of outputs) await write(writers[format](result, flags, into), into);
  if (made.errors.length > 0) {
    if (flags.save !== undefined)
      note(`${flags.save} is not written: a preview that failed cannot be approved`);
    return void (process.exitCode = exitCode.failure);
  }
  if (flags.save !== undefined) await write(approvalsText(result.approvalsOf()), flags.save);
  if (made.findings.some(isDeviation)) return void (process.exitCode = exitCode.findings);
  const found = worst(made);
  if (failOn === "never" || found === undefined) return;
  if (severities.indexOf(found) <= severities.indexOf(failOn)) process.exitCode = exitCode.findings;
}

/** The most bytes of an approval: a pull request may have written it. */
const mostBytes = 256 * 1024 * 1024;

async function approvalsIn(file: string): Promise<Approval[]> {
  requireReadable("--approved", file);
  try {
    if ((await stat(file)).size > mostBytes) throw new GatewayError("it is too large to be an approval");
    return readApprovals(await readFile(file, "utf8"));
  } catch (error) {
    throw new GatewayError(`${file}: ${(error as Error).message}`);
  }
}

const writers = {
  terminal({ made }: ReviewResult, _: Flags, into: string | undefined) {
    const isTerminal = into === undefined && process.stdout.isTTY;
    const columns = isTerminal ? process.stdout.columns : undefined;
    return terminal(made, isTerminal && !process.env.NO_COLOR, columns);
  },
  markdown: ({ made, drawings }: ReviewResult, { sizeLimit }: Flags) =>
    markdown(made, sizeLimit, drawings.mermaid),
  html: ({ made, drawings }: ReviewResult) => htmlReview(made, drawings.svg),
  json: ({ made }: ReviewResult) => json(made),
  sarif: ({ made }: ReviewResult) => sarif(made),
  annotations: ({ made }: ReviewResult) => annotations(made),
};
type Format = keyof typeof writers;
const formats = Object.keys(writers) as Format[];

function listRules(): void {
  printTable(
    ["rule", "severity", "title"],
    catalog.map(({ id, severity, title }) => [id, severity, title]),
  );
}
