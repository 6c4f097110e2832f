/** The encoding of keys and certificates (X.690), as far as their checks read it. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** Tag, length and content. */
  readonly whole: Buffer;
}

/** The values that follow each other in a DER text; undefined when a length leaves it. */
export function readDer(der: Buffer): DerValue[] | undefined {
  const values: DerValue[] = [];
  for (let at = 0; at < der.length;) {
    const first = der[at + 1];
    // 0x80 is the indefinite length, which DER does not allow.
    if (first === undefined || first === 0x80 || first > 0x84) return undefined;
    const start = at + 2 + (first < 0x80 ? 0 : first - 0x80);
    if (start > der.length) return undefined;
    const length = first < 0x80 ? first : der.readUIntBE(at + 2, first - 0x80);
    if (start + length > der.length) return undefined;
    values.push({
      tag: der[at]!,
      content: der.subarray(start, start + length),
      whole: der.subarray(at, start + length),
    });
    at = start + length;
  }
  return values;
}
