/** The review of a preview: what changes, which rules it breaks, and how many requests it takes. */
import type { Family } from "../access/block";
import type { AccountFacts } from "./account";
import { compareAccess } from "./access/compare";
import { accessReport } from "./access/report";
import type { AccessReport } from "./access/report";
import { changesOf, driftOf } from "./differences";
import type { Changed, Difference } from "./differences";
import { inventoriesOf } from "../inventory/preview";
import type { Preview, Subject } from "../stack/preview";
import { costOf } from "./requests";
import type { Cost } from "./requests";
import { counted } from "../text/plural";
import { compareTexts } from "../text/order";
import { severities } from "./rule";
import type { Context, Finding, Found, Rule, Severity } from "./rule";
import { costRule, rules } from "./rules";
import { deletesFirst } from "./rules/interruptions";
import { silencer } from "./silence";
import type { Silence } from "./silence";

export interface ReviewOptions {
  /** The rate limit of the service, in requests per minute. Default: 120. */
  readonly requestsPerMinute?: number;
  readonly silences?: readonly Silence[];
  /** The number of addresses, per family, from which on a wider access is an error. Default: a /8 of IPv4, a /32 of IPv6. */
  readonly errorFrom?: Partial<Record<Family, bigint>>;
  /** The facts of the account. Default: none, so the rules about them find nothing. */
  readonly account?: AccountFacts;
  /** The current time, in milliseconds since 1970. Default: now. */
  readonly now?: number;
}

/** What happens to one resource. */
export interface Change extends Changed, Pick<Subject, "urn" | "name" | "action" | "replaceReasons"> {
  readonly type: string;
  /** A replacement that deletes the old object before it creates the new one. */
  readonly deletesFirst: boolean;
  /** The changes made outside of Pulumi, if the preview began with a refresh. */
  readonly drift: readonly Difference[];
  /** It was deleted outside of Pulumi. */
  readonly gone: boolean;
}

export interface Review extends Omit<Preview, "subjects"> {
  readonly changes: readonly Change[];
  /** The findings that the deployment causes, the most severe first. */
  readonly findings: readonly Finding[];
  /** The findings that exist already and stay; they never fail a review. */
  readonly existing: readonly Finding[];
  readonly silenced: readonly { readonly finding: Finding; readonly reason: string }[];
  /** Who can reach what, before and after the deployment. */
  readonly access: AccessReport;
  readonly cost: Cost;
  /** The ids of the rules that did not run because the preview leaves out unchanged resources. */
  readonly skippedRules: readonly string[];
}

/** A /8 of IPv4 and a /32 of IPv6. */
const defaultErrorFrom = { 4: 1n << 24n, 6: 1n << 96n } as const;

export function review(preview: Preview, options: ReviewOptions = {}): Review {
  const { subjects, others, errors, unseen } = preview;
  const now = options.now ?? Date.now();
  const inventories = inventoriesOf(preview);
  const actions = new Map(subjects.map(({ urn, action }) => [urn, action]));
  const access = compareAccess(inventories, actions);
  const errorFrom = { ...defaultErrorFrom, ...options.errorFrom };
  const context = { subjects, actions, ...inventories, access, errorFrom, account: options.account, now };
  const active = rules.filter((rule) => unseen === 0 || !rule.needsAll);
  const cost = costOf(subjects, options.requestsPerMinute);
  const results = active.map((rule) => findingsOf(rule, context));
  const all = sorted([...results.flatMap(({ caused }) => caused), ...slowness(cost)]);
  const existing = sorted(results.flatMap((each) => each.existing));
  const reasonOf = silencer(options.silences ?? []);
  const isHeard = (finding: Finding): boolean => reasonOf(finding) === undefined;
  return {
    changes: subjects.map(changeOf).filter(({ action, drift }) => action !== "same" || drift.length > 0),
    findings: all.filter(isHeard),
    access: accessReport(access),
    existing: existing.filter(isHeard),
    silenced: all.flatMap((finding) => {
      const reason = reasonOf(finding);
      return reason === undefined ? [] : [{ finding, reason }];
    }),
    ...{ cost, others, errors, unseen },
    skippedRules: rules.filter((rule) => !active.includes(rule)).map(({ id }) => id),
  };
}

/** The highest severity among the findings; undefined without findings. */
export function worst({ findings }: Pick<Review, "findings">): Severity | undefined {
  return severities.find((severity) => findings.some((finding) => finding.severity === severity));
}

/** The number of findings of each severity. */
export function countsOf(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const count = (severity: Severity): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return { error: count("error"), warning: count("warning"), note: count("note") };
}

function findingsOf(rule: Rule, context: Context): { caused: Finding[]; existing: Finding[] } {
  const { before, after } = context;
  const placeOf = (urn = ""): Subject["place"] =>
    after.all.get(urn)?.state?.place ?? before.all.get(urn)?.state?.place;
  const finding = ({ on, at, message, field, severity }: Found): Finding => ({
    rule: rule.id,
    severity: severity ?? rule.severity,
    ...{ urn: on.urn ?? "", type: on.declaration.type, name: on.name, message, field },
    place: placeOf(at) ?? placeOf(on.urn),
  });
  if ("changes" in rule) return { caused: [...rule.changes(context)].map(finding), existing: [] };
  // A resource may have several findings of a rule, and a new one is none of those that exist.
  const keyOf = ({ on, message }: Found): string => `${on.urn} ${message}`;
  const known = new Set([...rule.states(before, context)].map(keyOf));
  const found = [...rule.states(after, context)];
  const isExisting = (each: Found): boolean => !rule.timely && known.has(keyOf(each));
  return {
    caused: found.filter((each) => !isExisting(each)).map(finding),
    existing: found.filter(isExisting).map(finding),
  };
}

function slowness(cost: Cost): Finding[] {
  if (cost.seconds === 0) return [];
  const { id: rule, severity } = costRule;
  const message = `${cost.requests} requests at ${cost.requestsPerMinute} per minute take at least ${counted(cost.seconds / 60, "minute")}`;
  return [{ rule, severity, urn: "", type: "", name: "", message, place: undefined }];
}

function sorted(findings: readonly Finding[]): Finding[] {
  const keyed = findings.map((finding) => {
    const { severity, rule, type, name } = finding;
    return { finding, key: `${severities.indexOf(severity)} ${rule} ${type} ${name}` };
  });
  return keyed.sort((a, b) => compareTexts(a.key, b.key)).map(({ finding }) => finding);
}

function changeOf(subject: Subject): Change {
  const { urn, name, action, declaration, replaceReasons, recorded, before } = subject;
  return {
    ...{ urn, type: declaration.type, name, action, replaceReasons },
    ...changesOf(subject),
    deletesFirst: deletesFirst(subject),
    drift: driftOf(subject),
    gone: action === "create" && recorded !== undefined && before === undefined,
  };
}
