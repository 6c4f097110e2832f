/** The review of a preview: what changes, which rules it breaks, and how many requests it takes. */
import { families } from "../../schema/addresses/block";
import type { Family } from "../../schema/addresses/block";
import { addressesOf, placeKey } from "../access/served";
import { durationText, firstOf, listText, most20, quote, second, shortened } from "../../schema/text/phrase";
import { hasUnknown } from "../../schema/unknown";
import { compareAccess } from "./access/compare";
import { orderKeyOf } from "../inventory/inventory";
import type { ClientChange } from "./client-changes";
import { deletesFirst, changesOf, driftOf } from "./differences";
import { accessReport } from "./access/access-report";
import type { KeepAccess } from "../access/kept-access";
import { semanticsNames, unknownSemantics } from "../access/semantics";
import type { Semantics } from "../access/semantics";
import type { AccessTest } from "../access/access-tests";
import { addressCount } from "../access/range-text";
import type { AccessReport } from "./access/access-report";
import type { Action } from "../stack/preview";
import { isSameUrl } from "../stack/state";
import type { StackName } from "../../provider/urn";
import type { Preview, ResourceChange } from "../inventory/read-preview";
import { costOf, usualRateLimit, writesByUrn } from "./requests";
import type { Cost } from "./requests";
import { sortedBy } from "../../schema/text/compare-texts";
import { severities } from "../output/finding";
import type { Finding, Severity, StackScope } from "../output/finding";
import type { Context, Find, ReviewFacts, Rule } from "./rule";
import { costRule, rules } from "./rules";
import { testFailed } from "./rules/failed-tests";
import { silencer } from "./silence";
import type { Silence } from "./silence";

export interface ReviewOptions extends ReviewFacts {
  /** Findings of this severity or a higher one fail the review. Default: "error". */
  readonly failOn?: Severity | "never";
  /** The rate limit of the service, in requests per minute. Default: 120. */
  readonly requestsPerMinute?: number;
  readonly silences?: readonly Silence[];
  /** What must hold about who gets in after the deployment. Default: none. */
  readonly accessTests?: readonly AccessTest[];
  /** The ranges that must not lose what they can reach. Default: none. */
  readonly keepAccess?: KeepAccess;
  /** The number of addresses, per family, from which on a wider access is an error. Default: a /16 of IPv4, a /32 of IPv6. */
  readonly errorFrom?: Partial<Record<Family, bigint>>;
  /** How the service decides what the specification leaves open. Default: unknown. */
  readonly semantics?: Semantics;
  /** The current time, in milliseconds since 1970. Default: now. */
  readonly now?: number;
}

/** What happens to one resource. */
export type ReviewedChange = ReturnType<typeof changeOf> & StackScope;

export interface Review extends Pick<Preview, "unseen" | "others" | "errors"> {
  /** The stack and its project; undefined for a preview without a resource. */
  readonly place: StackName | undefined;
  /** Findings of this severity or a higher one fail the review. */
  readonly failOn: Severity | "never";
  readonly changes: readonly ReviewedChange[];
  /** The findings that the deployment causes, the most severe first. */
  readonly findings: readonly Finding[];
  /** The findings that exist already and stay; they never fail a review. */
  readonly existing: readonly Finding[];
  readonly silenced: readonly SilencedFinding[];
  /** All silences, each with the number of new and existing findings that it matches. A reviewer must see unused ones too. */
  readonly silences: readonly (Silence & { readonly findings: number })[];
  /** The settings that differ from the defaults: a change of the program may also change how it is reviewed. */
  readonly settings: ReturnType<typeof changedSettings>;
  /** The base URL of the stack, if `baseUrls` lists it. A reviewer must see it, because one change can set both. */
  readonly listedUrls: readonly string[];
  /**
   * Who can reach what, before and after the deployment; undefined after a failed preview, which lacks resources that
   * decide it.
   */
  readonly access: AccessReport | undefined;
  /** The number of access tests: a reviewer must see when there are fewer. */
  readonly accessTests: number;
  /** The clients of logs whose access changes; undefined without a log. */
  readonly clients: readonly ClientChange[] | undefined;
  /** Undefined after a failed preview, of which nothing is deployed. */
  readonly cost: Cost | undefined;
  /** The ids of the rules that did not run because the preview leaves out unchanged resources. */
  readonly skippedRules: readonly string[];
  /** The stacks, if there are several; each entry then lists those that have it. */
  readonly stacks?: readonly StackSummary[];
}

interface SilencedFinding extends StackScope {
  readonly finding: Finding;
  readonly reason: string;
}

/** The number of resources with each change, in all stacks that have it. */
export type ActionCounts = Readonly<Record<Exclude<Action, "same">, number>>;

/** One stack of a review of several. */
export interface StackSummary extends Pick<Review, "cost" | "others" | "errors" | "unseen" | "accessTests"> {
  /** The name that entries list. */
  readonly stack: string;
  /** Undefined for a preview without a resource. */
  readonly project: string | undefined;
  readonly changes: ActionCounts;
  /** The number of resources that were changed outside of Pulumi. */
  readonly drift: number;
  /** The number of findings of each severity. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** The number of failures of access tests. */
  readonly failedTests: number;
}

const notSet = "not set";

/** The settings under their names in the configuration file. */
function changedSettings(
  {
    failOn,
    requestsPerMinute,
    errorFrom = {},
    baseUrls = [],
    semantics = unknownSemantics,
    keepAccess = {},
  }: ReviewOptions,
  stackUrl: string | undefined,
) {
  // A list that allows only the stack's own base URL changes no verdict about another.
  const others = baseUrls.filter((url) => !isSameUrl(url, stackUrl));
  const all: [string, unknown, unknown][] = [
    ["failOn", failOn ?? "error", "error"],
    ["requestsPerMinute", requestsPerMinute ?? usualRateLimit, usualRateLimit],
    ...families.map((family): [string, unknown, unknown] => {
      const usual = defaultErrorFrom[family];
      return [`errorFrom.ipv${family}`, addresses(errorFrom[family] ?? usual), addresses(usual)];
    }),
    ["baseUrls", others.length === 0 ? notSet : baseUrls.join(", "), notSet],
    ["keepAccess", keptText(keepAccess), notSet],
    ...semanticsNames.map((name): [string, unknown, unknown] => [
      `semantics.${name}`,
      semantics[name],
      unknownSemantics[name],
    ]),
  ];
  const changed = all.filter(([, value, usual]) => value !== usual);
  return changed.map(([name, value, usual]) => ({ name, value: String(value), usual: String(usual) }));
}

function keptText(keepAccess: KeepAccess): string {
  const texts = Object.entries(keepAccess).map(
    ([name, ranges]) => `${quote(name)} (${listText(ranges, "range")})`,
  );
  return texts.length === 0 ? notSet : firstOf(texts, most20, "name");
}

function addresses(count: bigint): string {
  return addressCount({ ipv4Addresses: `${count}`, ipv6Addresses: "0" });
}

/** A /16 of IPv4 and a /32 of IPv6. */
const defaultErrorFrom = { 4: 1n << 16n, 6: 1n << 96n } as const;

export function review(preview: Preview, options: ReviewOptions = {}): Review {
  const { stackName, stackUrl, providers, others, errors, unseen } = preview;
  const { baseUrls, rehearsal, silences = [], failOn = "error", now = Date.now() } = options;
  const { accessTests = [], semantics = unknownSemantics, keepAccess = {} } = options;
  const resources = [...preview.resources.values()];
  const access = compareAccess(preview, semantics, now);
  const isComplete = errors.length === 0;
  const context: Context = {
    ...{ ...preview, ...options, now, semantics, access },
    accessTests: isComplete ? accessTests : [],
    keepAccess: isComplete ? keepAccess : {},
    isNewStack: unseen === 0 && [...resources, ...providers].every(({ action }) => action === "create"),
    errorFrom: { ...defaultErrorFrom, ...options.errorFrom },
  };
  const active = rules.filter((rule) => unseen === 0 || !rule.needsAll);
  const cost = rehearsal && costOf(rehearsal, options.requestsPerMinute);
  const writes = writesByUrn(rehearsal?.requests ?? []);
  const results = active.map((rule) => findingsOf(rule, context, writes));
  const all = sorted([...results.flatMap(({ caused }) => caused), ...slowness(cost)]);
  const existing = sorted(results.flatMap((each) => each.existing));
  const silenceOf = silencer(silences);
  const isHeard = (finding: Finding): boolean => silenceOf(finding) === undefined;
  const silenced = all.flatMap((finding) => {
    const silence = silenceOf(finding);
    return silence === undefined ? [] : [{ finding, reason: silence.reason }];
  });
  return {
    changes: resources.map(changeOf).filter(({ action, drift }) => action !== "same" || drift.length > 0),
    findings: all.filter(isHeard),
    existing: existing.filter(isHeard),
    silenced,
    silences: silences.map((silence) => ({
      ...silence,
      findings: [...all, ...existing].filter((finding) => silenceOf(finding) === silence).length,
    })),
    settings: changedSettings(options, stackUrl),
    listedUrls: [...new Set(baseUrls?.filter((url) => isSameUrl(url, stackUrl)))],
    ...{ failOn, place: stackName },
    access: isComplete ? accessReport(access) : undefined,
    accessTests: accessTests.length,
    clients: undefined,
    ...{ cost, others, errors, unseen },
    skippedRules: rules.filter((rule) => !active.includes(rule)).map(({ id }) => id),
  };
}

export function actionCountsOf(
  changes: readonly (Pick<ReviewedChange, "action"> & StackScope)[],
): ActionCounts {
  const all = { create: 0, update: 0, replace: 0, delete: 0, same: 0 };
  for (const { action, stacks } of changes) all[action] += stacks?.length ?? 1;
  const { same: _, ...counts } = all;
  return counts;
}

/** The number of failures of access tests; silenced ones are failures too. */
export function failedTestsOf({ findings, silenced }: Pick<Review, "findings" | "silenced">): number {
  const all = [...findings, ...silenced.map(({ finding }) => finding)];
  return all.filter(({ rule }) => rule === testFailed.id).length;
}

/** The place in the program that declares a resource, or declared it before. */
export function lineOf({ before, after }: Pick<Preview, "before" | "after">, urn = ""): Finding["place"] {
  return after.all.get(urn)?.record?.programLine ?? before.all.get(urn)?.record?.programLine;
}

/** The finding with a message of at most 1000 characters: it may contain names of any length, of programs and services. */
function bounded(finding: Finding): Finding {
  return { ...finding, message: shortened(finding.message, 1000) };
}

function findingsOf(
  rule: Rule,
  context: Context,
  writes: ReadonlyMap<string, string>,
): { caused: Finding[]; existing: Finding[] } {
  const { before, after } = context;
  const find: Find = ({ urn = "", name, declaration: { type } }, message, { field, at, severity } = {}) => ({
    ...{ rule: rule.id, severity: severity ?? rule.severity, urn, type, name, message, field },
    place: lineOf(context, at) ?? lineOf(context, urn),
    write: writes.get(at ?? urn),
  });
  if ("changes" in rule) return { caused: [...rule.changes(find, context)].map(bounded), existing: [] };
  // A resource may have several findings of a rule, and some of them may be new.
  const textOf = ({ urn, message }: Finding): string => `${urn} ${message}`;
  const known = new Set([...rule.states(find, before, context)].map(textOf));
  const found = [...rule.states(find, after, context)];
  const isExisting = (each: Finding): boolean =>
    !rule.timely && known.has(textOf(each)) && !servesAnother(each.urn, context);
  return {
    caused: found.filter((each) => !isExisting(each)).map(bounded),
    // No write causes what exists already.
    existing: found.filter(isExisting).map(({ write: _, ...each }) => bounded(each)),
  };
}

/**
 * Whether a resource serves an address that it did not serve before, or a module has moved. Then its earlier findings are about another
 * place: the program may use an old name or alias for another object.
 */
function servesAnother(urn: string, { before, after }: Context): boolean {
  const [old, next] = [before.all.get(urn), after.all.get(urn)];
  if (!old || !next) return false;
  if (placeKey(old) !== placeKey(next)) return true;
  const { address } = next.declaration;
  if (address === undefined) return false;
  const known = new Set(addressesOf(old));
  return hasUnknown(next.values[address]) || addressesOf(next).some((each) => !known.has(each));
}

function slowness(cost: Cost | undefined): Finding[] {
  if (cost === undefined || cost.seconds === 0) return [];
  const { id: rule, severity } = costRule;
  const message = `${cost.requests} requests at ${cost.requestsPerMinute} per minute take at least ${durationText(cost.seconds * second, "minute")}`;
  return [{ rule, severity, urn: "", type: "", name: "", message, place: undefined }];
}

function sorted(findings: readonly Finding[]): Finding[] {
  return sortedBy(
    findings,
    (each) => `${severities.indexOf(each.severity)} ${each.rule} ${orderKeyOf(each)}`,
  );
}

function changeOf(resource: ResourceChange) {
  const { urn, name, action, declaration, replaceReasons, recorded, before } = resource;
  return {
    ...{ urn, type: declaration.type, name, action, replaceReasons },
    ...changesOf(resource),
    deletesFirst: deletesFirst(resource),
    /** The changes made outside of Pulumi, if the preview began with a refresh. */
    drift: driftOf(resource),
    /** It was deleted outside of Pulumi. */
    gone: action === "create" && recorded !== undefined && before === undefined,
  };
}
