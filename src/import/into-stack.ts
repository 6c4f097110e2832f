/** What goes into the stack: the secrets of the program, and the resources. */
import { PulumiError, pulumi } from "../stack/pulumi";
import type { Block } from "./code";
import type { ImportFile } from "./entries";
import { removePrivate, writePrivate } from "./files";
import type { ImportOptions } from "./options";

/** The import file of a run, which is gone when Pulumi has read it. */
export const runFile = "run.json";

/**
 * Sets the secrets and imports the file; neither leaves a trace in clear. Throws where Pulumi fails: what it had
 * imported by then is in the stack.
 */
export async function intoStack(
  { stack, cwd, out, protect, voice }: ImportOptions,
  blocks: readonly Block[],
  file: ImportFile,
): Promise<void> {
  const secrets = blocks.flatMap((block) => block.secrets);
  for (const [i, { key, value }] of secrets.entries()) {
    voice.status(`Setting the secret ${i + 1} of ${secrets.length} in the configuration`);
    // `config set-all` would take them all at once, but only from its command line, which every process can read.
    await pulumi(["config", "set", "--secret", key, "--stack", stack!, "--raw"], {
      cwd,
      input: value,
      brief: true,
    });
  }
  if (secrets.length > 0)
    voice.note(`Secrets set in the stack's configuration, encrypted: ${secrets.length}`);
  if (file.resources.length === 0) return voice.note("There is nothing to import");
  const again = `run this again: it goes on with what is not in the stack yet. ${unlocking(stack!)}`;
  voice.interrupted(`Interrupted during pulumi import. What is done is in the stack. To go on, ${again}`);
  voice.note(`Running pulumi import into the stack ${stack!}; resources: ${file.resources.length}`);
  try {
    const path = writePrivate(out, runFile, JSON.stringify(file));
    const flags = ["--yes", "--skip-preview", "--generate-code=false", `--protect=${String(protect)}`];
    await pulumi(["import", "--file", path, "--stack", stack!, ...flags, "--suppress-progress"], {
      cwd,
      show: true,
    });
  } catch (error) {
    if (error instanceof PulumiError)
      error.message += `. What is done is in the stack. Once mended, ${again}`;
    throw error;
  } finally {
    removePrivate(out, runFile);
  }
  voice.say(`${file.resources.length} resources were imported${protect ? ", protected" : ""}.`);
}

function unlocking(stack: string): string {
  return `Where it says that the stack is locked, and no other pulumi is at work: pulumi cancel --stack ${stack}`;
}
