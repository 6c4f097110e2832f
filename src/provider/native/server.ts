/** The native provider as a server of Pulumi's protocol: each call is translated, and decides nothing. */
import { once } from "node:events";
import { isDeepStrictEqual } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { EngineLog, withLines } from "../dynamic/engine";
import { isPathWithin, topLevel } from "../life-cycle/changes";
import type { Differences } from "../life-cycle/life-cycle";
import { PartialFailure } from "../life-cycle/partial-failure";
import type { Json } from "../../schema/json";
import { inHook } from "../../schema/secrets";
import { hasUnknown, isAbsent, valueAt } from "../../schema/unknown";
import type { Inputs } from "../../schema/values";
import { configKey, settingNames } from "../settings/settings";
import type { Settings } from "../settings/settings";
import { escapeControlsInLines } from "../../schema/text/escape";
import { within } from "../tracing/tracing";
import { version } from "../version";
import { callFunction, listedObjects } from "./functions";
import { asDeclared, declarationOfToken, NativeProvider } from "./provider";
import { toStruct, plain, received, withoutMarkedSecrets } from "./protocol-values";

const { DiffChanges } = messages.DiffResponse;
const { Kind } = messages.PropertyDiff;

/** The engine sends whole states of large sets. */
const options = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

/** Starts the server. `engine` is the address of the engine; `schema` gives the text of the schema. */
export async function serve(
  engine: string | undefined,
  schema: () => string,
): Promise<{ readonly port: number; readonly close: () => void }> {
  const server = new grpc.Server(options);
  const provider = new NativeProvider(logOf(engine));
  server.addService(
    ResourceProviderService,
    methodsOf(provider, schema) as IResourceProviderServer & Methods,
  );
  return new Promise((resolve, reject) => {
    const insecure = grpc.ServerCredentials.createInsecure(); // the engine is on this machine and knows no other way
    server.bindAsync("127.0.0.1:0", insecure, (error, port) =>
      error ? reject(error) : resolve({ port, close: () => server.forceShutdown() }),
    );
  });
}

function logOf(engine: string | undefined): EngineLog {
  const client =
    engine === undefined ? undefined : new EngineClient(engine, grpc.credentials.createInsecure(), options);
  return new EngineLog(client);
}

type Methods = grpc.UntypedServiceImplementation;

type Handlers = Partial<IResourceProviderServer>;

/** The handlers of the protocol's calls, by name. */
export function methodsOf(provider: NativeProvider, schema: () => string): Handlers {
  return { ...providerMethods(provider, schema), ...accountMethods(provider), ...resourceMethods(provider) };
}

/** The calls about the provider itself. */
function providerMethods(provider: NativeProvider, schema: () => string): Handlers {
  return {
    getPluginInfo: answering(() => new PluginInfo().setVersion(version)),
    getSchema: answering(() => new messages.GetSchemaResponse().setSchema(schema())),
    attach: answering(() => new Empty()),
    // Pulumi waits for the running calls, which end by themselves and leave nothing half done.
    cancel: answering(() => new Empty()),

    checkConfig: answering((request: messages.CheckRequest) => {
      const news = received(request.getNews());
      const failures = provider.checkConfig({ urn: request.getUrn(), name: request.getName() }, plain(news));
      const { apiKey } = plain(news);
      const secret = isAbsent(apiKey) ? {} : { apiKey: inHook(apiKey) };
      return checked({ ...plain(news), ...secret }, news, failures);
    }),

    diffConfig: answering((request: messages.DiffRequest) => {
      const [olds, news] = [plainIn(request.getOldInputs() ?? request.getOlds()), plainIn(request.getNews())];
      // A provider of dynamic resources that became a native one has the names of a configuration.
      const before = (name: keyof Settings): unknown => olds[name] ?? olds[configKey(name)];
      const changed = settingNames.filter((name) => !isDeepStrictEqual(before(name), news[name]));
      return new messages.DiffResponse()
        .setChanges(changed.length > 0 ? DiffChanges.DIFF_SOME : DiffChanges.DIFF_NONE)
        .setDiffsList(changed);
    }),

    configure: answering((request: messages.ConfigureRequest) => {
      provider.configure(plainIn(request.getArgs()), request.getName() ?? "");
      return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),
  };
}

/** The calls that read the account. */
function accountMethods(provider: NativeProvider): Handlers {
  return {
    invoke: answering(async (request: messages.InvokeRequest) => {
      const args = plainIn(request.getArgs());
      const result = await callFunction(provider.connect(), request.getTok(), args);
      return new messages.InvokeResponse().setReturn(toStruct(result, {}));
    }),

    list: streaming(async (request: messages.ListRequest, send) => {
      const query = plainIn(request.getQuery());
      if (hasUnknown(query)) {
        await send(new messages.ListResponse().setComputed(new messages.ListResponse.Computed()));
        return;
      }
      const declaration = declarationOfToken(request.getToken());
      const objects = listedObjects(provider.connect(), declaration, query, request.getLimit());
      for await (const { id, name } of objects) {
        const result = new messages.ListResponse.Result().setId(id).setName(name);
        if (!(await send(new messages.ListResponse().setResult(result)))) return;
      }
    }),
  };
}

/** The calls about one resource. */
function resourceMethods(provider: NativeProvider): Handlers {
  return {
    check: answering(async (request: messages.CheckRequest) => {
      const news = received(request.getNews());
      const { inputs, failures } = await provider.check(subjectOf(request), plainIn(request.getOlds()), news);
      // What is secret in a list is secret in the map that takes its place.
      return checked(inputs, asDeclared(subjectOf(request), news), failures);
    }),

    diff: answering(async (request: messages.DiffRequest) => {
      const [olds, news] = [plainIn(request.getOlds()), plainIn(request.getNews())];
      const oldInputs = plainIn(request.getOldInputs());
      const found = await provider.diff(subjectOf(request), request.getId(), olds, news, oldInputs);
      return diffAnswer(withoutIgnored(found, request.getIgnorechangesList()), oldInputs, news);
    }),

    create: answering(
      async (request: messages.CreateRequest) => {
        const inputs: Inputs = received(request.getProperties());
        const { id, props } = await provider.create(subjectOf(request), plain(inputs), request.getPreview());
        return new messages.CreateResponse().setId(id).setProperties(toStruct(props, inputs));
      },
      (request) => [request.getProperties()],
    ),

    read: answering(async (request: messages.ReadRequest) => {
      const [state, inputs] = [received(request.getProperties()), received(request.getInputs())];
      const [subject, id] = [subjectOf(request), request.getId()];
      // An import has neither inputs nor a state. A refresh has a state; its inputs may be empty, and newer engines leave
      // out empty ones. With those a `get` without arguments reads what an import would.
      const isKnown = request.hasInputs() || Object.keys(state).length > 0;
      const found = await (isKnown ? provider.read(subject, id, plain(state)) : provider.import(subject, id));
      return new messages.ReadResponse()
        .setId(found.id)
        .setProperties(toStruct(found.props, state))
        .setInputs(found.inputs === undefined ? request.getInputs() : toStruct(found.inputs, inputs));
    }),

    update: answering(
      async (request: messages.UpdateRequest) => {
        const [subject, id, olds] = [subjectOf(request), request.getId(), plainIn(request.getOlds())];
        const news = received(request.getNews());
        const inputs = { news: plain(news), oldInputs: plainIn(request.getOldInputs()) };
        const outputs = await provider.update(subject, id, olds, inputs, request.getPreview());
        return new messages.UpdateResponse().setProperties(toStruct(outputs, news));
      },
      (request) => [request.getNews(), request.getOlds()],
    ),

    delete: answering(async (request: messages.DeleteRequest) => {
      await provider.delete(subjectOf(request), request.getId(), plainIn(request.getProperties()));
      return new Empty();
    }),
  };
}

/**
 * The handler that answers a call with the result of the work, or with its error.
 * @param valuesOf the new and old values of a write, whose secrets stay secret in the state that a failed write records.
 */
function answering<Request, Answer>(
  work: (request: Request) => Answer | Promise<Answer>,
  valuesOf: (request: Request) => readonly (Struct | undefined)[] = () => [],
): grpc.handleUnaryCall<Request, Answer> {
  return ({ request, metadata }, callback) => {
    Promise.resolve(request)
      .then((asked) => inSpan(metadata, () => withLines(() => work(asked))))
      .then((answer) => callback(null, answer))
      .catch((error: unknown) => callback(refusal(error, valuesOf(request).map(received))))
      // The error could not be translated. Unanswered, it would end the plugin, and the other calls with it.
      .catch((error: unknown) => callback(refusal(error, [])));
  };
}

/**
 * The handler that sends answers as fast as the engine takes them. `send` returns whether the engine still waits for more.
 */
function streaming<Request, Answer>(
  work: (request: Request, send: (answer: Answer) => Promise<boolean>) => Promise<void>,
): grpc.handleServerStreamingCall<Request, Answer> {
  return (call) => {
    const send = async (answer: Answer): Promise<boolean> => {
      if (!call.cancelled && !call.write(answer))
        await Promise.race([once(call, "drain"), once(call, "cancelled")]);
      return !call.cancelled;
    };
    inSpan(call.metadata, () => work(call.request, send))
      .then(() => call.end())
      .catch((error: unknown) => call.emit("error", refusal(error, [])));
  };
}

/** Works as a part of the engine's span, which the call names. */
function inSpan<T>(metadata: grpc.Metadata, work: () => T): T {
  return within(() => metadata.get("traceparent").map(String)[0], work);
}

/** The error of a call. If the object exists nevertheless, it contains the state that the engine records. */
function refusal(error: unknown, values: readonly Json[]): grpc.ServiceError {
  const text = withoutMarkedSecrets(error instanceof Error ? error.message : String(error), values);
  const message = escapeControlsInLines(text);
  const metadata = new grpc.Metadata();
  if (error instanceof PartialFailure) {
    const detail = new messages.ErrorResourceInitFailed()
      .setId(error.id)
      .setProperties(toStruct(error.properties, ...values))
      .setReasonsList([text]);
    const any = new Any();
    any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new Status().setCode(grpc.status.UNKNOWN).setMessage(message);
    status.addDetails(any);
    metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  }
  return Object.assign(new Error(message), { code: grpc.status.UNKNOWN, details: message, metadata });
}

/** What differs beside the arguments of the option ignoreChanges, which the engine leaves to a provider in a refresh. */
function withoutIgnored(found: Differences, ignored: readonly string[]): Differences {
  const isIgnored = ({ path }: Differences["paths"][number]): boolean =>
    ignored.some((each) => each === "*" || isPathWithin(path, each));
  const paths = found.paths.filter((each) => !isIgnored(each));
  const left = new Set(paths.map(({ path }) => topLevel(path)));
  const gone = found.paths.map(({ path }) => topLevel(path)).filter((name) => !left.has(name));
  const replaces = found.replaces!.filter((name) => !gone.includes(name));
  // Undefined: nothing differs but what the paths say.
  const changes = found.changes ?? paths.length > 0;
  return { ...found, paths, changes, replaces };
}

function diffAnswer(
  { changes, replaces = [], deleteBeforeReplace = false, paths, stables = [] }: Differences,
  oldInputs: Json,
  news: Json,
): messages.DiffResponse {
  const answer = new messages.DiffResponse()
    .setChanges(changes === false ? DiffChanges.DIFF_NONE : DiffChanges.DIFF_SOME)
    .setReplacesList(replaces)
    .setDeletebeforereplace(deleteBeforeReplace)
    .setStablesList(stables)
    .setDiffsList([...new Set(paths.map(({ path }) => topLevel(path)))])
    .setHasdetaileddiff(paths.length > 0);
  for (const { path, replaces: isReplaced } of paths) {
    answer.getDetaileddiffMap().set(path, propertyDiff(oldInputs, news, path, isReplaced));
  }
  return answer;
}

function subjectOf(request: { getUrn(): string; getType(): string }) {
  return { urn: request.getUrn(), type: request.getType() };
}

/** The values of a request for the life cycle. */
function plainIn(struct: Struct | undefined): Json {
  return plain(received(struct));
}

/** A failure that names a property makes the engine print the property's value, secrets included. */
function checked(inputs: Json, news: Json, failures: readonly string[]): messages.CheckResponse {
  const reasons = failures.map((reason) => withoutMarkedSecrets(reason, [news]));
  const unnamed = reasons.map((reason) => new messages.CheckFailure().setReason(reason));
  return new messages.CheckResponse().setInputs(toStruct(inputs, news)).setFailuresList(unnamed);
}

/** How the engine shows a difference: between the inputs if they differ, else between the old outputs and the new inputs. */
function propertyDiff(olds: Json, news: Json, path: string, replaces: boolean): messages.PropertyDiff {
  const [old, next] = [valueAt(olds, path), valueAt(news, path)];
  const isInInputs = !isDeepStrictEqual(old, next);
  const kinds = replaces
    ? [Kind.ADD_REPLACE, Kind.DELETE_REPLACE, Kind.UPDATE_REPLACE]
    : [Kind.ADD, Kind.DELETE, Kind.UPDATE];
  const [added, deleted, updated] = kinds;
  const kind = !isInInputs ? updated : isAbsent(old) ? added : isAbsent(next) ? deleted : updated;
  return new messages.PropertyDiff().setKind(kind!).setInputdiff(isInInputs);
}
