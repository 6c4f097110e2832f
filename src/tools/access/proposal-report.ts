/** Proposed lists as plain data for JSON and sentences. */
import { cidrOf } from "../../schema/addresses/address-set";
import { paragraph, section } from "../output/document";
import type { DocumentBlock } from "../output/document";
import { textOf } from "../../schema/formats/time";
import { counted, most3, firstOf, most20 } from "../../schema/text/phrase";
import { addressText, clientsText } from "./log-clients";
import { rangeList, rangesText } from "./range-text";
import { nameOf, shownIdentity } from "./access-answer";
import type { Proposal } from "./proposal";
import { ruleText } from "./usage-report";

type ProposalAnswer = ReturnType<typeof proposalAnswer>;

/** The text of a list as a statement of the program, or why there is none. */
interface StatementAnswer {
  readonly statement: string | undefined;
  readonly noStatement: string | undefined;
}

export function proposalAnswer(proposal: Proposal, statement: StatementAnswer) {
  const { places, unobserved, replaced, ranges, staying, observed, extra, lost, rare } = proposal;
  const { others, problem } = proposal;
  const most = rare.all.toSorted((a, b) => b.requests - a.requests).slice(0, most20);
  const listed = most.map((client) => ({ address: addressText(client), requests: client.requests }));
  return {
    resources: places.map(({ on }) => shownIdentity(on)),
    withoutLog: unobserved.map(({ on }) => nameOf(on)),
    policies: replaced.map(({ name }) => name),
    allow: ranges.map(cidrOf),
    staying: staying.map(({ action, cidr, end }) => {
      const until = end === undefined ? undefined : textOf(end);
      return { action, cidr, until };
    }),
    observed: observed.count(),
    extra: rangeList(extra),
    /** The list has the rare clients with the most requests; the counts are of all. */
    cutOff: { addresses: rangeList(lost), rareClients: { ...rare.count(), listed } },
    ...{ others, problem, ...statement },
  };
}

/** The name of the resources, for a title. */
export function proposalTitle({ resources, policies }: ProposalAnswer): string {
  const names = firstOf(
    resources.map(({ type, name }) => `${type} ${name}`),
    most3,
    "resource",
  );
  const of = policies.length === 0 ? "" : ` (IpPolicy ${firstOf(policies, most3, "policy")})`;
  return `${names}${of}`;
}

export function proposalBlock(answer: ProposalAnswer): DocumentBlock {
  const { allow, problem } = answer;
  if (problem !== undefined) return section(proposalTitle(answer), [paragraph(`no proposal: ${problem}`)]);
  const ranges = allow.map((text) => ({ text }));
  return section(proposalTitle(answer), [
    paragraph(`allow ${counted(allow.length, "range")}`),
    { kind: "list", items: ranges, noun: "range" },
    ...proposalTexts(answer).map((text) => paragraph(text)),
  ]);
}

function proposalTexts(answer: ProposalAnswer): string[] {
  const { observed, extra, cutOff, staying, others, withoutLog, noStatement } = answer;
  const { addresses, rareClients } = cutOff;
  const { listed, clients } = rareClients;
  const rare = listed.map(({ address, requests }) => `${address} (${counted(requests, "request")})`);
  const stay = staying.map(
    (rule) => `${ruleText(rule)}${rule.until === undefined ? "" : ` until ${rule.until}`}`,
  );
  return [
    `lets in ${clientsText(observed)}${extra.cidrs.length === 0 ? ", and nobody else" : `, and beside them ${rangesText(extra)}`}`,
    ...(stay.length > 0 ? [`these rules stay: ${firstOf(stay, most3, "rule")}`] : []),
    `removes access from ${rangesText(addresses)}`,
    ...(clients > 0
      ? [`cuts off ${clientsText(rareClients)}: ${firstOf(rare, most20, "client", clients)}`]
      : []),
    ...Object.entries(others).map(
      ([verdict, count]) => `leaves out ${clientsText(count)} whose verdict today is ${verdict}`,
    ),
    ...withoutLog.map(
      (name) => `${name} has the same policies and no log: what its clients need is not known`,
    ),
    ...(noStatement === undefined ? [] : [`no statement: ${noStatement}`]),
  ];
}
