import { clientWith } from "../../../../account/account-client";
import { settingsFrom, settingsSource } from "../../../inventory/connect";
import { excludedBy } from "../../../inventory/excluded";
import { inAccountOf, providerNamed, providerSource, settingsOfProvider } from "../../../inventory/providers";
import { providerNameIn } from "../../../../provider/urn";
import { readStack } from "../../../inventory/stack";
import type { StackContents } from "../../../inventory/stack";
import { findOrphans } from "../../../orphans/find";
import { failedTime, plannedCreates } from "../../../orphans/planned-creates";
import { recoveryFile } from "../../../orphans/recovery-file";
import { writeImportFile } from "../../../stack/import-file";
import { shellWord } from "../../../../schema/text/escape";
import { UsageError } from "../../command";
import type { AccountFlags, ExclusionFlags, OutputFlags } from "../../shared-options";
import { orphansReport } from "./report";
import { clear, note, status } from "../../terminal/progress";

interface Flags extends AccountFlags, ExclusionFlags, OutputFlags {
  planned?: boolean;
  write?: string;
}

export async function run(flags: Flags): Promise<void> {
  const { stack, cwd, provider, write } = flags;
  if (stack === undefined) throw new UsageError("orphans needs --stack");
  try {
    excludedBy(flags);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const location = { stack, cwd, note };
  const settings = settingsOfProvider(provider ?? "");
  // The search of the account needs the inputs of interrupted creates.
  const all = await readStack(location, (resource, operation) =>
    operation === undefined ? settings(resource, operation) : resource.inputs,
  );
  const own = provider === undefined ? undefined : providerNamed(all, provider);
  const contents = inAccountOf(all, own);
  const source = own === undefined ? await settingsSource({ stack, cwd }) : providerSource(all, own);
  const client = clientWith(settingsFrom(source, { stack }), note);
  noteOthers(all, own);
  const time = await failedTime(location);
  const planned =
    flags.planned && time
      ? { time, creates: (await plannedCreates(location)).filter((each) => each.provider === own) }
      : undefined;
  if (flags.planned && !time) note("The last update succeeded, so it has no unrecorded creates");
  if (!flags.planned && time && contents.pending.length === 0) {
    note("The last update failed: --planned also compares the creates of the program's next update");
  }
  const found = await findOrphans(client, contents, planned, status, flags).finally(clear);
  const written =
    write === undefined
      ? undefined
      : { file: write, ...writeImportFile(write, recoveryFile(found.outcomes, contents, Date.now())) };
  orphansReport(found, flags, written);
}

/** Names the providers with interrupted creates in other accounts, because the recovery would discard those. */
function noteOthers({ pending }: StackContents, own: string | undefined): void {
  const others = new Set(pending.map(({ provider }) => provider).filter((provider) => provider !== own));
  if (others.size === 0) return;
  const commands = [...others].map((urn) =>
    urn === undefined ? "without --provider" : `with --provider ${shellWord(providerNameIn(urn))}`,
  );
  note(
    `The stack has interrupted creates of other providers: run orphans ${commands.join(", and ")}, before pulumi refresh`,
  );
}
