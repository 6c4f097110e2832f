/** A page with new content between two of its comments. `file` names the page in errors. */
export function fillIn(file, page, [begin, end], content) {
  const start = page.indexOf(begin);
  const stop = page.indexOf(end, start);
  if (start < 0 || stop < 0) throw new Error(`${file}: the markers ${begin} and ${end} are missing`);
  return `${page.slice(0, start + begin.length)}\n\n${content}\n\n${page.slice(stop)}`;
}
