/** The review of one preview: what it needs of the stack and the account beside the preview. */
import { createReadStream } from "node:fs";
import { defaultProvider } from "../../inventory/providers";
import { readStack } from "../../inventory/stack";
import { GatewayError } from "../../provider/errors";
import { readFacts } from "../../review/account";
import { approvalOf } from "../../review/approval";
import type { Approval } from "../../review/approval";
import { approvedReview } from "../../review/approved";
import { ClientLog } from "../../review/client-log";
import { clientChanges, isGuarded } from "../../review/clients";
import type { ClientChange } from "../../review/clients";
import type { StackReview } from "../../review/merge";
import { ownNames } from "../../review/own-names";
import { review } from "../../review/review";
import type { ReviewOptions } from "../../review/review";
import { isSameUrl } from "../../review/rules/base-url";
import type { Preview } from "../../stack/preview";
import { quote } from "../../schema/formats/quote";
import { configOnce } from "../../stack/config";
import { isFailure } from "../../stack/pulumi";
import { counted } from "../../text/phrase";
import { requireReadable } from "../input/file";
import { connect } from "../input/connect";
import { previewFrom, previewOfStack } from "../input/preview";
import type { PreviewSource, SourceFlags, StackPreview } from "../input/preview";
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
  /**
   * Whether the command is about several stacks, also where only one of them is left: then a failure is a part of the
   * review, and nobody can be asked.
   */
  readonly isMany: boolean;
  /** The approval of a stack, where the review compares with one. Throws where the stack has none. */
  readonly approvalFor: ((place: Preview["place"]) => Approval | undefined) | undefined;
  readonly logs: Logs;
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
  /** Whether a preview has the resource. */
  isMatched: boolean;
}

export interface ReviewedPreview extends Omit<StackReview, "stack"> {
  readonly source: PreviewSource;
  readonly drawings: Drawings;
  /** The approval, where it is saved. Throws where the preview cannot be approved. */
  readonly approval: () => Approval | undefined;
}

export async function reviewOne(
  source: PreviewSource,
  settings: StackReviewSettings,
): Promise<ReviewedPreview> {
  try {
    return await reviewed(source, settings);
  } catch (error) {
    if (!settings.isMany || !isFailure(error)) throw error;
    const approval = settled((): Approval => {
      throw error;
    });
    return { ...failedReview(error.message, settings.options, source.stack), source, drawings: {}, approval };
  }
}

async function reviewed(source: PreviewSource, settings: StackReviewSettings): Promise<ReviewedPreview> {
  const { options, flags, isMany, approvalFor, logs, keep } = settings;
  const { stack } = source;
  const { cwd, refresh } = flags;
  const call = { cwd, mayAsk: !isMany };
  const ofStack =
    stack === undefined ? undefined : { ...call, stack, refresh, config: configOnce(stack, call) };
  const preview = ofStack ? await previewOfStack(ofStack) : await previewFrom(source.file);
  const approved = approvalFor?.(preview.place);
  const facts = ofStack ? await factsBeside(preview, ofStack, settings) : {};
  const made = review(preview, { ...options, ...facts });
  const checked = approved ? approvedReview(preview, made, approved) : made;
  const isComplete = preview.errors.length === 0;
  const clients =
    isComplete && flags.clients ? clientsOf(preview, await logs.read(), options.semantics) : undefined;
  return {
    ...{ source, names: ownNames(preview), drawings: isComplete ? keep(preview) : {} },
    review: clients ? { ...checked, clients } : checked,
    approval: settled(() => (flags.save === undefined ? undefined : approvalOf(preview, made))),
  };
}

/** Does the work now, so that what it needs, such as a preview, is not kept. The function returns the result, or throws. */
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
  const nothing: Preview = {
    ...{
      place: undefined,
      subjects: [],
      steps: [],
      mismatches: { before: [], after: [] },
      code: [],
      providers: [],
      stackUrl: undefined,
    },
    ...{ unseen: 0, others: 0, errors: [error] },
  };
  const names = { ...ownNames(nothing), stack };
  return { names, review: review(nothing, { ...options, accessTests: [] }) };
}

/** What the state of the stack and the account show beside the preview. */
async function factsBeside(
  preview: Preview,
  { stack, cwd, config }: StackPreview,
  { flags: { offline }, isMany }: StackReviewSettings,
): Promise<Pick<ReviewOptions, "deployed" | "account">> {
  // The review of the preview reports unusable ids. A review that cannot read the state fails: it could not see where the
  // key goes.
  const provider = defaultProvider(await readStack({ stack, cwd, note: () => undefined }));
  const deployed = { provider };
  if (offline) return { deployed };
  const where = isMany ? ` of the stack ${stack}` : "";
  if (provider && !isSameUrl(provider.baseUrl, preview.stackUrl)) {
    note(
      `The account${where} is not read, because its base URL changed since the last deployment: ` +
        "nobody has reviewed where the key would go",
    );
    return { deployed };
  }
  try {
    return { deployed, account: await readFacts(preview, () => connect({ stack, cwd }, config)) };
  } catch (error) {
    // A review does not fail because the account cannot be read.
    if (!isFailure(error)) throw error;
    note(
      `The account${where} could not be read, so interruption/agents-online and hygiene/no-tunnels are not checked ` +
        `(--offline skips them): ${error.message}`,
    );
    return { deployed };
  }
}

function clientsOf(
  preview: Preview,
  logs: readonly NamedLog[],
  semantics: ReviewOptions["semantics"],
): ClientChange[] {
  return logs.flatMap((named) => {
    const { log, resource } = named;
    named.isMatched ||= resource === undefined || isGuarded(preview, resource);
    return clientChanges(preview, log, resource, semantics);
  });
}

/** The logs of a command. Their addresses need memory, which a preview needs before. */
export class Logs {
  private reading: Promise<NamedLog[]> | undefined;

  /** Throws a UsageError where a log cannot be read: the previews before it may take minutes. */
  constructor(private readonly flags: StackReviewFlags) {
    for (const each of flags.clients ?? []) requireReadable("--clients", logName(each).file);
  }

  /** Reads the logs at the first call. */
  read(): Promise<NamedLog[]> {
    const { clients = [], clientsField } = this.flags;
    return (this.reading ??= Promise.all(clients.map((each) => logIn(each, clientsField))));
  }

  /**
   * Throws where a log could not be used, or is that of a resource that none of the previews has: it would have no client that
   * loses access. Without a read it does nothing.
   */
  async check(previewsAreComplete: boolean): Promise<void> {
    const logs = (await this.reading) ?? [];
    const wrong = logs.find(({ isMatched }) => !isMatched);
    if (wrong?.resource === undefined || !previewsAreComplete) return;
    throw new GatewayError(
      `nothing with IP policies has the name ${quote(wrong.resource)} of --clients: correct it, as the access table ` +
        "writes it; if the preview leaves out unchanged resources, run it with --show-sames",
    );
  }
}

function logName(text: string): { file: string; resource: string | undefined } {
  const [file = "", ...resource] = text.split("=");
  return { file, resource: resource.length === 0 ? undefined : resource.join("=") };
}

async function logIn(text: string, field: string | undefined): Promise<NamedLog> {
  const { file, resource } = logName(text);
  const log = new ClientLog(field);
  try {
    for await (const chunk of createReadStream(file)) log.push(chunk as Buffer);
  } catch (error) {
    throw new GatewayError(`the log could not be read: ${(error as Error).message}`);
  }
  log.end();
  const { lines, linesWithAddress } = log;
  const where = field === undefined ? "" : ` in ${quote(field)}`;
  const count = `${linesWithAddress} of ${counted(lines, "line")}`;
  if (linesWithAddress === 0)
    throw new GatewayError(
      `${file}: an address${where} is in ${count}: correct --clients or --clients-field`,
    );
  if (linesWithAddress < lines) note(`${file}: an address${where} is in ${count}; the others are ignored`);
  return { isMatched: false, log, resource };
}
