import { pullRanges } from "../../../ranges/pull";
import type { PullResult } from "../../../ranges/pull";
import { ReportedFailure, exitCode } from "../../command";
import type { OutputFlags } from "../../shared-options";
import { printBlocks, printJson, printLine } from "../../terminal/output";
import { addressCount } from "../../../access/range-text";
import { textTable } from "../../../output/document";
import type { DocumentBlock } from "../../../output/document";
import { inDigits } from "../../../../schema/text/phrase";

interface Flags extends OutputFlags {
  cwd?: string;
  timeout: number;
  accept?: string[];
}

export async function pull(flags: Flags): Promise<void> {
  const { isChanged } = await pulled(flags, true);
  if (!flags.json) printLine(isChanged ? "ranges.lock.json is written." : "Nothing changed.");
}

export async function checkRanges(flags: Flags): Promise<void> {
  const { isChanged } = await pulled(flags, false);
  if (isChanged) process.exitCode = exitCode.findings;
  if (!flags.json) printLine(isChanged ? "A pull would change ranges.lock.json." : "Nothing changed.");
}

async function pulled({ cwd = ".", timeout, accept, json }: Flags, isWritten: boolean): Promise<PullResult> {
  const result = await pullRanges({ folder: cwd, timeoutSeconds: timeout, accept, isWritten });
  if (json) printJson(result);
  else printBlocks(pullBlocks(result));
  if (result.failures.length > 0) throw new ReportedFailure();
  return result;
}

function pullBlocks({ sources, failures }: PullResult): DocumentBlock[] {
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
