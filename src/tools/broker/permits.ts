/** The writes that a broker permits: those of an approval and the writes that belong to them, or all writes. */
import { longestLag } from "../../provider/life-cycle/absence";
import { unknownClock } from "../../provider/life-cycle/lost-creates";
import { isCreationMark, ownerInMark } from "../../schema/metadata";
import type { Declaration } from "../../schema/declaration";
import { isRecord, membersOf } from "../../schema/unknown";
import type { Answer } from "../../schema/values";
import type { Approval } from "../approval/approval";
import { ApprovedWrites, isDecided, notAllowed } from "../approval/approved-writes";
import type { Allowed, LostWrite, NotAllowed, SentWrite } from "../approval/approved-writes";
import type { LogLine } from "../approval/write-log";
import { collectionAt, memberPath, resultsOf } from "./lost-create";

/** A write that may be sent. */
export interface Permit {
  /** Its position in the approval; undefined for one that belongs to another write. */
  readonly position?: number;
  /** The ids of created objects that it names, by the positions of their creates. */
  readonly names?: Allowed["names"];
  /** Records the answer; the status is undefined if there was none. */
  answered(status: number | undefined, id?: string): void;
}

/** The accounts of a deployment, each by its base URL. */
export interface WrittenAccounts {
  /** The object at a path: undefined if the service says that it does not exist, null if the service does not answer. */
  read(baseUrl: string, path: string): Promise<unknown>;
  /** All objects of a collection. */
  list(baseUrl: string, collection: Declaration): Promise<readonly Answer[]>;
  /** Sends a write, and notes its answer. */
  send(write: SentWrite, permit: Permit): Promise<unknown>;
  /** Notes the id of the object that a create without an answer has made. */
  found(create: LostWrite, id: string): void;
}

export interface Permits {
  permitFor(sent: SentWrite, accounts: WrittenAccounts): Promise<Permit | NotAllowed>;
  /** Resolves the writes without an answer, after the command has succeeded. */
  settle(accounts: WrittenAccounts): Promise<void>;
  /** The approved writes that are not done, each as a text. */
  readonly left: readonly string[];
}

/** Permits every write. */
export const everyWrite: Permits = {
  permitFor: () => Promise.resolve({ answered: () => undefined }),
  settle: () => Promise.resolve(),
  left: [],
};

export class ApprovedPermits implements Permits {
  readonly writes: ApprovedWrites;
  /** The time at which an earlier deployment ended with everything done. */
  private readonly ended: string | undefined;
  /** The marks of creates whose answers were lost, and the owners in the marks of approved creates. */
  private readonly lostMarks = new Set<string>();
  private readonly owners = new Set<string>();
  /** The time at which a write was first sent, and its last mark. */
  private readonly sentAt = new Map<number, { readonly time: number; readonly mark?: string | undefined }>();
  /** The objects that earlier runs created: the times of their answers, in milliseconds since 1970, by id. */
  private readonly madeBefore = new Map<string, number>();
  /** The positions of the writes that were sent in this run. */
  private readonly sentNow = new Set<number>();
  /** Ends with the last request that the account was asked about. */
  private turn: Promise<unknown> = Promise.resolve();

  /** @param log the writes of earlier runs. */
  constructor(approval: Approval, hiddenAs: string | undefined, log: readonly LogLine[] = []) {
    this.writes = new ApprovedWrites(approval, hiddenAs);
    for (const { body } of approval.steps.flatMap(({ writes }) => writes)) {
      const owner = ownerInMark(membersOf(body).metadata);
      if (owner !== undefined) this.owners.add(owner);
    }
    this.writes.resume(log);
    for (const line of log) this.note(line);
    this.ended = log.find(({ event }) => event === "end")?.time;
  }

  get left(): string[] {
    return this.writes.left.map(({ method, path, urn }) => `${method} ${path} of ${urn}`);
  }

  async permitFor(sent: SentWrite, accounts: WrittenAccounts): Promise<Permit | NotAllowed> {
    if (this.ended !== undefined)
      return notAllowed(
        sent,
        `all that was approved was done at ${this.ended}, and an approval is for one deployment. Review the change again`,
      );
    const isLost = sent.method === "POST" && this.writes.lostLike(sent).length > 0;
    const taken = isLost ? undefined : this.writes.take(sent);
    if (taken && !("refused" in taken)) return this.permit(taken, sent);
    const learned = this.turn.then(() => this.afterLearning(sent, accounts));
    this.turn = learned.catch(() => undefined);
    return learned;
  }

  /** The permit for a write that the approval and the log alone would refuse, or for a create whose object may be there. */
  private async afterLearning(sent: SentWrite, accounts: WrittenAccounts): Promise<Permit | NotAllowed> {
    if (sent.method === "POST") await this.findMade(new Set(), this.writes.lostLike(sent), accounts);
    await this.readRule(sent, accounts);
    for (;;) {
      const taken = this.writes.take(sent);
      if (!("refused" in taken)) return this.permit(taken, sent);
      const learned = await this.learn(sent, accounts);
      if (learned === true) continue;
      return (await this.isStray(sent, accounts)) ? { answered: () => undefined } : learned || taken;
    }
  }

  async settle(accounts: WrittenAccounts): Promise<void> {
    const { lost } = this.writes;
    await this.findMade(new Set(), lost, accounts);
    await this.repeat(lost, accounts);
  }

  private permit(
    allowed: Pick<Permit, "names"> & { readonly position: number },
    { path, body }: Pick<SentWrite, "path" | "body">,
  ): Permit {
    const { metadata } = membersOf(body);
    this.sentNow.add(allowed.position);
    if (!this.sentAt.has(allowed.position)) this.sentAt.set(allowed.position, { time: Date.now() });
    return {
      ...allowed,
      answered: (status, id) => {
        this.writes.answered(allowed, path, status, id);
        if (isCreationMark(metadata) && !isDecided(status)) this.lostMarks.add(metadata);
      },
    };
  }

  private note(line: LogLine): void {
    if ((line.event !== "sent" && line.event !== "answered") || line.position === undefined) return;
    const { position } = line;
    if (line.event === "sent") {
      if (line.mark !== undefined) this.lostMarks.add(line.mark);
      const { time = Date.parse(line.time) } = this.sentAt.get(position) ?? {};
      this.sentAt.set(position, { time, mark: line.mark });
      return;
    }
    if (line.id !== undefined) this.madeBefore.set(line.id, Date.parse(line.time));
    if (isDecided(line.status)) this.lostMarks.delete(this.sentAt.get(position)?.mark ?? "");
  }

  /** Whether it learns the outcome of a write of this or an earlier deployment; the reason if only a later deployment can. */
  private async learn(sent: SentWrite, accounts: WrittenAccounts): Promise<boolean | NotAllowed> {
    return (
      (await this.findLost(sent, accounts)) ||
      (await this.repeatLost(sent, accounts)) ||
      (await this.findGone(sent, accounts))
    );
  }

  /** Reads the rule that a write changes: the approval may name it by its policy and range. */
  private async readRule({ baseUrl, method, path }: SentWrite, accounts: WrittenAccounts): Promise<void> {
    if (method === "POST" || !path.startsWith("/ip_policy_rules/")) return;
    const rule = await accounts.read(baseUrl, path);
    if (isRecord(rule)) this.writes.noteRule(rule);
  }

  /** Finds the objects of creates without an answer, if the write names one or waits for it. */
  private findLost(sent: SentWrite, accounts: WrittenAccounts): Promise<boolean> {
    const words = `${sent.path} ${JSON.stringify(sent.body) ?? ""}`.match(/\w+_\w+/g) ?? [];
    return this.findMade(new Set(words), this.writes.lostBefore(sent), accounts);
  }

  /** @param awaited the writes whose outcome is wanted. For other writes, only objects with the ids count. */
  private async findMade(
    ids: ReadonlySet<string>,
    awaited: readonly LostWrite[],
    accounts: WrittenAccounts,
  ): Promise<boolean> {
    const positions = new Set(awaited.map(({ position }) => position));
    const lists = new Map<string, Promise<readonly Answer[]>>();
    let found = false;
    const resultsNow = async (create: LostWrite): Promise<string[]> => {
      const { baseUrl, path, position } = create;
      const member = memberPath(create);
      if (member !== undefined) return isRecord(await accounts.read(baseUrl, member)) ? [member] : [];
      const collection = collectionAt(path);
      if (!collection) return [];
      const key = `${baseUrl} ${path}`;
      const list = lists.get(key) ?? accounts.list(baseUrl, collection);
      lists.set(key, list);
      return resultsOf(collection, create, await list, this.sentAt.get(position)!.time - unknownClock);
    };
    for (const create of this.writes.lost) {
      // The object of a lost create with a mark is deleted and created again.
      if (create.method !== "POST" || isCreationMark(create.body.metadata)) continue;
      const results = await resultsNow(create);
      const own = results.filter((id) => !this.writes.isMade(id));
      const isOnly = own.length === 1 && positions.has(create.position);
      const id = own.find((each) => ids.has(each)) ?? (isOnly ? own[0] : undefined);
      if (id === undefined || !this.writes.found(create, id)) continue;
      accounts.found(create, id);
      found = true;
    }
    return found;
  }

  /**
   * Repeats the writes that the write waits for. After a refresh has read their results, the program does not send them again.
   */
  private async repeatLost(sent: SentWrite, accounts: WrittenAccounts): Promise<boolean> {
    const lost = this.writes.lostBefore(sent);
    if (lost.length === 0 || !lost.every(isRepeatable)) return false;
    await this.repeat(lost, accounts);
    return this.writes.lostBefore(sent).length === 0;
  }

  private async repeat(lost: readonly LostWrite[], accounts: WrittenAccounts): Promise<void> {
    for (const { position, lacks: _, ...write } of lost.filter(isRepeatable)) {
      const body = write.method === "DELETE" ? undefined : write.body;
      await accounts.send({ ...write, body }, this.permit({ position }, write));
    }
  }

  /**
   * Finds objects that are gone. If the state does not have them, as after a kill, somebody has deleted them. Their creates may be
   * repeated as long as there are fewer objects than approved. In the same run, only a key is deleted, whose secret is lost.
   */
  private async findGone(sent: SentWrite, accounts: WrittenAccounts): Promise<boolean | NotAllowed> {
    if (sent.method !== "POST") return false;
    const { creates, ids } = this.writes.madeBy(sent);
    // Nothing is read for a body that was not approved.
    if (creates.length === 0) return false;
    const member = memberPath(sent);
    const made = member === undefined ? [...ids] : [member];
    const isKey = isCreationMark(membersOf(sent.body).metadata);
    const isNew = (id: string): boolean =>
      id === member ? creates.some(({ position }) => this.sentNow.has(position)) : !this.madeBefore.has(id);
    const gone = new Set<string>();
    for (const id of made) {
      if (isNew(id) && !isKey) continue;
      if ((await accounts.read(sent.baseUrl, member ?? `${sent.path}/${id}`)) !== undefined) continue;
      if (this.isYoung(id))
        return notAllowed(
          sent,
          `it was done less than a minute ago, and the service may not show ${id} everywhere yet. Deploy again in a minute`,
        );
      gone.add(id);
    }
    const missing = creates.length - (Math.max(made.length, creates.length) - gone.size);
    const isGone = ({ id }: { id?: string | undefined }): boolean => id !== undefined && gone.has(id);
    const again = [...creates.filter(isGone), ...creates.filter(({ id }) => id === undefined)];
    if (missing <= 0 || again.length === 0) return false;
    for (const create of again.slice(0, missing)) this.writes.reopen(create, gone);
    return true;
  }

  /** Whether an earlier run created the object less than a minute ago. */
  private isYoung(id: string): boolean {
    return Date.now() <= (this.madeBefore.get(id) ?? -Infinity) + longestLag;
  }

  /**
   * Whether a write deletes the object of a create whose answer was lost, as nobody has its secret, or an object of an earlier run
   * that is gone, which changes nothing. A new one may only not be shown yet.
   */
  private async isStray({ baseUrl, method, path }: SentWrite, accounts: WrittenAccounts): Promise<boolean> {
    const id = path.slice(path.lastIndexOf("/") + 1);
    if (method !== "DELETE") return false;
    if (this.madeBefore.has(id))
      return !this.isYoung(id) && (await accounts.read(baseUrl, path)) === undefined;
    if (this.writes.isMade(id)) return false;
    if (this.lostMarks.size === 0 && this.owners.size === 0) return false;
    const { metadata } = membersOf(await accounts.read(baseUrl, path));
    const owner = ownerInMark(metadata);
    return (
      isCreationMark(metadata) &&
      (this.lostMarks.has(metadata) || (owner !== undefined && this.owners.has(owner)))
    );
  }
}

/** Whether the approval contains everything that was sent, and sending it again changes nothing else. */
function isRepeatable({ method, lacks }: LostWrite): boolean {
  return method !== "POST" && lacks.size === 0;
}
