/** The review as a document, with what its readers need first: on a page at the top, on a terminal at the end. */
import { paragraph, section, visibleRows } from "../../output/document";
import type { DocumentBlock } from "../../output/document";
import { htmlPage } from "../../output/html";
import { markdownPage } from "../../output/markdown";
import { terminalText } from "../../output/terminal";
import type { Screen } from "../../output/terminal";
import { secondsText } from "../../../schema/formats/time";
import { capitalized, counted } from "../../../schema/text/phrase";
import type { Action } from "../../stack/preview";
import type { Review } from "../review";
import { accessTable, changedAccess, widens } from "./access-table";
import {
  changeBlock,
  clientBlock,
  findingBlock,
  folded,
  otherBlocks,
  sentenceBlock,
  settingBlocks,
  stackBlock,
} from "./blocks";
import {
  actionCounts,
  incompleteText,
  isInAll,
  noAccessText,
  noFindingsText,
  stacksText,
  summary,
  titleText,
  verdictText,
} from "./sentences";

/** The review for a terminal, or for any log. */
export function terminal(review: Review, screen?: Screen): string {
  const { errors, changes } = review;
  const verdict = [summary(review), verdictText(review)];
  const last = (errors.length === 0 ? verdict : verdict.reverse()).join("; ");
  return terminalText(
    [
      { kind: "failures", title: "the preview failed", texts: errors },
      changeBlock(changes, review),
      accessTable(changedAccess(review), review),
      clientBlock(review),
      findingBlock(review),
      ...otherBlocks(review),
      ...settingBlocks(review),
      stackBlock(review),
      paragraph(last),
    ],
    screen,
  );
}

/**
 * GitHub allows 65,536 characters in a comment. The review counts bytes, and leaves room for the line by which a pipeline
 * finds its earlier comment.
 */
const commentLimit = 65_000;

/**
 * The review as a comment of a pull request, of at most `limit` bytes: findings come first.
 * @param map a Mermaid flowchart of what changes, which the page contains if there is room for it.
 */
export function markdown(review: Review, limit = commentLimit, map?: string): string {
  const { errors, changes } = review;
  const shared = changes.filter((each) => isInAll(each, review));
  const others = changes.filter((each) => !isInAll(each, review));
  // The title names their stacks.
  const alone = { ...review, stacks: undefined };
  const inAll = shared[0]?.stacks ? ` in ${stacksText(shared[0], review)}` : "";
  const blocks: DocumentBlock[] = [
    sentenceBlock(summary(review)),
    ...settingBlocks(review),
    stackBlock(review, 0.2),
    { kind: "failures", title: "The preview failed", texts: errors, share: 0.3 },
    findingBlock(review, 0.6),
    accessTable(changedAccess(review), review, { share: 0.75 }),
    clientBlock(review, 0.8),
    { kind: "picture", mermaid: map, share: 0.85 },
    folded(`Changes that not all stacks have: ${actionCounts(others)}`, changeBlock(others, review, 0.94)),
    folded(`Changes${inAll}: ${actionCounts(shared)}`, changeBlock(shared, alone, 0.96)),
    ...otherBlocks(review, [0.97, 0.98, 0.99]),
  ];
  return markdownPage({ title: titleText(review), blocks }, { level: 2, limit });
}

interface PageOptions {
  /** The picture of what changes, as SVG from the map's own writer. */
  readonly map?: string;
  /** The reviewed commit. */
  readonly commit?: string;
  /** The time of the review, in milliseconds since 1970. Default: now. */
  readonly now?: number;
}

/** The review as one HTML file. */
export function htmlReview(review: Review, { map, commit, now = Date.now() }: PageOptions = {}): string {
  const incomplete = incompleteText(review) ?? "";
  const access = changedAccess(review);
  const [gains, others] = [access.filter(widens), access.filter((item) => !widens(item))];
  const none = review.errors.length === 0 ? noFindingsText(review) : "None so far";
  const blocks: DocumentBlock[] = [
    sentenceBlock([secondsText(now), ...(commit === undefined ? [] : [`commit ${commit}`])].join(", ")),
    sentenceBlock(summary(review)),
    ...settingBlocks(review),
    { kind: "failures", title: capitalized(incomplete), texts: review.errors },
    section("Stacks", [stackBlock(review)]),
    section("New access", [
      gains.length === 0 ? sentenceBlock(noAccessText(review)) : accessTable(gains, review, { group: "In" }),
    ]),
    section("Findings", [review.findings.length === 0 ? sentenceBlock(none) : findingBlock(review)]),
    section("What changes, as a map", [{ kind: "picture", svg: map }]),
    section("Other changes of access", [accessTable(others, review, { group: "In" })]),
    section("Clients of the log", [clientBlock(review)]),
    section("Changes", changeFolds(review)),
    section("Also", otherBlocks(review)),
  ];
  return htmlPage({ title: titleText(review), blocks });
}

/** The changes by action, so that deletions are not lost among others. */
function changeFolds(review: Review): DocumentBlock[] {
  const { changes } = review;
  const actions: readonly Action[] = ["delete", "replace", "update", "create", "same"];
  const isOpen = changes.length <= visibleRows;
  return actions.map((action) => {
    const group = changes.filter((change) => change.action === action);
    const drifted = `${counted(group.length, "resource")} changed only outside of Pulumi`;
    return folded(action === "same" ? drifted : actionCounts(group), changeBlock(group, review), isOpen);
  });
}
