/** The review of one preview: what it needs of the stack and the account beside the preview. */
import { createReadStream } from "node:fs";
import { defaultProvider, readStack } from "../../inventory/stack";
import { GatewayError } from "../../provider/errors";
import { readFacts } from "../../review/account";
import type { AccountFacts } from "../../review/account";
import { approvalOf } from "../../review/approval";
import type { Approval } from "../../review/approval";
import { approvedReview } from "../../review/approved";
import { ClientLog } from "../../review/client-log";
import { clientChanges } from "../../review/clients";
import type { ClientChange } from "../../review/clients";
import type { StackReview } from "../../review/merge";
import { ownNames } from "../../review/own-names";
import { review } from "../../review/review";
import type { Review, ReviewOptions } from "../../review/review";
import type { Deployed } from "../../review/rule";
import { isSameUrl } from "../../review/rules/base-url";
import type { Preview } from "../../stack/preview";
import { InterruptedError } from "../../stack/pulumi";
import { connect } from "../input/connect";
import { previewFrom, previewOfStack } from "../input/preview";
import type { PreviewSource, SourceFlags } from "../input/preview";
import { note } from "../terminal/progress";

export interface StackReviewFlags extends SourceFlags {
  clients?: string[];
  clientsField?: string;
  save?: string;
}

/** How each stack of a command is reviewed. */
export interface StackReviewSettings {
  readonly options: ReviewOptions;
  readonly flags: StackReviewFlags;
  /** Whether there are several previews: then a failure is a part of the review, and nobody can be asked. */
  readonly isOneOfMany: boolean;
  /** The approval of a stack, where the review compares with one. Throws where the stack has none. */
  readonly approvalFor: ((place: Preview["place"]) => Approval | undefined) | undefined;
  readonly logs: () => Promise<readonly NamedLog[]>;
  /** What else a command needs of a preview; the preview itself is not kept. */
  readonly keep: (preview: Preview) => Drawings;
}

/** Pictures of what a deployment changes, as far as an output shows them. */
export interface Drawings {
  readonly mermaid?: string;
  readonly svg?: string;
}

/** A log, and the resource that it is of. */
interface NamedLog {
  readonly log: ClientLog;
  readonly resource: string | undefined;
}

export interface ReviewedPreview extends Omit<StackReview, "stack"> {
  readonly source: PreviewSource;
  readonly drawings: Drawings;
  /** Throws where the preview cannot be approved. */
  readonly approval: () => Approval;
}

/** Reviews a preview. */
export async function reviewOne(
  source: PreviewSource,
  settings: StackReviewSettings,
): Promise<ReviewedPreview> {
  try {
    return await reviewed(source, settings);
  } catch (error) {
    const isPart = error instanceof GatewayError && !(error instanceof InterruptedError);
    if (!settings.isOneOfMany || !isPart) throw error;
    const approval = (): Approval => {
      throw error;
    };
    const made = failedReview(error.message, settings.options);
    return { ...made, source, drawings: {}, approval };
  }
}

async function reviewed(
  source: PreviewSource,
  { options, flags, isOneOfMany, approvalFor, logs, keep }: StackReviewSettings,
): Promise<ReviewedPreview> {
  const { stack } = source;
  const { cwd, refresh } = flags;
  const mayAsk = !isOneOfMany;
  const preview =
    stack === undefined
      ? await previewFrom(source.file)
      : await previewOfStack(stack, { cwd, refresh, mayAsk });
  const approved = approvalFor?.(preview.place);
  const deployed = stack === undefined ? undefined : await deployedBy(stack, cwd);
  const account =
    stack === undefined || flags.offline
      ? undefined
      : await accountFacts(preview, deployed, { stack, cwd, isOneOfMany });
  const made = review(preview, { ...options, deployed, account });
  const checked = approved ? approvedReview(preview, made, approved) : made;
  const clients = flags.clients && clientsOf(preview, await logs());
  const approval = approvalMaker(preview, made, isOneOfMany, flags.save !== undefined);
  return {
    ...{ source, names: ownNames(preview), drawings: keep(preview), approval },
    review: clients ? { ...checked, clients } : checked,
  };
}

/** Of many previews none is kept, so their approvals are made at once, where they are saved. */
function approvalMaker(
  preview: Preview,
  made: Review,
  isOneOfMany: boolean,
  isSaved: boolean,
): () => Approval {
  if (!isOneOfMany) return () => approvalOf(preview, made);
  try {
    const approval = isSaved ? approvalOf(preview, made) : undefined;
    return () => approval!;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** The review of a stack without a preview. */
export function failedReview(error: string, options: ReviewOptions): Omit<StackReview, "stack"> {
  const nothing: Preview = {
    ...{ place: undefined, subjects: [], providers: [], stackUrl: undefined },
    ...{ unseen: 0, others: 0, errors: [error] },
  };
  return { names: ownNames(nothing), review: review(nothing, { ...options, accessTests: [] }) };
}

/** What the state of the stack shows. A review that cannot read it fails: it could not see where the key goes. */
async function deployedBy(stack: string, cwd: string | undefined): Promise<Deployed> {
  // The review of the preview reports ids of no use.
  return { provider: defaultProvider(await readStack({ stack, cwd, note: () => undefined }, false)) };
}

interface AccountOf {
  readonly stack: string;
  readonly cwd: string | undefined;
  readonly isOneOfMany: boolean;
}

/** What the account shows beside the preview. A review does not fail because the account cannot be read. */
async function accountFacts(
  preview: Preview,
  deployed: Deployed | undefined,
  { stack, cwd, isOneOfMany }: AccountOf,
): Promise<AccountFacts | undefined> {
  const where = isOneOfMany ? ` of the stack ${stack}` : "";
  if (deployed?.provider && !isSameUrl(deployed.provider.baseUrl, preview.stackUrl)) {
    note(
      `The account${where} is not read, because its base URL changed since the last deployment: ` +
        "nobody has reviewed where the key would go",
    );
    return undefined;
  }
  try {
    return await readFacts(preview, () => connect({ stack, cwd }, !isOneOfMany));
  } catch (error) {
    if (!(error instanceof GatewayError) || error instanceof InterruptedError) throw error;
    note(
      `The account${where} could not be read, so interruption/agents-online and hygiene/no-tunnels are not checked ` +
        `(--offline skips them): ${error.message}`,
    );
    return undefined;
  }
}

function clientsOf(preview: Preview, logs: readonly NamedLog[]): ClientChange[] {
  return logs.flatMap(({ log, resource }) => clientChanges(preview, log, resource));
}

/** A function that reads the logs at its first call: their addresses need memory, which a preview needs before. */
export function logReader({ clients = [], clientsField }: StackReviewFlags): () => Promise<NamedLog[]> {
  let read: Promise<NamedLog[]> | undefined;
  return () => (read ??= Promise.all(clients.map((each) => logIn(each, clientsField))));
}

async function logIn(text: string, field: string | undefined): Promise<NamedLog> {
  const [file = "", ...resource] = text.split("=");
  const log = new ClientLog(field);
  try {
    for await (const chunk of createReadStream(file)) log.push(chunk as Buffer);
  } catch (error) {
    throw new GatewayError(`the log could not be read: ${(error as Error).message}`);
  }
  log.end();
  return { log, resource: resource.length === 0 ? undefined : resource.join("=") };
}
