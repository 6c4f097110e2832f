import fc from "../../../support/fast-check";
import {
  blockOf,
  blockOfAddress,
  compareBlocks,
  nested,
  type Block,
} from "../../../../src/schema/addresses/block";
import { blocksOf, ranges } from "../../../tools/access/support";

const isIn = (inner: Block, outer: Block): boolean =>
  inner.family === outer.family && inner.first >= outer.first && inner.last <= outer.last;

describe("a block", () => {
  it("has the first and the last address of a range, or the one address", () => {
    expect(blockOf("10.1.0.0/16")).toEqual({ family: 4, first: 0x0a010000n, last: 0x0a01ffffn });
    expect(blockOf("192.0.2.1")).toEqual({ family: 4, first: 0xc0000201n, last: 0xc0000201n });
    expect(blockOf("8000::/1")).toEqual({ family: 6, first: 1n << 127n, last: (1n << 128n) - 1n });
  });

  it.each(["", "10.0.0", "10.0.0.1/8", "010.0.0.0/8", "::/129", "fe80::%eth0/64", undefined, null, 10, {}])(
    "does not exist for %j",
    (value) => expect(blockOf(value)).toBeUndefined(),
  );
});

test("the block of one address is the same from its bytes and from its text", () => {
  const bytesOfIpv6 = [0x20, 0x01, 0x0d, 0xb8, ...Array<number>(11).fill(0), 1];
  expect(blockOfAddress([192, 0, 2, 1])).toEqual(blockOf("192.0.2.1"));
  expect(blockOfAddress(bytesOfIpv6)).toEqual(blockOf("2001:db8::1"));
});

describe("the order of blocks", () => {
  it("is by family, first address, and the wider one first", () => {
    const ascending = [
      "0.0.0.0/0",
      "10.0.0.0/8",
      "10.0.0.0/24",
      "10.0.0.0/32",
      "10.0.1.0/24",
      "::/0",
      "::/64",
    ];
    const sorted = blocksOf(ascending).reverse().sort(compareBlocks);
    expect(sorted).toEqual(blocksOf(ascending));
    for (const block of sorted) expect(compareBlocks(block, { ...block })).toBe(0);
  });

  it("is exact where addresses differ by one at the end of IPv6", () => {
    const [a, b] = blocksOf([`${"ffff:".repeat(7)}fffe`, `${"ffff:".repeat(7)}ffff`]);
    expect([compareBlocks(a!, b!) < 0, compareBlocks(b!, a!) > 0]).toEqual([true, true]);
  });
});

describe("nested blocks", () => {
  const pairs = (cidrs: readonly string[]): string[] =>
    nested(cidrs, (cidr) => blockOf(cidr)!).map(({ inner, outer }) => `${inner} in ${outer}`);

  it("are each named with the narrowest one around it", () => {
    expect(pairs(["10.1.1.0/24", "10.0.0.0/8", "10.1.0.0/16", "10.2.0.0/16", "192.0.2.0/24"])).toEqual([
      "10.1.0.0/16 in 10.0.0.0/8",
      "10.1.1.0/24 in 10.1.0.0/16",
      "10.2.0.0/16 in 10.0.0.0/8",
    ]);
    expect(pairs(["10.0.0.0/16", "10.1.0.0/16", "::/0"])).toEqual([]);
    expect(pairs(["0.0.0.0/0", "::1/128"])).toEqual([]);
  });

  it("are those that a comparison of each with each finds", () => {
    fc.assert(
      fc.property(ranges, (cidrs) => {
        const items = cidrs.map((cidr, index) => ({ index, block: blockOf(cidr)! }));
        const found = nested(items, ({ block }) => block);
        for (const { inner, outer } of found) {
          expect(isIn(inner.block, outer.block)).toBe(true);
          const between = items.filter(({ block }) => isIn(inner.block, block) && isIn(block, outer.block));
          // Nothing but the same range as one of the two is between them.
          expect(between.every(({ block }) => isIn(block, inner.block) || isIn(outer.block, block))).toBe(
            true,
          );
        }
        const inners = new Set(found.map(({ inner }) => inner.index));
        expect(inners.size).toBe(found.length);
        const expected = items.filter(({ index, block }) =>
          items.some(
            (other) =>
              other.index !== index &&
              isIn(block, other.block) &&
              // Of two that are the same range, the second is inside of the first.
              (!isIn(other.block, block) || other.index < index),
          ),
        );
        expect([...inners].sort((a, b) => a - b)).toEqual(expected.map(({ index }) => index));
      }),
      { numRuns: 300 },
    );
  });
});
