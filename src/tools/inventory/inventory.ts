/**
 * The objects of an account, of a stack, or before or after a deployment, and their references to each other. The tools
 * are functions of inventories: none of them knows where its objects come from.
 */
import type { Declaration } from "../../schema/declaration";
import type { Json } from "../../schema/json";
import { idSlots } from "../../schema/references";
import type { IdSlot } from "../../schema/references";
import { declaresRules } from "../../schema/rule-set";
import type { EngineState, Mismatch } from "../stack/state";
import { ProviderAccounts } from "./provider-accounts";

/** An object of the service. Its identity is its account, its type and its id. */
export interface InventoryObject {
  readonly declaration: Declaration;
  /** Undefined until the object exists. */
  readonly id: string | undefined;
  /** Undefined for an object of an account. */
  readonly urn?: string;
  /** The URN of its explicit provider; undefined for the default provider, and in an account. */
  readonly provider?: string;
  /** The name in the program; in an account its description, its name or its id. */
  readonly name: string;
  /** The arguments that the program gives; for an object of an account, the values of the service. */
  readonly args: Json;
  /** The arguments, the values of the service for arguments that the program does not give, and computed values. */
  readonly values: Json;
  /** What the engine records about it; undefined for an object of an account. */
  readonly record?: EngineState;
}

/** A reference of an object to another one. */
export interface Reference<T extends InventoryObject = InventoryObject> extends IdSlot {
  readonly from: T;
  /** The other object; undefined if the inventory does not contain it. */
  readonly to: T | undefined;
  /**
   * Whether it can mean no other object. False if the id is not known yet and may be that of several objects, and if the
   * object may belong to another account.
   */
  readonly isCertain: boolean;
}

/** Identifies an object in its inventory: the URN, or the key in the account. */
export function keyOf(object: Pick<InventoryObject, "urn" | "declaration" | "id">): string {
  return object.urn ?? accountKey(object);
}

/** Identifies an object in its account: `<class> <id>`. */
export function accountKey({ declaration, id }: Pick<InventoryObject, "declaration" | "id">): string {
  return `${declaration.type} ${id}`;
}

/** The key of the order in which resources are printed: the engine's order varies from run to run. */
export function orderKeyOf({
  type,
  name,
  urn = "",
}: Pick<Mismatch, "type" | "name"> & { urn?: string }): string {
  return `${type} ${name} ${urn}`;
}

/** An object in a sentence. */
export function named({ declaration, name }: Pick<InventoryObject, "declaration" | "name">): string {
  return `${declaration.type} ${JSON.stringify(name)}`;
}

export class Inventory<T extends InventoryObject = InventoryObject> {
  /** The objects by their keys. */
  readonly all: ReadonlyMap<string, T>;
  private readonly byType: ReadonlyMap<string, T[]>;
  private readonly ids: ReadonlyMap<string, readonly T[]>;
  private readonly referencesFrom = new Map<T, readonly Reference<T>[]>();
  private users: ReadonlyMap<T | undefined, readonly Reference<T>[]> | undefined;

  constructor(
    objects: readonly T[],
    /** Whether an object that the inventory does not contain is known not to exist. */
    readonly isGone: (id: string, provider?: string) => boolean = () => false,
    /** Resources that only look like those of this package, or that work on objects of it without being one. */
    readonly mismatches: readonly Mismatch[] = [],
    readonly accounts = new ProviderAccounts(),
    /** The URNs of components: they have no ids. Pulumi names one of another package beside the source of its output. */
    private readonly components: ReadonlySet<string> = new Set(),
  ) {
    this.all = new Map(objects.map((each) => [keyOf(each), each]));
    this.byType = Map.groupBy(this.all.values(), ({ declaration: { type } }) => type);
    // A module and a set of entries have the id of their owner.
    const own = objects.filter(
      ({ id, declaration }) => id !== undefined && declaration.style === "collection",
    );
    this.ids = Map.groupBy(own, ({ id }) => id!);
  }

  ofType(...types: readonly string[]): T[] {
    return types.flatMap((type) => this.byType.get(type) ?? []);
  }

  /** The object with an id in the account of a provider. */
  byId(id: string, provider?: string): T | undefined {
    return this.ids.get(id)?.findLast((each) => this.isOneAccount(each, { provider }));
  }

  /** The references of an object, in the order of its arguments. */
  references(from: T): readonly Reference<T>[] {
    const found = this.referencesFrom.get(from) ?? this.resolved(from);
    this.referencesFrom.set(from, found);
    return found;
  }

  /** The references to an object; for undefined, the references to objects that the inventory does not contain. */
  referrers(to: T | undefined): readonly Reference<T>[] {
    this.users ??= Map.groupBy(
      [...this.all.values()].flatMap((from) => this.references(from)),
      (reference) => reference.to,
    );
    return this.users.get(to) ?? [];
  }

  /** The references by a known id to an object that the inventory does not contain. */
  dangling(id: string, provider: string | undefined): readonly Reference<T>[] {
    return this.referrers(undefined).filter(
      (each) => each.id === id && this.accounts.mayBeOne(each.from.provider, provider),
    );
  }

  private isOneAccount(a: Pick<InventoryObject, "provider">, b: Pick<InventoryObject, "provider">): boolean {
    return a.provider === b.provider || this.accounts.keyOf(a.provider) === this.accounts.keyOf(b.provider);
  }

  /** An id names an object. Where a preview does not know the id yet, the program's data flow shows the object. */
  private resolved(from: T): Reference<T>[] {
    const slots = idSlots(from.declaration.fields, from.values);
    return [...Map.groupBy(slots, ({ argument }) => argument).values()].flatMap((own) => {
      const known = own.flatMap((slot) => (slot.id === undefined ? [] : this.byKnownId(from, slot, slot.id)));
      const open = own.filter(({ id }) => id === undefined);
      return open.length === 0 ? known : [...known, ...this.byDataFlow(from, open, known)];
    });
  }

  private byKnownId(from: T, slot: IdSlot, id: string): Reference<T>[] {
    const own = this.byId(id, from.provider);
    const others = (this.ids.get(id) ?? []).filter(
      (each) =>
        !this.isOneAccount(each, from) &&
        (this.accounts.mayBeOne(each.provider, from.provider) ||
          this.sourcesOf(from, slot.argument).includes(each)),
    );
    if (!own && others.length > 0) return others.map((to) => ({ ...slot, from, to, isCertain: false }));
    return [own, ...others].map((to) => ({ ...slot, from, to, isCertain: to === own }));
  }

  /**
   * The references of one argument whose ids are not known yet. Each means one of the objects that the argument comes from.
   * If there are several, their order is not known. If the argument has another source too, an id may mean any object.
   */
  private byDataFlow(from: T, open: readonly IdSlot[], known: readonly Reference<T>[]): Reference<T>[] {
    const { argument, prefixes, position, weight, isOff } = open[0]!;
    const referred = new Set(known.map(({ to }) => to));
    const candidates = this.sourcesOf(from, argument).filter(
      (each) => !referred.has(each) && takes(prefixes, each),
    );
    const isMixed = this.hasOtherSources(from, argument, candidates, new Set(known.map(({ id }) => id)));
    const isWhole = open.some((slot) => slot.isWhole);
    const isAlone = open.length === 1 && candidates.length < 2;
    const order = isAlone ? { position, weight, isOff } : { isOff };
    const isCertain =
      !isMixed &&
      open.length === candidates.length &&
      !isWhole &&
      candidates.every((each) => each.id === undefined && this.isOneAccount(each, from));
    const targets: (T | undefined)[] = [...candidates];
    if (isMixed || open.length > candidates.length) targets.push(undefined);
    return targets.map((to) => ({
      ...{ from, to, argument, prefixes, isWhole, id: undefined },
      ...{ isCertain: isCertain && to !== undefined, ...order },
    }));
  }

  /** Whether an argument has a source that is neither a candidate nor the source of one of its known ids. */
  private hasOtherSources(
    from: T,
    argument: string,
    candidates: readonly T[],
    knownIds: ReadonlySet<string | undefined>,
  ): boolean {
    return argumentSources(from, argument).some((urn) => {
      const source = this.all.get(urn);
      if (this.components.has(urn)) return false;
      if (!source || this.ownersOf(source, from).some((each) => candidates.includes(each))) return !source;
      const slots = idSlots(source.declaration.fields, source.values);
      return ![source, ...slots].some(({ id }) => id !== undefined && knownIds.has(id));
    });
  }

  /** The objects that an argument comes from; for a set of rules, its policy, whose id it has. */
  private sourcesOf(from: T, argument: string): T[] {
    const objects = argumentSources(from, argument).flatMap((urn) => this.all.get(urn) ?? []);
    const owners = objects.flatMap((each) => this.ownersOf(each, from));
    return [...new Set(owners)].filter(({ declaration }) => declaration.style === "collection");
  }

  /** The objects whose id a value of an object may be: the object itself, and the policy of a rule; of a set, only the policy. */
  private ownersOf(object: T, from: T): T[] {
    const { declaration } = object;
    if (!declaresRules(declaration) || object === from) return [object];
    const policies = this.references(object).flatMap(({ argument, to }) =>
      argument === "ipPolicyId" && to ? [to] : [],
    );
    return declaration.setOf ? policies : [object, ...policies];
  }
}

/** The URNs of the resources of any package that an argument comes from. The argument may have any name. */
function argumentSources(object: Pick<InventoryObject, "record"> | undefined, argument: string): string[] {
  const flows = object?.record?.propertyDependencies ?? {};
  return Object.hasOwn(flows, argument) ? [...flows[argument]!].sort() : [];
}

function takes(prefixes: readonly string[], { declaration: { idPrefix } }: InventoryObject): boolean {
  return prefixes.length === 0 || (idPrefix !== undefined && prefixes.includes(idPrefix));
}
