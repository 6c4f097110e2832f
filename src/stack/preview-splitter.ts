/** Splits the output of `pulumi preview --json` while it arrives: a preview may be larger than the memory should be. */

/** What receives the parts, each one a JSON text. */
export interface Parts {
  /** One step of the list `steps`. */
  step(text: string): void;
  /** A whole object, whose list `steps` is empty: the preview, or one event of a stream. */
  object(text: string): void;
}

const [quote, backslash, newline, space] = [0x22, 0x5c, 0x0a, 0x20];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** More bytes than the key "steps" has. */
const mostKeyBytes = 8;

/**
 * An object begins with a line whose first character is `{`; all other text between objects is skipped. The splitter
 * looks at braces, brackets and strings only, so the receiver finds out whether a part is valid JSON.
 */
export class PreviewSplitter {
  /** The number of open braces and brackets. */
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** Outside of objects: only white space since the beginning of the line. */
  private isLineStart = true;
  /** The beginning of the last string at depth 1. In front of a bracket it is a key. */
  private key = "";
  private isInSteps = false;
  /** The bytes of the current object without its steps, and those of the current step. */
  private object: Buffer[] = [];
  private step: Buffer[] = [];

  constructor(private readonly parts: Parts) {}

  push(chunk: Buffer): void {
    let start = 0; // of what is not yet part of the object or the step
    for (let i = 0; i < chunk.length; i += 1) {
      const byte = chunk[i]!;
      if (this.isInString) i = this.stringEnd(chunk, i);
      else if (this.depth === 0) {
        if (byte === openBrace && this.isLineStart) {
          this.depth = 1;
          start = i;
        } else this.isLineStart = byte === newline || (this.isLineStart && byte <= space);
      } else if (byte === quote) {
        this.isInString = true;
        if (this.depth === 1) this.key = "";
      } else if (byte === openBrace || byte === openBracket) {
        this.depth += 1;
        if (this.depth === 2 && byte === openBracket && this.key === "steps") {
          this.isInSteps = true;
          this.object.push(chunk.subarray(start, i + 1));
        } else if (this.depth === 3 && this.isInSteps) start = i;
      } else if (byte === closeBrace || byte === closeBracket) {
        this.depth -= 1;
        if (this.isInSteps && this.depth === 2) {
          this.parts.step(taken(this.step, chunk.subarray(start, i + 1)));
        } else if (this.isInSteps && this.depth === 1) {
          this.isInSteps = false;
          start = i;
        } else if (this.depth === 0) {
          this.parts.object(taken(this.object, chunk.subarray(start, i + 1)));
          this.isLineStart = false;
        }
      }
    }
    if (this.depth === 0) return;
    if (!this.isInSteps) this.object.push(chunk.subarray(start));
    else if (this.depth > 2) this.step.push(chunk.subarray(start));
  }

  /** The place of the last byte of the string in this chunk. */
  private stringEnd(chunk: Buffer, from: number): number {
    for (let i = from; i < chunk.length; i += 1) {
      const byte = chunk[i]!;
      if (this.isEscaped) this.isEscaped = false;
      else if (byte === backslash) this.isEscaped = true;
      else if (byte === quote) {
        this.isInString = false;
        return i;
      } else if (this.depth === 1 && this.key.length < mostKeyBytes) this.key += String.fromCharCode(byte);
    }
    return chunk.length;
  }
}

/** All pieces as text; the list is empty afterwards. */
function taken(pieces: Buffer[], last: Buffer): string {
  const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
  pieces.length = 0;
  return bytes.toString("utf8");
}
