/** `tunnel-gateway import` of a whole account. */
import { setImmediate } from "node:timers/promises";
import { GatewayError } from "../../provider/errors";
import { exclusionText } from "../inventory/excluded";
import { accountKey } from "../inventory/inventory";
import { capitalized } from "../../schema/text/phrase";
import { connection } from "./import-connection";
import { existingProgram, statementsOf } from "./program/existing-program";
import type { ExistingProgram } from "./program/existing-program";
import { previewAfterImport } from "./import-preview";
import { intoStack, runFile } from "./into-stack";
import { missingImport } from "./program/main-file";
import type { ImportOptions } from "./import-options";
import { prepare } from "./prepare";
import type { Prepared } from "./prepare";
import { removePrivate } from "./project/private-files";
import { mainFileOf } from "./project/project";
import { importFile, reportInstructions, reportObjects, reportWritten, sentencesOn } from "./import-report";
import { writeProgram } from "./program/write-program";
import type { Written } from "./program/write-program";

/**
 * Turns the account into a program and, with `run`, into a stack. After an interruption, the same call resumes with the remaining
 * objects.
 */
export async function importAccount(options: ImportOptions): Promise<void> {
  const { cwd, out, run, reporter } = options;
  reporter.onInterrupt(
    "Interrupted while the account was read: no file of the program is changed, and nothing is imported. " +
      "Run the command again",
  );
  const { client, stack } = await connection(options, true);
  removePrivate(out, runFile, ...(run ? [importFile] : []));
  const existing = existingProgram(out, new Set(stack?.managed.map(accountKey)));
  reporter.note(`Reading the account at ${client.settings.baseUrl}`);
  const prepared = await prepare({
    ...{ ...options, client, stack },
    existing: statementsOf(existing),
    report: reporter.status,
    now: Date.now(),
  });
  reportObjects(options, prepared);
  const written = write(options, prepared, existing);
  reportWritten(options, written, prepared);
  // The statements that the program's main file needs to load the written files.
  const loading = written.files.length === 0 ? undefined : missingImport(cwd, out);
  const needed = [...written.mainNeeds, ...(loading === undefined ? [] : [loading])];
  if (run) await importAndPreview(options, prepared, needed, stack!.urns.size === 0);
  else reportInstructions(options, prepared, needed);
}

function write(
  { out, cwd, force, provider, providerFrom, exclude }: ImportOptions,
  { plan, statements, unreadEdges, doorOf, excluded }: Prepared,
  existing: ExistingProgram,
): Written {
  return writeProgram({
    folder: out,
    existing,
    added: statements,
    doorOf,
    notes: plan.notes,
    exclusion: exclusionText({ exclude }, excluded),
    unreadEdges,
    force,
    main: mainFileOf(cwd),
    otherModules: new Map(provider ? [[provider.variable, providerFrom]] : []),
  });
}

async function importAndPreview(
  options: ImportOptions,
  prepared: Prepared,
  needed: readonly string[],
  isNewStack: boolean,
): Promise<void> {
  const { reporter } = options;
  reporter.onInterrupt(
    "Interrupted: the program is written, and nothing is imported yet. Run the command again to continue",
  );
  // Writing blocks the event loop. An interrupt is noticed when events are polled, before the second turn.
  await setImmediate();
  await setImmediate();
  if (needed.length > 0) {
    throw new GatewayError(
      `nothing was imported: the program does not load the new files yet. Add to its main file, then run the ` +
        `command again:\n${needed.map((line) => `  ${line}`).join("\n")}`,
    );
  }
  await intoStack(options, prepared.statements, prepared.file);
  reporter.onInterrupt("Interrupted: everything is imported. Run the command again for the preview");
  const problems = sentencesOn(await prepared.check(), options);
  // The preview may fail too.
  for (const problem of problems) reporter.note(capitalized(problem));
  // A preview of an empty stack would create the stack's own resource.
  const isEmpty = isNewStack && prepared.file.resources.length === 0;
  if (!isEmpty) await previewAfterImport(options);
  if (problems.length > 0) throw new GatewayError(problems.join(". "));
}
