/** The report of `orphans`. */
import { resolve } from "node:path";
import { inline } from "../../../../account/filter-text";
import { exclusionText } from "../../../inventory/excluded";
import { paragraph, textTable } from "../../../output/document";
import type { DocumentBlock } from "../../../output/document";
import type { CreateOutcome } from "../../../orphans/match";
import type { Orphans } from "../../../orphans/find";
import type { WrittenImportFile } from "../../../stack/import-file";
import { counted } from "../../../../schema/text/phrase";
import { shellWord } from "../../../../schema/text/escape";
import type { AccountFlags, ExclusionFlags, OutputFlags } from "../../shared-options";
import { printBlocks, printJson } from "../../terminal/output";

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
    ...(exclusion === undefined ? [] : [paragraph(exclusion)]),
    ...(isDrift
      ? [
          paragraph(
            `Drift of a set: pulumi refresh ${stack} records it, and the next up deletes what the program does not contain.`,
          ),
        ]
      : []),
    ...outcomes.flatMap((outcome) => inWords(outcome) ?? []).map((text) => paragraph(text)),
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
