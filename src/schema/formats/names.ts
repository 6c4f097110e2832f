import type { Format } from "../field";
import { quote } from "../text/phrase";
import { hasControl, notEmpty } from "./text";

/** What is wrong with text that is none of the words. `shown` is the text as the program gave it. */
export function wordProblem(words: readonly string[], value: string, shown = value): string | undefined {
  const allowed = words.map((word) => JSON.stringify(word)).join(" or ");
  return words.includes(value) ? undefined : `must be ${allowed}, not ${quote(shown)}`;
}

/** One of some words, which are given in lower case. */
export function inAnyCase(...words: string[]): Format {
  const canonical = (value: string): string => value.toLowerCase();
  return {
    check: (value) => wordProblem(words, canonical(value), value),
    canonical,
    example: () => words[0]!,
  };
}

/** An event type: any name with a version suffix ("Events" 2), such as `ip_policy_created.v0`. */
export const eventType = {
  check: (value: string) =>
    /^\S+\.v[0-9]+$/.test(value) && !hasControl(value)
      ? undefined
      : `must be an event type with its version, such as ip_policy_created.v0; got ${quote(value)}`,
  example: () => "ip_policy_created.v0",
} satisfies Format;

/** The identifier of a webhook provider. Which there are is not shown. Those that are shown are in upper case. */
export const webhookProvider = {
  check: notEmpty,
  advise: (value: string) =>
    value === value.toUpperCase() && !/\s/.test(value)
      ? undefined
      : "is not in upper case without white space, as the identifiers of webhook providers are; services may refuse it",
  canonical: (value: string) => value.toUpperCase(),
  example: () => "CODE_HOST",
} satisfies Format;

/** A key of a tunnel group backend's `labels`: without `=`, which parts a label's key and value. */
export const labelKey = {
  check: (value: string) =>
    value.includes("=") ? `must be a label key without "=" in it; got ${quote(value)}` : undefined,
  advise: (value: string) => (value === "" ? "is empty" : adviseLabel(value)),
} satisfies Format;

/** A value of a tunnel group backend's `labels`: without `=`. */
export const labelValue = {
  check: (value: string) =>
    value.includes("=") ? `must be a label value without "=" in it; got ${quote(value)}` : undefined,
  advise: adviseLabel,
} satisfies Format;

function adviseLabel(value: string): string | undefined {
  return hasControl(value) ? "holds a control character" : undefined;
}
