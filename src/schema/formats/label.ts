import type { Format } from "../field";
import { quote } from "./quote";
import { hasControl } from "./text";

/** A key of a tunnel group backend's `labels`: without `=`, which parts a label's key and value. */
export function checkKey(value: string): string | undefined {
  return value.includes("=") ? `must be a label key without "=" in it; got ${quote(value)}` : undefined;
}

/** A value of a tunnel group backend's `labels`: without `=`. */
export function checkValue(value: string): string | undefined {
  return value.includes("=") ? `must be a label value without "=" in it; got ${quote(value)}` : undefined;
}

/** A key that is empty or holds control characters. */
export function adviseKey(value: string): string | undefined {
  return value === "" ? "is empty" : adviseValue(value);
}

/** A value that holds control characters. */
export function adviseValue(value: string): string | undefined {
  return hasControl(value) ? "holds a control character" : undefined;
}

export const key: Format = { check: checkKey, advise: adviseKey };
export const value: Format = { check: checkValue, advise: adviseValue };
