/** The native provider over its protocol, as the engine reaches it; values are plain JSON. */
import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { NativeProvider } from "../../src/provider/native/provider";
import { methodsOf, serve } from "../../src/provider/native/server";
import { duringTests } from "./during-tests";

type Values = Record<string, unknown>;

/** A server in this process and a client of it. `engine` is the address of the engine, which gets the warnings. */
export async function connectNative(engine?: string): Promise<NativeClient> {
  return NativeClient.of(await serve(engine, () => '{"name":"tunnel-gateway"}'));
}

/** The same, closed after the tests. */
export function nativeForTests(engine: () => string | undefined = () => undefined): NativeClient {
  return duringTests(
    () => connectNative(engine()),
    (client) => Promise.resolve(client.close()),
  );
}

export class NativeClient {
  private constructor(
    private readonly client: ResourceProviderClient,
    readonly close: () => void,
  ) {}

  /** A client of a server on this machine, which ends with it. */
  static of(server: Awaited<ReturnType<typeof serve>>): NativeClient {
    const client = new ResourceProviderClient(`127.0.0.1:${server.port}`, grpc.credentials.createInsecure());
    return new NativeClient(client, () => {
      client.close();
      server.close();
    });
  }

  /** A client of the handlers of a server without a connection between them. Each message becomes bytes, as on one. */
  static inProcess(provider: NativeProvider): NativeClient {
    const handlers = methodsOf(provider, () => "{}") as unknown as Record<
      string,
      grpc.handleUnaryCall<unknown, unknown>
    >;
    const calls = Object.entries(ResourceProviderService).map(([name, definition]) => {
      const { requestSerialize, requestDeserialize, responseSerialize, responseDeserialize } =
        definition as grpc.MethodDefinition<unknown, unknown>;
      const call = (sent: unknown, done: grpc.requestCallback<unknown>): void => {
        const request = requestDeserialize(requestSerialize(sent));
        handlers[name]!({ request } as grpc.ServerUnaryCall<unknown, unknown>, (error, answer) =>
          error
            ? done(error as grpc.ServiceError)
            : done(null, responseDeserialize(responseSerialize(answer))),
        );
      };
      return [name, call];
    });
    return new NativeClient(Object.fromEntries(calls) as ResourceProviderClient, () => undefined);
  }

  async info(): Promise<string> {
    return (await answerTo<PluginInfo>((done) => this.client.getPluginInfo(new Empty(), done))).getVersion();
  }

  async schema(): Promise<unknown> {
    const request = new messages.GetSchemaRequest();
    return JSON.parse(
      (
        await answerTo<messages.GetSchemaResponse>((done) => this.client.getSchema(request, done))
      ).getSchema(),
    );
  }

  async cancel(): Promise<void> {
    await answerTo<Empty>((done) => this.client.cancel(new Empty(), done));
  }

  async checkConfig(
    news: Values,
    name = "default",
    project = "shop",
  ): Promise<{ inputs: Values; failures: string[] }> {
    const urn = `urn:pulumi:dev::${project}::pulumi:providers:tunnel-gateway::${name}`;
    const request = new messages.CheckRequest().setNews(struct(news)).setName(name).setUrn(urn);
    return checked(await answerTo<messages.CheckResponse>((done) => this.client.checkConfig(request, done)));
  }

  /** @param isEarlier whether an earlier engine asks, which sends the inputs as the state. */
  async diffConfig(
    oldInputs: Values,
    news: Values,
    isEarlier = false,
  ): Promise<messages.DiffResponse.AsObject> {
    const request = new messages.DiffRequest().setNews(struct(news));
    if (isEarlier) request.setOlds(struct(oldInputs));
    else request.setOldInputs(struct(oldInputs));
    return (
      await answerTo<messages.DiffResponse>((done) => this.client.diffConfig(request, done))
    ).toObject();
  }

  async configure(args: Values, name = "default"): Promise<messages.ConfigureResponse.AsObject> {
    const request = new messages.ConfigureRequest().setArgs(struct(args)).setName(name);
    return (
      await answerTo<messages.ConfigureResponse>((done) => this.client.configure(request, done))
    ).toObject();
  }

  async invoke(token: string, args: Values): Promise<Values> {
    const request = new messages.InvokeRequest().setTok(token).setArgs(struct(args));
    return plain(
      (await answerTo<messages.InvokeResponse>((done) => this.client.invoke(request, done))).getReturn(),
    );
  }

  async check(
    type: string,
    news: Values,
    olds: Values = {},
  ): Promise<{ inputs: Values; failures: string[] }> {
    const request = named(new messages.CheckRequest(), type).setNews(struct(news)).setOlds(struct(olds));
    return checked(await answerTo<messages.CheckResponse>((done) => this.client.check(request, done)));
  }

  async diff(
    type: string,
    { id, outputs: olds, inputs: oldInputs }: Created,
    news: Values,
    ignoreChanges: string[] = [],
  ): Promise<messages.DiffResponse> {
    const request = named(new messages.DiffRequest(), type).setId(id).setNews(struct(news));
    request.setIgnorechangesList(ignoreChanges);
    request.setOlds(struct(olds)).setOldInputs(struct(oldInputs));
    return answerTo<messages.DiffResponse>((done) => this.client.diff(request, done));
  }

  async create(type: string, inputs: Values, preview = false): Promise<Created> {
    const request = named(new messages.CreateRequest(), type)
      .setProperties(struct(inputs))
      .setPreview(preview);
    const answer = await answerTo<messages.CreateResponse>((done) => this.client.create(request, done));
    return { id: answer.getId(), inputs, outputs: plain(answer.getProperties()) };
  }

  async update(
    type: string,
    { id, outputs, inputs: oldInputs }: Created,
    inputs: Values,
    preview = false,
  ): Promise<Created> {
    const request = named(new messages.UpdateRequest(), type).setId(id).setPreview(preview);
    request.setOlds(struct(outputs)).setNews(struct(inputs)).setOldInputs(struct(oldInputs));
    const answer = await answerTo<messages.UpdateResponse>((done) => this.client.update(request, done));
    return { id, inputs, outputs: plain(answer.getProperties()) };
  }

  async read(type: string, id: string, outputs: Values = {}, inputs?: Values): Promise<Created> {
    const request = named(new messages.ReadRequest(), type).setId(id).setProperties(struct(outputs));
    // Newer engines leave out inputs that are empty.
    if (Object.keys(inputs ?? {}).length > 0) request.setInputs(struct(inputs!));
    const answer = await answerTo<messages.ReadResponse>((done) => this.client.read(request, done));
    return { id: answer.getId(), inputs: plain(answer.getInputs()), outputs: plain(answer.getProperties()) };
  }

  /** The objects of a class, each as its id and its name; "computed" where the query is not known. */
  async list(type: string, query: Values = {}, limit = 0): Promise<string[]> {
    const request = new messages.ListRequest().setToken(`tunnel-gateway:index:${type}`).setLimit(limit);
    const found: string[] = [];
    for await (const answer of this.client.list(
      request.setQuery(struct(query)),
    ) as AsyncIterable<messages.ListResponse>) {
      const { id, name } = answer.getResult()?.toObject() ?? { id: "computed", name: "" };
      found.push(`${id} ${name}`.trim());
    }
    return found;
  }

  async delete(type: string, { id, outputs }: Created): Promise<void> {
    const request = named(new messages.DeleteRequest(), type).setId(id).setProperties(struct(outputs));
    await answerTo<Empty>((done) => this.client.delete(request, done));
  }
}

interface Recorded {
  readonly id: string;
  readonly properties: Values;
  readonly reasons: string[];
}

/** A resource as the engine keeps it. */
export interface Created {
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
}

/** What the engine records of an object that exists though its write failed; undefined where there is none. */
export function recordedIn(error: unknown): Recorded | undefined {
  const [details] = (error as grpc.ServiceError).metadata.get("grpc-status-details-bin");
  if (details === undefined) return undefined;
  const [any] = Status.deserializeBinary(details as Buffer).getDetailsList();
  const failed = messages.ErrorResourceInitFailed.deserializeBinary(any!.getValue_asU8());
  return {
    id: failed.getId(),
    properties: plain(failed.getProperties()),
    reasons: failed.getReasonsList(),
  };
}

/** @param subject a class, or the URN of a resource. */
function named<R extends { setUrn(urn: string): R; setType(type: string): R }>(
  request: R,
  subject: string,
): R {
  const urn = subject.startsWith("urn:")
    ? subject
    : `urn:pulumi:dev::shop::tunnel-gateway:index:${subject}::one`;
  return request.setUrn(urn).setType(urn.split("::")[2]!.split("$").at(-1)!);
}

function answerTo<A>(call: (done: (error: grpc.ServiceError | null, answer: A) => void) => void): Promise<A> {
  return new Promise((resolve, reject) => {
    // As the engine shows it: gRPC adds the code of its status to the message.
    call((error, answer) =>
      error ? reject(Object.assign(error, { message: error.details })) : resolve(answer),
    );
  });
}

function checked(answer: messages.CheckResponse): { inputs: Values; failures: string[] } {
  const failures = answer.getFailuresList().map((each) => each.getReason());
  return { inputs: plain(answer.getInputs()), failures };
}

function struct(values: Values): Struct {
  return Struct.fromJavaScript(values as Record<string, JavaScriptValue>);
}

function plain(values: Struct | undefined): Values {
  return values?.toJavaScript() ?? {};
}
