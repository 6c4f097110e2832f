/** The preview to review: from a file, from stdin, or from the Pulumi CLI. */
import { createReadStream } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { GatewayError } from "../provider/errors";
import { PreviewReader } from "../stack/preview";
import type { Preview } from "../stack/preview";
import { PulumiError, pulumi } from "../stack/pulumi";
import type { AccountFlags } from "./command";
import { UsageError } from "./command";
import { clear, note, status } from "./progress";

export interface PreviewFlags extends AccountFlags {
  refresh?: boolean;
  offline?: boolean;
}

/** Reads the preview while it arrives: its text may be larger than the memory should be. */
export async function previewFrom(file: string | undefined, flags: PreviewFlags): Promise<Preview> {
  // Nearly all of a preview is dropped right after it was read. V8 would give the dropped objects 100 MB more room.
  setFlagsFromString("--semi-space-growth-factor=1");
  if (flags.stack !== undefined) {
    if (file !== undefined) throw new UsageError("use a file or --stack, not both");
    return previewOf(flags.stack, flags);
  }
  for (const name of ["cwd", "refresh", "offline"] as const) {
    if (flags[name] !== undefined)
      throw new UsageError(`--${name} applies to the preview of a stack, so it needs --stack`);
  }
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError(
      "name a file with the output of `pulumi preview --json --show-sames`, pipe it in, or use --stack",
    );
  }
  const reader = new PreviewReader();
  for await (const chunk of inputOf(file)) reader.push(chunk);
  return reader.end();
}

/** The text of the file, or of stdin. */
async function* inputOf(file: string | undefined): AsyncGenerator<Buffer, void> {
  const isFile = file !== undefined && file !== "-";
  const input: AsyncIterable<Buffer> = isFile ? createReadStream(file) : process.stdin;
  try {
    for await (const chunk of input) yield chunk;
  } catch (error) {
    throw new GatewayError(
      `the preview ${isFile ? file : "on stdin"} cannot be read (${(error as NodeJS.ErrnoException).code}): ` +
        "write it with `pulumi preview --json --show-sames > <file>`",
    );
  }
}

/** Reports what a preview lacks; an error in it sets the exit code. */
export function reportIncomplete({ errors, unseen }: Preview): void {
  for (const error of errors) note(`The preview failed: ${error}`);
  if (errors.length > 0) process.exitCode = 1;
  if (unseen > 0) note("The preview leaves out unchanged resources: run it with --show-sames");
}

/** Runs the preview. Where it fails, its JSON holds the errors. */
async function previewOf(stack: string, { cwd, refresh }: PreviewFlags): Promise<Preview> {
  status(`Previewing the stack ${stack}`);
  const args = ["preview", "--json", "--show-sames", "--stack", stack, ...(refresh ? ["--refresh"] : [])];
  const reader = new PreviewReader();
  try {
    await pulumi(args, { cwd, mayAsk: true, onStdout: (chunk) => reader.push(chunk) });
  } catch (error) {
    if (!(error instanceof PulumiError)) throw error;
    if (!reader.hasPreview)
      throw new GatewayError(`the stack ${stack} could not be previewed: ${error.reason}`);
  } finally {
    clear();
  }
  return reader.end();
}
