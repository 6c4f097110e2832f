/** The subset of DER (X.690) that reading and issuing certificates needs. */

export interface Node {
  tag: number;
  content: Buffer;
  /** Tag, length and content. */
  whole: Buffer;
}

const SEQUENCE = 0x30;
export const SET = 0x31;
export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
const OID = 0x06;
export const UTF8 = 0x0c;
export const UTC_TIME = 0x17;
export const context = (number: number) => 0xa0 | number;

/** The sequence of values in the bytes. */
export function read(bytes: Buffer): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes.readUInt8(at);
    let length = bytes.readUInt8(at + 1);
    let start = at + 2;
    if (length >= 0x80) {
      const octets = length & 0x7f;
      if (octets === 0 || octets > 4) throw new RangeError("not DER");
      length = bytes.readUIntBE(start, octets);
      start += octets;
    }
    if (start + length > bytes.length) throw new RangeError("not DER");
    nodes.push({
      tag,
      content: bytes.subarray(start, start + length),
      whole: bytes.subarray(at, start + length),
    });
    at = start + length;
  }
  return nodes;
}

/** The values of the sequence that the bytes are. */
export function readSequence(bytes: Buffer): Node[] {
  return read(one(bytes, SEQUENCE).content);
}

/** The only value in the bytes, which must have the tag. */
export function one(bytes: Buffer, tag: number): Node {
  const [node, ...more] = read(bytes);
  if (node === undefined || more.length > 0 || node.tag !== tag) throw new RangeError("unexpected DER");
  return node;
}

export function write(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

export const sequence = (...parts: Buffer[]) => write(SEQUENCE, ...parts);

export function readOid(content: Buffer): string {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(value);
      value = 0;
    }
  }
  const [first = 0, ...rest] = numbers;
  const arc = Math.min(2, Math.floor(first / 40));
  return [arc, first - 40 * arc, ...rest].join(".");
}

export function writeOid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((number) => {
    const groups = [number & 0x7f];
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift(0x80 | (left & 0x7f));
    return groups;
  });
  return write(OID, Buffer.from(bytes));
}
