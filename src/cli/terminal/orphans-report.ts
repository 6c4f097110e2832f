/** The report of `orphans`. */
import { resolve } from "node:path";
import type { Outcome } from "../../orphans/match";
import type { Orphans } from "../../orphans/find";
import { counted } from "../../text/phrase";
import { shellWord, escapeControls } from "../../text/terminal";
import type { AccountFlags, OutputFlags } from "../options";
import { printJson, printLine, printTable } from "./output";

export function orphansReport(
  { orphans, outcomes }: Orphans,
  flags: AccountFlags & OutputFlags,
  written: { readonly file: string; readonly resources: number } | undefined,
): void {
  if (flags.json)
    return printJson({ orphans, pending: outcomes.map(plain), ...(written ? { written } : {}) });
  if (orphans.length === 0) {
    printLine(
      "The stack manages all objects that the account lists. Modules of edges and routes are in no list, so they are not compared.",
    );
  } else {
    printTable(
      ["type", "id", "description", "created", "belongs to"],
      orphans.map((each) => [each.type, each.id, each.description, each.created, belongsTo(each)]),
    );
  }
  if (orphans.some(({ driftOf }) => driftOf !== undefined)) {
    printLine(
      `Drift of a set: pulumi refresh ${stackFlags(flags)} records it, and the next up deletes what the program does not contain.`,
    );
  }
  for (const outcome of outcomes) {
    const line = inWords(outcome);
    if (line !== undefined) printLine(line);
  }
  if (!written) return;
  if (written.resources === 0)
    return printLine("No interrupted create created an object, so no file is written.");
  const stack = stackFlags(flags);
  // Pulumi resolves the file against the folder of --cwd.
  const path = resolve(written.file);
  const file = shellWord(path);
  printLine(`Wrote ${path} with ${counted(written.resources, "object")} of interrupted creates. Next, run:`);
  printLine(`  pulumi cancel ${stack}   (if the stack is locked)`);
  printLine(`  pulumi import ${stack} --file ${file} --generate-code=false --protect=false`);
  const left = outcomes.filter(({ kind }) => kind === "created").length - written.resources;
  if (left > 0) {
    const provider = flags.provider === undefined ? "" : ` --provider ${shellWord(flags.provider)}`;
    printLine(`  tunnel-gateway orphans ${stack}${provider} --write ${file}`);
    printLine(
      `    and pulumi import again, for ${counted(left, "object")} whose parent or provider the first`,
    );
    printLine("    import brings into the stack");
  }
  printLine(`  pulumi refresh ${stack} --clear-pending-creates`);
  printLine(`  pulumi up ${stack}`);
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

function inWords(outcome: Outcome): string | undefined {
  const { declaration, name } = outcome.pending;
  const resource = escapeControls(`${declaration.type} ${name}`);
  switch (outcome.kind) {
    case "created":
      return undefined;
    case "not created":
      return `${resource}: its create was interrupted and created nothing. The next up creates it.`;
    case "secret lost":
      return `${resource}: its create was interrupted, and its secret is lost. The next up creates another one. Check these objects and delete them yourself: ${ids(outcome.objects)}.`;
    case "undecided":
      return `${resource}: its create was interrupted, and several objects match: ${ids(outcome.objects)}. Import the right one with "tunnel-gateway import", or delete it.`;
  }
}

function ids(objects: readonly { readonly id: string }[]): string {
  return objects.map(({ id }) => escapeControls(id)).join(", ");
}

function plain(outcome: Outcome): object {
  const { declaration, name, urn } = outcome.pending;
  const objects =
    outcome.kind === "created" ? [outcome.object] : outcome.kind === "not created" ? [] : outcome.objects;
  return { type: declaration.type, name, urn, outcome: outcome.kind, ids: objects.map(({ id }) => id) };
}
