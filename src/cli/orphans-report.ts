/** What `orphans` prints. */
import { resolve } from "node:path";
import type { Outcome } from "../orphans/match";
import type { Orphans } from "../orphans/find";
import type { AccountFlags, OutputFlags } from "./command";
import { escapeControls } from "../text/terminal";
import { printJson, printLine, printTable } from "./output";

export function orphansReport(
  { orphans, outcomes }: Orphans,
  flags: AccountFlags & OutputFlags,
  written: { readonly file: string; readonly resources: number } | undefined,
): void {
  if (flags.json)
    return printJson({ orphans, pending: outcomes.map(plain), ...(written ? { written } : {}) });
  if (orphans.length === 0) printLine("The stack manages all that the account holds.");
  else {
    printTable(
      ["type", "id", "description", "created", "belongs to"],
      orphans.map((each) => [each.type, each.id, each.description, each.created, belongsTo(each)]),
    );
  }
  for (const outcome of outcomes) {
    const line = inWords(outcome);
    if (line !== undefined) printLine(line);
  }
  if (!written) return;
  if (written.resources === 0)
    return printLine("No interrupted create made anything, so there is no file to write.");
  const stack = `--stack ${flags.stack ?? ""}${flags.cwd === undefined ? "" : ` --cwd ${flags.cwd}`}`;
  // Pulumi goes to the folder of --cwd first.
  const file = resolve(written.file);
  printLine(`Wrote ${file}; objects that interrupted creates made: ${written.resources}. Next:`);
  printLine(`  pulumi cancel ${stack}   (where the stack is locked)`);
  printLine(`  pulumi import ${stack} --file ${file} --generate-code=false --protect=false`);
  const left = outcomes.filter(({ kind }) => kind === "created").length - written.resources;
  if (left > 0) {
    printLine(`  tunnel-gateway orphans ${stack} --write ${file}, and pulumi import again:`);
    printLine(
      `    ${left} more are under a parent or provider that is not in the stack before the first import`,
    );
  }
  printLine(`  pulumi refresh ${stack} --clear-pending-creates`);
  printLine(`  pulumi up ${stack}`);
}

function belongsTo({ createdFor, stamp, own }: Orphans["orphans"][number]): string {
  if (createdFor !== undefined) return `${createdFor}, whose create was interrupted`;
  if (stamp === undefined) return "";
  return own ? `this stack: ${stamp.name}` : `${stamp.project}/${stamp.stack}: ${stamp.name}`;
}

function inWords(outcome: Outcome): string | undefined {
  const { type, name } = outcome.pending;
  const who = escapeControls(`${type} ${name}`);
  switch (outcome.kind) {
    case "created":
      return undefined;
    case "not created":
      return `${who}: its create was interrupted and made nothing; the next up makes it.`;
    case "secret lost":
      return `${who}: its create was interrupted, and its secret is lost. The next up makes another one. Check and delete by hand: ${ids(outcome.objects)}.`;
    case "undecided":
      return `${who}: its create was interrupted, and it cannot be told which object it made: ${ids(outcome.objects)}. Import the right one by hand, or delete it.`;
  }
}

function ids(objects: readonly { readonly id: string }[]): string {
  return objects.map(({ id }) => escapeControls(id)).join(", ");
}

function plain(outcome: Outcome): object {
  const { type, name, urn } = outcome.pending;
  const objects =
    outcome.kind === "created" ? [outcome.object] : outcome.kind === "not created" ? [] : outcome.objects;
  return { type, name, urn, outcome: outcome.kind, ids: objects.map(({ id }) => id) };
}
