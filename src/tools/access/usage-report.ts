/** What clients of logs used, as plain data for JSON and tables. */
import type { Inventory } from "../inventory/inventory";
import { textOf } from "../../schema/formats/time";
import { compareTexts } from "../../schema/text/compare-texts";
import { counted, most3, firstOf } from "../../schema/text/phrase";
import type { LogFile } from "./log-file";
import { clientsText, LogClients } from "./log-clients";
import { isForeign } from "./policies";
import type { PolicyEntry, PolicyRanges } from "./policies";
import { byIdentity, lineText, nameOf, shownIdentity } from "./access-answer";
import type { Semantics } from "./semantics";
import { logUse, neededAt } from "./usage";
import type { Place } from "./place";
import type { PlaceLog, PolicyUse } from "./usage";

type UsageAnswer = ReturnType<typeof usageAnswer>;
type PolicyIdentity = ReturnType<typeof policyIdentity>;
type PolicyUsage = ReturnType<typeof policyUsage>;
type RuleUsage = PolicyUsage["rules"][number];

/** What the clients of logs used at each place. */
export function usageAnswer(
  inventory: Inventory,
  logs: readonly (PlaceLog & LogFile)[],
  semantics: Semantics,
) {
  const use = logUse(inventory, logs, semantics);
  const needed = neededAt(use);
  const resources = use.places.map(({ place, clients, policies }) => ({
    ...shownIdentity(place.on),
    /** Whether IP policies decide. */
    isRestricted: place.access.isRestricted,
    /** All clients of its logs. */
    clients: clients.count(),
    policies: policies.map((each) =>
      policyUsage(each, (entry) => needed(entry).filter((other) => other !== place)),
    ),
  }));
  return {
    logs: logs.map(logSummary),
    semantics,
    resources: byIdentity(resources),
    /** The guarded resources without a log. */
    withoutLog: use.unobserved.map(({ on }) => nameOf(on)).sort(compareTexts),
    /** The policies that guard nothing here. */
    unattached: use.unattached.map(policyIdentity),
  };
}

function policyUsage(
  { policy, isUsed, entries }: PolicyUse,
  elsewhere: (entry: PolicyEntry) => readonly Place[],
) {
  return {
    ...policyIdentity(policy),
    isUsed,
    rules: entries.map(({ entry, covered, used, shadow }) => ({
      ...{ action: entry.action, cidr: entry.cidr, by: nameOf(entry.from), place: lineText(entry.from) },
      use: shadow ? ("shadowed" as const) : used.clients > 0 ? ("used" as const) : ("unused" as const),
      ...{ covered, used, shadowedBy: shadow && ruleText(shadow) },
      /** The other places of the policy where a client used it, or that have no log. */
      neededAt: elsewhere(entry).map(({ on }) => nameOf(on)),
    })),
    /** The resources with ranges that are not known. */
    notKnown: [...new Set(policy.possible.map(({ from }) => nameOf(from)))],
    /** Whether it may have rules that the inventory does not contain. */
    mayHaveOthers: policy.hasOthers,
  };
}

/** The contents of a log, and the time that its lines with an address cover; undefined if no line has a time. */
export function logSummary({ file, resource, log }: PlaceLog & LogFile) {
  const { lines, linesWithAddress, linesWithTime, covers } = log;
  return {
    ...{ file, resource, lines, linesWithAddress, linesWithTime },
    ...LogClients.of([log]).count(),
    ...{ from: covers && textOf(covers.from), until: covers && textOf(covers.until) },
  };
}

/** "clients.log: 3 clients with 5 requests from 2026-11-21T10:11:12Z to 2026-11-23T08:00:00Z" */
export function logText(summary: ReturnType<typeof logSummary>): string {
  const { file, resource, clients, requests, from, until, linesWithTime, linesWithAddress } = summary;
  const what = `${file}${resource === undefined ? "" : ` (${resource})`}: ${clientsText({ clients, requests })}`;
  if (from === undefined) return `${what}; no line has a time that can be read`;
  const missing =
    linesWithTime === linesWithAddress
      ? ""
      : ` (${counted(linesWithTime, "line")} of ${linesWithAddress} have a time)`;
  return `${what} from ${from} to ${until}${missing}`;
}

/** A policy that is managed elsewhere is external: gates that the inventory does not contain may use it. */
function policyIdentity(policy: PolicyRanges) {
  return { name: policy.name, id: policy.policy?.id, isExternal: isForeign(policy) };
}

/** "allow 203.0.113.0/24" */
export function ruleText({ action, cidr }: Pick<PolicyEntry, "action" | "cidr">): string {
  return `${action} ${cidr}`;
}

/** The rows about rules that are unused or shadowed: resource, rule, what declares it, its use, the clients under it. */
export function ruleRows({ resources }: UsageAnswer): string[][] {
  return resources.flatMap(({ type, name, policies }) =>
    policies.flatMap(({ rules }) =>
      rules
        .filter(({ use }) => use !== "used")
        .map((rule) => [
          `${type} ${name}`,
          ruleText(rule),
          rule.place === undefined ? rule.by : `${rule.by} (${rule.place})`,
          useText(rule),
          rule.covered.clients === 0 ? "none" : clientsText(rule.covered),
        ]),
    ),
  );
}

function useText({ use, shadowedBy, covered, neededAt: others }: RuleUsage): string {
  if (use === "shadowed") return `shadowed by ${shadowedBy}`;
  const decided = covered.clients > 0 ? ": other rules decide about its clients" : "";
  const needed = others.length > 0 ? `; needed or without a log at ${firstOf(others, most3, "place")}` : "";
  return `unused${decided}${needed}`;
}

/** The rows about policies that no client used: resource, policy, what is known about it. */
export function policyRows({ resources, unattached }: UsageAnswer): string[][] {
  const rows = resources.flatMap(({ type, name, policies }) =>
    policies
      .filter(({ isUsed }) => isUsed !== true)
      .map((policy) => [`${type} ${name}`, policy.name, policyText(policy)]),
  );
  return [
    ...rows,
    ...unattached.map((policy) => ["", policy.name, `guards nothing here; ${elsewhere(policy)}`]),
  ];
}

function policyText(policy: PolicyUsage): string {
  const { notKnown, mayHaveOthers, isExternal } = policy;
  const gaps = [
    ...(notKnown.length > 0 ? [`ranges of ${firstOf(notKnown, most3)} are not known`] : []),
    ...(mayHaveOthers ? ["it may have other rules"] : []),
    ...(isExternal ? [elsewhere(policy)] : []),
  ];
  return gaps.length === 0 ? "unused" : `no known rule is used; ${gaps.join("; ")}`;
}

function elsewhere({ isExternal }: PolicyIdentity): string {
  return isExternal ? "it is managed elsewhere: other guards may use it" : "a guard elsewhere may use it";
}

/** "TcpEdge database: 1 of 3 rules used, 1 unused, 1 shadowed" */
export function usageTexts({ resources }: UsageAnswer): string[] {
  return resources.map(({ type, name, isRestricted, policies, clients }) => {
    const rules = policies.flatMap((each) => each.rules);
    const count = (use: RuleUsage["use"]): number => rules.filter((rule) => rule.use === use).length;
    const what =
      isRestricted === false
        ? "nothing restricts by address"
        : `${count("used")} of ${counted(rules.length, "rule")} used, ${count("unused")} unused, ${count("shadowed")} shadowed`;
    return `${type} ${name}: ${what}; its logs have ${clientsText(clients)}`;
  });
}
