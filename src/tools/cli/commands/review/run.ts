import { textTable } from "../../../output/document";
import { commentMap } from "../../../map/mermaid";
import { svgOfChanges } from "../../../map/map-page";
import { approvalsText } from "../../../approval/approval";
import { WriteLog } from "../../../approval/write-log";
import { ClientLogs } from "../../../review/client-logs";
import { annotations } from "../../../review/output/annotations";
import { htmlReview, markdown, terminal } from "../../../review/output/forms";
import { json } from "../../../review/output/json-report";
import { sarif } from "../../../review/output/sarif";
import { outcomeOf } from "../../../review/outcome";
import { reviewAll } from "../../../review/review-all";
import type { ReviewResult } from "../../../review/review-all";
import { catalog } from "../../../review/rules/index";
import { UsageError, exitCode, onOptions } from "../../command";
import { targetsOf, write } from "../../files";
import { approvalsIn } from "../../input/approvals";
import { logFilesOf, readingOf } from "../../input/logs";
import { sourcesOf } from "../../input/preview-sources";
import type { SourceFlags } from "../../input/preview-sources";
import { parallelOf } from "../../shared-options";
import { printBlocks } from "../../terminal/output";
import { clear, note, status } from "../../terminal/progress";
import { sizeIn, sizesIn } from "../../../access/config-forms";
import { semanticsWith } from "../../../access/semantics";
import { silenceProblems } from "../../../review/config-file";
import type { ReviewOptions } from "../../../review/review";
import type { Severity } from "../../../output/finding";
import { parseSilence } from "../../../review/silence";
import type { Silence } from "../../../review/silence";
import { configOf } from "../../input/review-config";

interface Flags extends SourceFlags, ReviewFlags {
  output?: string[];
  sizeLimit: number;
  clients?: string[];
  clientsField?: string;
  rules?: boolean;
  /** Other commands have this option. */
  json?: boolean;
  save?: string;
  acceptUnknown?: string[];
  approved?: string;
  commit?: string;
}

export async function run(files: string[], flags: Flags): Promise<void> {
  if (flags.rules) return listRules();
  if (flags.json) throw new UsageError("review has no --json: did you mean --output json?");
  if (flags.clientsField !== undefined && flags.clients === undefined)
    throw new UsageError("--clients-field needs --clients");
  const outputs = targetsOf(formats, flags.output ?? ["terminal"]);
  const options = settingsOf(flags);
  const { approved: file } = flags;
  const approved =
    file === undefined ? undefined : { approvals: await approvalsIn(file), log: new WriteLog(`${file}.log`) };
  const parallel = parallelOf(flags);
  const sources = await sourcesOf(files, flags);
  const has = (wanted: Format): boolean => outputs.some(({ format }) => format === wanted);
  const result = await reviewAll(sources, {
    ...{ options, cwd: flags.cwd, refresh: flags.refresh, offline: flags.offline },
    ...{ approved, approves: approvesIn(flags), logs: logsIn(flags), reporter: { note, status } },
    // Previews in files are read one by one, so only one of them is in memory.
    parallel: flags.stacks === undefined ? 1 : parallel,
    isMany: sources.length > 1 || flags.stacks !== undefined,
    keep: (preview) => ({
      mermaid: has("markdown") ? commentMap(preview, options.semantics) : undefined,
      svg: has("html") ? svgOfChanges(preview, options.semantics) : undefined,
    }),
  }).finally(clear);
  const { review } = result;
  for (const { format, into } of outputs) await write(writers[format](result, flags, into), into);
  if (review.errors.length > 0) {
    if (flags.save !== undefined)
      note(`${flags.save} is not written: a preview that failed cannot be approved`);
    return void (process.exitCode = exitCode.failure);
  }
  if (flags.save !== undefined) {
    await write(approvalsText(result.approvalsOf()), flags.save);
    note(`The approval is written to ${flags.save}`);
  }
  if (outcomeOf(review) === "failed") process.exitCode = exitCode.findings;
}

/** The unknown values that the reviewer accepts; undefined if nothing is approved. */
function approvesIn({ save, acceptUnknown }: Flags): readonly string[] | undefined {
  if (save === undefined && acceptUnknown !== undefined)
    throw new UsageError("--accept-unknown needs --save, the approval in which it counts");
  return save === undefined ? undefined : (acceptUnknown ?? []);
}

/** The logs of --clients. They are checked first, because the previews may take minutes. */
function logsIn({ clients = [], clientsField }: Flags): ClientLogs {
  return new ClientLogs(logFilesOf("--clients", clients), readingOf("--clients", clientsField));
}

const writers = {
  terminal({ review }: ReviewResult, _: Flags, into: string | undefined) {
    const isTerminal = into === undefined && process.stdout.isTTY;
    const columns = isTerminal ? process.stdout.columns : undefined;
    return terminal(review, { isColored: isTerminal && !process.env.NO_COLOR, columns });
  },
  markdown: ({ review, drawings }: ReviewResult, { sizeLimit }: Flags) =>
    markdown(review, sizeLimit, drawings.mermaid),
  html: ({ review, drawings }: ReviewResult, { commit }: Flags) =>
    htmlReview(review, { map: drawings.svg, commit }),
  json: ({ review }: ReviewResult) => json(review),
  sarif: ({ review }: ReviewResult) => sarif(review),
  annotations: ({ review }: ReviewResult) => annotations(review),
};
type Format = keyof typeof writers;
const formats = Object.keys(writers) as Format[];

function listRules(): void {
  const rows = catalog.map(({ id, severity, title }) => [id, severity, title]);
  printBlocks([textTable(["rule", "severity", "title"], rows, "rule")]);
}

interface ReviewFlags {
  cwd?: string;
  config?: string;
  failOn?: Severity | "never";
  silence?: string[];
  requestsPerMinute?: number;
  errorFromIpv4?: string;
  errorFromIpv6?: string;
}

export function settingsOf(flags: ReviewFlags): ReviewOptions & { failOn: Severity | "never" } {
  const config = configOf(flags);
  const silences = (flags.silence ?? []).map(silenceOf);
  const [problem] = silenceProblems(silences);
  if (problem !== undefined) throw new UsageError(`--silence: ${problem}`);
  return {
    failOn: flags.failOn ?? config.failOn ?? "error",
    requestsPerMinute: flags.requestsPerMinute ?? config.requestsPerMinute,
    errorFrom: { ...sizesIn(config.errorFrom ?? {}), ...sizesOf(flags) },
    baseUrls: config.baseUrls,
    silences: [...silences, ...(config.silence ?? [])],
    accessTests: config.accessTests,
    keepAccess: config.keepAccess,
    semantics: semanticsWith(config.semantics),
  };
}

function sizesOf({ errorFromIpv4, errorFromIpv6 }: ReviewFlags): ReviewOptions["errorFrom"] {
  return onOptions(() => ({
    ...(errorFromIpv4 !== undefined && { 4: sizeIn("--error-from-ipv4", 4, errorFromIpv4) }),
    ...(errorFromIpv6 !== undefined && { 6: sizeIn("--error-from-ipv6", 6, errorFromIpv6) }),
  }));
}

function silenceOf(text: string): Silence {
  const silence = parseSilence(text);
  if (!silence)
    throw new UsageError(`--silence takes rule=reason or rule@resource=reason, not ${JSON.stringify(text)}`);
  return silence;
}
