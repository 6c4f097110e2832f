/** The calls of Pulumi's engine to the native provider, in plain values: the life cycle over one connection. */
import { importedObject } from "../existing/resource-values";
import type { EngineLog } from "../dynamic/engine";
import { Deployment } from "../deployment";
import { engineAddress } from "../dynamic/engine";
import { asHook, confirmed } from "../dynamic/hooks";
import { repetitionText } from "../../program/claims";
import { classIn } from "../../program/shim";
import { hasOwnPath, idIn, namesIn } from "../http/path";
import { connectionFor } from "../life-cycle/connection";
import type { Connection } from "../life-cycle/connection";
import { LifeCycle } from "../life-cycle/life-cycle";
import type { Differences, StoredObject } from "../life-cycle/life-cycle";
import {
  isOfPreview,
  parseSettings,
  readPluginSettings,
  withConfiguredAccount,
} from "../settings/read-settings";
import type { ConfigSource } from "../settings/read-settings";
import { declarationOf, separateArguments } from "../../resources/registry";
import type { Declaration } from "../../schema/declaration";
import type { Json } from "../../schema/json";
import { argumentsIn, urnHint } from "../../schema/recorded-state";
import { withNamedLists } from "../../schema/listed";
import { hasRoomForStamp, stampIn, stampText } from "../../schema/metadata";
import { inPlaintext, secretsOfCreation, unsignedSecrets } from "../../schema/secrets";
import { isAbsent, isUnknown, unknown } from "../../schema/unknown";
import { adviceOnArguments, problemText } from "../../schema/validate";
import type { Inputs, StoredOutputs } from "../../schema/values";
import { nameKey, settingText, settingsIn } from "../settings/settings";
import { nameIn, stackIn } from "../urn";
import { escapeControls } from "../../schema/text/escape";
import { plain } from "./protocol-values";
import { ofPulumi, unknownArguments, unknownKeys } from "../settings/unknown-settings";

/** A resource as the engine names it. */
export interface EngineResource {
  readonly urn: string;
  /** The type token. */
  readonly type: string;
}

export class NativeProvider {
  private source: ConfigSource | undefined;
  private connection: Connection | undefined;
  private readonly warned = new Set<string>();
  /** The URNs of the resources that this deployment has at a path of their own. */
  private readonly paths = new Map<string, string>();

  /**
   * @param open opens a connection. Throws if settings are missing or wrong; a missing key is an error of the first request.
   */
  constructor(
    private readonly log: Pick<EngineLog, "warn" | "print">,
    private readonly open = (source: ConfigSource): Connection =>
      connectionFor(readPluginSettings(source, process.env), {
        report: (line) => log.print(`tunnel-gateway: ${line}`),
        debug: (line) => log.print(line),
        deployment: Deployment.of(engineAddress(process.argv)),
      }),
  ) {}

  /** The problems of the settings that are known. Warns about keys of the configuration that are not settings. */
  checkConfig({ urn, name }: { readonly urn: string; readonly name: string }, inputs: Json): string[] {
    const own = explicitName(name);
    const given = Object.keys(inputs).filter((each) => !isAbsent(inputs[each]));
    const { problems } = parseSettings(sourceOf(inputs, name), process.env);
    const wrong = problems
      .filter((each) => isOfPreview(each) && !isUnknown(inputs[each.name]))
      .map(({ message }) => message);
    if (own !== undefined) return [...unknownArguments(given, ofPulumi).map(problemText), ...wrong];
    const keys = given.map((each) => `tunnel-gateway:${each}`);
    // The engine shows warnings about a default provider only under the stack.
    for (const text of unknownKeys(keys, stackIn(urn)?.project)) this.warnOnce("", text);
    return wrong;
  }

  configure(inputs: Json, name: string): void {
    this.source = withConfiguredAccount(sourceOf(inputs, name), process.env);
    this.connection = undefined;
    this.paths.clear();
  }

  /** The connection for the settings. Throws where they are missing or wrong. */
  readonly connect = (): Connection => {
    this.source ??= withConfiguredAccount(sourceOf({}, ""), process.env);
    return (this.connection ??= this.open(this.source));
  };

  /**
   * The inputs as the engine stores them, and what is wrong with them.
   * @param received those of the program, with its secrets in the engine's notation.
   */
  async check(
    subject: EngineResource,
    olds: Inputs,
    received: Inputs,
  ): Promise<{ inputs: Inputs; failures: string[] }> {
    const named = plain(received);
    const declaration = declarationOfToken(subject.type);
    const twice: string[] = [];
    const news = withNamedLists(declaration.fields, named, (map, list) =>
      twice.push(`${list}: the program gives ${map}, too; give one of the two`),
    );
    if (twice.length > 0) return { inputs: named, failures: twice };
    return asHook({ name: "check", declaration, urn: subject.urn }, [olds, news], async () => {
      // Only programs in other languages have any: a class marks its secrets, and warns about these.
      const plaintext = unsignedSecrets(declaration.fields, received);
      const given = withOwner(declaration, subject, this.stamped(declaration, subject, news));
      const { inputs, failures = [] } = await this.cycle(subject).check(olds, given);
      if (failures.length === 0) {
        const repeated = this.repeatedPath(declaration, subject, inputs);
        if (repeated !== undefined) return { inputs, failures: [repeated] };
        const advice = adviceOnArguments(declaration, argumentsIn(given));
        const ofSecrets = plaintext.map((path) => problemText({ path, clause: inPlaintext }));
        for (const text of [...advice, ...ofSecrets]) this.warnOnce(subject.urn, text);
      }
      return { inputs, failures: failures.map(({ reason }) => reason) };
    });
  }

  /** @param oldInputs those of the last deployment. */
  diff(
    subject: EngineResource,
    id: string,
    olds: StoredOutputs,
    news: Inputs,
    oldInputs: Inputs,
  ): Promise<Differences> {
    return this.hook("diff", subject, [olds, news], (cycle) => cycle.differences(id, olds, news, oldInputs));
  }

  create(subject: EngineResource, inputs: Inputs, isPreview: boolean): Promise<StoredObject> {
    return this.hook(isPreview ? "preview create" : "create", subject, [inputs], async (cycle) => {
      if (isPreview) return { id: "", props: cycle.planCreate(inputs) };
      const { id, outs } = await cycle.create(inputs);
      return { id, props: outs };
    });
  }

  update(
    subject: EngineResource,
    id: string,
    olds: StoredOutputs,
    { news, oldInputs }: { readonly news: Inputs; readonly oldInputs: Inputs },
    isPreview: boolean,
  ): Promise<StoredOutputs> {
    return this.hook(isPreview ? "preview update" : "update", subject, [olds, news], async (cycle) => {
      if (isPreview) return cycle.planUpdate(olds, news, oldInputs);
      return (await cycle.update(id, olds, news, oldInputs)).outs;
    });
  }

  /** Reads an object in a refresh, and for `get`. */
  read(subject: EngineResource, id: string, state: StoredOutputs): Promise<StoredObject> {
    return this.hook("read", subject, [state], (cycle) =>
      confirmed(cycle.read(id, state), state, () => this.connect().settings),
    );
  }

  /** Reads an object that becomes a resource, with the arguments that a program must give so that nothing changes. */
  import({ urn, type }: EngineResource, id: string): Promise<StoredObject> {
    const declaration = declarationOfToken(type);
    return asHook({ name: "import", declaration, urn }, [], () =>
      importedObject(this.connect(), declaration, id, separateArguments(declaration)),
    );
  }

  delete(subject: EngineResource, id: string, state: StoredOutputs): Promise<void> {
    return this.hook("delete", subject, [state], (cycle) => cycle.delete(id, state));
  }

  /** The problem if another resource of the program has the path of its object. Sets of rules share that of their policy. */
  private repeatedPath(
    declaration: Declaration,
    { urn, type }: EngineResource,
    inputs: Inputs,
  ): string | undefined {
    const { path, setOf } = declaration;
    const id = idIn(path, argumentsIn(inputs));
    if (setOf || !hasOwnPath(declaration) || id.includes(unknown)) return undefined;
    const key = `${path} ${id}`;
    const other = this.paths.get(key) ?? urn;
    this.paths.set(key, other);
    if (other === urn) return undefined;
    const names = namesIn(path);
    const label = `${declaration.type} ${JSON.stringify(nameIn(other, type))}`;
    return problemText({ path: names.at(-1)!, clause: repetitionText(declaration, label, names) });
  }

  private hook<T>(
    name: string,
    subject: EngineResource,
    values: readonly Json[],
    work: (cycle: LifeCycle) => Promise<T>,
  ): Promise<T> {
    const call = { name, declaration: declarationOfToken(subject.type), urn: subject.urn };
    return asHook(call, values, () => work(this.cycle(subject)));
  }

  private cycle({ urn, type }: EngineResource): LifeCycle {
    const diagnostics = { warn: (_: Declaration, _id: string, text: string) => this.warnOnce(urn, text) };
    return new LifeCycle(declarationOfToken(type), () => this.connect(), {
      now: () => Date.now(),
      diagnostics,
    });
  }

  /** Pulumi asks for one check and one diff several times. */
  private warnOnce(urn: string, text: string): void {
    const key = `${urn}\n${text}`;
    if (this.warned.has(key)) return;
    this.warned.add(key);
    this.log.warn(urn, escapeControls(text));
  }

  /** The arguments, with the stamp of the setting stampMetadata. */
  private stamped(declaration: Declaration, { urn, type }: EngineResource, args: Inputs): Inputs {
    const stackName = stackIn(urn);
    if (stackName === undefined || !hasRoomForStamp(declaration.fields, args)) return args;
    const { settings } = parseSettings(this.source ?? sourceOf({}, ""), process.env);
    if (!settings.stampMetadata) return args;
    return { ...args, metadata: stampText({ ...stackName, name: nameIn(urn, type) }) };
  }
}

/** The arguments, with the URN where the creation of the object leaves a mark with its owner. */
function withOwner({ fields }: Declaration, { urn }: EngineResource, args: Inputs): Inputs {
  const isMarked = secretsOfCreation(fields).length > 0 && stampIn(args.metadata) !== undefined;
  return isMarked ? { ...args, ...urnHint(urn) } : args;
}

function sourceOf(inputs: Json, name: string): ConfigSource {
  const settings = settingsIn(inputs);
  const own = explicitName(name);
  return { get: (key) => (key === nameKey ? own : settingText(settings[key])) };
}

/** The name of an explicit provider; undefined for a default one, which the engine names. */
function explicitName(name: string): string | undefined {
  return name === "" || name.startsWith("default") ? undefined : name;
}

/** The inputs of a program in any language by the names of the declaration. */
export function asDeclared({ type }: EngineResource, inputs: Inputs): Inputs {
  return withNamedLists(declarationOfToken(type).fields, inputs);
}

/** The declaration of the resources with a type token. */
export function declarationOfToken(type: string): Declaration {
  return declarationOf(classIn(type) ?? type);
}
