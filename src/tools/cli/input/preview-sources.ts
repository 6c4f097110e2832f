/** The previews that options select: in files, from stdin, or of stacks. */
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { TextDecoder } from "node:util";
import { GatewayError } from "../../../provider/errors";
import type { PreviewSource } from "../../review/review-all";
import { readPreview } from "../../inventory/read-preview";
import type { Preview } from "../../inventory/read-preview";
import { stacksLike } from "../../stack/stacks";
import { UsageError } from "../command";
import { previewCommand } from "../shared-options";
import type { StackFlags, StacksFlags } from "../shared-options";
import { note } from "../terminal/progress";

export interface SourceFlags extends StackFlags, StacksFlags {
  refresh?: boolean;
  offline?: boolean;
}

/** The previews that a command works on. Throws a UsageError if the options select none. */
export async function sourcesOf(files: readonly string[], flags: SourceFlags): Promise<PreviewSource[]> {
  const { stack, stacks, cwd } = flags;
  const given = [files.length > 0, stack !== undefined, stacks !== undefined];
  if (given.filter((isGiven) => isGiven).length > 1)
    throw new UsageError("use files, --stack or --stacks, and only one of them");
  if (stack !== undefined) return [{ stack }];
  if (stacks !== undefined) return (await stacksLike(stacks, cwd)).map((name) => ({ stack: name }));
  for (const name of ["cwd", "refresh", "offline"] as const) {
    if (flags[name] !== undefined)
      throw new UsageError(`--${name} applies to the preview of a stack, so it needs --stack or --stacks`);
  }
  if (files.filter((file) => file === "-").length > 1) throw new UsageError("stdin holds one preview only");
  const read = files.length === 0 ? [undefined] : files;
  return read.map((file) => ({ name: file ?? "stdin", read: () => previewFrom(file) }));
}

/** Reads the preview of a file, or of stdin for `-` and without a file. */
export async function previewFrom(file: string | undefined): Promise<Preview> {
  const text = await previewTextFrom(file);
  try {
    return readPreview(text);
  } catch (error) {
    throw new GatewayError(`${nameOf(file)}: ${(error as Error).message}`);
  }
}

/** The text of the preview of a file, or of stdin for `-` and without a file. */
export async function previewTextFrom(file: string | undefined): Promise<string> {
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError(`name a file with the output of \`${previewCommand}\`, pipe it in, or use --stack`);
  }
  const text = await textOf(file === "-" ? undefined : file);
  if (text.trim() !== "") return text;
  throw new GatewayError(
    `${nameOf(file)}: the preview is empty, so the command before it failed or printed nothing. Use the output of ` +
      `\`${previewCommand}\``,
  );
}

function nameOf(file: string | undefined): string {
  return file === undefined || file === "-" ? "stdin" : file;
}

async function textOf(file: string | undefined): Promise<string> {
  try {
    const bytes = file === undefined ? await buffer(process.stdin) : await readFile(file);
    return new TextDecoder(encodingOf(bytes)).decode(bytes);
  } catch (error) {
    throw new UsageError(
      `the preview ${file ?? "on stdin"} cannot be read (${(error as NodeJS.ErrnoException).code}): ` +
        `write it with \`${previewCommand} > <file>\``,
    );
  }
}

/** The encoding of the text, by its byte order mark; default: UTF-8. Windows PowerShell redirects output with `>` in UTF-16. */
function encodingOf(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString("hex");
  return mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
}

/** Reports the gaps of a preview; an error in it sets the exit code. */
export function reportIncomplete({ errors, unseen }: Preview): void {
  for (const error of errors) note(`The preview failed: ${error}`);
  if (errors.length > 0) process.exitCode = 1;
  if (unseen > 0) note("The preview leaves out unchanged resources: run it with --show-sames");
}
