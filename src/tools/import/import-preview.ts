/** The preview that shows the remaining changes after an import. */
import { PulumiError, pulumi } from "../stack/pulumi";
import type { ImportOptions } from "./import-options";

/** Runs the preview. Throws if it shows a change, unless changes were announced. */
export async function previewAfterImport(
  { stack, cwd, reporter }: Pick<ImportOptions, "stack" | "cwd" | "reporter">,
  announced = 0,
): Promise<void> {
  reporter.note("Running pulumi preview");
  const flags = ["--diff", ...(announced === 0 ? ["--expect-no-changes"] : [])];
  try {
    await pulumi(["preview", "--stack", stack!, ...flags], { cwd, show: true });
  } catch (error) {
    if (error instanceof PulumiError) {
      error.message = `everything is imported, but the preview fails or shows changes: ${error.message}`;
    }
    throw error;
  }
  if (announced === 0) reporter.print(`The preview of the stack ${stack!} shows no change.`);
}
