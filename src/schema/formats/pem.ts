// No message of these files shows any part of a value: people paste private keys into the wrong field.

/** One block of a PEM text. */
export interface PemBlock {
  readonly label: string;
  /** The lines between BEGIN and the body, such as `Proc-Type: 4,ENCRYPTED`; usually empty. */
  readonly headers: string;
  readonly der: Buffer;
}

/** The labels that a message may name, because they say nothing of the value. */
const KNOWN_LABELS = new Map(
  Object.entries({
    CERTIFICATE: "a certificate",
    "X509 CERTIFICATE": "a certificate under an outdated label",
    "TRUSTED CERTIFICATE": "a certificate in OpenSSL's own form",
    "CERTIFICATE REQUEST": "a certificate request",
    "NEW CERTIFICATE REQUEST": "a certificate request",
    "X509 CRL": "a revocation list",
    "PUBLIC KEY": "a public key",
    "RSA PUBLIC KEY": "a public key",
    "PRIVATE KEY": "a private key",
    "RSA PRIVATE KEY": "a private key",
    "EC PRIVATE KEY": "a private key",
    "DSA PRIVATE KEY": "a private key of the type dsa",
    "ENCRYPTED PRIVATE KEY": "an encrypted private key",
    "OPENSSH PRIVATE KEY": "a private key in OpenSSH's own form",
    "EC PARAMETERS": "elliptic-curve parameters",
    PKCS7: "a PKCS #7 bundle",
  }),
);

/**
 * The one spelling of a PEM text, its blocks alone, 64 characters a line: white space, line ends and text between blocks
 * do not count. Other text is returned as it is.
 */
export function canonical(value: string): string {
  const blocks = readBlocks(value);
  if (typeof blocks === "string") return value;
  return blocks.map(spell).join("");
}

/**
 * Reads the blocks of a PEM text (RFC 7468, and the headers of older texts) in one pass; a string says why
 * that is not possible. Strict reading asks for lines as other readers do, lenient reading is for equality.
 */
export function readBlocks(
  value: string,
  layout: "strict" | "lenient" = "lenient",
): readonly PemBlock[] | string {
  const blocks: PemBlock[] = [];
  for (let begin = value.indexOf(BEGIN), from; begin >= 0; begin = value.indexOf(BEGIN, from)) {
    const blockName = `block ${blocks.length + 1}`;
    const labelEnd = value.indexOf(DASHES, begin + BEGIN.length);
    if (labelEnd < 0 || labelEnd - begin > 100) return `the first line of ${blockName} is not complete`;
    const label = value.slice(begin + BEGIN.length, labelEnd);
    const inside = labelEnd + DASHES.length;
    const end = value.indexOf(END, labelEnd);
    if (end < 0) return `${blockName} has no END line`;
    const closing = `${END}${label}${DASHES}`;
    if (!value.startsWith(closing, end)) return `the END line of ${blockName} does not fit its BEGIN line`;
    from = end + closing.length;
    const marks =
      [begin, end].every((at) => startsLine(value, at)) && [inside, from].every((at) => endsLine(value, at));
    if (layout === "strict" && !marks)
      return `${blockName} must have its BEGIN and END marks on lines of their own`;
    const { headers, body } = splitHeaders(value.slice(inside, end));
    const der = decodeBase64(body);
    if (der === undefined) {
      return body.includes("\\n")
        ? `${blockName} has a backslash and n for a line end`
        : `${blockName} is not base64`;
    }
    blocks.push({ label, headers, der });
  }
  return blocks.length > 0 ? blocks : "it holds no -----BEGIN line";
}

/** Strict base64, white space aside: no other characters, right padding, not empty. */
export function decodeBase64(text: string): Buffer | undefined {
  const body = text.replace(/\s/g, "");
  if (body === "" || body.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(body)) return undefined;
  return Buffer.from(body, "base64");
}

/** What a block is, in words that show nothing of it. */
export function describeBlock(block: PemBlock): string {
  return KNOWN_LABELS.get(block.label) ?? "something else";
}

/** The outcome of a reader that throws on wrong input; undefined when it throws. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const DASHES = "-----";
const BEGIN = `${DASHES}BEGIN `;
const END = `${DASHES}END `;

function startsLine(value: string, at: number): boolean {
  return at === 0 || value[at - 1] === "\n" || value[at - 1] === "\r";
}

function endsLine(value: string, at: number): boolean {
  for (let index = at; index < value.length; index += 1) {
    if (value[index] === "\n" || value[index] === "\r") return true;
    if (value[index] !== " " && value[index] !== "\t") return false;
  }
  return true;
}

function splitHeaders(inside: string): { headers: string; body: string } {
  const text = inside.trim();
  if (!text.includes(":")) return { headers: "", body: text };
  const gap = /\r?\n[ \t]*\r?\n/.exec(text);
  if (!gap) return { headers: "", body: text };
  const headers = text.slice(0, gap.index).replace(/\r\n/g, "\n");
  return { headers, body: text.slice(gap.index + gap[0].length) };
}

function spell({ label, headers, der }: PemBlock): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `${BEGIN}${label}${DASHES}\n${headers && `${headers}\n\n`}${lines.join("\n")}\n${END}${label}${DASHES}\n`;
}

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
