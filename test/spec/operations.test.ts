/** The requests that the hooks send, against the specification's tables of operations. */
import type { IncomingMessage } from "node:http";
import { declarationOf } from "../../src/resources/registry";
import { secretsOfCreation } from "../../src/schema/secrets";
import { answerFor } from "../../src/testing/mocked-answer";
import { argumentsOf, bodyOf, camelCase, casesOf, sampleOf } from "./samples";
import type { Json } from "./samples";
import { specification } from "./specification";
import type { ManagedObject } from "./specification";
import { serverForTests } from "../support/servers";
import { configuredHooks } from "../support/configured-hooks";

/** A service that knows one object, once it was made, and writes down what it is asked. */
class Service {
  readonly lines: string[] = [];
  /** The answer to a read. */
  answer: Json = {};
  /** The answer to a write: the object as it was asked for. */
  written: Json = {};
  isMade = false;
  readonly server = serverForTests((request, response) => {
    const line = `${request.method} ${request.url}`;
    this.lines.push(line);
    void drained(request).then(() => {
      const status = this.statusOf(request.method!);
      response.writeHead(status, { "Content-Type": "application/json" });
      const found = request.method === "GET" ? this.answer : this.written;
      response.end(
        status === 204 ? undefined : JSON.stringify(status === 404 ? { msg: "not found" } : found),
      );
    });
  });

  private statusOf(method: string): number {
    if (method === "GET" && !this.isMade) return 404;
    if (method === "POST" || method === "PUT") this.isMade = true;
    return { POST: 201, DELETE: 204 }[method] ?? 200;
  }
}

async function drained(request: IncomingMessage): Promise<void> {
  for await (const _ of request);
}

describe.each(specification.map((object) => [object.class, object] as const))("%s", (name, object) => {
  const service = new Service();
  let hook: ReturnType<typeof configuredHooks>;
  let laterHook: ReturnType<typeof configuredHooks>;

  beforeAll(() => {
    const settings = { baseUrl: service.server.baseUrl, apiKey: "key" };
    hook = configuredHooks(name, settings);
    // What one deployment writes, only a later one deletes; providers with the same settings share their memory.
    laterHook = configuredHooks(name, { ...settings, requestTimeout: "59" });
  });

  it("is created, read, changed and deleted by the operations of the specification", async () => {
    const [leaves] = casesOf(object.create);
    const args = argumentsOf(object, leaves!);
    const id = idOf(object, args);
    service.answer = { ...bodyOf(object, casesOf(object.response)[0]!), id };
    const updatable = leaves!.find(({ path }) => object.update.includes(path));
    const changed = updatable
      ? argumentsOf(object, leaves!, { [updatable.path]: sampleOf(object, updatable)[1] })
      : undefined;

    const declaration = declarationOf(object.class);
    service.written = { ...answerFor(declaration, id, "it", args), id };
    const { outs } = (await hook("create")(args)) as { outs: Json };
    await hook("read")(id, outs);
    if (changed) {
      service.written = { ...answerFor(declaration, id, "it", changed), id };
      await hook("update")(id, outs, changed);
    }
    await laterHook("delete")(id, outs);

    // What is addressed by its path is looked for before it is made, so that nothing is taken over.
    const lookup = object.pathArguments ? [`GET ${addressOf(object, args)}`] : [];
    // What returns a secret only once is created with a mark in its metadata, which a second request replaces.
    const { fields } = declaration;
    const unmark = secretsOfCreation(fields).length > 0 ? [`PATCH ${addressOf(object, args)}`] : [];
    expect(service.lines).toEqual([
      ...lookup,
      object.isModule ? `PUT ${addressOf(object, args)}` : `POST ${collectionOf(object, args)}`,
      ...unmark,
      `GET ${addressOf(object, args)}`,
      ...(changed ? [`${object.isModule ? "PUT" : "PATCH"} ${addressOf(object, args)}`] : []),
      `DELETE ${addressOf(object, args)}`,
    ]);
  });
});

/** The path's arguments, joined by "/", or what the service gives. */
function idOf(object: ManagedObject, args: Json): string {
  if (!object.pathArguments) return `${object.idPrefix ?? ""}made`;
  return object.pathArguments.map((name) => String(args[camelCase(name)])).join("/");
}

function addressOf(object: ManagedObject, args: Json): string {
  if (!object.pathArguments) return `${object.path}/${idOf(object, args)}`;
  const values = idOf(object, args).split("/");
  return object.path.replace(/\{\w+\}/g, () => values.shift()!);
}

function collectionOf(object: ManagedObject, args: Json): string {
  if (!object.pathArguments) return object.path;
  const address = addressOf(object, args);
  return address.slice(0, address.lastIndexOf("/"));
}
