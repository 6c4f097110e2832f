import type { Context } from "./context";
import { HttpError } from "./http/errors";
import { endpointUrl } from "./http/normalise";
import { ENDPOINTS, TCP_EDGES } from "./paths";
import type { Fields } from "./store";

interface Served {
  urls: string[];
  pooled: boolean;
}

const servedBy: Record<string, (fields: Fields) => Served> = {
  [TCP_EDGES]: ({ hostports }) => ({
    urls: ((hostports ?? []) as string[]).map((each) => `tcp://${each.toLowerCase()}`),
    pooled: false,
  }),
  [ENDPOINTS]: ({ url, pooling_enabled }) => ({
    urls: typeof url === "string" ? [endpointUrl(url).toLowerCase()] : [],
    pooled: pooling_enabled === true,
  }),
};

/**
 * The option exclusiveAddresses: refuses an address that another edge or endpoint serves, unless both endpoints pool it. The
 * specification states no such rule; services were seen to have it.
 */
export function rejectOccupied(kind: string, { options, store }: Context, fields: Fields, id: string): void {
  const own = options.exclusiveAddresses === true ? servedBy[kind]?.(fields) : undefined;
  if (own === undefined || own.urls.length === 0) return;
  for (const [other, served] of Object.entries(servedBy)) {
    for (const stored of store.all(other)) {
      const { urls, pooled } = served(stored.fields);
      if (stored.id === id || (pooled && own.pooled) || !urls.some((url) => own.urls.includes(url))) continue;
      throw new HttpError(400, "ERR_ADDRESS", "the address is not available");
    }
  }
}
