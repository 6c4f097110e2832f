/**
 * The summary of a rule set, held against a model that knows addresses and moments only, and against all sets of rules that
 * there are in a small universe.
 */
import fc from "../../../support/fast-check";
import { entriesFor, summaryOf } from "../../../../src/provider/rule-set/summary";
import type { RuleValues } from "../../../../src/schema/rule-set";
import { cases, seedOf } from "../../../support/cases";

/** A range of a universe of 2^bits addresses: its first address and the binary logarithm of its size. */
interface Range {
  readonly first: number;
  readonly size: number;
  readonly cidr: string;
}

function rangesOf(bits: number): Range[] {
  return Array.from({ length: bits + 1 }, (_, level) => 2 ** level).flatMap((size) =>
    Array.from({ length: 2 ** bits / size }, (_, i) => ({
      ...{ first: i * size, size },
      cidr: `10.0.0.${i * size}/${32 - Math.log2(size)}`,
    })),
  );
}

const covers = ({ first, size }: Range, address: number): boolean =>
  first <= address && address < first + size;

interface Timed extends RuleValues {
  readonly until: number;
}

const rule = (cidr: string, action = "allow", description = "", metadata = ""): RuleValues => ({
  ...{ cidr, action, description, metadata },
});
const label = ({ action, description, metadata }: RuleValues): string =>
  [action, description, metadata].join();
const isPlain = ({ description, metadata }: RuleValues): boolean => description + metadata === "";

/** The entries and the rules say the same at a time: by action, and by what is said of the addresses. */
function sayTheSame(entries: readonly Timed[], rules: readonly Timed[], time: number): void {
  const at = (all: readonly Timed[]) =>
    unionsOf(
      ranges,
      all.filter(({ until }) => until > time),
      2 ** bits,
    );
  expect(at(rules)).toBe(at(entries));
}

const nothingHeld = { rules: [], isOwn: () => true, isKnown: () => true };
const fewestOf = (entries: readonly Timed[]): RuleValues[] => [...summary(entries).values()];

function summary(entries: readonly Timed[], held: readonly RuleValues[] = [], extraRulesPercent = 0) {
  return summaryOf(
    {
      rules: new Map(entries.map(({ until: _, ...each }) => [each.cidr, each])),
      ends: new Map(
        entries.flatMap(({ cidr, until }): [string, number][] => (until < Infinity ? [[cidr, until]] : [])),
      ),
      extraRulesPercent,
    },
    { ...nothingHeld, rules: held },
  );
}

/** When a rule of a summary ends: with the first of its addresses that no entry like it covers any more. */
function ending(entries: readonly Timed[], each: RuleValues): Timed {
  const byCidr = new Map(ranges.map((range) => [range.cidr, range]));
  const { first, size } = byCidr.get(each.cidr)!;
  const like = entries.filter((entry) =>
    isPlain(each) ? entry.action === each.action : label(entry) === label(each),
  );
  const ends = Array.from({ length: size }, (_, i) =>
    Math.max(
      ...like.filter((entry) => covers(byCidr.get(entry.cidr)!, first + i)).map(({ until }) => until),
      -Infinity,
    ),
  );
  return { ...each, until: Math.min(...ends) };
}

const permanent = (rules: readonly RuleValues[]): Timed[] =>
  rules.map((each) => ({ ...each, until: Infinity }));

const bits = 5;
const ranges = rangesOf(bits);

describe("the summary of a rule set", () => {
  const entry = fc.record({
    range: fc.constantFrom(...ranges),
    action: fc.constantFrom("allow", "deny"),
    description: fc.constantFrom("", "", "office", "guest"),
    metadata: fc.constantFrom("", "", "", "m"),
    until: fc.constantFrom(Infinity, Infinity, 10, 20),
  });
  const entries = fc
    .uniqueArray(entry, { maxLength: 16, selector: ({ range }) => range.cidr })
    .map((all): Timed[] => all.map(({ range, ...each }) => ({ ...each, cidr: range.cidr })));

  it("says of every address what the entries say, at every time, with rules of distinct ranges", () => {
    fc.assert(
      fc.property(entries, (all) => {
        const rules = fewestOf(all).map((each) => ending(all, each));
        expect(new Set(rules.map(({ cidr }) => cidr)).size).toBe(rules.length);
        expect(rules.length).toBeLessThanOrEqual(all.length);
        for (const time of [0, 10, 20]) sayTheSame(all, rules, time);
      }),
      { numRuns: cases(60, 500), seed: seedOf(41) },
    );
  });

  it("says the same whatever the policy holds, and shows the entries without drift", () => {
    fc.assert(
      fc.property(entries, entries, fc.constantFrom(0, 25, 1000), (all, held, percent) => {
        const rules = [...summary(all, held, percent).values()];
        sayTheSame(permanent(all), permanent(rules), 0);
        const program = new Map(all.map(({ until: _, ...each }) => [each.cidr, each]));
        expect(entriesFor(program, rules)).toEqual(program);
        expect(rules.length).toBeLessThanOrEqual(Math.max(fewestOf(all).length * (1 + percent / 100), 0));
      }),
      { numRuns: cases(60, 500), seed: seedOf(42) },
    );
  });

  it("shows drift as entries that say what the policy says", () => {
    fc.assert(
      fc.property(entries, entries, (all, held) => {
        const program = new Map(all.map(({ until: _, ...each }) => [each.cidr, each]));
        const shown = entriesFor(program, held);
        // A range has one entry, so of two rules that want the same one it shows the one that is not the program's.
        const isClear = held.every(({ cidr, action }) => (program.get(cidr)?.action ?? action) === action);
        if (isClear)
          for (const action of ["allow", "deny"]) {
            const of = (some: Iterable<RuleValues>) =>
              permanent([...some].filter((each) => each.action === action)).map((each) => ({
                ...each,
                ...{ description: "", metadata: "" },
              }));
            sayTheSame(of(shown.values()), of(held), 0);
          }
        const isEqual = fc.stringify([...shown].sort()) === fc.stringify([...program].sort());
        if (isEqual) sayTheSame(permanent(all), permanent(held), 0);
      }),
      { numRuns: cases(60, 500), seed: seedOf(43) },
    );
  });
});

describe("the fewest rules", () => {
  it("are the fewest for each of the 4,294,967,296 sets of addresses of a /27, which are made of those of its quarters", () => {
    // A range that is wider than a quarter joins whole quarters alone, so the classes of quarters decide.
    const quarter = rangesOf(3);
    const least = fewestByAddresses(quarter, 8);
    for (let set = 0; set < 256; set += 1) {
      const singles = Array.from({ length: 8 }, (_, i) => i).filter((i) => set & (1 << i));
      const all = permanent(singles.map((i) => rule(`10.0.0.${i}/32`)));
      expect([set, fewestOf(all).length]).toEqual([set, least.get(set)]);
    }
    // All ways in which the quarters are empty, full, or one of some that are neither.
    const shapes = [0, 255, 1, 128, 0b01010101, 0b11110000, 0b01111110];
    for (const a of shapes)
      for (const b of shapes)
        for (const c of shapes)
          for (const d of shapes) {
            const quarters = [a, b, c, d];
            const singles = quarters.flatMap((set, at) =>
              Array.from({ length: 8 }, (_, i) => i)
                .filter((i) => set & (1 << i))
                .map((i) => rule(`10.0.0.${at * 8 + i}/32`)),
            );
            const isFull = (at: number): boolean => quarters[at] === 255;
            const joined =
              isFull(0) && isFull(1) && isFull(2) && isFull(3)
                ? 3
                : Number(isFull(0) && isFull(1)) + Number(isFull(2) && isFull(3));
            const expected = quarters.reduce((sum, set) => sum + least.get(set)!, 0) - joined;
            expect(fewestOf(permanent(singles))).toHaveLength(expected);
          }
  });

  it("are the fewest of both actions, whatever the program of a /30 is", () => {
    const ranges = rangesOf(2);
    const programs = everyProgram(ranges);
    const least = new Map<string, number>();
    for (const program of programs) {
      const key = unionsOf(ranges, program, 4);
      least.set(key, Math.min(least.get(key) ?? Infinity, program.length));
    }
    for (const program of programs) {
      const found = fewestOf(permanent(program));
      expect(unionsOf(ranges, found, 4)).toBe(unionsOf(ranges, program, 4));
      expect([program, found.length]).toEqual([program, least.get(unionsOf(ranges, program, 4))]);
    }
    expect(programs).toHaveLength(3 ** 7);
  });

  it("are the fewest of both actions with a label for each, whatever the program of a /30 is", () => {
    const ranges = rangesOf(2);
    const kinds = [
      ["allow", ""],
      ["deny", ""],
      ["allow", "office"],
      ["deny", "guest"],
    ] as const;
    /** A bit for each kind and address; what has a label has its action too. */
    const bitsOf = ranges.map((range) =>
      kinds.map(([action], kind) => {
        const isSaid = (of: number): boolean =>
          of === kind || (kinds[of]![1] === "" && kinds[of]![0] === action);
        const said = kinds.reduce((mask, _, of) => (isSaid(of) ? mask | (1 << of) : mask), 0);
        return [0, 1, 2, 3].reduce((all, i) => (covers(range, i) ? all | (said << (4 * i)) : all), 0);
      }),
    );
    const unionOf = (choice: readonly number[]): number =>
      choice.reduce((all, kind, i) => (kind === 0 ? all : all | bitsOf[i]![kind - 1]!), 0);
    const choices = everyChoice(ranges.length, kinds.length + 1);
    const least = new Map<number, number>();
    for (const choice of choices) {
      const [union, count] = [unionOf(choice), choice.filter((kind) => kind > 0).length];
      least.set(union, Math.min(least.get(union) ?? Infinity, count));
    }
    const numRuns = cases(600, 12_000);
    for (const i of fc.sample(fc.nat(choices.length - 1), { seed: seedOf(48), numRuns })) {
      const program = ranges.flatMap(({ cidr }, at) => {
        const kind = choices[i]![at]!;
        return kind === 0 ? [] : [rule(cidr, ...kinds[kind - 1]!)];
      });
      const found = fewestOf(permanent(program));
      expect([program, found.length]).toEqual([program, least.get(unionOf(choices[i]!))]);
    }
  });

  it("are the fewest where a wider range that others cover leaves a narrower one to another label", () => {
    const program = [
      rule("203.0.113.0/28", "allow", "a", "m"),
      rule("203.0.113.0/27", "deny"),
      rule("203.0.113.16/28", "deny", "", "m"),
      rule("203.0.113.12/32", "deny"),
    ];
    expect(fewestOf(permanent(program))).toHaveLength(3);
  });

  it("are the fewest of entries that end at different times, whatever the entries of a /30 are", () => {
    const ranges = rangesOf(2);
    const times = [undefined, 10, Infinity];
    const all = everyChoice(ranges.length, times.length).map((choice) =>
      ranges.flatMap(({ cidr }, i): Timed[] => {
        const until = times[choice[i]!];
        return until === undefined ? [] : [{ ...rule(cidr), until }];
      }),
    );
    const key = (entries: readonly Timed[]): string =>
      [0, 10]
        .map((time) =>
          unionsOf(
            ranges,
            entries.filter(({ until }) => until > time),
            4,
          ),
        )
        .join();
    const least = new Map<string, number>();
    for (const entries of all)
      least.set(key(entries), Math.min(least.get(key(entries)) ?? Infinity, entries.length));
    for (const entries of all) expect(fewestOf(entries)).toHaveLength(least.get(key(entries))!);
  });
});

describe("the requests of a change", () => {
  const sampled = cases(20, 40);

  /** A rule that comes, goes or says something else is one request; one whose action changes is two. */
  function requests(before: readonly RuleValues[], after: readonly RuleValues[]): number {
    const old = new Map(before.map((each) => [each.cidr, each]));
    const next = new Map(after.map((each) => [each.cidr, each]));
    const gone = before.filter(({ cidr }) => !next.has(cidr)).length;
    return after.reduce((sum, each) => {
      const was = old.get(each.cidr);
      if (!was) return sum + 1;
      return sum + (was.action !== each.action ? 2 : label(was) === label(each) ? 0 : 1);
    }, gone);
  }

  it("are the fewest for every change of an allow list of a /30, if the policy may hold more rules", () => {
    const ranges = rangesOf(2);
    const programs = everyProgram(ranges).filter((each) => each.every(({ action }) => action === "allow"));
    expect(programs).toHaveLength(2 ** 7);
    expect(checkAll(programs, programs, ranges)).toEqual({});
  });

  it("are the fewest or a few more for changes of both actions, from rules that are all needed", () => {
    const ranges = rangesOf(2);
    const programs = everyProgram(ranges);
    expectFew(checkAll(pickNeeded(programs, ranges, 44), pick(programs, 47), ranges, programs));
  });

  it("are the fewest or a few more where descriptions change", () => {
    const ranges = rangesOf(2);
    const says = [undefined, "", "office", "guest"];
    const all = everyChoice(ranges.length, says.length).map((choice) =>
      ranges.flatMap(({ cidr }, i) => {
        const description = says[choice[i]!];
        return description === undefined ? [] : [rule(cidr, "allow", description)];
      }),
    );
    expectFew(checkAll(pickNeeded(all, ranges, 45), pick(all, 46), ranges, all));
  });

  /** Where a rule that stays has the range that a new one needs, another way may take a few requests less. */
  function expectFew(more: Record<number, [number, string]>): void {
    expect(Math.max(...Object.keys(more).map(Number))).toBeLessThanOrEqual(4);
    const changes = Object.values(more).reduce((sum, [count]) => sum + count, 0);
    expect(changes).toBeLessThan(sampled ** 2 * 0.12);
  }

  const pick = (some: RuleValues[][], seed: number, numRuns = sampled): RuleValues[][] =>
    fc.sample(fc.nat(some.length - 1), { seed, numRuns }).map((i) => some[i]!);

  /** Some of those whose rules are all needed. */
  function pickNeeded(some: RuleValues[][], ranges: readonly Range[], seed: number): RuleValues[][] {
    const needed: RuleValues[][] = [];
    for (const each of pick(some, seed, 100 * sampled)) {
      if (needed.length < sampled && isNeeded(ranges, each)) needed.push(each);
    }
    expect(needed).toHaveLength(sampled);
    return needed;
  }

  /** Whether each rule says something that the others do not. */
  function isNeeded(ranges: readonly Range[], rules: readonly RuleValues[]): boolean {
    const whole = unionsOf(ranges, rules, 4);
    return rules.every((each) => {
      const others = rules.filter((other) => other !== each);
      return unionsOf(ranges, others, 4) !== whole;
    });
  }

  /** How many changes take how many requests more than the fewest, with the first of them. */
  function checkAll(
    from: readonly (readonly RuleValues[])[],
    to: readonly (readonly RuleValues[])[],
    ranges: readonly Range[],
    ends = to,
  ): Record<number, [number, string]> {
    const forms = Map.groupBy(ends, (each) => unionsOf(ranges, each, 4));
    const keyed = to.map((program) => ({ program, key: unionsOf(ranges, program, 4) }));
    const more: Record<number, [number, string]> = {};
    for (const held of from) {
      const least = new Map<string, number>();
      for (const { program, key } of keyed) {
        const after = [...summary(permanent(program), held, 1000).values()];
        const found = requests(held, after);
        if (!least.has(key)) least.set(key, Math.min(...forms.get(key)!.map((each) => requests(held, each))));
        const difference = found - least.get(key)!;
        if (difference === 0) continue;
        more[difference] ??= [
          0,
          fc.stringify(
            [held, program, after].map((all) =>
              all.map(({ cidr, action, description }) => `${cidr} ${action} ${description}`),
            ),
          ),
        ];
        more[difference][0] += 1;
      }
    }
    return more;
  }
});

/** What the rules say of each address: the actions, and what is said beside them. */
function unionsOf(ranges: readonly Range[], rules: readonly RuleValues[], addresses: number): string {
  const byCidr = new Map(ranges.map((range) => [range.cidr, range]));
  return Array.from({ length: addresses }, (_, address) => {
    const here = rules.filter(({ cidr }) => covers(byCidr.get(cidr)!, address));
    const said = here.flatMap((each) => (isPlain(each) ? [each.action] : [each.action, label(each)]));
    return [...new Set(said)].sort().join("+");
  }).join(" ");
}

function everyChoice(count: number, options: number): number[][] {
  return Array.from({ length: options ** count }, (_, number) =>
    Array.from({ length: count }, (_, i) => Math.floor(number / options ** i) % options),
  );
}

function everyProgram(ranges: readonly Range[]): RuleValues[][] {
  const actions = [undefined, "allow", "deny"];
  return everyChoice(ranges.length, actions.length).map((choice) =>
    ranges.flatMap(({ cidr }, i) => {
      const action = actions[choice[i]!];
      return action === undefined ? [] : [rule(cidr, action)];
    }),
  );
}

/** The fewest ranges for each set of addresses, by trying all sets of ranges. */
function fewestByAddresses(ranges: readonly Range[], addresses: number): Map<number, number> {
  const masks = ranges.map((range) =>
    Array.from({ length: addresses }, (_, i) => i).reduce(
      (mask, i) => (covers(range, i) ? mask | (1 << i) : mask),
      0,
    ),
  );
  const least = new Map<number, number>();
  for (let choice = 0; choice < 2 ** ranges.length; choice += 1) {
    let [union, count] = [0, 0];
    for (let i = 0; i < masks.length; i += 1)
      if (choice & (1 << i)) [union, count] = [union | masks[i]!, count + 1];
    if (count < (least.get(union) ?? Infinity)) least.set(union, count);
  }
  return least;
}
