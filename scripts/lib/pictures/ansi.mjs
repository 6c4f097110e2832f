// How a terminal shows a program's output: lines of runs, each with one style.

const plain = { bold: false, dim: false, italic: false, underline: false, color: undefined };

/** Lines of runs `{ text, column, bold, dim, italic, underline, color }`; `color` is one of the 16 of every terminal. */
export function linesOf(output, columns) {
  let style = plain;
  const lines = [];
  for (const line of output.replace(/\n$/, "").split("\n")) {
    const runs = [];
    // eslint-disable-next-line no-control-regex -- it matches escape sequences
    for (const [, codes, text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+|\u001b)/g)) {
      if (text === undefined) style = styled(style, codes);
      else runs.push({ ...style, text: drawable(text) });
    }
    lines.push(...broken(runs, columns));
  }
  return lines;
}

/** The style after the codes of one escape sequence (ECMA-48, SGR). */
function styled(before, codes) {
  const numbers = codes.split(";").map(Number);
  let style = before;
  while (numbers.length > 0) {
    const code = numbers.shift();
    if (code === 38) style = { ...style, color: indexed(numbers) };
    else style = withCode(style, code);
  }
  return style;
}

function withCode(style, code) {
  if (code === 0) return plain;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 3) return { ...style, italic: true };
  if (code === 4) return { ...style, underline: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 23) return { ...style, italic: false };
  if (code === 24) return { ...style, underline: false };
  if (code === 39) return { ...style, color: undefined };
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, color: code - 90 + 8 };
  throw new Error(`the pictures do not support the escape sequence ${code}`);
}

/** The rest of `38;5;<number>`. */
function indexed(numbers) {
  const [kind, color] = numbers.splice(0, 2);
  if (kind === 5 && color < 16) return color;
  throw new Error(`the pictures support 16 colors, not 38;${kind};${color}`);
}

function drawable(text) {
  // Each character must take one column.
  const odd = /[^\u0020-\u007e\u00a0-\u0300\u2010-\u2027\u2190-\u21ff\u2500-\u25ff]/u.exec(text);
  if (odd) throw new Error(`the pictures cannot place ${JSON.stringify(odd[0])} in ${JSON.stringify(text)}`);
  return text;
}

/** A long line continues in the next one, between two words and as far to the right as it begins. */
function broken(runs, columns) {
  const lines = [[]];
  const indent = /^ */.exec(runs.map(({ text }) => text).join(""))[0].length;
  let column = 0;
  for (const parts of wordsOf(runs)) {
    const length = parts.reduce((sum, { text }) => sum + text.length, 0);
    if (indent + length > columns)
      throw new Error(`a word is longer than a line: ${parts.map(({ text }) => text).join("")}`);
    if (column + length > columns) {
      column = indent;
      lines.push([]);
      if (parts[0].text.startsWith(" ")) continue;
    }
    for (const { run, text } of parts) {
      const last = lines.at(-1).at(-1);
      if (last?.run === run) last.text += text;
      else lines.at(-1).push({ ...run, run, text, column });
      column += text.length;
    }
  }
  return lines;
}

/** Words and the space between them, each as parts of one style. */
function wordsOf(runs) {
  const words = [];
  for (const run of runs) {
    for (const [text] of run.text.matchAll(/ +|[^ ]+/g)) {
      const last = words.at(-1);
      const continues = last !== undefined && last[0].text.startsWith(" ") === text.startsWith(" ");
      if (continues) last.push({ run, text });
      else words.push([{ run, text }]);
    }
  }
  return words;
}
