import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** One for all: the settings of a stack in the project's folder need that of the stack before. */
const passphrase = randomBytes(16).toString("hex");

/**
 * The environment of the Pulumi CLI for stacks in folders of their own: the developer's own login and selected stack stay
 * as they are. `env` is that of ensurePulumi(); `service` has the address and the key of the account, if there is one.
 */
export function stackEnv(env, { backend, home, service }) {
  mkdirSync(backend, { recursive: true });
  const own = {
    ...env,
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: pathToFileURL(backend).href,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    ...(service && { TUNNEL_GATEWAY_BASE_URL: service.baseUrl, TUNNEL_GATEWAY_API_KEY: service.apiKey }),
  };
  delete own.PULUMI_CONFIG_PASSPHRASE_FILE;
  return own;
}
