/** The lines of a program that construct resources, for errors that name two of them. */
import { isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The folders whose code constructs a resource on behalf of the program. */
const own = [join(__dirname, ".."), `${sep}@pulumi${sep}`, `${sep}node:internal`];

/** Where the program was when the error was made, such as `index.ts:12`; undefined where its stack does not show it. */
export function programLine({ stack = "" }: Error): string | undefined {
  for (const line of stack.split("\n")) {
    const [, place, row] = /^\s+at (?:.*\()?(.*?):(\d+):\d+\)?$/.exec(line) ?? [];
    if (place === undefined) continue;
    const file = place.startsWith("file:") ? fileURLToPath(place) : place;
    if (!isAbsolute(file) || own.some((folder) => file.includes(folder))) continue;
    return `${relative(process.cwd(), file)}:${row}`;
  }
  return undefined;
}
