/**
 * What services of this kind were seen to make of values (service-facts.md, Answers). Each takes the value as sent.
 */

export const pem = (text: string) => (text.endsWith("\n") ? text : `${text}\n`);

export const headerNames = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

export const endpointUrl = (url: string) => url.replace(/^(https:\/\/.*):443$/i, "$1");

/** How a collection shows a string that is not set. */
export type Unset = "absent" | "null" | "empty";

const FORMS = ["absent", "null", "empty"] as const;

/** Unset description and metadata differ from collection to collection, but never within one. */
export const unsetForm = (place: number): Unset => FORMS[(place % 3) as 0 | 1 | 2];

/** An unset or cleared string, as the form says; undefined members are left out of JSON. */
export function unset(value: string | undefined, form: Unset): string | null | undefined {
  if (value !== undefined && value !== "") return value;
  return form === "absent" ? undefined : form === "null" ? null : "";
}
