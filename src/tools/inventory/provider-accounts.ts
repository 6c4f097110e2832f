/** Which providers may work on one account, as far as their base URLs tell. */
import { isUnknown } from "../../schema/unknown";
import { secretMask } from "../stack/mask";

/**
 * The base URLs of providers by URN, undefined for the default provider. A base URL is undefined where the environment
 * gives it. A provider that is not among them has one that is not known.
 */
export type BaseUrls = ReadonlyMap<string | undefined, string | undefined>;

/**
 * Only the service knows the account of an API key. It refuses the ids of another account, so what providers with one base
 * URL share by id counts for all of them. A provider whose base URL is not known may share with any other one.
 */
export class ProviderAccounts {
  constructor(private readonly urls: BaseUrls = new Map<string | undefined, string | undefined>()) {}

  /** Providers with equal keys count as one account. */
  keyOf(provider: string | undefined): string {
    const url = this.urls.get(provider);
    if (url !== undefined) return isUnknown(url) || url === secretMask ? own(provider) : urlKey(url);
    return this.urls.has(provider) ? environment : own(provider);
  }

  /** Whether nothing says that they are different accounts. */
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

/** One spelling of a base URL. */
function urlKey(url: string): string {
  const text = URL.canParse(url) ? new URL(url).href : url;
  return byUrl + text.replace(/\/+$/, "");
}
