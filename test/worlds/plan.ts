/** What the simulation does, made from a seed alone: worlds, each a list of programs with what disturbs the way to each. */
import * as fc from "../support/fast-check";
import type { FaultRule } from "../../src/emulator";
import type { Declaration } from "../../src/schema/declaration";
import { declarationOf, declarations } from "../../src/resources/registry";
import { isRecord, itemsOf, membersOf } from "../../src/schema/unknown";
import { checkArguments } from "../../src/schema/validate";
import { argumentsOf, isAccepted, type Json } from "../provider/life-cycle/properties/arbitraries";
import type { WorldResource } from "../rounds/world";
import { Chance } from "./chance";
import { outsideIds, withDistinctSecrets, withReferences, withUniqueValues } from "./values";

/** One deployment: the program that it brings about, and what happens before and meanwhile. */
export interface Round {
  readonly program: readonly WorldResource[];
  /** How many hours pass before it; the simulation alone lets them pass. */
  readonly hours?: number;
  /** What somebody else does in the account before. */
  readonly byHand: readonly ByHand[];
  readonly command: "up" | "up --refresh" | "refresh, then up" | "destroy";
  /** What the service does wrong meanwhile. */
  readonly faults: readonly FaultRule[];
  /** Which process dies, and after how many writes. */
  readonly kill?: { readonly victim: Victim; readonly afterWrites: number } | undefined;
  /** Whether the package logs its requests. */
  readonly logs: boolean;
  /** Before, the change is deployed without a look at what was changed by hand. */
  readonly isBlindFirst?: boolean;
  /** Before, the service refuses every write of this change, and the program is taken back. */
  readonly isRefusedFirst?: boolean;
  /** Before, others make something that the change would meet, and the change is tried without a refresh. */
  readonly surprise?: Surprise | undefined;
  /** The program of another stack of the account, which is deployed at the same time. */
  readonly beside?: readonly WorldResource[] | undefined;
  /** Before, the change is deployed for these resources alone. */
  readonly targetsFirst?: readonly string[] | undefined;
  /** Before, the change is tried while all resources are protected: nothing is deleted. */
  readonly isProtectedFirst?: boolean;
  /** Whether the program before is deployed after it, whatever became of it. */
  readonly isTakenBack?: boolean;
  /** Answers of creates that come before their work is done; the simulation alone has them. */
  readonly late?: Late | undefined;
}

/** What no preview showed, so that the change must leave it as it is and fail. */
export type Surprise =
  | { readonly kind: "rule"; readonly name: string; readonly range: string }
  | { readonly kind: "module"; readonly name: string; readonly args: Json };

/** Each of the first creates at these paths is answered 504, and done so much later. */
export interface Late {
  readonly paths: readonly string[];
  readonly times: number;
  readonly milliseconds: number;
}

type Victim = "the CLI" | "the plugin" | "the CLI and its plugin";

export type ByHand =
  | { readonly kind: "delete"; readonly name: string }
  /** The object gets these arguments, as far as an update can send them. */
  | { readonly kind: "change"; readonly name: string; readonly args: Json }
  /** An object that is not the stack's. */
  | { readonly kind: "make"; readonly type: string; readonly args: Json }
  /** A rule in the policy of an exclusive set, which removes it. */
  | { readonly kind: "intrude"; readonly name: string; readonly range: string };

export interface World {
  readonly seed: number;
  readonly number: number;
  /** Whether the stack has the setting `stampMetadata`. */
  readonly stamps: boolean;
  readonly rounds: readonly Round[];
  /** How far the service's clock is ahead of those of the processes, in milliseconds; the simulation alone has it. */
  readonly ahead?: number;
  /** More objects that stand in the account: their ids. */
  readonly also?: readonly string[];
}

/** The world of this number; the same for the same seed, but for keys and certificates, which each process makes anew. */
export function worldOf(seed: number, number: number): World {
  const chance = chanceOf(seed, number);
  const stamps = chance.below(2) === 0;
  const ahead = clocksAhead[number % clocksAhead.length]!;
  return { seed, number, stamps, ahead, rounds: new Builder(chance, seed).rounds() };
}

/**
 * The same; one program in seven also marks secrets that no declaration does, and one in five meets what was changed by hand without
 * a refresh first. A rehearsal could compare neither.
 */
export function worldForSimulation(seed: number, number: number): World {
  const world = worldOf(seed, number);
  const rounds = world.rounds.map((round): Round => {
    const kinds = round.byHand.map(({ kind }) => kind);
    // A set that leaves the program leaves the rules that others made meanwhile.
    const isBlind = (kinds.includes("delete") || kinds.includes("change")) && !kinds.includes("intrude");
    return number % 5 === 2 && isBlind ? { ...round, isBlindFirst: true } : round;
  });
  return { ...world, rounds: number % 7 === 0 ? rounds.map(withHidden) : rounds };
}

/** How a text begins that the program marks as a secret, and no declaration does. */
export const hidden = "HIDDEN-";

/** The round with some descriptions and metadata as secrets of the program, those of entries among them. */
function withHidden(round: Round): Round {
  const hide = (value: unknown, name?: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => hide(item));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hide(item, key)]));
    const isText = typeof value === "string" && value !== "" && !value.startsWith("@");
    return isText && (name === "description" || name === "metadata") ? (hidden + value).slice(0, 255) : value;
  };
  const program = round.program.map((each) =>
    each.type !== accessList && /[02468]$/.test(each.name)
      ? { ...each, args: hide(each.args) as Json }
      : each,
  );
  // A log of requests shows what only the program marks.
  return { ...round, program, logs: false };
}

/** By less than an hour: a certificate may be valid for one by the clock of the program. */
const clocksAhead = [0, 20_000, -20_000, 0, 2_400_000, -2_400_000];

/** A world that begins with these resources. */
export function worldFrom(drafts: readonly Draft[], seed: number, number: number): World {
  const chance = chanceOf(seed, number);
  const stamps = chance.below(2) === 0;
  // What a resource refers to stays in the account where the program loses the resource that was meant.
  const also = [...new Set(drafts.flatMap(({ refs }) => Object.keys(refs)))];
  return { seed, number, stamps, rounds: new Builder(chance, seed, drafts).rounds(), also };
}

/** Random arguments of the class, with what no two objects may share made from the count. */
export function placeholders(type: string, seed: number, count: number): Json {
  const args = withUniqueValues(type, sampleOf(type, seed, count % variety), count);
  return withDistinctSecrets(declarationOf(type).fields, args, count);
}

/**
 * A small world of this number: two rounds that nothing disturbs, the second of which changes a few resources. The same
 * seed gives the same world.
 */
export function smallWorldOf(seed: number, number: number): World {
  const chance = chanceOf(seed, number);
  const stamps = chance.below(2) === 0;
  return { seed, number, stamps, rounds: new Builder(chance, seed).smallRounds() };
}

/**
 * A world of one class: a resource and what it needs, then a change of it that is taken back. The numbers from 1 on go through
 * the classes, first with changes that replace the object, where there are any, and then with others. Those of which no two
 * objects may be at one place come first.
 */
export function wayBackWorldOf(seed: number, number: number): World {
  const chance = chanceOf(seed, number);
  const type = inPlacesFirst[(number - 1) % classes.length]!;
  const replaces = Math.floor((number - 1) / classes.length) % 2 === 0;
  const rounds = new Builder(chance, seed).wayBack(type, replaces);
  return { seed, number, stamps: chance.below(2) === 0, rounds };
}

const chanceOf = (seed: number, number: number) => new Chance(seed * 100_003 + number);

/** The resources that a program declares at most; many small worlds find more than few large ones. */
const mostResources = [3, 6, 14];

/** The component, which has no declaration. */
export const accessList = "IpAccessList";

const classes = [...declarations.map(({ type }) => type), accessList];

/** Of some classes no two objects may be at one place: at their path, or with the same unique arguments. */
const placeRankOf = (type: string): number => {
  if (type === accessList) return 0;
  const { path, unique } = declarationOf(type);
  return path.includes("{") ? 2 : unique ? 1 : 0;
};
const inPlacesFirst = [...classes].sort((a, b) => placeRankOf(b) - placeRankOf(a));
/** Of how many classes no two objects may be at one place. */
export const classesWithPlace = classes.filter((type) => placeRankOf(type) > 0).length;

/** Referenced ones first, as a program must declare them. */
const referenced = [
  ...["IpPolicy", "BotUser", "TunnelGroupBackend", "HttpResponseBackend"],
  ...["EventDestination", "EventSubscription"],
];
/** They may refer to the policies of sets and lists, too, which manage their rules alone. */
export const guarded = ["TcpEdge", "TlsEdgeIpRestriction"];
const rankOf = (type: string) =>
  referenced.includes(type) ? referenced.indexOf(type) : referenced.length + (guarded.includes(type) ? 1 : 0);

const faultKinds: readonly Omit<FaultRule, "probability" | "seed" | "times">[] = [
  { kind: "status", status: 500 },
  { kind: "status", status: 503 },
  { kind: "status", status: 502, afterWork: true },
  { kind: "status", status: 429, retryAfter: 0 },
  { kind: "status", status: 429, retryAfter: 1 },
  { kind: "html", status: 502 },
  { kind: "html", status: 504, afterWork: true },
  { kind: "html", status: 404 },
  { kind: "dropBefore" },
  { kind: "dropAfter" },
  { kind: "hang", delayMs: 50, afterWork: true },
  { kind: "hang" },
  { kind: "hang", afterWork: true },
  { kind: "truncate" },
  { kind: "garbage" },
  { kind: "garbage", body: "<html></html>" },
  { kind: "slow", delayMs: 50 },
];

/** It ends with the command: everything is tried until the package gives up. */
const outage: FaultRule = { kind: "status", status: 503, probability: 1, seed: 1, times: 2_000 };

/** One create of several equal ones gets no answer, and the others have theirs when the account was searched for it. */
const crowdFaults: readonly FaultRule[] = [
  { kind: "dropBefore", method: "POST", probability: 1, seed: 1, times: 1 },
  { kind: "slow", delayMs: 3_000, method: "POST", probability: 1, seed: 1, times: 6 },
];

/** How many arguments of a class there are for a seed, before they are mixed; making them takes long. */
const variety = 256;

const samples = new Map<string, Json>();

/** The arguments of the class with this number, which refer to objects outside of the program. */
function sampleOf(type: string, seed: number, index: number): Json {
  const key = `${type} ${seed} ${index}`;
  let sample = samples.get(key);
  if (sample === undefined) {
    sample = fc.sample(anyArguments(type), { seed: seed * 100_003 + index, numRuns: 1 })[0]!;
    samples.set(key, sample);
  }
  return sample;
}

const arbitraries = new Map<string, fc.Arbitrary<Json>>();

function anyArguments(type: string): fc.Arbitrary<Json> {
  let known = arbitraries.get(type);
  if (known === undefined) {
    known =
      type === accessList
        ? accessLists
        : argumentsOf(declarationOf(type)).filter((args) => isAccepted(type, args) && isPassedOn(args));
    arbitraries.set(type, known);
  }
  return known;
}

/** Pulumi drops the key, and the classes say so. */
const isPassedOn = (args: Json) => !JSON.stringify(args).includes('"__proto__":');

const range = fc
  .tuple(fc.nat(255), fc.nat(255))
  .map(([a, b]) => (b % 3 === 0 ? `2001:db8:${a.toString(16)}::/48` : `10.${a}.${b}.0/24`));
const entry = fc.oneof(
  range,
  fc.record({ cidr: range, description: fc.string({ maxLength: 12 }) }, { requiredKeys: ["cidr"] }),
);
const accessLists: fc.Arbitrary<Json> = fc
  .tuple(
    fc.uniqueArray(entry, {
      maxLength: 6,
      selector: (each) => (typeof each === "string" ? each : each.cidr),
    }),
    fc.nat(6),
    fc.record(
      {
        description: fc.string({ maxLength: 12 }),
        summarize: fc.boolean(),
        extraRulesPercent: fc.constantFrom(0, 25, 1000),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([ranges, allowed, others]) => ({
    ...others,
    allow: ranges.slice(0, allowed),
    deny: ranges.slice(allowed),
  }));

/** A resource as the builder keeps it: its arguments refer to outside objects, `refs` puts others in their place. */
export interface Draft {
  readonly name: string;
  readonly type: string;
  readonly args: Json;
  /** For an outside object's id the name of the resource that takes its place. */
  readonly refs: Readonly<Record<string, string>>;
  /** The resource that it goes with. */
  readonly owner?: string | undefined;
  /** Whether it has an explicit provider, which has a plugin of its own. */
  readonly isExplicit?: boolean;
}

class Builder {
  private drafts: Draft[] = [];
  private besides: readonly WorldResource[] = [];
  private count = 0;

  private readonly most: number;

  constructor(
    private readonly random: Chance,
    private readonly seed: number,
    first: readonly Draft[] = [],
  ) {
    this.drafts = [...first];
    this.count = first.length;
    this.most = Math.max(this.pick(mostResources), first.length + 2);
  }

  rounds(): Round[] {
    const count = this.between(3, 6);
    return Array.from({ length: count }, (_, i) => this.round(i, i === count - 1));
  }

  smallRounds(): Round[] {
    for (let i = this.between(1, 4); i > 0; i--) this.add();
    const first = this.undisturbed("up");
    const edits = [() => this.add(), () => this.change(), () => this.remove(), () => this.addPair()];
    for (let i = this.between(1, 4); i > 0; i--) if (this.drafts.length > 0) this.pick(edits)();
    return [first, this.undisturbed(this.pick(["up", "up", "up --refresh"]))];
  }

  wayBack(type: string, replaces: boolean): Round[] {
    this.add(type);
    const draft = this.drafts.find((each) => each.type === type)!;
    // A set manages the rules of its policy alone, so another one waits for it.
    const other = { name: "other-policy", type: "IpPolicy", args: {}, refs: {} };
    const isMoved = replaces && draft.owner !== undefined;
    if (isMoved) this.drafts.push(other);
    const first = this.undisturbed("up");
    if (isMoved) {
      const refs = { ipp_one: other.name, ipp_two: other.name };
      this.drafts = this.drafts.map((each) => (each === draft ? { ...each, refs } : each));
    }
    const before = JSON.stringify(first.program);
    for (let attempt = 0; attempt < 8 && JSON.stringify(this.program()) === before; attempt++)
      this.change(draft, replaces && attempt === 0);
    return [first, { ...this.undisturbed("up"), isTakenBack: true }];
  }

  private undisturbed(command: Round["command"]): Round {
    return { program: this.program(), byHand: [], command, faults: [], logs: false };
  }

  private round(index: number, isLast: boolean): Round {
    const before = this.program();
    const known = new Set(this.drafts.map(({ name }) => name));
    const changes = index > 0 && this.chance(45) ? this.byHand(before) : [];
    if (isLast) this.drafts = [];
    else this.edit(index);
    const isDisturbed = this.chance(75);
    const kills = isDisturbed && this.chance(40);
    const isCrowded = isDisturbed && !kills && !isLast && this.chance(10);
    if (isCrowded) this.addCrowd();
    const surprise =
      index > 0 && !isCrowded && !isLast && changes.length === 0 && this.chance(20)
        ? this.surprise(before)
        : undefined;
    // After a kill, an object that equals one of the program cannot be distinguished from what the killed process made.
    const twins = kills || this.chance(70) ? [] : this.twins(known);
    const random = isDisturbed && (!kills || this.chance(30)) ? this.faults() : [];
    const faults = isCrowded ? crowdFaults : random;
    const late = isDisturbed && !kills && !isCrowded && this.chance(25) ? this.late(before) : undefined;
    // A fault would disturb both stacks.
    const isAlone = faults.length > 0 || late !== undefined || surprise !== undefined;
    const hasBeside = !isAlone && this.chance(30);
    if (hasBeside) this.editBeside(kills ? new Set() : known);
    const isFirst = index > 0 && changes.length === 0 && surprise === undefined;
    return {
      program: this.program(),
      byHand: [...changes, ...twins],
      command:
        isLast && !kills && this.chance(60)
          ? "destroy"
          : this.command(changes.length > 0 || surprise !== undefined),
      faults,
      kill: kills
        ? {
            victim: this.pick<Victim>(["the CLI", "the plugin", "the CLI and its plugin"]),
            afterWrites: this.between(1, 5),
          }
        : undefined,
      logs: this.chance(30),
      isRefusedFirst: isFirst && this.chance(15),
      targetsFirst: isFirst && !isLast && this.chance(15) ? this.targets(before) : undefined,
      isProtectedFirst: isFirst && this.chance(10),
      surprise,
      beside: hasBeside ? this.besides : undefined,
      late,
    };
  }

  /**
   * Resources that exist and refer to none that does not. A replacement may need others than the targets, which Pulumi
   * refuses, so nothing else refers to them.
   */
  private targets(before: readonly WorldResource[]): string[] | undefined {
    const names = before.map(({ name }) => name);
    const program = this.program();
    const own = program.filter(
      ({ name, type, args }) =>
        type !== accessList &&
        names.includes(name) &&
        referencesIn(args).every((each) => names.includes(each)),
    );
    const free = own.filter(({ name }) =>
      [...before, ...program].every(({ args }) => !referencesIn(args).includes(name)),
    );
    return free.length > 0 ? [this.pick(free).name] : undefined;
  }

  /**
   * Changes the program of the other stack. It has what stands by itself, new objects of the first program among it, each
   * of which must be made once for each of both stacks.
   * @param known the resources that the first stack has already. Empty where its processes are killed: an equal object of
   * another stack cannot be distinguished from what they made.
   */
  private editBeside(known: ReadonlySet<string>): void {
    const equal = this.drafts.filter(
      ({ name, type, refs }) =>
        known.size > 0 && !known.has(name) && twinTypes.includes(type) && Object.keys(refs).length === 0,
    );
    const kept = this.besides.filter(() => this.chance(70));
    const more = equal.map(({ type, args }) => ({ type, args }));
    for (let i = this.between(0, 2); i > 0; i--) {
      const type = this.pick([...twinTypes, accessList]);
      more.push({ type, args: this.arguments(type) });
    }
    const named = more.map(({ type, args }) => ({
      name: `b${this.nextCount()}`,
      type,
      args: withReferences(args, {}) as Json,
    }));
    this.besides = [...kept, ...named].slice(-4);
  }

  /** A rule in the policy of a set that stays, or a module at the place of a new one. */
  private surprise(before: readonly WorldResource[]): Surprise | undefined {
    const known = new Set(before.map(({ name }) => name));
    const sets = this.drafts.filter(({ name, type, args }) => known.has(name) && isExclusive(type, args));
    const modules = this.drafts.filter(
      ({ name, type }) => !known.has(name) && declarationsByType.get(type)?.style === "singleton",
    );
    const draft = [...sets, ...modules].length > 0 ? this.pick([...sets, ...modules]) : undefined;
    if (draft === undefined) return undefined;
    const { name, type, args } = draft;
    if (isExclusive(type, args)) return { kind: "rule", name, range: this.intruderRange() };
    const { edgeId, routeId } = args;
    const place = routeId === undefined ? { edgeId } : { edgeId, routeId };
    return { kind: "module", name, args: { ...this.arguments(type), ...place } };
  }

  /**
   * A later object is not found by the second look, so the create is repeated: what the account may hold once only is
   * recognized by the conflict, and of all else there would be two. A stand-in for a rule is gone when its work is done, so
   * a later one is in nobody's way.
   */
  private late(before: readonly WorldResource[]): Late {
    const isUnique = this.chance(50);
    const times = this.between(1, 3);
    const milliseconds = isUnique ? this.between(100, 12_000) : this.between(100, mostLate);
    const isMeant = (path: string) =>
      path !== "/ip_policy_rules" || milliseconds <= mostLate || !mayStandIn(before, this.program());
    return { paths: (isUnique ? uniquePaths : anyPaths).filter(isMeant), times, milliseconds };
  }

  /** What was changed by hand needs a refresh. */
  private command(needsRefresh: boolean): Round["command"] {
    const refreshing = ["up --refresh", "refresh, then up"] as const;
    return this.pick(needsRefresh ? refreshing : ["up", "up", "up", ...refreshing]);
  }

  /** Foreign objects that equal new ones of the program, and may not be taken for them when an answer is lost. */
  private twins(known: ReadonlySet<string>): ByHand[] {
    return this.drafts
      .filter(
        ({ name, type, refs }) =>
          !known.has(name) && twinTypes.includes(type) && Object.keys(refs).length === 0,
      )
      .map(({ type, args }) => ({ kind: "make", type, args }));
  }

  private edit(index: number): void {
    const first = [Math.min(4, this.most), Math.min(10, this.most)] as const;
    for (let i = index === 0 ? this.between(...first) : this.between(0, 4); i > 0; i--) this.add();
    if (index === 0) return;
    for (let i = this.between(0, 5); i > 0 && this.drafts.length > 0; i--) this.change();
    for (let i = this.between(0, 3); i > 0 && this.drafts.length > 0; i--) this.remove();
  }

  private add(given?: string): void {
    if (this.drafts.length >= this.most) return;
    const twin = given === undefined && this.chance(15) ? this.twinOf(this.drafts) : undefined;
    const type = given ?? twin?.type ?? this.pick(classes);
    const name = `r${this.nextCount()}`;
    if (twin) return void this.drafts.push({ ...twin, name });
    // No other set or rule may manage the rules of a set's policy.
    if (declarationsByType.get(type)?.style === "ruleSet") {
      const policy = `${name}-policy`;
      const refs = { ipp_one: policy, ipp_two: policy };
      this.drafts.push({
        name: policy,
        type: "IpPolicy",
        args: this.arguments("IpPolicy"),
        refs: {},
        owner: name,
      });
      this.drafts.push({ name, type, args: this.arguments(type), refs, owner: policy });
      return;
    }
    const isExplicit = "description" in (declarationsByType.get(type)?.fields ?? {}) && this.chance(10);
    const args = (isExplicit ? undefined : this.equalArguments(type)) ?? this.arguments(type);
    if (isExplicit) {
      // What another plugin process has just made, equal to a lost create of this one, cannot be distinguished from it.
      const draft = { name, type, args: { ...args, description: `explicit ${name}` }, refs: {}, isExplicit };
      this.drafts.push(this.withRefs(draft));
      return;
    }
    this.drafts.push(this.withRefs({ name, type, args, refs: {} }));
  }

  /** New resources with the same arguments. */
  private addCrowd(): void {
    const type = this.pick(twinTypes);
    const args = this.arguments(type);
    for (let i = 0; i < 3; i++) this.drafts.push({ name: `r${this.nextCount()}`, type, args, refs: {} });
  }

  /** Two new resources, of which one has an argument less: what the other makes fits both. */
  private addPair(): void {
    const type = this.pick(twinTypes);
    const draft = { name: `r${this.nextCount()}`, type, args: this.arguments(type), refs: {} };
    const twin = { ...this.twinOf([draft])!, name: `r${this.nextCount()}` };
    this.drafts.push(draft, twin);
  }

  /** What is equal to one of the resources, or as good as: without one of its arguments. */
  private twinOf(drafts: readonly Draft[]): Draft | undefined {
    const own = drafts.filter(({ type, isExplicit }) => !isExplicit && twinTypes.includes(type));
    if (own.length === 0) return undefined;
    const twin = this.pick(own);
    const names = Object.keys(twin.args);
    if (names.length === 0 || this.chance(40)) return twin;
    const { [this.pick(names)]: _, ...args } = twin.args;
    return isValid(declarationOf(twin.type), args) ? { ...twin, args } : twin;
  }

  /** Now and then those of another resource of the program, where an account may have two equal objects. */
  private equalArguments(type: string): Json | undefined {
    const equal = this.drafts.filter(
      (each) => each.type === type && twinTypes.includes(type) && !each.isExplicit,
    );
    return equal.length > 0 && this.chance(30) ? this.pick(equal).args : undefined;
  }

  /** @param replaces whether each argument changes that replaces the object. */
  private change(draft = this.pick(this.drafts), replaces = false): void {
    const changed = replaces ? this.replaced(draft) : this.changed(draft);
    const args = draft.isExplicit ? { ...changed, description: draft.args.description } : changed;
    this.drafts = this.drafts.map((each) => (each === draft ? this.withRefs({ ...draft, args }) : each));
  }

  private remove(): void {
    const { name, owner } = this.pick(this.drafts);
    this.drafts = this.drafts
      .filter((each) => each.name !== name && each.name !== owner)
      .map((each) => {
        const kept = Object.entries(each.refs).filter(([, target]) => target !== name && target !== owner);
        return { ...each, refs: Object.fromEntries(kept) };
      });
  }

  /** Each argument as it is or another value. */
  private changed({ type, args }: Draft): Json {
    const other = this.arguments(type);
    const declaration = declarationsByType.get(type);
    if (declaration === undefined) return this.chance(30) ? other : this.withChangedLists(args);
    if (declaration.style === "ruleSet" && this.chance(70))
      return { ...args, rules: this.withChangedEntries(args.rules as Json) };
    for (let attempt = 0; attempt < 5; attempt++) {
      const names = [...new Set([...Object.keys(args), ...Object.keys(other)])];
      const kept = names.map((name) => [name, this.chance(60) ? args[name] : other[name]]);
      const mixed = Object.fromEntries(kept.filter(([, value]) => value !== undefined)) as Json;
      // A subscription either lists its sources or leaves them to resources of their own.
      if (type === "EventSubscription" && "sources" in mixed !== "sources" in args) continue;
      if (isValid(declaration, mixed)) return mixed;
    }
    return args;
  }

  private replaced({ type, args }: Draft): Json {
    const declaration = declarationsByType.get(type);
    const other = this.arguments(type);
    const names = Object.entries(declaration?.fields ?? {}).flatMap(([name, { traits }]) =>
      traits.replace && name in other ? [name] : [],
    );
    const changed = { ...args, ...Object.fromEntries(names.map((name) => [name, other[name]])) };
    return declaration && isValid(declaration, changed) ? changed : this.changed({ type, args } as Draft);
  }

  /** Some of the rules with another action or description, or without a rule. */
  private withChangedEntries(rules: Json): Json {
    const changed = Object.entries(rules).flatMap(([range, rule]): [string, unknown][] => {
      const { action, ...rest } = (typeof rule === "string" ? { action: rule } : rule) as Json;
      const what = this.between(1, 10);
      if (what === 1) return [];
      if (what === 2) return [[range, { ...rest, action: action === "allow" ? "deny" : "allow" }]];
      if (what === 3) return [[range, { ...rest, action, description: `entry ${this.nextCount()}` }]];
      return [[range, rule]];
    });
    return Object.fromEntries(changed);
  }

  /** Some of the ranges in the other list, with another description, or in none. */
  private withChangedLists({ allow, deny, ...rest }: Json): Json {
    const lists = { allow: [] as unknown[], deny: [] as unknown[] };
    for (const [list, entries] of Object.entries({ allow, deny }) as ["allow" | "deny", unknown[]][])
      for (const entry of entries) {
        const what = this.between(1, 10);
        const range = typeof entry === "string" ? entry : (entry as Json).cidr;
        if (what === 2) lists[list === "allow" ? "deny" : "allow"].push(entry);
        else if (what === 3) lists[list].push({ cidr: range, description: `entry ${this.nextCount()}` });
        else if (what > 1) lists[list].push(entry);
      }
    return { ...rest, ...lists };
  }

  private nextCount(): number {
    return (this.count += 1);
  }

  private arguments(type: string): Json {
    const args = sampleOf(type, this.seed, this.between(0, variety - 1));
    const count = this.nextCount();
    const declaration = declarationsByType.get(type);
    if (declaration === undefined) return args;
    return withDistinctSecrets(declaration.fields, withUniqueValues(type, args, count), count);
  }

  /** Lets resources of the program take the places of outside objects. */
  private withRefs(draft: Draft): Draft {
    if (draft.owner !== undefined) return draft;
    const refs = { ...draft.refs };
    for (const { id, type } of outsideIds) {
      if (id in refs || !this.chance(70)) continue;
      const targets = this.drafts.filter(
        (each) =>
          (each.type === type || (type === "IpPolicy" && each.type === accessList)) &&
          // Any text may be an outside id, a description too, and the program declares each resource after its references.
          rankOf(each.type) < rankOf(draft.type) &&
          (each.owner === undefined || guarded.includes(draft.type)) &&
          !Object.values(refs).includes(each.name) &&
          (draft.type !== "EventSource" || !("sources" in each.args)),
      );
      if (targets.length > 0) refs[id] = this.pick(targets).name;
    }
    return { ...draft, refs };
  }

  private byHand(program: readonly WorldResource[]): ByHand[] {
    const own = program.filter(({ type }) => type !== accessList);
    const sets = program.filter(({ type, args }) => isExclusive(type, args));
    return Array.from({ length: this.between(1, 3) }, (): ByHand => {
      const kind = this.pick<ByHand["kind"]>(["delete", "change", "change", "make", "intrude"]);
      if (kind === "intrude" && sets.length > 0) {
        return { kind, name: this.pick(sets).name, range: this.intruderRange() };
      }
      if (kind === "make" || own.length === 0) {
        const type = this.pick(collections);
        return { kind: "make", type, args: this.arguments(type) };
      }
      const { name, type } = this.pick(own);
      return kind === "change" ? { kind, name, args: this.arguments(type) } : { kind: "delete", name };
    });
  }

  /** A range that no program has. */
  private intruderRange(): string {
    return `192.168.${this.nextCount() % 256}.0/24`;
  }

  private faults(): FaultRule[] {
    if (this.chance(5)) return [outage];
    return Array.from({ length: this.between(2, 4) }, () => {
      const rule = this.pick(faultKinds);
      const method = this.pick(["GET", "POST", "POST", "PUT", "PATCH", "DELETE", undefined, undefined]);
      // An answer that cannot be read is asked for a few times only, because it seldom gets better. A proxy that does not
      // know the service answers all requests in the same way.
      const times = rule.kind === "garbage" ? 1 : this.between(1, rule.status === 404 ? 8 : 5);
      const strike = { probability: this.pick([0.2, 0.5, 1]), seed: this.between(1, 10_000), times };
      return { ...rule, ...(method === undefined ? {} : { method }), ...strike };
    });
  }

  private program(): WorldResource[] {
    const sorted = [...this.drafts].sort((a, b) => rankOf(a.type) - rankOf(b.type));
    return sorted.map(({ name, type, args, refs, isExplicit }) => ({
      name,
      type,
      args: withReferences(args, refs) as Json,
      ...(isExplicit ? { opts: { provider: "explicit" } } : {}),
    }));
  }

  private between(min: number, max: number): number {
    return min + this.random.below(max - min + 1);
  }

  private chance(percent: number): boolean {
    return this.between(1, 100) <= percent;
  }

  private pick<T>(values: readonly T[]): T {
    return values[this.between(0, values.length - 1)]!;
  }
}

const declarationsByType: ReadonlyMap<string, Declaration> = new Map(
  declarations.map((declaration) => [declaration.type, declaration]),
);

/** The classes whose objects stand by themselves. */
const collections = declarations.filter(({ style }) => style === "collection").map(({ type }) => type);

/** Those of which an account may have two equal ones. */
const twinTypes = declarations
  .filter(({ style, unique }) => style === "collection" && unique === undefined)
  .map(({ type }) => type);

/** Collections whose objects have something that no other one may have: an equal create is a conflict. */
const uniquePaths = declarations
  .filter(({ style, unique }) => style === "collection" && unique !== undefined)
  .map(({ path }) => path);
const anyPaths = collections.map((type) => declarationOf(type).path);

/** The names of the resources that a value refers to. */
export function referencesIn(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("@") ? [value.slice(1)] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [...referencesIn(key), ...referencesIn(item)]);
}

/** The number of a set's or a list's ranges. */
/** The longest time in milliseconds after its answer in which a create is done before the second look. */
const mostLate = 1_500;

/** Whether an action changes, so that another rule may have to stand in for that of the range. */
function mayStandIn(before: readonly WorldResource[], program: readonly WorldResource[]): boolean {
  const actions = new Map(before.map(({ name, args }) => [name, actionsIn(args)]));
  return program.some(({ name, args }) => {
    const old = actions.get(name);
    return [...actionsIn(args)].some(([range, action]) => (old?.get(range) ?? action) !== action);
  });
}

/** The actions of the entries of a set or a list, by what stands for the range. */
function actionsIn({ rules, allow, deny }: Json): Map<string, unknown> {
  const ofSet = Object.entries(membersOf(rules)).map(([range, entry]) => {
    return [range, typeof entry === "string" ? entry : membersOf(entry).action] as const;
  });
  const ofLists = Object.entries({ allow, deny }).flatMap(([action, list]) =>
    itemsOf(list).map((each) => [String(isRecord(each) ? each.cidr : each), action] as const),
  );
  return new Map<string, unknown>([...ofSet, ...ofLists]);
}

function isExclusive(type: string, args: Json): boolean {
  return type === accessList || (type === "IpPolicyRuleSet" && args.exclusive !== false);
}

export function isValid({ type, fields, rules }: Declaration, args: Json): boolean {
  return (
    checkArguments(fields, rules, args, { olds: {}, now: Date.now() }).length === 0 && isAccepted(type, args)
  );
}

/** What a round may have that meets other requests with another order of steps, or fails; and that it has none of it. */
const calm = {
  faults: [],
  kill: undefined,
  late: undefined,
  beside: undefined,
  surprise: undefined,
  isRefusedFirst: false,
  isProtectedFirst: false,
} satisfies Partial<Round>;

/** Whether the order of steps decides what a round does. */
export function isDisturbed(round: Round): boolean {
  const { faults: _, ...others } = calm;
  const names = Object.keys(others) as (keyof typeof others)[];
  return round.faults.length > 0 || names.some((name) => Boolean(round[name]));
}

/** Without what the order of steps decides; and without the other stack, which the real engine has not. */
export function undisturbed(world: World): World {
  return { ...world, ahead: 0, rounds: world.rounds.map((round) => ({ ...round, ...calm })) };
}
