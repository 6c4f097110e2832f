/** TypeScript literals, and code made of them. */

/** Characters that an editor does not show, or shows as other characters. */
const invisible =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- these characters are escaped
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]/g;

/** A text as a literal, with the quotation marks that need fewer escapes, because formatters change the others. */
export function textLiteral(text: string): string {
  // JSON escapes control characters and lone surrogates as JavaScript does.
  const body = JSON.stringify(text).slice(1, -1).replace(invisible, escaped);
  if (text.split('"').length <= text.split("'").length) return `"${body}"`;
  return `'${body.replace(/\\(.)|'/gs, (match, next: string | undefined) => (next === '"' ? '"' : match === "'" ? "\\'" : match))}'`;
}

/** A text of several lines, such as a PEM, as a template with one line each; any other text as a literal. */
export function linesLiteral(text: string): string {
  if (!/\n./.test(text)) return textLiteral(text);
  const lines = text.split("\n").map((line) => {
    const body = JSON.stringify(line).slice(1, -1).replace(invisible, escaped);
    return body.replace(/\\(.)|`|\$(?=\{)/g, (match, next?: string) =>
      next === '"' ? '"' : next === undefined ? `\\${match}` : match,
    );
  });
  return `\`${lines.join("\n")}\``;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A key of an object literal. */
export function keyLiteral(key: string): string {
  // An unquoted key would set the object's prototype.
  if (key === "__proto__") return '["__proto__"]';
  if (/^[$_a-zA-Z][$_a-zA-Z0-9]*$/.test(key)) return key;
  // Formatters disagree on which of these need quotation marks.
  const isWord = /^[\p{L}\p{M}\p{N}\p{Pc}$]+$/u.test(key) && /[^\u0000-\u007f]/.test(key); // eslint-disable-line no-control-regex
  return isWord ? `[${textLiteral(key)}]` : textLiteral(key);
}

/** The maximum length of a list on one line. */
const shortList = 60;

/** A list: short values on one line, longer values on one line each. */
export function listLiteral(items: readonly string[]): string {
  const line = items.join(", ");
  const isShort = items.length < 2 || (line.length <= shortList && !/[\n[{]/.test(line));
  return isShort ? `[${line}]` : `[\n${items.join(",\n")},\n]`;
}

/** An object with one line for each member and comment. Members end with a comma. */
export function objectLiteral(members: readonly string[]): string {
  return members.length === 0 ? "{}" : `{\n${members.join("\n")}\n}`;
}

/** The same, but on one line if it has one short member. */
export function innerObjectLiteral(members: readonly string[]): string {
  const text = members.join("\n");
  const isShort = members.length === 1 && !/\n|^\/\//.test(text);
  return isShort ? `{ ${text.slice(0, -1)} }` : objectLiteral(members);
}

/** The maximum length of an import on one line. */
const longestImport = 100;

export function importStatement(names: readonly string[], module: string): string {
  const line = `import { ${names.join(", ")} } from ${textLiteral(module)};`;
  if (line.length <= longestImport) return line;
  return `import {\n${names.map((name) => `  ${name},\n`).join("")}} from ${textLiteral(module)};`;
}
