import { canonicalHost, isHost, isPort, splitPort } from "./hostport";
import { escapeControls } from "../text/escape";
import type { Format, ReplaceWhen } from "../field";
import { isUnknown } from "../unknown";
import { either, quote } from "../text/phrase";
import { hasControl } from "./text";

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

const WEB_SCHEMES = ["https", "http"] as const;

const SHAPE = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i;
const DEFAULT_PORTS: Readonly<Record<string, string | undefined>> = { http: "80", https: "443" };

/**
 * A cloud endpoint's `url`. The specification states no form. An endpoint serves only the schemes that are values of
 * its `proto`.
 */
export function checkEndpoint(value: string): string | undefined {
  if (value === "") return "must be the URL of an endpoint, which is not empty";
  const scheme = schemeOf(value);
  if (scheme === undefined || (ENDPOINT_SCHEMES as readonly string[]).includes(scheme)) return undefined;
  const allowed = either(ENDPOINT_SCHEMES.map((each) => `${each}://`));
  return `must be a URL that begins with ${allowed}; the scheme of ${show(value)} is another`;
}

/** An endpoint's URL that does not read as a scheme, a host, which may begin with `*.`, and a port. */
export function adviseEndpoint(value: string): string | undefined {
  const parts = read(value, ENDPOINT_SCHEMES, true);
  return typeof parts === "string" ? `is an unusual URL of an endpoint: ${parts}` : undefined;
}

/** An OIDC `issuer`: a URL that discovery can fetch from. */
export function checkIssuer(value: string): string | undefined {
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return undefined;
  const parts = read(value, WEB_SCHEMES);
  const reason = typeof parts === "string" ? parts : `${show(value)} does not parse`;
  return `must be an https:// URL such as https://login.example.com, or an http:// URL; ${reason}`;
}

/** An issuer that OpenID Connect Discovery does not allow, or an unusual one. */
export function adviseIssuer(value: string): string | undefined {
  const parts = read(value, WEB_SCHEMES);
  if (typeof parts === "string") return `is an unusual URL of an issuer: ${parts}`;
  if (parts.scheme !== "https") return "is not https, which OpenID Connect requires of an issuer";
  if (parts.query !== undefined) return "has a query, which OpenID Connect does not allow in an issuer";
  if (parts.fragment !== undefined) return "has a fragment, which OpenID Connect does not allow in an issuer";
  return undefined;
}

/** The data collection endpoint of a logs-ingestion target, where it is not an https URL. */
export function adviseUri(value: string): string | undefined {
  const parts = read(value, ["https"]);
  return typeof parts === "string" ? `is not an https:// URL with a host: ${parts}` : undefined;
}

/**
 * The one spelling of a URL: letter case of scheme and host, the default port of http and https, and the slash of an
 * empty path do not count. Not for an issuer, which token checks compare letter by letter.
 */
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
  if (/[\s\\]/.test(value) || hasControl(value))
    return `${show(value)} holds a space, a control character or a backslash`;
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
  // A user name, a query or a fragment may be a secret.
  if (!schemes?.includes("https") || /[@?#]/.test(value) || value.length > 253) return "";
  const suggestion = `https://${value}`;
  return typeof read(suggestion, schemes, true) === "string"
    ? ""
    : `, did you mean ${escapeControls(suggestion)}?`;
}

/** Shows a URL without what often holds a secret: user information, query and fragment. */
function show(value: string): string {
  const start = value.slice(0, 200);
  if (start.includes("@")) return "the value";
  const end = start.search(/[?#]/);
  return quote(end < 0 ? start : `${start.slice(0, end + 1)}…`);
}

/** The URL of an endpoint. */
export const endpoint: Format = {
  check: checkEndpoint,
  advise: adviseEndpoint,
  canonical,
  example: () => "https://example.com",
};

/** The URL of an OpenID provider. */
export const issuer: Format = {
  check: checkIssuer,
  advise: adviseIssuer,
  example: () => "https://login.example.com",
};

/** Replaces where the scheme changes. One that is not known yet is taken for the same. */
export const schemeChanges: ReplaceWhen = ({ old, next }) =>
  typeof old === "string" && typeof next === "string" && !isUnknown(next) && schemeOf(old) !== schemeOf(next);
