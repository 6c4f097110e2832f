/** Creates, reads, updates and deletes objects: what all clients have in common. */
import type { Declaration } from "../../schema/declaration";
import { noState } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import type { Answer, Arguments } from "../../schema/values";
import { AnswerError, ApiError, isLost, ofAnother } from "../errors";
import type { GatewayError } from "../errors";
import type { Http } from "../http/http";
import type { Budget } from "../http/retry";
import { matchesRequest } from "./answers";
import type { AsAsked, CreatedObject } from "./answers";
import type { ListRequest } from "../http/pagination";
import { valuesIn } from "../http/path";
import type { Call } from "../http/path";
import { answerValidator, validated } from "./response-schema";
import type { Validator } from "./response-schema";
import { isReleased, noteReleases, onceReleased } from "./in-use";
import { afterLag, ifFound, noteDeletion, proveAbsence } from "./absence";
import type { OwnPaths } from "./own-paths";

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

/** What to do if an object exists already. */
export const renamed = "If it has a new name in the program, add the resource option aliases";
export const importIt = "If it was made elsewhere, import it with npx pulumi-tunnel-gateway import";

/** The warning about an object that Pulumi asks to delete and the program declares. */
export function declaredNote({ noun }: Declaration): string {
  return `was not deleted, because the program declares this ${noun}: it stays as declared`;
}

/** The error, with the advice if the service refused because of another object. */
export function withAdvice(error: unknown, advice = "Change or delete that object first"): unknown {
  return isConflict(error) ? error.advised(advice) : error;
}

export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409;
}
