/**
 * What a failure of a refresh or a destroy says of the settings. Without the program both use those of the state: a rotation or a
 * move left them without a valid key.
 */
import { refreshOfTool } from "../settings/settings";
import { ApiError, GatewayError, SettingsError, TransportError } from "../errors";
import { nameOfSetting } from "../settings/read-settings";
import type { AccountSettings } from "../settings/read-settings";

/** Does the work, and adds to its failure where the settings come from and what to do. */
export async function withStoredSettings<T>(
  work: () => Promise<T>,
  settings: () => AccountSettings,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOfTool = process.env[refreshOfTool] === "true";
    if (error instanceof SettingsError && error.isIncomplete) throw incomplete(error, isOfTool);
    if (isOfTool && error instanceof TransportError) throw unreachable(error, settings());
    if (!(error instanceof ApiError)) throw error;
    if (isOfTool && [401, 403].includes(error.status)) throw refusedKey(error, settings());
    if (error.status !== 401 || settings().isKeyOfEnvironment) throw error;
    throw error.advised(
      "Without --run-program, a refresh or destroy uses the key of the last pulumi up: if the key was rotated since, add it",
    );
  }
}

function incomplete({ message }: SettingsError, isOfTool: boolean): SettingsError {
  const advice = isOfTool
    ? "The refresh uses the settings of the last pulumi up: if they were moved since, run pulumi up once"
    : "Without --run-program, a refresh or destroy uses the settings of the last pulumi up: if they " +
      "were moved since, run pulumi up once, or add it";
  return new SettingsError(`${message}. ${advice}`, true);
}

/** The failure without the resource that was read, as below. */
function unreachable({ reason }: TransportError, { baseUrl }: AccountSettings): GatewayError {
  return new GatewayError(`the account at ${baseUrl} could not be read: ${reason}`);
}

/** The refusal without the resource that was read, so that it is the same for all resources of an account. */
function refusedKey({ status, code, serviceMessage }: ApiError, settings: AccountSettings): GatewayError {
  const { provider, baseUrl, isKeyOfEnvironment } = settings;
  const user = typeof provider === "string" ? `Provider ${JSON.stringify(provider)}` : "default provider";
  const words = [String(status), code].filter(Boolean).join(" ") + `: ${serviceMessage ?? "no reason"}`;
  const refusal = `the service at ${baseUrl} refuses to read with the key of the ${user}: ${words}`;
  if (status === 403) return new GatewayError(`${refusal}. Give the owner of the key the permission to read`);
  const correct = `Correct ${nameOfSetting("apiKey", provider)}`;
  return new GatewayError(
    isKeyOfEnvironment
      ? `${refusal}. ${correct}`
      : `${refusal}. ${correct}, and run pulumi up: the refresh used the key of the last one`,
  );
}
