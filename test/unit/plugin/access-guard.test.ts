import type { Settings } from "../../../src/settings";
import { IpPolicy, IpPolicyRule, IpPolicyRuleSet, TcpEdge, TlsEdgeIpRestriction } from "../../../src";
import { emulatorForTests } from "../../support/emulators";
import { failureOf } from "../../support/failure";
import { InProcessStack } from "../../support/in-process/stack";
import { Plugin } from "../../support/plugin";

const emulator = emulatorForTests();
const office = "203.0.113.0/24";
const keep = { office: [office] };
const guarded = (keepAccess: object = keep) =>
  new InProcessStack({
    ...{ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl },
    keepAccess: JSON.stringify(keepAccess),
  });
const writes = (): string[] =>
  emulator.requests.flatMap(({ method, path }) => (method === "GET" ? [] : `${method} ${path}`));
const held = (): string[] =>
  emulator
    .snapshot()
    .ip_policy_rules!.map(({ cidr, action }) => `${action as string} ${cidr as string}`)
    .sort();

type Rules = Readonly<Record<string, "allow" | "deny">>;

/** A policy with a set of rules, and an edge that it guards. */
const withSet =
  (rules: Rules, more: () => void = () => undefined, edge?: object) =>
  (): void => {
    const policy = new IpPolicy("office", { description: "office" });
    const set = new IpPolicyRuleSet("office", { ipPolicyId: policy.id, rules });
    const ipRestriction = edge ?? { ipPolicyIds: [set.ipPolicyId] };
    new TcpEdge("database", { description: "database", hostports: ["a.example.com:1"], ipRestriction });
    more();
  };
const lan: Rules = { [office]: "allow", "192.0.2.0/24": "allow" };

describe("a deployment with kept access", () => {
  it("is refused before any write of a set, and names what would be lost where, and the way out", async () => {
    const stack = guarded();
    await stack.up(withSet(lan));
    emulator.clearRequests();
    const { message } = await failureOf(
      stack.up(withSet({ "192.0.2.0/24": "allow", "198.51.100.0/24": "allow" })),
    );
    const lost = `"office" could get in and does not certainly get in any more: ${office} (256 addresses), which no rule covers`;
    expect(message).toContain(
      "the change of the IP policy rule set was not sent: the setting tunnel-gateway:keepAccess (or TUNNEL_GATEWAY_KEEP_ACCESS) refuses it",
    );
    expect(message).toContain(`TcpEdge "database": ${lost}`);
    expect(message).toContain("To deploy anyway, remove the setting for one deployment");
    expect(writes()).toEqual([]);
    expect(held()).toEqual([`allow 192.0.2.0/24`, `allow ${office}`]);
  });

  it("goes through where the ranges stay allowed, whatever its steps are", async () => {
    const stack = guarded();
    await stack.up(withSet(lan));
    await stack.up(withSet({ "203.0.112.0/23": "allow", "192.0.2.0/24": "deny" }));
    expect(held()).toEqual(["allow 203.0.112.0/23", "deny 192.0.2.0/24"]);
    const halves: Rules = { "203.0.113.0/25": "allow", "203.0.113.128/25": "allow" };
    await stack.up(withSet(halves));
    expect(held()).toEqual(["allow 203.0.113.0/25", "allow 203.0.113.128/25"]);
  });

  it("counts a policy that no edge uses by itself where its rules change", async () => {
    const program = (rules: Rules) => (): void => {
      const policy = new IpPolicy("office", { description: "office" });
      new IpPolicyRuleSet("office", { ipPolicyId: policy.id, rules });
    };
    const stack = guarded();
    await stack.up(program(lan));
    const { message } = await failureOf(stack.up(program({ "192.0.2.0/24": "allow" })));
    expect(message).toContain('  IpPolicy "office": "office" could get in');
  });

  it("goes through without the setting, after it was refused", async () => {
    const stack = guarded();
    await stack.up(withSet(lan));
    await failureOf(stack.up(withSet({ "192.0.2.0/24": "allow" })));
    const { keepAccess: _, ...settings } = stack.settings;
    stack.settings = settings;
    await stack.up(withSet({ "192.0.2.0/24": "allow" }));
    expect(held()).toEqual(["allow 192.0.2.0/24"]);
  });

  it.each<[string, Rules, boolean]>([
    ["swaps single rules for a set, which takes them over", lan, true],
    ["swaps no rule for a set that leaves it out", { "192.0.2.0/24": "allow" }, false],
  ])("%s", async (_, rules, goesThrough) => {
    const program = (make: (ipPolicyId: IpPolicy["id"]) => void) => (): void =>
      make(new IpPolicy("office", { description: "office" }).id);
    const single = program((ipPolicyId) => {
      for (const cidr of Object.keys(lan)) new IpPolicyRule(cidr, { ipPolicyId, cidr, action: "allow" });
    });
    const stack = guarded();
    await stack.up(single);
    const before = emulator.snapshot().ip_policy_rules;
    const swapped = stack.up(
      program((ipPolicyId) => void new IpPolicyRuleSet("office", { ipPolicyId, rules })),
    );
    await (goesThrough ? swapped : failureOf(swapped));
    expect(emulator.snapshot().ip_policy_rules).toEqual(before);
  });

  const single =
    (rules: Rules, isUsed = true) =>
    (): void => {
      const ipPolicyId = new IpPolicy("office").id;
      for (const [cidr, action] of Object.entries(rules))
        new IpPolicyRule(cidr, { ipPolicyId, cidr, action });
      if (isUsed) new TcpEdge("web", { description: "web", ipRestriction: { ipPolicyIds: [ipPolicyId] } });
    };

  it("deletes one of two rules that allow a range in one deployment, and not the other one", async () => {
    const stack = guarded();
    await stack.up(single({ [office]: "allow", "203.0.112.0/23": "allow" }));
    await failureOf(stack.up(single({})));
    expect(held()).toHaveLength(1);
  });

  it("refuses to delete a rule first that is replaced, because nothing allows the range in between", async () => {
    const stack = guarded();
    await stack.up(single({ [office]: "allow" }));
    await failureOf(stack.up(single({ [office]: "deny" })));
    expect(held()).toEqual([`allow ${office}`]);
  });

  it.each<[string, () => void]>([
    ["with the edge that used them", () => undefined],
    ["of a policy that no edge uses any more", single({}, false)],
  ])("deletes rules %s", async (_, program) => {
    const stack = guarded();
    await stack.up(single(lan));
    await stack.up(program);
    expect(emulator.snapshot()["edges/tcp"]).toEqual([]);
  });

  it("destroys a stack, but not the rules of a policy that an edge outside of it uses", async () => {
    const stack = guarded();
    await stack.up(withSet(lan));
    await stack.destroy();
    expect(held()).toEqual([]);
    await stack.up(withSet(lan));
    const [{ id }] = emulator.snapshot().ip_policies as [{ id: string }];
    await emulator.seed({
      "edges/tcp": [{ id: "edgtcp_other", ip_restriction: { ip_policy_ids: [id] } }],
    });
    const { message } = await failureOf(stack.destroy());
    expect(message).toContain('TcpEdge "edgtcp_other": "office" could get in');
    expect(held()).toHaveLength(2);
  });

  it("replaces the policy of an edge by another one that allows the range", async () => {
    const program = (name: string) => (): void => {
      const policy = new IpPolicy(name);
      const set = new IpPolicyRuleSet(name, { ipPolicyId: policy.id, rules: lan });
      new TcpEdge("web", { description: "web", ipRestriction: { ipPolicyIds: [set.ipPolicyId] } });
    };
    const stack = guarded();
    await stack.up(program("old"));
    await stack.up(program("new"));
    expect(emulator.snapshot().ip_policies).toHaveLength(1);
  });

  it("names at most three places", async () => {
    const program = (rules: Rules) => (): void => {
      const policy = new IpPolicy("office");
      const set = new IpPolicyRuleSet("office", { ipPolicyId: policy.id, rules });
      for (let i = 0; i < 6; i += 1)
        new TcpEdge(`web ${i}`, {
          description: `web ${i}`,
          ipRestriction: { ipPolicyIds: [set.ipPolicyId] },
        });
    };
    const stack = guarded();
    await stack.up(program(lan));
    const { message } = await failureOf(stack.up(program({ "192.0.2.0/24": "allow" })));
    expect(message.match(/^ {2}TcpEdge/gm)).toHaveLength(3);
    expect(message).toContain("\n  and 3 more places\n");
  });

  it("moves an edge to another policy only if that one allows the range", async () => {
    const other = (rules: Rules) =>
      withSet(lan, () => {
        const policy = new IpPolicy("other", { description: "other" });
        const set = new IpPolicyRuleSet("other", { ipPolicyId: policy.id, rules });
        new TcpEdge("web", {
          ...{ description: "web", hostports: ["b.example.com:1"] },
          ipRestriction: { ipPolicyIds: [set.ipPolicyId] },
        });
      });
    const moved = (rules: Rules) =>
      withSet(lan, () => {
        const policy = new IpPolicy("other", { description: "other" });
        new IpPolicyRuleSet("other", { ipPolicyId: policy.id, rules });
        new TcpEdge("web", {
          ...{ description: "web", hostports: ["b.example.com:1"] },
          ipRestriction: { ipPolicyIds: [policy.id] },
        });
      });
    const stack = guarded();
    // A new edge at a new address takes access from nobody.
    await stack.up(other({ "192.0.2.0/24": "allow" }));
    await stack.up(moved({ "192.0.2.0/24": "allow", [office]: "allow" }));
    const shared = withSet(lan, () => {
      const policy = new IpPolicy("other", { description: "other" });
      new IpPolicyRuleSet("other", {
        ipPolicyId: policy.id,
        rules: { "192.0.2.0/24": "allow", [office]: "allow" },
      });
      const closed = new IpPolicy("closed", { description: "closed" });
      const set = new IpPolicyRuleSet("closed", {
        ipPolicyId: closed.id,
        rules: { "192.0.2.0/24": "allow" },
      });
      new TcpEdge("web", {
        ...{ description: "web", hostports: ["b.example.com:1"] },
        ipRestriction: { ipPolicyIds: [set.ipPolicyId] },
      });
    });
    const { message } = await failureOf(stack.up(shared));
    expect(message).toContain('TcpEdge "web": "office" could get in');
  });

  it("does not restrict an edge that is open so that the range is kept out, nor delete a policy in use", async () => {
    const stack = guarded();
    await stack.up(withSet({ "192.0.2.0/24": "allow" }, undefined, { enabled: false }));
    const { message } = await failureOf(stack.up(withSet({ "192.0.2.0/24": "allow" })));
    expect(message).toContain('"office" could get in, because nothing restricted access,');
  });

  it("creates no module at an open edge that keeps the range out, and deletes one", async () => {
    await emulator.seed({ tls_edges: [{ id: "edgtls_1" }] });
    const program = (rules: Rules | undefined) => (): void => {
      const policy = new IpPolicy("office");
      if (!rules) return;
      const set = new IpPolicyRuleSet("office", { ipPolicyId: policy.id, rules });
      new TlsEdgeIpRestriction("tls", { edgeId: "edgtls_1", ipPolicyIds: [set.ipPolicyId] });
    };
    const stack = guarded();
    const { message } = await failureOf(stack.up(program({ "192.0.2.0/24": "allow" })));
    expect(message).toContain("the change of the IP restriction module was not sent");
    await stack.up(program(lan));
  });

  it("sums up rules without a loss", async () => {
    const program = (rules: Rules) => (): void => {
      const policy = new IpPolicy("office");
      new IpPolicyRuleSet("office", { ipPolicyId: policy.id, rules, summarize: true });
    };
    const stack = guarded();
    await stack.up(program({ "203.0.113.0/25": "allow", "203.0.113.128/25": "allow" }));
    expect(held()).toEqual([`allow ${office}`]);
    await stack.up(
      program({ "203.0.113.0/25": "allow", "203.0.113.128/25": "allow", "203.0.112.0/24": "allow" }),
    );
    emulator.clearRequests();
    await failureOf(stack.up(program({ "203.0.113.0/25": "allow", "203.0.112.0/24": "allow" })));
    expect(writes()).toEqual([]);
  });
});

describe("a write with kept access", () => {
  const hooks = (type: string, keepAccess: Settings["keepAccess"] = keep) =>
    Plugin.for(emulator, { keepAccess }).calledHooks(type);

  beforeEach(() =>
    emulator.seed({
      ip_policies: [{ id: "ipp_1" }],
      ip_policy_rules: [{ id: "ipr_1", ip_policy_id: "ipp_1", cidr: office, action: "allow" }],
      "edges/tcp": [{ id: "edgtcp_1", ip_restriction: { ip_policy_ids: ["ipp_1"] } }],
    }),
  );
  const rule = { ipPolicyId: "ipp_1", cidr: office, action: "allow" };

  it("is refused if the account cannot be read, because it is not known who would lose access", async () => {
    emulator.setFaults({
      rules: [{ kind: "status", status: 403, method: "GET", path: "/edges/tcp", times: 99 }],
    });
    const { message } = await failureOf(hooks("IpPolicyRule")("delete")("ipr_1", rule));
    expect(message).toContain(
      "refuses it, because it is not known who would lose access: listing the TCP edges failed",
    );
    expect(writes()).toEqual([]);
  });

  it("is refused with the advice about the key of a destroy where the key is not valid any more", async () => {
    emulator.setFaults({ rules: [{ kind: "status", status: 401, method: "GET", times: 99 }] });
    const { message } = await failureOf(hooks("IpPolicyRule")("delete")("ipr_1", rule));
    expect(message).toContain(
      "because it is not known who would lose access: reading the IP policy rule ipr_1 failed: 401",
    );
    expect(message).toContain("if the key was rotated since, add it");
    expect(writes()).toEqual([]);
  });

  it("reads the account once where it may take access: one request for each list, and for each TLS edge", async () => {
    await emulator.seed({
      tls_edges: [{ id: "edgtls_1" }],
      endpoints: [
        {
          ...{ type: "edge", proto: "tls", url: "tls://a.example.com" },
          edge: { id: "edgtls_1", uri: "https://api.example.com/edges/tls/edgtls_1" },
        },
      ],
    });
    await failureOf(hooks("IpPolicyRule")("delete")("ipr_1", rule));
    expect(emulator.requests.map(({ path }) => path).sort()).toEqual(
      [
        ...["/edges/tcp", "/edges/tls/edgtls_1/ip_restriction", "/endpoints", "/ip_policies"],
        ...["/ip_policy_rules", "/ip_policy_rules/ipr_1"],
      ].sort(),
    );
  });

  it("reads nothing where the setting names no ranges", async () => {
    await hooks("IpPolicyRule", {})("delete")("ipr_1", rule);
    expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "DELETE /ip_policy_rules/ipr_1",
    ]);
  });

  it("is compared with the account and not with the state, which may be old", async () => {
    const stale = { ...rule, cidr: "192.0.2.0/24" };
    await failureOf(hooks("IpPolicyRule")("delete")("ipr_1", stale));
    expect(writes()).toEqual([]);
  });

  it("reads nothing more where it can take access from nobody", async () => {
    await hooks("IpPolicyRule")("create")({ ipPolicyId: "ipp_1", cidr: "192.0.2.0/24", action: "deny" });
    expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /ip_policy_rules",
    ]);
  });

  it("does not delete a policy that an edge uses", async () => {
    const { message } = await failureOf(hooks("IpPolicy")("delete")("ipp_1", {}));
    expect(message).toContain("the change of the IP policy was not sent");
    expect(writes()).toEqual([]);
  });

  it("deletes what is gone already, and what keeps others out", async () => {
    await hooks("IpPolicyRule")("delete")("ipr_gone", rule);
    await hooks("TcpEdge")("delete")("edgtcp_1", {});
    expect(writes()).toEqual(["DELETE /ip_policy_rules/ipr_gone", "DELETE /edges/tcp/edgtcp_1"]);
  });
});
