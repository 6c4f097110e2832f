import { isIPv4, isIPv6 } from "node:net";

/** A network in canonical spelling, or the rule that the text breaks. */
export function parseCidr(text: string): { canonical: string } | string {
  const slash = text.indexOf("/");
  if (slash < 0) return "must carry its mask, as in 192.0.2.0/24";
  const address = text.slice(0, slash);
  const mask = text.slice(slash + 1);
  const v4 = isIPv4(address);
  // A zone (fe80::1%eth0) belongs to a host, not to a range.
  if (!v4 && (!isIPv6(address) || address.includes("%")))
    return "must be an IPv4 or IPv6 range in CIDR notation";
  const width = v4 ? 32 : 128;
  if (!/^(0|[1-9]\d{0,2})$/.test(mask) || Number(mask) > width)
    return `the mask must be a number from 0 to ${width}`;
  const value = v4 ? v4ToBigInt(address) : v6ToBigInt(address);
  const host = (1n << BigInt(width - Number(mask))) - 1n;
  if ((value & host) !== 0n) return "must be the network address: host bits are set";
  return { canonical: `${v4 ? address : bigIntToV6(value)}/${mask}` };
}

function v4ToBigInt(address: string): bigint {
  return address.split(".").reduce((sum, octet) => (sum << 8n) | BigInt(octet), 0n);
}

function v6ToBigInt(address: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  if (dotted) {
    const low = v4ToBigInt(dotted[2] ?? "");
    address = `${dotted[1]}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`;
  }
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups =
    tail === undefined ? before : [...before, ...zeros(8 - before.length - after.length), ...after];
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

const zeros = (count: number) => Array.from({ length: count }, () => "0");

/** RFC 5952: lower case, no leading zeros, the first longest run of zero groups as `::`. */
function bigIntToV6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    Number((value >> BigInt(112 - 16 * index)) & 0xffffn),
  );
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let end = start;
    while (end < 8 && groups[end] === 0) end++;
    if (end - start > best.length) best = { start, length: end - start };
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.start < 0) return hex.join(":");
  return `${hex.slice(0, best.start).join(":")}::${hex.slice(best.start + best.length).join(":")}`;
}
