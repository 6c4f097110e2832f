import { isIPv4, isIPv6 } from "node:net";
import { IPv6 } from "ipaddr.js";

/** An address or a network in canonical form (RFC 5952) with its mask, or the rule that the text breaks. */
export function parseCidr(text: string): { canonical: string } | string {
  const slash = text.indexOf("/");
  const address = slash < 0 ? text : text.slice(0, slash);
  // node:net decides what an address is, because ipaddr.js also takes octal, hexadecimal and short forms.
  const v4 = isIPv4(address);
  // A zone (fe80::1%eth0) belongs to a host, not to a range.
  if (!v4 && (!isIPv6(address) || address.includes("%")))
    return "must be an IPv4 or IPv6 address or range in CIDR notation";
  const width = v4 ? 32 : 128;
  const mask = slash < 0 ? String(width) : text.slice(slash + 1);
  if (!/^(0|[1-9]\d{0,2})$/.test(mask) || Number(mask) > width)
    return `the mask must be a number from 0 to ${width}`;
  const canonical = `${v4 ? address : canonicalV6(address)}/${mask}`;
  const isNetwork = v4
    ? valueOf(address) % 2 ** (width - Number(mask)) === 0
    : canonical === `${IPv6.networkAddressFromCIDR(canonical).toString()}/${mask}`;
  return isNetwork ? { canonical } : "must be the network address: host bits are set";
}

/** The number that an IPv4 address is. */
function valueOf(address: string): number {
  return address.split(".").reduce((value, part) => value * 256 + Number(part), 0);
}

/** The form of RFC 5952. The URL parser reads `::192.0.2.0` as it is; ipaddr.js reads it as `::ffff:192.0.2.0`. */
const canonicalV6 = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1);
