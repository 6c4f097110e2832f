/** Logs of real clients: the first IP address of each line, how often each occurs, and the time that the lines cover. */
import { addressBytes, isMapped } from "../../schema/formats/cidr";
import { valueAt } from "../../schema/unknown";

/** The longest part of a line that is read, in bytes, because a log may contain anything. */
const longestLine = 64 * 1024;

/** How often an address occurs. */
export interface AddressCount {
  /** Four or sixteen bytes. */
  readonly bytes: readonly number[];
  readonly requests: number;
  /** The number of the last line with it, from 1. */
  readonly lastLine: number;
}

/** Mutable, because a log has many more lines than clients. */
interface Count extends AddressCount {
  requests: number;
  lastLine: number;
}

/** Counts the clients of a log while it arrives. */
export class ClientLog {
  private readonly counts = new Map<number | string, Count>();
  lines = 0;
  linesWithAddress = 0;
  /** The number of lines with an address and a time. */
  linesWithTime = 0;
  /** The first and the last time of a line with an address, in milliseconds since 1970; undefined if no line has a time. */
  covers: { readonly from: number; readonly until: number } | undefined;
  private readonly times = new Times();
  private rest = "";

  /** @param field the member of JSON lines that holds the address; without it the first address of a line counts. */
  constructor(private readonly field?: string) {}

  push(chunk: Buffer): void {
    // Addresses and the syntax of JSON are ASCII.
    const text = this.rest + chunk.toString("latin1");
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.line(text.slice(start, Math.min(end, start + longestLine)));
      start = end + 1;
    }
    this.rest = text.slice(start, start + longestLine);
  }

  end(): void {
    if (this.rest !== "") this.line(this.rest);
    this.rest = "";
  }

  /** The clients, each once. */
  clients(): Iterable<AddressCount> {
    return this.counts.values();
  }

  private line(line: string): void {
    this.lines += 1;
    const bytes = this.field === undefined ? firstAddress(line) : addressAt(line, this.field);
    if (!bytes) return;
    this.linesWithAddress += 1;
    this.cover(line);
    const key = keyOf(bytes);
    const count = this.counts.get(key);
    if (count === undefined) this.counts.set(key, { bytes, requests: 1, lastLine: this.lines });
    else {
      count.requests += 1;
      count.lastLine = this.lines;
    }
  }

  private cover(line: string): void {
    const time = this.times.in(line);
    if (time === undefined) return;
    this.linesWithTime += 1;
    const { from, until } = this.covers ?? { from: time, until: time };
    this.covers = { from: Math.min(from, time), until: Math.max(until, time) };
  }
}

/** A number for IPv4: a map with numbers as keys takes half the time of one with texts. */
function keyOf(bytes: readonly number[]): number | string {
  if (bytes.length !== 4) return String.fromCharCode(...bytes);
  return ((bytes[0]! * 256 + bytes[1]!) * 256 + bytes[2]!) * 256 + bytes[3]!;
}

const candidates =
  /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*[\w])|(?:[0-9a-f]{0,4}:){2,8}[0-9a-f.]{0,15}(?![\w:]))/gi;

/** The bytes of the first address in a text. An IPv4 client of a dual-stack server gives the four bytes of IPv4. */
function firstAddress(text: string): readonly number[] | undefined {
  candidates.lastIndex = 0;
  for (let match = candidates.exec(text); match; match = candidates.exec(text)) {
    const bytes = addressBytes(match[0]);
    const client = bytes && isMapped(bytes) ? bytes.slice(12) : bytes;
    if (client && mayBeClient(client)) return client;
  }
  return undefined;
}

/**
 * Whether a client can have the address. Names such as `a::b` and the separator `::` read as IPv6 addresses that no client
 * has: only the loopback address and those behind a NAT64 gateway begin with a zero byte and are in use.
 */
function mayBeClient(bytes: readonly number[]): boolean {
  if (bytes[0] !== 0) return true;
  const isLoopback = bytes.length === 16 && bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
  const isBehindNat64 = bytes.length === 16 && [0x00, 0x64, 0xff, 0x9b].every((byte, i) => bytes[i] === byte);
  return isLoopback || isBehindNat64;
}

function addressAt(line: string, field: string): readonly number[] | undefined {
  try {
    const value = valueAt(JSON.parse(line), field);
    return typeof value === "string" ? firstAddress(value) : undefined;
  } catch {
    return undefined;
  }
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** RFC 3339 and similar forms such as `2026-11-21 10:11:12,345`, and the form of web servers, `21/Nov/2026:10:11:12 +0000`. */
const timeForms = new RegExp(
  [
    String.raw`\b(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,]\d{1,9})? ?(Z|[+-]\d\d:?\d\d)?`,
    String.raw`\b(\d\d)/(${months.join("|")})/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})`,
  ].join("|"),
);

/** Reads the times of lines. Many lines have the same time as the line before them. */
export class Times {
  /** The text of the last time with a zone: the same text is the same time, whatever follows it. */
  private text: string | undefined;
  private instant: number | undefined;

  /** The first time in a text, in milliseconds since 1970, without fractions of a second; UTC if it names no zone. */
  in(line: string): number | undefined {
    const at = line.search(timeForms);
    if (at < 0) return undefined;
    if (this.text !== undefined && line.startsWith(this.text, at)) return this.instant;
    const match = timeForms.exec(line)!;
    const [text, , , , , zone, , , , , webZone] = match;
    this.text = (zone ?? webZone) === undefined ? undefined : text;
    this.instant = instantOf(match);
    return this.instant;
  }
}

function instantOf(match: RegExpExecArray): number | undefined {
  const [, year, month, day, time, zone = "Z", webDay, webMonth, webYear, webTime, webZone] = match;
  const date =
    year === undefined
      ? `${webYear}-${`${months.indexOf(webMonth!) + 1}`.padStart(2, "0")}-${webDay}T${webTime}${webZone}`
      : `${year}-${month}-${day}T${time}${zone}`;
  const instant = Date.parse(date.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
  return Number.isNaN(instant) ? undefined : instant;
}
