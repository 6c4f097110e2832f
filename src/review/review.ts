/** The review of a preview: what changes, what that means, and what it costs. */
import { changesOf, driftOf } from "./differences";
import type { Difference } from "./differences";
import { readPreview } from "./preview";
import type { Action, Subject } from "./preview";
import { costOf } from "./requests";
import type { Cost } from "./requests";
import { severities } from "./rule";
import type { Context, Finding, Found, Rule, Severity } from "./rule";
import { costRule, rules } from "./rules";
import { deletesFirst } from "./rules/interruptions";
import { Silencer } from "./silence";
import type { Silence } from "./silence";
import { worldAfter, worldBefore } from "./world";

export interface ReviewOptions {
  /** How many requests the service takes in a minute. Default: 120. */
  readonly requestsPerMinute?: number;
  readonly silences?: readonly Silence[];
  /** The present, in milliseconds since 1970. Default: now. */
  readonly now?: number;
}

/** What happens to one resource. */
export interface Change {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly action: Action;
  readonly differences: readonly Difference[];
  /** A replacement that deletes the old object before it makes the new one. */
  readonly deletesFirst: boolean;
  /** The arguments that force the replacement. */
  readonly replaceReasons: readonly string[];
  /** It changes for a reason that no visible value shows. */
  readonly hidden: boolean;
  /** It holds secrets of which the preview does not tell whether they change too. */
  readonly holdsSecrets: boolean;
  /** Nothing is sent for it. */
  readonly recordedOnly: boolean;
  /** What was changed outside of Pulumi, where the preview began with a refresh. */
  readonly drift: readonly Difference[];
  /** It was deleted outside of Pulumi. */
  readonly gone: boolean;
}

interface Silenced {
  readonly finding: Finding;
  readonly reason: string;
}

export interface Review {
  readonly changes: readonly Change[];
  /** What the deployment brings, the worst first. */
  readonly findings: readonly Finding[];
  /** What holds already and stays; it counts for nothing. */
  readonly standing: readonly Finding[];
  readonly silenced: readonly Silenced[];
  readonly cost: Cost;
  /** The ids of the rules that could not be judged, because the preview leaves out what stays the same. */
  readonly unjudged: readonly string[];
  readonly unseen: number;
  /** How many resources of other packages change. */
  readonly others: number;
  /** What the engine says went wrong: the preview is not whole. */
  readonly errors: readonly string[];
}

export function review(text: string, options: ReviewOptions = {}): Review {
  const { subjects, others, errors, unseen } = readPreview(text);
  const now = options.now ?? Date.now();
  const context = { subjects, before: worldBefore(subjects), after: worldAfter(subjects), now };
  const judged = rules.filter((rule) => unseen === 0 || !rule.needsAll);
  const cost = costOf(subjects, options.requestsPerMinute);
  const told = judged.map((rule) => findingsOf(rule, context));
  const all = sorted([...told.flatMap(({ brought }) => brought), ...slowness(cost)]);
  const silencer = new Silencer(options.silences ?? []);
  const silenced = all.flatMap((finding) => {
    const silence = silencer.of(finding);
    return silence ? [{ finding, reason: silence.reason }] : [];
  });
  const silent = new Set(silenced.map(({ finding }) => finding));
  const standing = sorted(told.flatMap((each) => each.standing));
  return {
    changes: subjects.map(changeOf).filter(isWorthTelling),
    findings: all.filter((finding) => !silent.has(finding)),
    standing: standing.filter((finding) => !silencer.of(finding)),
    silenced,
    ...{ cost, others, errors, unseen },
    unjudged: rules.filter((rule) => !judged.includes(rule)).map(({ id }) => id),
  };
}

/** The worst severity among the findings; undefined where there is none. */
export function worst({ findings }: Pick<Review, "findings">): Severity | undefined {
  return severities.find((severity) => findings.some((finding) => finding.severity === severity));
}

/** How many findings there are of each severity. */
export function countsOf(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const count = (severity: Severity): number =>
    findings.filter((finding) => finding.severity === severity).length;
  return { error: count("error"), warning: count("warning"), note: count("note") };
}

function findingsOf(rule: Rule, context: Context): { brought: Finding[]; standing: Finding[] } {
  const { subjects, before, after, now } = context;
  const places = new Map(subjects.map(({ urn, place }) => [urn, place]));
  const finding = ({ on, message, field, severity }: Found): Finding => ({
    rule: rule.id,
    severity: severity ?? rule.severity,
    ...{ urn: on.urn, type: on.declaration.type, name: on.name, message, field },
    place: places.get(on.urn),
  });
  if ("changes" in rule) return { brought: [...rule.changes(context)].map(finding), standing: [] };
  const known = new Set([...rule.states(before, now)].map(({ on }) => on.urn));
  const founds = [...rule.states(after, now)];
  const stands = ({ on }: Found): boolean => !rule.timely && known.has(on.urn);
  return {
    brought: founds.filter((found) => !stands(found)).map(finding),
    standing: founds.filter(stands).map(finding),
  };
}

function slowness(cost: Cost): Finding[] {
  if (cost.seconds === 0) return [];
  const { id: rule, severity } = costRule;
  const minutes = cost.seconds / 60;
  const message = `${cost.requests} requests at ${cost.requestsPerMinute} a minute take at least ${minutes === 1 ? "1 minute" : `${minutes} minutes`}`;
  return [{ rule, severity, urn: "", type: "", name: "", message, place: undefined }];
}

function sorted(findings: readonly Finding[]): Finding[] {
  const keyed = findings.map((finding) => {
    const { severity, rule, type, name } = finding;
    return { finding, key: `${severities.indexOf(severity)} ${rule} ${type} ${name}` };
  });
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ finding }) => finding);
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

function isWorthTelling({ action, drift }: Change): boolean {
  return action !== "same" || drift.length > 0;
}
