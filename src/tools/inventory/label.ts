/** Labels, by which people tell an object from others of its class. */
import { compareTexts } from "../../schema/text/compare-texts";
import { isRecord, valueAt } from "../../schema/unknown";
import type { InventoryObject } from "./inventory";
import { entryText } from "./managed";

/** The fields that may name an object, the best first. */
export const labels = [
  "description",
  "name",
  "deployment.name",
  "url",
  "cidr",
  "hostports",
  "subjectCommonName",
];
export const moreLabels = ["principals", "labels", "issuer", "provider", "target", "edgeId"];

/**
 * The text of a value that names an object: the first item of a list, the values of labels, the name of the alternative that
 * is set. An address loses its scheme.
 */
export function labelText(value: unknown): string {
  if (typeof value === "string") return value.replace(/^[a-z]+:\/\//, "");
  if (Array.isArray(value)) return typeof value[0] === "string" ? value[0] : "";
  if (!isRecord(value)) return "";
  const entries = Object.entries(value).sort(([a], [b]) => compareTexts(a, b));
  return entries
    .map(([key, each]) => (typeof each === "string" ? each : key.replace(/[A-Z]/g, "-$&")))
    .join("-");
}

const names = ["description", "name"];

/** The object in a table: its description or name, and its range, address or labels; undefined if it has none of them. */
export function objectLabel(object: InventoryObject): string | undefined {
  const texts = (paths: readonly string[]): string[] =>
    paths.map((path) => shownText(valueAt(object.values, path))).filter((text) => text !== "");
  const [name] = texts(names);
  const range = entryText(object);
  const [other] =
    range === undefined ? texts([...labels, ...moreLabels].filter((path) => !names.includes(path))) : [range];
  const shown = [name, other].filter((text) => text !== undefined);
  return shown.length === 0 ? undefined : shown.join(", ");
}

function shownText(value: unknown): string {
  if (Array.isArray(value)) return value.filter((each) => typeof each === "string").join(" ");
  if (!isRecord(value)) return typeof value === "string" ? value : "";
  const entries = Object.entries(value).sort(([a], [b]) => compareTexts(a, b));
  return entries.map(([key, each]) => (typeof each === "string" ? `${key}=${each}` : key)).join(" ");
}
