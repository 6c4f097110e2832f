/**
 * Creates whose answer is lost. It is not known whether the object exists, so the create is neither repeated
 * blindly nor given up: the collection is searched for the object.
 *
 * Equality and time prove no ownership: objects that cannot be distinguished are an error that names them, and
 * nothing is ever deleted. While lost creates of a collection are searched for, its other creates wait, so that
 * no object is taken for that of another create.
 */
import type { Declaration } from "../../schema/declaration";
import { toInstant } from "../../schema/formats/time";
import { stampIn } from "../../schema/metadata";
import type { Answer, Arguments } from "../../schema/values";
import { isRecord } from "../../schema/unknown";
import { compareTexts } from "../../schema/text/compare-texts";
import { mayResultFrom } from "./answers";
import type { GatewayError } from "../errors";
import { UndecidedError } from "../errors";
import type { Http } from "../http/http";
import { listRequest, pages } from "../http/pagination";
import { upAgain } from "../settings/broker-settings";

const orphansHint =
  '"npx pulumi-tunnel-gateway orphans --stack <name>" lists what is in the account and not in the stack';

/** A search without a result is repeated once, after these milliseconds: the service may still be working. */
export const secondLook = 2_000;

/** In milliseconds: times of objects have whole seconds, and may come from another machine than the Date of answers. */
export const objectTimeTolerance = 2_000;

/** How far the clocks may differ, in milliseconds, if no answer shows the service's. */
export const unknownClock = 60_000;

interface Lost {
  readonly args: Arguments;
  readonly error: GatewayError;
  /** One search is enough: a second one would find no more. */
  readonly isOneEnough: boolean;
  /** Ends the wait with the object that was created, or undefined. */
  readonly resolve: (object: Answer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export class LostCreates {
  /** Ids that are known to belong to something else than a lost create. */
  private readonly otherIds = new Set<string>();
  private lost: Lost[] = [];
  private underWay = 0;
  /** Closed from the first lost answer until the search has ended. */
  private gate: PromiseWithResolvers<void> | undefined;

  constructor(
    private readonly declaration: Declaration,
    private readonly http: Http,
  ) {}

  /** Notes an id that belongs to a resource of this process. */
  know(id: string): void {
    this.otherIds.add(id);
  }

  isKnown(id: string): boolean {
    return this.otherIds.has(id);
  }

  /** Begins a create, once no search is under way. The function that it returns ends it. */
  async begin(): Promise<() => void> {
    while (this.gate) await this.gate.promise;
    this.underWay += 1;
    return () => {
      this.underWay -= 1;
      // What belongs to lost creates is known only when every other create has its answer.
      if (this.underWay === 0 && this.lost.length > 0) void this.searchFor(this.lost.splice(0));
    };
  }

  /** The object of a lost create; undefined if it created none. Call it before the create ends. */
  search(args: Arguments, error: GatewayError, isOneEnough: boolean): Promise<Answer | undefined> {
    this.gate ??= Promise.withResolvers();
    return new Promise((resolve, reject) => {
      this.lost.push({ args, error, isOneEnough, resolve, reject });
    });
  }

  private async searchFor(lost: readonly Lost[]): Promise<void> {
    try {
      const groups = equalCreates(lost, ({ args }) => args);
      let objects = await this.newObjects(lost);
      if (this.isMissingSome(groups, objects) && !lost.every(({ isOneEnough }) => isOneEnough)) {
        await this.http.pauseToLookAgain(secondLook);
        objects = await this.newObjects(lost);
      }
      for (const group of groups) this.decide(group, this.candidates(group, objects));
    } catch (error) {
      for (const each of lost) each.reject(this.unsearched(each.error, error));
    } finally {
      this.gate!.resolve();
      this.gate = undefined;
    }
  }

  /** The objects that are new since the first of these creates. */
  private async newObjects(lost: readonly Lost[]): Promise<Answer[]> {
    const operation = `searching for the ${this.declaration.noun} of an unanswered create`;
    const list = { ...listRequest(this.declaration), operation };
    const objects: Answer[] = [];
    for await (const page of pages(this.http, list)) {
      const since = this.since(lost);
      for (const object of page) if (createdAt(object) >= since) objects.push(object);
    }
    return objects;
  }

  /** The server's time when the first of these creates was sent. */
  private since(lost: readonly Lost[]): number {
    const now = this.http.timing.now();
    const sentAt = lost.reduce((first, { error }) => Math.min(first, error.sentAt ?? now), Infinity);
    const server = this.http.serverTime(sentAt);
    return server === undefined ? sentAt - unknownClock : server - objectTimeTolerance;
  }

  private candidates(group: readonly Lost[], objects: readonly Answer[]): Answer[] {
    const since = this.since(group);
    const { args } = group[0]!;
    return objects.filter(
      (object) =>
        typeof object.id === "string" &&
        !this.otherIds.has(object.id) &&
        createdAt(object) >= since &&
        mayResultFrom(this.declaration, object, args, this.http.settings),
    );
  }

  /** Whether there are fewer objects than creates. An object may match creates with different arguments, and counts for one. */
  private isMissingSome(groups: readonly (readonly Lost[])[], objects: readonly Answer[]): boolean {
    const matched = new Set<Answer>();
    return groups.some((group) => {
      const own = this.candidates(group, objects).filter((object) => !matched.has(object));
      for (const object of own.slice(0, group.length)) matched.add(object);
      return own.length < group.length;
    });
  }

  private decide(group: readonly Lost[], candidates: readonly Answer[]): void {
    const isNone = candidates.length === 0;
    const isStamped = this.http.settings.stampMetadata && stampIn(group[0]!.args.metadata) !== undefined;
    const isEven =
      candidates.length === group.length && candidates.every((object) => isFinite(createdAt(object)));
    if (isNone) for (const each of group) each.resolve(undefined);
    else if (isStamped || isEven) this.takeOver(group, candidates);
    else for (const each of group) each.reject(this.undecided(each.error, candidates));
  }

  private takeOver(group: readonly Lost[], candidates: readonly Answer[]): void {
    const newestFirst = candidates.toSorted((a, b) => createdAt(b) - createdAt(a));
    newestFirst.forEach(({ id }) => this.know(id as string));
    group.forEach(({ resolve }, i) => resolve(newestFirst[i]));
    const left = newestFirst.slice(group.length);
    if (left.length > 0)
      this.http.report(`${idsOf(left)}: created by an unanswered create of this stack, and not needed`);
  }

  private undecided(lost: GatewayError, candidates: readonly Answer[]): UndecidedError {
    return new UndecidedError(
      `${lost.message}. The object that it created cannot be distinguished from others: ${idsOf(candidates)} may be it. ` +
        `Check which one it is; import it, or delete it by hand, and ${upAgain()}. ` +
        orphansHint,
    );
  }

  private unsearched(lost: GatewayError, error: unknown): UndecidedError {
    return new UndecidedError(
      `${lost.message}. It is not known whether it was created, because the search for it failed too: ` +
        `${(error as Error).message}. Look for it; import it, or delete it by hand, before ` +
        `you ${upAgain()}. ${orphansHint}`,
    );
  }
}

/** When the service created the object; infinitely late if it does not say, so that the object is not overlooked. */
function createdAt(object: Answer): number {
  return toInstant(object.created_at) ?? Infinity;
}

/** Creates in groups of equal arguments, those with the most arguments first: they match the fewest objects. */
export function equalCreates<T>(creates: readonly T[], argumentsOf: (create: T) => Arguments): T[][] {
  const groups = Map.groupBy(creates, (create) => JSON.stringify(argumentsOf(create), inOrder));
  const detail = ([create]: readonly T[]): number => Object.keys(argumentsOf(create!)).length;
  return [...groups.values()].sort((a, b) => detail(b) - detail(a));
}

/** For JSON.stringify: equal objects have the same text, whatever the order of their members. */
function inOrder(_name: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareTexts(a, b)));
}

function idsOf(objects: readonly Answer[]): string {
  return objects.map(({ id }) => String(id)).join(", ");
}
