/** Access to each edge after every write, and the moments when it is wider than before and after all writes. */
import { IPv4, IPv6 } from "ipaddr.js";
import { parseCidr } from "./http/cidr";
import { IP_POLICY_RULES, TCP_EDGES, TLS_EDGES } from "./paths";
import type { Store } from "./store";
import type { AccessGap, AccessMoment, EdgeAccess } from "./types";

interface Rule {
  readonly cidr: string;
  readonly action: "allow" | "deny";
}

/** The objects that decide about access after a write. */
interface Moment {
  readonly request: AccessMoment["request"];
  readonly rules: ReadonlyMap<string, readonly Rule[]>;
  readonly edges: readonly Pick<EdgeAccess, "id" | "restricted" | "policyIds">[];
}

export class AccessHistory {
  private moments: Moment[] = [];

  constructor(private readonly store: Store) {
    this.restart();
  }

  /** Starts with the current account. */
  restart(): void {
    this.moments = [this.now()];
  }

  /** @param request the write; undefined for a seed. */
  note(request?: AccessMoment["request"]): void {
    this.moments.push(this.now(request));
  }

  list(): AccessMoment[] {
    return this.moments.map(({ request, rules, edges }) => ({
      ...(request === undefined ? {} : { request }),
      edges: edges.map((edge) => {
        const guards = edge.restricted ? edge.policyIds.flatMap((id) => rules.get(id) ?? []) : [];
        const ranges = (wanted: Rule["action"]): string[] =>
          guards.filter(({ action }) => action === wanted).map(({ cidr }) => cidr);
        return { ...edge, allowed: ranges("allow"), denied: ranges("deny") };
      }),
    }));
  }

  private now(request?: AccessMoment["request"]): Moment {
    const last = this.moments.at(-1);
    // A write to another collection does not change the rules.
    const isKept = last !== undefined && request !== undefined && !request.path.startsWith("/ip_polic");
    const rules = isKept ? last.rules : this.rules();
    return { request, rules, edges: this.edges() };
  }

  private rules(): Map<string, Rule[]> {
    const rules = new Map<string, Rule[]>();
    for (const { fields } of this.store.all(IP_POLICY_RULES)) {
      const { ip_policy_id: policy, cidr, action } = fields as unknown as { ip_policy_id: string } & Rule;
      const own = rules.get(policy) ?? [];
      rules.set(policy, own);
      const parsed = parseCidr(cidr);
      own.push({ cidr: typeof parsed === "string" ? cidr : parsed.canonical, action });
    }
    return rules;
  }

  private edges(): Moment["edges"] {
    return [TCP_EDGES, TLS_EDGES].flatMap((kind) =>
      this.store.all(kind).map(({ id, fields }) => {
        const module = fields.ip_restriction as { enabled?: boolean; ip_policy_ids?: string[] } | undefined;
        if (module === undefined || module.enabled === false) return { id, restricted: false, policyIds: [] };
        return { id, restricted: true, policyIds: module.ip_policy_ids ?? [] };
      }),
    );
  }
}

/**
 * The moments of a history at which an edge is more open than at both ends of the history, its first and its last moment:
 * an address is allowed that is allowed at neither end, an address is not denied that is denied at both, or a restricted
 * edge has no rule although it has rules at both. An edge that does not exist at an end counts as closed there.
 *
 * An address in an allowed and in a denied range is allowed to one reader of the specification and denied to another, so
 * both readings must hold.
 */
export function accessGaps(history: readonly AccessMoment[]): AccessGap[] {
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return [];
  return history.slice(1, -1).flatMap((moment, i) =>
    moment.edges.flatMap((edge) => {
      const ends = [first, last].map(({ edges }) => edges.find(({ id }) => id === edge.id));
      return gapsOf(edge, ends).map((gap) => ({
        moment: i + 1,
        request: moment.request,
        edge: edge.id,
        ...gap,
      }));
    }),
  );
}

function gapsOf(
  edge: EdgeAccess,
  ends: readonly (EdgeAccess | undefined)[],
): Pick<AccessGap, "problem" | "ranges">[] {
  const [own, before, after] = [edge, ...ends].map((each) =>
    each === undefined ? nobody : addressesOf(each),
  );
  const passing = ({ allowed, denied }: Addresses): Interval[] => without(allowed, denied);
  const allowed = [
    ...without(without(own!.allowed, before!.allowed), after!.allowed),
    ...without(without(passing(own!), passing(before!)), passing(after!)),
  ];
  const denied = without(without(before!.denied, without(before!.denied, after!.denied)), own!.denied);
  const isEmpty = (each: EdgeAccess): boolean =>
    each.restricted && each.allowed.length + each.denied.length === 0;
  const gaps: Pick<AccessGap, "problem" | "ranges">[] = [];
  if (allowed.length > 0) gaps.push({ problem: "allowed", ranges: texts(allowed) });
  if (denied.length > 0) gaps.push({ problem: "not denied", ranges: texts(denied) });
  if (isEmpty(edge) && !ends.some((end) => end !== undefined && isEmpty(end))) {
    gaps.push({ problem: "no rules", ranges: [] });
  }
  return gaps;
}

/** Consecutive addresses, both ends included: those of IPv6 begin after those of IPv4. */
type Interval = readonly [first: bigint, last: bigint];

interface Addresses {
  readonly allowed: Interval[];
  readonly denied: Interval[];
}

const firstV6 = 1n << 32n;
const everything: Interval[] = [
  [0n, firstV6 - 1n],
  [firstV6, firstV6 + (1n << 128n) - 1n],
];
const nobody: Addresses = { allowed: [], denied: everything };

function addressesOf({ restricted, allowed, denied }: EdgeAccess): Addresses {
  if (!restricted) return { allowed: everything, denied: [] };
  return { allowed: merged(allowed.map(intervalOf)), denied: merged(denied.map(intervalOf)) };
}

function intervalOf(cidr: string): Interval {
  const [address, mask] = cidr.split("/") as [string, string];
  const isV6 = address.includes(":");
  const bytes = (isV6 ? IPv6 : IPv4).parse(address).toByteArray();
  const first = BigInt(`0x${Buffer.from(bytes).toString("hex")}`) + (isV6 ? firstV6 : 0n);
  return [first, first + (1n << BigInt(bytes.length * 8 - Number(mask))) - 1n];
}

/** The same addresses as sorted intervals that do not overlap. */
function merged(intervals: readonly Interval[]): Interval[] {
  const sorted = [...intervals].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const found: Interval[] = [];
  for (const [first, last] of sorted) {
    const previous = found.at(-1);
    if (previous === undefined || first > previous[1]) found.push([first, last]);
    else if (last > previous[1]) found[found.length - 1] = [previous[0], last];
  }
  return found;
}

/** The addresses of the intervals that are in none of the others. Both are merged; so is the result. */
function without(intervals: readonly Interval[], others: readonly Interval[]): Interval[] {
  return intervals.flatMap(([first, last]) => {
    const found: Interval[] = [];
    let start = first;
    for (const [from, to] of others) {
      if (to < start || from > last) continue;
      if (from > start) found.push([start, from - 1n]);
      start = to + 1n;
    }
    if (start <= last) found.push([start, last]);
    return found;
  });
}

function texts(intervals: readonly Interval[]): string[] {
  const all = merged(intervals).map(([first, last]) =>
    first === last ? addressOf(first) : `${addressOf(first)} - ${addressOf(last)}`,
  );
  return [...new Set(all)];
}

function addressOf(value: bigint): string {
  const isV6 = value >= firstV6;
  const hex = (isV6 ? value - firstV6 : value).toString(16).padStart(isV6 ? 32 : 8, "0");
  const bytes = [...Buffer.from(hex, "hex")];
  return (isV6 ? new IPv6(bytes) : new IPv4(bytes)).toString();
}
