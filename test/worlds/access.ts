/** Who gets in while a command runs: the promise of docs/reliability.md, where none of its exceptions applies. */
import { accessGaps, type AccessMoment, type Snapshot } from "../../src/emulator";
import type { State } from "./agreement";

/** What a command began or ended with. */
export interface End {
  readonly account: Snapshot;
  readonly state: State;
}

export interface AccessOutcome {
  /** How many edges the promise was checked at. */
  readonly edges: number;
  readonly problems: readonly string[];
}

/** @param history the moments of the command, with the one before it. */
export function accessOf(history: readonly AccessMoment[], before: End, after: End): AccessOutcome {
  if (history.length < 3) return { edges: 0, problems: [] };
  const [first, last] = [history[0]!, history.at(-1)!];
  const ids = new Set(
    [...first.edges, ...last.edges].filter(({ restricted }) => restricted).map(({ id }) => id),
  );
  const policiesAt = (moment: AccessMoment, edge: string): readonly string[] =>
    moment.edges.find(({ id }) => id === edge)?.policyIds ?? [];
  const checked = new Set(
    [...ids].filter((id) => {
      const [old, now] = [policiesAt(first, id), policiesAt(last, id)];
      return old.length + now.length > 0 && !isExcepted(old, now, before, after);
    }),
  );
  if (checked.size === 0) return { edges: 0, problems: [] };
  const own = history.map((moment) => ({
    ...moment,
    edges: moment.edges.filter(({ id }) => checked.has(id)),
  }));
  const problems = accessGaps(own).map(
    ({ edge, problem, ranges, request }) =>
      `${edge}: ${problem} ${ranges.join(", ")} after ${request?.method} ${request?.path}`,
  );
  return { edges: checked.size, problems };
}

/** Whether the page names an exception for an edge that used these policies and uses those. */
function isExcepted(old: readonly string[], now: readonly string[], before: End, after: End): boolean {
  const changed = [...new Set([...old, ...now])].filter((id) => isChanging(id, now, before, after));
  const isListSame = old.length === now.length && old.every((id) => now.includes(id));
  if (changed.length === 0) return false;
  if (changed.length > 1 || !isListSame) return true;
  const [id] = changed as [string];
  // Single rules change side by side.
  if (!isOfSet(id, before) || !isOfSet(id, after)) return true;
  // An address has no halves that could stand in.
  const [was, is] = [rulesOf(id, before), rulesOf(id, after)];
  return was.length === 1 && is.length === 1 && /\/(32|128)"/.test(was[0]!);
}

/** What is new is made before edges use it, and what is deleted with its policy goes after them. */
function isChanging(id: string, now: readonly string[], before: End, after: End): boolean {
  const isIn = ({ account }: End) => (account.ip_policies ?? []).some((policy) => policy.id === id);
  if (!isIn(before)) return false;
  if (!isIn(after) && !now.includes(id)) return false;
  return rulesOf(id, before).join() !== rulesOf(id, after).join();
}

const isOfSet = (id: string, { state }: End): boolean =>
  state.entries.some(
    (each) => each.type === "IpPolicyRuleSet" && each.id === id && each.outputs.exclusive !== false,
  );

function rulesOf(policy: string, { account }: End): string[] {
  return (account.ip_policy_rules ?? [])
    .filter((rule) => (rule.ip_policy as { id: string }).id === policy)
    .map(({ cidr, action }) => JSON.stringify({ cidr, action }))
    .sort();
}
