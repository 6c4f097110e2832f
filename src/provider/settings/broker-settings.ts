/**
 * The broker of a deployment: a process that holds the keys and sends the approved writes. Its clients have a token for the run
 * instead of a key.
 */
import type { Environment } from "./settings";

/** The environment variable in which `deploy` passes the address of the broker to the plugin and the commands, as JSON. */
export const brokerVariable = "TUNNEL_GATEWAY_BROKER";

/** The header of a request to the broker that names the request's base URL. */
export const baseUrlHeader = "tunnel-gateway-base-url";

export interface BrokerSettings {
  readonly url: string;
  /** Replaces every key. */
  readonly token: string;
  /** The account marks that states record, by base URL. */
  readonly marks: Readonly<Record<string, string>>;
}

/** How the user repeats a deployment. The broker permits each approved write only once. */
export function upAgain(): string {
  return brokerIn(process.env) === undefined ? "run pulumi up again" : "review and deploy the change again";
}

export function brokerIn(environment: Environment): BrokerSettings | undefined {
  const text = environment[brokerVariable] ?? "";
  return text === "" ? undefined : (JSON.parse(text) as BrokerSettings);
}
