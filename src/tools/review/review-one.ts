/** Reviews one preview, with what the state of its stack and the account show beside it. */
import type { AccountClient } from "../../account/account-client";
import { collected } from "../../account/read-objects";
import type { Snapshot } from "../../emulator/types";
import { connect } from "../inventory/connect";
import type { Reporter } from "../inventory/connect";
import { defaultProvider } from "../inventory/providers";
import { readStack } from "../inventory/stack";
import { failedPreview } from "../inventory/world";
import type { World } from "../inventory/world";
import { configOnce } from "../stack/config";
import type { StepPlan } from "../stack/preview";
import { isSameUrl } from "../stack/state";
import type { StackName } from "../../provider/urn";
import { isFailure } from "../stack/pulumi";
import { previewOfStack } from "../inventory/run-preview";
import type { StackPreview } from "../inventory/run-preview";
import { factsFor, readFacts } from "./account-facts";
import { listText } from "../../schema/text/phrase";
import type { ListRequest } from "../../provider/http/pagination";
import type { Answer } from "../../schema/values";
import type { Approval } from "../approval/approval";
import { approvalOf } from "../approval/approve";
import { readLists } from "../rehearsal/read-lists";
import { rehearse } from "../rehearsal/rehearse";
import { approvedReview } from "./approved";
import type { Approved } from "./approved";
import type { ClientLogs } from "./client-logs";
import type { StackReview } from "./merge";
import { ownNames } from "./own-names";
import { review } from "./review";
import type { ReviewOptions } from "./review";

/** Where a preview comes from: the Pulumi CLI runs it for a stack, or it is given with a name for messages. */
export type PreviewSource =
  | { readonly stack: string }
  | { readonly stack?: undefined; readonly name: string; readonly read: () => Promise<World> };

/** How each preview is reviewed. */
export interface PreviewReviewing {
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
  /** What was approved of a stack and sent before, if the review compares with it. Throws if the stack has no approval. */
  readonly approvedFor?: ((stackName: StackName | undefined) => Approved) | undefined;
  /** The unknown values that the reviewer accepts; undefined if nothing is approved. */
  readonly approves: readonly string[] | undefined;
  readonly logs: ClientLogs;
  /** What else the caller needs of a preview; the preview itself is not kept. */
  readonly keep: (preview: World) => Drawings;
  readonly reporter: Reporter;
}

/** Pictures of what a deployment changes, as far as an output shows them. */
export interface Drawings {
  readonly mermaid?: string;
  readonly svg?: string;
}

export interface ReviewedPreview extends Omit<StackReview, "stack"> {
  readonly source: PreviewSource;
  readonly drawings: Drawings;
  /** The approval, if the deployment is approved. Throws if the preview cannot be approved. */
  readonly approval: () => Approval | undefined;
}

export async function reviewOne(
  source: PreviewSource,
  reviewing: PreviewReviewing,
): Promise<ReviewedPreview> {
  try {
    return await reviewed(source, reviewing);
  } catch (error) {
    if (!reviewing.isMany || !isFailure(error)) throw error;
    const approval = settled((): Approval => {
      throw error;
    });
    const failed = failedReview(error.message, reviewing.options, source.stack);
    return { ...failed, source, drawings: {}, approval };
  }
}

async function reviewed(source: PreviewSource, reviewing: PreviewReviewing): Promise<ReviewedPreview> {
  const { options, cwd, refresh, isMany, approvedFor, approves, logs, keep } = reviewing;
  const { stack } = source;
  const call = { cwd, mayAsk: !isMany };
  const ofStack =
    stack === undefined ? undefined : { ...call, stack, refresh, config: configOnce(stack, call) };
  const preview = stack === undefined ? await source.read() : await previewOfStack(ofStack!);
  const approved = approvedFor?.(preview.stackName);
  const isComplete = preview.errors.length === 0;
  const plan = isComplete || approved || approves ? preview.plan() : undefined;
  const { lists, ...facts } = ofStack ? await factsBeside(preview, plan, ofStack, reviewing) : {};
  const rehearsal = plan && (await rehearse(plan, { now: options.now, lists }));
  const beside = { ...facts, rehearsal, logs: isComplete ? await logs.read() : undefined };
  const made = review(preview, { ...options, ...beside });
  const checked = approved && rehearsal ? approvedReview(preview, made, rehearsal, approved) : made;
  const clients = isComplete ? await logs.changes(preview, options.semantics) : undefined;
  return {
    ...{ source, names: ownNames(preview), drawings: isComplete ? keep(preview) : {} },
    review: clients ? { ...checked, clients } : checked,
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
export function failedReview(
  error: string,
  options: ReviewOptions,
  stack?: string,
): Omit<StackReview, "stack"> {
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

interface FactsBeside extends Pick<ReviewOptions, "deployed" | "pending" | "account"> {
  /** The lists of the account that the rehearsal needs. */
  readonly lists?: Snapshot;
}

/** What the state of the stack and the account show beside the preview. */
async function factsBeside(
  preview: World,
  plan: StepPlan | undefined,
  { stack, cwd, config }: StackPreview,
  { offline, isMany, reporter: { note } }: PreviewReviewing,
): Promise<FactsBeside> {
  // The review of the preview reports unusable ids. A review that cannot read the state fails: it could not see where the
  // key goes.
  const contents = await readStack({ stack, cwd, note: () => undefined });
  const provider = defaultProvider(contents);
  const recorded = {
    deployed: { provider },
    pending: new Set(contents.pending.flatMap(({ urn }) => urn ?? [])),
  };
  if (offline) return recorded;
  const where = isMany ? ` of the stack ${stack}` : "";
  if (provider && !isSameUrl(provider.baseUrl, preview.stackUrl)) {
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
    return recorded;
  }
}
