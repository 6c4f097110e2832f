/** How objects are addressed, made, read, changed and deleted: one strategy per style of declaration. */
import type { Declaration } from "../declaration/collection";
import { isRecord } from "../declaration/unknown";
import { AnswerError, ApiError, GatewayError } from "./errors";
import type { Http } from "./http";
import { segment } from "./path";

export type Json = Readonly<Record<string, unknown>>;

/** What an update may send: the changed arguments, or all of them. */
export interface UpdateBody {
  readonly changed: Json;
  readonly full: Json;
}

export interface Access {
  /** Makes the object. */
  create(args: Json, body: Json): Promise<{ id: string; answer: Json }>;
  /** The object's answer; undefined where it does not exist. */
  read(id: string): Promise<Json | undefined>;
  /** Changes the object. */
  update(id: string, body: UpdateBody): Promise<Json>;
  /** Deletes the object; deleting what is gone is success. */
  remove(id: string): Promise<void>;
}

export function accessTo(declaration: Declaration, http: Http): Access {
  return declaration.style === "collection"
    ? new CollectionAccess(declaration, http)
    : new PathAccess(declaration, http);
}

abstract class BaseAccess implements Access {
  constructor(
    protected readonly declaration: Declaration,
    protected readonly http: Http,
  ) {}

  abstract create(args: Json, body: Json): Promise<{ id: string; answer: Json }>;
  abstract update(id: string, body: UpdateBody): Promise<Json>;
  /** The path of the object with the id. */
  protected abstract address(id: string): string;

  async read(id: string): Promise<Json | undefined> {
    const operation = this.words("reading", id);
    try {
      const { body } = await this.http.send({ method: "GET", path: this.address(id), operation });
      return asObject(operation, body);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    try {
      await this.http.send({
        method: "DELETE",
        path: this.address(id),
        operation: this.words("deleting", id),
      });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  protected words(verb: string, id?: string): string {
    return `${verb} the ${this.declaration.noun}${id === undefined ? "" : ` ${id}`}`;
  }
}

/** POST to the collection, then the object by its id. Specification: Standard operations. */
class CollectionAccess extends BaseAccess {
  async create(_args: Json, body: Json): Promise<{ id: string; answer: Json }> {
    const operation = this.words("creating");
    const call = { method: "POST", path: this.declaration.path, body, operation } as const;
    const made = await this.http.send(call).catch((error: unknown) => {
      throw this.explained(error);
    });
    const answer = asObject(operation, made.body);
    if (typeof answer.id !== "string" || answer.id === "") throw new AnswerError(operation, "it holds no id");
    return { id: answer.id, answer };
  }

  async update(id: string, body: UpdateBody): Promise<Json> {
    const operation = this.words("updating", id);
    const call = { method: "PATCH", path: this.address(id), body: body.changed, operation } as const;
    return asObject(operation, (await this.http.send(call)).body);
  }

  protected address(id: string): string {
    return `${this.declaration.path}/${segment(id)}`;
  }

  /** A refusal because of an equal object has two usual reasons, and each has a way out. */
  private explained(error: unknown): unknown {
    const { unique, noun } = this.declaration;
    if (!(error instanceof ApiError) || error.status !== 409 || unique === undefined) return error;
    return error.advised(
      `No two objects of the kind ${noun} may have the same ${unique.join(" and ")}. If it was renamed in the ` +
        `program, say so with the resource option aliases; if it is being replaced, set deleteBeforeReplace`,
    );
  }
}

/** Objects whose path is their identity. Specification: Edge route and edge modules; Event sources. */
class PathAccess extends BaseAccess {
  async create(args: Json, body: Json): Promise<{ id: string; answer: Json }> {
    const id = idOf(this.declaration, args);
    // PUT would silently take over what another stack or person manages, so an existing one is an error.
    if ((await this.read(id)) !== undefined) {
      throw new GatewayError(
        `creating the ${this.declaration.noun} failed: ${id} exists already. If it was renamed in the program, ` +
          `say so with the resource option aliases; to manage an existing one, import it`,
      );
    }
    const operation = this.words("creating", id);
    const answer =
      this.declaration.style === "singleton"
        ? await this.http.send({ method: "PUT", path: this.address(id), body, operation })
        : await this.http.send({ method: "POST", path: parentOf(this.address(id)), body, operation });
    return { id, answer: asObject(operation, answer.body) };
  }

  async update(id: string, body: UpdateBody): Promise<Json> {
    const operation = this.words("updating", id);
    const call = { method: "PUT", path: this.address(id), body: body.full, operation } as const;
    return asObject(operation, (await this.http.send(call)).body);
  }

  protected address(id: string): string {
    const values = id.split("/");
    const names = pathArguments(this.declaration);
    if (values.length !== names.length) {
      throw new GatewayError(
        `${JSON.stringify(id)} is no id of a ${this.declaration.noun}; it has the form ${names.map((name) => `<${name}>`).join("/")}`,
      );
    }
    let next = 0;
    return this.declaration.path.replace(/\{\w+\}/g, () => segment(values[next++]!));
  }
}

/** The arguments that make up the id of an object that is addressed by path, in order. */
export function pathArguments(declaration: Declaration): string[] {
  return [...declaration.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}

/** The arguments that an id stands for; none for an id that the service gave. */
export function pathValues(declaration: Declaration, id: string): Record<string, string> {
  const values = id.split("/");
  return Object.fromEntries(pathArguments(declaration).map((name, i) => [name, values[i] ?? ""]));
}

function idOf(declaration: Declaration, args: Json): string {
  return pathArguments(declaration)
    .map((name) => String(args[name]))
    .join("/");
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function asObject(operation: string, body: unknown): Json {
  if (!isRecord(body))
    throw new AnswerError(operation, body === undefined ? "it is empty" : "it is no JSON object");
  return body;
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 410);
}
