/**
 * Pairs the creates of a program with existing objects of the account: first by values that must be unique, then by equal values.
 * A create that matches several objects is not paired.
 */
import { accountObject } from "../../inventory/account-contents";
import type { AccountObject } from "../../inventory/account-contents";
import { FreeObjects } from "../../orphans/free-objects";
import { createdBy, mayBe } from "../../orphans/match";
import type { AccountClient } from "../../../account/account-client";
import { equalCreates } from "../../../provider/life-cycle/lost-creates";
import { isConfigured, withTexts } from "../../../provider/life-cycle/answers";
import { idIn, namesIn } from "../../../provider/http/path";
import { contested } from "../../../schema/occupied-addresses";
import { uniqueArguments } from "../../../schema/declaration";
import type { Declaration } from "../../../schema/declaration";
import { same } from "../../../schema/equality";
import type { StackName } from "../../../provider/urn";
import type { Json } from "../../../schema/json";
import { stampIn } from "../../../schema/metadata";
import { idSlots, takesId } from "../../../schema/references";
import { hasUnknown, isUnknown, unknown } from "../../../schema/unknown";
import { argumentsFrom } from "../../../schema/values";
import type { Arguments } from "../../../schema/values";
import type { Reference } from "../../inventory/inventory";
import type { PlannedCreate } from "./planned";

/** The evidence that an object belongs to a resource. */
type Evidence = "stamp" | "path" | "address" | "unique values" | "equal values" | "contents";

export type Outcome = { readonly create: PlannedCreate } & (
  | {
      readonly kind: "pair";
      readonly object: AccountObject;
      readonly by: Evidence;
      /** The program's arguments, with the object's values where a preview does not know them. */
      readonly args: Arguments;
      /** The arguments that refer to objects which the next update creates, or to others than the object: the update changes them. */
      readonly changing: readonly string[];
    }
  /** Several objects may belong to the resource. */
  | { readonly kind: "ambiguous"; readonly objects: readonly AccountObject[] }
  /** Rotating keys cannot be adopted: the token of the current key is lost. */
  | { readonly kind: "rotates" }
  | { readonly kind: "new" }
);

type Account = Pick<AccountClient, "read" | "settings">;

/**
 * The outcome of each create.
 * @param objects the objects of the account that the stack does not manage.
 */
export async function pairUp(
  creates: readonly PlannedCreate[],
  objects: readonly AccountObject[],
  account: Account,
  stack: StackName,
): Promise<Outcome[]> {
  const pairing = new Pairing(creates, objects, account, stack);
  await pairing.run();
  return creates.map((create) => pairing.outcomeOf(create));
}

type Pair = Extract<Outcome, { kind: "pair" }>;
/** An outcome before all creates are decided: which arguments of a pair change is not known yet. */
type Settled = Exclude<Outcome, Pair> | Omit<Pair, "changing">;

/** The ids of objects that are tried for creates which are not decided, by URN. */
type SupposedIds = ReadonlyMap<string, string>;

class Pairing {
  private readonly outcomes = new Map<string, Settled>();
  /** By URN. */
  private readonly open: Map<string, PlannedCreate>;
  private readonly free: FreeObjects;
  /** The creates that refer to a create, by its URN. */
  private readonly referrers: ReadonlyMap<string | undefined, readonly PlannedCreate[]>;

  constructor(
    creates: readonly PlannedCreate[],
    objects: readonly AccountObject[],
    private readonly account: Account,
    private readonly stack: StackName,
  ) {
    this.open = new Map(creates.map((create) => [create.urn, create]));
    // An object whose stamp names another stack is never adopted.
    const isOthers = ({ answer }: AccountObject): boolean => {
      const stamp = stampIn(answer.metadata);
      return stamp !== undefined && (stamp.project !== stack.project || stamp.stack !== stack.stack);
    };
    this.free = new FreeObjects(objects.filter((each) => !isOthers(each)));
    const uses = creates.flatMap((create) => create.references.map(({ to }) => ({ urn: to?.urn, create })));
    this.referrers = new Map(
      [...Map.groupBy(uses, ({ urn }) => urn)].map(([urn, own]) => [urn, own.map(({ create }) => create)]),
    );
  }

  async run(): Promise<void> {
    while (this.open.size > 0) {
      const before = this.open.size;
      for (const create of [...this.open.values()]) await this.byIdentity(create);
      // Equal values are the weakest evidence, so they count only when no other evidence decides. An object with few values fits
      // many creates, so the creates of a class are decided together, the most detailed first.
      if (this.open.size === before) await this.byValues(({ declaration }) => !this.waitsIn(declaration));
      if (this.open.size === before) await this.byValues((create) => !this.waits(create));
      if (this.open.size === before) await this.byValues(() => true);
      if (this.open.size === before) break;
    }
    for (const create of [...this.open.values()]) this.settle({ kind: "new", create });
  }

  /** The outcome of a create, after all are decided. */
  outcomeOf(create: PlannedCreate): Outcome {
    const outcome = this.outcomes.get(create.urn)!;
    if (outcome.kind !== "pair") return outcome;
    const isCreated = (urn: string): boolean => (this.outcomes.get(urn)?.kind ?? "pair") !== "pair";
    const refersTo = idsOf(outcome.object);
    const isOther = ({ argument, to, isWhole, isCertain }: Reference): boolean => {
      const id = isWhole || !isCertain ? undefined : this.pairedId(to?.urn);
      return id !== undefined && !refersTo(argument).has(id);
    };
    const changing = create.references.filter(
      (each) => each.to?.urn !== undefined && (isCreated(each.to.urn) || isOther(each)),
    );
    return { ...outcome, changing: changing.map(({ argument }) => argument) };
  }

  private settle(outcome: Settled): void {
    this.outcomes.set(outcome.create.urn, outcome);
    this.open.delete(outcome.create.urn);
    if (outcome.kind === "pair") this.free.take(outcome.object);
  }

  private pair(create: PlannedCreate, object: AccountObject, by: Evidence): void {
    const args = filled(this.resolved(create), object);
    this.settle({ kind: "pair", create, object, by, args });
  }

  private async byIdentity(create: PlannedCreate): Promise<void> {
    const { declaration } = create;
    if (declaration.rotates) return this.settle({ kind: "rotates", create });
    if (this.isOfNew(create)) return this.settle({ kind: "new", create });
    const stamped = this.free.stampedFor(createdBy(create), { ...this.stack, name: create.name });
    if (stamped) return this.pair(create, stamped, "stamp");
    const args = this.resolved(create);
    const inPath = namesIn(declaration.path);
    if (inPath.length > 0) {
      if (inPath.some((name) => hasUnknown(args[name]))) return;
      const found = await this.at(declaration, idIn(declaration.path, args));
      return found ? this.pair(create, found, "path") : this.settle({ kind: "new", create });
    }
    const isAlike = alike(declaration, args);
    if (!isAlike) return;
    const objects = this.free.like(declaration, isAlike.texts).filter(isAlike.test);
    if (objects.length === 1) this.pair(create, objects[0]!, isAlike.by);
    else if (objects.length === 0) this.settle({ kind: "new", create });
    else this.settle({ kind: "ambiguous", create, objects });
  }

  /** The object at a path; undefined if there is none. A service may return an empty module if none was set. */
  private async at(declaration: Declaration, id: string): Promise<AccountObject | undefined> {
    const answer = await this.account.read(declaration, id);
    if (answer === undefined) return undefined;
    if (declaration.style === "singleton" && !isConfigured(declaration, answer)) return undefined;
    return accountObject(declaration, id, answer);
  }

  private async byValues(isChosen: (create: PlannedCreate) => boolean): Promise<void> {
    const chosen = [...this.open.values()]
      .filter(isChosen)
      .filter(({ declaration }) => namesIn(declaration.path).length === 0);
    const groups = equalCreates(chosen, (create) => ({
      ...this.resolved(create),
      __type: create.declaration.type,
    }));
    for (const group of groups) await this.decide(group);
  }

  /** Decides creates with equal arguments. Their contents, such as the rules of a policy, distinguish their objects. */
  private async decide(group: readonly PlannedCreate[]): Promise<void> {
    const candidates = this.fitting(group[0]!, this.resolved(group[0]!));
    if (candidates.length === 1 && group.length === 1)
      return this.pair(group[0]!, candidates[0]!, "equal values");
    const byContents = new Map<PlannedCreate, readonly AccountObject[]>();
    for (const create of group) byContents.set(create, await this.withContents(create, candidates));
    for (const [create, objects] of byContents)
      if (objects.length === 1 && this.free.has(objects[0]!)) this.pair(create, objects[0]!, "contents");
    const left = candidates.filter((object) => this.free.has(object));
    const creates = group.filter((create) => this.open.has(create.urn));
    for (const [i, create] of creates.entries()) {
      const own = byContents.get(create)!.filter((object) => left.includes(object));
      const object = left[i];
      // Equal objects are interchangeable: any of them may get any of the names.
      const isFree = object !== undefined && left.length <= creates.length && own.includes(object);
      if (isFree) this.pair(create, object, "equal values");
      else if (left.length === 0 || object === undefined) this.settle({ kind: "new", create });
      else this.settle({ kind: "ambiguous", create, objects: own.length > 0 ? own : left });
    }
  }

  /** The candidates that contain, or are used by, the same objects as the create in the program. */
  private async withContents(
    create: PlannedCreate,
    candidates: readonly AccountObject[],
  ): Promise<readonly AccountObject[]> {
    const parts = (this.referrers.get(create.urn) ?? []).filter((part) => this.open.has(part.urn));
    const found: AccountObject[] = [];
    for (const object of candidates) {
      const fitting = await Promise.all(parts.map((part) => this.hasPart(part, create, object)));
      if (fitting.every(Boolean)) found.push(object);
    }
    return found;
  }

  /** Whether the account has the part, if the object is that of the create. */
  private async hasPart(part: PlannedCreate, create: PlannedCreate, object: AccountObject): Promise<boolean> {
    const supposed = new Map([[create.urn, object.id]]);
    const args = this.resolved(part, supposed);
    const { declaration } = part;
    const inPath = namesIn(declaration.path);
    if (inPath.length === 0) return this.fitting(part, args, supposed).length > 0;
    if (inPath.some((name) => hasUnknown(args[name]))) return true;
    const found = await this.at(declaration, idIn(declaration.path, args));
    return found !== undefined && this.fits(part, args, found, supposed);
  }

  /** The objects that fit the create. */
  private fitting(create: PlannedCreate, args: Arguments, supposed?: SupposedIds): AccountObject[] {
    const declaration = createdBy(create);
    const alike = this.free.like(declaration, withTexts(declaration, args));
    return alike.filter((object) => this.fits(create, args, object, supposed));
  }

  /** Whether the object has the known values of the create. */
  private fits(
    create: PlannedCreate,
    args: Arguments,
    object: AccountObject,
    supposed?: SupposedIds,
  ): boolean {
    return (
      mayBe(object, { ...create, args: filled(args, object) }, this.account.settings) &&
      this.refersAlike(create, object, supposed)
    );
  }

  /** Whether the object refers to the objects that the create refers to, in the arguments whose ids are unknown in a preview. */
  private refersAlike(create: PlannedCreate, object: AccountObject, supposed?: SupposedIds): boolean {
    const refersTo = idsOf(object);
    return [...Map.groupBy(create.references, ({ argument }) => argument)].every(([argument, references]) => {
      const field = create.declaration.fields[argument];
      if (field === undefined || takesId(field)) return true;
      if (references.some(({ isWhole, isCertain }) => isWhole || !isCertain)) return true;
      const ids = references.map(({ to, id }) => this.pairedId(to?.urn, supposed) ?? id);
      const own = refersTo(argument);
      const isAll = ids.every((id) => id !== undefined);
      return ids.every((id) => id === undefined || own.has(id)) && (!isAll || own.size === new Set(ids).size);
    });
  }

  /** The arguments with the ids of paired objects. */
  private resolved(create: PlannedCreate, supposed?: SupposedIds): Arguments {
    const args: Record<string, unknown> = { ...create.args };
    for (const { argument, to, isCertain } of create.references) {
      const field = create.declaration.fields[argument];
      if (!field || !takesId(field) || !isUnknown(args[argument]) || !isCertain || to?.urn === undefined)
        continue;
      args[argument] = this.pairedId(to.urn, supposed) ?? args[argument];
    }
    return argumentsFrom(args);
  }

  private pairedId(urn = "", supposed?: SupposedIds): string | undefined {
    const outcome = this.outcomes.get(urn);
    return supposed?.get(urn) ?? (outcome?.kind === "pair" ? outcome.object.id : undefined);
  }

  /**
   * Whether it belongs to an object that does not exist, so it does not exist either. The next deployment would replace an
   * existing object whose reference no update can change.
   */
  private isOfNew({ references, declaration }: PlannedCreate): boolean {
    return references.some(({ argument, to }) => {
      const field = declaration.fields[argument];
      const outcome = to?.urn === undefined ? undefined : this.outcomes.get(to.urn);
      if (field === undefined || !takesId(field) || outcome === undefined || outcome.kind === "pair")
        return false;
      const replaces =
        field.traits.replace?.({ old: undefined, next: unknown }, this.account.settings) ?? false;
      return field.presence === "required" || replaces;
    });
  }

  private waitsIn(declaration: Declaration): boolean {
    return [...this.open.values()].some((each) => each.declaration === declaration && this.waits(each));
  }

  /** Whether it refers to a create that is not decided yet. */
  private waits({ references }: PlannedCreate): boolean {
    return references.some(({ to }) => to?.urn !== undefined && this.open.has(to.urn));
  }
}

/** The ids of the objects that the object refers to in an argument. */
function idsOf({ declaration, values }: AccountObject): (argument: string) => ReadonlySet<unknown> {
  const byArgument = Map.groupBy(idSlots(declaration.fields, values), ({ argument }) => argument);
  return (argument) => new Set(byArgument.get(argument)?.map(({ id }) => id));
}

/** The arguments with the object's values in place of unknown ones. Arguments that the object does not have are left out. */
function filled(args: Arguments, { values }: AccountObject): Arguments {
  const all = Object.entries(args).map(([name, value]): [string, unknown] => [
    name,
    hasUnknown(value) ? values[name] : value,
  ]);
  return argumentsFrom(Object.fromEntries(all.filter(([, value]) => value !== undefined)));
}

/** Values that must be unique, and identify an object. */
interface Likeness {
  readonly by: Evidence;
  /** The values of the object to find. */
  readonly texts: Json;
  readonly test: (object: AccountObject) => boolean;
}

/** The values that identify an object; undefined if the arguments have none. */
function alike(declaration: Declaration, args: Arguments): Likeness | undefined {
  const { fields, occupies } = declaration;
  const served = occupies?.(args);
  if (served && served.addresses.length > 0 && !served.isShared) {
    return {
      by: "address",
      texts: {},
      test: ({ values }) => contested(served, occupies!(values)) !== undefined,
    };
  }
  const names = uniqueArguments(declaration, args) ?? identifying(declaration);
  const isKnown =
    names.length > 0 && names.every((name) => args[name] !== undefined && !hasUnknown(args[name]));
  if (!isKnown) return undefined;
  return {
    by: "unique values",
    texts: Object.fromEntries(names.map((name) => [name, args[name]])),
    test: ({ values }) => names.every((name) => same(fields[name]!, values[name], args[name])),
  };
}

/** The arguments that identify an object by themselves, such as a certificate. */
function identifying({ fields }: Declaration): string[] {
  return Object.keys(fields).filter((name) => {
    const { shape, presence } = fields[name]!;
    return presence === "required" && shape.kind === "string" && shape.format.identifies === true;
  });
}
