import type { FaultKind, FaultRule } from "../../../src/emulator";
import type { Json } from "../../../src/schema/json";
import { cases } from "../../support/cases";
import { VirtualTime } from "../../support/virtual-time";
import { Plugin } from "../../support/plugin";
import { sharedEmulator } from "../../support/emulators";

/** Programs whose every request may fail in any way, the same in every run. */
const runs = cases(20, 400);

const emulator = sharedEmulator();

const kinds: { kind: FaultKind; rule?: Partial<FaultRule> }[] = [
  { kind: "status", rule: { status: 503 } },
  { kind: "status", rule: { status: 429, retryAfter: 0 } },
  { kind: "html", rule: { status: 502 } },
  { kind: "html", rule: { status: 504, afterWork: true } },
  { kind: "dropBefore" },
  { kind: "dropAfter" },
  { kind: "hang", rule: { delayMs: 5 } },
  { kind: "truncate" },
  { kind: "garbage" },
  { kind: "garbage", rule: { body: "<html></html>" } },
  { kind: "slow", rule: { delayMs: 10 } },
];

interface Held {
  readonly type: string;
  readonly id: string;
  state: Json;
}

test(`after ${runs} random fault plans the account holds exactly what the program says`, async () => {
  const struck = new Map<string, number>();
  for (let seed = 1; seed <= runs; seed++) {
    const chance = new VirtualTime(0, seed);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(chance.random() * values.length)]!;
    await emulator.reset();
    await emulator.seed({ https_edges: [{ id: "edghts_1", routes: [{ id: "r1" }, { id: "r2" }] }] });
    const rules = Array.from({ length: 4 }, () => {
      const { kind, rule } = pick(kinds);
      const method = pick(["GET", "POST", "PUT", "PATCH", "DELETE", undefined]);
      // An answer that cannot be read is asked for a few times only, because it seldom gets better.
      const times = kind === "garbage" ? 1 : 3;
      const strike = { probability: 0.4, seed: seed * 7 + Math.floor(chance.random() * 1000), times };
      return { kind, ...rule, ...(method ? { method } : {}), ...strike };
    });
    emulator.setFaults({ rules });
    const plugin = Plugin.for(emulator);
    await live(plugin, seed);
    for (const { fault } of emulator.requests) if (fault) struck.set(fault, (struck.get(fault) ?? 0) + 1);
  }
  // Every kind of fault has really been met.
  expect([...struck.keys()].sort()).toEqual([...new Set(kinds.map(({ kind }) => kind))].sort());
}, 280_000);

/** Creates, changes, reads and deletes; then compares the account with what is left. */
async function live(plugin: Plugin, seed: number): Promise<void> {
  const make = async (type: string, args: Json): Promise<Held> => ({
    type,
    ...(await plugin.create(type, args)),
  });
  const policies = await Promise.all(
    ["a", "b", "c", undefined].map((description) => make("IpPolicy", { description })),
  );
  const [first] = policies as [Held];
  const rules = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      make("IpPolicyRule", {
        cidr: `10.${i}.0.0/16`,
        action: i % 2 ? "allow" : "deny",
        ipPolicyId: first.id,
      }),
    ),
  );
  const others = await Promise.all([
    make("ApiKey", { description: "key" }),
    make("HttpsEdgeRouteWebhookVerification", {
      edgeId: "edghts_1",
      routeId: "r1",
      provider: "P",
      secret: "s1",
    }),
    make("HttpsEdgeRouteOidc", {
      edgeId: "edghts_1",
      routeId: "r2",
      issuer: "https://i.example",
      clientId: "c",
      clientSecret: "s2",
    }),
    make("EventSubscription", { description: "events" }),
  ]);

  const change = async (held: Held, args: Json): Promise<void> => {
    held.state = await plugin.update(held.type, held.id, held.state, args);
  };
  const key = others[0];
  const { token } = key.state;
  await Promise.all([
    change(policies[1]!, { description: "b2" }),
    change(policies[2]!, {}),
    change(rules[0]!, { cidr: "192.0.2.0/24", action: "deny", ipPolicyId: first.id, description: "moved" }),
    change(key, { description: "key2" }),
    change(others[1], { edgeId: "edghts_1", routeId: "r1", provider: "Q", secret: "s3" }),
  ]);
  await Promise.all([
    plugin.hooks("IpPolicyRule").delete(rules[1]!.id),
    plugin.hooks("IpPolicyRule").delete(rules[2]!.id),
    // What one deployment declares at a path, only a later one deletes.
    Plugin.for(emulator).hooks("HttpsEdgeRouteOidc").delete(others[2].id),
    plugin.hooks("EventSubscription").delete(others[3].id),
  ]);
  const left = [...policies, rules[0]!, ...rules.slice(3), others[0], others[1]];
  const found = await Promise.all(left.map(({ type, id, state }) => plugin.read(type, id, state)));

  const context = `seed ${seed}`;
  found.forEach(({ id, state, inputs }, i) => {
    expect([context, id, inputs]).toEqual([context, left[i]!.id, undefined]);
    expect([context, state]).toEqual([context, left[i]!.state]);
  });
  const account = emulator.snapshot();
  const held = (collection: string, ...names: string[]) =>
    account[collection]!.map((object) =>
      names.map((name) => (typeof object[name] === "string" ? object[name] : "")).join(),
    ).sort();
  expect([context, ...held("ip_policies", "description")]).toEqual(
    [context, "", "", "a", "b2"].sort(byContext(context)),
  );
  expect(held("ip_policy_rules", "cidr", "description")).toEqual(
    ["192.0.2.0/24,moved", ...[3, 4, 5, 6, 7].map((i) => `10.${i}.0.0/16,`)].sort(),
  );
  expect(held("event_subscriptions", "description")).toEqual([]);
  expect(key.state.token).toBe(token);
  expect([context, ...account.api_keys!.map(({ id }) => id)]).toEqual([context, key.id]);
  const modules = account.https_edges!.flatMap(
    ({ routes }) => routes as Record<string, { provider?: string }>[],
  );
  expect(modules.map(({ webhook_verification: w, oidc }) => [w?.provider, oidc])).toEqual([
    ["Q", undefined],
    [undefined, undefined],
  ]);
}

/** The context stays in front. */
function byContext(context: string): (a: string, b: string) => number {
  return (a, b) => (a === context ? -1 : b === context ? 1 : a < b ? -1 : a > b ? 1 : 0);
}
