/** What a deployment sends, found by running its plan on a copy of the account. */
import { writeMethods } from "../approval/approval";
import type { Rehearsal } from "../rehearsal/rehearse";
import { placeholder } from "../rehearsal/recorded-account";
import { counted, inDigits } from "../../schema/text/phrase";
import { asText, membersOf } from "../../schema/unknown";

/** The usual rate limit of services of this kind, in requests per minute. */
export const usualRateLimit = 120;

export interface Cost {
  /** Reads and writes. */
  readonly requests: number;
  /** The number of writes with each method. */
  readonly writes: Readonly<Record<string, number>>;
  readonly requestsPerMinute: number;
  /** The shortest time that the rate limit allows, in seconds, without the time of the answers. */
  readonly seconds: number;
  /** Whether the deployment may send more, because not all of it could be run. */
  readonly isLowerBound: boolean;
  /** The lists of the account that the copy contains. Everything else in it comes from the state. */
  readonly lists: readonly string[];
}

export function costOf(
  {
    requests,
    incomplete,
    refusals,
    lists,
  }: Pick<Rehearsal, "requests" | "incomplete" | "refusals" | "lists">,
  requestsPerMinute: number = usualRateLimit,
): Cost {
  // The requests of one window may be sent at once; each further window begins a minute later.
  const windows = Math.max(0, Math.ceil(requests.length / requestsPerMinute) - 1);
  return {
    requests: requests.length,
    writes: countsOf((wanted) => requests.filter(({ method }) => method === wanted).length),
    ...{ requestsPerMinute, seconds: windows * 60 },
    isLowerBound: incomplete.length + refusals.length > 0,
    lists,
  };
}

/** The counts that are not 0, in one order: that of the plan varies. */
function countsOf(count: (method: string) => number): Cost["writes"] {
  return Object.fromEntries(
    writeMethods.map((method) => [method, count(method)] as const).filter(([, length]) => length > 0),
  );
}

/** "12 requests (2 GET, 8 POST, 2 DELETE)", or "at least …" if not all of the plan could be run. */
export function requestsText({ requests, writes, isLowerBound }: Cost): string {
  const reads = requests - totalOf(writes);
  const methods = methodsText(reads === 0 ? writes : { GET: reads, ...writes });
  return `${isLowerBound ? "at least " : ""}${counted(requests, "request")}${methods}`;
}

/** "10 writes (8 POST, 2 DELETE)". */
export function writesText({ writes }: Pick<Cost, "writes">): string {
  return `${counted(totalOf(writes), "write")}${methodsText(writes)}`;
}

function totalOf(counts: Cost["writes"]): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** " (8 POST, 2 DELETE)"; empty without requests. */
function methodsText(counts: Cost["writes"]): string {
  const parts = Object.entries(counts).map(([method, count]) => `${inDigits(count)} ${method}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** The writes of each resource by its URN, as "PATCH /ip_policies/ipp_1 and 2 other writes". */
export function writesByUrn(requests: Rehearsal["requests"]): ReadonlyMap<string, string> {
  const made = new Set(
    requests.flatMap(({ method, answer }) => (method === "POST" ? (asText(membersOf(answer).id) ?? []) : [])),
  );
  const shown = (part: string): string => (made.has(part) || part.startsWith(placeholder) ? "{id}" : part);
  const byUrn = Map.groupBy(requests.filter(isWrite), ({ urn }) => urn);
  return new Map(
    [...byUrn].map(([urn, [first, ...others]]) => {
      const more = others.length === 0 ? "" : ` and ${counted(others.length, "other write")}`;
      return [urn, `${first!.method} ${first!.path.split("/").map(shown).join("/")}${more}`];
    }),
  );
}

function isWrite({ method }: Rehearsal["requests"][number]): boolean {
  return method !== "GET";
}

/** What several deployments send together. */
export function costOfAll(all: readonly (Cost | undefined)[]): Cost | undefined {
  const costs = all.flatMap((cost) => cost ?? []);
  const [first] = costs;
  if (first === undefined) return undefined;
  return {
    requests: costs.reduce((sum, { requests }) => sum + requests, 0),
    writes: countsOf((method) => costs.reduce((sum, { writes }) => sum + (writes[method] ?? 0), 0)),
    requestsPerMinute: first.requestsPerMinute,
    // Each stack has the rate limit of its own account.
    seconds: costs.reduce((longest, { seconds }) => Math.max(longest, seconds), 0),
    isLowerBound: costs.length < all.length || costs.some(({ isLowerBound }) => isLowerBound),
    lists: [...new Set(costs.flatMap((cost) => cost.lists))],
  };
}
