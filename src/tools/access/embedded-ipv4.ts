/** The IPv4 addresses in addresses of IPv6. */
import { widths } from "../../schema/addresses/block";
import type { Block } from "../../schema/addresses/block";

/**
 * The forms of IPv6 addresses that embed an IPv4 address: IPv4-compatible and IPv4-mapped (RFC 4291), IPv4-translated (RFC
 * 7915), NAT64 (RFC 6052), and local NAT64 (RFC 8215) with a prefix of 96, 64, 56 and 48 bits. Each has a character for each
 * bit: 0, 1, - for any, v for one of the IPv4 address.
 */
const ipv4Forms = [0n, 0xffffn << 32n, 0xffffn << 48n, 0x0064ff9bn << 96n]
  .map((network) => bits(network).slice(0, 96) + "v".repeat(32))
  .concat(
    ["-16 08 -24 v32", "-16 08 v32 024", "-8 v8 08 v24 032", "v16 08 v16 040"].map(
      (form) =>
        bits(0x0064ff9b0001n << 80n).slice(0, 48) +
        form.replace(/(.)(\d+) ?/g, (_, bit: string, count: string) => bit.repeat(Number(count))),
    ),
  );

/** The IPv4 addresses that a block of IPv6 embeds: those of its addresses that a server may take for IPv4. */
export function embeddedBlocks({ family, first, last }: Block): Block[] {
  if (family === 4) return [];
  const free = first === last ? 0 : (last - first).toString(2).length;
  const prefix = bits(first).slice(0, widths[6] - free);
  return ipv4Forms.flatMap((form) => embeddedIn(prefix, form) ?? []);
}

/** The IPv4 addresses that a form embeds after the bits that all addresses of a block have. */
function embeddedIn(prefix: string, form: string): Block | undefined {
  let known = "";
  for (let i = 0; i < prefix.length; i += 1) {
    if (form[i] === "v") known += prefix[i];
    else if (form[i] !== "-" && form[i] !== prefix[i]) return undefined;
  }
  const first = BigInt(`0b${known.padEnd(widths[4], "0")}`);
  return {
    family: 4,
    first,
    last: first + (1n << BigInt(widths[4] - known.length)) - 1n,
  };
}

/** The bits of an IPv6 address. */
function bits(address: bigint): string {
  return address.toString(2).padStart(widths[6], "0");
}
