/**
 * How services of this kind normalise values in their responses. Each function takes the value as sent.
 */

export const pem = (text: string) => (text.endsWith("\n") ? text : `${text}\n`);

export const headerNames = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

export const endpointUrl = (url: string) => url.replace(/^(https:\/\/.*):443$/i, "$1");

/** How a collection shows a string that is not set. */
export type Unset = "absent" | "null" | "empty";

const FORMS = ["absent", "null", "empty"] as const;

/** How a collection shows unset strings: it differs between collections but never within one. */
export const unsetForm = (index: number): Unset => FORMS[(index % 3) as 0 | 1 | 2];

/** An unset or cleared string in this form. JSON leaves out undefined members. */
export function unset(value: string | undefined, form: Unset): string | null | undefined {
  if (value !== undefined && value !== "") return value;
  return form === "absent" ? undefined : form === "null" ? null : "";
}
