/** What Pulumi's engine asks of the native provider, in plain values: the life cycle over one connection. */
import { resourceValues } from "../import/objects/arguments";
import { asHook, confirmed } from "../plugin/hooks";
import { nativeTokenPrefix } from "../program/shim";
import { connectionFor } from "../provider/connection";
import type { Connection } from "../provider/connection";
import { Diagnostics } from "../provider/diagnostics";
import { GatewayError } from "../provider/errors";
import { LifeCycle } from "../provider/life-cycle/life-cycle";
import type { Differences } from "../provider/life-cycle/life-cycle";
import { foundState } from "../provider/life-cycle/recording";
import { requireOwnKind } from "../provider/response-schema";
import { parseSettings, withConfiguredAccount } from "../provider/settings";
import type { ConfigSource } from "../provider/settings";
import { declarationOf } from "../resources/registry";
import type { Declaration } from "../schema/declaration";
import type { Json } from "../schema/json";
import {
  argumentsIn,
  isRecordedState,
  noState,
  stateForEngine,
  valuesForEngine,
} from "../schema/recorded-state";
import { setPaths } from "../schema/walk";
import { hasRoomForStamp, stampText } from "../schema/metadata";
import { isAbsent, isUnknown } from "../schema/unknown";
import { adviceOnArguments } from "../schema/validate";
import { configKey, nameKey, settingNames } from "../settings";
import { nameIn, stackIn } from "../stack/urn";
import { escapeControls } from "../text/terminal";

/** A resource as the engine names it. */
export interface EngineResource {
  readonly urn: string;
  /** The type token. */
  readonly type: string;
}

/** An object as an answer to a request shows it. */
export interface ObjectState {
  /** Empty where the object does not exist. */
  readonly id: string;
  readonly props: Json;
  /** What the engine stores as inputs; undefined where those of the program stay. */
  readonly inputs?: Json;
}

export class NativeProvider {
  private source: ConfigSource | undefined;
  private connection: Connection | undefined;
  private readonly warned = new Set<string>();

  /** @param warn shows a warning on the resource with the URN. */
  constructor(private readonly warn: (urn: string, text: string) => void) {}

  /** What is wrong with the settings that are known. */
  checkConfig(inputs: Json, name: string): string[] {
    const { problems } = parseSettings(sourceOf(inputs, name), process.env);
    return problems.filter((each) => !isUnknown(inputs[each.name])).map(({ message }) => message);
  }

  configure(inputs: Json, name: string): void {
    this.source = withConfiguredAccount(sourceOf(inputs, name), process.env);
    this.connection = undefined;
  }

  /** The connection for the settings. Throws where they are missing or wrong. */
  readonly connect = (): Connection => {
    this.source ??= withConfiguredAccount(sourceOf({}, ""), process.env);
    return (this.connection ??= connectionFor(this.source));
  };

  /** The inputs as the engine stores them, and what is wrong with them. */
  async check(
    subject: EngineResource,
    olds: Json,
    news: Json,
  ): Promise<{ inputs: Json; failures: string[] }> {
    const declaration = declarationOfToken(subject.type);
    return asHook(declaration, [olds, news], async () => {
      const given = this.stamped(declaration, subject, news);
      const result = await this.cycle(subject).check(olds, given);
      const failures = result.failures ?? [];
      if (failures.length === 0) {
        for (const text of adviceOnArguments(declaration, argumentsIn(given))) {
          this.warnOnce(subject.urn, text);
        }
      }
      return { inputs: result.inputs as Json, failures: failures.map(({ reason }) => reason) };
    });
  }

  diff(subject: EngineResource, id: string, olds: Json, news: Json): Promise<Differences> {
    return this.hook(subject, [olds, news], (cycle) => cycle.differences(id, olds, news));
  }

  create(subject: EngineResource, inputs: Json, isPreview: boolean): Promise<ObjectState> {
    return this.hook(subject, [inputs], async (cycle) => {
      if (isPreview) return { id: "", props: cycle.planCreate(inputs) };
      const created = await cycle.create(inputs);
      return { id: created.id, props: created.outs as Json };
    });
  }

  update(subject: EngineResource, id: string, olds: Json, news: Json, isPreview: boolean): Promise<Json> {
    return this.hook(subject, [olds, news], async (cycle) => {
      if (isPreview) return cycle.planUpdate(olds, news);
      return (await cycle.update(id, olds, news)).outs as Json;
    });
  }

  /** Reads an object in a refresh; and one that the state does not have, for an import and for `get`. */
  read(subject: EngineResource, id: string, state: Json): Promise<ObjectState> {
    if (!isRecordedState(state) && Object.keys(argumentsIn(state)).length === 0)
      return this.lookUp(subject, id);
    return this.hook(
      subject,
      [state],
      async (cycle) => (await confirmed(cycle.read(id, state))) as ObjectState,
    );
  }

  delete(subject: EngineResource, id: string, state: Json): Promise<void> {
    return this.hook(subject, [state], (cycle) => cycle.delete(id, state));
  }

  private lookUp({ urn, type }: EngineResource, id: string): Promise<ObjectState> {
    const declaration = declarationOfToken(type);
    return asHook(declaration, [], async () => {
      const connection = this.connect();
      const answer = await connection.read(declaration, id);
      if (answer === undefined) throw new GatewayError(`the ${declaration.noun} ${id} does not exist`);
      requireOwnKind(declaration, id, answer);
      const conditions = { settings: connection.settings, now: Date.now() };
      const values = resourceValues({ declaration, id, answer, problem: undefined }, conditions);
      if ("reason" in values) {
        this.warnOnce(urn, escapeControls(`it cannot be imported: ${values.reason}`));
        return { id, props: stateForEngine(declaration, foundState(declaration, id, answer, noState)) };
      }
      const { args, outputs } = values;
      const state = { ...noState, outputs, managed: setPaths(declaration.fields, args) };
      return { id, props: stateForEngine(declaration, state), inputs: valuesForEngine(declaration, args) };
    });
  }

  private hook<T>(
    subject: EngineResource,
    values: readonly Json[],
    work: (cycle: LifeCycle) => Promise<T>,
  ): Promise<T> {
    return asHook(declarationOfToken(subject.type), values, () => work(this.cycle(subject)));
  }

  private cycle({ urn, type }: EngineResource): LifeCycle {
    const diagnostics = new OnResource((text) => this.warnOnce(urn, text));
    return new LifeCycle(declarationOfToken(type), this.connect, { now: () => Date.now(), diagnostics });
  }

  /** Pulumi asks for one check and one diff several times. */
  private warnOnce(urn: string, text: string): void {
    const key = `${urn}\n${text}`;
    if (this.warned.has(key)) return;
    this.warned.add(key);
    this.warn(urn, text);
  }

  /** The arguments, with the stamp of the setting stampMetadata. */
  private stamped(declaration: Declaration, { urn, type }: EngineResource, args: Json): Json {
    const place = stackIn(urn);
    if (place === undefined || !hasRoomForStamp(declaration.fields, args)) return args;
    const { settings } = parseSettings(this.source ?? sourceOf({}, ""), process.env);
    if (!settings.stampMetadata) return args;
    return { ...args, metadata: stampText({ ...place, name: nameIn(urn, type) }) };
  }
}

/** Warnings of the life cycle, on the resource that they are about. */
class OnResource extends Diagnostics {
  constructor(private readonly show: (text: string) => void) {
    super();
  }

  override warn(_declaration: Declaration, _id: string, text: string): void {
    this.show(escapeControls(text));
  }
}

/** The settings in the inputs of a provider. The engine names its default providers itself. */
function sourceOf(inputs: Json, name: string): ConfigSource {
  const texts = new Map(settingNames.map((setting) => [configKey(setting), inputs[setting]]));
  if (name !== "" && !name.startsWith("default")) texts.set(nameKey, name);
  return {
    get: (key) => {
      const value = texts.get(key) as string | number | boolean | null | undefined;
      return isAbsent(value) ? undefined : String(value);
    },
  };
}

function declarationOfToken(type: string): Declaration {
  if (type.startsWith(nativeTokenPrefix)) return declarationOf(type.slice(nativeTokenPrefix.length));
  throw new GatewayError(`this version of the provider knows no resource type ${type}`);
}
