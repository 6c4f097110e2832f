import { canonicalHost, isHost, isPort, splitPort } from "./hostport";
import { either, escape, quote } from "./quote";

interface Parts {
  readonly scheme: string;
  readonly host: string;
  readonly port: string | undefined;
  /** Begins with a slash, or is empty. */
  readonly path: string;
  /** With its question mark; undefined when there is none. */
  readonly query: string | undefined;
  /** With its number sign; undefined when there is none. */
  readonly fragment: string | undefined;
}

/** The schemes of an endpoint: the specification's values of `proto`. */
const ENDPOINT_SCHEMES = ["http", "https", "tcp", "tls"] as const;

const SHAPE = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i;
const DEFAULT_PORTS: Readonly<Record<string, string | undefined>> = { http: "80", https: "443" };

/** A cloud endpoint's `url`: a scheme of http, https, tcp or tls and a host, which may begin with `*.`. */
export function checkEndpoint(value: string): string | undefined {
  const allowed = `must be a URL that begins with ${either(ENDPOINT_SCHEMES.map((s) => `${s}://`))} and has a host`;
  const parts = read(value, ENDPOINT_SCHEMES, true);
  return typeof parts === "string" ? `${allowed}; ${parts}` : undefined;
}

/** An OIDC `issuer`: an https URL without query or fragment, the base URL of discovery. */
export function checkIssuer(value: string): string | undefined {
  const allowed = "must be an https:// URL without query or fragment, such as https://login.example.com";
  const parts = read(value, ["https"]);
  if (typeof parts === "string") return `${allowed}; ${parts}`;
  if (parts.query !== undefined) return `${allowed}; ${show(value)} has a query`;
  if (parts.fragment !== undefined) return `${allowed}; ${show(value)} has a fragment`;
  return undefined;
}

/** The data collection endpoint of a logs-ingestion target: an https URL. */
export function checkHttps(value: string): string | undefined {
  const parts = read(value, ["https"]);
  return typeof parts === "string" ? `must be an https:// URL with a host; ${parts}` : undefined;
}

/**
 * Whether two URLs are one: letter case of scheme and host, the default port of http and https, and the
 * slash of an empty path do not count. Not for an issuer, which token checks compare letter by letter.
 */
export function same(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

/** The one spelling of a URL, without default port and without the slash of an empty path. */
export function canonical(value: string): string {
  const parts = read(value, undefined, true);
  if (typeof parts === "string") return value;
  const { scheme, host, port, path, query = "", fragment = "" } = parts;
  const wildcard = host.startsWith("*.") ? "*." : "";
  const shownPort = port === undefined || port === DEFAULT_PORTS[scheme] ? "" : `:${port}`;
  const address = `${wildcard}${canonicalHost(host.slice(wildcard.length))}${shownPort}`;
  return `${scheme}://${address}${path === "/" ? "" : path}${query}${fragment}`;
}

/** The scheme in lower case; undefined when the value has none. */
export function schemeOf(value: string): string | undefined {
  return /^([a-z][a-z0-9+.-]{0,60}):\/\//i.exec(value)?.[1]!.toLowerCase();
}

function read(value: string, schemes?: readonly string[], wildcard = false): Parts | string {
  if (/[\s\p{Cc}\\]/u.test(value)) return `${show(value)} holds a space, a control character or a backslash`;
  const match = SHAPE.exec(value);
  if (!match) return `${show(value)} has no scheme${hint(value, schemes)}`;
  const scheme = match[1]!.toLowerCase();
  const authority = match[2]!;
  if (schemes && !schemes.includes(scheme)) return `the scheme of ${show(value)} is another`;
  // A password would stand in plain text in state and in messages.
  if (authority.includes("@")) return "a user name or password does not belong in it";
  const { host, port } = splitPort(authority);
  if (!isHost(wildcard && host.startsWith("*.") ? host.slice(2) : host)) {
    return `${show(value)} has no valid host`;
  }
  if (port !== undefined && !isPort(port)) {
    return `the port of ${show(value)} must be a number from 1 to 65535`;
  }
  return { scheme, host, port, path: match[3]!, query: match[4], fragment: match[5] };
}

function hint(value: string, schemes: readonly string[] | undefined): string {
  if (!schemes?.includes("https") || value.includes("@") || value.length > 253) return "";
  const suggestion = `https://${value}`;
  return typeof read(suggestion, schemes, true) === "string" ? "" : `, did you mean ${escape(suggestion)}?`;
}

/** Shows a URL without what often holds a secret: user information, query and fragment. */
function show(value: string): string {
  const start = value.slice(0, 200);
  if (start.includes("@")) return "the value";
  const end = start.search(/[?#]/);
  return quote(end < 0 ? start : `${start.slice(0, end + 1)}…`);
}
