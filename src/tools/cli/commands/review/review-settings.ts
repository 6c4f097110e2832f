/** The settings of a review. The command line overrides the configuration file. */
import { sizeIn, sizesIn } from "../../../access/config-forms";
import { semanticsWith } from "../../../access/semantics";
import { silenceProblems } from "../../../review/config-file";
import type { ReviewOptions } from "../../../review/review";
import type { Severity } from "../../../review/rule";
import { parseSilence } from "../../../review/silence";
import type { Silence } from "../../../review/silence";
import { UsageError } from "../../command";
import { configOf } from "../../input/review-config";

/** The options of `review` that set how it reviews. */
export interface ReviewFlags {
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
  try {
    return {
      ...(errorFromIpv4 !== undefined && { 4: sizeIn("--error-from-ipv4", 4, errorFromIpv4) }),
      ...(errorFromIpv6 !== undefined && { 6: sizeIn("--error-from-ipv6", 6, errorFromIpv6) }),
    };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function silenceOf(text: string): Silence {
  const silence = parseSilence(text);
  if (!silence)
    throw new UsageError(`--silence takes rule=reason or rule@resource=reason, not ${JSON.stringify(text)}`);
  return silence;
}
