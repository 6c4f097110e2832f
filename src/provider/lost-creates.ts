/**
 * Creates whose answer is lost. Nobody knows whether the object exists, so the create is neither repeated
 * blindly nor given up: the collection is searched for what it made.
 *
 * Equality and time prove no ownership: what cannot be told apart is an error that names it, and nothing is
 * ever deleted. While lost creates of a collection are settled its other creates wait, so that no object is
 * taken for another one's.
 */
import type { Declaration } from "../schema/declaration";
import { toInstant } from "../schema/formats/time";
import { stampIn } from "../schema/stamp";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../schema/json";
import { mayResultFrom } from "./request-match";
import type { GatewayError } from "./errors";
import { UndecidedError } from "./errors";
import type { Http } from "./http";
import { pages } from "./pagination";

const orphansHint =
  '"tunnel-gateway orphans --stack <name>" lists what is in the account and not in the stack';

/** The service may still be at work on what it did not answer, so a search that misses is made once more. */
const secondLook = 2_000;

/** Times of objects have whole seconds, and may come from another machine than the answer's Date. */
const clockTolerance = 2_000;

/** How far the clocks may differ where no answer tells the service's. */
const unknownClock = 60_000;

interface Lost {
  readonly args: Json;
  readonly error: GatewayError;
  /** Ends the wait with the object that was made; with undefined where none was. */
  readonly resolve: (object: Json | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export class LostCreates {
  /** Ids that are known to belong to something else than a lost create. */
  private readonly known = new Set<string>();
  private lost: Lost[] = [];
  private underWay = 0;
  /** Closed from the first loss until all are settled. */
  private gate: { readonly open: () => void; readonly opened: Promise<void> } | undefined;

  constructor(
    private readonly declaration: Declaration,
    private readonly http: Http,
  ) {}

  /** Notes an id that belongs to a resource of this process. */
  know(id: string): void {
    this.known.add(id);
  }

  /** Begins a create, as soon as no lost one is being settled. The function that it returns ends it. */
  async begin(): Promise<() => void> {
    while (this.gate) await this.gate.opened;
    this.underWay += 1;
    return () => {
      this.underWay -= 1;
      // Only when every other create has its answer can be told what is left.
      if (this.underWay === 0 && this.lost.length > 0) void this.settle(this.lost.splice(0));
    };
  }

  /** The object that a lost create made; undefined where it made none. To be asked before the create ends. */
  search(args: Json, error: GatewayError): Promise<Json | undefined> {
    this.gate ??= newGate();
    return new Promise((resolve, reject) => {
      this.lost.push({ args, error, resolve, reject });
    });
  }

  private async settle(lost: readonly Lost[]): Promise<void> {
    try {
      const groups = equalOnes(lost);
      let objects = await this.newObjects(lost);
      if (groups.some((group) => this.candidates(group, objects).length < group.length)) {
        await this.http.timing.sleep(secondLook);
        objects = await this.newObjects(lost);
      }
      // What was asked for in more detail is told apart more easily, and leaves less to the others.
      for (const group of groups) this.decide(group, this.candidates(group, objects));
    } catch (error) {
      for (const each of lost) each.reject(this.unsearched(each.error, error));
    } finally {
      this.gate?.open();
      this.gate = undefined;
    }
  }

  /** The objects that are new since the first of these creates, and nobody else's as far as known. */
  private async newObjects(lost: readonly Lost[]): Promise<Json[]> {
    const { path, listKey, noun } = this.declaration;
    const list = { path, listKey: listKey!, operation: `looking for the ${noun} of a lost answer` };
    const objects: Json[] = [];
    for await (const page of pages(this.http, list)) {
      const since = this.since(lost);
      objects.push(...page.filter((object) => madeAt(object) >= since));
    }
    return objects;
  }

  /** The server's time when the first of these creates was sent. */
  private since(lost: readonly Lost[]): number {
    const sentAt = Math.min(...lost.map(({ error }) => error.sentAt ?? this.http.timing.now()));
    const server = this.http.serverTime(sentAt);
    return server === undefined ? sentAt - unknownClock : server - clockTolerance;
  }

  private candidates(group: readonly Lost[], objects: readonly Json[]): Json[] {
    const since = this.since(group);
    const { args } = group[0]!;
    return objects.filter(
      (object) =>
        typeof object.id === "string" &&
        !this.known.has(object.id) &&
        madeAt(object) >= since &&
        mayResultFrom(this.declaration, object, args, this.http.settings),
    );
  }

  private decide(group: readonly Lost[], candidates: readonly Json[]): void {
    const isNone = candidates.length === 0;
    const isStamped = this.http.settings.stampMetadata && stampIn(group[0]!.args.metadata) !== undefined;
    const isEven =
      candidates.length === group.length && candidates.every((object) => isFinite(madeAt(object)));
    const isTaken = !isNone && (isStamped || isEven) && !this.isSecretLost();
    if (isNone || this.isSecretLost()) this.makeAnew(group, candidates);
    else if (isTaken) this.takeOver(group, candidates);
    else for (const each of group) each.reject(this.undecided(each.error, candidates));
  }

  /** Whether the lost answer was the only one to hold a secret, so that its object is of no use. */
  private isSecretLost(): boolean {
    return givenOnce(this.declaration).length > 0;
  }

  private makeAnew(group: readonly Lost[], candidates: readonly Json[]): void {
    if (candidates.length > 0) {
      candidates.forEach(({ id }) => this.know(id as string));
      this.http.report(
        `${group[0]!.error.message}. ${idsOf(candidates)} seems to be what it made, and its secret is lost: ` +
          `another one is made. Check and delete the lost one by hand. ${orphansHint}`,
      );
    }
    group.forEach(({ resolve }) => resolve(undefined));
  }

  private takeOver(group: readonly Lost[], candidates: readonly Json[]): void {
    const newestFirst = [...candidates].sort((a, b) => madeAt(b) - madeAt(a));
    newestFirst.forEach(({ id }) => this.know(id as string));
    group.forEach(({ resolve }, i) => resolve(newestFirst[i]));
    const left = newestFirst.slice(group.length);
    if (left.length > 0)
      this.http.report(`${idsOf(left)}: made by a lost create of this stack, and not needed`);
  }

  private undecided(lost: GatewayError, candidates: readonly Json[]): UndecidedError {
    return new UndecidedError(
      `${lost.message}. What it made cannot be told apart from others: ${idsOf(candidates)} may be it. ` +
        `Check which one is; take it over with pulumi import, or delete it by hand, and run pulumi up again. ` +
        orphansHint,
    );
  }

  private unsearched(lost: GatewayError, error: unknown): UndecidedError {
    return new UndecidedError(
      `${lost.message}. Whether it was made is not known, because the search for it failed too: ` +
        `${(error as Error).message}. Look for it; take it over with pulumi import, or delete it by hand, before ` +
        `you run pulumi up again. ${orphansHint}`,
    );
  }
}

/** The names of the secrets that only the answer to a creation holds. */
export function givenOnce({ fields }: Declaration): string[] {
  return Object.keys(fields).filter((name) => {
    const { presence, traits } = fields[name]!;
    return presence === "computed" && traits.secret === true;
  });
}

/** When the service made the object; infinitely late where it does not say, so that nobody overlooks it. */
function madeAt(object: Json): number {
  return (typeof object.created_at === "string" ? toInstant(object.created_at) : undefined) ?? Infinity;
}

/** The lost creates in groups of equal arguments, the most detailed first. */
function equalOnes(lost: readonly Lost[]): Lost[][] {
  const groups: Lost[][] = [];
  for (const each of lost) {
    const group = groups.find((other) => isDeepStrictEqual(other[0]!.args, each.args));
    if (group) group.push(each);
    else groups.push([each]);
  }
  const detail = (group: Lost[]): number => Object.keys(group[0]!.args).length;
  return groups.sort((a, b) => detail(b) - detail(a));
}

function idsOf(objects: readonly Json[]): string {
  return objects.map(({ id }) => String(id)).join(", ");
}

function newGate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}
