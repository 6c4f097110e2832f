/**
 * The rules that stand for the entries of a summarized set.
 *
 * At every time the rules that allow cover the addresses of the entries that allow, and no others; so do the rules that
 * deny. A rule with a description or metadata covers only addresses of entries that have both, and all of these: what the
 * program says of an address stays true and is not lost. A rule with neither says nothing, so it may cover any address of
 * its action. An entry that ends is summarized with others only as far as its end changes no rule of theirs.
 */
import { AddressSet, cidrOf } from "../../schema/addresses/address-set";
import { blockOf, nested, sizeOf } from "../../schema/addresses/block";
import type { Block } from "../../schema/addresses/block";
import { endsWithin, fewestCovers } from "../../schema/addresses/cover";
import type { Cover, Share } from "../../schema/addresses/cover";
import type { RuleValues } from "../../schema/rule-set";

/** A rule with its addresses. */
interface RuleBlock {
  readonly rule: RuleValues;
  readonly block: Block;
}

/** An entry of the program. */
interface Entry extends RuleBlock {
  /** When it ends, in milliseconds since 1970; Infinity if it does not. */
  readonly until: number;
}

/** What a set's summary is made of. */
interface SummarizedEntries {
  /** The rules of the program's entries, by canonical range. */
  readonly rules: ReadonlyMap<string, RuleValues>;
  /** When entries end, in milliseconds since 1970, by canonical range. */
  readonly ends: ReadonlyMap<string, number>;
  /** How many percent more rules than the fewest the policy may hold, so that a change sends fewer requests. */
  readonly extraRulesPercent: number;
}

/** What the policy holds, and how much of it the set may count on and remove. */
interface HeldRules {
  readonly rules: readonly RuleValues[];
  /** Whether the set may count on the rule. Other sets and resources may remove theirs. */
  readonly isOwn: (rule: RuleValues) => boolean;
  /** Whether a preview could show the removal of the rule. */
  readonly isKnown: (rule: RuleValues) => boolean;
}

/**
 * The rules that the policy is to hold, by range. Held rules that say nothing wrong stay, and the fewest new ones cover the
 * rest. If that makes too many rules, they are the fewest.
 */
export function summaryOf(
  { rules, ends, extraRulesPercent }: SummarizedEntries,
  held: HeldRules,
): ReadonlyMap<string, RuleValues> {
  const summary = new Summary(withBlocks(rules.values(), ends));
  // Each entry has a range of its own, so a rule for each is always possible.
  const joined = summary.with([]);
  const fewest = joined && joined.size < rules.size ? joined : rules;
  const isOwn = (rule: RuleValues): boolean => held.isOwn(rule) || isSame(fewest.get(rule.cidr), rule);
  const own = held.rules.filter(isOwn);
  if (own.length === 0) return fewest;
  const nearest = summary.with(own);
  if (nearest && nearest.size <= fewest.size * (1 + extraRulesPercent / 100)) return nearest;
  const unseen = own.filter((rule) => !held.isKnown(rule));
  return (unseen.length > 0 ? summary.with(unseen) : undefined) ?? fewest;
}

/**
 * The entries that the rules of a policy stand for, and as entries the rules that stand for none: drift. Both cover the same
 * addresses as the rules.
 */
export function entriesFor(
  rules: ReadonlyMap<string, RuleValues>,
  held: readonly RuleValues[],
): Map<string, RuleValues> {
  const program = new Groups(withBlocks(rules.values()));
  const standing = new Groups(withBlocks(held.filter((rule) => program.hold(rule))));
  const present = [...rules.values()].filter((rule) => standing.hold(rule));
  const shown = new Groups(withBlocks(present));
  const others = held.filter((rule) => !shown.hold(rule));
  return new Map([...present, ...others].map((rule) => [rule.cidr, rule]));
}

/** Whether a rule may stand for the entries, by its range, action and text. */
export function isStandingFor(rules: ReadonlyMap<string, RuleValues>): (rule: RuleValues) => boolean {
  const groups = new Groups(withBlocks(rules.values()));
  return (rule) => groups.hold(rule);
}

function withBlocks(rules: Iterable<RuleValues>, ends?: ReadonlyMap<string, number>): Entry[] {
  return [...rules].flatMap((rule) => {
    const block = blockOf(rule.cidr);
    return block ? [{ rule, block, until: ends?.get(rule.cidr) ?? Infinity }] : [];
  });
}

/** Whether the rule says nothing about its addresses but the action. */
function isPlain({ description, metadata }: RuleValues): boolean {
  return description === "" && metadata === "";
}

/** What rules must have in common to be summarized. */
function labelOf({ action, description, metadata }: RuleValues): string {
  return JSON.stringify([action, description, metadata]);
}

function isSame(one: RuleValues | undefined, other: RuleValues): boolean {
  return one !== undefined && labelOf(one) === labelOf(other);
}

/** Rules by what they say of their addresses. */
class Groups {
  readonly byLabel: ReadonlyMap<string, readonly Entry[]>;
  readonly byAction: ReadonlyMap<string, readonly Entry[]>;
  private readonly sets = new Map<readonly Entry[], AddressSet>();
  private readonly ends = new Map<readonly Entry[], (block: Block) => number>();

  constructor(entries: readonly Entry[]) {
    this.byLabel = Map.groupBy(entries, ({ rule }) => labelOf(rule));
    this.byAction = Map.groupBy(entries, ({ rule }) => rule.action);
  }

  /** Whether the entries say of all addresses of the rule what it says. */
  hold(rule: RuleValues): boolean {
    const [group, block] = [this.groupOf(rule), blockOf(rule.cidr)];
    if (!group || !block) return false;
    let set = this.sets.get(group);
    if (!set) {
      set = AddressSet.ofBlocks(group.map((each) => each.block));
      this.sets.set(group, set);
    }
    return set.contains(block);
  }

  /** When the group stops saying of all addresses of the rule what the rule says. */
  endOf({ rule, block }: RuleBlock): number {
    const group = this.groupOf(rule)!;
    let endIn = this.ends.get(group);
    if (!endIn) {
      const isLasting = group.every(({ until }) => until === Infinity);
      endIn = isLasting ? () => Infinity : endsWithin(group);
      this.ends.set(group, endIn);
    }
    return endIn(block);
  }

  /** The entries that may say what the rule says. */
  private groupOf(rule: RuleValues): readonly Entry[] | undefined {
    return isPlain(rule) ? this.byAction.get(rule.action) : this.byLabel.get(labelOf(rule));
  }
}

/** How many held rules may give up the range of a single address that another rule needs. */
const mostGivenUp = 16;

interface LabelledCover {
  readonly label: string;
  readonly cover: Cover;
}

/**
 * Gives each cover a range that no other one has, for as many covers as possible: each range, the narrowest first, goes to
 * the cover whose widest choice is the smallest.
 */
function withOwnRanges(covers: ReadonlyMap<string, readonly Cover[]>): {
  placed: ReadonlyMap<string, string>;
  left: readonly LabelledCover[];
} {
  const all = [...covers].flatMap(([label, own]) => own.map((cover): LabelledCover => ({ label, cover })));
  const narrowest = new Map(all.map(({ label, cover }) => [cidrOf(cover.block), label]));
  if (narrowest.size === all.length) return { placed: narrowest, left: [] };
  const takers = Map.groupBy(
    all.flatMap((taker) => taker.cover.choices.map((choice) => ({ taker, choice }))),
    ({ choice }) => cidrOf(choice),
  );
  const ranges = [...takers].sort(([, [a]], [, [b]]) => Number(sizeOf(a!.choice) - sizeOf(b!.choice)));
  const [placed, left] = [new Map<string, string>(), new Set(all)];
  for (const [range, those] of ranges) {
    const open = those.map(({ taker }) => taker).filter((taker) => left.has(taker));
    const [first] = open.sort((a, b) => Number(widestOf(a) - widestOf(b)));
    if (!first) continue;
    placed.set(range, first.label);
    left.delete(first);
  }
  return { placed, left: [...left] };
}

function widestOf({ cover: { choices } }: LabelledCover): bigint {
  return sizeOf(choices.at(-1)!);
}

class Summary {
  readonly groups: Groups;

  constructor(private readonly entries: readonly Entry[]) {
    this.groups = new Groups(entries);
  }

  /** Held rules that say nothing wrong, and the fewest new ones; undefined if the held ones leave no range for one. */
  with(held: readonly RuleValues[]): Map<string, RuleValues> | undefined {
    const kept = new Map(this.keptBlocks(held).map((each) => [each.rule.cidr, each]));
    for (let i = 0; i < mostGivenUp; i += 1) {
      const found = this.beside([...kept.values()]);
      if (typeof found !== "string") return found;
      if (!kept.delete(found)) return undefined;
    }
    return undefined;
  }

  /** The kept rules and the fewest new ones; the range of an address that a kept rule must give up, if there are none. */
  private beside(kept: readonly RuleBlock[]): Map<string, RuleValues> | string {
    const found = new Map(kept.map(({ rule }) => [rule.cidr, rule]));
    const keptByLabel = Map.groupBy(kept, ({ rule }) => labelOf(rule));
    const covers = new Map<string, readonly Cover[]>();
    // By label: the ranges that rules with other labels take.
    const taken = new Map([...this.groups.byLabel.keys()].map((label) => [label, new Set<string>()]));
    for (let open = new Set(taken.keys()); ;) {
      for (const label of open) {
        const next = this.coversOf(
          label,
          keptByLabel.get(label) ?? [],
          (range) => !found.has(range) && !taken.get(label)!.has(range),
        );
        if (typeof next === "string") return next;
        covers.set(label, next);
      }
      const { placed, left } = withOwnRanges(covers);
      if (left.length > 0) {
        for (const { label, cover } of left)
          for (const choice of cover.choices) taken.get(label)!.add(cidrOf(choice));
        open = new Set(left.map(({ label }) => label));
        continue;
      }
      for (const [cidr, label] of placed)
        found.set(cidr, { ...this.groups.byLabel.get(label)![0]!.rule, cidr });
      return found;
    }
  }

  /** The fewest covers for a label beside kept rules; the range of an address if none is left for it. */
  private coversOf(
    label: string,
    kept: readonly RuleBlock[],
    isLeft: (range: string) => boolean,
  ): readonly Cover[] | string {
    const entries = this.groups.byLabel.get(label)!;
    const stays = kept.map((each): Share => ({ block: each.block, coveredUntil: this.groups.endOf(each) }));
    let address = "";
    const isFree = (block: Block): boolean => {
      const range = cidrOf(block);
      if (block.first === block.last) address = range;
      return isLeft(range);
    };
    return fewestCovers([...this.sharesOf(entries[0]!.rule, entries), ...stays], isFree) ?? address;
  }

  /** What the covers must contain and may contain: a plain rule may include addresses that others cover. */
  private sharesOf(rule: RuleValues, entries: readonly Entry[]): Share[] {
    if (!isPlain(rule)) return [...entries];
    return this.groups.byAction
      .get(rule.action)!
      .map(({ rule: other, block, until }) =>
        isPlain(other) ? { block, until } : { block, until, coveredUntil: until },
      );
  }

  /**
   * The held rules that say nothing wrong, and those that need only another text: a change of the text is one request, as
   * the removal is.
   */
  private keptBlocks(held: readonly RuleValues[]): RuleBlock[] {
    const [right, wrong] = [new Map<string, RuleValues>(), [] as RuleValues[]];
    for (const rule of held) {
      if (this.groups.hold(rule) && !right.has(rule.cidr)) right.set(rule.cidr, rule);
      else wrong.push(rule);
    }
    const covered = new Groups(withBlocks(right.values()));
    const kept = [
      ...right.values(),
      ...this.relabelled(
        wrong.filter(({ cidr }) => !right.has(cidr)),
        covered,
      ),
    ];
    return withBlocks(kept);
  }

  /** The rules with the text of the entry around their first address, if it is true of all their addresses. */
  private relabelled(rules: readonly RuleValues[], covered: Groups): RuleValues[] {
    if (rules.length === 0) return [];
    const entries = Map.groupBy(this.entries, ({ rule }) => rule.action);
    return [...Map.groupBy(rules, ({ action }) => action)].flatMap(([action, own]) => {
      const first = Map.groupBy(withBlocks(own), ({ block: { family, first } }) => `${family} ${first}`);
      const starts = [...first.values()].map((group) => ({
        group,
        block: { ...group[0]!.block, last: group[0]!.block.first },
      }));
      const items: { block: Block; group?: readonly RuleBlock[]; rule?: RuleValues }[] = [
        ...(entries.get(action) ?? []),
        ...starts,
      ];
      return nested(items, ({ block }) => block).flatMap(({ inner, outer }) =>
        (inner.group ?? []).flatMap(({ rule }) => {
          const next = { ...outer.rule!, cidr: rule.cidr };
          return this.groups.hold(next) && !covered.hold(next) ? [next] : [];
        }),
      );
    });
  }
}
