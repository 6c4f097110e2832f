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
