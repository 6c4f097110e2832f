/** The approval of a plan: the writes of its rehearsal. */
import { rulesBefore, placeholder } from "../rehearsal/recorded-account";
import type { Rehearsal } from "../rehearsal/rehearse";
import type { Preview } from "../inventory/read-preview";
import { hiddenUrl } from "../stack/mask";
import { gapText } from "../rehearsal/planned-steps";
import type { RehearsedRequest } from "../rehearsal/rehearsed-account";
import type { PlannedStep, StepPlan } from "../stack/preview";
import { GatewayError } from "../../provider/errors";
import { nameIn } from "../../provider/urn";
import { version } from "../../provider/version";
import { wireName } from "../../schema/field";
import { counted, listText, quote } from "../../schema/text/phrase";
import { isAbsent, membersOf } from "../../schema/unknown";
import type { Answer } from "../../schema/values";
import { approvalFormat } from "./approval";
import type { Approval, ApprovedStep, ApprovedWrite } from "./approval";
import { stepOrder } from "./step-order";
import { ruleIn, bodyTemplate, pathTemplate } from "./template";
import type { ComputedEnd, RulesByPlaceholder } from "./template";
import { policyOf } from "../../schema/rule-set";

/**
 * The approval of a rehearsed plan. Throws a GatewayError if the deployment may send other writes, because nobody has reviewed
 * those.
 * @param accepted the unknown values that the reviewer accepts, each as `<class> <name>.<argument>`.
 */
export function approvalOf(
  { stackName, unseen, errors }: Pick<Preview, "stackName" | "unseen" | "errors">,
  plan: StepPlan,
  rehearsal: Rehearsal,
  accepted: readonly string[] = [],
): Approval {
  if (errors.length > 0) throw new GatewayError("a preview that failed cannot be approved");
  if (unseen > 0)
    throw new GatewayError("a preview without the unchanged resources cannot be approved: use --show-sames");
  if (!stackName) throw new GatewayError("the preview names no stack, so it cannot be approved");
  const problems = [
    ...rehearsal.incomplete.map(gapText),
    ...refusalsIn(plan, rehearsal),
    ...unknownsIn(plan, rehearsal, accepted),
  ];
  const [problem] = problems;
  if (problem !== undefined) throw new GatewayError(`the deployment cannot be approved: ${problem}`);
  const urls = rehearsal.accounts.map(({ baseUrl }) => baseUrl).filter((url) => url !== hiddenUrl);
  const baseUrls = [...new Set(urls)];
  return { approval: approvalFormat, version, ...stackName, baseUrls, steps: stepsOf(plan, rehearsal) };
}

/** The writes that the service accepts, grouped by step. */
export function stepsOf(
  plan: StepPlan,
  { requests, accounts }: Pick<Rehearsal, "requests" | "accounts">,
): ApprovedStep[] {
  const sent = withoutRepeated(requests.filter(isWrite));
  const bySteps = Map.groupBy(sent, ({ step }) => step);
  const position = new Map([...bySteps.keys()].map((step, i) => [step, i]));
  const order = stepOrder(plan);
  const waitsFor = (step: number): readonly number[] => {
    // The engine also waits over steps that send nothing. A Set iterates over what is added meanwhile too.
    const steps = new Set(order[step]!.after);
    for (const each of steps) if (!bySteps.has(each)) order[each]!.after.forEach((other) => steps.add(other));
    steps.delete(step);
    return [...steps].flatMap((other) => position.get(other) ?? []);
  };
  const made = new Map<string, number>();
  // In the order of the file: the steps in turn, each with all its writes.
  [...bySteps.values()].flat().forEach((request, i) => {
    const { id } = membersOf(request.answer);
    if (request.method === "POST" && typeof id === "string") made.set(id, i);
  });
  const rulesById = new Map(rulesBefore(accounts).map((each) => [String(each.id), each]));
  const rules = rulesByPlaceholder(rulesById);
  return [...bySteps].map(([step, writes]) => {
    const [{ urn, baseUrl }] = writes as [RehearsedRequest];
    const { isLate } = order[step]!;
    const first = writeOrder(writes, rulesById);
    return {
      ...{ urn, ...(baseUrl === hiddenUrl ? {} : { baseUrl }), isLate },
      after: waitsFor(step),
      writes: writes.map(({ method, path, body }, i): ApprovedWrite => ({
        method: method as ApprovedWrite["method"],
        ...pathTemplate(path, made, rules),
        ...bodyTemplate(body, made, computedEnd(plan.steps[step]!)),
        ...(first[i] !== i && { first: first[i] }),
      })),
    };
  });
}

/** The end of a validity that the deployment computes, because the program says how long the object is valid. */
function computedEnd({ after }: PlannedStep): ComputedEnd | undefined {
  if (after?.identity.kind !== "own") return undefined;
  const { fields, validity } = after.identity.declaration;
  const hours = validity && after.inputs[validity.forHours];
  if (typeof hours !== "number" || !isAbsent(after.inputs[validity!.from])) return undefined;
  const { until } = validity!;
  return { at: `/${wireName(until, fields[until]!)}`, hours };
}

function rulesByPlaceholder(rules: ReadonlyMap<string, Answer>): RulesByPlaceholder {
  return new Map(
    [...rules].flatMap(([id, rule]) => (id.startsWith(placeholder) ? [[id, ruleIn(rule)]] : [])),
  );
}

/** How often a step asks again whether a new object is gone depends on the time: one deletion stands for all. */
function withoutRepeated(writes: readonly RehearsedRequest[]): RehearsedRequest[] {
  const keyOf = ({ step, method, path }: RehearsedRequest): string => `${step} ${method} ${path}`;
  const last = new Map(writes.map((write) => [keyOf(write), write]));
  return writes.filter((write) => write.status !== 404 || last.get(keyOf(write)) === write);
}

/** Whether a request changes the account, or finds that the change was already made. */
function isWrite({ method, status }: RehearsedRequest): boolean {
  return method !== "GET" && (status < 400 || (method === "DELETE" && status === 404));
}

function refusalsIn({ steps }: StepPlan, { refusals, undone, notReached }: Rehearsal): string[] {
  const nameOf = (of: string): string => resourceName(steps.findLast(({ urn }) => urn === of)!);
  const others = undone.map(({ urn, message }) => `${nameOf(urn)} would not be as declared: ${message}`);
  const [first] = refusals;
  if (first === undefined) return others;
  const cut =
    notReached.length === 0 ? "" : `, and ${counted(notReached.length, "step")} would not be reached`;
  return [`the service would refuse ${nameOf(first.urn)}: ${first.message}${cut}`, ...others];
}

/** Values that only the deployment knows and that the reviewer has not accepted. */
function unknownsIn({ steps }: StepPlan, { unknowns }: Rehearsal, accepted: readonly string[]): string[] {
  const byUrn = new Map(steps.map((step) => [step.urn, step]));
  const named = unknowns.map(({ urn, argument }) => {
    return { urn, argument, name: `${resourceName(byUrn.get(urn)!)}.${argument}` };
  });
  // A name that several resources have identifies none of them.
  const byName = Map.groupBy(named, ({ name }) => name);
  const isAccepted = ({ urn, argument, name }: (typeof named)[number]): boolean =>
    accepted.includes(`${urn}.${argument}`) || (accepted.includes(name) && byName.get(name)!.length === 1);
  const open = new Set(named.filter((each) => !isAccepted(each)).map(({ name }) => name));
  if (open.size === 0) return [];
  return [
    `only the deployment knows ${listText([...open].map(quote), "value")}. Deploy what it comes from first, write the value ` +
      "into the program, or accept any value with --accept-unknown",
  ];
}

function resourceName({ urn, before, after }: PlannedStep): string {
  const { type = "", identity } = after ?? before ?? {};
  return `${identity?.kind === "own" ? identity.declaration.type : type} ${nameIn(urn, type)}`;
}

type Write = Pick<RehearsedRequest, "method" | "changes">;

const rules = "ip_policy_rules";

/**
 * For each write of a step, how many writes of the step come first. A resource sends one write after the other, but a set sends
 * rules of one kind at once: those that it creates, changes, replaces or deletes, with one action.
 * @param rulesBefore the rules before the deployment, by id.
 */
function writeOrder(writes: readonly Write[], rulesBefore: ReadonlyMap<string, Answer>): number[] {
  // The rules are not copied: a plan may have a step for each of thousands.
  const known = new Map<string, Answer>();
  const changed = writes.map(({ method, changes }) => {
    const change = changes.find(({ list }) => list === rules);
    if (change === undefined) return undefined;
    const { id, object = known.get(id) ?? rulesBefore.get(id) } = change;
    if (object === undefined) return undefined;
    known.set(id, object);
    return { method, action: object.action, place: `${String(policyOf(object))} ${String(object.cidr)}` };
  });
  const actionAt = new Map(
    changed.flatMap((each) => (each?.method === "POST" ? [[each.place, each.action]] : [])),
  );
  const gone = new Set(changed.flatMap((each) => (each?.method === "DELETE" ? [each.place] : [])));
  const kindOf = (each: (typeof changed)[number], i: number): string => {
    if (each === undefined) return `write ${i}`;
    const { method, action, place } = each;
    if (method === "PATCH") return method;
    if (gone.has(place) && actionAt.has(place)) return `replace ${String(actionAt.get(place))}`;
    return `${method} ${String(action)}`;
  };
  const kinds = changed.map(kindOf);
  let first = 0;
  return kinds.map((kind, i) => {
    if (kind !== kinds[i - 1]) first = i;
    return first;
  });
}
