import fc from "../../support/fast-check";
import { blockOf, type Block } from "../../../src/schema/addresses/block";
import { AddressSet } from "../../../src/schema/addresses/address-set";
import { embeddedBlocks } from "../../../src/tools/access/embedded-ipv4";
import { blocksOf } from "./support";

describe("the IPv4 addresses that a block embeds", () => {
  it.each<[string, string[]]>([
    ["10.0.0.0/8", []],
    ["2001:db8::/32", []],
    ["::ffff:203.0.113.0/120", ["203.0.113.0/24"]],
    ["64:ff9b::cb00:7100/120", ["203.0.113.0/24"]],
    ["::ffff:0:0/96", ["0.0.0.0/0"]],
    ["::ffff:0.0.0.0/97", ["0.0.0.0/1"]],
    ["64:ff9b::/96", ["0.0.0.0/0"]],
    ["::/80", ["0.0.0.0/0"]],
    ["64:ff9b::/32", ["0.0.0.0/0"]],
    ["::/0", ["0.0.0.0/0"]],
    ["8000::/1", []],
    ["::fffe:0:0/96", []],
    ["::203.0.113.0/120", ["203.0.113.0/24"]],
    ["::/96", ["0.0.0.0/0"]],
    ["::ffff:0:203.0.113.0/120", ["203.0.113.0/24"]],
    ["::ffff:0:0:0/96", ["0.0.0.0/0"]],
    ["::ffff:0:0:0/80", ["0.0.0.0/0"]],
    ["64:ff9b:1::/48", ["0.0.0.0/0"]],
    // RFC 6052, 2.4: 192.0.2.33 after prefixes of 48, 56, 64 and 96 bits, and what it is after the other ones.
    ["64:ff9b:1:c000:2:2100::/128", ["192.0.2.33", "0.2.33.0", "2.33.0.0", "0.0.0.0"]],
    ["64:ff9b:1:1c0:0:221::/128", ["192.0.2.33", "0.2.33.0", "0.0.0.0"]],
    ["64:ff9b:1:1ff:c0:2:2100::/128", ["192.0.2.33", "33.0.0.0"]],
    ["64:ff9b:1:1ff:ff:ffff:192.0.2.33/128", ["192.0.2.33"]],
    ["64:ff9b:1:1ff:ff:ffff:192.0.2.0/120", ["192.0.2.0/24"]],
    ["64:ff9b:1:1ff:ffff:2:2100:1/128", []],
    ["64:ff9b:2::/48", []],
  ])("%s: %j", (range, embedded) => {
    const all = AddressSet.ofBlocks(embeddedBlocks(blockOf(range)!));
    expect(all.cidrs()).toEqual(AddressSet.ofBlocks(blocksOf(embedded)).cidrs());
  });

  it("are those of its halves", () => {
    const inLocal = fc.tuple(fc.bigInt(0n, (1n << 80n) - 1n), fc.integer({ min: 48, max: 127 }));
    fc.assert(
      fc.property(inLocal, ([low, prefix]) => {
        const size = 1n << BigInt(128 - prefix);
        const first = (((0x64ff9b0001n << 80n) + low) / size) * size;
        const block = (from: bigint, length: bigint): Block => ({
          family: 6,
          first: from,
          last: from + length - 1n,
        });
        const halves = [block(first, size / 2n), block(first + size / 2n, size / 2n)];
        const cidrs = (all: Block[]) => AddressSet.ofBlocks(all).cidrs();
        expect(cidrs(halves.flatMap(embeddedBlocks))).toEqual(cidrs(embeddedBlocks(block(first, size))));
      }),
    );
  });
});
