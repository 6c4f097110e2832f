/** The review as one HTML file, which needs neither the network nor a script. */
import { isWider } from "../access/differences";
import { html, trusted } from "../../html/markup";
import type { Row } from "../../html/lists";
import type { Content, Markup } from "../../html/markup";
import { folded, bulletList, table, mostVisible } from "../../html/lists";
import { page } from "../../html/page";
import { capitalized, counted, shortened } from "../../text/phrase";
import { namesAll } from "../in-stacks";
import type { InStacks } from "../in-stacks";
import type { AccessDifference, AccessItem } from "../access/report";
import type { Action } from "../../stack/preview";
import type { Change, Review } from "../review";
import { countsOf } from "../review";
import { severities } from "../rule";
import type { Finding, Severity } from "../rule";
import { catalog } from "../rules";
import { declarationOf } from "../../resources/registry";
import { mostNamed } from "../../access/range-text";
import { accessRows, rangesOf, rowsByStacks } from "./access-table";
import type { AccessRow } from "./access-table";
import {
  actionCounts,
  changeItems,
  clientTexts,
  fewClients,
  happening,
  incompleteText,
  isInAll,
  mostFields,
  noFindingsText,
  settingsText,
  silenceText,
  skippedText,
  stackText,
  stacksText,
  summary,
  testsText,
  verdictText,
} from "./words";
import type { TextPart } from "./words";

/** The page of a review. `map` is the picture of what changes, as SVG from the map's own writer. */
export function htmlReview(review: Review, map?: string): string {
  const rows = accessRows(review.access, rangesOf);
  const body = html`${verdict(review)} ${stacks(review)} ${newAccess(rows, review)} ${findings(review)}
  ${mapSection(map)} ${otherAccess(rows, review)} ${clients(review)} ${changes(review)} ${rest(review)}`;
  return page({ title: `Tunnel Gateway review: ${verdictText(review)}`, style, body });
}

function section(title: string, content: Content): Markup {
  return html`<section>
    <h2>${title}</h2>
    ${content}
  </section>`;
}

function verdict(review: Review): Markup {
  const counts = countsOf(review.findings);
  const badges = severities.filter((severity) => counts[severity] > 0);
  const incomplete = incompleteText(review);
  const none =
    incomplete === undefined ? html`<span class="badge">${noFindingsText(review)}</span>` : undefined;
  return html`<header>
    <h1>Tunnel Gateway review</h1>
    ${incomplete === undefined ? undefined : html`<p>${badge("error", incomplete)}</p>`}
    <p>${badges.length === 0 ? none : badges.map((each) => badge(each, counted(counts[each], each)))}</p>
    <p>${capitalized(summary(review))}.</p>
    ${settingsText(review).map((settings) => html`<p><strong>${capitalized(settings)}.</strong></p>`)}
    ${testsText(review).map((tests) => html`<p>${tests}.</p>`)}
    ${incomplete === undefined ? undefined : failure(incomplete, review.errors)}
  </header>`;
}

/** The number of errors of a failed preview that are visible at once. */
const visibleErrors = 5;

function failure(incomplete: string, errors: readonly string[]): Markup {
  const texts = errors.map(
    (error) => html`<div>${error.split("\n").map((line) => html`<p>${line}</p>`)}</div>`,
  );
  const rest = texts.slice(visibleErrors);
  return html`<div class="failure">
    <p><strong>${capitalized(incomplete)}.</strong></p>
    ${texts.slice(0, visibleErrors)}
    ${rest.length > 0 ? folded(counted(rest.length, "more error"), rest) : undefined}
  </div>`;
}

function badge(severity: Severity, text: string): Markup {
  return html`<span class="badge ${severity}">${text}</span> `;
}

function newAccess(rows: readonly AccessRow[], review: Review): Markup {
  const gains = rows.filter(({ item }) => widens(item));
  const none =
    review.errors.length === 0
      ? "The IP policies of this program give no new access."
      : review.access === undefined
        ? "It is not known who gets in, because the preview failed."
        : "The stacks with a complete preview give no new access.";
  return section("New access", gains.length === 0 ? html`<p>${none}</p>` : accessTables(gains, review));
}

function otherAccess(rows: readonly AccessRow[], review: Review): Markup | undefined {
  const others = rows.filter(({ item }) => !widens(item));
  return others.length === 0 ? undefined : section("Other changes of access", accessTables(others, review));
}

/**
 * Addresses are newly allowed or no longer denied, the resource is new, the restriction ends, or it is not known who gains
 * access.
 */
function widens({ type, before, after, differences }: AccessItem): boolean {
  if (differences.some(({ kind }) => isWider(kind))) return true;
  if (before === undefined) return true;
  if (after === undefined) return declarationOf(type).style === "singleton";
  return (before.restricted && !after.restricted) || after.unknown.length > 0;
}

/** One table; of several stacks one for each group of stacks that have the same rows. */
function accessTables(rows: readonly AccessRow[], review: Review): Content {
  if (!review.stacks) return accessTable(rows);
  return rowsByStacks(rows).map((group) => {
    const { item } = group[0]!;
    const all = isInAll(item, review) ? undefined : stackNames(item.stacks!);
    return folded(`In ${stacksText(item, review)}`, html`${all} ${accessTable(group)}`);
  });
}

function stacks({ stacks }: Review): Markup | undefined {
  if (!stacks) return undefined;
  const rows = stacks.map((each): Row => [shortened(each.stack, 60), stackText(each)]);
  return section("Stacks", folded(counted(stacks.length, "stack"), table(["Stack", "What"], rows, "stack")));
}

/** The stacks that have an entry, with a collapsed list where the text does not name them all. */
function where(entry: InStacks, review: Review): Markup | undefined {
  const text = stacksText(entry, review);
  if (text === undefined) return undefined;
  if (isInAll(entry, review)) return html`<div class="quiet">${text}</div>`;
  return html`<div class="some">
    ${namesAll(entry.stacks!) ? text : folded(text, stackNames(entry.stacks!))}
  </div>`;
}

function stackNames(stacks: readonly string[]): Markup {
  return bulletList(
    stacks.map((stack) => shortened(stack, 200)),
    "stack",
  );
}

function accessTable(rows: readonly AccessRow[]): Markup {
  const cells = rows.map(({ item, before, after, difference }): Row => [
    resource(item),
    lines(before),
    lines(after),
    difference.map((text, i) => differenceCell(text, item.differences[i])),
  ]);
  return table(["Access to", "Before", "After", "Difference"], cells, "resource");
}

function lines(statements: readonly string[]): Markup[] {
  return statements.map((statement) => html`<div>${statement}</div>`);
}

/** The statement about a difference, and the ranges that it counts but does not name. */
function differenceCell(text: string, difference: AccessDifference | undefined): Markup {
  const cidrs = difference?.cidrs ?? [];
  const all =
    cidrs.length > mostNamed ? folded(`all ${cidrs.length} ranges`, bulletList(cidrs, "range")) : undefined;
  return html`<div><strong>${text}</strong>${all}</div>`;
}

function findings(review: Review): Markup {
  const groups = [...Map.groupBy(review.findings, ({ severity }) => severity)];
  const none = html`<p>
    ${review.errors.length === 0 ? `${capitalized(noFindingsText(review))}.` : "None so far."}
  </p>`;
  return section("Findings", groups.length === 0 ? none : groups.map((group) => findingGroup(group, review)));
}

function findingGroup([severity, group]: readonly [Severity, readonly Finding[]], review: Review): Markup {
  const rows = group.map((finding): Row => [
    [resource(finding), where(finding, review)],
    [capitalized(finding.message), place(finding)],
    rule(finding),
  ]);
  return html`<h3>${badge(severity, counted(group.length, severity))}</h3>
    ${table(["Resource", "What", "Rule"], rows, severity)}`;
}

const titles: ReadonlyMap<string, string> = new Map(catalog.map(({ id, title }) => [id, title]));

function rule({ rule }: Finding): Markup {
  return html`${titles.get(rule)}
    <div class="quiet"><code>${rule}</code></div>`;
}

function place({ place }: Finding): Markup | undefined {
  return place && html`<div class="quiet"><code>${place.file}:${place.line}</code></div>`;
}

function resource({ type, name }: Pick<Finding, "type" | "name">): Markup {
  return type === "" ? html`the deployment` : html`${type} <code>${name}</code>`;
}

function mapSection(map: string | undefined): Markup | undefined {
  if (map === undefined) return undefined;
  return section("What changes, as a map", html`<figure>${trusted(map)}</figure>`);
}

function clients(review: Review): Markup | undefined {
  const items = clientTexts(review).map((each) => {
    const place = where(each, review);
    if (each.listed.length === 0) return html`<p>${each.text} ${place}</p>`;
    const listed = html`${place} ${bulletList(each.listed, "client")}`;
    return folded(each.text, listed, each.listed.length <= fewClients);
  });
  return items.length === 0 ? undefined : section("Clients of the log", items);
}

function changes(review: Review): Markup | undefined {
  const { changes } = review;
  if (changes.length === 0) return undefined;
  const actions: readonly Action[] = ["delete", "replace", "update", "create", "same"];
  const groups = actions.map((action) => changes.filter((change) => change.action === action));
  const isOpen = changes.length <= mostVisible;
  const items = groups.filter((group) => group.length > 0).map((group) => changeGroup(group, isOpen, review));
  return section("Changes", items);
}

function changeGroup(group: readonly Change[], isOpen: boolean, review: Review): Markup {
  const isDrift = group[0]!.action === "same";
  const title = isDrift
    ? `${counted(group.length, "resource")} changed only outside of Pulumi`
    : actionCounts(group);
  const items = group.map((change) => changeItem(change, review));
  return folded(title, bulletList(items, "change"), isOpen);
}

function changeItem(change: Change, review: Review): Markup {
  const items = changeItems(change, mostFields).map(contents);
  return html`<strong>${change.type}</strong> <code>${change.name}</code>: ${happening(change, String)}
    ${where(change, review)} ${items.length === 0 ? undefined : bulletList(items, "field")}`;
}

function contents(pieces: readonly TextPart[]): Content[] {
  return pieces.map((piece) => (typeof piece === "string" ? piece : html`<code>${piece.value}</code>`));
}

/** What the deployment does not cause, what somebody accepted, and what the review could not check. */
function rest(review: Review): Markup | undefined {
  const { existing, silenced, silences } = review;
  const skipped = skippedText(review);
  if (existing.length + silences.length + skipped.length === 0) return undefined;
  const existingTitle = `${counted(existing.length, "finding")} that this deployment does not cause`;
  const item = (finding: Finding): Content => [findingItem(finding), where(finding, review)];
  const accepted = silenced.map(({ finding, reason, stacks }) => [
    findingItem(finding),
    ` Silenced: ${reason}`,
    where({ stacks }, review),
  ]);
  const content = html`${foldedList(existingTitle, existing.map(item))}
  ${foldedList(counted(silenced.length, "silenced finding"), accepted)}
  ${foldedList(counted(silences.length, "silence"), silences.map(silenceText))}
  ${skipped.map((text) => html`<p>${capitalized(text)}.</p>`)}`;
  return section("Also", content);
}

function foldedList(title: string, findings: readonly Content[]): Markup | undefined {
  return findings.length === 0 ? undefined : folded(title, bulletList(findings, "finding"));
}

function findingItem(finding: Finding): Markup {
  const { severity, rule, message } = finding;
  return html`${badge(severity, severity)} <code>${rule}</code> ${resource(finding)}: ${message}.`;
}

const style = `
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem; font-weight: 600; }
.error { color: var(--error); }
.warning { color: var(--warning); }
.note { color: var(--note); }
.some { color: var(--warning); font-weight: 600; }
.failure { border-left: .25rem solid var(--error); background: var(--panel); padding: .25rem .75rem; }
`;
