/** The name that a mistyped one probably means. */

/** The most characters that may be missing, added, swapped or wrong. */
const mostWrong = 2;

/**
 * The known name that differs from the given one in one place alone, by few characters; capitals and marks such as `-` do not
 * count. Undefined where there is none.
 */
export function nearest<T extends string>(name: string, known: readonly T[]): T | undefined {
  const near = known
    .map((each) => ({ each, wrong: wrongCharacters(letters(name), letters(each)) }))
    .filter(({ each, wrong }) => wrong <= mostWrong && wrong * 3 <= letters(each).length);
  return near.sort((a, b) => a.wrong - b.wrong)[0]?.each;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, "");
}

/** How many characters of the longer text are between what both begin with and what both end with. */
function wrongCharacters(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let [start, end] = [0, 0];
  while (start < shorter && a[start] === b[start]) start += 1;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end;
}
