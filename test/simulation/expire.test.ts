/**
 * `tunnel-gateway expire` in virtual time, through both doors: exactly the ended entries go, whatever clock says what, wherever
 * it is killed, whichever request fails, and whatever a deployment does at the same time.
 */
import "./machine/entropy";
import fc from "../support/fast-check";
import { isUnfinished, type Expiry } from "../../src/tools/expire/expire";
import type { JsonObject } from "../../src/emulator";
import { canonical } from "../../src/schema/formats/cidr";
import { AddressSet } from "../../src/schema/addresses/address-set";
import { blockOf } from "../../src/schema/addresses/block";
import { Chance } from "../worlds/chance";
import type { WorldResource } from "../rounds/world";
import { cases, seedOf } from "../support/cases";
import { doors } from "../rounds/doors";
import type { DoorName } from "../support/engine";
import { beginning, enter, leave } from "./machine/entropy";
import { Loop } from "./machine/loop";
import { Network, type Sent, type Strike } from "./machine/network";
import { singleFaults } from "./points";
import { SimulatedStack } from "./stack";

afterAll(leave);

const hour = 3_600_000;

interface Entry {
  readonly range: string;
  readonly action: "allow" | "deny";
  /** Hours from the beginning. */
  readonly ends?: number | undefined;
  readonly description?: string | undefined;
}

interface RuleSet {
  readonly entries: readonly Entry[];
  readonly exclusive?: boolean;
  readonly summarize?: boolean;
}

/** A program with a policy and its rules for each set. */
function programOf(sets: readonly RuleSet[]): WorldResource[] {
  return sets.flatMap(({ entries, exclusive = true, summarize = false }, i): WorldResource[] => {
    const rules = entries.map(({ range, action, ends, description }) => {
      const until = ends === undefined ? {} : { until: new Date(beginning + ends * hour).toISOString() };
      return [range, { action, ...(description === undefined ? {} : { description }), ...until }] as const;
    });
    const args = { ipPolicyId: `@policy${i}`, rules: Object.fromEntries(rules), exclusive, summarize };
    return [
      { name: `policy${i}`, type: "IpPolicy", args: { description: `policy${i}` } },
      { name: `set${i}`, type: "IpPolicyRuleSet", args },
    ];
  });
}

class Scene {
  private constructor(
    readonly loop: Loop,
    readonly network: Network,
    readonly stack: SimulatedStack,
  ) {}

  /** The program is deployed, and so many hours have passed since. */
  static async after(hours: number, sets: readonly RuleSet[], door: DoorName, seed = 1): Promise<Scene> {
    const loop = new Loop(beginning, new Chance(seed));
    enter(seed, () => loop.now());
    const network = await Network.start(loop);
    const scene = new Scene(loop, network, new SimulatedStack("test", loop, network, false, door));
    await scene.up(sets);
    await scene.passed(hours);
    return scene;
  }

  passed(hours: number): Promise<void> {
    return this.loop.run(this.loop.sleep(hours * hour));
  }

  async up(sets: readonly RuleSet[]): Promise<void> {
    const { how, output } = await this.stack.up({ program: programOf(sets) });
    if (how !== "well") throw new Error(output);
  }

  /** Undefined where the process is killed. */
  async expire(): Promise<Expiry | undefined> {
    const ended = await this.loop.run(this.stack.expire());
    await this.loop.settle();
    return ended;
  }

  /** Two runs of it and an `up` of the sets, which begin within three seconds. */
  async expireBeside(sets: readonly RuleSet[]): Promise<Expiry[]> {
    const { loop, stack } = this;
    const runs = [0, 1].map(async () => {
      await loop.sleep(loop.chance.next() * 3000);
      return (await stack.expire())!;
    });
    await loop.run(loop.sleep(loop.chance.next() * 3000));
    await this.up(sets);
    return loop.run(Promise.all(runs));
  }

  /** The steps of a preview, and the notes of it. */
  async preview(sets: readonly RuleSet[]): Promise<readonly string[]> {
    const { how, output, changes } = await this.stack.preview(programOf(sets));
    if (how !== "well") throw new Error(output);
    return changes.map(({ op, name }) => `${op} ${name}`);
  }

  /** The rules of the account, as `policy range action`. */
  rules(): string[] {
    const { ip_policies, ip_policy_rules = [] } = this.network.service.controls.snapshot();
    const names = new Map(ip_policies!.map(({ id, description }) => [id, String(description)]));
    return ip_policy_rules.map((rule) => [names.get(refOf(rule)), rule.cidr, rule.action].join(" ")).sort();
  }

  async byHand(policy: number, cidr: string, action: string): Promise<void> {
    const { ip_policies } = this.network.service.controls.snapshot();
    const { id } = ip_policies!.find(({ description }) => description === `policy${policy}`)!;
    const rule = { ip_policy_id: id as string, cidr: canonical(cidr), action };
    await this.network.ask("POST", "/ip_policy_rules", rule);
  }

  /** Something happens to the request of `expire` with the number, from 1. @returns how many there were. */
  strike(number: number, strike: Strike): () => number {
    let count = 0;
    this.network.strikes = ({ process }: Sent) =>
      process.startsWith("expire") && ++count === number ? strike : undefined;
    return () => {
      this.network.strikes = () => undefined;
      return count;
    };
  }
}

function refOf(rule: JsonObject): unknown {
  return (rule.ip_policy as JsonObject).id;
}

/** The rules of sets that are not summarized, without those that ended before so many hours. */
function rulesOf(sets: readonly RuleSet[], hours = -1): string[] {
  return sets
    .flatMap(({ entries }, i) =>
      entries
        .filter(({ ends = Infinity }) => ends > hours)
        .map(({ range, action }) => `policy${i} ${canonical(range)} ${action}`),
    )
    .sort();
}

const sets: readonly RuleSet[] = [
  {
    entries: [
      { range: "10.0.0.0/8", action: "allow" },
      { range: "192.0.2.0/24", action: "allow", ends: 1 },
      { range: "192.0.2.7", action: "deny", ends: 1 },
      { range: "198.51.100.7", action: "allow", ends: 1000 },
    ],
  },
  {
    exclusive: false,
    entries: [
      { range: "2001:db8::/32", action: "deny" },
      { range: "192.0.2.0/25", action: "deny", ends: 1 },
    ],
  },
];
const left = rulesOf(sets, 2);

/** At no time a rule that denies is gone before an ended one that allows its addresses. */
function isInOrder(rules: readonly string[]): boolean {
  return !rules.includes("policy0 192.0.2.0/24 allow") || rules.length === rulesOf(sets).length;
}

describe.each(doors)("with %s resources, expire", (door) => {
  it("deletes the ended entries alone, those that allow first, and leaves previews and deployments nothing to do", async () => {
    const scene = await Scene.after(2, sets, door);
    expect(scene.rules()).toEqual(rulesOf(sets));
    const expiry = (await scene.expire())!;
    const [first, ...others] = expiry.rules.map(
      ({ rule, outcome }) => `${rule.cidr} ${rule.action} ${outcome}`,
    );
    expect(first).toBe("192.0.2.0/24 allow deleted");
    expect(others.sort()).toEqual(["192.0.2.0/25 deny deleted", "192.0.2.7/32 deny deleted"]);
    expect(scene.rules()).toEqual(left);
    expect(await scene.preview(sets)).toEqual([]);
    await scene.up(sets);
    expect(scene.rules()).toEqual(left);
    expect(await scene.preview(sets)).toEqual([]);
    expect((await scene.expire())!.rules).toEqual([]);
    expect((await scene.stack.refresh()).how).toBe("well");
    expect(await scene.preview(sets)).toEqual([]);
  });

  it.each([
    [-48, 0],
    [-2, 0],
    [-0.5, 2],
    [0, 2],
    [48, 2],
    [1000, 2000],
  ])("goes by the service's clock, which is %d hours ahead", async (ahead, ended) => {
    const scene = await Scene.after(2, sets, door);
    scene.network.ahead = ahead * hour;
    await scene.expire();
    expect(scene.rules()).toEqual(rulesOf(sets, ended));
    // By the clock of the deployment the same entries have ended; where it is another time there, they stand or go.
    if (ended === 2) expect(await scene.preview(sets)).toEqual([]);
    await scene.up(sets);
    expect(await scene.preview(sets)).toEqual([]);
  });

  it("deletes nothing where the answers have no Date", async () => {
    const scene = await Scene.after(2, sets, door);
    scene.network.ahead = undefined;
    const expiry = (await scene.expire())!;
    expect(expiry.errors).toEqual([expect.stringContaining("no Date")]);
    expect(scene.rules()).toEqual(rulesOf(sets));
  });

  it("may be killed at every request: the next run does the rest", async () => {
    for (let i = 1, last = Infinity; i <= last; i++) {
      for (const when of ["before", "after"] as const) {
        const scene = await Scene.after(2, sets, door, i);
        const end = scene.strike(i, { kind: "kill", when });
        const ended = await scene.expire();
        if (end() < i) last = i;
        else expect(ended).toBeUndefined();
        expect(scene.rules()).toEqual(expect.arrayContaining(left));
        expect(isInOrder(scene.rules())).toBe(true);
        const shown = await scene.preview(sets);
        if (scene.rules().length > left.length) expect(shown.length).toBeGreaterThan(0);
        expect(isUnfinished((await scene.expire())!)).toBe(false);
        expect(scene.rules()).toEqual(left);
        expect(await scene.preview(sets)).toEqual([]);
      }
    }
  });

  it("may have every request fail in every way: it fails or not, and the next run does the rest", async () => {
    for (let i = 1, last = Infinity; i <= last; i++) {
      for (const rule of singleFaults.filter((_, kind) => (kind + i) % cases(4, 1) === 0)) {
        const scene = await Scene.after(2, sets, door, i);
        const end = scene.strike(i, { kind: "fault", rule });
        const expiry = (await scene.expire())!;
        if (end() < i) last = i;
        expect(scene.rules()).toEqual(expect.arrayContaining(left));
        expect(isInOrder(scene.rules())).toBe(true);
        if (!isUnfinished(expiry)) expect(scene.rules()).toEqual(left);
        expect(isUnfinished((await scene.expire())!)).toBe(false);
        expect(scene.rules()).toEqual(left);
        expect(await scene.preview(sets)).toEqual([]);
      }
    }
  });

  const later = (ends: number | undefined, of = sets): readonly RuleSet[] =>
    of.map(({ entries, ...set }) => ({
      ...set,
      entries: entries.map((entry) => (entry.ends === 1 ? { ...entry, ends } : entry)),
    }));
  it.each([
    ["extends the ends", true, later(500)],
    ["removes the ends", true, later(undefined)],
    ["leaves them", false, sets],
    ["removes the entries", false, later(0)],
    ["removes everything", false, []],
  ])("may run beside an up that %s", async (_, isKept, program) => {
    const outcomes = new Set<string>();
    for (let seed = 1; seed <= cases(15, 150); seed++) {
      const scene = await Scene.after(2, sets, door, seed);
      const ended = await scene.expireBeside(program);
      expect(ended.some(isUnfinished)).toBe(false);
      for (const { outcome } of ended.flatMap(({ rules }) => rules)) outcomes.add(outcome);
      expect({ seed, rules: scene.rules() }).toEqual({ seed, rules: rulesOf(program, 2) });
      expect(await scene.preview(program)).toEqual([]);
      await scene.expire();
      expect(scene.rules()).toEqual(rulesOf(program, 2));
    }
    // The two met in every way: before, after, and between the reading of the state and the deletion.
    const met = isKept ? ["claimed", "deleted", "restored"] : ["deleted"];
    expect([...outcomes]).toEqual(expect.arrayContaining(met));
  });

  it("reads the state again where a deletion takes long", async () => {
    const scene = await Scene.after(2, sets, door);
    let isFirst = true;
    scene.network.strikes = ({ process, method }) => {
      if (!isFirst || !process.startsWith("expire") || method !== "DELETE") return undefined;
      isFirst = false;
      return { kind: "fault", rule: { kind: "status", status: 429, retryAfter: 30 } };
    };
    const [expiry] = await scene.loop.run(
      Promise.all([scene.stack.expire(), scene.loop.sleep(5000).then(() => scene.up(later(500)))]),
    );
    const outcomes = expiry!.rules.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["restored", "claimed", "claimed"]);
  });

  const summarized: readonly RuleSet[] = [
    {
      summarize: true,
      entries: [
        { range: "10.0.0.0/25", action: "allow" },
        { range: "10.0.0.128/25", action: "allow", ends: 1 },
        { range: "10.0.2.0/24", action: "allow", ends: 1 },
        { range: "10.0.3.0/24", action: "allow", ends: 1 },
      ],
    },
  ];
  it.each([
    ["extends the ends", later(500, summarized)],
    ["leaves them", summarized],
  ])("keeps the addresses of a summarized set beside an up that %s", async (_, program) => {
    const outcomes = new Set<string>();
    for (let seed = 1; seed <= cases(15, 150); seed++) {
      const scene = await Scene.after(2, summarized, door, seed);
      expect(scene.rules()).toContain("policy0 10.0.2.0/23 allow");
      for (const { rules } of await scene.expireBeside(program))
        for (const { outcome } of rules) outcomes.add(outcome);
      const standing = program[0]!.entries.filter(({ ends = Infinity }) => ends > 2);
      const blocks = scene.rules().map((each) => blockOf(each.split(" ")[1]!)!);
      expect({ seed, ranges: AddressSet.ofBlocks(blocks).cidrs() }).toEqual({
        seed,
        ranges: AddressSet.ofBlocks(standing.map(({ range }) => blockOf(range)!)).cidrs(),
      });
      expect(await scene.preview(program)).toEqual([]);
    }
    const met = program === summarized ? ["deleted"] : ["claimed", "deleted", "restored"];
    expect([...outcomes]).toEqual(expect.arrayContaining(met));
  });
});

const ranges = [
  ...["10.0.0.0/24", "10.0.0.0/25", "10.0.0.128/25", "10.0.0.64/26", "10.0.0.7", "10.0.1.0/24"],
  ...["2001:db8::/32", "2001:db8:8000::/33"],
];
const entry = fc.record({
  action: fc.constantFrom("allow" as const, "deny" as const),
  ends: fc.option(fc.constantFrom(1, 2, 3, 4), { nil: undefined }),
  description: fc.option(fc.constant("x"), { nil: undefined, freq: 4 }),
});
const set = fc.record({
  entries: fc
    .dictionary(fc.constantFrom(...ranges), entry, { maxKeys: 6 })
    .map((all) => Object.entries(all).map(([range, each]): Entry => ({ range, ...each }))),
  exclusive: fc.boolean(),
  summarize: fc.boolean(),
});

/** Another entry lets the addresses of the ended one in. */
const coveredByAnother: RuleSet = {
  entries: [
    { range: "10.0.0.0/24", action: "allow" },
    { range: "10.0.0.64/26", action: "allow", ends: 1, description: "x" },
  ],
  exclusive: false,
  summarize: true,
};

/** An entry that stands has the range of a rule that joins an ended one with others; another rule stands for it. */
const rangeOfJoined: RuleSet = {
  entries: [
    { range: "10.0.0.0/24", action: "deny" },
    { range: "10.0.0.64/26", action: "deny" },
    { range: "10.0.0.0/25", action: "deny", description: "x" },
    { range: "10.0.0.128/25", action: "deny", ends: 1, description: "x" },
  ],
  exclusive: false,
  summarize: true,
};

it("deletes exactly the ended entries of random sets, and no other rule", async () => {
  const count = { deleted: 0, shared: 0, empty: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(set, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(0, 1, 2, 3, 5),
      fc.constantFrom(...ranges, "203.0.113.0/24"),
      fc.constantFrom(...doors),
      async (random, hours, byHand, door) => {
        const scene = await Scene.after(hours, random, door);
        await scene.byHand(0, byHand, "allow");
        const before = scene.rules();
        const expiry = (await scene.expire())!;
        const after = scene.rules();
        const outcomes = new Map(
          expiry.rules.map(({ rule: { set: of, cidr, action }, outcome }) => [
            `${of.name.replace("set", "policy")} ${cidr} ${action}`,
            outcome,
          ]),
        );
        const gone = before.filter((each) => !after.includes(each));
        count.deleted += gone.length;
        expect(gone).toEqual(
          [...outcomes].flatMap(([each, out]) => (out === "deleted" ? [each] : [])).sort(),
        );
        expect(expiry.errors).toEqual([]);
        random.forEach(({ entries, summarize }, i) => {
          const own = (all: readonly string[]) => all.filter((each) => each.startsWith(`policy${i} `));
          const [standing, ended] = [true, false].map((isStanding) =>
            entries.filter(({ ends = Infinity }) => ends > hours === isStanding),
          );
          const isForeign = i === 0 ? `policy0 ${canonical(byHand)} allow` : "";
          if (!summarize) {
            const texts = ended!.map(({ range, action }) => `policy${i} ${canonical(range)} ${action}`);
            expect(own(gone)).toEqual(texts.filter((each) => before.includes(each)).sort());
            return;
          }
          for (const action of ["allow", "deny"]) {
            const of = (all: readonly string[]) =>
              AddressSet.ofBlocks(
                own(all).flatMap((each) => (each.endsWith(action) ? blockOf(each.split(" ")[1])! : [])),
              );
            const wanted = AddressSet.ofBlocks(
              standing!.filter((each) => each.action === action).map(({ range }) => blockOf(range)!),
            );
            expect(wanted.difference(of(after)).cidrs()).toEqual([]);
            const staying = own([...outcomes.keys()]).filter((each) => outcomes.get(each) !== "deleted");
            // A rule is shared where an entry that stands needs it, and no other rule has all of its addresses.
            for (const each of staying.filter(
              (one) => one.endsWith(action) && outcomes.get(one) === "shared",
            )) {
              const others = of(after.filter((other) => other !== each));
              expect(
                wanted
                  .intersection(of([each]))
                  .difference(others)
                  .cidrs(),
              ).not.toEqual([]);
            }
            if (staying.length > 0) count.shared += 1;
            else
              expect(
                of(after.filter((each) => each !== isForeign))
                  .difference(wanted)
                  .cidrs(),
              ).toEqual([]);
          }
        });
        if (isUnfinished(expiry)) return;
        count.empty += 1;
        expect(await scene.preview(random)).toEqual([]);
      },
    ),
    {
      numRuns: cases(30, 600),
      seed: seedOf(1),
      examples: [
        [[coveredByAnother], 1, "203.0.113.0/24", "dynamic"],
        [[rangeOfJoined], 1, "203.0.113.0/24", "dynamic"],
      ],
    },
  );
  expect(count.deleted).toBeGreaterThan(cases(25, 50));
  expect(count.empty).toBeGreaterThan(cases(20, 40));
});
