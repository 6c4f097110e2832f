import { notEmpty as check } from "./text";

/** The identifier of a webhook provider. Which there are is not shown. Those that are shown are in upper case. */
export { check };

export function advise(value: string): string | undefined {
  return value === value.toUpperCase() && !/\s/.test(value)
    ? undefined
    : "is not in upper case without white space, as the identifiers of webhook providers are; services may refuse it";
}

export function canonical(value: string): string {
  return value.toUpperCase();
}

export function example(): string {
  return "CODE_HOST";
}
