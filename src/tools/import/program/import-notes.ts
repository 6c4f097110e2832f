/** IMPORT-NOTES.md: what the import left out, and notes on the program. */
import { shellWord } from "../../../schema/text/escape";
import { paragraph, paragraphs, section, withCode } from "../../output/document";
import type { DocumentBlock, Text } from "../../output/document";
import { markdownPage } from "../../output/markdown";
import { compareTexts } from "../../../schema/text/compare-texts";
import { counted } from "../../../schema/text/phrase";
import { markup, withHeader } from "./generated-file";
import type { Note } from "../objects/plan";
import type { ResourceStatement } from "./existing-program";

export interface NotesContent {
  /** The user's exclusions, as a sentence. */
  readonly exclusion?: string;
  readonly notes: readonly Note[];
  /** The statements of the program. */
  readonly statements: readonly ResourceStatement[];
  /** The HTTPS edges of endpoints for which the user named no route. */
  readonly unreadEdges: readonly string[];
}

export function notesText({ exclusion, notes, statements, unreadEdges }: NotesContent): string {
  const blocks: DocumentBlock[] = [
    paragraph(`The program holds ${counted(statements.length, "object")}.`),
    section("Left out", [
      notes.length === 0 ? paragraph("Nothing.") : list(leftOut(notes)),
      ...paragraphs([exclusion]),
    ]),
    section("Never part of an import", [list([...neverImported, ...unreadEdges.map(ofEdge)])]),
    section("After the import", [
      list([beforeDestroy, ...afterwards(statements), ...plaintextPolicies(statements)]),
    ]),
  ];
  return withHeader(markdownPage({ title: "Notes on the import", blocks }), markup);
}

const neverImported = [
  "Resources that the stack manages already.",
  withCode`Modules of HTTPS edge routes that ${"--https-route"} does not name: the API lists no routes.`,
  withCode`Modules of TLS edges that serve no endpoint and that ${"--tls-edge"} does not name: the API lists no TLS edges, only the endpoints that they serve.`,
  "HTTPS edges, routes, TLS edges, reserved domains and addresses, users, tunnel credentials and SSH certificate authorities: the API has no operations on them. The program holds their ids as text.",
  withCode`Sources of event subscriptions as ${"EventSource"}, unless ${"--only"} names it: they are part of their subscriptions.`,
];

function ofEdge(id: string): Text {
  const route = `--https-route ${shellWord(`${id}/`)}<routeId>`;
  return withCode`The HTTPS edge ${id}: import the modules of its routes with ${route}`;
}

const beforeDestroy = withCode`Run ${"pulumi up"} once before ${"pulumi destroy"}: the state gets the dependencies between resources from the program.`;

/** Explanations of parts of the program, by the text of a statement that needs them. */
const explanations: readonly (readonly [string, Text])[] = [
  [
    "notReturned",
    withCode`${"notReturned"} stands for a secret that the service does not return. It is never sent. Setting the real value later sends it, or replaces the object if the API has no update.`,
  ],
  [
    "ignoreChanges",
    withCode`A certificate with ${"ignoreChanges"} was issued by the service, which also renews it. The program does not restore the old certificate.`,
  ],
  [
    "new ApiKey(",
    "The token of an imported API key is unknown. If you need it as an output, replace the key.",
  ],
];

function afterwards(statements: readonly ResourceStatement[]): Text[] {
  return explanations.flatMap(([mark, explanation]) =>
    statements.some(({ text }) => text.includes(mark)) ? [explanation] : [],
  );
}

/** A traffic policy is the user's own text. Whether it contains a secret is unknown. */
function plaintextPolicies(statements: readonly ResourceStatement[]): Text[] {
  const suspected = statements.filter(
    ({ text }) => text.includes("trafficPolicy") && /basic-auth|credential|password|secret|token/i.test(text),
  );
  if (suspected.length === 0) return [];
  const names = suspected.flatMap(({ type, id }) => [", ", `${type} `, { code: id }]).slice(1);
  return [["The program has traffic policies in plaintext, and these may hold credentials: ", ...names]];
}

/** A text with the ids for each class and reason. */
function leftOut(notes: readonly Note[]): Text[] {
  const groups = [...Map.groupBy(notes, ({ type, reason }) => `${type}: ${reason}`)];
  const sorted = groups.sort(([a], [b]) => compareTexts(a, b));
  return sorted.map(([, group]) => {
    const { type, reason } = group[0]!;
    const ids = group.map(({ id }) => id).sort();
    const names = ids.flatMap((id) => [", ", { code: id }]).slice(1);
    return [`${type}: `, { code: reason }, " ", ...names];
  });
}

function list(texts: readonly Text[]): DocumentBlock {
  return { kind: "list", items: texts.map((text) => ({ text })), noun: "note" };
}
