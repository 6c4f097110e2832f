/** Ranges of addresses as numbers, for the oracle: it uses nothing of `src`. */

type Family = 4 | 6;

export interface Address {
  readonly family: Family;
  readonly value: bigint;
}

export interface Range extends Address {
  readonly prefix: number;
}

/** Consecutive addresses, both ends included. */
export interface Interval extends Address {
  readonly last: bigint;
}

const families = [4, 6] as const;
const widths = { 4: 32, 6: 128 } as const;
const lasts = { 4: (1n << 32n) - 1n, 6: (1n << 128n) - 1n } as const;

/** The bits of an IPv6 address, the highest first. */
const bits = Array.from({ length: 128 }, (_, i) => 1n << BigInt(127 - i));

/** Where IPv6 addresses embed IPv4 addresses: a network, the places of their bits, and the bits of the prefix that may be anything. */
interface Form {
  readonly network: bigint;
  readonly places: readonly number[];
  readonly free: bigint;
}

/** The places of the bits of an IPv4 address: after the prefix, but not in the bits 64 to 71 of local NAT64. */
const placesAfter = (prefix: number): number[] =>
  Array.from({ length: 32 }, (_, i) => (prefix <= 64 && prefix + i >= 64 ? prefix + i + 8 : prefix + i));

/** IPv4-compatible, IPv4-mapped, IPv4-translated and NAT64; and local NAT64 with a prefix of 48, 56, 64 or 96 bits. */
const forms: readonly Form[] = [
  ...[0n, 0xffffn << 32n, 0xffffn << 48n, 0x64ff9bn << 96n].map((network) => ({
    network,
    places: placesAfter(96),
    free: 0n,
  })),
  ...[48, 56, 64, 96].map((prefix) => {
    let free = 0n;
    for (let bit = 48; bit < prefix; bit += 1) if (bit < 64 || bit > 71) free |= bits[bit]!;
    return { network: 0x64ff9b0001n << 80n, places: placesAfter(prefix), free };
  }),
];

export function intervalOf({ family, value, prefix }: Range): Interval {
  return { family, value, last: value + (1n << BigInt(widths[family] - prefix)) - 1n };
}

export function contains(interval: Interval, { family, value }: Address): boolean {
  return interval.family === family && interval.value <= value && value <= interval.last;
}

const known = new WeakMap<Range, readonly Interval[]>();

/** The IPv4 addresses that a range of IPv6 embeds. */
export function embedded(range: Range): readonly Interval[] {
  const found =
    known.get(range) ?? (range.family === 4 ? [] : forms.flatMap((form) => embeddedIn(range, form)));
  known.set(range, found);
  return found;
}

function embeddedIn({ value, prefix }: Range, form: Form): Interval[] {
  let [first, free, wanted] = [0n, form.free, form.network];
  for (const [i, place] of form.places.entries()) {
    // What the range leaves open may be any bit.
    if (place >= prefix) free |= bits[place]!;
    else if ((value & bits[place]!) !== 0n) {
      first |= 1n << BigInt(31 - i);
      wanted |= bits[place]!;
    }
  }
  const fixed = (((1n << BigInt(prefix)) - 1n) << BigInt(128 - prefix)) & ~free;
  if ((value & fixed) !== (wanted & fixed)) return [];
  const open = form.places.filter((place) => place >= prefix).length;
  return [{ family: 4, value: first, last: first + (1n << BigInt(open)) - 1n }];
}

/**
 * Both families as intervals, cut where one of the ranges begins or ends, embedded ones too: whatever decides by these ranges
 * decides the same about all addresses of an interval.
 */
export function pieces(ranges: readonly Range[]): Interval[] {
  const whole = ranges.map(intervalOf);
  const all = [...whole, ...ranges.flatMap(embedded)];
  return families.flatMap((family) => {
    const starts = new Set([0n]);
    for (const each of all) {
      if (each.family !== family) continue;
      starts.add(each.value);
      if (each.last < lasts[family]) starts.add(each.last + 1n);
    }
    const sorted = [...starts].sort((a, b) => (a < b ? -1 : 1));
    return sorted.map((value, i) => ({ family, value, last: (sorted[i + 1] ?? lasts[family] + 1n) - 1n }));
  });
}

/** Sorted intervals without those that touch. */
export function joined(intervals: readonly Interval[]): Interval[] {
  const found: Interval[] = [];
  for (const each of intervals) {
    const previous = found.at(-1);
    if (previous?.family === each.family && previous.last + 1n === each.value)
      found[found.length - 1] = { ...previous, last: each.last };
    else found.push(each);
  }
  return found;
}

/** An address in the longest spelling. */
export function text({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
  return value.toString(16).padStart(32, "0").match(/.{4}/g)!.join(":");
}

export function intervalsText(intervals: readonly Interval[]): string {
  return intervals.map((each) => `${text(each)}-${text({ ...each, value: each.last })}`).join(" ");
}

/** Reads a range as the package prints it. */
export function rangeOf(cidr: string): Range {
  const [address = "", prefix] = cidr.split("/");
  const family = address.includes(":") ? 6 : 4;
  return {
    family,
    value: family === 4 ? ipv4Value(address) : ipv6Value(address),
    prefix: Number(prefix ?? widths[family]),
  };
}

function ipv4Value(address: string): bigint {
  return address.split(".").reduce((value, part) => value * 256n + BigInt(part), 0n);
}

function ipv6Value(address: string): bigint {
  const tail = address.slice(address.lastIndexOf(":") + 1);
  const isMixed = tail.includes(".");
  const low = isMixed ? ipv4Value(tail) : 0n;
  const plain = isMixed
    ? `${address.slice(0, -tail.length)}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`
    : address;
  const [head = [], rest] = plain.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const zeros = rest === undefined ? 0 : 8 - head.length - rest.length;
  const groups = [...head, ...Array<string>(zeros).fill("0"), ...(rest ?? [])];
  return BigInt(`0x${groups.map((group) => group.padStart(4, "0")).join("")}`);
}
