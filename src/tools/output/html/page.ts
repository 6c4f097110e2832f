/** A page in one file: it needs neither network nor script, and follows the reader's light or dark setting. */
import { html, trusted } from "./markup";
import type { Markup } from "./markup";

/** The second line of defence, if a text is ever inserted without escaping: nothing is executed or fetched. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

export function page(title: string, body: Markup): string {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <style>
          ${trusted(style)}
        </style>
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `;
  return text;
}

/** Colors have a contrast of at least 4.5 to their background, and never carry a meaning alone. */
const style = `
:root { color-scheme: light dark; --back: #fff; --panel: #f5f7f9; --line: #d0d7de; --text: #1f2328; --quiet: #56606a;
  --error: #a8201a; --warning: #7d4a00; --note: #0b4f9e; }
@media (prefers-color-scheme: dark) {
  :root { --back: #12161c; --panel: #1b2129; --line: #38424e; --text: #e6edf3; --quiet: #a9b4c0;
    --error: #ff9a92; --warning: #f2bd5c; --note: #85beff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
main:has(> figure) { max-width: none; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .5rem; }
p { margin: .5rem 0; }
code { font: .9em ui-monospace, monospace; white-space: pre-wrap; }
ul { padding-left: 1.25rem; margin: .25rem 0; }
.quiet { color: var(--quiet); }
table { width: 100%; border-collapse: collapse; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
thead th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
@media (min-width: 45rem) { table { table-layout: fixed; } thead th:first-child { width: 22%; } }
tbody th { font-weight: 400; }
details { margin: .5rem 0; }
summary { cursor: pointer; padding: .4rem 0; }
figure { margin: .5rem 0; overflow-x: auto; }
figure .tg-map { max-width: none; --tg-map-paper: var(--back); }
figure .narrow { display: none; }
@media (max-width: 45rem) {
  figure .tg-map:not(.narrow) { display: none; }
  figure .narrow { display: block; max-width: 100%; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  table, tbody, tr, th, td { display: block; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  th, td { border: 0; padding: .1rem 0; }
  tbody th { font-weight: 600; }
  [data-label]::before { content: attr(data-label) ": "; color: var(--quiet); }
}
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .6rem; font-weight: 600; }
.error { color: var(--error); }
.warning { color: var(--warning); }
.note { color: var(--note); }
.some { color: var(--warning); font-weight: 600; }
.failure { border-left: .25rem solid var(--error); background: var(--panel); padding: .25rem .75rem; }
@media print {
  details::details-content { content-visibility: visible; block-size: auto; }
  tr { break-inside: avoid; }
}
`;
