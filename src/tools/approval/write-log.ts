/** The log of a deployment through the broker: one line for each write before it is sent, and one for its answer. */
import { createHmac, hash } from "node:crypto";
import { appendFileSync, lstatSync, readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import { isRunning } from "../../provider/deployment";
import { GatewayError } from "../../provider/errors";
import { jsonIn } from "../../schema/json";
import type { Json } from "../../schema/json";
import { membersOf } from "../../schema/unknown";
import type { Approval } from "./approval";

const [text, position] = [z.string(), z.int().nonnegative().optional()];
/** The members of every line. */
const common = { time: z.iso.datetime(), seal: text };

const lineForm = z.discriminatedUnion("event", [
  z.strictObject({
    ...{ event: z.literal("begin"), ...common },
    /** A digest of the approval, or the reason for a deployment without one. */
    ...{ approval: text.optional(), reason: text.optional() },
    /** The process id and host of the broker. */
    ...{ process: z.int().positive(), host: text },
  }),
  z.strictObject({
    ...{ event: z.literal("sent"), ...common, baseUrl: text, method: text, path: text },
    /** A digest of the body. */
    body: text.optional(),
    /** The position of the write in the approval. */
    position,
    /** The ids of created objects in the write, by the positions of their creates. */
    names: z.record(text, text).optional(),
    /** The mark of a creation, by which an object without an answer is found. */
    mark: text.optional(),
  }),
  z.strictObject({
    ...{ event: z.literal("answered"), ...common, method: text, path: text, position },
    /** Undefined if no answer came. */
    status: z.int().optional(),
    /** The id of the created object. Without a status, it was found in the account. */
    id: text.optional(),
  }),
  z.strictObject({ ...{ event: z.literal("refused"), ...common, reason: text } }),
  /** The command succeeded, and all approved writes are done. */
  z.strictObject({ ...{ event: z.literal("end"), ...common } }),
]);

export type LogLine = z.infer<typeof lineForm>;
type Unsealed<T> = T extends unknown ? Omit<T, "time" | "seal"> : never;

export class WriteLog {
  /** The seal of the last line of this run. */
  private last = "";
  /** The size of the file at the last read, in bytes. */
  private size = 0;
  /** The size of the file when this run read the log, in bytes; undefined after it begins. */
  private readSize: number | undefined;
  /** The size of the file after the last line of this run; undefined before it begins. */
  private writtenSize: number | undefined;

  /**
   * @param key seals each line together with the lines before it. A program that can write the file can then not fake finished
   *   writes and their ids. A reader that only shows the file needs no key.
   */
  constructor(
    private readonly file: string,
    private readonly key?: string,
  ) {}

  /**
   * The writes of earlier deployments with an approval. The file may also hold other deployments. Throws a GatewayError if it is
   * not such a file, or if a line was written without the key.
   */
  sentOf(approval: Approval): LogLine[] {
    const digest = digestOf(approval);
    let isOwn = false;
    let last = "";
    const lines = this.lines();
    this.readSize = this.size;
    return lines.flatMap(({ value, line, number }) => {
      if (line.event === "begin") {
        isOwn = line.approval === digest;
        last = "";
      }
      if (!isOwn) return [];
      const { seal, ...sealed } = value;
      last = this.sealOf(last, JSON.stringify(sealed));
      if (this.key === undefined || seal === last) return [line];
      throw new GatewayError(
        `line ${number} of ${this.file} was not written by a deployment with this key, so what was sent is not known: find out ` +
          "who changed the file, name another one with --log, and review the change again",
      );
    });
  }

  /**
   * Begins a deployment with an approval, or without one for a reason. Throws a GatewayError if another deployment uses the file:
   * each would repeat the writes of the other.
   */
  begin(of: { readonly approval: Approval } | { readonly reason: string }): void {
    const approval = "approval" in of ? { approval: digestOf(of.approval) } : of;
    const text = this.text();
    const lines = this.lines(text);
    if ((this.readSize ?? this.size) !== this.size) throw this.shared("another process");
    this.readSize = undefined;
    const before = lines.findLast(({ line }) => line.event === "begin")?.line;
    const { process: other, host } = before?.event === "begin" ? before : {};
    if (other !== undefined && other !== process.pid && host === hostname() && isRunning(other))
      throw this.shared(`process ${other}`);
    // If the process was killed, the last line may be incomplete.
    const isCut = !text.endsWith("\n");
    if (isCut) appendFileSync(this.file, "\n");
    const size = this.size + (isCut ? 1 : 0);
    this.last = "";
    this.writtenSize = undefined;
    const bytes = this.add({ event: "begin", ...approval, process: process.pid, host: hostname() });
    // If two deployments begin at once, the later one sees the line of the earlier one.
    const isAlone = statSync(this.file).size === size + bytes;
    if (!isAlone) throw this.shared("another process");
    this.writtenSize = size + bytes;
  }

  /** Whether something else has written the file, or put another one in its place, since this run began. */
  get isChanged(): boolean {
    if (this.writtenSize === undefined) return false;
    const found = lstatSync(this.file, { throwIfNoEntry: false });
    return found?.isFile() !== true || found.size !== this.writtenSize;
  }

  private shared(by: string): GatewayError {
    return new GatewayError(
      `${by} deploys with the log ${this.file}: wait until it has ended, and run the command again`,
    );
  }

  /**
   * Writes the line at once, so that the log is complete even if the process is killed. Nothing is added to a changed file.
   * @returns how many bytes.
   */
  add(line: Unsealed<LogLine>): number {
    if (this.isChanged) return 0;
    const value = { time: new Date().toISOString(), ...line };
    const seal = (this.last = this.sealOf(this.last, JSON.stringify(value)));
    const text = `${JSON.stringify({ ...value, seal })}\n`;
    appendFileSync(this.file, text, { mode: 0o600 });
    const bytes = Buffer.byteLength(text);
    if (this.writtenSize !== undefined) this.writtenSize += bytes;
    return bytes;
  }

  private sealOf(before: string, text: string): string {
    return createHmac("sha256", this.key ?? "")
      .update(before)
      .update(text)
      .digest("base64url");
  }

  /** The lines, each with its text and its parsed content. */
  private lines(
    text = this.text(),
  ): { readonly value: Json; readonly line: LogLine; readonly number: number }[] {
    return text.split("\n").flatMap((each, i) => {
      const value = jsonIn(each);
      // An empty line, or one that a killed process left incomplete.
      if (value === undefined) return [];
      const { data: line } = lineForm.safeParse(value);
      if (line) return [{ value: membersOf(value), line, number: i + 1 }];
      throw new GatewayError(
        `line ${i + 1} of ${this.file} is not one of a log of writes: name another file with --log`,
      );
    });
  }

  /** Throws a GatewayError for a link, by which a repository may name a file elsewhere. */
  private text(): string {
    const found = lstatSync(this.file, { throwIfNoEntry: false });
    this.size = 0;
    if (found === undefined) return "\n";
    if (!found.isFile())
      throw new GatewayError(`${this.file} is not a file of its own: name another one with --log`);
    const bytes = readFileSync(this.file);
    this.size = bytes.length;
    return bytes.toString();
  }
}

/** Identifies a value without showing it. */
export function digestOf(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url");
}
