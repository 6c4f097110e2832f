/** How the small engine reaches the provider of a resource: the hooks of a dynamic one, or a native provider. */
import type { Hooks } from "../../../src/provider/dynamic/hooks";
import { DiffResponse } from "@pulumi/pulumi/proto/provider_pb";
import { connectNative, recordedIn, type NativeClient } from "../native-client";
import type { Stored } from "./snapshot";
import { markedAs, plain, sent, secretOf, type Values } from "./values";

/** The provider of one resource. In its values secrets are marked, as the engine keeps them. */
export interface ResourceProvider {
  check(olds: Values, news: Values): Promise<{ inputs: Values; failures: readonly string[] }>;
  diff(stored: Known, news: Values): Promise<DiffResult>;
  /** In a preview it says what is known of the new object. */
  create(inputs: Values, isPreview: boolean): Promise<Written>;
  update(stored: Known, inputs: Values, isPreview: boolean): Promise<Written>;
  /** The id is "" if there is no such object. */
  read(stored: Known): Promise<Known>;
  delete(stored: Known): Promise<void>;
}

/** An object as the state has it. */
export type Known = Pick<Stored, "id" | "inputs" | "outputs">;

/** What a write left: with an error where the object exists and is only in part as asked. */
export interface Written {
  readonly id: string;
  readonly outputs: Values;
  readonly failure?: { readonly error: Error; readonly reasons: readonly string[] };
}

export interface DiffResult {
  /** Undefined if the engine compares the inputs. */
  readonly changes: boolean | undefined;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** The properties that differ, where the provider names them. */
  readonly differing: readonly string[];
}

/** The process of a provider for the resources of one operation. */
export interface ProviderProcess {
  providerOf(resource: Pick<Stored, "urn" | "type" | "provider">): ResourceProvider;
  /** Ends with the operation. */
  close?(): void;
}

/** The provider of a dynamic resource: its hooks get secrets in plaintext, and the engine marks them again. */
export function overHooks(hook: Hooks): ResourceProvider {
  const known = ({ outputs }: Known): Values => plain(outputs);
  return {
    async check(olds, news) {
      const found = (await hook("check")(plain(olds), plain(news))) as HookAnswer;
      const failures = (found.failures ?? []).map(({ reason }) => reason);
      return { inputs: marked(found.inputs!, news), failures };
    },
    async diff(stored, news) {
      const found = (await hook("diff")(stored.id, known(stored), plain(news))) as Partial<DiffResult>;
      return { changes: undefined, replaces: [], deleteBeforeReplace: false, ...found, differing: [] };
    },
    async create(inputs, isPreview) {
      if (isPreview) return { id: "", outputs: inputs };
      return written("", inputs, async () => (await hook("create")(plain(inputs))) as HookAnswer);
    },
    async update(stored, inputs, isPreview) {
      const { id } = stored;
      if (isPreview) return { id, outputs: inputs };
      const work = async () => (await hook("update")(id, known(stored), plain(inputs))) as HookAnswer;
      return written(id, inputs, work);
    },
    async read(stored) {
      const { id, props, inputs } = (await hook("read")(stored.id, known(stored))) as HookAnswer;
      return {
        id: id!,
        outputs: marked(props!, stored.outputs),
        inputs: inputs ? marked(inputs, stored.inputs) : stored.inputs,
      };
    },
    async delete(stored) {
      await hook("delete")(stored.id, known(stored));
    },
  };
}

/** What hooks return. */
interface HookAnswer {
  readonly id?: string;
  readonly inputs?: Values;
  readonly outs?: Values;
  readonly props?: Values;
  readonly failures?: { readonly property: string; readonly reason: string }[];
}

async function written(id: string, inputs: Values, work: () => Promise<HookAnswer>): Promise<Written> {
  try {
    const { id: made = id, outs } = await work();
    return { id: made, outputs: marked(outs!, inputs) };
  } catch (error) {
    const { id: made, properties, reasons = [] } = error as Partial<Recorded>;
    if (made === undefined || properties === undefined) throw error;
    return { id: made, outputs: marked(properties, inputs), failure: { error: error as Error, reasons } };
  }
}

interface Recorded {
  readonly id: string;
  readonly properties: Values;
  readonly reasons: readonly string[];
}

/** What a hook returned, with the code of the resource and its secrets. */
function marked(values: Values, before: Values): Values {
  return markedAs({ ...sent(values), __provider: before.__provider }, before);
}

/** A native provider with these settings, over its protocol. `warn` gets its warnings. */
export async function nativeProcess(settings: Readonly<Record<string, string>>): Promise<ProviderProcess> {
  const client = await connectNative();
  const { apiKey, ...others } = settings;
  await client.configure({ ...others, ...(apiKey === undefined ? {} : { apiKey: secretOf(apiKey) }) });
  return { providerOf: ({ urn }) => overProtocol(client, urn), close: () => client.close() };
}

/** The provider of a resource over Pulumi's protocol, which carries secrets as secrets. */
export function overProtocol(client: NativeClient, urn: string): ResourceProvider {
  return {
    check: (olds, news) => client.check(urn, news, olds),
    async diff(stored, news) {
      const answer = await client.diff(urn, stored, news);
      return {
        changes: answer.getChanges() === DiffResponse.DiffChanges.DIFF_SOME,
        replaces: answer.getReplacesList(),
        deleteBeforeReplace: answer.getDeletebeforereplace(),
        differing: answer.getDiffsList(),
      };
    },
    create: (inputs, isPreview) => recorded(() => client.create(urn, inputs, isPreview)),
    update: (stored, inputs, isPreview) => recorded(() => client.update(urn, stored, inputs, isPreview)),
    read: ({ id, outputs, inputs }) => client.read(urn, id, outputs, inputs),
    delete: (stored) => client.delete(urn, stored),
  };
}

async function recorded(work: () => Promise<Written>): Promise<Written> {
  try {
    const { id, outputs } = await work();
    return { id, outputs };
  } catch (error) {
    const found = recordedIn(error);
    if (found === undefined) throw error;
    const { id, properties, reasons } = found;
    return { id, outputs: properties, failure: { error: error as Error, reasons } };
  }
}
