/** How often IP addresses come in a long text, and where each came last. */
import { randomBytes } from "node:crypto";

/** The 32-bit words of an address, the first one first. IPv4 is as in `::ffff:192.0.2.1`. */
const wordsOfKey = 4;
const pageBits = 14;
const pageSize = 1 << pageBits;

interface Page {
  readonly keys: Uint32Array;
  /** For each key the count and the last line. */
  readonly numbers: Float64Array;
}

/** How often an address came. */
export interface AddressCount {
  /** Four or sixteen bytes. */
  readonly bytes: readonly number[];
  readonly requests: number;
  readonly lastLine: number;
}

/**
 * A hash table in typed arrays, 48 bytes for each address. A Map of texts takes a multiple of that, and lets V8 keep 100 MB
 * more for new objects. Foreign texts fill the table, so its hash has a random key.
 */
export class AddressCounts {
  /** The places of the addresses, from 1; 0 is free. At least a third is free. */
  private slots = new Uint32Array(1024);
  private readonly pages: Page[] = [];
  private size = 0;
  private readonly key = new Uint32Array(randomBytes(8).buffer.slice(0, 8));
  private readonly words = new Uint32Array(wordsOfKey);

  /** Counts an address of four or sixteen bytes. */
  add(bytes: readonly number[], line: number): void {
    this.setWords(bytes);
    const place = this.placeOf() ?? this.newPlace();
    const { numbers } = this.pages[place >> pageBits]!;
    const at = (place & (pageSize - 1)) * 2;
    numbers[at]! += 1;
    numbers[at + 1] = line;
  }

  *[Symbol.iterator](): Generator<AddressCount> {
    for (let place = 0; place < this.size; place++) {
      const { keys, numbers } = this.pages[place >> pageBits]!;
      const at = place & (pageSize - 1);
      const words = keys.subarray(at * wordsOfKey, (at + 1) * wordsOfKey);
      yield { bytes: bytesOf(words), requests: numbers[at * 2]!, lastLine: numbers[at * 2 + 1]! };
    }
  }

  private setWords(bytes: readonly number[]): void {
    const isShort = bytes.length === 4;
    if (isShort) this.words.set([0, 0, 0xffff]);
    for (let i = isShort ? 3 : 0, at = 0; i < wordsOfKey; i++, at += 4) {
      this.words[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    }
  }

  /** The place of the current words. */
  private placeOf(): number | undefined {
    for (let slot = this.hash() & (this.slots.length - 1); ; slot = (slot + 1) & (this.slots.length - 1)) {
      const place = this.slots[slot]! - 1;
      if (place < 0) return undefined;
      const { keys } = this.pages[place >> pageBits]!;
      if (this.isKey(keys, (place & (pageSize - 1)) * wordsOfKey)) return place;
    }
  }

  /** Whether the current words are those at an index. The last ones differ most often. */
  private isKey(keys: Uint32Array, at: number): boolean {
    for (let i = wordsOfKey - 1; i >= 0; i--) if (keys[at + i] !== this.words[i]) return false;
    return true;
  }

  private newPlace(): number {
    const place = this.size;
    const at = (place & (pageSize - 1)) * wordsOfKey;
    if (at === 0)
      this.pages.push({
        keys: new Uint32Array(pageSize * wordsOfKey),
        numbers: new Float64Array(pageSize * 2),
      });
    this.pages.at(-1)!.keys.set(this.words, at);
    this.size += 1;
    if (this.size * 3 > this.slots.length * 2) this.grow();
    else this.occupy(place);
    return place;
  }

  private grow(): void {
    this.slots = new Uint32Array(this.slots.length * 2);
    for (let place = 0; place < this.size; place++) {
      const at = (place & (pageSize - 1)) * wordsOfKey;
      this.words.set(this.pages[place >> pageBits]!.keys.subarray(at, at + wordsOfKey));
      this.occupy(place);
    }
  }

  /** Takes the next free slot for the current words. */
  private occupy(place: number): void {
    let slot = this.hash() & (this.slots.length - 1);
    while (this.slots[slot] !== 0) slot = (slot + 1) & (this.slots.length - 1);
    this.slots[slot] = place + 1;
  }

  /** HalfSipHash-1-3 of the current words: without its key, nobody finds addresses that collide. */
  private hash(): number {
    const [k0, k1] = [this.key[0]!, this.key[1]!];
    let [v0, v1, v2, v3] = [k0, k1, 0x6c796765 ^ k0, 0x74656462 ^ k1];
    const rounds = wordsOfKey + 4;
    for (let round = 0; round < rounds; round++) {
      const word =
        round < wordsOfKey ? this.words[round]! : round === wordsOfKey ? (wordsOfKey * 4) << 24 : 0;
      if (round === wordsOfKey + 1) v2 ^= 0xff;
      v3 ^= word;
      v0 = (v0 + v1) | 0;
      v1 = rotated(v1, 5) ^ v0;
      v0 = rotated(v0, 16);
      v2 = (v2 + v3) | 0;
      v3 = rotated(v3, 8) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = rotated(v3, 7) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = rotated(v1, 13) ^ v2;
      v2 = rotated(v2, 16);
      v0 ^= word;
    }
    return (v1 ^ v3) >>> 0;
  }
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function bytesOf(words: Uint32Array): number[] {
  const isShort = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
  const bytes: number[] = [];
  for (let i = isShort ? 3 : 0; i < wordsOfKey; i++) {
    const word = words[i]!;
    bytes.push(word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255);
  }
  return bytes;
}
