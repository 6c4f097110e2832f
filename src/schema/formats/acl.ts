import { canonical as canonicalHostport, canonicalHost, isHostname, isHostport } from "./hostport";
import { quote } from "../text/phrase";
import { hasControl } from "./text";

const ALLOWED =
  'must be "*" or "bind:<target>", the target being a domain such as example.com or *.example.com, ' +
  "an address such as 1.tcp.example.com:12345, or a label such as key=value, *=value, key=* or *=*";

/** A rule of an SSH credential's `acl` ("ACL rules" 1 to 5). */
export function check(value: string): string | undefined {
  return canonicalRule(value) === undefined ? `${ALLOWED}; got ${quote(value)}${hint(value)}` : undefined;
}

/**
 * A target that is not a domain, an address or a label.
 * @public It is read where the module as a whole is a field's format.
 */
export function advise(value: string): string | undefined {
  const target = value.slice("bind:".length);
  const domain = target.startsWith("*.") ? target.slice(2) : target;
  if (value === "*" || target.includes("=") || isHostname(domain) || isHostport(target)) return undefined;
  return `has a target that is neither a domain, an address nor a label: ${quote(value)}${hint(value)}`;
}

/** The one spelling of a rule: letter case of a domain or an address does not count, that of a label does. */
export function canonical(value: string): string {
  return canonicalRule(value) ?? value;
}

/**
 * Whether one rule permits everything that the other one permits ("ACL rules" 3 to 5): `bind:*.example.com` covers
 * `bind:app.example.com`, and `bind:team=*` covers `bind:team=web`.
 */
export function covers(outer: string, inner: string): boolean {
  const [wide, narrow] = [canonical(outer), canonical(inner)];
  if (wide === "*" || wide === narrow) return true;
  if (narrow === "*") return false;
  if (wide.startsWith("bind:*."))
    return !narrow.includes("=") && narrow.endsWith(wide.slice("bind:*".length));
  const [wideParts, parts] = [wide, narrow].map((rule) => rule.slice("bind:".length).split("="));
  if (wideParts!.length === 1 || parts!.length === 1) return false;
  return wideParts!.every((part, i) => part === "*" || part === parts![i]);
}

function canonicalRule(value: string): string | undefined {
  if (value === "*") return value;
  if (!value.startsWith("bind:")) return undefined;
  const target = canonicalTarget(value.slice("bind:".length));
  return target === undefined ? undefined : `bind:${target}`;
}

function canonicalTarget(target: string): string | undefined {
  const equals = target.indexOf("=");
  if (equals >= 0) return isLabel(target.slice(0, equals), target.slice(equals + 1)) ? target : undefined;
  const wildcard = target.startsWith("*.") ? "*." : "";
  const domain = target.slice(wildcard.length);
  if (domain === "" || /[*\s]/.test(domain) || hasControl(domain)) return undefined;
  if (isHostname(domain)) return `${wildcard}${canonicalHost(domain)}`;
  return wildcard === "" && isHostport(target) ? canonicalHostport(target) : target;
}

function isLabel(key: string, value: string): boolean {
  // Rule 4 knows the wildcard as a whole key or value only.
  const whole = [key, value].every((part) => part === "*" || !(/[*=]/.test(part) || hasControl(part)));
  return whole && key !== "";
}

function hint(value: string): string {
  if (value === "bind:*") return ', did you mean "*"?';
  if (/^\s|\s$/.test(value)) return ", which begins or ends with white space";
  if (value.includes("://")) return ", a target has no scheme";
  if (!/^bind(:|$)/.test(value) && canonicalTarget(value) !== undefined) {
    return `, did you mean ${quote(`bind:${value}`)}?`;
  }
  return "";
}
