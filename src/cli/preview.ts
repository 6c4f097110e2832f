/** The preview to review: from a file, from stdin, or from the Pulumi CLI. */
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { GatewayError } from "../provider/errors";
import { PulumiError, pulumi } from "../stack/pulumi";
import type { AccountFlags } from "./command";
import { UsageError } from "./command";
import { clear, status } from "./progress";

export interface PreviewFlags extends AccountFlags {
  refresh?: boolean;
  offline?: boolean;
}

/** The text of `pulumi preview --json`. */
export async function previewText(file: string | undefined, flags: PreviewFlags): Promise<string> {
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
  return file === undefined || file === "-" ? text(process.stdin) : readFileSync(file, "utf8");
}

/** Runs the preview. Where it fails, its JSON holds the errors. */
async function previewOf(stack: string, { cwd, refresh }: PreviewFlags): Promise<string> {
  status(`Previewing the stack ${stack}`);
  const args = ["preview", "--json", "--show-sames", "--stack", stack, ...(refresh ? ["--refresh"] : [])];
  try {
    return (await pulumi(args, { cwd, mayAsk: true })).stdout;
  } catch (error) {
    if (!(error instanceof PulumiError)) throw error;
    const { stdout } = error.output;
    if (stdout.trimStart().startsWith("{")) return stdout;
    throw new GatewayError(`the stack ${stack} could not be previewed: ${error.reason}`);
  } finally {
    clear();
  }
}
