import { textTable } from "../../../output/document";
import { ReportedFailure } from "../../command";
import type { AccountFlags, OutputFlags } from "../../shared-options";
import { printBlocks, printJson } from "../../terminal/output";
import { diagnose } from "./checks";

export async function run(flags: AccountFlags & OutputFlags): Promise<void> {
  const { checks, settings } = await diagnose(flags);
  const ok = checks.every(({ status }) => status !== "failed");
  if (flags.json) printJson({ ok, checks, settings });
  else {
    const rows = checks.map(({ status, name, message, advice }) => [
      status,
      name,
      advice === undefined ? message : `${message}. ${advice}`,
    ]);
    const origins = settings.map(({ name, value = "", from }) => [name, String(value), from]);
    printBlocks([
      textTable(["status", "check", "finding"], rows, "check"),
      textTable(["setting", "value", "from"], origins, "setting"),
    ]);
  }
  if (!ok) throw new ReportedFailure();
}
