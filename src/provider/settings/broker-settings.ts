/**
 * The broker of a deployment: a process that holds the keys, and sends the writes that were approved. Its clients have a token of
 * the run and no key.
 */
import type { Environment } from "./settings";

/** The environment variable in which `deploy` tells the plugin and the commands where the broker is, as JSON. */
export const brokerVariable = "TUNNEL_GATEWAY_BROKER";

/** The header in which a request to the broker names the base URL that it is for. */
export const baseUrlHeader = "tunnel-gateway-base-url";

export interface BrokerSettings {
  readonly url: string;
  /** Stands in place of every key. */
  readonly token: string;
  /** The marks of the accounts by their base URLs, which states record. */
  readonly marks: Readonly<Record<string, string>>;
}

/** How the user tries a deployment again. The broker lets through what was approved, once. */
export function upAgain(): string {
  return brokerIn(process.env) === undefined ? "run pulumi up again" : "review and deploy the change again";
}

export function brokerIn(environment: Environment): BrokerSettings | undefined {
  const text = environment[brokerVariable] ?? "";
  return text === "" ? undefined : (JSON.parse(text) as BrokerSettings);
}
