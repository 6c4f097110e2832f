/** The account of a stack, of one of its explicit providers, or of the environment: its settings, its client, its objects. */
import { clientWith } from "../../account/account-client";
import type { AccountClient } from "../../account/account-client";
import { SettingsError } from "../../provider/errors";
import { readSettings } from "../../provider/settings/read-settings";
import type { ConfigSource } from "../../provider/settings/read-settings";
import type { Declaration } from "../../schema/declaration";
import type { Settings } from "../../provider/settings/settings";
import { configOnce } from "../stack/config";
import type { StackConfig } from "../stack/config";
import { withReason } from "../stack/pulumi";
import { inventoryOfAccount, readAccount } from "./account-contents";
import type { Modules } from "./account-contents";
import type { Inventory } from "./inventory";
import { modulesWith, namedBy } from "./managed";
import { inAccountOf, providerNamed, providerSource, settingsOfProvider } from "./providers";
import { readStack } from "./stack";
import type { StackContents } from "./stack";

export interface AccountChoice {
  /** The stack that gives the settings; without one the environment does. */
  readonly stack?: string;
  /** The folder of its project; default: the current one. */
  readonly cwd?: string;
  /** An explicit provider of the stack, by its name or URN. */
  readonly provider?: string;
}

/** How long work reports its progress. */
export interface Reporter {
  /** A progress line that the next one replaces. */
  readonly status: (line: string) => void;
  /** A line that stays. */
  readonly note: (line: string) => void;
}

const environmentOnly: ConfigSource = { get: () => undefined };
const quietly = (): void => undefined;

/** The settings that override the environment. `config` is the configuration of the stack, if the caller has read it. */
export async function settingsSource(
  { stack, cwd, provider }: AccountChoice,
  config?: StackConfig,
): Promise<ConfigSource> {
  if (stack === undefined) return environmentOnly;
  if (provider !== undefined) {
    const contents = await readStack({ stack, cwd, note: quietly }, settingsOfProvider(provider));
    return providerSource(contents, providerNamed(contents, provider));
  }
  const read = config ?? configOnce(stack, { cwd, mayAsk: true });
  const values = await read().catch(
    withReason((reason) => `the configuration of the stack ${stack} could not be read: ${reason}`),
  );
  return { get: (key) => values.get(key) };
}

/** The settings of the source and the environment. If no stack is named, an error advises to name one. */
export function settingsFrom(source: ConfigSource, { stack }: AccountChoice): Settings {
  try {
    return readSettings(source, process.env);
  } catch (error) {
    const mayBeInStack = error instanceof SettingsError && error.isIncomplete && stack === undefined;
    if (!mayBeInStack) throw error;
    throw new SettingsError(`${error.message}. Add --stack <name> to take the settings of a stack`);
  }
}

/** The account's client. It passes progress lines to `note`. */
export async function connect(
  choice: AccountChoice,
  note: Reporter["note"],
  config?: StackConfig,
): Promise<AccountClient> {
  return clientWith(settingsFrom(await settingsSource(choice, config), choice), note);
}

/** A list that every key may read. Reading it shows whether the service accepts a key. */
export const plainList = {
  path: "/ip_policies",
  listKey: "ip_policies",
  operation: "listing the IP policies",
};

/** The part of the stack that may be in the account; undefined without a stack. */
export async function stackBeside(
  { stack, cwd, provider }: AccountChoice,
  note: Reporter["note"],
): Promise<StackContents | undefined> {
  if (stack === undefined) return undefined;
  const contents = await readStack({ stack, cwd, note });
  return inAccountOf(contents, provider === undefined ? undefined : providerNamed(contents, provider));
}

export interface AccountParts {
  readonly isChosen: (declaration: Declaration) => boolean;
  readonly modules?: Modules;
}

/** Reads the chosen collections of the account. The objects of the stack have their names in the program. */
export async function accountInventory(
  choice: AccountChoice,
  contents: StackContents | undefined,
  { isChosen, modules }: AccountParts,
  { note, status }: Reporter,
  config?: StackConfig,
): Promise<Inventory> {
  const client = await connect(choice, note, config);
  const { objects } = await readAccount({
    ...{ client, isChosen, modules: modulesWith(modules, contents) },
    ...{ findsEdges: true, report: status },
  });
  for (const { declaration, id, problem } of objects)
    if (problem !== undefined) note(`The ${declaration.noun} ${id} is left out: ${problem}`);
  return inventoryOfAccount(namedBy(contents, objects).objects);
}
