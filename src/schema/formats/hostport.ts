import { isIPv4 } from "node:net";
import { domainToASCII } from "node:url";
import { canonicalAddress, isAddress } from "./cidr";
import { quote } from "../text/phrase";

/** A DNS name has at most 253 characters; in Unicode it is never longer than in ASCII. */
const LONGEST = 253;

/**
 * A host name or an IPv4 address: labels of letters, digits, `-` and `_`, in ASCII or Unicode.
 * One label is enough, because private names such as `localhost` are names too.
 */
export function isHostname(value: string): boolean {
  if (value === "" || value.length > LONGEST) return false;
  const ascii = isAscii(value) ? value : domainToASCII(value);
  if (ascii.length > LONGEST) return false;
  const labels = ascii.split(".");
  if (!labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label))) return false;
  // No top-level domain is a number, so such a name can only be meant as an address.
  return !/^[0-9]+$/.test(labels[labels.length - 1]!) || isIPv4(ascii);
}

/** A host name, an IPv4 address or an IPv6 address in brackets. */
export function isHost(value: string): boolean {
  if (!value.startsWith("[")) return isHostname(value);
  return value.endsWith("]") && value.includes(":") && isAddress(value.slice(1, -1));
}

/** The one spelling of a host: lower case, ASCII, IPv6 after RFC 5952; other text is returned as it is. */
export function canonicalHost(value: string): string {
  if (!isHost(value)) return value;
  if (value.startsWith("[")) return `[${canonicalAddress(value.slice(1, -1))}]`;
  return (isAscii(value) ? value : domainToASCII(value)).toLowerCase();
}

/** Whether a text is a port in decimal, 1 to 65535, without leading zeros. */
export function isPort(value: string): boolean {
  return /^[1-9][0-9]{0,4}$/.test(value) && Number(value) <= 65535;
}

/** Splits at the colon before the port; the port is undefined when there is none. */
export function splitPort(value: string): { host: string; port: string | undefined } {
  const colon = value.lastIndexOf(":");
  if (colon < 0 || colon < value.lastIndexOf("]")) return { host: value, port: undefined };
  return { host: value.slice(0, colon), port: value.slice(colon + 1) };
}

/** A `hostport` of a TCP edge: `hostname:port`, the port from 1 to 65535. */
export function check(value: string): string | undefined {
  const { host, port } = splitPort(value);
  const allowed = "must be hostname:port such as 1.tcp.example.com:12345";
  if (value.includes("://")) return `${allowed}, without a scheme; got ${quote(value)}`;
  if (port === undefined) return `${allowed}; ${quote(value)} has no port`;
  if (host === "" || (/[\s:/]/.test(host) && !isHost(host)))
    return `${allowed}; ${quote(value)} does not begin with a host name`;
  if (!isPort(port)) return `${allowed}; the port of ${quote(value)} must be a number from 1 to 65535`;
  return undefined;
}

/**
 * A host that DNS does not know in this form, such as one with a wildcard.
 * @public It is read where the module as a whole is a field's format.
 */
export function advise(value: string): string | undefined {
  return isHostport(value) ? undefined : "has a host that is neither a host name nor an IP address";
}

/** Whether a text is a host name or an IP address, a colon and a port. */
export function isHostport(value: string): boolean {
  return check(value) === undefined && isHost(splitPort(value).host);
}

/** The one spelling of a hostport: letter case does not count. Other text is returned as it is. */
export function canonical(value: string): string {
  if (check(value) !== undefined) return value;
  const { host, port } = splitPort(value);
  return `${canonicalHost(host)}:${port}`;
}

function isAscii(value: string): boolean {
  return !/[^ -~]/.test(value);
}
