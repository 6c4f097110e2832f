/** The objects of a collection, which get their id from the service. */
import type { Declaration } from "../../schema/declaration";
import { same } from "../../schema/equality";
import type { Json } from "../../schema/json";
import { noState } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { declaresRules } from "../../schema/rule-set";
import { isRecord } from "../../schema/unknown";
import type { Answer, Arguments, FieldValues } from "../../schema/values";
import { waited } from "../tracing/tracing";
import { AnswerError, ApiError, isLost, mayBeMade, ofAnother } from "../errors";
import type { GatewayError } from "../errors";
import type { Http } from "../http/http";
import type { Budget } from "../http/retry";
import { matchesRequest } from "./answers";
import type { CreatedObject } from "./answers";
import { listRequest, pages } from "../http/pagination";
import { segment } from "../http/path";
import { validated } from "./response-schema";
import { fromWire, toWire } from "./wire";
import { noteCreation } from "./absence";
import { addressHolder, isSameAddress, mayBeAboutAddress } from "./address-holder";
import { listCacheOf } from "./list-cache";
import type { ListCache } from "./list-cache";
import { LostCreates } from "./lost-creates";
import { BaseClient, importIt, isConflict, declaredNote, renamed, withAdvice } from "./object-client";
import type { UpdateArguments } from "./object-client";
import { OwnPaths } from "./own-paths";
import { noteReleases } from "./in-use";

/** A create waits while a search for the objects of lost answers is under way. */
const forLostAnswers = "wait for lost answers";

/** POST to the collection, then the object by its id. Specification: Standard operations. */
export class CollectionClient extends BaseClient {
  override readonly paths: OwnPaths | undefined;
  private readonly lostCreates: LostCreates;
  private readonly cache: ListCache;
  /** The policies for which `leave` has reported. */
  private readonly left = new Set<unknown>();

  constructor(declaration: Declaration, http: Http) {
    super(declaration, http, listRequest(declaration));
    this.paths = declaration.unique && new OwnPaths();
    this.lostCreates = new LostCreates(declaration, http);
    this.cache = listCacheOf(http, declaration);
  }

  async create(args: Arguments, urn?: string): Promise<CreatedObject> {
    try {
      return await this.outdateAfter(args, () => this.createOnce(args, urn));
    } catch (error) {
      return this.afterFailure(error, args);
    }
  }

  /** Creates one object, even if answers are lost. */
  protected async createOnce(args: Arguments, _urn?: string): Promise<CreatedObject> {
    const budget = this.http.budget();
    let lost: GatewayError | undefined;
    for (;;) {
      const end = await waited(forLostAnswers, () => this.lostCreates.begin());
      let failure: GatewayError;
      let isOneEnough: boolean;
      let search: Promise<Answer | undefined>;
      try {
        return await this.post(args, budget);
      } catch (error) {
        // After a lost answer, the conflict may be with the object that the lost create made.
        const isLate = lost !== undefined && this.mayConflict(error);
        if (!mayBeMade(error) && !isLate) throw error;
        failure = error as GatewayError;
        lost ??= failure;
        isOneEnough = await this.http.prepareSearch(failure, budget);
        search = this.lostCreates.search(args, lost, isOneEnough);
      } finally {
        end();
      }
      const object = await waited(forLostAnswers, () => search);
      if (object) return this.created(object);
      if (!isLost(failure)) throw failure;
      if (!isOneEnough) await this.http.pause(failure, budget);
    }
  }

  declared(id: string): void {
    this.lostCreates.know(id);
    if (declaresRules(this.declaration)) this.cache.noteSingle(id);
  }

  override async read(
    id: string,
    prior: RecordedState,
    isAsRecorded: (answer: Answer) => boolean = () => true,
  ): Promise<Answer | undefined> {
    this.lostCreates.know(id);
    const fetch = (): Promise<Answer | undefined> => this.fetch(id, prior);
    const listed = await this.cache.find(id);
    if (listed === undefined) return fetch();
    const answer = validated(this.words("reading", id), listed, this.validator, false);
    return (await this.cache.confirmed([answer], isAsRecorded, fetch))[0];
  }

  override lookUp(id: string): Promise<Answer | undefined> {
    return this.fetch(id, noState);
  }

  async update(id: string, { changed, prior }: Omit<UpdateArguments, "args">): Promise<Answer> {
    this.lostCreates.know(id);
    const [operation, body] = [this.words("updating", id), toWire(this.declaration.fields, changed)];
    const call = { method: "PATCH", path: this.address(id), body, operation } as const;
    const before = prior.outputs;
    const after = { ...before, ...changed };
    try {
      const answer = await this.outdateAfter(before, () => this.sendWrite(call, id, changed, prior));
      noteReleases(this.http, this.declaration, before, after);
      return answer;
    } catch (error) {
      const isUnrelated = isSameAddress(this.declaration, before, after);
      throw (isUnrelated ? undefined : await this.withHolder(error, after, id)) ?? error;
    }
  }

  override async remove(id: string, prior: RecordedState): Promise<string | undefined> {
    this.lostCreates.know(id);
    if (this.cache.isHeld(prior.outputs)) {
      this.leave(prior.outputs.ipPolicyId);
      return undefined;
    }
    if (this.paths?.isKept(id)) return declaredNote(this.declaration);
    const left = await this.outdateAfter(prior.outputs, () => super.remove(id, prior));
    if (declaresRules(this.declaration)) this.cache.noteDeleted(prior.outputs);
    return left;
  }

  /** Reports, once for a policy, that rules stay in the account although their resources leave the stack. */
  private leave(policy: unknown): void {
    if (this.left.has(policy)) return;
    this.left.add(policy);
    this.http.report(
      `${String(policy)}: a rule set holds ${this.declaration.plural} whose resources leave the stack; the rules stay, and ` +
        "only the state changes",
    );
  }

  /** Runs a write. After it, no set uses an earlier list of the policy's rules. */
  private outdateAfter<T>(values: FieldValues, work: () => Promise<T>): Promise<T> {
    return declaresRules(this.declaration) ? this.cache.outdateAfter(values.ipPolicyId, work) : work();
  }

  protected address(id: string): string {
    return `${this.declaration.path}/${segment(id)}`;
  }

  protected async post(args: Arguments, budget: Budget): Promise<CreatedObject> {
    const operation = this.words("creating");
    const { path, fields } = this.declaration;
    const call = { method: "POST", path, body: toWire(fields, args), operation } as const;
    const sentAt = this.http.timing.now();
    const { body } = await this.http.send(call, budget);
    const id = isRecord(body) ? body.id : undefined;
    const hasId = isRecord(body) && typeof id === "string" && id !== "";
    if (hasId && !this.lostCreates.isKnown(id)) return this.created(body);
    throw Object.assign(new AnswerError(operation, hasId ? ofAnother : "it holds no id", true), { sentAt });
  }

  /** The object of an answer to its creation, or of one that a search found. */
  protected created(answer: Answer, problem = this.validator(answer)): CreatedObject {
    const id = answer.id as string;
    this.lostCreates.know(id);
    noteCreation(this.http, this.address(id));
    const error = problem && new AnswerError(this.words("creating", id), problem, true);
    return { id, answer, ...(error ? { problem: error } : {}) };
  }

  /** Whether an equal object may be the reason for the refusal. The specification states no status for it. */
  private mayConflict(error: unknown): error is ApiError {
    const isRefusal = error instanceof ApiError && [400, 422].includes(error.status);
    return isConflict(error) || (this.declaration.unique !== undefined && isRefusal);
  }

  /**
   * The old object that an interrupted replacement left, if it is the reason for the refusal and the program declares it again.
   * Throws any other refusal. The refusal of an equal object has three usual reasons, and the error says what to do about each.
   */
  private async afterFailure(error: unknown, args: Arguments): Promise<CreatedObject> {
    const { unique, noun, conflictAdvice } = this.declaration;
    const explained = await this.withHolder(error, args);
    if (explained) throw explained;
    if (!this.mayConflict(error)) throw error;
    if (!unique) throw withAdvice(error, conflictAdvice);
    // If the account cannot be searched, the refusal itself is reported.
    const id = await this.equalTo(args, unique).catch(() => undefined);
    if (id === undefined && error.status !== 409) throw error;
    const left = id !== undefined && this.paths?.isEarlier(id) ? await this.fetch(id, noState) : undefined;
    if (left && matchesRequest(this.declaration, left, args, this.http.settings)) {
      this.paths!.keep(id!);
      return this.created(left);
    }
    const which = id === undefined ? `Only one ${noun} may have` : `The ${noun} ${id} has`;
    throw error.advised(
      `${which} this ${unique.join(" and ")}. ${renamed}. If Pulumi replaces it, set deleteBeforeReplace. ${importIt}`,
    );
  }

  /** The refusal with advice that names the object which has the address; undefined if no other object has it. */
  private async withHolder(error: unknown, values: Json, id?: string): Promise<ApiError | undefined> {
    if (!mayBeAboutAddress(error)) return undefined;
    // If the account cannot be searched, the refusal itself is reported.
    const advice = await addressHolder(this.http, this.declaration, values, id).catch(() => undefined);
    return advice === undefined ? undefined : error.advised(advice);
  }

  /** The id of the object with the same values of these arguments. */
  private async equalTo(args: Arguments, unique: readonly string[]): Promise<string | undefined> {
    const { fields } = this.declaration;
    const operation = `looking for an equal ${this.declaration.noun}`;
    const list = { ...listRequest(this.declaration), operation };
    for await (const page of pages(this.http, list)) {
      const equal = page.find((object) => {
        const values = fromWire(fields, object);
        return unique.every((name) => same(fields[name]!, values[name], args[name]));
      });
      if (equal !== undefined) return String(equal.id);
    }
    return undefined;
  }
}
