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

/** The most texts whose results are kept. */
const mostTexts = 1000;

/** The same for texts, for as long as they are few: thousands of resources have the same code. */
export function oncePerText<V>(compute: (text: string) => V): (text: string) => V {
  const results = new Map<string, { readonly found: V }>();
  return (text) => {
    const known = results.get(text);
    if (known) return known.found;
    if (results.size === mostTexts) results.clear();
    const found = compute(text);
    results.set(text, { found });
    return found;
  };
}
