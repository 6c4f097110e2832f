import fc from "../../support/fast-check";
import { blockOf, type Block } from "../../../src/schema/addresses/block";

/**
 * Ranges that often touch, overlap and repeat: few distinct networks, all prefix lengths. Not the zero network of
 * IPv6, whose spelling cidr-tools mixes up with IPv4.
 */
const ipv4 = fc
  .tuple(
    fc.constantFrom(0x0a000000, 0x0a000100, 0x0affff00, 0xc0000200, 0xffffff00, 0),
    fc.nat(255),
    fc.integer({ min: 1, max: 32 }),
  )
  .map(([network, host, prefix]) =>
    v4(((network + host) & (prefix === 0 ? 0 : -1 << (32 - prefix))) >>> 0, prefix),
  );
const ipv6 = fc
  .tuple(
    fc.constantFrom(0x20010db8n << 96n, (0x20010db8n << 96n) + (1n << 64n), (1n << 128n) - 256n),
    fc.nat(255),
    fc.integer({ min: 1, max: 128 }),
  )
  .map(([network, host, prefix]) => {
    const hostBits = BigInt(128 - prefix);
    return v6(((network + BigInt(host)) >> hostBits) << hostBits, prefix);
  });
/** A range of either family. */
export const range = fc.oneof(ipv4, ipv6);
export const ranges = fc.array(range, { maxLength: 12 });

function v4(address: number, prefix: number): string {
  return `${[24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".")}/${prefix}`;
}

function v6(address: bigint, prefix: number): string {
  const digits = address.toString(16).padStart(32, "0");
  return `${digits.match(/.{4}/g)!.join(":")}/${prefix}`;
}

/** The first and last address of each range and their neighbours: where a set can be wrong. */
export function edges(blocks: readonly Block[]): Block[] {
  return blocks.flatMap(({ family, first, last }) =>
    [first - 1n, first, last, last + 1n]
      .filter((address) => address >= 0n && address < 1n << (family === 4 ? 32n : 128n))
      .map((address) => ({ family, first: address, last: address })),
  );
}

/** The naive check: does any of the ranges hold the address? */
export function holds(blocks: readonly Block[], { family, first }: Block): boolean {
  return blocks.some((block) => block.family === family && block.first <= first && first <= block.last);
}

export const blocksOf = (cidrs: readonly string[]): Block[] => cidrs.map((cidr) => blockOf(cidr)!);
