/**
 * Reviews the previews that a command names, each with what the state of its stack and the account show beside it. Several become
 * one review.
 */
import { GatewayError, SettingsError } from "../../provider/errors";
import { shortName } from "../stack/stacks";
import { stackLabel } from "../../provider/urn";
import { counted, listText } from "../../schema/text/phrase";
import type { Approval } from "../approval/approval";
import type { WriteLog } from "../approval/write-log";
import { mergedReview } from "./merge";
import type { StackReview } from "./merge";
import { inParallel } from "./parallel";
import type { ReviewOptions } from "./review";
import type { AccountClient } from "../../account/account-client";
import { collected } from "../../account/read-objects";
import type { Snapshot } from "../../emulator/types";
import { connect } from "../inventory/connect";
import type { Reporter } from "../inventory/connect";
import { defaultProvider } from "../inventory/providers";
import { readStack } from "../inventory/stack";
import { failedPreview } from "../inventory/read-preview";
import type { Preview } from "../inventory/read-preview";
import { configOnce } from "../stack/config";
import type { StepPlan } from "../stack/preview";
import { isSameUrl } from "../stack/state";
import { environmentNames } from "../../provider/settings/settings";
import { isFailure } from "../stack/pulumi";
import { previewOfStack } from "../inventory/run-preview";
import type { StackPreview } from "../inventory/run-preview";
import { factsFor, readFacts } from "./account-facts";
import type { ListRequest } from "../../provider/http/pagination";
import type { Answer } from "../../schema/values";
import { approvalOf } from "../approval/approve";
import { readLists } from "../rehearsal/read-lists";
import { rehearse } from "../rehearsal/rehearse";
import { approvedReview } from "./approved";
import type { Approved } from "./approved";
import type { ClientLogs } from "./client-logs";
import { ownNames } from "./own-names";
import { review } from "./review";

/** Where a preview comes from: the Pulumi CLI runs it for a stack, or it is given with a name for messages. */
export type PreviewSource =
  | { readonly stack: string }
  | { readonly stack?: undefined; readonly name: string; readonly read: () => Promise<Preview> };

/** How each preview is reviewed. */
interface Reviewing {
  readonly options: ReviewOptions;
  /** The folder of the stacks' project. */
  readonly cwd?: string;
  /** Whether the preview of a stack begins with a refresh. */
  readonly refresh?: boolean;
  /** Whether the account of a stack is not read. */
  readonly offline?: boolean;
  /**
   * Whether the review is about several stacks, even if only one matches: then a failure is a part of the review, and the
   * Pulumi CLI must not ask the user.
   */
  readonly isMany: boolean;
  /** What was approved, and what earlier deployments have sent of it, if the review compares with it. */
  readonly approved: { readonly approvals: readonly Approval[]; readonly log: WriteLog } | undefined;
  /** The unknown values that the reviewer accepts; undefined if nothing is approved. */
  readonly approves: readonly string[] | undefined;
  readonly logs: ClientLogs;
  /** What else the caller needs of a preview; the preview itself is not kept. */
  readonly keep: (preview: Preview) => Drawings;
  readonly reporter: Reporter;
  /** How many previews are reviewed at the same time. */
  readonly parallel: number;
}

export type ReviewResult = Awaited<ReturnType<typeof reviewAll>>;

export async function reviewAll(sources: readonly PreviewSource[], reviewing: Reviewing) {
  const { approved, options, isMany, logs, parallel, reporter } = reviewing;
  const progress = (done: number): void => {
    const stack = sources[0]?.stack;
    if (sources.length > 1) reporter.status(`Reviewing ${sources.length} previews: ${done} done`);
    else if (stack !== undefined) reporter.status(`Previewing the stack ${stack}`);
  };
  const all = await inParallel(sources, parallel, progress, (source) => reviewOne(source, reviewing));
  await logs.check(all.every(({ review }) => review.errors.length === 0));
  const named = withNames(all);
  const missing = isMany ? missingOf(approved?.approvals ?? [], all, options) : [];
  return {
    // The review of a single stack stays as it is.
    review: mergedReview([...named, ...missing]),
    drawings: { mermaid: common(all, "mermaid"), svg: common(all, "svg") },
    /** The approvals of all stacks, if they are approved. Throws if one of them cannot be approved. */
    approvalsOf: () => all.flatMap(({ approval }) => approval() ?? []),
  };
}

/** The picture of the stacks, if all that have one have the same. */
function common(all: readonly ReviewedPreview[], kind: keyof Drawings): string | undefined {
  const pictures = new Set(all.flatMap(({ drawings }) => drawings[kind] ?? []));
  return pictures.size === 1 ? [...pictures][0] : undefined;
}

/** The reviews with the names of their stacks. Throws if two of them are of the same stack. */
function withNames(all: readonly ReviewedPreview[]): StackReview[] {
  const sources = new Map<string, string>();
  for (const { names, source } of all) {
    const here = nameOf(source);
    const label = names.stackName ? stackLabel(names.stackName) : `no place ${here}`;
    const other = sources.get(label);
    if (other !== undefined)
      throw new GatewayError(`${other} and ${here} are previews of the same stack, ${label}`);
    sources.set(label, here);
  }
  const shortOf = ({ names, source }: ReviewedPreview): string =>
    source.stack ?? names.stackName?.stack ?? nameOf(source);
  const counts = Map.groupBy(all, shortOf);
  return all.map((each) => {
    const short = shortOf(each);
    const { stackName } = each.names;
    const isUnique = counts.get(short)!.length === 1;
    return { ...each, stack: isUnique || !stackName ? short : stackLabel(stackName) };
  });
}

function nameOf(source: PreviewSource): string {
  return source.stack ?? source.name;
}

/**
 * What was approved of a stack and sent before. A command about one stack takes it from a file of several. Throws if the file does
 * not contain the stack.
 */
function approvedFor(
  { stackName }: Preview,
  { approvals, log }: NonNullable<Reviewing["approved"]>,
  isMany: boolean,
): Approved {
  const of = (approval: Approval): Approved => ({ approval, log: log.sentOf(approval) });
  // The comparison refuses the approval of another stack.
  if (!isMany && approvals.length === 1) return of(approvals[0]!);
  if (!stackName)
    throw new GatewayError("the preview names no stack, so it cannot be compared with what was approved");
  const found = approvals.find(
    ({ stack, project }) => stack === stackName.stack && project === stackName.project,
  );
  if (found) return of(found);
  throw new GatewayError(
    `the approval is that of ${counted(approvals.length, "stack")} and not of ${stackLabel(stackName)}`,
  );
}

/** The approved stacks without a preview: each one is an error. */
function missingOf(
  approvals: readonly Approval[],
  all: readonly ReviewedPreview[],
  options: ReviewOptions,
): StackReview[] {
  const labels = new Set(all.flatMap(({ names }) => (names.stackName ? stackLabel(names.stackName) : [])));
  const failed = new Set(
    all.flatMap(({ names, source: { stack } }) => (names.stackName || !stack ? [] : shortName(stack))),
  );
  const missing = approvals.filter(
    (approval) => !labels.has(stackLabel(approval)) && !failed.has(approval.stack),
  );
  return missing.map((approval) => {
    const stack = stackLabel(approval);
    return { stack, ...failedReview(`it was approved, but the review has no preview of it`, options) };
  });
}

/** Pictures of what a deployment changes, as far as an output shows them. */
interface Drawings {
  readonly mermaid?: string;
  readonly svg?: string;
}

interface ReviewedPreview extends Omit<StackReview, "stack"> {
  readonly source: PreviewSource;
  readonly drawings: Drawings;
  /** The approval, if the deployment is approved. Throws if the preview cannot be approved. */
  readonly approval: () => Approval | undefined;
}

async function reviewOne(source: PreviewSource, reviewing: Reviewing): Promise<ReviewedPreview> {
  try {
    return await reviewed(source, reviewing);
  } catch (error) {
    if (!reviewing.isMany || !isFailure(error)) throw error;
    const approval = (): never => {
      throw error;
    };
    return {
      ...failedReview(error.message, reviewing.options, source.stack),
      source,
      drawings: {},
      approval,
    };
  }
}

async function reviewed(source: PreviewSource, reviewing: Reviewing): Promise<ReviewedPreview> {
  const { options, cwd, refresh, isMany, approves, logs, keep } = reviewing;
  const { stack } = source;
  const call = { cwd, mayAsk: !isMany };
  const ofStack =
    stack === undefined ? undefined : { ...call, stack, refresh, config: configOnce(stack, call) };
  const preview = stack === undefined ? await source.read() : await previewOfStack(ofStack!);
  const approved = reviewing.approved && approvedFor(preview, reviewing.approved, isMany);
  const isComplete = preview.errors.length === 0;
  const plan = isComplete || approved || approves ? preview.plan : undefined;
  const { lists, ...facts } = ofStack ? await factsBeside(preview, plan, ofStack, reviewing) : {};
  const rehearsal = plan && (await rehearse(plan, { now: options.now, lists }));
  const beside = { ...facts, rehearsal, logs: isComplete ? await logs.read() : undefined };
  const made = review(preview, { ...options, ...beside });
  const checked = approved && rehearsal ? approvedReview(preview, made, rehearsal, approved) : made;
  const clients = isComplete ? await logs.changes(preview, options.semantics) : undefined;
  return {
    ...{ source, names: ownNames(preview), drawings: isComplete ? keep(preview) : {} },
    review: { ...checked, clients },
    approval: settled(() =>
      approves && plan && rehearsal ? approvalOf(preview, plan, rehearsal, approves) : undefined,
    ),
  };
}

/** Does the work now, so that its input, such as a preview, is not kept. Returns a function that returns the result, or throws. */
function settled<T>(work: () => T): () => T {
  try {
    const result = work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** The review of a stack without a preview. */
function failedReview(error: string, options: ReviewOptions, stack?: string): Omit<StackReview, "stack"> {
  const nothing = failedPreview(error);
  const names = { ...ownNames(nothing), stack };
  return { names, review: review(nothing, { ...options, accessTests: [] }) };
}

/** The client, which reads each list once: the facts and the rehearsal may need the same ones. */
function readingOnce(client: AccountClient): AccountClient {
  const lists = new Map<string, Promise<(readonly Answer[])[]>>();
  const all = async function* (list: ListRequest): AsyncGenerator<readonly Answer[]> {
    const known = lists.get(list.path) ?? collected(client.pages(list));
    lists.set(list.path, known);
    yield* await known;
  };
  return { ...client, pages: all };
}

interface FactsBeside extends Pick<ReviewOptions, "deployed" | "pending" | "account" | "unreadAccount"> {
  /** The lists of the account that the rehearsal needs. */
  readonly lists?: Snapshot;
}

/** What the state of the stack and the account show beside the preview. */
async function factsBeside(
  preview: Preview,
  plan: StepPlan | undefined,
  { stack, cwd, config }: StackPreview,
  { offline, isMany, reporter: { note } }: Reviewing,
): Promise<FactsBeside> {
  // The review of the preview reports unusable ids. A review that cannot read the state fails: it could not see where the
  // key goes.
  const contents = await readStack({ stack, cwd, note: () => undefined });
  const provider = defaultProvider(contents);
  const environmentUrl = process.env[environmentNames.baseUrl];
  const recorded = {
    deployed: { provider, environmentUrl },
    pending: new Set(contents.pending.flatMap(({ urn }) => urn ?? [])),
  };
  if (offline) return recorded;
  const where = isMany ? ` of the stack ${stack}` : "";
  if (provider && !isSameUrl(provider.baseUrl ?? environmentUrl, preview.stackUrl ?? environmentUrl)) {
    note(
      `The account${where} is not read, because its base URL changed since the last deployment: ` +
        "nobody has reviewed where the key would go",
    );
    return recorded;
  }
  try {
    let client: Promise<AccountClient> | undefined;
    const connected = (): Promise<AccountClient> =>
      (client ??= connect({ stack, cwd }, note, config).then(readingOnce));
    const account = await readFacts(preview, connected);
    return { ...recorded, account, lists: plan && (await readLists(plan, connected)) };
  } catch (error) {
    // A review does not fail because the account cannot be read.
    if (!isFailure(error)) throw error;
    const facts = factsFor(preview);
    const unchecked = facts.length === 0 ? "" : `${listText(facts, "fact")} are not checked, and `;
    note(
      `The account${where} could not be read, so ${unchecked}the plan runs on what the stack records ` +
        `(--offline does not read it): ${error.message}`,
    );
    // The program's author may cause any other failure, such as by a setting that limits lists.
    const isWithoutKey = error instanceof SettingsError && error.isIncomplete;
    return { ...recorded, ...(!isWithoutKey && { unreadAccount: error.message }) };
  }
}
