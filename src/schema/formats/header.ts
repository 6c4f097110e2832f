import { quote } from "./quote";

/** The name of an HTTP header: a token of RFC 9110, section 5.6.2. */
export function checkName(value: string): string | undefined {
  if (/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(value)) return undefined;
  return `must be a header name of letters, digits and !#$%&'*+-.^_\`|~ only, got ${quote(value)}`;
}

/**
 * The value of an HTTP header (RFC 9110, section 5.5): no line ends or other control characters but tab,
 * no white space around it. The message never shows the value, which may be a credential.
 */
export function checkValue(value: string): string | undefined {
  if (/(?!\t)\p{Cc}/u.test(value)) return "must be a header value without line ends and control characters";
  if (/^[ \t]|[ \t]$/.test(value)) return "must be a header value without white space around it";
  return undefined;
}

/** Whether two header names are one: letter case does not count. */
export function sameName(a: string, b: string): boolean {
  return canonicalName(a) === canonicalName(b);
}

/** The one spelling of a header name: lower case. */
export function canonicalName(value: string): string {
  return value.toLowerCase();
}
