/** How objects are addressed, made, read, changed and deleted: one strategy per style of declaration. */
import type { Declaration } from "../../schema/declaration";
import { same } from "../../schema/equality";
import { wireName } from "../../schema/field";
import { isRecord } from "../../schema/unknown";
import { secretsOfCreation } from "../../schema/secrets";
import { answerValidator, holdsMember, validated } from "../response-schema";
import type { Validator } from "../response-schema";
import { AnswerError, ApiError, GatewayError } from "../errors";
import type { Http } from "../http/http";
import type { Call } from "../path";
import { isConfigured, matchesRequest } from "../life-cycle/answers";
import type { AsAsked, CreatedObject } from "../life-cycle/answers";
import { ifFound, proveAbsence, requireOwnAnswer } from "./absence";
import { LostCreates } from "./lost-creates";
import { MarkedCreate, needsMark } from "./marked-create";
import type { CreationSteps } from "./marked-create";
import { listRequest, pages } from "../pagination";
import type { ListRequest } from "../pagination";
import { formOf, idIn, namesIn, segment, valuesIn } from "../path";
import { listCacheOf } from "./list-cache";
import type { ListCache } from "./list-cache";
import { isLost } from "../http/retry";
import type { Budget } from "../http/retry";
import { fromWire, toWire } from "../wire";
import { noState } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import type { Answer, Arguments, Body, Outputs } from "../../schema/values";

/** The arguments that an update may send: the changed ones, or all of them. */
export interface UpdateArguments {
  readonly changed: Arguments;
  readonly full: Arguments;
  /** The state before the update. */
  readonly prior: RecordedState;
}

/** Of the arguments of an update, what an object of a collection needs. */
type CollectionUpdate = Pick<UpdateArguments, "changed"> & Partial<Pick<UpdateArguments, "prior">>;

/** Each operation takes effect once, whatever happens to its requests and answers. */
export type ObjectClient = Pick<BaseClient, "create" | "read" | "lookUp" | "update" | "remove">;

abstract class BaseClient {
  protected readonly validator: Validator;

  /** @param list the collection's list; undefined for what has none. */
  constructor(
    protected readonly declaration: Declaration,
    protected readonly http: Http,
    private readonly list?: ListRequest,
  ) {
    this.validator = answerValidator(declaration);
  }

  abstract create(args: Arguments): Promise<CreatedObject | AsAsked>;
  /** The answer; undefined where the object is just what its arguments say. */
  abstract update(id: string, args: UpdateArguments): Promise<Answer | undefined>;

  /**
   * The object's answer; undefined where it certainly does not exist. `prior`: its last outputs, where there are
   * some.
   */
  read(id: string, _prior: RecordedState): Promise<Answer | undefined> {
    return this.fetch(id);
  }

  /** The object as it is now, by a request of its own; undefined where it certainly does not exist. */
  lookUp(id: string): Promise<Answer | undefined> {
    return this.read(id, noState);
  }

  /** The path of the object with the id. */
  protected abstract address(id: string): string;

  /** Deletes the object. Success where it certainly does not exist. */
  async remove(id: string, _prior: RecordedState): Promise<void> {
    const operation = this.words("deleting", id);
    const sent = this.http.send({ method: "DELETE", path: this.address(id), operation });
    const proven = ifFound(sent, (refusal) => proveAbsence(this.http, refusal, this.list));
    await proven.catch((error: unknown) => {
      throw withAdvice(error);
    });
  }

  /** Reads the object by a request of its own; undefined where it certainly does not exist. */
  protected fetch(id: string, budget?: Budget): Promise<Answer | undefined> {
    return ifFound(this.request(id, budget), (refusal) => proveAbsence(this.http, refusal, this.list));
  }

  private async request(id: string, budget?: Budget): Promise<Answer> {
    const operation = this.words("reading", id);
    const { body } = await this.http.send({ method: "GET", path: this.address(id), operation }, budget);
    return validated(operation, body, this.validator, false);
  }

  /** Sends a write that may be repeated; where its answer is lost the object itself tells what became of it. */
  protected async write(call: Call, id: string, sent: Arguments): Promise<Answer> {
    const budget = this.http.budget();
    for (let wasLost = false; ; wasLost = true) {
      try {
        const { body } = await this.http.send(call, budget);
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

/** POST to the collection, then the object by its id. Specification: Standard operations. */
export class CollectionClient extends BaseClient {
  private readonly lostCreates: LostCreates;
  private readonly cache: ListCache;

  constructor(declaration: Declaration, http: Http) {
    super(declaration, http, listRequest(declaration));
    this.lostCreates = new LostCreates(declaration, http);
    this.cache = listCacheOf(http, declaration);
  }

  async create(args: Arguments): Promise<CreatedObject> {
    try {
      return await this.writing(args, () =>
        needsMark(this.declaration)
          ? new MarkedCreate(this.declaration, this.http, this.steps()).create(args)
          : this.createUnmarked(args),
      );
    } catch (error) {
      throw await this.explained(error, args);
    }
  }

  /** The requests of a creation with a mark. */
  steps(): CreationSteps {
    return {
      post: (marked, budget) => this.post(marked, budget),
      update: (id, changed) => this.update(id, { changed }),
      remove: (id) => this.remove(id, noState),
    };
  }

  private async createUnmarked(args: Arguments): Promise<CreatedObject> {
    const budget = this.http.budget();
    let lost: GatewayError | undefined;
    for (;;) {
      const end = await this.lostCreates.begin();
      let failure: GatewayError;
      let hasWaited: boolean;
      let search: Promise<Answer | undefined>;
      try {
        return await this.post(args, budget);
      } catch (error) {
        // After a lost answer, a conflict is with the object that the lost create made late.
        const isLate = lost !== undefined && this.mayConflict(error);
        if (!isLost(error) && !isLate) throw error;
        failure = error as GatewayError;
        lost ??= failure;
        this.http.announce(failure, budget);
        hasWaited = await this.http.pauseIfAsked(failure, budget);
        search = this.lostCreates.search(args, lost, hasWaited);
      } finally {
        end();
      }
      const object = await search;
      if (object) return this.created(object);
      if (!isLost(failure)) throw failure;
      if (!hasWaited) await this.http.pause(failure, budget);
    }
  }

  override async read(id: string): Promise<Answer | undefined> {
    this.lostCreates.know(id);
    const answer = await this.cache.find(id);
    return answer ? validated(this.words("reading", id), answer, this.validator, false) : this.fetch(id);
  }

  override lookUp(id: string): Promise<Answer | undefined> {
    return this.fetch(id);
  }

  async update(id: string, { changed, prior }: CollectionUpdate): Promise<Answer> {
    this.lostCreates.know(id);
    const [operation, body] = [this.words("updating", id), this.body(changed)];
    const call = { method: "PATCH", path: this.address(id), body, operation } as const;
    return this.writing(prior?.outputs, () => this.write(call, id, changed));
  }

  override async remove(id: string, prior: RecordedState): Promise<void> {
    this.lostCreates.know(id);
    if (this.cache.adopted.has(id)) return;
    return this.writing(prior.outputs, () => super.remove(id, prior));
  }

  /** Does work that writes to an object with the values: a set of its parent must not see an earlier list. */
  private writing<T>(values: Arguments | Outputs = {}, work: () => Promise<T>): Promise<T> {
    const { parentId } = this.declaration;
    return parentId === undefined ? work() : this.cache.write(values[parentId], work);
  }

  protected address(id: string): string {
    return `${this.declaration.path}/${segment(id)}`;
  }

  private async post(args: Arguments, budget: Budget): Promise<CreatedObject> {
    const operation = this.words("creating");
    const call = { method: "POST", path: this.declaration.path, body: this.body(args), operation } as const;
    const sentAt = this.http.timing.now();
    const { body } = await this.http.send(call, budget);
    const id = isRecord(body) ? body.id : undefined;
    if (isRecord(body) && typeof id === "string" && id !== "") return this.created(body);
    throw Object.assign(new AnswerError(operation, "it holds no id", true), { sentAt });
  }

  private created(answer: Answer): CreatedObject {
    const id = answer.id as string;
    this.lostCreates.know(id);
    const missing = secretsOfCreation(this.declaration.fields)
      .map((name) => wireName(name, this.declaration.fields[name]!))
      .filter((name) => typeof answer[name] !== "string");
    const problem = this.validator(answer) ?? missing.map((name) => `the member ${name} is missing`)[0];
    const error = problem && new AnswerError(this.words("creating", id), problem, true);
    return { id, answer, ...(error ? { problem: error } : {}) };
  }

  /** Whether the refusal may be because of an equal object: no statement says by which status services say so. */
  private mayConflict(error: unknown): error is ApiError {
    const isRefusal = error instanceof ApiError && [400, 422].includes(error.status);
    return isConflict(error) || (this.declaration.unique !== undefined && isRefusal);
  }

  /** A refusal because of an equal object has three usual reasons, and each has a way out. */
  private async explained(error: unknown, args: Arguments): Promise<unknown> {
    const { unique, noun, conflictAdvice } = this.declaration;
    if (!this.mayConflict(error)) return error;
    if (!unique) return withAdvice(error, conflictAdvice);
    // Where the account cannot be searched, the refusal itself is what there is to say.
    const id = await this.equalTo(args, unique).catch(() => undefined);
    if (id === undefined && !isConflict(error)) return error;
    const which = id === undefined ? `Only one ${noun} may have` : `The ${noun} ${id} has`;
    return error.advised(
      `${which} this ${unique.join(" and ")}. ${renamed}. If Pulumi replaces it, set deleteBeforeReplace. ${importIt}`,
    );
  }

  /** The id of the object with the same values of these arguments. */
  private async equalTo(args: Arguments, unique: readonly string[]): Promise<string | undefined> {
    const { fields } = this.declaration;
    const operation = `looking for an equal ${this.declaration.noun}`;
    const list = { ...listRequest(this.declaration), operation };
    for await (const page of pages(this.http, list)) {
      const equal = page.find((object) => {
        const values = fromWire(fields, object, {});
        return unique.every((name) => same(fields[name]!, values[name], args[name]));
      });
      if (equal !== undefined) return String(equal.id);
    }
    return undefined;
  }
}

const renamed = "If it has a new name in the program, add the resource option aliases";
const inPlace =
  "If Pulumi replaces it (--target-replace, pulumi state taint, a transform), leave that out: an update changes it in place";
const importIt = "If it was made elsewhere, import it with tunnel-gateway import";

/** Objects whose path is their identity. Specification: Edge route and edge modules; Event sources. */
export class PathClient extends BaseClient {
  async create(args: Arguments): Promise<CreatedObject | AsAsked> {
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
    return { id, answer: await this.write(call, id, args) };
  }

  update(id: string, { full }: UpdateArguments): Promise<Answer | undefined> {
    const [operation, body] = [this.words("updating", id), this.body(full)];
    return this.write({ method: "PUT", path: this.address(id), body, operation }, id, full);
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
        `${JSON.stringify(id)} is not the id of a ${noun}; it has the form ${formOf(this.declaration)}`,
      );
    }
    return path.replace(/\{(\w+)\}/g, (_, name: string) => segment(values[name]!));
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The error; with the advice where it is a refusal because of another object. */
function withAdvice(error: unknown, advice = "Change or delete that object first"): unknown {
  return isConflict(error) ? error.advised(advice) : error;
}

function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409;
}
