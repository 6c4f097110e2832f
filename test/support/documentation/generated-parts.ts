import { readFileSync, writeFileSync } from "node:fs";

/** Compares a file with its text as it would be written now; TUNNEL_GATEWAY_WRITE_DOCS=1 writes it. */
export function expectFresh(file: string, freshen: (text: string) => string): void {
  const text = readFileSync(file, "utf8");
  if (process.env.TUNNEL_GATEWAY_WRITE_DOCS === "1") writeFileSync(file, freshen(text));
  else expect(text).toBe(freshen(text));
}

/** A page with this part between its comments `begin: <name>` and `end: <name>`. */
export function withPart(page: string, name: string, part: string): string {
  const [begin, end] = [`<!-- begin: ${name} -->\n`, `<!-- end: ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The page has no comments ${begin.trim()} and ${end}.`);
  return `${page.slice(0, from + begin.length)}\n${part}\n\n${page.slice(to)}`;
}
