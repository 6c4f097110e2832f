import { Option } from "commander";
import type { Command } from "commander";
import { GatewayError } from "../../provider/errors";
import type { AccountFacts } from "../../review/account";
import type { Preview } from "../../stack/preview";
import type { ClientChange } from "../../review/clients";
import type { Approval } from "../../review/approval";
import type { Review } from "../../review/review";
import type { Deployed } from "../../review/rule";
import { InterruptedError } from "../../stack/pulumi";
import { UsageError, exitCode, integer, newCommand, several } from "../command";
import type { PreviewFlags } from "../preview";
import type { ReviewFlags } from "../review-settings";
import { targetsOf, write } from "../options";

interface Flags extends PreviewFlags, ReviewFlags {
  output?: string[];
  sizeLimit: number;
  rules?: boolean;
  clients?: string[];
  clientsField?: string;
  save?: string;
  approved?: string;
}

/** `tunnel-gateway review`. */
export function reviewCommand(): Command {
  return newCommand("review")
    .summary("review a preview: what changes, who gains or loses access, what is interrupted")
    .description(
      "Reads the output of `pulumi preview --json --show-sames` and reports which fields change, what replaces " +
        "an object, who gains or loses access, what is interrupted, and how long the deployment takes. It shows " +
        "no secret. With --stack it lists the online agents and backends that the deployment concerns.",
    )
    .argument("[file]", "the preview (default: stdin, also -)")
    .option("--stack <name>", "run the preview of this Pulumi stack")
    .option("--cwd <folder>", "folder of the Pulumi project of --stack (default: the current folder)")
    .option("--refresh", "with --stack: refresh first, and report drift")
    .option("--offline", "with --stack: do not read the account")
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
      "newly allowed IPv4 addresses that are an error: a number or /prefix (default: /8)",
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
    .option("--save <file>", "write an approval: what was reviewed, for --approved of a later preview")
    .option(
      "--approved <file>",
      "fail for anything that is not in this approval; use it with --refresh, so that drift counts",
    )
    .option("--size-limit <bytes>", "the maximum size of the Markdown", integer(2_000, 10_000_000), 65_536)
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
  $ tunnel-gateway review preview.json --save approval.json
  $ tunnel-gateway review --stack production --refresh --approved approval.json --fail-on never
  $ tunnel-gateway review preview.json --output sarif --fail-on never > review.sarif
  $ tunnel-gateway review preview.json --silence 'hygiene/unused-policy@IpPolicy office=used by the HTTPS edges'`;

async function run(file: string | undefined, flags: Flags): Promise<void> {
  if (flags.rules) return listRules();
  if (flags.clientsField !== undefined && flags.clients === undefined)
    throw new UsageError("--clients-field needs --clients");
  const outputs = targetsOf(formats, flags.output ?? ["terminal"]);
  const { settingsOf } = await import("../review-settings.js");
  const { failOn, ...options } = settingsOf(flags);
  const { previewFrom } = await import("../preview.js");
  const { review, worst } = await import("../../review/review.js");
  const { severities } = await import("../../review/rule.js");
  const approval = flags.approved === undefined ? undefined : await approvalIn(flags.approved);
  const preview = await previewFrom(file, flags);
  const deployed = await deployedBy(flags);
  const account = await accountFacts(preview, deployed, flags);
  const reviewed = review(preview, { ...options, failOn, deployed, account });
  const { approvedReview, isDeviation } = await import("../../review/approved.js");
  const checked = approval ? approvedReview(preview, reviewed, approval) : reviewed;
  const made = flags.clients
    ? { ...checked, clients: await clientsOf(preview, flags.clients, flags) }
    : checked;
  for (const { format, into } of outputs) {
    await write(await form(format, { made, preview }, flags, into), into);
  }
  if (made.errors.length > 0) return void (process.exitCode = exitCode.failure);
  if (flags.save !== undefined) await save(preview, reviewed, flags.save);
  if (made.findings.some(isDeviation)) return void (process.exitCode = exitCode.findings);
  const found = worst(made);
  if (failOn === "never" || found === undefined) return;
  if (severities.indexOf(found) <= severities.indexOf(failOn)) process.exitCode = exitCode.findings;
}

async function clientsOf(
  preview: Preview,
  logs: readonly string[],
  { clientsField }: Flags,
): Promise<ClientChange[]> {
  const { createReadStream } = await import("node:fs");
  const { ClientLog, clientChanges } = await import("../../review/clients.js");
  const changes: ClientChange[] = [];
  for (const each of logs) {
    const [file = "", ...resource] = each.split("=");
    const log = new ClientLog(clientsField);
    try {
      for await (const chunk of createReadStream(file)) log.push(chunk as Buffer);
    } catch (error) {
      throw new GatewayError(`the log could not be read: ${(error as Error).message}`);
    }
    log.end();
    changes.push(...clientChanges(preview, log, resource.length === 0 ? undefined : resource.join("=")));
  }
  return changes;
}

/** The most bytes of an approval: a pull request may have written it. */
const mostBytes = 256 * 1024 * 1024;

async function approvalIn(file: string): Promise<Approval> {
  const { readFile, stat } = await import("node:fs/promises");
  const { readApproval } = await import("../../review/approval.js");
  try {
    if ((await stat(file)).size > mostBytes) throw new GatewayError("it is too large to be an approval");
    return readApproval(await readFile(file, "utf8"));
  } catch (error) {
    throw new GatewayError(`${file}: ${(error as Error).message}`);
  }
}

async function save(preview: Preview, reviewed: Review, file: string): Promise<void> {
  const { approvalOf } = await import("../../review/approval.js");
  await write(`${JSON.stringify(approvalOf(preview, reviewed), undefined, 2)}\n`, file);
}

/** What the state of the stack shows. A review that cannot read it fails: it could not see where the key goes. */
async function deployedBy({ stack, cwd }: Flags): Promise<Deployed | undefined> {
  if (stack === undefined) return undefined;
  const { defaultProvider, readStack } = await import("../../inventory/stack.js");
  // The review of the preview reports ids of no use.
  return { provider: defaultProvider(await readStack({ stack, cwd, note: () => undefined }, false)) };
}

/** What the account shows beside the preview. A review does not fail because the account cannot be read. */
async function accountFacts(
  preview: Preview,
  deployed: Deployed | undefined,
  flags: Flags,
): Promise<AccountFacts | undefined> {
  if (flags.stack === undefined || flags.offline) return undefined;
  const { readFacts } = await import("../../review/account.js");
  const { isSameUrl } = await import("../../review/rules/base-url.js");
  const { connect } = await import("../connect.js");
  const { note } = await import("../progress.js");
  if (deployed?.provider && !isSameUrl(deployed.provider.baseUrl, preview.stackUrl)) {
    note(
      "The account is not read, because its base URL changed since the last deployment: " +
        "nobody has reviewed where the key would go",
    );
    return undefined;
  }
  try {
    return await readFacts(preview, () => connect(flags));
  } catch (error) {
    if (!(error instanceof GatewayError) || error instanceof InterruptedError) throw error;
    note(
      `The account could not be read, so interruption/agents-online and hygiene/no-tunnels are not checked ` +
        `(--offline skips them): ${error.message}`,
    );
    return undefined;
  }
}

const formats = ["terminal", "markdown", "html", "json", "sarif", "annotations"] as const;
type Format = (typeof formats)[number];

interface Reviewed {
  readonly preview: Preview;
  readonly made: Review;
}

async function form(
  format: Format,
  { made, preview }: Reviewed,
  flags: Flags,
  into: string | undefined,
): Promise<string> {
  switch (format) {
    case "terminal": {
      const isTerminal = into === undefined && process.stdout.isTTY;
      const columns = isTerminal ? process.stdout.columns : undefined;
      const { terminal } = await import("../../review/output/terminal.js");
      return terminal(made, isTerminal && !process.env.NO_COLOR, columns);
    }
    case "markdown": {
      const { commentMap } = await import("../../map/mermaid.js");
      const { markdown } = await import("../../review/output/markdown.js");
      return markdown(made, flags.sizeLimit, commentMap(preview));
    }
    case "html": {
      const { svgOfChanges } = await import("../../map/page.js");
      const { htmlReview } = await import("../../review/output/html.js");
      return htmlReview(made, svgOfChanges(preview));
    }
    case "json":
      return (await import("../../review/output/json.js")).json(made);
    case "sarif":
      return (await import("../../review/output/sarif.js")).sarif(made);
    case "annotations":
      return (await import("../../review/output/annotations.js")).annotations(made);
  }
}

async function listRules(): Promise<void> {
  const { catalog } = await import("../../review/rules/index.js");
  const { printTable } = await import("../output.js");
  printTable(
    ["rule", "severity", "title"],
    catalog.map(({ id, severity, title }) => [id, severity, title]),
  );
}
