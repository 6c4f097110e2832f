/** The smallest list of ranges that lets the clients of logs in, and no address that does not get in today. */
import { AddressSet, cidrOf } from "../../schema/addresses/address-set";
import { widths } from "../../schema/addresses/block";
import type { Block, Family } from "../../schema/addresses/block";
import { fewRanges } from "./few-ranges";
import type { Inventory } from "../inventory/inventory";
import { counted } from "../../schema/text/phrase";
import { Access, verdicts } from "./verdicts";
import type { Verdict } from "./verdicts";
import type { KeepAccess } from "./kept-access";
import type { ClientCount, LogClients } from "./log-clients";
import { isLasting, reachOf, withRanges } from "./policies";
import type { PolicyEntry, PolicyRanges } from "./policies";
import type { Semantics } from "./semantics";
import { policyPlaces } from "./place";
import type { Place } from "./place";
import { clientsByPlace } from "./usage";
import type { PlaceLog } from "./usage";

export interface ProposalBounds {
  /** The most ranges. Default: no limit, so that the list lets in no other address. */
  readonly maxRules?: number;
  /** The shortest prefix of a range, by family. */
  readonly minPrefix: Readonly<Record<Family, number>>;
  /** A client with fewer requests is not observed. */
  readonly atLeast: number;
  /** Ranges that keep their access, by name. */
  readonly keepAccess: KeepAccess;
}

/** The ranges that places with the same policies could allow. */
export type Proposal = ReturnType<typeof proposals>[number];

/** A proposal for each guarded place that has a log. Places with the same policies have one together. */
export function proposals(
  inventory: Inventory,
  logs: readonly PlaceLog[],
  bounds: ProposalBounds,
  semantics: Semantics,
) {
  const clientsAt = clientsByPlace(logs);
  // Places that nothing restricts have no common policies.
  const groups = Map.groupBy(policyPlaces(inventory, semantics), (place) =>
    place.access.isRestricted === false ? place : place.access,
  );
  return [...groups.values()].flatMap((places) => {
    const clients = clientsAt(places.map(({ on }) => on));
    if (!clients) return [];
    // Those without a log.
    const unobserved = places.filter(({ on }) => !clientsAt([on]));
    return [{ places, unobserved, ...proposalAt(places[0]!, clients, bounds) }];
  });
}

function proposalAt({ on, access }: Place, clients: LogClients, bounds: ProposalBounds) {
  const { letsIn } = access;
  // A range has no end, so it must not let in what today's rules let in only until some time.
  const lastingRanges = letsIn.intersection(access.withRules(isLasting).letsIn);
  const inside = clients.inside(letsIn);
  // The clients that get in today and have enough requests.
  const observed = inside.where(({ requests }) => requests >= bounds.atLeast);
  // The policies whose allow rules without an end become the ranges.
  const replaced = access.policies.filter((policy) => isReplaced(policy, access.semantics));
  // A range allows the IPv4 addresses that it embeds too, even if only another policy denies them.
  const mayAllow = (block: Block): boolean =>
    lastingRanges.contains(block) &&
    (replaced.length < 2 || reachOf("allow", block).every((each) => letsIn.contains(each)));
  const kept = letsIn.intersection(AddressSet.ofRanges(Object.values(bounds.keepAccess).flat()));
  const found = rangesFor(
    observed.inside(lastingRanges),
    kept.intersection(lastingRanges),
    bounds,
    access.semantics,
    mayAllow,
  );
  const list = ("problem" in found ? [] : found.ranges).map((block): PolicyEntry => ({
    ...{ action: "allow", cidr: cidrOf(block), block, from: on },
  }));
  const next = accessWith(access, replaced, list).letsIn;
  const needed = AddressSet.ofBlocks(observed.all.map(({ block }) => block));
  const [cutOff] = needed.union(kept).difference(next).blocks();
  const problem =
    "problem" in found
      ? found.problem
      : cutOff && `${several}, and ${cidrOf(cutOff)} would lose access before its rule ends: ${join}`;
  const ranges = problem === undefined ? list.map(({ block }) => block) : [];
  // The addresses that get in today, and would not any more.
  const lost = problem === undefined ? letsIn.difference(next) : AddressSet.empty;
  // The clients that may not get in today.
  const counts = verdicts.map(
    (verdict) => [verdict, clients.inside(access.byVerdict[verdict]).count()] as const,
  );
  const others = counts.filter(([verdict, count]) => !getsIn.includes(verdict) && count.clients > 0);
  return {
    ...{ access, replaced, observed, ranges, lost, problem },
    staying: replaced.flatMap((policy) => stayingIn(policy, list)),
    /** The other addresses that the ranges let in. */
    extra: AddressSet.ofBlocks(ranges).difference(needed),
    rare: inside.inside(lost),
    others: Object.fromEntries(others) as Readonly<Partial<Record<Verdict, ClientCount>>>,
  };
}

const several = "several policies decide together";
const join = "join them first";

/** The rules of a policy that stay beside a list: those that deny, and those that end, unless their range is in the list. */
function stayingIn({ entries }: PolicyRanges, list: readonly PolicyEntry[]): PolicyEntry[] {
  const listed = new Set(list.map(({ cidr }) => cidr));
  return entries.filter(
    (entry) => (entry.action === "deny" || !isLasting(entry)) && !listed.has(cidrOf(entry.block)),
  );
}

const newPolicy: PolicyRanges = {
  ...{ key: "", name: "", policy: undefined, hasOthers: false, isEmpty: false },
  ...{ entries: [], possible: [], unknown: [], allowed: AddressSet.empty, denied: AddressSet.empty },
};

/** Who gets in with a list instead of the lasting allow rules. If there are none yet, the list is a new policy. */
function accessWith(access: Access, replaced: readonly PolicyRanges[], list: readonly PolicyEntry[]): Access {
  const { policies, semantics, beside } = access;
  const changed = policies.map((policy) =>
    replaced.includes(policy)
      ? { ...withRanges(policy, [...stayingIn(policy, list), ...list]), isEmpty: false }
      : policy,
  );
  const more = replaced.length === 0 ? [withRanges(newPolicy, list)] : [];
  return new Access(true, [...changed, ...more], semantics, beside);
}

const getsIn: readonly Verdict[] = ["allowed", "open"];

/** Whether a policy lets addresses in without an end: by an allow rule, or because it has no rules. */
function isReplaced({ entries, isEmpty }: PolicyRanges, { empty }: Semantics): boolean {
  return (
    entries.some((entry) => entry.action === "allow" && isLasting(entry)) ||
    (isEmpty === true && empty === "open")
  );
}

type Found = { readonly ranges: readonly Block[] } | { readonly problem: string };

/** The ranges that keep their access, as they are, and the fewest ranges around the other clients. */
function rangesFor(
  clients: LogClients,
  kept: AddressSet,
  { maxRules = Infinity, minPrefix }: ProposalBounds,
  semantics: Semantics,
  mayAllow: (block: Block) => boolean,
): Found {
  if (semantics.unmatched === "allowed")
    return {
      problem: "a list of allowed ranges keeps nobody out where the setting semantics.unmatched is allowed",
    };
  const own = kept.blocks();
  const blocks = clients.outside(kept).all.map(({ block }) => block);
  if (blocks.length + own.length === 0)
    return {
      problem: "no client of its logs certainly gets in today, and an empty list may let everybody in",
    };
  const embedding = [...own, ...blocks].find((block) => !mayAllow(block));
  if (embedding)
    return {
      problem: `${cidrOf(embedding)} embeds IPv4 addresses that do not get in today, and ${several}: ${join}`,
    };
  const isFree = (block: Block): boolean =>
    block.last - block.first < 1n << BigInt(widths[block.family] - minPrefix[block.family]) &&
    mayAllow(block);
  const found = fewRanges(blocks, maxRules - own.length, isFree);
  if ("ranges" in found) return { ranges: [...own, ...found.ranges] };
  const needed = counted(found.needed + own.length, "rule");
  return {
    problem:
      `${needed} are needed, and --max-rules is ${maxRules}: allow more rules or wider ranges (--min-prefix4, --min-prefix6), ` +
      "or leave out clients with few requests (--at-least)",
  };
}
