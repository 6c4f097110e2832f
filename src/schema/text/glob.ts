/** A compiled pattern. */
export interface Glob {
  test(text: string): boolean;
}

/**
 * A pattern for a text in which `*` stands for any characters; everything else matches only itself. Each part between
 * two stars is taken where it occurs first, without going back, so that no pattern makes a test slow.
 */
export function globPattern(glob: string): Glob {
  const [head = "", ...rest] = glob.split("*");
  const tail = rest.pop();
  if (tail === undefined) return { test: (text) => text === head };
  return {
    test(text) {
      if (!text.startsWith(head)) return false;
      let from = head.length;
      for (const part of rest) {
        const at = text.indexOf(part, from);
        if (at < 0) return false;
        from = at + part.length;
      }
      return from + tail.length <= text.length && text.endsWith(tail);
    },
  };
}
