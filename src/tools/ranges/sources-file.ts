/** The file `ranges.yaml`: the published lists of ranges that a project uses. A pull request may write it. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { listForm, objectForm, oneOfForm, settingError, sizesForm, valid } from "../access/config-forms";
import { GatewayError } from "../../provider/errors";
import { escapeControlsInLines, hasControls } from "../../schema/text/escape";
import { specialKinds } from "./special-ranges";
import { parsedYaml } from "../stack/yaml";

export const sourcesFile = "ranges.yaml";

/** The limits of the file, and of a path or a filter in it. */
const [mostSources, mostBytes, mostEntries, mostCharacters] = [100, 1024 * 1024, 100, 500];

/** A path into JSON: names, joined by dots; `[]` after a name stands for each item of the list. */
const pathPattern = /^(?:\[\]|[\w-]+)(?:\[\])*(?:\.[\w-]+(?:\[\])*)*$/;

const textRule = settingError(`must be a text of at most ${mostCharacters} characters`);
const text = z.string(textRule).max(mostCharacters, textRule);
const pathRule = settingError("must be a path such as prefixes[].cidr");
const path = text.regex(pathPattern, pathRule);
const nameRule = settingError(
  "must be a name of at most 63 lower-case letters, digits, dots, hyphens and underscores, beginning with a letter or digit",
);
const countRule = settingError("must be a whole number from 1 to 100,000");
const percentRule = settingError("must be a number above 0 and up to 1,000,000");

const sourceForm = objectForm({
  name: z.string(nameRule).regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, nameRule),
  url: text,
  format: oneOfForm(["text", "json"]),
  path: z.union([path, listForm(path, mostEntries, "paths")], pathRule).optional(),
  filter: z
    .record(
      text,
      z.union([text, listForm(text, mostEntries, "texts")]),
      settingError("must map members to texts"),
    )
    .optional(),
  family: oneOfForm(["ipv4", "ipv6"]),
  mayHold: listForm(oneOfForm(specialKinds).unwrap(), specialKinds.length, "kinds of ranges").optional(),
  smallest: z.int(countRule).min(1, countRule).max(100_000, countRule).optional(),
  largestChange: objectForm({
    ...sizesForm.shape,
    percent: z.number(percentRule).positive(percentRule).max(1_000_000, percentRule).optional(),
  }).optional(),
});

const fileForm = objectForm({ sources: listForm(sourceForm, mostSources, "sources") });

/** A published list of ranges. */
export type Source = z.infer<typeof sourceForm>;

/** The sources of a project. Throws a GatewayError that states the problem. */
export function readSources(folder: string): readonly Source[] {
  const file = join(folder, sourcesFile);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new GatewayError(`there is no file ${file}: it lists the sources of published ranges`);
  if (statSync(file).size > mostBytes) throw new GatewayError(`${file} is longer than 1 MiB`);
  try {
    const { sources } = valid(fileForm, parsedYaml(readFileSync(file, "utf8")));
    for (const source of sources) requireFitting(source, sources);
    return sources;
  } catch (error) {
    throw new GatewayError(`${file} cannot be used: ${escapeControlsInLines((error as Error).message)}`);
  }
}

/** Throws if members of a source do not fit together, or if two sources have the same name. */
function requireFitting(source: Source, all: readonly Source[]): void {
  const { name, url, format = "text", path: given, filter } = source;
  const wrongUrl = urlProblem(url);
  const problem =
    all.find((each) => each.name === name) !== source
      ? "its name is that of another source"
      : format === "json" && given === undefined
        ? "the format json needs a path"
        : format === "text" && (given ?? filter) !== undefined
          ? "path and filter are for the format json"
          : wrongUrl && `the url ${wrongUrl}`;
  if (problem !== undefined) throw new Error(`the source ${name}: ${problem}`);
}

/** The problem with the address of a source; undefined if there is none. */
export function urlProblem(address: string): string | undefined {
  if (!URL.canParse(address) || hasControls(address) || /\s/.test(address))
    return "must be an https URL, such as https://example.com/ranges.txt";
  const { protocol, username, password } = new URL(address);
  if (protocol !== "https:")
    return "must be an https URL: with another protocol, others can change the ranges";
  if (username !== "" || password !== "") return "must contain no user name and no password";
  return undefined;
}
