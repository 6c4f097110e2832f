/** The preview to review: from a file, from stdin, or from the Pulumi CLI. */
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { TextDecoder } from "node:util";
import { GatewayError } from "../../provider/errors";
import { acceptDeleted, noneExists } from "../../provider/own-account";
import { configKey, configuredAccount, environmentNames } from "../../settings";
import type { StackConfig } from "../../stack/config";
import { previewIn, readPreview } from "../../stack/preview";
import type { Preview } from "../../stack/preview";
import { PulumiError, isFailure, withReason, pulumi } from "../../stack/pulumi";
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

/** Reads the preview of a file or of stdin. */
export async function previewFrom(file: string | undefined): Promise<Preview> {
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError(
      "name a file with the output of `pulumi preview --json --show-sames`, pipe it in, or use --stack",
    );
  }
  const text = await textOf(file);
  try {
    return ofOwnAccount(readPreview(text));
  } catch (error) {
    throw new GatewayError(`${nameOf(file)}: ${(error as Error).message}`);
  }
}

/** The name of the input in a message. */
function nameOf(file: string | undefined): string {
  return file === undefined || file === "-" ? "stdin" : file;
}

async function textOf(file: string | undefined): Promise<string> {
  const isFile = file !== undefined && file !== "-";
  try {
    const bytes = isFile ? await readFile(file) : await buffer(process.stdin);
    return new TextDecoder(encodingOf(bytes)).decode(bytes);
  } catch (error) {
    throw new GatewayError(
      `the preview ${isFile ? file : "on stdin"} cannot be read (${(error as NodeJS.ErrnoException).code}): ` +
        "write it with `pulumi preview --json --show-sames > <file>`",
    );
  }
}

/** UTF-8 without a byte order mark of another encoding: Windows PowerShell writes what `>` redirects in UTF-16. */
function encodingOf(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString("hex");
  return mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8";
}

/** Reports what a preview lacks; an error in it sets the exit code. */
export function reportIncomplete({ errors, unseen }: Preview): void {
  for (const error of errors) note(`The preview failed: ${error}`);
  if (errors.length > 0) process.exitCode = 1;
  if (unseen > 0) note("The preview leaves out unchanged resources: run it with --show-sames");
}

/** The preview of a stack, as the Pulumi CLI makes it. */
export interface StackPreview extends Pick<PulumiCall, "cwd" | "mayAsk"> {
  readonly stack: string;
  readonly refresh?: boolean;
  readonly config: StackConfig;
}

/** Runs the preview of a stack. Where it fails, its JSON holds the errors. */
export async function previewOfStack({ stack, refresh, config, ...call }: StackPreview): Promise<Preview> {
  // Only with its steps of replacements a preview shows what an interrupted one has left, and the next deployment deletes.
  const shown = ["--show-sames", "--show-replacement-steps"];
  const args = ["preview", "--json", ...shown, "--stack", stack, ...(refresh ? ["--refresh"] : [])];
  // The whole preview shows whether objects of the stack exist; the plugin would have to guess.
  const env = refresh ? { ...(await configuredAccountOf(config)), [acceptDeleted]: "true" } : {};
  try {
    return ofOwnAccount(readPreview((await pulumi(args, { ...call, env })).stdout));
  } catch (error) {
    const failed = error instanceof PulumiError ? previewIn(error.output.stdout) : undefined;
    if (failed) return ofOwnAccount(failed);
    return withReason((reason) => `the stack ${stack} could not be previewed: ${reason}`)(error);
  }
}

/**
 * The preview, with an error where a refresh found none of the objects of a provider: then what it plans is for another
 * account.
 */
function ofOwnAccount(preview: Preview): Preview {
  if (process.env[acceptDeleted] === "true" || preview.errors.length > 0) return preview;
  const refreshed = preview.subjects.filter(({ recorded }) => recorded !== undefined);
  const accounts = Map.groupBy(refreshed, ({ recorded }) => recorded!.provider);
  const foreign = [...accounts.values()].filter((all) => all.every(({ before }) => before === undefined));
  if (foreign.length === 0) return preview;
  return { ...preview, subjects: [], errors: foreign.map(({ length }) => noneExists(length)) };
}

/**
 * Pulumi refreshes with the settings of the last deployment. Where that took the key from the environment, the plugin gets the
 * one of the configuration: in the environment, which only the same user can read.
 */
async function configuredAccountOf(read: StackConfig): Promise<Record<string, string>> {
  if ((process.env[environmentNames.apiKey] ?? "") !== "") return {};
  const config = await read().catch((error: unknown) => {
    // The preview fails for the same reason, and says it.
    if (isFailure(error)) return new Map<string, string>();
    throw error;
  });
  const apiKey = config.get(configKey("apiKey"));
  const baseUrl = config.get(configKey("baseUrl")) ?? process.env[environmentNames.baseUrl];
  return apiKey === undefined ? {} : { [configuredAccount]: JSON.stringify({ apiKey, baseUrl }) };
}
