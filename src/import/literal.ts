/** TypeScript literals, in the form that prettier does not change. */

/** Characters that an editor does not show, or shows as others. */
const invisible =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- these characters are escaped
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]/g;

/** A text as a literal. With `asciiOnly` all other characters are escaped. */
export function textLiteral(text: string, asciiOnly = false): string {
  // JSON escapes control characters and lone surrogates as JavaScript does.
  const inner = JSON.stringify(text).slice(1, -1).replace(invisible, escaped);
  const body = asciiOnly ? inner.replace(/[^\u0000-\u007f]/g, escaped) : inner; // eslint-disable-line no-control-regex
  const doubles = text.split('"').length;
  const singles = text.split("'").length;
  if (doubles <= singles) return `"${body}"`;
  return `'${body.replace(/\\(.)|'/gs, (match, next: string | undefined) => (next === '"' ? '"' : match === "'" ? "\\'" : match))}'`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A key of an object literal. */
export function keyLiteral(key: string): string {
  // As a plain key it would set the object's prototype.
  if (key === "__proto__") return '["__proto__"]';
  if (/^[$_a-zA-Z][$_a-zA-Z0-9]*$/.test(key)) return key;
  // Formatters disagree on which of these need quotation marks.
  return /^[\p{L}\p{M}\p{N}\p{Pc}$]+$/u.test(key) && /[^\u0000-\u007f]/.test(key) // eslint-disable-line no-control-regex
    ? `[${textLiteral(key)}]`
    : textLiteral(key, [...key].filter((character) => character <= "\u007f").length <= 2);
}

/** The widest line. */
const lineWidth = 80;

/**
 * Whether a line fits. Tools disagree on the width of characters beyond ASCII: where the answer depends on it, it is
 * undefined, and the characters must be escaped.
 */
export function fitsOnLine(line: string): boolean | undefined {
  const beyond = [...line].filter((character) => character > "\u007f").length;
  const ascii = [...line].length - beyond;
  if (ascii + 2 * beyond <= lineWidth) return true;
  return ascii > lineWidth ? false : undefined;
}
