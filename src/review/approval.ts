/** Approvals: what was reviewed, as a file that a later preview is compared with. It contains no secret. */
import { argumentsIn } from "../stack/import-entry";
import { GatewayError } from "../provider/errors";
import type { Json } from "../schema/json";
import { hasUnknown, isRecord } from "../schema/unknown";
import { hasSecret } from "../stack/secrets";
import type { Preview, State, Subject } from "../stack/preview";
import { version } from "../version";
import type { AccessItem, AccessSide } from "./access/report";
import type { Difference } from "./differences";
import type { Change, Review } from "./review";

/** The version of the file's format. */
const format = 1;

/** What was approved for one resource. */
export interface ApprovedStep {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly action: Change["action"];
  readonly deletesFirst: boolean;
  /** The URNs of the resources that it waits for, or that wait for it where it is deleted. */
  readonly waitsFor: readonly string[];
  /** The URN of its explicit provider, which names the account. */
  readonly provider: string | undefined;
  /** The arguments of the program, secrets masked; undefined where it is deleted. */
  readonly arguments: Json | undefined;
  /** The resources that each argument that is not known yet comes from. */
  readonly from: Readonly<Record<string, readonly string[]>>;
  readonly fields: readonly Difference[];
  /** The changes made outside of Pulumi. */
  readonly drift: readonly Difference[];
  /** The arguments with secrets: nobody can compare them. */
  readonly notCompared: readonly string[];
}

interface ApprovedSide {
  readonly restricted: boolean;
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  readonly unknown: readonly string[];
}

/** Who gets in at one guarded resource, before and after the deployment. */
export interface ApprovedAccess {
  readonly urn: string | undefined;
  readonly type: string;
  readonly name: string;
  readonly before: ApprovedSide | undefined;
  readonly after: ApprovedSide | undefined;
}

export interface Approval {
  readonly approval: typeof format;
  /** The version of this package. */
  readonly version: string;
  readonly stack: string;
  readonly project: string;
  readonly steps: readonly ApprovedStep[];
  /** The explicit providers that change, and the base URL of the stack's configuration. */
  readonly providers: Preview["providers"];
  readonly stackUrl: string | undefined;
  /** The number of changes of other packages, which nobody reviewed. */
  readonly others: number;
  readonly access: readonly ApprovedAccess[];
}

/** The approval of a review. Throws an Error where the preview is not complete. */
export function approvalOf(preview: Preview, { changes, access }: Review): Approval {
  const { unseen, place, stackUrl, others } = preview;
  if (!access) throw new GatewayError("a preview that failed cannot be approved");
  if (unseen > 0)
    throw new GatewayError("a preview without the unchanged resources cannot be approved: use --show-sames");
  if (!place) throw new GatewayError("the preview names no stack, so it cannot be approved");
  const subjects = new Map(preview.subjects.map((subject) => [subject.urn, subject]));
  return {
    ...{ approval: format, version, ...place },
    steps: changes.map((change) => stepOf(change, subjects.get(change.urn)!)),
    providers: changedProviders(preview),
    ...{ stackUrl, others },
    access: access.guarded.map(accessOf),
  };
}

export function changedProviders({ providers }: Pick<Preview, "providers">): Preview["providers"] {
  return providers.filter(({ action }) => action !== "same");
}

export function stepOf(change: Change, { after, before }: Subject): ApprovedStep {
  const { urn, type, name, action, deletesFirst, differences, drift } = change;
  const state: Partial<State> = after ?? before ?? {};
  const asked = after && argumentsIn(after.inputs);
  const open = Object.entries(asked ?? {}).filter(([, value]) => hasUnknown(value));
  return {
    ...{ urn, type, name, action, deletesFirst },
    waitsFor: dependenciesOf(state),
    provider: state.provider,
    arguments: asked,
    from: Object.fromEntries(open.map(([argument]) => [argument, sources(after, argument)])),
    ...{ fields: differences, drift },
    notCompared: Object.keys(asked ?? {}).filter((argument) => hasSecret(asked![argument])),
  };
}

function dependenciesOf({ dependencies = [], propertyDependencies = {} }: Partial<State>): string[] {
  return [...new Set([...dependencies, ...Object.values(propertyDependencies).flat()])].sort();
}

/** The resources that an argument comes from. */
export function sources(state: State | undefined, argument: string): string[] {
  const flows = Object.entries(state?.propertyDependencies ?? {});
  return flows.flatMap(([name, urns]) => (name === argument ? urns : [])).sort();
}

export function accessOf({ urn, type, name, before, after }: AccessItem): ApprovedAccess {
  const side = (each: AccessSide | undefined): ApprovedSide | undefined =>
    each && {
      restricted: each.restricted,
      allowed: each.allowed.cidrs,
      denied: each.denied.cidrs,
      unknown: each.unknown,
    };
  return { urn, type, name, before: side(before), after: side(after) };
}

/** The file of approvals: that of one stack is its approval, that of several lists them. */
export function approvalsText(approvals: readonly Approval[]): string {
  const [first] = approvals;
  const file = approvals.length === 1 ? first : { approval: format, stacks: approvals };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/**
 * Reads the approvals of a file, one for each stack. Throws an Error if the text is not such a file: a pull
 * request may have written it.
 */
export function readApprovals(text: string): Approval[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new GatewayError("the approval is not JSON");
  }
  if (!isRecord(value) || value.approval !== format)
    throw new GatewayError(`the file is not an approval of this format (${format})`);
  const approvals = "stacks" in value ? listed(value) : [value];
  const places = new Set(approvals.map(({ stack, project }) => JSON.stringify([project, stack])));
  if (!approvals.every(isApproval) || places.size < Math.max(1, approvals.length))
    throw new GatewayError("the approval is broken: a part of it is missing or wrong");
  return approvals as unknown as Approval[];
}

/** The approvals of a file of several; none where it holds anything else. */
function listed({ approval: _, stacks, ...others }: Json): Json[] {
  const isList = Array.isArray(stacks) && stacks.every(isRecord) && Object.keys(others).length === 0;
  return isList ? stacks : [];
}

const isText = (value: unknown): boolean => typeof value === "string";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isMaybe =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || is(value);
const listOf =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(is);
const shaped =
  (members: Readonly<Record<string, (value: unknown) => boolean>>) =>
  (value: unknown): boolean =>
    isRecord(value) &&
    Object.keys(value).every((name) => Object.hasOwn(members, name)) &&
    Object.entries(members).every(([name, is]) => is(value[name]));
const isAction = (value: unknown): boolean =>
  isText(value) && ["create", "update", "replace", "delete", "same"].includes(value as string);
const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isAnything = (): boolean => true;
const isDifference = shaped({
  ...{ path: isText, old: isAnything, next: isAnything, secret: isFlag, replaces: isFlag },
  members: isMaybe(shaped({ added: Array.isArray, removed: Array.isArray })),
});
const isSide = shaped({ restricted: isFlag, allowed: isTexts, denied: isTexts, unknown: isTexts });

const isApproval = shaped({
  approval: (value) => value === format,
  ...{ version: isText, stack: isText, project: isText, stackUrl: isMaybe(isText) },
  others: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  steps: listOf(
    shaped({
      ...{ urn: isText, type: isText, name: isText, action: isAction, deletesFirst: isFlag },
      ...{ waitsFor: isTexts, provider: isMaybe(isText), arguments: isMaybe(isRecord) },
      from: (value) => isRecord(value) && Object.values(value).every(isTexts),
      ...{ fields: listOf(isDifference), drift: listOf(isDifference), notCompared: isTexts },
    }),
  ),
  providers: listOf(
    shaped({
      ...{ urn: isText, name: isText, action: isAction, before: isMaybe(isText), after: isMaybe(isText) },
    }),
  ),
  access: listOf(
    shaped({
      urn: isMaybe(isText),
      type: isText,
      name: isText,
      before: isMaybe(isSide),
      after: isMaybe(isSide),
    }),
  ),
});
