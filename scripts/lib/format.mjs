import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "oxfmt";
import { root } from "./paths.mjs";

/** A text as `npm run format:fix` would write it into the file. */
export async function formatted(file, text) {
  const { code, errors } = await format(
    file,
    text,
    JSON.parse(readFileSync(join(root, ".oxfmtrc.json"), "utf8")),
  );
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join("; ")}`);
  return code;
}
