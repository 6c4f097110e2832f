/** Creates, reads, updates and deletes objects: what all clients have in common, and the client of objects with their own paths. */
import type { Declaration } from "../../schema/declaration";
import { noState } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import type { Answer, Arguments } from "../../schema/values";
import { withArticle } from "../../schema/text/phrase";
import { AnswerError, ApiError, GatewayError, IncompleteError, isLost, ofAnother } from "../errors";
import type { Http } from "../http/http";
import type { Budget } from "../http/retry";
import { isConfigured, matchesRequest } from "./answers";
import type { AsAsked, CreatedObject } from "./answers";
import type { ListRequest } from "../http/pagination";
import { formOf, idIn, namesIn, segment, valuesIn } from "../http/path";
import type { Call } from "../http/path";
import { answerValidator, holdsMember, validated } from "./response-schema";
import type { Validator } from "./response-schema";
import { toWire } from "./wire";
import { isReleased, noteReleases, onceReleased } from "./in-use";
import { afterLag, ifFound, noteCreation, noteDeletion, proveAbsence, requireOwnAnswer } from "./absence";
import { OwnPaths } from "./own-paths";
import type { OtherPlugins } from "./own-paths";
import { upAgain } from "../settings/broker-settings";

/** What an update may send: the changed arguments, or all that the program gives. */
export interface UpdateArguments {
  readonly changed: Arguments;
  readonly args: Arguments;
  /** The state before the update. */
  readonly prior: RecordedState;
}

/** Each operation takes effect once, even if requests fail or answers are lost. */
export interface ObjectClient extends Pick<
  BaseClient,
  "create" | "read" | "lookUp" | "update" | "remove" | "paths"
> {
  /** Notes that the program still has the object of a state. */
  declared?(id: string, state: RecordedState): void;
}

export abstract class BaseClient {
  protected readonly validator: Validator;
  /** What the process knows of the objects' places; undefined if objects may share one. */
  readonly paths?: OwnPaths;

  /** @param list the collection's list; undefined if it has none. */
  constructor(
    protected readonly declaration: Declaration,
    protected readonly http: Http,
    private readonly list?: ListRequest,
  ) {
    this.validator = answerValidator(declaration);
  }

  /** @param urn the URN of the resource, if its creation needs it. */
  abstract create(args: Arguments, urn?: string): Promise<CreatedObject | AsAsked>;
  /** The answer; undefined if the object is exactly as its arguments. */
  abstract update(id: string, args: UpdateArguments): Promise<Answer | undefined>;

  /**
   * The object's answer; undefined if it certainly does not exist.
   * @param prior its last state, or `noState`.
   * @param _isAsRecorded whether an answer shows no drift. A list that does is not believed.
   */
  read(
    id: string,
    prior: RecordedState,
    _isAsRecorded?: (answer: Answer) => boolean,
  ): Promise<Answer | undefined> {
    return this.fetch(id, prior);
  }

  /** The object as it is now, by a request of its own; undefined if it certainly does not exist. */
  lookUp(id: string): Promise<Answer | undefined> {
    return this.read(id, noState);
  }

  /** The path of the object with the id. */
  protected abstract address(id: string): string;

  /**
   * Deletes the object. Succeeds if it certainly does not exist.
   * @returns the warning about what stays, as a clause that follows the id; undefined if nothing stays.
   */
  async remove(id: string, prior: RecordedState): Promise<string | undefined> {
    const operation = this.words("deleting", id);
    const budget = this.http.budget();
    const call = { method: "DELETE", path: this.address(id), operation } as const;
    const sent = onceReleased(this.http, id, budget, () =>
      this.afterLag(id, prior, budget, () => this.http.send(call, budget)),
    );
    const proven = ifFound(sent, (refusal) => proveAbsence(this.http, refusal, this.list));
    await proven.catch((error: unknown) => {
      throw isReleased(this.http, id) ? error : withAdvice(error);
    });
    noteDeletion(this.http, call.path);
    noteReleases(this.http, this.declaration, prior.outputs);
    return undefined;
  }

  /** Reads the object by a request of its own; undefined if it certainly does not exist. */
  protected fetch(
    id: string,
    prior: RecordedState,
    budget = this.http.budget(),
  ): Promise<Answer | undefined> {
    const sent = this.afterLag(id, prior, budget, () => this.request(id, budget));
    return ifFound(sent, (refusal) => proveAbsence(this.http, refusal, this.list));
  }

  private afterLag<T>(id: string, prior: RecordedState, budget: Budget, send: () => Promise<T>): Promise<T> {
    const { list } = this;
    const createdAt = prior.outputs.createdAt ?? prior.createdAt;
    return afterLag(this.http, { path: this.address(id), createdAt, list }, budget, send);
  }

  private async request(id: string, budget: Budget): Promise<Answer> {
    const operation = this.words("reading", id);
    const { body } = await this.http.send({ method: "GET", path: this.address(id), operation }, budget);
    return this.validateAnswer(operation, body, id, false);
  }

  /** Sends a write that may be repeated. If its answer is lost, the object itself shows the outcome. */
  protected async sendWrite(call: Call, id: string, sent: Arguments, prior = noState): Promise<Answer> {
    const budget = this.http.budget();
    let wasLost = false;
    try {
      for (;;) {
        try {
          const { body } = await this.afterLag(id, prior, budget, () => this.http.send(call, budget));
          return this.validateAnswer(call.operation, body, id, true);
        } catch (error) {
          const isRepeated = wasLost && isConflict(error);
          if (!isLost(error) && !isRepeated) throw withAdvice(error, this.declaration.conflictAdvice);
          wasLost = true;
          // Between two attempts of a write it does not matter why the service shows no object.
          const object = await ifFound(this.request(id, budget), () => undefined);
          // What the object does not show, such as a secret, may be as before unless an answer says that the write was done.
          const isDone = isRepeated || error instanceof AnswerError;
          const known = isDone ? sent : valuesIn(this.declaration.path, id);
          if (object && matchesRequest(this.declaration, object, sent, this.http.settings, known))
            return object;
          if (isRepeated) throw withAdvice(error, this.declaration.conflictAdvice);
          await this.http.pause(error, budget);
        }
      }
    } catch (error) {
      if (wasLost) (error as GatewayError).mayBeDone = true;
      throw error;
    }
  }

  /** Validates the answer to a read or, if `done`, to a write of the object, and returns it. */
  protected validateAnswer(operation: string, body: unknown, id: string, done: boolean): Answer {
    const answer = validated(operation, body, this.validator, done);
    if (this.declaration.style !== "collection" || answer.id === id) return answer;
    throw new AnswerError(operation, ofAnother, done);
  }

  protected words(verb: string, id?: string): string {
    return `${verb} the ${this.declaration.noun}${id === undefined ? "" : ` ${id}`}`;
  }
}

/** Objects whose path is their identity. Specification: Edge route and edge modules; Event sources. */
export class PathClient extends BaseClient {
  override readonly paths = new OwnPaths({
    note: (id, isRefused, args) => {
      // Only the arguments of sets are shared: those of modules hold secrets.
      const shared = this.declaration.setOf && args ? { args } : {};
      this.http.deployment?.note(this.sharedPlace(id), { isRefused, ...shared });
    },
    at: (id) =>
      (this.http.deployment?.elsewhere(this.sharedPlace(id)) ?? []) as ReturnType<OtherPlugins["at"]>,
  });

  async create(args: Arguments): Promise<CreatedObject | AsAsked> {
    const id = idIn(this.declaration.path, args);
    this.paths.declare(id, args);
    let created: CreatedObject | AsAsked;
    try {
      created = await this.createAt(id, args);
    } catch (error) {
      this.paths.refuse(id);
      throw error;
    }
    await this.removeReplaced(created);
    return created;
  }

  /** Deletes the object that the new one replaces, if Pulumi asked to delete it first. */
  private async removeReplaced(created: CreatedObject | AsAsked): Promise<void> {
    const left = this.paths.arrive(created.id);
    if (left === undefined) return;
    try {
      await this.remove(left.id, left.prior);
    } catch (error) {
      const reason = (error as Error).message;
      throw new IncompleteError(
        `the ${this.declaration.noun} ${left.id}, which this one replaces, was not deleted: ${reason}. Delete it ` +
          "by hand, because it is no longer in the stack",
        created.id,
        created.answer,
      );
    }
  }

  protected async createAt(id: string, args: Arguments): Promise<CreatedObject | AsAsked> {
    const { noun, style, fields } = this.declaration;
    const existing = await this.existingAt(id);
    // PUT would silently take over what another stack or person manages, so an existing one is an error.
    if (existing && !this.paths.isOwn(id, args, () => this.isAsAsked(existing, args)))
      throw new GatewayError(
        `creating the ${noun} failed: ${id} exists already. ${renamed}. ${movedThere}. ${inPlace}. ${importIt}`,
      );
    // A member of another object has nothing that could change.
    if (existing && style === "member") return { id, answer: existing };
    const [operation, body, path] = [this.words("creating", id), toWire(fields, args), this.address(id)];
    const call: Call =
      style === "singleton"
        ? { method: "PUT", path, body, operation }
        : { method: "POST", path: parentOf(path), body, operation };
    const answer = await this.sendWrite(call, id, args);
    noteCreation(this.http, path);
    return { id, answer };
  }

  async update(id: string, { args, prior }: UpdateArguments): Promise<Answer | undefined> {
    this.paths.declare(id, args);
    const body = toWire(this.declaration.fields, args);
    const operation = this.words("updating", id);
    const call = { method: "PUT", path: this.address(id), body, operation } as const;
    const answer = await this.sendWrite(call, id, args, prior);
    noteReleases(this.http, this.declaration, prior.outputs, args);
    return answer;
  }

  /** Deletes the object unless the program declares it: then Pulumi means an earlier object at the same path. */
  override async remove(id: string, prior: RecordedState): Promise<string | undefined> {
    const { noun } = this.declaration;
    if (!this.paths.isDeclared(id))
      return this.paths.defer(id, prior) ? deferredNote : super.remove(id, prior);
    if (this.paths.isRefused(id))
      throw new GatewayError(
        `the ${noun} ${id} was not deleted: the program declares it at this path, and its creation failed. Fix the ` +
          `cause of that, and ${upAgain()}`,
      );
    this.paths.keep(id);
    return declaredNote(this.declaration);
  }

  /** Explains a 404: the object that this one is a part of does not exist. */
  protected override async sendWrite(
    call: Call,
    id: string,
    sent: Arguments,
    prior?: RecordedState,
  ): Promise<Answer> {
    try {
      return await super.sendWrite(call, id, sent, prior);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.isGone || !error.refused.own) throw error;
      throw error.because(`the ${this.ownerOf(id)} does not exist`);
    }
  }

  /** The key of the path in the notes of all plugins. No two accounts use the same id. */
  private sharedPlace(id: string): string {
    return `${this.http.settings.baseUrl} ${this.declaration.type} ${id}`;
  }

  /** The objects that this one is a part of, such as "route edghtsrt_1 of the edge edghts_1". */
  private ownerOf(id: string): string {
    const { path } = this.declaration;
    const ids = Object.entries(valuesIn(path, id)).filter(([name]) => name.endsWith("Id"));
    return ids
      .map(([name, value]) => `${name.slice(0, -"Id".length)} ${String(value)}`)
      .reverse()
      .join(" of the ");
  }

  private isAsAsked(existing: Answer, args: Arguments): boolean {
    return matchesRequest(this.declaration, existing, args, this.http.settings);
  }

  /** The object at a path; undefined if none was set there: the service answers 404, or 200 without content. */
  private async existingAt(id: string): Promise<Answer | undefined> {
    const operation = this.words("reading", id);
    const sent = this.http.send({ method: "GET", path: this.address(id), operation });
    const body = (await ifFound(sent, (refusal) => requireOwnAnswer(this.http, refusal)))?.body ?? undefined;
    if (body === undefined) return undefined;
    const answer = validated(operation, body, this.validator, false);
    return isConfigured(this.declaration, answer) ? answer : undefined;
  }

  protected override validateAnswer(operation: string, body: unknown, id: string, done: boolean): Answer {
    const answer = super.validateAnswer(operation, body, id, done);
    if (!done || holdsMember(this.declaration, answer)) return answer;
    throw new AnswerError(operation, `it holds no member of the ${this.declaration.noun}`, true);
  }

  protected address(id: string): string {
    const { path, noun, style } = this.declaration;
    const [names, values] = [namesIn(path), valuesIn(path, id)];
    // The name of a member, such as an event type, may hold slashes.
    const isTooLong = style !== "member" && id.split("/").length > names.length;
    if (isTooLong || Object.values(values).includes("")) {
      throw new GatewayError(
        `${JSON.stringify(id)} is not the id of ${withArticle(noun)}; it has the form ${formOf(this.declaration)}`,
      );
    }
    return path.replace(/\{(\w+)\}/g, (_, name: string) => segment(String(values[name])));
  }
}

/** What to do if an object exists already. */
export const renamed = "If it has a new name in the program, add the resource option aliases";
const movedThere =
  "If another resource of the program leaves it, let this one depend on that one (dependsOn), or move that one first and " +
  "declare this one in the next deployment";
const inPlace =
  "If Pulumi replaces it (--target-replace, pulumi state taint), add --refresh to pulumi up, or leave the replacement out: both change it " +
  "in place";
export const importIt = "If it was made elsewhere, import it with npx pulumi-tunnel-gateway import";

/** The warning about an object that Pulumi asks to delete before its replacement exists. */
export const deferredNote = "is not deleted yet: it stays until its replacement exists";

/** The warning about an object that Pulumi asks to delete and the program declares. */
export function declaredNote({ noun }: Declaration): string {
  return `was not deleted, because the program declares this ${noun}: it stays as declared`;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The error, with the advice if the service refused because of another object. */
export function withAdvice(error: unknown, advice = "Change or delete that object first"): unknown {
  return isConflict(error) ? error.advised(advice) : error;
}

export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409;
}
