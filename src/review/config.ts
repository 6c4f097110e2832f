/** The configuration of the review: the file `.tunnel-gateway-review.json`. */
import { widths } from "../access/block";
import type { Family } from "../access/block";
import { isRecord, membersOf } from "../schema/unknown";
import { globPattern } from "../text/glob";
import { severities } from "./rule";
import type { Severity } from "./rule";
import { catalog } from "./rules";
import type { Silence } from "./silence";

export const configFile = ".tunnel-gateway-review.json";

export interface ReviewConfig {
  /** Findings of this severity or a higher one fail the review; "never" fails no review. */
  readonly failOn?: Severity | "never";
  /** The rate limit of the service, in requests per minute. */
  readonly requestsPerMinute?: number;
  /** The size from which on a wider access is an error: a number of addresses, or a prefix such as "/8". */
  readonly errorFrom?: { readonly ipv4?: number | string; readonly ipv6?: number | string };
  /** The base URLs that a stack or a new provider may have: any other one is an error. */
  readonly baseUrls?: readonly string[];
  readonly silence?: readonly Silence[];
}

const failOns = [...severities, "never"] as const;

/** Reads the configuration. Throws an Error that says what is wrong. */
export function readConfig(text: string): ReviewConfig {
  const config: unknown = JSON.parse(text);
  if (!isRecord(config)) throw new Error("the file must contain a JSON object");
  const { failOn, requestsPerMinute, errorFrom, baseUrls, silence = [], ...others } = config;
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    throw new Error(
      `unknown setting ${unknown.join(", ")}; the settings are failOn, requestsPerMinute, errorFrom, baseUrls and silence`,
    );
  if (failOn !== undefined && !failOns.some((each) => each === failOn)) {
    throw new Error(`failOn must be one of ${failOns.join(", ")}`);
  }
  if (
    requestsPerMinute !== undefined &&
    !(Number.isInteger(requestsPerMinute) && Number(requestsPerMinute) > 0)
  ) {
    throw new Error("requestsPerMinute must be a positive integer");
  }
  if (errorFrom !== undefined) sizesIn(errorFrom);
  const isUrl = (url: unknown): boolean => typeof url === "string" && URL.canParse(url);
  if (baseUrls !== undefined && !(Array.isArray(baseUrls) && baseUrls.every(isUrl)))
    throw new Error("baseUrls must be a list of URLs, such as https://api.example.com");
  if (!Array.isArray(silence)) throw new Error("silence must be a list of {rule, resource, reason}");
  return { ...(config as ReviewConfig), silence: silence.map(silenceIn) };
}

/** The problems of silences, one sentence each. */
export function silenceProblems(silences: readonly Silence[]): string[] {
  const ids = catalog.map(({ id }) => id);
  return silences.flatMap(({ rule, reason }) => {
    const pattern = globPattern(rule);
    if (!ids.some((id) => pattern.test(id)))
      return `${rule} matches no rule; the rules are ${ids.join(", ")}`;
    return reason.trim() === "" ? `the silence of ${rule} needs a reason` : [];
  });
}

/** The sizes of the setting errorFrom. Throws an Error that says what is wrong. */
export function sizesIn(errorFrom: unknown): Partial<Record<Family, bigint>> {
  const { ipv4, ipv6, ...others } = isRecord(errorFrom) ? errorFrom : { "": errorFrom };
  if (Object.keys(others).length > 0) throw new Error("errorFrom must be {ipv4, ipv6}");
  const size = (name: string, family: Family, value: unknown): object =>
    value === undefined ? {} : { [family]: sizeIn(`errorFrom.${name}`, family, value) };
  return { ...size("ipv4", 4, ipv4), ...size("ipv6", 6, ipv6) };
}

/** A number of addresses, from a number or a prefix. Throws an Error that names the setting. */
export function sizeIn(setting: string, family: Family, value: unknown): bigint {
  const text = String(value);
  const prefix = /^\/(\d{1,3})$/.exec(text)?.[1];
  if (prefix !== undefined && Number(prefix) <= widths[family]) {
    return 1n << BigInt(widths[family] - Number(prefix));
  }
  if (/^[1-9]\d{0,38}$/.test(text)) return BigInt(text);
  throw new Error(`${setting} must be a number of addresses or a prefix from /0 to /${widths[family]}`);
}

function silenceIn(value: unknown): Silence {
  const { rule, resource, reason, ...others } = membersOf(value);
  const hasResource = resource === undefined || typeof resource === "string";
  const isKnown = hasResource && Object.keys(others).length === 0;
  if (typeof rule !== "string" || typeof reason !== "string" || !isKnown) {
    throw new Error("a silence must be {rule, reason} or {rule, resource, reason}, with strings as values");
  }
  const silence = { rule, resource, reason };
  const [problem] = silenceProblems([silence]);
  if (problem !== undefined) throw new Error(problem);
  return silence;
}
