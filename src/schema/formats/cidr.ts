import { isIPv4, isIPv6 } from "node:net";
import type ipaddr = require("ipaddr.js");
import { quote } from "../text/phrase";

/** A range of addresses, in network byte order. */
export interface Range {
  readonly family: 4 | 6;
  /** Four or sixteen bytes; bits beyond the prefix are zero. */
  readonly bytes: readonly number[];
  readonly prefix: number;
}

/** No spelling of a range is longer: 45 characters of IPv6 with an IPv4 tail, a slash, three digits. */
const LONGEST = 49;

/**
 * An IP policy rule's `cidr`: "an IP or IP range in CIDR notation", IPv4 or IPv6. A range is the network address with
 * its mask; an address stands for the range that holds it alone. IPv4 is four decimal parts without leading zeros; an
 * IPv6 zone is not an address range.
 */
export function check(value: string): string | undefined {
  const reason = problem(value);
  if (reason === undefined) return undefined;
  return `must be a network address in CIDR notation such as 10.0.0.0/8 or 2001:db8::/32, or an IP address; ${reason}`;
}

/**
 * The range as requests carry it: an address gets its mask, which services ask for. A range stays as it is spelled.
 * @public It is read where the module as a whole is a field's format.
 */
export function sent(value: string): string {
  return isAddress(value) ? canonical(value) : value;
}

/**
 * A range that is reserved for documentation (RFC 5737).
 * @public It is read where the module as a whole is a field's format.
 */
export function example(): string {
  return "203.0.113.0/24";
}

/** What is wrong with a range, without what is allowed; undefined when it is right. */
export function problem(value: string): string | undefined {
  const range = parseRange(value);
  return typeof range === "string" ? range : undefined;
}

/** Reads a range; undefined unless `check` finds it right. */
export function parse(value: string): Range | undefined {
  const range = parseRange(value);
  return typeof range === "string" ? undefined : range;
}

/**
 * The one spelling of a range after RFC 5952, with its mask: letter case, zero compression, an IPv4 tail and a full mask
 * do not count. Other text is returned as it is.
 */
export function canonical(value: string): string {
  const range = parse(value);
  return range ? formatAddress(range.bytes, range.prefix) : value;
}

/** An address of four or sixteen bytes, after RFC 5952; with a prefix the range in CIDR notation. */
export function formatAddress(bytes: readonly number[], prefix?: number): string {
  const address = bytes.length === 4 ? bytes.join(".") : formatIPv6(bytes);
  return prefix === undefined ? address : `${address}/${prefix}`;
}

/** Whether two ranges have addresses in common; one of them is then inside the other. */
export function overlap(one: string, other: string): boolean {
  const [a, b] = [parse(one), parse(other)];
  if (!a || !b || a.family !== b.family) return false;
  const prefix = Math.min(a.prefix, b.prefix);
  const network = mask(b.bytes, prefix);
  return mask(a.bytes, prefix).every((byte, i) => byte === network[i]);
}

/** The two halves of a range, the lower one first; none of a single address. */
export function halves(value: string): string[] {
  const range = parse(value);
  if (!range || range.prefix === range.bytes.length * 8) return [];
  const { bytes, prefix } = range;
  const upper = bytes.map((byte, i) => (i === prefix >> 3 ? byte | (0x80 >> (prefix & 7)) : byte));
  return [bytes, upper].map((half) => formatAddress(half, prefix + 1));
}

/** A plain IPv4 or IPv6 address without mask or zone. */
export function isAddress(value: string): boolean {
  return addressBytes(value) !== undefined;
}

/** The one spelling of a plain address; other text is returned as it is. */
export function canonicalAddress(value: string): string {
  const bytes = addressBytes(value);
  return bytes ? formatAddress(bytes) : value;
}

/** The last value that was read: a range is validated and spelled in turn. */
let last: { readonly value: string; readonly result: Range | string } | undefined;

function parseRange(value: string): Range | string {
  if (last?.value !== value) last = { value, result: readRange(value) };
  return last.result;
}

function readRange(value: string): Range | string {
  if (value.length > LONGEST) return `${quote(value)} is too long to be one`;
  const slash = value.indexOf("/");
  const bytes = addressBytes(slash < 0 ? value : value.slice(0, slash));
  if (!bytes) return noAddress(value);
  const width = bytes.length * 8;
  const digits = slash < 0 ? String(width) : value.slice(slash + 1);
  const prefix = /^(0|[1-9][0-9]{0,2})$/.test(digits) ? Number(digits) : Infinity;
  if (prefix > width) return `the mask of ${quote(value)} must be a number from 0 to ${width}`;
  if (hasHostBits(bytes, prefix)) {
    return `${quote(value)} has host bits set, did you mean ${formatAddress(mask(bytes, prefix), prefix)}?`;
  }
  return { family: width === 32 ? 4 : 6, bytes, prefix };
}

/** What is wrong with a text that has no address before its slash: other tools accept some of these texts. */
function noAddress(value: string): string {
  const ends = value.split("-").map((end) => end.trim());
  if (ends.length === 2 && ends.every(isAddress))
    return `${quote(value)} is a span of addresses; write it as ranges in CIDR notation`;
  if (isAddress(value.split("/")[0]!.trim())) return `${quote(value)} contains white space`;
  return `${quote(value)} does not begin with an IPv4 or IPv6 address`;
}

/** The bytes of a plain address, in network byte order; undefined for anything else. */
export function addressBytes(value: string): number[] | undefined {
  if (value.length > LONGEST) return undefined;
  // node:net decides what an address is, because ipaddr.js also takes octal, hexadecimal and short forms.
  if (isIPv4(value)) return bytesOfIPv4(value);
  if (isIPv6(value) && !value.includes("%")) return library().IPv6.parse(withoutTail(value)).toByteArray();
  return undefined;
}

/** The bytes of an IPv4 address. A log has millions of them, and `split` and `Number` take three times as long. */
function bytesOfIPv4(address: string): number[] {
  const bytes = [0, 0, 0, 0];
  let at = 0;
  for (let i = 0; i < address.length; i++) {
    const code = address.charCodeAt(i);
    if (code === dot) at += 1;
    else bytes[at] = bytes[at]! * 10 + code - zero;
  }
  return bytes;
}

const dot = ".".charCodeAt(0);
const zero = "0".charCodeAt(0);

/** An IPv6 address without an IPv4 tail: ipaddr.js reads `::192.0.2.0` as `::ffff:192.0.2.0`. */
function withoutTail(address: string): string {
  return address.includes(".") ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

/** Whether an address is one of IPv4 as `::ffff:192.0.2.1`. */
export function isMapped(bytes: readonly number[]): boolean {
  return bytes.length === 16 && bytes.every((byte, i) => i >= 12 || byte === (i < 10 ? 0 : 0xff));
}

function hasHostBits(bytes: readonly number[], prefix: number): boolean {
  const whole = prefix >> 3;
  if (whole === bytes.length) return false;
  return (bytes[whole]! & (0xff >> (prefix & 7))) !== 0 || bytes.some((byte, i) => i > whole && byte !== 0);
}

function mask(bytes: readonly number[], prefix: number): number[] {
  return bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, prefix - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
}

function formatIPv6(bytes: readonly number[]): string {
  if (isMapped(bytes)) return `::ffff:${bytes.slice(12).join(".")}`; // RFC 5952, section 5
  const groups = bytes.flatMap((byte, i) => (i % 2 === 0 ? [byte * 256 + bytes[i + 1]!] : []));
  const { start, length } = longestZeros(groups);
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(":");
  if (length < 2) return text(groups); // RFC 5952, section 4.2.2
  return `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}

/** The first of the longest runs of zeros. RFC 5952, section 4.2.3. */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let [longest, run] = [{ start: 0, length: 0 }, 0];
  for (const [i, group] of groups.entries()) {
    run = group === 0 ? run + 1 : 0;
    if (run > longest.length) longest = { start: i + 1 - run, length: run };
  }
  return longest;
}

function library(): typeof ipaddr {
  return require("ipaddr.js") as typeof ipaddr;
}
