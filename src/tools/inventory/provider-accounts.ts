/** Which providers may work on the same account, according to their base URLs. */
import { isHidden } from "../stack/mask";
import { canonicalUrl } from "../stack/state";

/**
 * The base URLs of providers by URN, undefined for the default provider. A base URL is undefined if the environment gives it.
 * The base URL of a provider that is not in the map is not known.
 */
export type BaseUrls = ReadonlyMap<string | undefined, string | undefined>;

/**
 * Only the service knows the account of an API key, and it refuses the ids of another account. So providers with the same
 * base URL count as one account. A provider whose base URL is not known may have the account of any other one.
 */
export class ProviderAccounts {
  constructor(private readonly urls: BaseUrls = new Map<string | undefined, string | undefined>()) {}

  /** Providers with equal keys count as one account. */
  keyOf(provider: string | undefined): string {
    const url = this.urls.get(provider);
    if (url !== undefined) return isHidden(url) ? own(provider) : byUrl + canonicalUrl(url);
    return this.urls.has(provider) ? environment : own(provider);
  }

  /** Whether the accounts may be the same. */
  mayBeOne(a: string | undefined, b: string | undefined): boolean {
    const [one, other] = [this.keyOf(a), this.keyOf(b)];
    return one === other || ![one, other].every((key) => key.startsWith(byUrl));
  }
}

const environment = "environment";
const byUrl = "url ";

function own(provider = ""): string {
  return `provider ${provider}`;
}
