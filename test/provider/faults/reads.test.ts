import type { Json } from "../../../src/schema/json";
import { Plugin, requestsTo } from "../../support/plugin";
import { emulatorForTests } from "../../support/emulators";

const emulator = emulatorForTests();

const policy = { id: "ipp_one" };
const cidrOf = (i: number): string => `10.${i >> 8}.${i & 255}.0/24`;

async function seedRules(count: number, prefix = "ipr_mine"): Promise<string[]> {
  const rules = Array.from({ length: count }, (_, i) => ({
    id: `${prefix}${i}`,
    ip_policy_id: policy.id,
    cidr: cidrOf(prefix === "ipr_mine" ? i : i + 20_000),
    action: "allow",
  }));
  await emulator.seed({ ip_policies: [policy], ip_policy_rules: rules });
  return rules.map(({ id }) => id);
}

/** Reads all ids as the engine does: so many hooks at once. */
async function readAll(
  plugin: Plugin,
  ids: readonly string[],
  parallel = 8,
): Promise<Map<string, Json | undefined>> {
  const found = new Map<string, Json | undefined>();
  const left = [...ids];
  const hook = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const result = await plugin.read("IpPolicyRule", id, { __args: [], cidr: "" });
      found.set(id, result.id === "" ? undefined : result.state);
    }
  };
  emulator.clearRequests();
  await Promise.all(Array.from({ length: parallel }, hook));
  return found;
}

test.each([
  [3, 3],
  [300, 8],
  [1000, 15],
])("%i rules are read by at most %i requests", async (count, most) => {
  const ids = await seedRules(count);
  const found = await readAll(Plugin.for(emulator), ids);
  expect([...found.values()].filter((state) => state?.action === "allow")).toHaveLength(count);
  expect(emulator.requests.length).toBeLessThanOrEqual(most);
});

test("the first three reads are single requests, and the fourth asks for the list", async () => {
  const ids = await seedRules(4);
  const plugin = Plugin.for(emulator);
  await readAll(plugin, ids.slice(0, 3), 1);
  expect(requestsTo(emulator)).toEqual(ids.slice(0, 3).map((id) => `GET /ip_policy_rules/${id}`));
  await readAll(plugin, ids.slice(3));
  expect(requestsTo(emulator)).toEqual(["GET /ip_policy_rules?limit=100"]);
});

test.each([1, 2, 8, 64])(
  "pages never outnumber the reads in a large account, %i hooks at once",
  async (parallel) => {
    const ids = await seedRules(12);
    await emulator.seed({
      ip_policy_rules: Array.from({ length: 3000 }, (_, i) => ({
        ip_policy_id: policy.id,
        cidr: cidrOf(i + 20_000),
        action: "deny",
      })),
    });
    const found = await readAll(Plugin.for(emulator), ids, parallel);
    expect([...found.values()].every((state) => state?.action === "allow")).toBe(true);
    const pages = requestsTo(emulator).filter((line) => line.startsWith("GET /ip_policy_rules?"));
    expect(pages.length).toBeLessThanOrEqual(ids.length);
    expect(emulator.requests.length).toBeLessThanOrEqual(2 * ids.length);
  },
);

test("what no page holds is read by itself before it is called gone", async () => {
  const ids = await seedRules(20);
  const found = await readAll(Plugin.for(emulator), [...ids, "ipr_gone"]);
  expect(found.get("ipr_gone")).toBeUndefined();
  expect(requestsTo(emulator)).toContain("GET /ip_policy_rules/ipr_gone");
});

test("where lists cannot be had every object is read by itself", async () => {
  const ids = await seedRules(10);
  emulator.setFaults({ rules: [{ kind: "status", status: 403, path: "/ip_policy_rules", exact: true }] });
  const found = await readAll(Plugin.for(emulator), ids);
  expect([...found.values()].every((state) => state?.action === "allow")).toBe(true);
  expect(emulator.requests.length).toBeLessThanOrEqual(11);
});

test.each([408, 500])("a read that is answered %i is repeated, a write is not", async (status) => {
  await seedRules(1);
  const plugin = Plugin.for(emulator);
  const fail = (method: string): void =>
    emulator.setFaults({ rules: [{ kind: "status", status, method, times: 2 }] });
  fail("GET");
  const { state } = await plugin.read("IpPolicyRule", "ipr_mine0", { __args: [], cidr: "" });
  expect(state.cidr).toBe(cidrOf(0));
  expect(requestsTo(emulator)).toHaveLength(3);
  fail("POST");
  await expect(plugin.create("IpPolicy", { description: "x" })).rejects.toThrow(String(status));
  expect(requestsTo(emulator).slice(3)).toEqual(["POST /ip_policies", "GET /ip_policies?limit=100"]);
});

test("an endpoint of another type is not looked up as a cloud endpoint", async () => {
  await emulator.seed({ endpoints: [{ id: "ep_edge", type: "edge", url: "https://a.example.com" }] });
  await expect(Plugin.for(emulator).read("CloudEndpoint", "ep_edge", {})).rejects.toThrow(
    "ep_edge is not a cloud endpoint: it is of another type; use getEndpoint",
  );
});
