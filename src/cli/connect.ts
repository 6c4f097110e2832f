/** The connection of a command, with the settings of the environment or of a Pulumi stack. */
import { spawn } from "node:child_process";
import { clientWith } from "../account/client";
import type { Client } from "../account/client";
import { readSettings } from "../provider/settings";
import type { ConfigSource } from "../provider/settings";
import { UsageError } from "./command";
import type { AccountFlags } from "./command";
import { note } from "./progress";

/** The account's client. What takes long is told on stderr. */
export async function connect(flags: AccountFlags): Promise<Client> {
  return clientWith(readSettings(await sourceFor(flags), process.env), note);
}

/** Where settings are looked up before the environment. */
export async function sourceFor({ stack, cwd }: AccountFlags): Promise<ConfigSource> {
  if (stack === undefined) {
    if (cwd !== undefined) throw new UsageError("--cwd says where a stack's project is, so it needs --stack");
    return { get: () => undefined };
  }
  const values = configOf(await stackConfig(stack, cwd), stack);
  return { get: (key) => values.get(key) };
}

function configOf(text: string, stack: string): Map<string, string> {
  try {
    const config = JSON.parse(text) as Record<string, { value?: unknown }>;
    const entries = Object.entries(config).map(([key, { value }]): [string, unknown] => [key, value]);
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    throw new Error(`the configuration of the stack ${stack} could not be read: pulumi printed no JSON`);
  }
}

/** What the Pulumi CLI prints; it may ask for a passphrase on a terminal. */
function stackConfig(stack: string, cwd: string | undefined): Promise<string> {
  const asks = process.stdin.isTTY ? [] : ["--non-interactive"];
  const args = ["config", "--json", "--show-secrets", "--stack", stack, ...asks, "--color", "never"];
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", args, { cwd, stdio: ["inherit", "pipe", "pipe"] });
    let [output, errors] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
      // A question must be seen while it is asked.
      if (process.stdin.isTTY) process.stderr.write(text);
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      const missing = "--stack needs the Pulumi CLI on the PATH, or --cwd is no folder";
      reject(new Error(error.code === "ENOENT" ? missing : error.message));
    });
    child.on("close", (code) => {
      if (code === 0) return resolve(output);
      const why = process.stdin.isTTY ? `exit code ${String(code)}` : errors.trim();
      reject(new Error(`the configuration of the stack ${stack} could not be read: ${why}`));
    });
  });
}
