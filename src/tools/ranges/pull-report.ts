/** The result of a pull, as a document. */
import { addressCount } from "../access/range-text";
import { textTable } from "../output/document";
import type { DocumentBlock } from "../output/document";
import { inDigits } from "../../schema/text/phrase";
import type { PullResult } from "./pull";

export function pullBlocks({ sources, failures }: PullResult): DocumentBlock[] {
  const changed = sources.filter(({ added, removed }) => added.length + removed.length > 0);
  const rows = sources.map(({ name, count, added, removed, gained, lost }) => [
    ...[name, inDigits(count), inDigits(added.length), inDigits(removed.length)],
    ...[gained, lost].map(addressCount),
  ]);
  return [
    { kind: "failures", title: "Sources that cannot be used", texts: failures.map(({ message }) => message) },
    textTable(["source", "ranges", "added", "removed", "gained", "lost"], rows, "source"),
    ...changed.map(({ name, added, removed }): DocumentBlock => ({
      ...{ kind: "section", title: name },
      blocks: [
        {
          ...{ kind: "list", noun: "range" },
          items: [
            ...added.map((range) => ({ text: `+ ${range}` })),
            ...removed.map((range) => ({ text: `- ${range}` })),
          ],
        },
      ],
    })),
  ];
}
