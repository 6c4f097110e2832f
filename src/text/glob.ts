/** A pattern for a text in which `*` stands for any characters; everything else matches only itself. */
export function globPattern(glob: string): RegExp {
  const literals = glob.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${literals.join("[^]*")}$`);
}
