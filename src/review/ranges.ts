/** The rules of one IP policy by their ranges: which of them cover a range, without comparing each with each. */
import { parse } from "../schema/formats/cidr";
import type { Range } from "../schema/formats/cidr";

export class Ranges<T> {
  private readonly held = new Map<string, T[]>();

  /** Holds a value at a range; one that is none, or is not known yet, is left out. */
  add(cidr: unknown, value: T): void {
    const range = typeof cidr === "string" ? parse(cidr) : undefined;
    if (!range) return;
    const key = keyOf(range, range.prefix);
    this.held.set(key, [...(this.held.get(key) ?? []), value]);
  }

  /** What is held at the very range, in the order in which it came. */
  at(cidr: unknown): readonly T[] {
    const range = typeof cidr === "string" ? parse(cidr) : undefined;
    return range ? (this.held.get(keyOf(range, range.prefix)) ?? []) : [];
  }

  /** What is held at the ranges that contain this one and are wider, the narrowest first. */
  around(cidr: unknown): T[] {
    const range = typeof cidr === "string" ? parse(cidr) : undefined;
    if (!range) return [];
    const wider = Array.from({ length: range.prefix }, (_, index) => range.prefix - 1 - index);
    return wider.flatMap((prefix) => this.held.get(keyOf(range, prefix)) ?? []);
  }
}

/** The range's bits up to the prefix: equal for all ranges of that prefix that contain it. */
function keyOf({ family, bytes }: Range, prefix: number): string {
  const whole = prefix >> 3;
  const rest = prefix & 7;
  const last = rest === 0 ? [] : [bytes[whole]! & (0xff << (8 - rest)) & 0xff];
  return `${family}/${prefix}/${[...bytes.slice(0, whole), ...last].join(".")}`;
}
