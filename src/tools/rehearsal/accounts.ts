/** The accounts of a plan: one for each base URL, with the connections of the providers that work on it. */
import type { Snapshot } from "../../emulator/types";
import { ProviderAccounts } from "../inventory/provider-accounts";
import type { Connection } from "../../provider/life-cycle/connection";
import { parseSettings } from "../../provider/settings/read-settings";
import type { AccountSettings } from "../../provider/settings/read-settings";
import type { Json } from "../../schema/json";
import { configKey, nameKey, settingText, settingsIn } from "../../provider/settings/settings";
import { hiddenUrl, isHidden } from "../stack/mask";
import { isAbsent } from "../../schema/unknown";
import type { EngineState } from "../stack/state";
import { isImport } from "../stack/preview-text";
import type { StepPlan } from "../stack/preview";
import { urlIn } from "../stack/state";
import { providerNameIn } from "../../provider/urn";
import { withShapes } from "./opaque";
import { recordedAccount } from "./recorded-account";
import type { MentionedObject, RecordedObject } from "./recorded-account";
import { RehearsedAccount } from "./rehearsed-account";
import type { RequestLog } from "./rehearsed-account";
import type { VirtualClock } from "./virtual-clock";

/** What was read of the accounts. */
export interface KnownAccounts {
  /** The account of a provider, by its URN or undefined for the default one; undefined if it was not read. Default: none was. */
  readonly readAccount?: (provider: string | undefined) => Snapshot | undefined;
  /** Lists of the default provider's account. The rest is what the stack records. */
  readonly lists?: Snapshot;
}

/** A provider of the plan. */
interface ProviderSettings {
  readonly settings: AccountSettings;
  /** Identifies the account. */
  readonly account: string;
}

export class Accounts {
  /** By the key of the account. */
  readonly started = new Map<string, RehearsedAccount>();
  readonly problems: string[] = [];
  /** The accounts that were not read as a whole, each as a sentence. */
  readonly unread: string[] = [];
  /** By URN, the arguments in which an object that was read is not as the state records it. */
  readonly differing = new Map<string, readonly string[]>();
  /** By URN of a set of rules, the recorded ranges that its policy does not have. */
  readonly missing = new Map<string, ReadonlySet<string>>();
  private readonly providers = new Map<string | undefined, ProviderSettings>();
  private readonly connections = new Map<string | undefined, Connection>();
  private readonly named: PlannedProviders;

  private constructor(plan: StepPlan) {
    this.named = new PlannedProviders(plan);
    this.addProviders(plan);
  }

  /** Copies the accounts of all providers. */
  static async start(
    plan: StepPlan,
    { readAccount = () => undefined, lists = {} }: KnownAccounts,
    clock: VirtualClock,
    log: RequestLog,
  ): Promise<Accounts> {
    const accounts = new Accounts(plan);
    const accountOf = ({ provider }: InProvider<unknown>): string => accounts.provider(provider).account;
    const placed = <T extends InProvider<object>>(each: T) => {
      return { ...each, isListed: accounts.named.hasDefaultAccount(each.provider) };
    };
    const recorded = Map.groupBy(recordedObjects(plan).map(placed), accountOf);
    const mentioned = Map.groupBy(mentionedObjects(plan).map(placed), accountOf);
    for (const [urn, { settings, account }] of accounts.providers) {
      const own = mentioned.get(account);
      if (accounts.started.has(account) || own === undefined) continue;
      const { baseUrl } = settings;
      const known = urn === undefined ? lists : {};
      const copied =
        readAccount(urn) ?? accounts.withRecorded(baseUrl, recorded.get(account) ?? [], own, known);
      const started = await RehearsedAccount.start(baseUrl, copied, clock, log);
      for (const each of started.leftOut) accounts.problems.push(`the account at ${baseUrl}: ${each}`);
      accounts.started.set(account, started);
    }
    return accounts;
  }

  /** The connection of a provider. Each provider has one, because each runs in a separate process. */
  connection(provider: string | undefined): Connection {
    let connection = this.connections.get(provider);
    if (connection === undefined) {
      const { settings, account } = this.provider(provider);
      this.connections.set(provider, (connection = this.started.get(account)!.connect(settings)));
    }
    return connection;
  }

  /** Whether two providers certainly have one account. */
  areOne(one: string | undefined, other: string | undefined): boolean {
    return this.provider(one).account === this.provider(other).account;
  }

  /** The account of a provider before the deployment. */
  before(provider: string | undefined): Snapshot {
    return this.started.get(this.provider(provider).account)!.before;
  }

  /** The account that the stack records, with the lists that were read. */
  private withRecorded(
    baseUrl: string,
    recorded: readonly RecordedObject[],
    mentioned: readonly MentionedObject[],
    lists: Snapshot,
  ): Snapshot {
    const { account, unread, differing, missing } = recordedAccount(recorded, mentioned, lists);
    for (const [urn, names] of differing) this.differing.set(urn, names);
    for (const [urn, ranges] of missing) this.missing.set(urn, ranges);
    const read = Object.keys(lists);
    const place = baseUrl === hiddenUrl ? "" : ` at ${baseUrl}`;
    const except = read.length === 0 ? "" : `, except ${read.join(", ")}`;
    const nothing = unread.length === 0 ? "" : `, and nothing about ${unread.join(", ")}`;
    this.unread.push(
      `the account${place} was not read${except}: only what the stack records is known${nothing}`,
    );

    return account;
  }

  private provider(urn: string | undefined): ProviderSettings {
    return this.providers.get(urn) ?? this.providers.get(undefined)!;
  }

  private addProviders(plan: StepPlan): void {
    const { explicit, keys } = this.named;
    this.add(undefined, settingsIn(plan.config), keys);
    for (const [urn, { inputs }] of explicit)
      this.add(urn, { ...inputs, [nameKey]: providerNameIn(urn) }, keys);
    const states = plan.steps.flatMap(({ before, after }) => [before, after]);
    const own = states.filter((state) => state?.identity.kind === "own");
    for (const urn of new Set(own.map((state) => state?.provider)))
      if (urn !== undefined && !explicit.has(urn))
        this.problems.push(`the preview shows no settings of the provider ${urn}`);
  }

  private add(urn: string | undefined, inputs: Json, keys: ProviderAccounts): void {
    const textOf = (key: string): string | undefined =>
      isHidden(inputs[key]) ? undefined : settingText(inputs[key]);
    const { settings, problems } = parseSettings({ get: textOf }, {});
    for (const { message, isMissing } of problems) if (!isMissing) this.problems.push(message);
    const baseUrl = settings.baseUrl === "" ? hiddenUrl : settings.baseUrl;
    this.providers.set(urn, { settings: { ...settings, baseUrl }, account: keys.keyOf(urn) });
  }
}

/** The explicit providers of a plan, and which accounts they have. */
export class PlannedProviders {
  readonly explicit: ReadonlyMap<string, EngineState>;
  readonly keys: ProviderAccounts;
  private readonly config: Json;

  constructor({ steps, config }: StepPlan) {
    const states = steps.flatMap(({ urn, before, after }) => {
      const state = after ?? before;
      return state?.identity.kind === "provider" ? [[urn, state] as const] : [];
    });
    this.explicit = new Map(states);
    const urls = [...this.explicit].map(([urn, { inputs }]) => [urn, urlIn(inputs)] as const);
    this.keys = new ProviderAccounts(new Map([[undefined, urlIn(config)], ...urls]));
    this.config = config;
  }

  /** Whether it is the default provider, or one with its base URL, and neither has a key of its own. */
  hasDefaultAccount(urn: string | undefined): boolean {
    if (urn === undefined) return true;
    const inputs = this.explicit.get(urn)?.inputs;
    if (inputs === undefined || this.keys.keyOf(urn) !== this.keys.keyOf(undefined)) return false;
    const isOwn = (values: Json): boolean => !isAbsent(settingsIn(values)[configKey("apiKey")]);
    return !isOwn(inputs) && !isOwn(this.config);
  }
}

type InProvider<T> = Omit<T, "isListed"> & { readonly provider: string | undefined };

/** The objects that the stack has before the deployment, and those that it imports. */
function recordedObjects({ steps }: StepPlan): InProvider<RecordedObject>[] {
  const found = new Map<string, InProvider<RecordedObject>>();
  const imported: InProvider<RecordedObject>[] = [];
  // Their deletions have steps of their own, unless an interrupted deployment has deleted the old object.
  const replaced = new Set(steps.flatMap(({ op, urn }) => (op === "create-replacement" ? urn : [])));
  for (const { op, urn, before, after } of steps) {
    if (isImport(op) && after?.identity.kind === "own" && after.id !== undefined) {
      const { id, inputs, provider, identity } = after;
      const outputs = withShapes(identity.declaration.fields, inputs);
      imported.push({ declaration: identity.declaration, id, outputs, provider });
    }
    // The old state of a create is what an interrupted replacement has deleted.
    const isMade = op.startsWith("create") || (op === "replace" && replaced.has(urn));
    const isThere = op !== "refresh" && !isMade;
    if (!isThere || before?.identity.kind !== "own" || before.id === undefined) continue;
    const { id, outputs, provider, identity, external } = before;
    const compared = external ? {} : { urn };
    found.set(`${urn} ${id}`, { ...compared, declaration: identity.declaration, id, outputs, provider });
  }
  // What a state records is more certain than what the program says of an object that it imports.
  return [...found.values(), ...imported];
}

/** The resources of the stack before and after the deployment, with the ids of those that the program only reads. */
function mentionedObjects({ steps }: StepPlan): InProvider<MentionedObject>[] {
  const states = steps.flatMap(({ before, after }) => [before, after]);
  return states.flatMap((state) => {
    if (state?.identity.kind !== "own") return [];
    const { external, provider, identity, inputs, outputs } = state;
    const values = { ...outputs, ...inputs };
    return [{ declaration: identity.declaration, id: external ? state.id : undefined, values, provider }];
  });
}
