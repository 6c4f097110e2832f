/** The connections of undici, as the environment asks for them. */
import type { Dispatcher } from "undici";
import { isLoopback } from "../read-settings";

/** Parallel hooks share these connections; the engine runs 4 hooks per core at once. */
const mostConnections = 32;

/**
 * Connections to a host. HTTPS_PROXY, HTTP_PROXY and NO_PROXY are honoured; NODE_EXTRA_CA_CERTS is by Node itself. A service
 * on this machine is never requested through a proxy: the key would reach the proxy in plaintext.
 * @internal No declaration of the package may name a type of undici.
 */
export function connectionsTo(hostname: string): Dispatcher {
  // Loaded with the first request, because a preview sends none.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { Agent, EnvHttpProxyAgent } = require("undici") as typeof import("undici");
  const options = { connections: mostConnections, keepAliveTimeout: 10_000 };
  return isLoopback(hostname) ? new Agent(options) : new EnvHttpProxyAgent(options);
}
