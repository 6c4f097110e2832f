/** Creates, reads, updates and deletes objects whose path is their identity. */
import type { RecordedState } from "../../schema/recorded-state";
import { withArticle } from "../../schema/text/phrase";
import type { Answer, Arguments } from "../../schema/values";
import { AnswerError, ApiError, GatewayError, IncompleteError } from "../errors";
import { formOf, idIn, namesIn, segment, valuesIn } from "../http/path";
import type { Call } from "../http/path";
import { upAgain } from "../settings/broker-settings";
import { ifFound, noteCreation, requireOwnAnswer } from "./absence";
import { isConfigured, matchesRequest } from "./answers";
import type { AsAsked, CreatedObject } from "./answers";
import { noteReleases } from "./in-use";
import { BaseClient, declaredNote, importIt, renamed } from "./object-client";
import type { UpdateArguments } from "./object-client";
import { OwnPaths } from "./own-paths";
import type { OtherPlugins } from "./own-paths";
import { holdsMember, validated } from "./response-schema";
import { toWire } from "./wire";

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
        : { method: "POST", path: path.slice(0, path.lastIndexOf("/")), body, operation };
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
    return isConfigured(this.declaration, answer, false) ? answer : undefined;
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

const movedThere =
  "If another resource of the program leaves it, let this one depend on that one (dependsOn), or move that one first and " +
  "declare this one in the next deployment";
const inPlace =
  "If Pulumi replaces it (--target-replace, pulumi state taint), add --refresh to pulumi up, or leave the replacement out: both change it " +
  "in place";

/** The warning about an object that Pulumi asks to delete before its replacement exists. */
export const deferredNote = "is not deleted yet: it stays until its replacement exists";
