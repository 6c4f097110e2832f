/** IMPORT-NOTES.md: what the import left out, and what to know about the program. */
import { escapeControls, shellWord } from "../../text/terminal";
import { counted } from "../../text/phrase";
import { markup, withHeader } from "./generated-file";
import type { Note } from "../objects/plan";

export interface NotesContent {
  readonly notes: readonly Note[];
  /** How many objects the program holds. */
  readonly imported: number;
  /** The HTTPS edges of the account that endpoints name. */
  readonly httpsEdges: readonly string[];
}

export function notesText({ notes, imported, httpsEdges }: NotesContent): string {
  const parts = [
    "# Notes on the import\n",
    `The program holds ${counted(imported, "object")}.\n`,
    "## Left out\n",
    ...leftOut(notes),
    "## Never part of an import\n",
    "- Resources that the stack manages already.",
    "- Modules of HTTPS edge routes that `--https-route` does not name: the API lists no routes.",
    ...httpsEdges.map(
      (id) =>
        `  - ${code(id)}: import the modules of its routes with ${code(`--https-route ${shellWord(`${id}/`)}<routeId>`)}`,
    ),
    "- Modules of TLS edges that serve no endpoint and that `--tls-edge` does not name: the API lists no TLS edges, only the endpoints that they serve.",
    "- HTTPS edges, routes, TLS edges, reserved domains and addresses, users, tunnel credentials and SSH certificate authorities: the API has no operations on them. The program holds their ids as text.",
    "- Sources of event subscriptions as `EventSource`, unless `--only` names it: they are part of their subscriptions.\n",
    "## After the import\n",
    "- Run `pulumi up` once before `pulumi destroy`: the state gets the dependencies between resources from the program.",
    "- `notReturned` stands for a secret that the service does not return. It is never sent. Setting the real value later sends it, or replaces the object if the API has no update.",
    "- A certificate with `ignoreChanges` was issued by the service, which also renews it. The program does not restore the old certificate.",
    "- The token of an imported API key is unknown. If you need it as an output, replace the key.\n",
  ];
  return withHeader(parts.join("\n"), markup);
}

/** One line for each class and reason, with the ids. */
function leftOut(notes: readonly Note[]): string[] {
  if (notes.length === 0) return ["Nothing.\n"];
  const groups = Map.groupBy(notes, ({ type, reason }) => `${type}: ${code(reason.replace(/\s+/g, " "))}`);
  const lines = [...groups].map(([key, group]) => {
    const ids = group.map(({ id }) => id).sort();
    return `- ${key} ${ids.map(code).join(", ")}`;
  });
  return [`${lines.sort().join("\n")}\n`];
}

/** Code, in which Markdown has no meaning. */
function code(text: string): string {
  return `\`${escapeControls(text).replace(/`/g, "'")}\``;
}
