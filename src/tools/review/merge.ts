/** Merges the reviews of several stacks: an entry that several stacks have becomes one, with the list of these stacks. */
import { oncePer } from "../../schema/once-per";
import { compareTexts } from "../../schema/text/compare-texts";
import { namesText } from "./stack-scope";
import { shownNames, withoutIds, withoutNames, withoutStackName } from "./own-names";
import type { OwnNames } from "./own-names";
import { actionCountsOf, failedTestsOf } from "./review";
import type { Review, StackSummary } from "./review";
import { costOfAll } from "./requests";
import { countsOf, severities } from "../output/finding";
import type { Finding, StackScope } from "../output/finding";

/** The review of one stack. */
export interface StackReview {
  /** The unique name of the stack in the outputs. */
  readonly stack: string;
  readonly names: OwnNames;
  readonly review: Review;
}

/** One review of all stacks. */
export function mergedReview(all: readonly StackReview[]): Review {
  const first = all[0]!.review;
  if (all.length === 1) return first;
  const reviews = all.map(({ review }) => review);
  const errors = joined(all, ({ errors }) => errors.map((error) => ({ error })));
  return {
    changes: inOrder(joined(all, ({ changes }) => changes)),
    findings: inOrder(joined(all, ({ findings }) => findings)),
    existing: inOrder(joined(all, ({ existing }) => existing)),
    silenced: joined(all, ({ silenced }) => silenced),
    silences: first.silences.map((silence, i) => ({
      ...silence,
      findings: sum(reviews, (review) => review.silences[i]?.findings ?? 0),
    })),
    settings: [
      ...new Map(reviews.flatMap(({ settings }) => settings).map((each) => [each.name, each])).values(),
    ],
    listedUrls: [...new Set(reviews.flatMap(({ listedUrls }) => listedUrls))],
    failOn: first.failOn,
    place: undefined,
    access: reviews.some(({ access }) => access)
      ? {
          guarded: inOrder(joined(all, ({ access }) => access?.guarded ?? [])),
          policies: inOrder(joined(all, ({ access }) => access?.policies ?? [])),
        }
      : undefined,
    accessTests: reviews.reduce((most, review) => Math.max(most, review.accessTests), 0),
    clients: reviews.some(({ clients }) => clients) ? joined(all, ({ clients }) => clients ?? []) : undefined,
    cost: costOfAll(reviews.map(({ cost }) => cost)),
    others: sum(reviews, ({ others }) => others),
    errors: errors.map(({ error, stacks }) => (stacks ? `${namesText(stacks)}: ${error}` : error)),
    unseen: sum(reviews, ({ unseen }) => unseen),
    skippedRules: [...new Set(reviews.flatMap(({ skippedRules }) => skippedRules))],
    stacks: all.map(summaryOf),
  };
}

function sum(reviews: readonly Review[], countOf: (review: Review) => number): number {
  return reviews.reduce((total, review) => total + countOf(review), 0);
}

function summaryOf({ stack, names, review }: StackReview): StackSummary {
  const { changes, findings, cost, others, errors, unseen, accessTests } = review;
  return {
    ...{ stack, project: names.stackName?.project },
    changes: actionCountsOf(changes),
    drift: changes.filter(({ drift, gone }) => drift.length > 0 || gone).length,
    counts: countsOf(findings),
    accessTests,
    failedTests: failedTestsOf(review),
    ...{ cost, others, errors, unseen },
  };
}

/** An entry, and the stacks that have it. */
interface Group<T> {
  /** The entry of the first stack. */
  readonly value: T;
  readonly of: StackReview;
  readonly stacks: string[];
  /** The entry without the stack's own names, if the entries differ in more than the name of the stack in URNs. */
  unnamed?: T;
}

/** The entries of one list of all stacks. Entries that differ only in the stacks' own names are one. */
function joined<T extends object>(
  all: readonly StackReview[],
  listOf: (review: Review) => readonly T[],
): (T & StackScope)[] {
  const entries = all.flatMap((of) =>
    listOf(of.review).map((entry): Group<T> => ({ value: entry, of, stacks: [of.stack] })),
  );
  const groups = grouped(entries, withoutIds);
  // Entries of single stacks may differ only in the stack's name.
  const single = new Set(groups.filter(({ stacks }) => stacks.length === 1));
  const first = new Set(grouped([...single], withoutNames));
  return groups
    .filter((group) => !single.has(group) || first.has(group))
    .map((group) => ({ ...shownEntry(group), stacks: group.stacks }));
}

/** Joins groups whose entries are equal without the stacks' own names. The first entry is shown. */
function grouped<T>(
  groups: readonly Group<T>[],
  without: (entry: T, names: OwnNames) => T,
): readonly Group<T>[] {
  const keysOf = oncePer((_of: StackReview) => distinct());
  const firsts = new Map<string, Group<T>>();
  for (const group of groups) {
    const unnamed = without(group.value, group.of.names);
    const key = keysOf(group.of)(JSON.stringify(unnamed));
    const first = firsts.get(key);
    if (!first) {
      firsts.set(key, group);
      continue;
    }
    for (const stack of group.stacks) first.stacks.push(stack);
    if (plain(group) !== plain(first)) first.unnamed = unnamed;
  }
  return [...firsts.values()];
}

/** The entry as it is shown. An entry of one stack keeps its URN. */
function shownEntry<T>({ value: entry, of, stacks, unnamed }: Group<T>): T {
  if (unnamed !== undefined) return shownNames(unnamed);
  return stacks.length === 1 ? entry : withoutStackName(entry, of.names);
}

function plain<T>({ value: entry, of }: Group<T>): string {
  return JSON.stringify(withoutStackName(entry, of.names));
}

/** Makes equal keys of one stack distinct, because it may have an entry twice. */
function distinct(): (key: string) => string {
  const seen = new Map<string, number>();
  return (key) => {
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return `${count} ${key}`;
  };
}

/** Entries that only some stacks have come first, because a reviewer looks for them. */
function inOrder<T extends Named & StackScope>(entries: readonly T[]): T[] {
  return [...entries].sort(
    (a, b) =>
      severityOf(a) - severityOf(b) ||
      a.stacks!.length - b.stacks!.length ||
      compareTexts(nameOf(a), nameOf(b)) ||
      compareTexts(a.stacks![0]!, b.stacks![0]!),
  );
}

/** A finding, or another entry about a resource. */
type Named = Pick<Finding, "type" | "name"> & Partial<Pick<Finding, "rule" | "severity">>;

function nameOf({ rule = "", type, name }: Named): string {
  return `${rule} ${type} ${name}`;
}

function severityOf({ severity }: Named): number {
  return severity === undefined ? 0 : severities.indexOf(severity);
}
