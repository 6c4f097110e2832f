/** The resources of exports that stand in for the Pulumi CLI. */
import { readFileSync } from "node:fs";
import { secretSignature } from "../../../src/schema/secrets";

const providerType = "pulumi:providers:pulumi-nodejs";

export const providerUrn = (name: string, parents = ""): string =>
  `urn:pulumi:dev::shop::${parents}${providerType}::${name}`;

/** A resource in the export of the stack dev of the project shop; more: its other members. */
export const state = (
  type: string,
  name: string,
  id: string,
  outputs: object,
  more: object = {},
): object => ({
  urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tunnel-gateway:${type}::${name}`,
  type: `pulumi-nodejs:dynamic/tunnel-gateway:${type}`,
  ...{ id, custom: true, inputs: outputs, outputs, ...more },
});

/** The API key of the account of a provider that is called partner. */
export const partnerKey = "PARTNER-KEY-1234567890";

/** The resource of a provider; without an API key, that of the configuration or the environment counts. */
export function provider(name: string, { apiKey, baseUrl }: { apiKey?: string; baseUrl: string }): object {
  const key = { ...secretSignature, plaintext: JSON.stringify(apiKey) };
  return {
    ...{ urn: providerUrn(name), type: providerType, id: `id-of-${name}`, custom: true },
    inputs: {
      "tunnel-gateway:baseUrl": baseUrl,
      ...(apiKey === undefined ? {} : { "tunnel-gateway:apiKey": key }),
    },
  };
}

/** The export as Pulumi prints it, with encrypted secrets: the ciphertext of this stand-in is the plaintext. */
export function encrypted(exported: string): string {
  return exported.replaceAll('"plaintext"', '"ciphertext"');
}

/** What Pulumi prints of a configuration file that it decrypts; undefined where the call names no file. */
export function decryptedConfig(args: readonly string[]): string | undefined {
  const at = args.indexOf("--config-file");
  if (at < 0) return undefined;
  const { config } = JSON.parse(readFileSync(args[at + 1]!, "utf8")) as {
    config: Record<string, { secure: string }>;
  };
  const values = Object.entries(config).map(([key, { secure }]) => [key, { value: secure, secret: true }]);
  return JSON.stringify(Object.fromEntries(values));
}
