/** The preview to review: from a file, from stdin, or from the Pulumi CLI. */
import { createReadStream } from "node:fs";
import { TextDecoder } from "node:util";
import { setFlagsFromString } from "node:v8";
import { GatewayError } from "../../provider/errors";
import { PreviewReader } from "../../stack/preview";
import type { Preview } from "../../stack/preview";
import { PulumiError, withReason, pulumi } from "../../stack/pulumi";
import type { PulumiCall } from "../../stack/pulumi";
import type { StackFlags } from "../command";
import { UsageError } from "../command";
import { note } from "../terminal/progress";
import { stacksLike } from "./stacks";
import type { StacksFlags } from "./stacks";

/** Where a preview comes from: a file, stdin where it is undefined or `-`, or the Pulumi CLI for a stack. */
export type PreviewSource =
  | { readonly file: string | undefined; readonly stack?: undefined }
  | { readonly stack: string; readonly file?: undefined };

export interface SourceFlags extends StackFlags, StacksFlags {
  refresh?: boolean;
  offline?: boolean;
}

/** The previews that a command works on. Throws a UsageError where the options choose none. */
export async function sourcesOf(files: readonly string[], flags: SourceFlags): Promise<PreviewSource[]> {
  const { stack, stacks, cwd } = flags;
  const given = [files.length > 0, stack !== undefined, stacks !== undefined];
  if (given.filter((isGiven) => isGiven).length > 1)
    throw new UsageError("use files, --stack or --stacks, and only one of them");
  if (stacks === undefined && flags.parallel !== undefined) throw new UsageError("--parallel needs --stacks");
  if (stack !== undefined) return [{ stack }];
  if (stacks !== undefined) return (await stacksLike(stacks, cwd)).map((name) => ({ stack: name }));
  for (const name of ["cwd", "refresh", "offline"] as const) {
    if (flags[name] !== undefined)
      throw new UsageError(`--${name} applies to the preview of a stack, so it needs --stack or --stacks`);
  }
  if (files.filter((file) => file === "-").length > 1) throw new UsageError("stdin holds one preview only");
  return files.length === 0 ? [{ file: undefined }] : files.map((file) => ({ file }));
}

/** Reads the preview of a file or of stdin while it arrives: its text may be larger than the memory should be. */
export async function previewFrom(file: string | undefined): Promise<Preview> {
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError(
      "name a file with the output of `pulumi preview --json --show-sames`, pipe it in, or use --stack",
    );
  }
  const reader = newReader();
  for await (const chunk of inputOf(file)) reader.push(chunk);
  try {
    return reader.end();
  } catch (error) {
    throw new GatewayError(`${nameOf(file)}: ${(error as Error).message}`);
  }
}

/** The name of the input in a message. */
function nameOf(file: string | undefined): string {
  return file === undefined || file === "-" ? "stdin" : file;
}

function newReader(): PreviewReader {
  // Nearly all of a preview is dropped right after it was read. V8 would give the dropped objects 100 MB more room.
  setFlagsFromString("--semi-space-growth-factor=1");
  return new PreviewReader();
}

/** The text of the file, or of stdin, in UTF-8. */
async function* inputOf(file: string | undefined): AsyncGenerator<Buffer, void> {
  const isFile = file !== undefined && file !== "-";
  const input: AsyncIterable<Buffer> = isFile ? createReadStream(file) : process.stdin;
  try {
    yield* inUtf8(input);
  } catch (error) {
    throw new GatewayError(
      `the preview ${isFile ? file : "on stdin"} cannot be read (${(error as NodeJS.ErrnoException).code}): ` +
        "write it with `pulumi preview --json --show-sames > <file>`",
    );
  }
}

/** The bytes without a byte order mark. Windows PowerShell writes what `>` redirects in UTF-16. */
async function* inUtf8(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  const converted = (bytes: Buffer): Buffer =>
    decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes;
  for await (const chunk of input) {
    if (head === undefined) {
      yield converted(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < longestMark) continue;
    decoder = decoderFor(head);
    yield converted(head);
    head = undefined;
  }
  if (head) yield head;
}

/** The bytes of the longest byte order mark, that of UTF-8. */
const longestMark = 3;

/** What reads text that begins with a byte order mark. */
function decoderFor(head: Buffer): TextDecoder | undefined {
  const marks = { fffe: "utf-16le", feff: "utf-16be", efbbbf: "utf-8" };
  const found = Object.entries(marks).find(([mark]) => head.toString("hex").startsWith(mark));
  return found && new TextDecoder(found[1]);
}

/** Reports what a preview lacks; an error in it sets the exit code. */
export function reportIncomplete({ errors, unseen }: Preview): void {
  for (const error of errors) note(`The preview failed: ${error}`);
  if (errors.length > 0) process.exitCode = 1;
  if (unseen > 0) note("The preview leaves out unchanged resources: run it with --show-sames");
}

/** Runs the preview of a stack. Where it fails, its JSON holds the errors. */
export async function previewOfStack(
  stack: string,
  { refresh, ...call }: Pick<PulumiCall, "cwd" | "mayAsk"> & { readonly refresh?: boolean },
): Promise<Preview> {
  const args = ["preview", "--json", "--show-sames", "--stack", stack, ...(refresh ? ["--refresh"] : [])];
  const reader = newReader();
  await pulumi(args, { ...call, onStdout: (chunk) => reader.push(chunk) }).catch((error: unknown) => {
    const isRead = error instanceof PulumiError && reader.hasPreview;
    if (!isRead) withReason((reason) => `the stack ${stack} could not be previewed: ${reason}`)(error);
  });
  return reader.end();
}
