/** What goes with the generated program: what is left out and why, and which secrets it needs. */
import { hashes, markup, withHeader } from "./generated-file";
import type { Note } from "./plan";

/** IMPORT-NOTES.md */
export function notesText(notes: readonly Note[], imported: number): string {
  const parts = [
    "# Notes on the import\n",
    `${imported} ${imported === 1 ? "object is" : "objects are"} in the program.\n`,
    "## Left out\n",
    ...leftOut(notes),
    "## Never part of an import\n",
    "- What the stack manages already.",
    "- Modules of HTTPS edges and TLS edges that `--https-route` and `--tls-edge` do not name: the API lists neither edges nor routes.",
    "- HTTPS edges, routes, TLS edges, reserved domains and addresses, users, tunnel credentials and SSH certificate authorities: the API has no operations on them. Their ids stay literal.",
    "- Sources of event subscriptions as `EventSource`, unless `--only` names it: they stand in their subscriptions.\n",
    "## After the import\n",
    "- Run `pulumi up` once before `pulumi destroy`: the state learns from the program what depends on what.",
    "- `notReturned` stands for a secret that the service does not return. It is never sent. Setting the real one is a change that sends it, or replaces the object where the API has no update.",
    "- The token of an imported API key is not known. Where it is needed as an output, replace the key.\n",
  ];
  return withHeader(parts.join("\n"), markup);
}

function leftOut(notes: readonly Note[]): string[] {
  if (notes.length === 0) return ["Nothing.\n"];
  const groups = new Map<string, string[]>();
  for (const { type, id, reason } of notes) {
    const key = `${type}: ${plain(reason)}`;
    groups.set(key, [...(groups.get(key) ?? []), id]);
  }
  const lines = [...groups].map(([key, ids]) => `- ${key} ${ids.sort().map(code).join(", ")}`);
  return [`${lines.sort().join("\n")}\n`];
}

/** Text that means nothing in Markdown. */
function plain(text: string): string {
  return code(text.replace(/\s+/g, " "));
}

function code(text: string): string {
  return `\`${text.replace(/`/g, "'")}\``;
}

/** The secrets that the files read from the configuration: key to whether the program requires it. */
export function configKeys(files: readonly string[]): Map<string, boolean> {
  const keys = new Map<string, boolean>();
  for (const line of files.flatMap((text) => text.split("\n"))) {
    const comment = line.indexOf("// ");
    for (const match of line.matchAll(/config\.requireSecret\(\s*"([^"]+)"/g)) {
      const isRequired = comment < 0 || match.index < comment;
      keys.set(match[1]!, isRequired || (keys.get(match[1]!) ?? false));
    }
    // A long key stands on a line of its own.
    const alone = /^\s+"([A-Za-z0-9]+)",$/.exec(line)?.[1];
    if (
      alone !== undefined &&
      files.some((text) => new RegExp(`requireSecret\\(\\s+"${alone}"`).test(text))
    ) {
      keys.set(alone, true);
    }
  }
  return keys;
}

/** config.template.yaml */
export function templateText(keys: ReadonlyMap<string, boolean>): string {
  const entries = [...keys].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = entries.map(([key, isRequired]) => {
    const text = [`  ${key}:`, '    secure: "<pulumi config set --secret>"'];
    return (isRequired ? text : text.map((line) => `  # ${line.slice(2)}`)).join("\n");
  });
  const body = [
    "# The secrets that the program takes from the stack's configuration; their values never stand in a file in clear.",
    "# Set each with: pulumi config set --secret <key>",
    "# Those in comments are for secrets that the service never returns.",
    entries.some(([, isRequired]) => isRequired) ? "config:" : "config: {}",
    ...lines,
  ];
  return withHeader(`${body.join("\n")}\n`, hashes);
}
