/** The ranges in the content of a source. Any deviation from the declared form is an error, because a wrong list opens access. */
import { compareBlocks, blockOf } from "../../schema/addresses/block";
import { cidrOf } from "../../schema/addresses/address-set";
import { GatewayError } from "../../provider/errors";
import { quote, counted, inDigits } from "../../schema/text/phrase";
import { problem } from "../../schema/formats/cidr";
import { isRecord } from "../../schema/unknown";
import { globPattern } from "../../schema/text/glob";
import type { Glob } from "../../schema/text/glob";
import { kindsOf } from "./special-ranges";
import type { Source } from "./sources-file";
import { jsonIn } from "../../schema/json";

/** The maximum number of ranges of a source. */
const mostRanges = 100_000;

/**
 * The ranges of the source in canonical spelling, sorted and without duplicates. Throws a GatewayError that states the problem.
 */
export function rangesFrom(source: Source, content: string): string[] {
  const { name, format = "text", family, smallest = 1, mayHold = [] } = source;
  const texts = format === "json" ? textsInJson(source, content) : textsInLines(content);
  if (texts.length > mostRanges)
    throw new GatewayError(`the source ${name} holds more than ${inDigits(mostRanges)} ranges`);
  const blocks = texts.map((text) => {
    const block = blockOf(text);
    if (block === undefined) throw notARange(name, text);
    return block;
  });
  const wanted = blocks.filter((block) => family === undefined || `ipv${block.family}` === family);
  for (const block of wanted) {
    const kind = kindsOf(block).find((each) => !mayHold.includes(each));
    if (kind !== undefined)
      throw new GatewayError(
        `the source ${name} holds ${cidrOf(block)}, a range of the kind ${kind}. If the source may hold such ranges, ` +
          `add ${kind} to its mayHold in ranges.yaml`,
      );
  }
  const ranges = [...new Set(wanted.sort(compareBlocks).map(cidrOf))];
  if (ranges.length < smallest)
    throw new GatewayError(
      `the source ${name} holds ${counted(ranges.length, "range")}, and its smallest number is ${inDigits(smallest)}`,
    );
  return ranges;
}

function notARange(name: string, text: unknown): GatewayError {
  const shown = typeof text === "string" ? (problem(text) ?? "") : `a ${typeof text} instead of a text`;
  return new GatewayError(`the source ${name} holds something else than ranges: ${shown}`);
}

/** One range per line. Text after # or ; is a comment. */
function textsInLines(content: string): string[] {
  return content
    .split("\n")
    .map((line) => line.split(/[#;]/, 1)[0]!.trim())
    .filter((line) => line !== "");
}

function textsInJson(source: Source, content: string): unknown[] {
  const { name, path = [] } = source;
  const document = jsonIn(content);
  if (document === undefined)
    throw new GatewayError(
      `the source ${name} sends ${counted(content.length, "character")} that are not JSON`,
    );
  return [path].flat().flatMap((each) => {
    const found = textsAt(source, document, each);
    if (found.length === 0)
      throw new GatewayError(`the source ${name} holds nothing at ${each} that its filter accepts`);
    return found;
  });
}

/** In a path, stands for each item of a list. */
const each = Symbol("each item");
type Step = string | typeof each;

/** The steps of a path such as `prefixes[].cidr`. */
function stepsOf(path: string): Step[] {
  return path.split(".").flatMap((part): Step[] => {
    const [name = "", ...lists] = part.split("[]");
    return [...(name === "" ? [] : [name]), ...lists.map((): Step => each)];
  });
}

/** The values at a path. A filter selects items of its first list by their members. */
function textsAt({ name, filter = {} }: Source, document: unknown, path: string): unknown[] {
  const steps = stepsOf(path);
  const first = steps.indexOf(each) + 1;
  const items = first === 0 ? [document] : valuesAt(name, [document], steps.slice(0, first), path);
  const chosen = Object.entries(filter).map(([member, texts]) => ({
    steps: stepsOf(member),
    patterns: [texts].flat().map(globPattern),
  }));
  // The member of an item may be an object or a list, which has no text to compare.
  const matches = (value: unknown, patterns: readonly Glob[]): boolean =>
    isText(value) && patterns.some((pattern) => pattern.test(String(value)));
  const isChosen = (item: unknown): boolean =>
    chosen.every(({ steps: at, patterns }) =>
      valuesAt(name, [item], at, path).some((value) => matches(value, patterns)),
    );
  return valuesAt(name, items.filter(isChosen), steps.slice(first), path);
}

function isText(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** The values behind the steps. A member may be missing, but a list must be a list. */
function valuesAt(name: string, values: readonly unknown[], steps: readonly Step[], path: string): unknown[] {
  return steps.reduce<unknown[]>(
    (found, step) =>
      found.flatMap((value): unknown[] => {
        if (step !== each) return isRecord(value) && Object.hasOwn(value, step) ? [value[step]] : [];
        if (Array.isArray(value)) return value as unknown[];
        throw new GatewayError(`the source ${name} holds no list where the path ${quote(path)} says so`);
      }),
    [...values],
  );
}
