/** The configuration of the review: the file `.tunnel-gateway-review.json`. */
import { blockOf, widths } from "../access/block";
import type { Family } from "../access/block";
import { expectations } from "../access/tests";
import type { AccessTest } from "../access/tests";
import { semanticsNames, semanticsValues, unknownSemantics } from "../access/semantics";
import type { Semantics } from "../access/semantics";
import { problem as rangeProblem } from "../schema/formats/cidr";
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
  /** What the team has verified about what the specification leaves open. */
  readonly semantics?: Partial<Semantics>;
  readonly silence?: readonly Silence[];
  /** What must always hold about who gets in. */
  readonly accessTests?: readonly AccessTest[];
}

const failOns = [...severities, "never"] as const;

/** Reads the configuration. Throws an Error that says what is wrong. */
export function readConfig(text: string): ReviewConfig {
  const config: unknown = JSON.parse(text);
  if (!isRecord(config)) throw new Error("the file must contain a JSON object");
  const {
    failOn,
    requestsPerMinute,
    errorFrom,
    baseUrls,
    semantics,
    silence = [],
    accessTests = [],
    ...others
  } = config;
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    throw new Error(
      `unknown setting ${unknown.join(", ")}; the settings are failOn, requestsPerMinute, errorFrom, baseUrls, semantics, silence and accessTests`,
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
  if (semantics !== undefined) semanticsIn(semantics);
  return {
    ...(config as ReviewConfig),
    silence: silencesIn(silence),
    accessTests: accessTestsIn(accessTests),
  };
}

const ruleIds = catalog.map(({ id }) => id);

/** The problems of silences, one sentence each. */
export function silenceProblems(silences: readonly Silence[], ids: readonly string[] = ruleIds): string[] {
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

/** The setting semantics. Throws an Error that says what is wrong. */
export function semanticsIn(given: unknown): Semantics {
  const names = semanticsNames.join(", ");
  if (!isRecord(given)) throw new Error(`semantics must be {${names}}`);
  for (const [name, value] of Object.entries(given)) {
    const known = semanticsNames.find((each) => each === name);
    if (known === undefined) throw new Error(`semantics must be {${names}}, not ${name}`);
    const values: readonly string[] = semanticsValues[known];
    if (!values.some((each) => each === value))
      throw new Error(`semantics.${name} must be one of ${values.join(", ")}`);
  }
  return { ...unknownSemantics, ...given };
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

/** The silences, if they are valid. Throws an Error that says what is wrong. */
export function silencesIn(silences: unknown, ids = ruleIds): Silence[] {
  if (!Array.isArray(silences)) throw new Error("silence must be a list of {rule, resource, reason}");
  return silences.map((each) => silenceIn(each, ids));
}

function silenceIn(value: unknown, ids: readonly string[]): Silence {
  const { rule, resource, reason, ...others } = membersOf(value);
  const hasResource = resource === undefined || typeof resource === "string";
  const isKnown = hasResource && Object.keys(others).length === 0;
  if (typeof rule !== "string" || typeof reason !== "string" || !isKnown) {
    throw new Error("a silence must be {rule, reason} or {rule, resource, reason}, with strings as values");
  }
  const silence = { rule, resource, reason };
  const [problem] = silenceProblems([silence], ids);
  if (problem !== undefined) throw new Error(problem);
  return silence;
}

/** A pull request may write the configuration, so everything in it has a limit. */
const [mostTests, mostRanges, mostCharacters] = [10_000, 100_000, 1_000];

/** The access tests, if they are valid. Throws an Error that says what is wrong. */
export function accessTestsIn(tests: unknown): AccessTest[] {
  if (!Array.isArray(tests)) throw new Error("accessTests must be a list of {resource, …}");
  if (tests.length > mostTests) throw new Error(`accessTests has more than ${mostTests} tests`);
  return tests.map(accessTestIn);
}

function accessTestIn(value: unknown, index: number): AccessTest {
  const where = `accessTests[${index}]`;
  const { resource, ...given } = membersOf(value);
  if (typeof resource !== "string" || resource.trim() === "" || resource.length > mostCharacters) {
    throw new Error(`${where}.resource must be a name of at most ${mostCharacters} characters`);
  }
  const names = Object.keys(given);
  const unknown = names.filter((name) => !expectations.some((each) => each === name));
  if (names.length === 0 || unknown.length > 0) {
    const found = unknown.length > 0 ? `, not ${unknown.join(", ")}` : "";
    throw new Error(`${where} must have one or more of ${expectations.join(", ")}${found}`);
  }
  for (const name of names) rangesIn(`${where}.${name}`, given[name]);
  return { ...given, resource: resource.trim() };
}

function rangesIn(where: string, ranges: unknown): void {
  if (!Array.isArray(ranges) || ranges.length > mostRanges) {
    throw new Error(`${where} must be a list of at most ${mostRanges} addresses and ranges`);
  }
  // An empty list would test nothing, except that nobody is allowed.
  if (ranges.length === 0 && !where.endsWith("onlyFrom")) throw new Error(`${where} is empty`);
  for (const range of ranges as unknown[]) {
    if (typeof range !== "string") throw new Error(`${where} must be a list of texts`);
    if (!blockOf(range)) throw new Error(`${where}: ${rangeProblem(range)}`);
  }
}
