/** The providers of exports that stand in for the Pulumi CLI. */
import { secretSignature } from "../../../src/schema/secrets";

const providerType = "pulumi:providers:pulumi-nodejs";

export const providerUrn = (name: string, parents = ""): string =>
  `urn:pulumi:dev::shop::${parents}${providerType}::${name}`;

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
