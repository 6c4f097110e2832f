import { pullRanges } from "../../../ranges/pull";
import type { PullResult } from "../../../ranges/pull";
import { pullBlocks } from "../../../ranges/pull-report";
import { ReportedFailure, exitCode } from "../../command";
import type { OutputFlags } from "../../shared-options";
import { printBlocks, printJson, printLine } from "../../terminal/output";

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
