/** The parts of a review's document, which all forms share. */
import { paragraph, subjectOf } from "../../output/document";
import type { DocumentBlock, FindingBlock, Item, Remark, Row } from "../../output/document";
import type { Finding, Severity, StackScope } from "../../output/finding";
import { capitalized, counted, firstLines, most20, shortened } from "../../../schema/text/phrase";
import { clientsText } from "../../access/log-clients";
import type { ClientChange } from "../client-changes";
import { namesAll } from "../stack-scope";
import type { ReviewedChange, Review } from "../review";
import { catalog } from "../rules";
import {
  completeText,
  hasFailed,
  changeItems,
  actionSpans,
  isInAll,
  settingTexts,
  silenceText,
  skippedText,
  stackText,
  stacksText,
} from "./sentences";

/** A paragraph of one sentence. */
export function sentenceBlock(text: string, level?: Severity): DocumentBlock {
  return paragraph(`${capitalized(text)}.`, level);
}

export function settingBlocks(review: Review): DocumentBlock[] {
  return settingTexts(review).map(({ text, isUsual }) =>
    sentenceBlock(text, isUsual ? undefined : "warning"),
  );
}

export function stackBlock({ stacks = [] }: Review, share?: number): DocumentBlock {
  const rows = stacks.map((each): Row => ({
    name: [{ code: shortened(each.stack, 60) }],
    cells: [{ statements: [stackText(each)] }],
  }));
  const table: DocumentBlock = { kind: "table", columns: ["Stack", "What"], rows, noun: "stack", share };
  return folded(counted(stacks.length, "stack"), table);
}

export function findingBlock(review: Review, share?: number): DocumentBlock {
  return findingsIn(review, review.findings, "table", share);
}

/** The clients of logs whose access changes, for each resource and direction. */
export function clientBlock(review: Review, share?: number): DocumentBlock {
  return { kind: "list", items: clientItems(review), noun: "resource", share };
}

function clientItems(review: Review): Item[] {
  const { clients, access, stacks } = review;
  if (clients === undefined || access === undefined) return [];
  if (clients.length === 0) {
    const where = stacks?.some(hasFailed) ? ` in the ${completeText(stacks)}` : "";
    return [{ text: `No client of the log gains or loses access${where}` }];
  }
  const items = clients.flatMap((change) => [
    ...clientItem(change, "losing", review),
    ...clientItem(change, "gaining", review),
  ]);
  const text =
    "The log holds all clients of the file, not those of one edge: name it with --clients <file>=<resource>";
  return clients.every(({ isOwnLog }) => isOwnLog) ? items : [...items, { text }];
}

function clientItem(change: ClientChange, direction: "losing" | "gaining", review: Review): Item[] {
  const count = change.counts[direction];
  const { clients } = count;
  if (clients === 0) return [];
  const listed = change[direction].map(
    (each) => `${each.address}: ${counted(each.requests, "request")}, last in line ${each.lastLine}`,
  );
  const verb = direction === "losing" ? (clients === 1 ? "loses" : "lose") : clients === 1 ? "gains" : "gain";
  return [
    {
      text: `${change.type} ${change.name}: ${clientsText(count)} ${verb} access`,
      remark: remarkOf(change, review),
      items: firstLines(listed, most20, "client", clients),
      noun: "client",
      fold: "the clients",
    },
  ];
}

export function changeBlock(
  changes: readonly ReviewedChange[],
  review: Review,
  share?: number,
): DocumentBlock {
  // Texts are made when they are drawn: a deployment may change very many resources.
  const items = changes.map((change): Item => ({
    get text() {
      return [{ strong: subjectOf(change) }, ": ", ...actionSpans(change)];
    },
    get items() {
      return changeItems(change);
    },
    remark: remarkOf(change, review),
    noun: "field",
  }));
  return { kind: "list", items, noun: "change", share };
}

/** Findings that the deployment does not cause, accepted ones, and what the review could not check. */
export function otherBlocks(review: Review, shares: readonly number[] = []): DocumentBlock[] {
  const { existing, silenced, silences } = review;
  const accepted = silenced.map(({ finding, reason, stacks }): Finding => {
    return { ...finding, stacks, message: `${finding.message}. Silenced: ${reason}` };
  });
  const items = silences.map((silence): Item => ({ text: silenceText(silence) }));
  return [
    folded(
      `${counted(existing.length, "finding")} that this deployment does not cause`,
      findingsIn(review, existing, "list", shares[0]),
    ),
    folded(counted(silenced.length, "silenced finding"), findingsIn(review, accepted, "list", shares[1])),
    folded(counted(silences.length, "silence"), { kind: "list", items, noun: "silence", share: shares[2] }),
    ...skippedText(review).map((text) => sentenceBlock(text)),
  ];
}

export function folded(title: string, block: DocumentBlock, isOpen?: boolean): DocumentBlock {
  return { kind: "fold", title, blocks: [block], isOpen };
}

const titles: ReadonlyMap<string, string> = new Map(catalog.map(({ id, title }) => [id, title]));

function findingsIn(
  review: Review,
  findings: readonly Finding[],
  form: FindingBlock["form"],
  share: number | undefined,
): FindingBlock {
  return {
    ...{ kind: "findings", findings, form, share },
    titleOf: ({ rule }) => titles.get(rule),
    remarkOf: (finding) => remarkOf(finding, review),
  };
}

/** The stacks that have an entry; none in the review of one stack. */
export function remarkOf(entry: StackScope, review: Review): Remark | undefined {
  const text = stacksText(entry, review);
  if (text === undefined) return undefined;
  const { stacks: names = [] } = entry;
  const isUsual = isInAll(entry, review);
  return { text, names, isUsual, isWhole: isUsual || namesAll(names) };
}
