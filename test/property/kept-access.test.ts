/**
 * The setting keepAccess over random writes: a write is refused if and only if a kept address would lose access by it, and
 * nothing is sent then. Who gets in is computed here, one address at a time, from the account's rules.
 */
import fc from "../support/fast-check";
import { cases } from "../support/cases";
import { sharedEmulator } from "../support/emulators";
import { plain } from "../support/in-process/values";
import { Plugin } from "../support/plugin";

type Action = "allow" | "deny";
type Rules = Readonly<Record<string, Action>>;
type Values = Record<string, unknown>;

const keepAccess = { office: ["10.0.0.0/15"], phone: ["192.0.2.1", "2001:db8::/33"] };

/** Each range, with the addresses of `addresses` that it contains. */
const ranges: Readonly<Record<string, readonly number[]>> = {
  "10.0.0.0/8": [0, 1, 2, 3],
  "10.0.0.0/15": [0, 1],
  "10.0.0.0/16": [0],
  "10.1.0.0/16": [1],
  "10.2.0.0/16": [2],
  "192.0.2.1/32": [4],
  "2001:db8::/32": [5, 6],
  "2001:db8::/33": [5],
};
/** One address of each part of the ranges: 10.0.0.1, 10.1.0.1, 10.2.0.1, 10.9.0.1, 192.0.2.1 and one of each half. */
const addresses = [0, 1, 2, 3, 4, 5, 6];
const keptAddresses = [0, 1, 4, 5];

const rules: fc.Arbitrary<Rules> = fc.dictionary(
  fc.constantFrom(...Object.keys(ranges)),
  fc.constantFrom<Action>("allow", "allow", "deny"),
  { maxKeys: 4 },
);
const uses = fc.oneof(
  { weight: 4, arbitrary: fc.subarray([0, 1], { minLength: 1 }) },
  { weight: 1, arbitrary: fc.constant<number[]>([]) },
);
const world = fc.record({ policies: fc.tuple(rules, rules), places: fc.tuple(uses, uses) });
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

const change = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("set" as const), at: fc.nat(1), rules }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("no set" as const), at: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("place" as const), at: fc.nat(1), uses }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("rule" as const),
      at: fc.nat(1),
      range: fc.constantFrom(...Object.keys(ranges)),
      action: fc.constantFrom<Action>("allow", "deny"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("no rule" as const), at: fc.nat(1), which: fc.nat(3) }),
  },
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const emulator = sharedEmulator();

/** The account as this test describes it. */
interface Account {
  readonly policies: readonly Rules[];
  readonly places: readonly (readonly number[])[];
}

/** The addresses that get in for certain, of each place and then of each policy by itself. */
function gettingIn({ policies, places }: Account): boolean[][] {
  const covers = (own: readonly number[], wanted: Action, address: number): boolean =>
    own.some((at) =>
      Object.entries(policies[at]!).some(
        ([range, action]) => action === wanted && ranges[range]!.includes(address),
      ),
    );
  return [...places, [0], [1]].map((own, i) => {
    const isOpen = i < places.length && own.length === 0;
    return addresses.map((each) => isOpen || (covers(own, "allow", each) && !covers(own, "deny", each)));
  });
}

/** A policy counts by itself where no place uses it, unless something is deleted. */
function losesAccess(before: Account, after: Account, { kind }: Change): boolean {
  const [olds, news] = [gettingIn(before), gettingIn(after)];
  const isDeletion = kind === "no set" || kind === "no rule";
  const counts = (i: number): boolean => {
    const policy = i - before.places.length;
    return policy < 0 || (!isDeletion && !before.places.flat().includes(policy));
  };
  return olds.some((old, i) => counts(i) && keptAddresses.some((each) => old[each] && !news[i]![each]));
}

function accountNow(): Account {
  const { ip_policy_rules: each, "edges/tcp": edges } = emulator.snapshot();
  const idOf = (ref: unknown): string => (ref as { id: string }).id;
  const policies = ["ipp_0", "ipp_1"].map(
    (id) =>
      Object.fromEntries(
        each!.filter((rule) => idOf(rule.ip_policy) === id).map(({ cidr, action }) => [cidr, action]),
      ) as Rules,
  );
  const modules = [edges![0]!.ip_restriction, emulator.snapshot().tls_edges![0]!.ip_restriction];
  const places = modules.map((own) => {
    const restriction = own as Values | null | undefined;
    const refs = restriction?.enabled === true ? (restriction.ip_policies as { id: string }[]) : [];
    return refs.map((ref) => Number(ref.id.slice("ipp_".length)));
  });
  return { policies, places };
}

const restriction = (own: readonly number[]) => ({
  enabled: own.length > 0,
  ipPolicyIds: own.map((at) => `ipp_${at}`),
});
/** What a change makes of the account. */
function changed({ policies, places }: Account, it: Change): Account {
  const withRules = (own: Rules): Account => ({ places, policies: policies.with(it.at, own) });
  const own = policies[it.at]!;
  switch (it.kind) {
    case "set":
      return withRules(it.rules);
    case "no set":
      return withRules({});
    case "rule":
      return withRules({ ...own, [it.range]: it.action });
    case "no rule": {
      const gone = Object.keys(own)[it.which];
      return withRules(Object.fromEntries(Object.entries(own).filter(([range]) => range !== gone)));
    }
    case "place":
      return { policies, places: places.with(it.at, it.uses) };
  }
}

const restrictionOf = (own: readonly number[]) => ({
  enabled: own.length > 0,
  ip_policy_ids: own.map((each) => `ipp_${each}`),
});

async function seed({ policies, places }: World): Promise<void> {
  await emulator.reset();
  await emulator.seed({
    ip_policies: policies.map((_, at) => ({ id: `ipp_${at}` })),
    ip_policy_rules: policies.flatMap((own, at) =>
      Object.entries(own).map(([cidr, action], i) => ({
        ...{ id: `ipr_${at}${i}`, cidr, action, ip_policy_id: `ipp_${at}` },
      })),
    ),
    "edges/tcp": [{ id: "edgtcp_0", ip_restriction: restrictionOf(places[0]) }],
    tls_edges: [{ id: "edgtls_1", ip_restriction: restrictionOf(places[1]) }],
    endpoints: [
      {
        ...{ type: "edge", proto: "tls", url: "tls://a.example.com" },
        edge: { id: "edgtls_1", uri: "https://api.example.com/edges/tls/edgtls_1" },
      },
    ],
  });
}

/** Sends the write of a change as the hook that Pulumi calls. False where there is nothing to send. */
async function write(it: Change, account: Account): Promise<boolean> {
  const plugin = Plugin.for(emulator, { keepAccess });
  const hooks = (type: string) => plugin.calledHooks(type);
  const id = `ipp_${it.at}`;
  const state = async (type: string, of: string): Promise<Values> =>
    plain(((await hooks(type)("read")(of, {})) as { props: unknown }).props) as Values;
  const own = account.policies[it.at]!;
  switch (it.kind) {
    case "set":
    case "no set": {
      const olds = { ipPolicyId: id, exclusive: true, rules: own, __args: ["ipPolicyId", "rules"] };
      if (it.kind === "no set") await hooks("IpPolicyRuleSet")("delete")(id, olds);
      else await hooks("IpPolicyRuleSet")("update")(id, olds, { ipPolicyId: id, rules: it.rules });
      return true;
    }
    case "rule": {
      if (own[it.range] !== undefined) return false;
      await hooks("IpPolicyRule")("create")({ ipPolicyId: id, cidr: it.range, action: it.action });
      return true;
    }
    case "no rule": {
      const range = Object.keys(own)[it.which];
      const rule = emulator
        .snapshot()
        .ip_policy_rules!.find(
          ({ cidr, ip_policy: of }) => cidr === range && (of as { id: string }).id === id,
        );
      if (!rule) return false;
      await hooks("IpPolicyRule")("delete")(rule.id, await state("IpPolicyRule", rule.id as string));
      return true;
    }
    case "place": {
      const [type, edge] = it.at === 0 ? ["TcpEdge", "edgtcp_0"] : ["TlsEdgeIpRestriction", "edgtls_1"];
      const own = restriction(it.uses);
      const args = it.at === 0 ? { ipRestriction: own } : { edgeId: edge, ...own };
      await hooks(type)("update")(edge, await state(type, edge), args);
      return true;
    }
  }
}

const runs = cases(150, 3000);

it("refuses a write if and only if a kept address would lose access, and sends nothing of it", async () => {
  const tally = { refused: 0, sent: 0 };
  await fc.assert(
    fc.asyncProperty(world, fc.array(change, { minLength: 1, maxLength: 4 }), async (first, changes) => {
      await seed(first);
      for (const each of changes) {
        const before = accountNow();
        const after = changed(before, each);
        const isLost = losesAccess(before, after, each);
        emulator.clearRequests();
        let error: unknown;
        const isSent = await write(each, before).catch((failure: unknown) => {
          error = failure;
          return true;
        });
        if (!isSent) continue;
        if (isLost !== (error !== undefined))
          throw new Error(
            `${JSON.stringify({ before, each, isLost })}: ${String((error as Error)?.message)}`,
          );
        if (error !== undefined) {
          expect((error as Error).message).toContain("was not sent: the setting tunnel-gateway:keepAccess");
          expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
        }
        expect(accountNow()).toEqual(error === undefined ? after : before);
        tally[error === undefined ? "sent" : "refused"] += 1;
      }
    }),
    { numRuns: runs },
  );
  // Else the test would show less than it says.
  expect(Math.min(tally.refused, tally.sent)).toBeGreaterThan(runs / 10);
}, 280_000);
