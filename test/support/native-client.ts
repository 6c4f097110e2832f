/** The native provider over its protocol, as the engine reaches it; values are plain JSON. */
import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { serve } from "../../src/native/server";
import { duringTests } from "./during-tests";

type Values = Record<string, unknown>;

/** A server in this process and a client of it, closed after the tests. */
export function nativeForTests(engine: () => string | undefined = () => undefined): NativeClient {
  const schema = '{"name":"tunnel-gateway"}';
  return duringTests(
    async () => new NativeClient(await serve(engine(), () => schema)),
    (client) => client.close(),
  );
}

export class NativeClient {
  private readonly client: ResourceProviderClient;

  constructor(private readonly server: Awaited<ReturnType<typeof serve>>) {
    const { port } = server;
    this.client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  }

  close(): Promise<void> {
    this.client.close();
    this.server.close();
    return Promise.resolve();
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

  async checkConfig(news: Values, name = "default"): Promise<{ inputs: Values; failures: string[] }> {
    const request = new messages.CheckRequest().setNews(struct(news)).setName(name);
    return checked(await answerTo<messages.CheckResponse>((done) => this.client.checkConfig(request, done)));
  }

  async diffConfig(oldInputs: Values, news: Values): Promise<messages.DiffResponse.AsObject> {
    const request = new messages.DiffRequest().setOldInputs(struct(oldInputs)).setNews(struct(news));
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
  ): Promise<messages.DiffResponse> {
    const request = named(new messages.DiffRequest(), type).setId(id).setNews(struct(news));
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

  async update(type: string, { id, outputs }: Created, inputs: Values, preview = false): Promise<Created> {
    const request = named(new messages.UpdateRequest(), type).setId(id).setPreview(preview);
    request.setOlds(struct(outputs)).setNews(struct(inputs));
    const answer = await answerTo<messages.UpdateResponse>((done) => this.client.update(request, done));
    return { id, inputs, outputs: plain(answer.getProperties()) };
  }

  async read(type: string, id: string, outputs: Values = {}, inputs?: Values): Promise<Created> {
    const request = named(new messages.ReadRequest(), type).setId(id).setProperties(struct(outputs));
    if (inputs) request.setInputs(struct(inputs));
    const answer = await answerTo<messages.ReadResponse>((done) => this.client.read(request, done));
    return { id: answer.getId(), inputs: plain(answer.getInputs()), outputs: plain(answer.getProperties()) };
  }

  async delete(type: string, { id, outputs }: Created): Promise<void> {
    const request = named(new messages.DeleteRequest(), type).setId(id).setProperties(struct(outputs));
    await answerTo<Empty>((done) => this.client.delete(request, done));
  }
}

/** A resource as the engine keeps it. */
export interface Created {
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
}

/** What the engine records of an object that exists though its write failed. */
export function recordedIn(error: unknown): { id: string; properties: Values; reasons: string[] } {
  const [details] = (error as grpc.ServiceError).metadata.get("grpc-status-details-bin");
  const [any] = Status.deserializeBinary(details as Buffer).getDetailsList();
  const failed = messages.ErrorResourceInitFailed.deserializeBinary(any!.getValue_asU8());
  return {
    id: failed.getId(),
    properties: plain(failed.getProperties()),
    reasons: failed.getReasonsList(),
  };
}

function named<R extends { setUrn(urn: string): R; setType(type: string): R }>(request: R, type: string): R {
  const token = `tunnel-gateway:index:${type}`;
  return request.setUrn(`urn:pulumi:dev::shop::${token}::one`).setType(token);
}

function answerTo<A>(call: (done: (error: grpc.ServiceError | null, answer: A) => void) => void): Promise<A> {
  return new Promise((resolve, reject) => {
    call((error, answer) => (error ? reject(error) : resolve(answer)));
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
