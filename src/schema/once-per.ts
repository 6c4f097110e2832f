/** The function, which computes its result for an object once, and keeps it as long as the object lives. */
export function oncePer<K extends WeakKey, V>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined || results.has(key)) return known!;
    const found = compute(key);
    results.set(key, found);
    return found;
  };
}

/** The same for two objects. */
export function oncePerPair<K extends WeakKey, L extends WeakKey, V>(
  compute: (key: K, other: L) => V,
): (key: K, other: L) => V {
  const results = oncePer((key: K) => oncePer((other: L) => compute(key, other)));
  return (key, other) => results(key)(other);
}

/** The most texts whose results are kept. */
const mostTexts = 1000;

/** The same for texts, for as long as they are few: thousands of resources have the same code. */
export function oncePerText<V>(compute: (text: string) => V): (text: string) => V {
  type Result = { readonly text: string; readonly found: V };
  const results = new Map<string, Result>();
  let last: Result | undefined;
  return (text) => {
    // The same text often comes again, and to compare it with the last one takes less time than the hash of a long text.
    if (last?.text === text) return last.found;
    last = results.get(text);
    if (last) return last.found;
    if (results.size === mostTexts) results.clear();
    last = { text, found: compute(text) };
    results.set(text, last);
    return last.found;
  };
}
