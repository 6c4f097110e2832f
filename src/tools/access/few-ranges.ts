/** A bounded number of ranges around addresses, with as few other addresses as possible. */
import { blockAround, compareBlocks, families, sizeOf } from "../../schema/addresses/block";
import type { Block } from "../../schema/addresses/block";
import { fewestCovers } from "../../schema/addresses/cover";

/** At most so many ranges, or the number that is needed where they do not suffice. */
export type FewRanges = { readonly ranges: readonly Block[] } | { readonly needed: number };

/**
 * At most `most` ranges that hold all addresses of some blocks, with the fewest addresses beside them, of both families
 * together; among those, the fewest ranges. All may be used that lie in a range that may be used, and so may every address.
 * Of n ranges without other addresses, it takes the time n × `most`.
 */
export function fewRanges(
  blocks: readonly Block[],
  most: number,
  isFree: (block: Block) => boolean,
): FewRanges {
  const shares = blocks.map((block) => ({ block, until: 0 }));
  const exact = fewestCovers(shares, isFree)!.map(({ block }) => block);
  exact.sort(compareBlocks);
  if (exact.length <= most) return { ranges: exact };
  const trees = families.flatMap((each) => {
    const own = exact.filter(({ family }) => family === each);
    return own.length === 0 ? [] : [treeOf(own, 0, own.length)];
  });
  const needed = trees.reduce((sum, tree) => sum + neededIn(tree, isFree), 0);
  if (needed > most) return { needed };
  const waysIn = (tree: Tree): Ways => waysOf(tree, most, isFree);
  const ways = trees.map(waysIn).reduce((left, right) => joined(left, right, most));
  const { extra } = ways;
  const best = extra.reduce<number>((found, cost, i) => (isLess(cost, extra[found]) ? i : found), 0);
  const ranges: Block[] = [];
  collect(ways, best + 1, ranges);
  return { ranges };
}

/** The narrowest range around some blocks, and those of its halves. */
interface Tree {
  readonly block: Block;
  /** The number of addresses that are to be held. */
  readonly addressCount: bigint;
  readonly halves: readonly [Tree, Tree] | undefined;
}

function treeOf(blocks: readonly Block[], from: number, to: number): Tree {
  const first = blocks[from]!;
  if (to - from === 1) return { block: first, addressCount: sizeOf(first), halves: undefined };
  const block = blockAround(first, blocks[to - 1]!);
  const middle = block.first + sizeOf(block) / 2n;
  let [low, high] = [from, to];
  while (low < high) {
    const at = (low + high) >> 1;
    if (blocks[at]!.first < middle) low = at + 1;
    else high = at;
  }
  const halves = [treeOf(blocks, from, low), treeOf(blocks, low, to)] as const;
  return { block, halves, addressCount: halves[0].addressCount + halves[1].addressCount };
}

/** The fewest ranges that may be used around everything that is to be held. */
function neededIn({ block, halves }: Tree, isFree: (block: Block) => boolean): number {
  if (!halves || isFree(block)) return 1;
  return neededIn(halves[0], isFree) + neededIn(halves[1], isFree);
}

/** What 1, 2, 3 … ranges hold beside the addresses; undefined where so many do not suffice. */
interface Ways {
  readonly extra: readonly (bigint | undefined)[];
  /** The range that is the only one. */
  readonly alone: Block | undefined;
  /** The halves, and how many of 1, 2, 3 … ranges the first one has. */
  readonly halves: readonly [Ways, Ways] | undefined;
  readonly inFirst: readonly number[];
}

function waysOf(tree: Tree, most: number, isFree: (block: Block) => boolean): Ways {
  const { block, addressCount, halves } = tree;
  if (!halves) return { extra: [0n], alone: block, halves: undefined, inFirst: [0] };
  const [left, right] = halves.map((half) => waysOf(half, most, isFree)) as [Ways, Ways];
  const both = joined(left, right, most);
  if (!isFree(block)) return both;
  return { ...both, alone: block, extra: [sizeOf(block) - addressCount, ...both.extra.slice(1)] };
}

/** The ways of two parts together. */
function joined(left: Ways, right: Ways, most: number): Ways {
  const count = Math.min(left.extra.length + right.extra.length, most);
  const extra = Array<bigint | undefined>(count).fill(undefined);
  const inFirst = Array<number>(count).fill(0);
  left.extra.forEach((own, i) => {
    if (own === undefined) return;
    for (let j = 0; j < right.extra.length && i + j + 2 <= count; j += 1) {
      const other = right.extra[j];
      if (other === undefined || !isLess(own + other, extra[i + j + 1])) continue;
      extra[i + j + 1] = own + other;
      inFirst[i + j + 1] = i + 1;
    }
  });
  return { extra, alone: undefined, halves: [left, right], inFirst };
}

function collect({ alone, halves, inFirst }: Ways, count: number, into: Block[]): void {
  if (count === 1) return void into.push(alone!);
  const first = inFirst[count - 1]!;
  collect(halves![0], first, into);
  collect(halves![1], count - first, into);
}

/** Whether the first one is given and less than the other, which may not be given. */
function isLess(cost: bigint | undefined, other: bigint | undefined): boolean {
  return cost !== undefined && (other === undefined || cost < other);
}
