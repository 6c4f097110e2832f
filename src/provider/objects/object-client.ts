/** How objects are addressed, made, read, changed and deleted: what all have in common, and those with a path of their own. */
import type { Declaration } from "../../schema/declaration";
import { noState } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import type { Answer, Arguments, Body } from "../../schema/values";
import { withArticle } from "../../text/phrase";
import { AnswerError, ApiError, GatewayError, isLost } from "../errors";
import type { Http } from "../http/http";
import type { Budget } from "../http/retry";
import { isConfigured, matchesRequest } from "../life-cycle/answers";
import type { AsAsked, CreatedObject } from "../life-cycle/answers";
import type { Given } from "../life-cycle/arguments";
import type { ListRequest } from "../pagination";
import { formOf, idIn, namesIn, segment, valuesIn } from "../path";
import type { Call } from "../path";
import { answerValidator, holdsMember, validated } from "../response-schema";
import type { Validator } from "../response-schema";
import { toWire } from "../wire";
import { afterLag, ifFound, noteCreation, noteDeletion, proveAbsence, requireOwnAnswer } from "./absence";

/** What an update may send: the changed arguments, or all that the program gives. */
export interface UpdateArguments {
  readonly changed: Arguments;
  readonly given: Given;
  /** The state before the update. */
  readonly prior: RecordedState;
}

/** Each operation takes effect once, whatever happens to its requests and answers. */
export type ObjectClient = Pick<BaseClient, "create" | "read" | "lookUp" | "update" | "remove">;

export abstract class BaseClient {
  protected readonly validator: Validator;

  /** @param list the collection's list; undefined for what has none. */
  constructor(
    protected readonly declaration: Declaration,
    protected readonly http: Http,
    private readonly list?: ListRequest,
  ) {
    this.validator = answerValidator(declaration);
  }

  abstract create(given: Given): Promise<CreatedObject | AsAsked>;
  /** The answer; undefined where the object is just what its arguments say. */
  abstract update(id: string, args: UpdateArguments): Promise<Answer | undefined>;

  /**
   * The object's answer; undefined where it certainly does not exist. `prior`: its last outputs, where there are
   * some.
   */
  read(id: string, prior: RecordedState): Promise<Answer | undefined> {
    return this.fetch(id, prior);
  }

  /** The object as it is now, by a request of its own; undefined where it certainly does not exist. */
  lookUp(id: string): Promise<Answer | undefined> {
    return this.read(id, noState);
  }

  /** The path of the object with the id. */
  protected abstract address(id: string): string;

  /** Deletes the object. Success where it certainly does not exist. */
  async remove(id: string, prior: RecordedState): Promise<void> {
    const operation = this.words("deleting", id);
    const budget = this.http.budget();
    const sent = this.afterLag(id, prior, budget, () =>
      this.http.send({ method: "DELETE", path: this.address(id), operation }, budget),
    );
    const proven = ifFound(sent, (refusal) => proveAbsence(this.http, refusal, this.list));
    await proven.catch((error: unknown) => {
      throw withAdvice(error);
    });
    noteDeletion(this.http, this.address(id));
  }

  /** Reads the object by a request of its own; undefined where it certainly does not exist. */
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
    const { createdAt } = prior.outputs;
    return afterLag(this.http, { path: this.address(id), createdAt, list }, budget, send);
  }

  private async request(id: string, budget: Budget): Promise<Answer> {
    const operation = this.words("reading", id);
    const { body } = await this.http.send({ method: "GET", path: this.address(id), operation }, budget);
    return validated(operation, body, this.validator, false);
  }

  /** Sends a write that may be repeated; where its answer is lost the object itself tells what became of it. */
  protected async write(call: Call, id: string, sent: Arguments, prior = noState): Promise<Answer> {
    const budget = this.http.budget();
    for (let wasLost = false; ; wasLost = true) {
      try {
        const { body } = await this.afterLag(id, prior, budget, () => this.http.send(call, budget));
        return this.written(call.operation, body);
      } catch (error) {
        const isRepeated = wasLost && isConflict(error);
        if (!isLost(error) && !isRepeated) throw withAdvice(error, this.declaration.conflictAdvice);
        // Between two attempts of a write it does not matter why the service shows no object.
        const object = await ifFound(this.request(id, budget), () => undefined);
        if (object && matchesRequest(this.declaration, object, sent, this.http.settings)) return object;
        if (isRepeated) throw withAdvice(error, this.declaration.conflictAdvice);
        await this.http.pause(error, budget);
      }
    }
  }

  /** The answer to a write. */
  protected written(operation: string, body: unknown): Answer {
    return validated(operation, body, this.validator, true);
  }

  protected body(args: Arguments): Body {
    return toWire(this.declaration.fields, args);
  }

  protected words(verb: string, id?: string): string {
    return `${verb} the ${this.declaration.noun}${id === undefined ? "" : ` ${id}`}`;
  }
}

/** Objects whose path is their identity. Specification: Edge route and edge modules; Event sources. */
export class PathClient extends BaseClient {
  async create({ args }: Given): Promise<CreatedObject | AsAsked> {
    const id = idIn(this.declaration.path, args);
    // PUT would silently take over what another stack or person manages, so an existing one is an error.
    if (await this.exists(id)) {
      throw new GatewayError(
        `creating the ${this.declaration.noun} failed: ${id} exists already. ${renamed}. ${inPlace}. ${importIt}`,
      );
    }
    const [operation, body, path] = [this.words("creating", id), this.body(args), this.address(id)];
    const call: Call =
      this.declaration.style === "singleton"
        ? { method: "PUT", path, body, operation }
        : { method: "POST", path: parentOf(path), body, operation };
    const answer = await this.write(call, id, args);
    noteCreation(this.http, path);
    return { id, answer };
  }

  update(id: string, { given: { args }, prior }: UpdateArguments): Promise<Answer | undefined> {
    const [operation, body] = [this.words("updating", id), this.body(args)];
    return this.write({ method: "PUT", path: this.address(id), body, operation }, id, args, prior);
  }

  /** Whether there is something to take over. What was never set may be answered 404, or 200 without content. */
  private async exists(id: string): Promise<boolean> {
    const operation = this.words("reading", id);
    const sent = this.http.send({ method: "GET", path: this.address(id), operation });
    const body = (await ifFound(sent, (refusal) => requireOwnAnswer(this.http, refusal)))?.body ?? undefined;
    if (body === undefined) return false;
    return isConfigured(this.declaration, validated(operation, body, this.validator, false));
  }

  protected override written(operation: string, body: unknown): Answer {
    const answer = super.written(operation, body);
    if (holdsMember(this.declaration, answer)) return answer;
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

/** The ways out where an object exists already. */
export const renamed = "If it has a new name in the program, add the resource option aliases";
const inPlace =
  "If Pulumi replaces it (--target-replace, pulumi state taint, a transform), leave that out: an update changes it in place";
export const importIt = "If it was made elsewhere, import it with npx pulumi-tunnel-gateway import";

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The error; with the advice where it is a refusal because of another object. */
export function withAdvice(error: unknown, advice = "Change or delete that object first"): unknown {
  return isConflict(error) ? error.advised(advice) : error;
}

export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409;
}
