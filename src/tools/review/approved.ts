/** Compares a preview with an approval: whatever nobody approved is an error, and what is done already a note. */
import { withoutHidden } from "../../schema/recorded-state";
import { isDeepStrictEqual } from "node:util";
import { AddressSet } from "../../schema/addresses/address-set";
import { semanticsNames } from "../access/semantics";
import { rangeList, rangesText } from "../access/range-text";
import { GatewayError } from "../../provider/errors";
import { idArguments } from "../../schema/references";
import type { Json } from "../../schema/json";
import { isRecord, isUnknown, keysOfBoth } from "../../schema/unknown";
import { isRegistered, leftOf, registrationProblems } from "./approved-registrations";
import { argumentSources } from "../inventory/inventory";
import { nameIn, stackLabel } from "../../provider/urn";
import type { World, Step, ResourceChange } from "../inventory/world";
import { past } from "../stack/preview";
import { counted, shortened } from "../../schema/text/phrase";
import { version } from "../../provider/version";
import { accessOf, changedProviders, semanticsOf, stepOf } from "./approval";
import type { AccessItem, PlainAccess } from "./access/access-report";
import type { Approval, ApprovedStep } from "./approval";
import type { ReviewedChange, Review } from "./review";
import type { Finding } from "./rule";
import { approvalRule } from "./rules";

interface Compared {
  readonly approved: ReadonlyMap<string, ApprovedStep>;
  readonly current: ReadonlyMap<string, ReviewedChange>;
  readonly preview: World;
  readonly registrations: ReadonlyMap<string, Approval["registrations"][number]>;
  readonly steps: ReadonlyMap<string, Step>;
}

/** A review of a deployment that was approved: with a finding for everything that was not. */
export function approvedReview(preview: World, made: Review, approval: Approval): Review {
  const found = deviations(preview, made, approval);
  const [errors, notes] = [found.filter(isDeviation), found.filter((each) => !isDeviation(each))];
  return { ...made, findings: [...errors, ...made.findings, ...notes] };
}

/** Whether a finding is about what was not approved. */
export function isDeviation({ rule, severity }: Finding): boolean {
  return rule === approvalRule.id && severity === approvalRule.severity;
}

/** Throws an Error where the approval is that of another stack. */
function deviations(preview: World, made: Review, approval: Approval): Finding[] {
  const { changes, access } = made;
  const { stackName, unseen } = preview;
  if (stackName && (stackName.stack !== approval.stack || stackName.project !== approval.project)) {
    const [approved, here] = [approval, stackName].map(stackLabel);
    throw new GatewayError(`the approval is that of the stack ${approved}, not of ${here}`);
  }
  const compared: Compared = {
    approved: new Map(approval.steps.map((step) => [step.urn, step])),
    current: new Map(changes.map((change) => [change.urn, change])),
    registrations: new Map(approval.registrations.map((each) => [each.urn, each])),
    steps: new Map(preview.steps.map((step) => [step.urn, step])),
    preview,
  };
  const about = (
    { urn = "", type, name }: Pick<AccessItem, "urn" | "type" | "name">,
    ...texts: readonly Text[]
  ): Finding[] => {
    const { id: rule, severity } = approvalRule;
    const { before, after } = preview.resources.get(urn) ?? {};
    return given(texts).map((text) => ({
      ...{ rule, severity, urn, type, name: shortened(name, 100), message: shortened(text, 1000) },
      place: after?.record.programLine ?? before?.record.programLine,
    }));
  };
  const whole = (...texts: readonly Text[]): Finding[] =>
    about({ urn: undefined, type: "", name: "" }, ...texts);
  const providers = changedProviders(preview).filter(
    (provider) => !approval.providers.some((each) => isDeepStrictEqual(each, plain(provider))),
  );
  // Drift has a finding of its own, and so have providers.
  const reported = new Set([
    ...providers.map(({ urn }) => urn),
    ...changes.filter(({ action, drift }) => action === "same" && drift.length > 0).map(({ urn }) => urn),
  ]);
  const left = approval.steps.filter((step) => step.action !== "same" && !isPending(step, compared));
  const undone = left.filter((step) => !isDone(step, compared));
  const done = left.length - undone.length;
  const notes = whole(
    done > 0 &&
      `${done} of ${counted(approval.steps.length, "approved step")} ${done === 1 ? "is" : "are"} done already`,
    // The one that upgrades the package is reviewed by the version of the target branch.
    approval.version !== version &&
      `it was approved with version ${shortened(approval.version, 40)} of the package and is compared with ${version}`,
  );
  return [
    ...whole(
      unseen > 0 && "the preview leaves out unchanged resources; run it with --show-sames",
      approval.stackUrl !== preview.stackUrl &&
        "the base URL of the stack's configuration is not the one that was approved",
      semanticsProblem(semanticsOf(made), approval.semantics),
    ),
    ...approval.steps.flatMap((step) => about(step, step.notKnown.length > 0 && unboundText(step))),
    ...registrationProblems(preview, approval).flatMap(({ urn, type, message }) => {
      const on = { urn, type: preview.resources.get(urn)?.declaration.type ?? type, name: nameIn(urn, type) };
      return about(on, !reported.has(urn) && message);
    }),
    ...providers.flatMap(({ urn, name, action }) =>
      about({ urn, type: "Provider", name }, `it is ${past[action]}, but that was not approved`),
    ),
    ...changes.flatMap((change) => about(change, ...changeProblems(change, compared))),
    ...undone.flatMap((step) =>
      about(
        step,
        `it was approved to be ${past[step.action]}; the preview neither does that nor shows it as done`,
      ),
    ),
    ...[...Map.groupBy(access?.guarded ?? [], ({ urn }) => urn)].flatMap(([urn, own]) => {
      const known = approval.access.filter((each) => each.urn === urn);
      return about(own[0]!, ...accessProblems(afterIn(own.map(accessOf)), afterIn(known)));
    }),
    ...notes.map((note): Finding => ({ ...note, severity: "note" })),
  ];
}

/** A sentence, where there is something to say. */
type Text = string | false | undefined;

function given(texts: readonly Text[]): string[] {
  return texts.filter((text): text is string => typeof text === "string");
}

/** The answers of the setting `semantics` that are others than those that the approval was made with. */
function semanticsProblem(
  now: Readonly<Record<string, string>>,
  then: Approval["semantics"] = {},
): string | undefined {
  const texts = semanticsNames
    .filter((name) => now[name] !== then[name])
    .map((name) => `${name} is ${now[name] ?? "unknown"}, and was ${then[name] ?? "unknown"}`);
  return texts.length === 0
    ? undefined
    : `the setting semantics is not the one that was approved: ${texts.join("; ")}`;
}

/** Why an approval does not hold for a step. */
function unboundText({ notKnown }: ApprovedStep): string {
  const verb = notKnown.length === 1 ? "was" : "were";
  return (
    `the approval does not bind: ${shortened(notKnown.join(", "), 200)} ${verb} not known when it was approved and ` +
    "decides access. Deploy what it comes from first, or write the value into the program"
  );
}

function isPending({ urn }: Pick<ApprovedStep, "urn">, { current }: Compared): boolean {
  return (current.get(urn)?.action ?? "same") !== "same";
}

/** Whether the stack has what an approved step leads to. */
function isDone(step: ApprovedStep, compared: Compared): boolean {
  const resource = compared.preview.resources.get(step.urn);
  // A refresh shows what a killed deployment has deleted.
  if (step.action === "delete") return resource?.after === undefined;
  const { registrations, steps } = compared;
  return (
    resource?.action === "same" &&
    argumentProblems(step, resource, compared).length === 0 &&
    isRegistered(registrations.get(step.urn), steps.get(step.urn))
  );
}

function changeProblems(change: ReviewedChange, compared: Compared): string[] {
  const { urn, action, deletesFirst, gone } = change;
  const resource = compared.preview.resources.get(urn)!;
  const step = compared.approved.get(urn);
  const now = plain(stepOf(change, compared.preview));
  const drift = now.drift
    .filter((each) => !step?.drift.some((known) => isDeepStrictEqual(known, each)))
    .map(({ path }) => `it was changed outside of Pulumi: ${shortened(path, 80)}`);
  if (action === "same") return drift;
  if (!step || step.action === "same")
    return [`it is to be ${past[action]}, but that was not approved`, ...drift];
  const left = [...leftOf[step.action], ...(step.deletesFirst ? ["create"] : [])];
  if (!left.includes(action) || (gone && step.action !== "create"))
    return [`it is to be ${past[action]}, but was approved to be ${past[step.action]}`, ...drift];
  const isWhole = action === step.action;
  const pendingOf = ({ waitsFor }: ApprovedStep): string[] =>
    waitsFor.filter((each) => isPending({ urn: each }, compared));
  const hasNewPresent = ({ path, old }: ApprovedStep["fields"][number]): boolean =>
    !step.fields.some((known) => known.path === path && isDeepStrictEqual(known.old, old));
  return given([
    isWhole &&
      deletesFirst !== step.deletesFirst &&
      `it was approved that the old one is deleted ${step.deletesFirst ? "first" : "last"}`,
    !isDeepStrictEqual(pendingOf(now), pendingOf(step)) &&
      "the order is not the one that was approved: it waits for other steps",
    ...argumentProblems(step, resource, compared).map(
      (name) => `the value of ${shortened(name, 80)} is not the one that was approved`,
    ),
    ...now.fields.map(
      (field) =>
        isWhole &&
        hasNewPresent(field) &&
        `the current value of ${shortened(field.path, 80)} is not the one that was reviewed`,
    ),
    ...drift,
  ]);
}

/** The arguments whose values are not those that were approved. */
function argumentProblems(step: ApprovedStep, resource: ResourceChange, compared: Compared): string[] {
  const [asked, now] = [step.arguments ?? {}, withoutHidden(resource.after?.args ?? {})];
  return keysOfBoth(asked, now).filter(
    (name) => !agrees(own(asked, name), own(now, name), knownIds(step, resource, name, compared)),
  );
}

/** The values that a value that was not known may have turned out to be: ids of where it comes from, or any. */
function knownIds(
  { from }: ApprovedStep,
  { declaration, after }: ResourceChange,
  argument: string,
  { preview, approved, current }: Compared,
): (value: unknown) => boolean {
  const flow = argumentSources(after, argument);
  // Only what an approved step has produced is new.
  const isStarted =
    isDeepStrictEqual(flow, from[argument]) &&
    flow.some((urn) => approved.has(urn) && current.get(urn)?.action !== "create");
  if (!isStarted) return isUnknown;
  if (!idArguments(declaration.fields).some(({ name }) => name === argument)) return () => true;
  const ids: unknown[] = flow.flatMap((urn) => preview.resources.get(urn)?.before?.id ?? []);
  return (value) => isUnknown(value) || ids.includes(value);
}

/** Whether a value is the approved one, or what one that was not known has turned out to be. */
function agrees(asked: unknown, now: unknown, isKnown: (value: unknown) => boolean): boolean {
  if (isUnknown(asked)) return Array.isArray(now) ? now.every(isKnown) : isKnown(now);
  if (Array.isArray(asked))
    return (
      Array.isArray(now) &&
      asked.length === now.length &&
      asked.every((each, i) => agrees(each, now[i], isKnown))
    );
  if (!isRecord(asked)) return asked === now;
  if (!isRecord(now)) return false;
  return keysOfBoth(asked, now).every((name) => agrees(own(asked, name), own(now, name), isKnown));
}

function own(values: Json, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** As a file holds it. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Who gets in after the deployment. A module that moves has two entries: that of its old place has nothing after it. */
function afterIn(entries: Approval["access"]): PlainAccess<readonly string[]> | undefined {
  return entries.find(({ after }) => after !== undefined)?.after;
}

/** What differs in who gets in after the deployment. Where ranges were not known, there may be more of them now. */
function accessProblems(now: ReturnType<typeof afterIn>, approved: typeof now): string[] {
  if (!approved) return now ? ["the approval does not say who gets in"] : [];
  if (!now) return ["it was approved to be guarded, and does not exist after the deployment"];
  if (now.restricted !== approved.restricted)
    return [`it was approved that its access is ${approved.restricted ? "" : "not "}restricted`];
  const wasOpen = approved.unknown.length > 0;
  const problems = (["allowed", "denied"] as const).flatMap((what) => {
    const [current, known] = [AddressSet.ofRanges(now[what]), AddressSet.ofRanges(approved[what])];
    const [more, less] = [current.difference(known), known.difference(current)];
    return [
      !more.isEmpty() &&
        !wasOpen &&
        `${rangesText(rangeList(more))} would be ${what}, but that was not approved`,
      !less.isEmpty() && `${rangesText(rangeList(less))} would not be ${what}, although that was approved`,
    ];
  });
  const isOpener = now.unknown.some((each) => !approved.unknown.includes(each));
  return given([...problems, isOpener && "more of its access is unknown than was approved"]);
}
