/** Which writes a broker lets through: those of an approval, and what belongs to them; or all of them. */
import { unknownClock } from "../../provider/life-cycle/lost-creates";
import { toInstant } from "../../schema/formats/time";
import { isCreationMark, ownerInMark } from "../../schema/metadata";
import { isRecord, membersOf } from "../../schema/unknown";
import type { Approval } from "../approval/approval";
import { ApprovedWrites, isDecided } from "../approval/approved-writes";
import type { Allowed, NotAllowed, SentWrite } from "../approval/approved-writes";
import type { LogLine } from "../approval/write-log";

/** A write that may be sent. */
export interface Permit {
  /** Its position in the approval; undefined for one that belongs to another write. */
  readonly position?: number;
  /** Notes the answer: no status where none came. */
  answered(status: number | undefined, id?: string): void;
}

/** Reads an object of the account that a write is for. */
export type ReadObject = (path: string) => Promise<unknown>;

export interface Permits {
  permitFor(sent: SentWrite, read: ReadObject): Promise<Permit | NotAllowed>;
  /** The writes that were approved and not done, each as a text. */
  readonly left: readonly string[];
}

/** Lets every write through. */
export const everyWrite: Permits = {
  permitFor: () => Promise.resolve({ answered: () => undefined }),
  left: [],
};

export class ApprovedPermits implements Permits {
  readonly writes: ApprovedWrites;
  /** The marks of creations whose answers were lost, and the owners in marks of approved creations. */
  private readonly lostMarks = new Set<string>();
  private readonly owners = new Set<string>();
  /** When a write was first sent, and where. */
  private readonly sentAt = new Map<
    number,
    { readonly time: number; readonly path: string; readonly mark?: string | undefined }
  >();

  /** @param log what earlier runs have sent. */
  constructor(approval: Approval, hiddenAs: string | undefined, log: readonly LogLine[] = []) {
    this.writes = new ApprovedWrites(approval, hiddenAs);
    for (const { body } of approval.steps.flatMap(({ writes }) => writes)) {
      const owner = ownerInMark(membersOf(body).metadata);
      if (owner !== undefined) this.owners.add(owner);
    }
    this.writes.resume(log);
    for (const line of log) this.note(line);
  }

  get left(): string[] {
    return this.writes.left.map(({ method, path, urn }) => `${method} ${path} of ${urn}`);
  }

  async permitFor(sent: SentWrite, read: ReadObject): Promise<Permit | NotAllowed> {
    let taken = this.writes.take(sent);
    if ("refused" in taken && ((await this.readRule(sent, read)) || (await this.findLost(sent, read))))
      taken = this.writes.take(sent);
    if (!("refused" in taken)) return this.permit(taken, sent);
    return (await this.isStray(sent, read)) ? { answered: () => undefined } : taken;
  }

  private permit(allowed: Allowed, { path, body }: SentWrite): Permit {
    const { metadata } = membersOf(body);
    if (!this.sentAt.has(allowed.position)) this.sentAt.set(allowed.position, { time: Date.now(), path });
    return {
      position: allowed.position,
      answered: (status, id) => {
        this.writes.answered(allowed, path, status, id);
        if (isCreationMark(metadata) && !isDecided(status)) this.lostMarks.add(metadata);
      },
    };
  }

  private note(line: LogLine): void {
    if ((line.event !== "sent" && line.event !== "answered") || line.position === undefined) return;
    const { position, path } = line;
    if (line.event === "sent") {
      if (line.mark !== undefined) this.lostMarks.add(line.mark);
      this.sentAt.set(position, { time: Date.parse(line.time), path, mark: line.mark });
    } else if (isDecided(line.status)) this.lostMarks.delete(this.sentAt.get(position)?.mark ?? "");
  }

  /** Reads the rule that a write changes: the approval may name it by its policy and range. */
  private async readRule({ method, path }: SentWrite, read: ReadObject): Promise<boolean> {
    if (method === "POST" || !path.startsWith("/ip_policy_rules/")) return false;
    const rule = await read(path);
    if (!isRecord(rule)) return false;
    this.writes.noteRule(rule);
    return true;
  }

  /** Finds what creates without an answer have made, where the write names it. Whether it found something. */
  private async findLost({ baseUrl, path, body }: SentWrite, read: ReadObject): Promise<boolean> {
    // What a lost creation with a mark has made is deleted, and created again.
    const lost = this.writes.lostCreates.filter(
      (each) => each.baseUrl === baseUrl && !isCreationMark(membersOf(each.body).metadata),
    );
    if (lost.length === 0) return false;
    const words = new Set(`${path} ${JSON.stringify(body) ?? ""}`.match(/\w+_\w+/g));
    let found = false;
    for (const create of lost) {
      const { time, path: collection } = this.sentAt.get(create.position)!;
      for (const id of words) {
        if (this.writes.isMade(id)) continue;
        const object = await read(`${collection}/${id}`);
        if (!isResultOf(create.body, object, time)) continue;
        this.writes.found(create, id);
        found = true;
        break;
      }
    }
    return found;
  }

  /** Whether a write deletes what a creation made whose answer was lost: nobody has its secret. */
  private async isStray({ method, path }: SentWrite, read: ReadObject): Promise<boolean> {
    if (method !== "DELETE" || this.writes.isMade(path.slice(path.lastIndexOf("/") + 1))) return false;
    if (this.lostMarks.size === 0 && this.owners.size === 0) return false;
    const { metadata } = membersOf(await read(path));
    const owner = ownerInMark(metadata);
    return (
      isCreationMark(metadata) &&
      (this.lostMarks.has(metadata) || (owner !== undefined && this.owners.has(owner)))
    );
  }
}

/** Whether an object has the values of a create, and is not older. */
function isResultOf(body: unknown, object: unknown, time: number): boolean {
  if (!isRecord(object)) return false;
  const createdAt = toInstant(object.created_at);
  if (createdAt !== undefined && createdAt < time - unknownClock) return false;
  return Object.entries(membersOf(body)).every(
    ([name, value]) =>
      value === null ||
      typeof value === "object" ||
      name === "metadata" ||
      object[name] === undefined ||
      object[name] === value,
  );
}
