import { ReportedFailure } from "../../command";
import type { AccountFlags, OutputFlags } from "../../options";
import { printJson, printLine, printTable } from "../../terminal/output";
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
    printTable(["status", "check", "finding"], rows);
    if (settings.length > 0) {
      printLine("");
      const origins = settings.map(({ name, value, from }) => [name, value, from]);
      printTable(["setting", "value", "from"], origins);
    }
  }
  if (!ok) throw new ReportedFailure();
}
