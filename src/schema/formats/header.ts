import type { Format } from "../field";
import { quote } from "../text/phrase";
import { hasControl } from "./text";

/** The name of an HTTP header: a token of RFC 9110, section 5.6.2. */
export function checkName(value: string): string | undefined {
  if (/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(value)) return undefined;
  return `must be a header name of letters, digits and !#$%&'*+-.^_\`|~ only, got ${quote(value)}`;
}

/**
 * The value of an HTTP header (RFC 9110, section 5.5): no line ends or other control characters but tab.
 * The message never shows the value, which may be a credential.
 */
export function checkValue(value: string): string | undefined {
  if (hasControl(value.replaceAll("\t", "")))
    return "must be a header value without line ends and control characters";
  return undefined;
}

/** A value with white space around it, which HTTP does not transfer. */
export function adviseValue(value: string): string | undefined {
  return value === canonicalValue(value)
    ? undefined
    : "has white space around it, which HTTP does not transfer";
}

/** The one spelling of a value, without the white space around it; a loop, because a pattern takes quadratic time. */
export function canonicalValue(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && isBlank(value[start])) start += 1;
  while (end > start && isBlank(value[end - 1])) end -= 1;
  return value.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

/** The one spelling of a header name: lower case. */
export function canonicalName(value: string): string {
  return value.toLowerCase();
}

export const name: Format = { check: checkName, canonical: canonicalName };
export const value: Format = { check: checkValue, advise: adviseValue, canonical: canonicalValue };
