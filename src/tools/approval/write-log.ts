/** The log of a deployment through the broker: a line for each write before it is sent, and one for its answer. */
import { hash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { GatewayError } from "../../provider/errors";
import { jsonIn } from "../../schema/json";
import type { Approval } from "./approval";

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

  /**
   * What earlier deployments with an approval have sent. The file may hold others beside it. Throws a GatewayError where it is
   * something else.
   */
  sentOf(approval: Approval): LogLine[] {
    const digest = digestOf(approval);
    let isOwn = false;
    return this.lines().filter((line) => {
      if (line.event === "begin") isOwn = line.approval === digest;
      return isOwn;
    });
  }

  /** Begins a deployment with an approval, or without one for a reason. */
  begin(of: { readonly approval: Approval } | { readonly reason: string }): void {
    const approval = "approval" in of ? { approval: digestOf(of.approval) } : of;
    // A kill may have cut the last line.
    if (existsSync(this.file) && !readFileSync(this.file, "utf8").endsWith("\n"))
      appendFileSync(this.file, "\n");
    this.add({ event: "begin", ...approval });
  }

  /** Writes at once: a process that is killed has logged what it sent. */
  add(line: Timeless<LogLine>): void {
    appendFileSync(this.file, `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`, {
      mode: 0o600,
    });
  }

  private lines(): LogLine[] {
    if (!existsSync(this.file)) return [];
    const texts = readFileSync(this.file, "utf8").split("\n");
    return texts.flatMap((text, i) => {
      const value = jsonIn(text);
      // Nothing, or a line that a kill cut.
      if (value === undefined) return [];
      const { data } = lineForm.safeParse(value);
      if (data) return [data];
      throw new GatewayError(
        `line ${i + 1} of ${this.file} is not one of a log of writes: name another file with --log`,
      );
    });
  }
}

/** Identifies a value without showing it. */
export function digestOf(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url");
}
