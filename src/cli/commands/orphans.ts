import type { Command } from "commander";
import type { AccountFlags, OutputFlags } from "../command";
import { UsageError, newCommand, withAccount, withOutput } from "../command";

interface Flags extends AccountFlags, OutputFlags {
  planned?: boolean;
  write?: string;
}

/** `tunnel-gateway orphans`. */
export function orphansCommand(): Command {
  const command = newCommand("orphans")
    .summary("list what the account holds and a stack does not manage")
    .description(
      "Lists what the account holds and the stack does not manage, and finds what an interrupted pulumi up made\n" +
        "without recording it. It changes nothing in the account.",
    )
    .option(
      "--planned",
      "also compare what the program is about to make, by a preview: after an up that failed",
    )
    .option(
      "--write <file>",
      "write the file for pulumi import that takes over what an interrupted run made",
    );
  return withAccount(withOutput(command)).addHelpText("after", help).action(run);
}

const help = `
After pulumi was killed:
  $ pulumi cancel --stack production
  $ tunnel-gateway orphans --stack production --write import.json
  $ pulumi import --stack production --file import.json --generate-code=false --protect=false
  $ pulumi refresh --stack production --clear-pending-creates
  $ pulumi up --stack production
What is under a parent or provider that the stack does not hold yet cannot be imported with it: the report tells of
it, and the second and third line again take it over.
Where pulumi went on and only its plugin died ("connection reset by peer"), Pulumi keeps no record: add --planned.
The file holds secrets in clear; only you can read it. Delete it after use.`;

async function run(flags: Flags): Promise<void> {
  const { stack, cwd, write } = flags;
  if (stack === undefined) throw new UsageError("orphans needs --stack");
  const place = { stack, cwd };
  const { connect } = await import("../connect.js");
  const { readStack } = await import("../../stack/state.js");
  const { findOrphans } = await import("../../orphans/find.js");
  const { recoveryFile } = await import("../../orphans/recovery-file.js");
  const { failedTime, plannedCreates } = await import("../../orphans/planned.js");
  const { writeImportFile } = await import("../../stack/import-file.js");
  const { orphansReport } = await import("../orphans-report.js");
  const { clear, note, status } = await import("../progress.js");
  const client = await connect(flags);
  const contents = await readStack(place, true);
  const time = await failedTime(place);
  const planned = flags.planned && time ? { time, creates: await plannedCreates(place) } : undefined;
  if (flags.planned && !time) note("The last update did not fail, so it made nothing that is not recorded");
  if (!flags.planned && time && contents.pending.length === 0) {
    note("The last update failed: --planned also compares what the program is about to make");
  }
  const found = await findOrphans(client, contents, planned, status).finally(clear);
  const written =
    write === undefined
      ? undefined
      : { file: write, ...writeImportFile(write, await recoveryFile(found.outcomes, contents, Date.now())) };
  orphansReport(found, flags, written);
}
