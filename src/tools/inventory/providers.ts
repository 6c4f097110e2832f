/** The providers of a stack: their settings, and the part of the stack that may be in the account of each. */
import { GatewayError } from "../../provider/errors";
import type { ConfigSource } from "../../provider/settings/read-settings";
import { quote } from "../../schema/text/phrase";
import type { Json } from "../../schema/json";
import { asText, membersOf } from "../../schema/unknown";
import { configKey, nameKey, settingsIn } from "../../provider/settings/settings";
import { urlIn } from "../stack/state";
import { isDefaultProvider, isProviderType, providerNameIn } from "../../provider/urn";
import type { InventoryObject } from "./inventory";
import type { NeededSecrets, StackContents } from "./stack";

type Providers = Pick<StackContents, "providers">;

/** The default provider, with the base URL that the stack's configuration had at the last deployment. */
export function defaultProvider(contents: Providers): { baseUrl: string | undefined } | undefined {
  const inputs = defaultInputs(contents);
  return inputs && { baseUrl: urlIn(inputs) };
}

/** The stack's configuration that the default provider got at the last deployment; undefined if there was none. */
export function recordedConfiguration(contents: Providers): ConfigSource | undefined {
  const inputs = defaultInputs(contents);
  return inputs && { get: (key) => asText(inputs[key]) };
}

function defaultInputs({ providers }: Providers): Json | undefined {
  return [...providers].find(([urn]) => isDefaultProvider(urn))?.[1];
}

/** The URN of the explicit provider that a user names by its name or its URN. Throws if the stack has none or several. */
export function providerNamed(
  { providers, stack }: Providers & Pick<StackContents, "stack">,
  nameOrUrn: string,
): string {
  const explicit = [...providers.keys()].filter((urn) => !isDefaultProvider(urn));
  const found = explicit.filter((urn) => urn === nameOrUrn || providerNameIn(urn) === nameOrUrn);
  if (found.length === 1) return found[0]!;
  const list = (urns: readonly string[]): string =>
    urns.map((urn) => `${quote(providerNameIn(urn))} (${urn})`).join(", ");
  throw new GatewayError(
    found.length > 1
      ? `the stack ${stack} has more than one provider ${quote(nameOrUrn)}: name it by its URN: ${list(found)}`
      : `the stack ${stack} has no provider ${quote(nameOrUrn)}; it has ${explicit.length > 0 ? list(explicit) : "none"}`,
  );
}

/**
 * The settings that are needed in plaintext: those of the provider that a user names, or of all providers without a name.
 * Of the others only the base URL is needed, to compare accounts.
 */
export function settingsOfProvider(nameOrUrn?: string): NeededSecrets {
  return ({ urn, type, inputs }) => {
    if (!isProviderType(asText(type) ?? "")) return undefined;
    const settings = settingsIn(membersOf(inputs));
    const own = asText(urn) ?? "";
    const isMeant = nameOrUrn === undefined || own === nameOrUrn || providerNameIn(own) === nameOrUrn;
    return isMeant ? settings : settings[configKey("baseUrl")];
  };
}

/** The arguments that an explicit provider had at the last deployment. The environment gives the others. */
export function providerSource({ providers }: Providers, urn: string): ConfigSource {
  const inputs = providers.get(urn) ?? {};
  return { get: (key) => (key === nameKey ? providerNameIn(urn) : asText(inputs[key])) };
}

/**
 * The part of a stack that may be in the account of one of its providers; of the default one without a URN. Providers with
 * the same base URL may share an account, so each manages what the other created. An open create belongs to its provider.
 */
export function inAccountOf(contents: StackContents, provider: string | undefined): StackContents {
  const { accounts } = contents.inventory;
  const mayBeThere = (object: InventoryObject): boolean => accounts.mayBeOne(object.provider, provider);
  return {
    ...contents,
    managed: contents.managed.filter(mayBeThere),
    pending: contents.pending.filter((each) => each.provider === provider),
  };
}
