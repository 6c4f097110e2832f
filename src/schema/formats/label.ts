import { quote } from "./quote";
import { hasControl } from "./text";

/** A key of a tunnel group backend's `labels`: not empty, without `=`, which parts a label's key and value. */
export function checkKey(value: string): string | undefined {
  if (value === "") return "must be a label key, which is not empty";
  return fault(value)
    ? `must be a label key without "=" and control characters, got ${quote(value)}`
    : undefined;
}

/** A value of a tunnel group backend's `labels`; it may be empty, and holds no `=`. */
export function checkValue(value: string): string | undefined {
  return fault(value)
    ? `must be a label value without "=" and control characters, got ${quote(value)}`
    : undefined;
}

function fault(value: string): boolean {
  return value.includes("=") || hasControl(value);
}
