import type { Command } from "commander";
import { ReportedFailure, newCommand, withAccount, withOutput } from "../command";
import type { AccountFlags, OutputFlags } from "../command";
import { printJson, printLine, printTable } from "../terminal/output";
import { diagnose } from "../work/doctor";

export function doctorCommand(): Command {
  const command = newCommand("doctor")
    .summary("check settings, base URL, key, version and clock")
    .description(
      "Checks the settings, whether the base URL is that of the API, whether the service accepts the key, the " +
        "version of the API, and this machine's clock, and says where each setting comes from. It changes nothing.",
    );
  return withAccount(withOutput(command))
    .addHelpText("after", "\nExample:\n  $ tunnel-gateway doctor --stack production --cwd infrastructure")
    .action(run);
}

async function run(flags: AccountFlags & OutputFlags): Promise<void> {
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
