import { clientWith } from "../../../../account/account-client";
import { settingsFrom, settingsSource } from "../../../inventory/connect";
import { excludedBy, exclusionText } from "../../../inventory/excluded";
import { inAccountOf, providerNamed, providerSource, settingsOfProvider } from "../../../inventory/providers";
import { providerNameIn } from "../../../../provider/urn";
import { readStack } from "../../../inventory/stack";
import type { StackContents } from "../../../inventory/stack";
import { findOrphans } from "../../../orphans/find";
import { failedTime, plannedCreates } from "../../../orphans/planned-creates";
import { recoveryFile } from "../../../orphans/recovery-file";
import { writeImportFile } from "../../../stack/import-file";
import { shellWord } from "../../../../schema/text/escape";
import { UsageError, onOptions } from "../../command";
import type { AccountFlags, ExclusionFlags, OutputFlags } from "../../shared-options";
import { clear, note, status } from "../../terminal/progress";
import { resolve } from "node:path";
import { inline } from "../../../inventory/filter-text";
import { paragraph, paragraphs, textTable } from "../../../output/document";
import type { DocumentBlock } from "../../../output/document";
import type { CreateOutcome } from "../../../orphans/match";
import type { Orphans } from "../../../orphans/find";
import type { WrittenImportFile } from "../../../stack/import-file";
import { counted } from "../../../../schema/text/phrase";
import { printBlocks, printJson } from "../../terminal/output";

interface Flags extends AccountFlags, ExclusionFlags, OutputFlags {
  planned?: boolean;
  write?: string;
}

export async function run(flags: Flags): Promise<void> {
  const { stack, cwd, provider, write } = flags;
  if (stack === undefined) throw new UsageError("orphans needs --stack");
  onOptions(() => excludedBy(flags));
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

interface WrittenFile extends WrittenImportFile {
  readonly file: string;
}

export function orphansReport(
  { orphans, outcomes, excluded }: Orphans,
  flags: AccountFlags & ExclusionFlags & OutputFlags,
  written: WrittenFile | undefined,
): void {
  if (flags.json)
    return printJson({
      orphans,
      pending: outcomes.map(plain),
      ...(flags.exclude ? { excluded } : {}),
      ...(written ? { written } : {}),
    });
  const stack = stackFlags(flags);
  const rows = orphans.map((each) =>
    [each.type, each.id, each.label, each.created, belongsTo(each)].map(inline),
  );
  const exclusion = exclusionText(flags, excluded);
  const isDrift = orphans.some(({ driftOf }) => driftOf !== undefined);
  printBlocks([
    rows.length === 0
      ? paragraph(
          `The stack manages all ${exclusion === undefined ? "" : "other "}objects that the account lists. Modules of edges and routes are in no list, so they are not compared.`,
        )
      : textTable(["type", "id", "object", "created", "belongs to"], rows, "object"),
    ...paragraphs([
      exclusion,
      isDrift &&
        `Drift of a set: pulumi refresh ${stack} records it, and the next up deletes what the program does not contain.`,
      ...outcomes.map(inWords),
    ]),
    ...(written ? recoveryBlocks(outcomes, flags, written) : []),
  ]);
}

/** Instructions for bringing the objects of the file into the stack. */
function recoveryBlocks(
  outcomes: readonly CreateOutcome[],
  flags: AccountFlags,
  written: WrittenFile,
): DocumentBlock[] {
  if (written.resources === 0)
    return [paragraph("No interrupted create created an object, so no file is written.")];
  const stack = stackFlags(flags);
  // Pulumi resolves the file against the folder of --cwd.
  const path = resolve(written.file);
  const file = shellWord(path);
  const provider = flags.provider === undefined ? "" : ` --provider ${shellWord(flags.provider)}`;
  const left = outcomes.filter(({ kind }) => kind === "created").length - written.resources;
  const second = [
    `npx pulumi-tunnel-gateway orphans ${stack}${provider} --write ${file}`,
    `  and pulumi import again, for ${counted(left, "object")} whose parent or provider the first`,
    "  import brings into the stack",
  ];
  const secrets = written.holdsSecrets
    ? " It holds secrets in plaintext: only you can read it. Delete it after use."
    : "";
  const lines = [
    `pulumi cancel ${stack}   (if the stack is locked)`,
    `pulumi import ${stack} --file ${file} --generate-code=false --protect=false`,
    ...(left > 0 ? second : []),
    `pulumi refresh ${stack} --clear-pending-creates`,
    `pulumi up ${stack}`,
  ];
  return [
    paragraph(
      `Wrote ${path} with ${counted(written.resources, "object")} of interrupted creates.${secrets} Next, run:`,
    ),
    { kind: "commands", lines },
  ];
}

function stackFlags({ stack, cwd }: AccountFlags): string {
  return `--stack ${shellWord(stack ?? "")}${cwd === undefined ? "" : ` --cwd ${shellWord(cwd)}`}`;
}

function belongsTo({ createdFor, driftOf, stamp, own }: Orphans["orphans"][number]): string {
  if (createdFor !== undefined) return `${createdFor} (interrupted create)`;
  if (driftOf !== undefined) return `drift of ${driftOf}`;
  if (stamp === undefined) return "";
  return own ? `this stack: ${stamp.name}` : `${stamp.project}/${stamp.stack}: ${stamp.name}`;
}

function inWords(outcome: CreateOutcome): string | undefined {
  const { declaration, name } = outcome.pending;
  const resource = `${declaration.type} ${name}`;
  switch (outcome.kind) {
    case "created":
      return undefined;
    case "not created":
      return `${resource}: its create was interrupted and created nothing. The next up creates it.`;
    case "secret lost":
      return `${resource}: its create was interrupted, and its secret is lost. The next up creates another one. Check these objects and delete them yourself: ${ids(outcome.objects)}.`;
    case "undecided":
      return `${resource}: its create was interrupted, and several objects match: ${ids(outcome.objects)}. Import the right one with "npx pulumi-tunnel-gateway import", or delete it.`;
  }
}

function ids(objects: readonly { readonly id: string }[]): string {
  return objects.map(({ id }) => id).join(", ");
}

function plain(outcome: CreateOutcome): object {
  const { declaration, name, urn } = outcome.pending;
  const objects =
    outcome.kind === "created" ? [outcome.object] : outcome.kind === "not created" ? [] : outcome.objects;
  return { type: declaration.type, name, urn, outcome: outcome.kind, ids: objects.map(({ id }) => id) };
}
