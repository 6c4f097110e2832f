/** Logs of real clients: the first IP address of each line, and how often each comes. */
import { addressBytes, isMapped } from "../schema/formats/cidr";
import { valueAt } from "../schema/unknown";

/** The longest part of a line that is read, in bytes: a log may be anything. */
const longestLine = 64 * 1024;

/** How often an address comes. */
export interface AddressCount {
  /** Four or sixteen bytes. */
  readonly bytes: readonly number[];
  readonly requests: number;
  /** The number of the last line with it, from 1. */
  readonly lastLine: number;
}

/** Counts the clients of a log while it arrives. */
export class ClientLog {
  private readonly counts = new Map<string, AddressCount>();
  /** The number of lines, and of those that contain an address. */
  lines = 0;
  linesWithAddress = 0;
  private rest = "";

  /** @param field the member of JSON lines that holds the address; without it the first address of a line counts. */
  constructor(private readonly field?: string) {}

  push(chunk: Buffer): void {
    // Addresses are ASCII, and so is what is around the texts of JSON.
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
    const key = String.fromCharCode(...bytes);
    const requests = (this.counts.get(key)?.requests ?? 0) + 1;
    this.counts.set(key, { bytes, requests, lastLine: this.lines });
  }
}

const candidates =
  /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*[\w])|(?:[0-9a-f]{0,4}:){2,8}[0-9a-f.]{0,15}(?![\w:]))/gi;

/** The bytes of the first address of a text; those of IPv4 for an IPv4 client of a dual-stack server. */
export function firstAddress(text: string): readonly number[] | undefined {
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
 * has: of those that begin with a zero byte only the loopback and the addresses behind a NAT64 gateway are in use.
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
