/** HTML that is safe by construction: a template escapes every text that it inserts. */
import { escapeControls } from "../../../schema/text/escape";

/** Text that is already HTML. Only `html` and `trusted` create it. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Values in a template. Text and numbers are escaped, lists are joined, undefined is left out. */
export type Content = string | number | Markup | undefined | readonly Content[];

/**
 * A template of HTML, for example html`<td class="${kind}">${name}</td>`. Inserted text cannot leave its element or its
 * quoted attribute: insert text only between tags and in quoted attributes. Control characters and marks that change
 * the direction of text become visible escapes, and no text is a command to a CI system. The indentation of the template itself is left out.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const raw = strings.map((part) => part.replace(/\n\s+/g, "\n"));
  return new Markup(String.raw({ raw }, ...values.map(inserted)));
}

/** HTML or SVG from a writer that escapes its own texts. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

function inserted(content: Content): string {
  if (content === undefined) return "";
  if (content instanceof Markup) return content.text;
  if (typeof content === "object") return content.map(inserted).join("");
  return escaped(String(content));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return escapeControls(text)
    .replace(/[&<>"']/g, (character) => entities[character]!)
    .replace(/^(\s*):(?=:)/, "$1&#58;")
    .replace(/#(?=#\w*\[)/g, "&#35;");
}
