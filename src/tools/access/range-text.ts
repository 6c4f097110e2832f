/** Sets of addresses in sentences and tables, as people write them: "198.51.0.0/16 except 198.51.100.0/24". */
import { listText } from "../../schema/text/phrase";
import { AddressSet, cidrOf } from "../../schema/addresses/address-set";
import { blockAround, blockOf, families, sizeOf } from "../../schema/addresses/block";
import type { Block } from "../../schema/addresses/block";

export type RangeList = ReturnType<typeof rangeList>;

/** The fewest ranges of a set of addresses. Numbers of addresses are decimal text: they exceed what JSON numbers hold. */
export function rangeList(set: AddressSet) {
  return { cidrs: set.cidrs(), ipv4Addresses: `${set.size(4)}`, ipv6Addresses: `${set.size(6)}` };
}

/** "198.51.0.0/16, 203.0.113.0/24 and 2 more ranges (66,304 addresses)"; "no address" for an empty list. */
export function rangesText(list: RangeList): string {
  if (list.cidrs.length === 0) return "no address";
  return `${listText(sumOf(list.cidrs), "range")} (${addressCount(list)})`;
}

/** Whether a sentence about the ranges needs a verb in the singular. */
export function isSingular({ cidrs }: Pick<RangeList, "cidrs">): boolean {
  return sumOf(cidrs).length === 1;
}

/** "65,536 addresses", "256 IPv4 and 2^80 IPv6 addresses". */
export function addressCount({
  ipv4Addresses,
  ipv6Addresses,
}: Pick<RangeList, "ipv4Addresses" | "ipv6Addresses">): string {
  const [four, six] = [BigInt(ipv4Addresses), BigInt(ipv6Addresses)];
  if (four > 0n && six > 0n) return `${numberText(four)} IPv4 and ${numberText(six)} IPv6 addresses`;
  const count = four + six;
  return `${numberText(count)} ${count === 1n ? "address" : "addresses"}`;
}

/** A number; at 10^12 or more a power of two, the usual way to give the size of a large range. */
function numberText(count: bigint): string {
  if (count < 10n ** 12n) return count.toLocaleString("en-US");
  const exponent = count.toString(2).length - 1;
  return count === 1n << BigInt(exponent) ? `2^${exponent}` : `more than 2^${exponent}`;
}

/** A range without some of its parts. */
export interface Term {
  readonly range: string;
  /** Empty for the whole range. */
  readonly except: readonly string[];
}

/** No exception makes a list of fewer ranges shorter; a list of more ranges is counted and not shortened. */
const [fewest, most] = [3, 200];

/** The ranges as a sum of terms, each a text. A term has exceptions only if they make the sum shorter. */
export function sumOf(cidrs: readonly string[]): string[] {
  const terms = termsOf(cidrs);
  return terms.map(({ range, except }) => {
    if (except.length === 0) return range;
    const exceptions = `except ${listText(except, "range")}`;
    // In a list, "and" could belong to the exceptions.
    return terms.length === 1 ? `${range} ${exceptions}` : `${range} (${exceptions})`;
  });
}

/** The shortest sum of ranges with exceptions that has exactly these addresses, ascending. */
export function termsOf(cidrs: readonly string[]): Term[] {
  const plain = cidrs.map((range): Term => ({ range, except: [] }));
  if (cidrs.length < fewest || cidrs.length > most) return plain;
  const blocks = cidrs.flatMap((cidr) => blockOf(cidr) ?? []);
  const all = AddressSet.ofBlocks(blocks).blocks();
  const sum = families.flatMap((family) => shortest(all.filter((block) => block.family === family)));
  if (blocks.length < cidrs.length || namesIn(sum) >= cidrs.length) return plain;
  return sum.map(({ block, except }) => ({
    range: cidrOf(block),
    except: except.map(cidrOf),
  }));
}

/** A {@link Term} in numbers. */
interface BlockTerm {
  readonly block: Block;
  readonly except: readonly Block[];
}

function namesIn(terms: readonly BlockTerm[]): number {
  return terms.reduce((sum, { except }) => sum + 1 + except.length, 0);
}

/**
 * The shortest sum for the fewest ranges of a set of one family, ascending. What is around several of them becomes one term with
 * exceptions if that names fewer ranges.
 */
function shortest(blocks: readonly Block[]): readonly BlockTerm[] {
  if (blocks.length < 2) return blocks.map((block) => ({ block, except: [] }));
  const block = blockAround(blocks[0]!, blocks.at(-1)!);
  const middle = block.first + sizeOf(block) / 2n;
  const halves = [blocks.filter(({ last }) => last < middle), blocks.filter(({ first }) => first >= middle)];
  const terms = halves.flatMap(shortest);
  const except = AddressSet.ofBlocks([block]).difference(AddressSet.ofBlocks(blocks)).blocks();
  return 1 + except.length < namesIn(terms) ? [{ block, except }] : terms;
}
