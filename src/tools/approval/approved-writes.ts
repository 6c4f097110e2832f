/**
 * The writes that a deployment may send: those of its approval, each once, in an order of the plan. A write may be repeated if
 * its answer was lost, or if it is the last write at its path.
 */
import { listText, quote, shortened } from "../../schema/text/phrase";
import type { Json } from "../../schema/json";
import { isRecord, membersOf } from "../../schema/unknown";
import { hiddenUrl } from "../stack/mask";
import type { Approval, ApprovedStep, ApprovedWrite } from "./approval";
import { ruleIn, rulePlace, differenceIn, filledBody, pathAgrees } from "./template";
import type { IsMade, IsRule, Lacking } from "./template";
import { WriteIndex } from "./write-index";
import type { LogLine } from "./write-log";

/** A write that a client wants to send. */
export interface SentWrite {
  readonly baseUrl: string;
  readonly method: string;
  /** Below the base URL, with the query. */
  readonly path: string;
  readonly body: unknown;
}

/** `open`: not sent yet, or refused. `sent`: no answer yet. `lost`: the answer does not say whether it was done. */
type WriteState = "open" | "sent" | "lost" | "done";

/** A write of the approval, and its status. */
interface Entry {
  readonly write: ApprovedWrite;
  readonly position: number;
  /** The position of its step. */
  readonly step: number;
  readonly baseUrl: string;
  /** The position of the first write of its step that need not come before it. */
  readonly first: number;
  /** The ids in answers to equal writes. Their objects are interchangeable until a later write names one. */
  readonly ids: Set<string>;
  state: WriteState;
  /** The address at which it was sent. */
  path?: string;
  /** The id of the object that it creates, known once a later write names it. */
  id?: string | undefined;
}

/** A write of the approval. */
interface Positioned {
  readonly position: number;
}

/** A write that may be sent now. Its answer is noted by {@link ApprovedWrites.answered}. */
export interface Allowed extends Positioned {
  /** The ids of created objects that it names, by the positions of their creates. */
  readonly names: Readonly<Record<string, string>>;
}

/** A write with a lost answer, as it was sent. */
export interface LostWrite extends SentWrite, Positioned {
  readonly body: Json;
  readonly lacks: ReadonlySet<Lacking>;
}

/** Why a write may not be sent now. */
export interface NotAllowed {
  readonly refused: string;
  /** An equal write has no answer yet: the client may retry later. */
  readonly isUnderWay?: boolean;
}

export class ApprovedWrites {
  /** The base URLs of the accounts. */
  private readonly urls: readonly string[];
  private readonly steps: readonly ApprovedStep[];
  private readonly entries: readonly Entry[];
  private readonly index: WriteIndex<Entry>;
  /** The number of writes of each step that are not done, and of all steps that are not late. */
  private readonly openIn: number[];
  private openBeforeLate = 0;
  /** For each step, the position after its first writes that are done. */
  private readonly leading: number[] = [];
  /** The last write that was done at a path, unless one was done inside of it since. */
  private readonly lastAt = new Map<string, Entry>();
  /** The finished writes whose repetition has no answer yet. */
  private readonly repeated = new Set<Entry>();
  /** The ids of created objects, each with those of equal creates. */
  private readonly made = new Map<string, ReadonlySet<string>>();
  /** The places of rules that were read, by their ids. */
  private readonly rules = new Map<string, string>();

  /**
   * @param hiddenAs the base URL of the account that the approval does not name. Default: that of a rehearsal.
   * @param isInOrder whether a write waits for the writes before it. Default: true.
   */
  constructor(
    { steps, baseUrls }: Approval,
    hiddenAs: string = hiddenUrl,
    private readonly isInOrder = true,
  ) {
    this.steps = steps;
    this.openIn = steps.map(({ writes }) => writes.length);
    const groups = new Map<string, Set<string>>();
    const entries: Entry[] = [];
    for (const [step, { writes, isLate, baseUrl = hiddenAs }] of steps.entries()) {
      if (!isLate) this.openBeforeLate += writes.length;
      const start = entries.length;
      this.leading.push(start);
      for (const [i, write] of writes.entries()) {
        const key = JSON.stringify([baseUrl, write]);
        const ids = groups.get(key) ?? new Set();
        groups.set(key, ids);
        const first = start + (write.first ?? i);
        entries.push({ write, position: start + i, step, baseUrl, first, ids, state: "open" });
      }
    }
    this.entries = entries;
    this.index = new WriteIndex(entries);
    this.urls = [...new Set([...baseUrls, hiddenAs, ...entries.map(({ baseUrl }) => baseUrl)])];
  }

  /** Applies the log of an earlier deployment. A write without an answer may be sent again. */
  resume(log: readonly LogLine[]): void {
    for (const line of log) {
      if ((line.event !== "sent" && line.event !== "answered") || line.position === undefined) continue;
      const entry = this.entries[line.position];
      if (entry === undefined) continue;
      const { path } = line;
      if (line.event === "answered") {
        const { status, id } = line;
        if (status !== undefined || id === undefined) this.answered(entry, path, status, id);
        else this.found(entry, id);
        continue;
      }
      if (entry.state === "done" && entry.write.method === "POST") this.reopen(entry);
      this.bind(line.names ?? {});
      entry.path = path;
      this.answered(entry, path, undefined);
    }
  }

  /** Notes the place of a rule, which an approved write may name without its id. */
  noteRule(answer: unknown): void {
    this.rules.set(String(membersOf(answer).id), rulePlace(ruleIn(answer)));
  }

  /** The number of finished writes. */
  get doneCount(): number {
    return this.entries.filter((entry) => !isPending(entry)).length;
  }

  /** The unfinished writes, each with the URN of its resource. */
  get left(): (Pick<ApprovedWrite, "method" | "path"> & { readonly urn: string })[] {
    return this.entries.filter(isPending).map(({ write: { method, path }, step }) => {
      return { method, path, urn: this.steps[step]!.urn };
    });
  }

  /** Marks the write as sent, or says why it may not be sent. */
  take(sent: SentWrite): Allowed | NotAllowed {
    const entry = this.pendingFor(sent) ?? this.lastLike(sent);
    const isNew = entry !== undefined && isPending(entry);
    const names = entry && this.namesIn(entry, isNew ? sent : this.completed(sent, entry));
    if (!entry || !names) return this.reason(sent);
    // Where both are on their way, the service may do the repetition last.
    const others = isNew ? [...this.repeated] : this.entries.filter(({ state }) => state === "sent");
    if (this.repeated.has(entry) || others.some((other) => isAround(other, sent)))
      return { ...notAllowed(sent, "another write at its path has no answer yet"), isUnderWay: true };
    this.bind(names);
    entry.path = sent.path;
    if (isNew) entry.state = "sent";
    else this.repeated.add(entry);
    return { position: entry.position, names };
  }

  /** Records the answer to a write; a status of undefined means that there was none. */
  answered({ position }: Positioned, path: string, status: number | undefined, id?: string): void {
    const entry = this.entries[position]!;
    this.repeated.delete(entry);
    if (entry.state === "done") return;
    if (!isDecided(status)) {
      entry.state = "lost";
      return;
    }
    const { method } = entry.write;
    entry.state = "open";
    if (status >= 300 && !(method === "DELETE" && status === 404)) return;
    this.done(entry, id);
    // What has an id is new, and nothing else is at its path.
    if (method === "POST" && id !== undefined) return;
    const [address, ...around] = addressesAround(entry.baseUrl, path);
    for (const each of around) this.lastAt.delete(each);
    this.lastAt.set(address!, entry);
  }

  /** The writes whose answers were lost. The id of an object that such a create has made is unknown. */
  get lost(): LostWrite[] {
    return this.entries.filter(({ state }) => state === "lost").map(this.lostWrite);
  }

  /** The equal writes whose answers were lost. */
  lostLike(sent: SentWrite): LostWrite[] {
    return this.equalTo(sent)
      .filter(({ state }) => state === "lost")
      .map(this.lostWrite);
  }

  /** The writes with lost answers that alone prevent a write. */
  lostBefore(sent: SentWrite): LostWrite[] {
    for (const entry of this.equalTo(sent).filter(isPending)) {
      const first = this.entries.filter((other) => isPending(other) && this.comesFirst(other, entry));
      if (first.length > 0 && first.every(({ state }) => state === "lost")) return first.map(this.lostWrite);
    }
    return [];
  }

  private readonly lostWrite = ({ position, baseUrl, path, write }: Entry): LostWrite => {
    // What was sent has decided which object is which.
    const filled = filledBody(write, (made) => this.entries[made]?.id);
    return { position, baseUrl, method: write.method, path: path!, ...filled };
  };

  /** The finished creates that are equal to this one, and the ids of their objects. */
  madeBy(sent: SentWrite): {
    readonly creates: readonly (Positioned & { readonly id?: string | undefined })[];
    readonly ids: ReadonlySet<string>;
  } {
    const creates = this.equalTo(sent).filter((entry) => !isPending(entry));
    return { creates, ids: new Set(creates.flatMap(({ id, ids }) => (id === undefined ? [...ids] : [id]))) };
  }

  /** Permits a create again whose object is gone, and the writes of its step that concern the object. */
  reopen({ position }: Positioned, gone: ReadonlySet<string> = new Set()): void {
    const create = this.entries[position]!;
    for (const id of gone) create.ids.delete(id);
    for (const entry of this.entries)
      if (entry === create || (entry.step === create.step && entry.write.path.includes(`{${position}}`)))
        this.open(entry);
  }

  /** Records the object of a create whose answer was lost. False if the create was answered meanwhile. */
  found({ position }: Positioned, id: string): boolean {
    const entry = this.entries[position]!;
    if (entry.state !== "lost") return false;
    this.done(entry, id);
    return true;
  }

  /** Whether an approved write has created the object with the id. */
  isMade(id: string): boolean {
    return this.made.has(id);
  }

  private done(entry: Entry, id: string | undefined): void {
    entry.state = "done";
    this.openIn[entry.step]! -= 1;
    if (!this.steps[entry.step]!.isLate) this.openBeforeLate -= 1;
    let next = this.leading[entry.step]!;
    while (this.entries[next]?.step === entry.step && !isPending(this.entries[next]!)) next += 1;
    this.leading[entry.step] = next;
    if (entry.write.method !== "POST" || id === undefined || this.made.has(id)) return;
    entry.ids.add(id);
    this.made.set(id, entry.ids);
  }

  private open(entry: Entry): void {
    if (entry.state === "done") {
      this.openIn[entry.step]! += 1;
      if (!this.steps[entry.step]!.isLate) this.openBeforeLate += 1;
      this.leading[entry.step] = Math.min(this.leading[entry.step]!, entry.position);
    }
    entry.id = undefined;
    entry.state = "open";
  }

  /** The approved writes that it is, whether or not they are done. */
  private equalTo(sent: SentWrite, mayBe?: IsMade): Entry[] {
    return this.index.like(sent).filter((entry) => this.agrees(entry, sent, mayBe));
  }

  private pendingFor(sent: SentWrite): Entry | undefined {
    const free = this.index.like(sent).filter((entry) => isFree(entry) && this.agrees(entry, sent));
    return (
      free.find((entry) => this.waitsFor(entry) === undefined) ??
      free.find((entry) => this.mayComeNow(entry, sent))
    );
  }

  /** Whether the write may come now because an object that it names may be that of an equal create, which it waits for. */
  private mayComeNow(entry: Entry, sent: SentWrite): boolean {
    const exchanged = Object.keys(this.namesIn(entry, sent)!).map((position) => this.exchange(position));
    const mayCome = this.waitsFor(entry) === undefined;
    for (const undo of exchanged.reverse()) undo?.();
    return mayCome;
  }

  /**
   * Counts a create as done in the place of an equal one, whose object no write has named. Returns what undoes that; undefined if
   * there is no such create.
   */
  private exchange(position: string): (() => void) | undefined {
    const create = this.entries[Number(position)]!;
    if (!isFree(create)) return undefined;
    const made = this.entries.find(
      ({ ids, id, state }) => ids === create.ids && id === undefined && state === "done",
    );
    if (made === undefined) return undefined;
    const swap = (done: Entry, pending: Entry): void => {
      const { state } = pending;
      this.open(done);
      done.state = state;
      this.done(pending, undefined);
    };
    swap(made, create);
    return () => swap(create, made);
  }

  /** Some of the pending writes at the address of the write; undefined if none was approved for it. */
  private pendingAt(sent: SentWrite): Entry[] | undefined {
    let isApproved = false;
    const found: Entry[] = [];
    for (const entry of this.index.near(sent)) {
      if (found.length === mostCompared) break;
      if (!pathAgrees(entry.write, sent.path, this.knows, this.isRule)) continue;
      isApproved = true;
      if (isPending(entry)) found.push(entry);
    }
    return isApproved ? found : undefined;
  }

  /** The last finished write at the path, if it has the method, and none was done later around the path. */
  private lastLike({ baseUrl, method, path }: SentWrite): Entry | undefined {
    const [last, ...later] = addressesAround(baseUrl, path).map((address) => this.lastAt.get(address));
    const isLast = method !== "POST" && later.every((other) => other === undefined);
    return isLast && last?.write.method === method ? last : undefined;
  }

  /** A repetition of a part of a finished change, as after a refresh, with the members that it leaves out. */
  private completed(sent: SentWrite, { write }: Entry): SentWrite {
    if (write.method !== "PATCH" || !isRecord(sent.body)) return sent;
    const { body } = filledBody(write, (made) => this.entries[made]?.id);
    return { ...sent, body: { ...body, ...sent.body } };
  }

  private agrees(entry: Entry, sent: SentWrite, mayBe?: IsMade): boolean {
    return this.namesIn(entry, sent, mayBe) !== undefined;
  }

  /**
   * The ids of created objects in a write, by the positions of their creates; undefined if it is not the approved write. Each
   * object has one id, and no two have the same.
   */
  private namesIn(
    { write }: Entry,
    { path, body }: SentWrite,
    mayBe: IsMade = this.knows,
  ): Allowed["names"] | undefined {
    const ids = new Map<number, string>();
    const positions = new Map<string, number>();
    const isMade: IsMade = (position, id) => {
      const isOther = (ids.get(position) ?? id) !== id || (positions.get(id) ?? position) !== position;
      if (isOther || !mayBe(position, id)) return false;
      ids.set(position, id);
      positions.set(id, position);
      return true;
    };
    const agrees =
      pathAgrees(write, path, isMade, this.isRule) && differenceIn(write, body, isMade) === undefined;
    return agrees ? Object.fromEntries(ids) : undefined;
  }

  private readonly knows = (position: number, id: string): boolean => {
    const entry = this.entries[position];
    if (entry === undefined) return false;
    return entry.id === undefined ? entry.ids.has(id) : entry.id === id;
  };

  /** Whether the object is that of an equal create, which an earlier write has bound to it. */
  private readonly isOfEqual: IsMade = (position, id) =>
    this.made.has(id) && this.made.get(id) === this.entries[position]?.ids;

  private readonly isRule: IsRule = (rule, id) => this.rules.get(id) === rulePlace(rule);

  /** Decides which id belongs to which of several equal creates. */
  private bind(names: Allowed["names"]): void {
    for (const [position, id] of Object.entries(names)) {
      if (!this.knows(Number(position), id)) continue;
      this.exchange(position);
      const entry = this.entries[Number(position)]!;
      entry.ids.delete(id);
      entry.id = id;
    }
  }

  /** The URN of an unfinished step that must come first. */
  private waitsFor({ step, first }: Entry): string | undefined {
    if (!this.isInOrder) return undefined;
    const { after, isLate, urn } = this.steps[step]!;
    if (this.leading[step]! < first) return urn;
    const open = after.find((other) => this.openIn[other]! > 0);
    if (open !== undefined) return this.steps[open]!.urn;
    if (!isLate || this.openBeforeLate === 0) return undefined;
    return this.steps.find((other, i) => !other.isLate && this.openIn[i]! > 0)!.urn;
  }

  /** Whether a write comes before another. The slow form of {@link waitsFor}. */
  private comesFirst(other: Entry, { step, first }: Entry): boolean {
    const { after, isLate } = this.steps[step]!;
    if (other.step === step) return other.position < first;
    return after.includes(other.step) || (isLate && !this.steps[other.step]!.isLate);
  }

  private reason(sent: SentWrite): NotAllowed {
    const { baseUrl, body } = sent;
    const because = (reason: string): NotAllowed => notAllowed(sent, reason);
    if (!this.urls.includes(baseUrl))
      return because(`the approval names no account at ${shortened(baseUrl, 200)}`);
    const isExchanged = this.equalTo(sent, this.isOfEqual).some(isPending);
    const pending = this.pendingAt(sent);
    if (!pending) return because(isExchanged ? exchangedText : "it was not approved");
    const equal = this.equalTo(sent);
    const early = equal.find((entry) => isPending(entry) && this.waitsFor(entry) !== undefined);
    if (early)
      return because(
        `it was approved to come after the writes of ${this.waitsFor(early)!}${lostText(this.lostBefore(sent))}`,
      );
    if (equal.some(({ state }) => state === "sent"))
      return { ...because("it was sent, and has no answer yet"), isUnderWay: true };
    if (equal.length > 0) return because("it was approved once, and it is done");
    if (isExchanged) return because(exchangedText);
    const places = pending.flatMap(({ write }) => differenceIn(write, body, this.knows) ?? []);
    if (places.length === 0)
      return because(
        "the approved writes of this kind are done, and none had these values; review the change again",
      );
    const shown = [...new Set(places)].map((place) => (place === "" ? "the body" : quote(place)));
    return because(`it was approved with another value of ${listText(shown, "member")}`);
  }
}

/** The refusal of a write for a reason. */
export function notAllowed({ method, path }: Pick<SentWrite, "method" | "path">, reason: string): NotAllowed {
  return { refused: `${method} ${shortened(path, 200)}: ${reason}` };
}

/** The most writes that a message compares with the refused one. */
const mostCompared = 100;

const exchangedText =
  "it was approved for another one of several equal new objects, which were created in another order than in the review. Give " +
  "each a description of its own, and review the change again";

/** Advice for lost writes that neither the program nor the broker repeats. */
function lostText([first]: readonly LostWrite[]): string {
  if (first === undefined) return "";
  return (
    `. The answer to ${first.method} ${first.path} was lost, and the broker could not find out whether it was done. Deploy ` +
    "again without a refresh before, so that the program sends it again, or review the change again"
  );
}

/** Whether an answer with the status, or a missing answer, shows if the write was done. */
export function isDecided(status: number | undefined): status is number {
  return status !== undefined && status < 500 && status !== 408;
}

function isPending({ state }: Entry): boolean {
  return state !== "done";
}

/** Whether the write may be sent. */
function isFree({ state }: Entry): boolean {
  return state === "open" || state === "lost";
}

/** The address of a path, and those of the paths around it. */
function addressesAround(baseUrl: string, path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, i) => `${baseUrl} ${parts.slice(0, parts.length - i).join("/")}`);
}

/** Whether one of the two paths is around the other, or the same. */
function isAround({ baseUrl, path = "" }: Pick<Entry, "baseUrl" | "path">, sent: SentWrite): boolean {
  const [one, other] = [`${path}/`, `${sent.path}/`];
  return baseUrl === sent.baseUrl && (one.startsWith(other) || other.startsWith(one));
}
