/** Brings the program's secrets and the resources into the stack. */
import { GatewayError } from "../../provider/errors";
import { setSecrets, stackConfig } from "../stack/config";
import { PulumiError, pulumi } from "../stack/pulumi";
import { counted } from "../../schema/text/phrase";
import type { ImportOptions } from "./import-options";
import { removePrivate, writePrivate } from "./project/private-files";
import { projectName } from "./project/project";
import type { NewStatement } from "./program/statement";

/** A file for `pulumi import`. */
export interface FileOfResources {
  readonly resources: readonly object[];
}

/** The import file of a run. It is removed after Pulumi has read it. */
export const runFile = "run.json";

/**
 * Sets the secrets and imports the file; both leave no plaintext behind. Throws if Pulumi fails: the stack then holds the
 * resources imported so far.
 */
export async function intoStack(
  options: ImportOptions,
  statements: readonly NewStatement[],
  file: FileOfResources,
): Promise<void> {
  const { stack, reporter, protect } = options;
  await takeSecrets(options, statements);
  if (file.resources.length === 0) return reporter.note("There is nothing to import");
  const resume =
    "run the command again; the import resumes with what is not in the stack yet. If Pulumi reports that the stack is locked and no " +
    `other pulumi runs, unlock it with: pulumi cancel --stack ${stack!}`;
  reporter.onInterrupt(
    `Interrupted during pulumi import. What was imported is in the stack. To continue, ${resume}`,
  );
  reporter.note(
    `Running pulumi import of ${counted(file.resources.length, "resource")} into the stack ${stack!}`,
  );
  try {
    await importFile(options, file);
  } catch (error) {
    if (error instanceof PulumiError) {
      error.message += `. What was imported is in the stack. Fix the cause and ${resume}`;
    }
    throw error;
  }
  const imported = counted(file.resources.length, "resource was", "resources were");
  reporter.print(`${imported} imported${protect ? " and protected" : ""}.`);
}

async function importFile({ stack, cwd, out, protect }: ImportOptions, file: FileOfResources): Promise<void> {
  try {
    const path = writePrivate(out, runFile, JSON.stringify(file));
    const flags = ["--yes", "--skip-preview", "--generate-code=false", `--protect=${String(protect)}`];
    await pulumi(["import", "--file", path, "--stack", stack!, ...flags, "--suppress-progress"], {
      cwd,
      show: true,
      // An import sends nothing to the service, so an interruption costs only a second run. Writing the whole state after each of
      // a thousand resources takes minutes.
      env: { PULUMI_SKIP_CHECKPOINTS: "true" },
    });
  } finally {
    removePrivate(out, runFile);
  }
}

/** Sets the secrets of the statements in the stack's configuration. A key that already has another value is never overwritten. */
async function takeSecrets(
  { stack, cwd, reporter }: ImportOptions,
  statements: readonly NewStatement[],
): Promise<void> {
  const wanted = statements.flatMap(({ secrets }) => secrets);
  if (wanted.length === 0) return;
  const config = await stackConfig(stack!, { cwd, brief: true });
  const project = projectName(cwd) ?? "";
  const current = (key: string): string | undefined => config.get(`${project}:${key}`);
  const conflicts = wanted.filter(({ key, value }) => (current(key) ?? value) !== value);
  if (conflicts.length > 0) {
    throw new GatewayError(
      `the stack's configuration has other values than the account: ${conflicts.map(({ key }) => key).join(", ")}. ` +
        `Rename a key that the program uses for something else; remove one that an earlier import set with ` +
        `"pulumi config rm". Then run the command again`,
    );
  }
  const missing = wanted.filter(({ key }) => current(key) === undefined);
  if (missing.length === 0) return;
  const secrets = missing.map(({ key, value }) => [`${project}:${key}`, value] as const);
  await setSecrets(stack!, new Map(secrets), { cwd, brief: true });
  reporter.note(`Set ${counted(missing.length, "secret")} in the stack's configuration, encrypted`);
}
