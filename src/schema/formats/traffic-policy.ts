import type yaml = require("yaml");

/** Whether a traffic policy, in YAML or JSON, has no rules. A policy that is not text has none. */
export function isEmpty(policy: unknown): boolean {
  if (typeof policy !== "string") return true;
  const { parse } = require("yaml") as typeof yaml;
  try {
    return isEmptyDocument(parse(policy));
  } catch {
    return false; // not YAML: its effect is not known
  }
}

function isEmptyDocument(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.every(isEmptyDocument);
  return typeof value === "object" && Object.values(value).every(isEmptyDocument);
}
