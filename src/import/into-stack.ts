/** What goes into the stack: the secrets of the program, and the resources. */
import { GatewayError } from "../provider/errors";
import { PulumiError, pulumi } from "../stack/pulumi";
import type { Block } from "./code";
import type { ImportFile } from "../stack/import-file";
import { removePrivate, writePrivate } from "./files";
import { projectName } from "./main-file";
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
  const all = blocks.flatMap((block) => block.secrets);
  const held = all.length === 0 ? {} : await configuration(stack!, cwd);
  const others = all.filter(({ key, value }) => held[key] !== undefined && held[key] !== value);
  if (others.length > 0) {
    throw new GatewayError(
      `the stack's configuration holds other values than the account: ${others.map(({ key }) => key).join(", ")}. ` +
        `A key that the program uses for something else is to be renamed there; one that an earlier import left is ` +
        `to be taken out with "pulumi config rm". Then run this again`,
    );
  }
  const secrets = all.filter(({ key }) => held[key] === undefined);
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

/** The project's own configuration of the stack, by its keys without the project's name. */
async function configuration(stack: string, cwd: string): Promise<Record<string, string | undefined>> {
  const call = { cwd, brief: true };
  const { stdout } = await pulumi(["config", "--json", "--show-secrets", "--stack", stack], call);
  const entries = Object.entries(JSON.parse(stdout) as Record<string, { value?: string }>);
  const own = `${projectName(cwd) ?? ""}:`;
  return Object.fromEntries(
    entries.filter(([key]) => key.startsWith(own)).map(([key, { value }]) => [key.slice(own.length), value]),
  );
}

function unlocking(stack: string): string {
  return `Where it says that the stack is locked, and no other pulumi is at work: pulumi cancel --stack ${stack}`;
}
