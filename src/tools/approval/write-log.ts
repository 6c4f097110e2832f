/** The log of a deployment through the broker: a line for each write before it is sent, and one for its answer. */
import { hash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { GatewayError } from "../../provider/errors";
import { jsonIn } from "../../schema/json";

const [text, position, time] = [z.string(), z.int().nonnegative().optional(), z.iso.datetime()];

const lineForm = z.discriminatedUnion("event", [
  z.strictObject({
    ...{ event: z.literal("begin"), time },
    /** A digest of the approval, or the reason for a deployment without one. */
    ...{ approval: text.optional(), reason: text.optional() },
  }),
  z.strictObject({
    ...{ event: z.literal("sent"), time, baseUrl: text, method: text, path: text },
    /** A digest of the body. */
    body: text.optional(),
    /** The position of the write in the approval. */
    position,
    /** The mark of a creation, by which an object without an answer is found. */
    mark: text.optional(),
  }),
  z.strictObject({
    ...{ event: z.literal("answered"), time, method: text, path: text, position },
    /** Missing where no answer came. */
    status: z.int().optional(),
    /** The id of the object that it made. */
    id: text.optional(),
  }),
  z.strictObject({ ...{ event: z.literal("refused"), time, reason: text } }),
]);

export type LogLine = z.infer<typeof lineForm>;
type Timeless<T> = T extends unknown ? Omit<T, "time"> : never;

export class WriteLog {
  constructor(private readonly file: string) {}

  /** The lines of earlier runs. Throws a GatewayError where the file is something else. A line that a kill cut counts for nothing. */
  earlier(): LogLine[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, "utf8").split("\n");
    return lines.slice(0, -1).map((line, i) => {
      const { data } = lineForm.safeParse(jsonIn(line));
      if (!data)
        throw new GatewayError(
          `line ${i + 1} of ${this.file} is not one of a log of writes: name another file with --log`,
        );
      return data;
    });
  }

  /** Writes at once: a process that is killed has logged what it sent. */
  add(line: Timeless<LogLine>): void {
    appendFileSync(this.file, `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`, {
      mode: 0o600,
    });
  }
}

/** Identifies a text without showing it. */
export function digestOf(value: string): string {
  return hash("sha256", value, "base64url");
}
