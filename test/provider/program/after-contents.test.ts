import * as pulumi from "@pulumi/pulumi";
import {
  IpAccessList,
  IpPolicy,
  IpPolicyRule,
  IpPolicyRuleSet,
  Provider,
  TcpEdge,
  TlsEdgeIpRestriction,
  TunnelGroupBackend,
} from "../../../src";
import { rejectingWrongArguments } from "../../../src/program/program-errors";
import { inProgram, type Registration, type Registry } from "../../support/in-process/program";

jest.setTimeout(60_000); // a circle that is not seen waits for ever

interface Seen {
  /** The names in the order of their registration. */
  readonly order: string[];
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
}

/** Runs the program. The registration of each resource takes a while, so that nothing is in order by chance. */
async function run(program: () => unknown, { isPreview = false } = {}): Promise<Seen> {
  const order: string[] = [];
  const dependencies: Record<string, string[]> = {};
  const nameOf = (urn: string): string => urn.split("::").at(-1)!;
  const answer = async ({ name, inputs }: Pick<Registration, "name" | "inputs">) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    order.push(name);
    return { id: isPreview ? "" : `ipp_${name}`, outputs: inputs };
  };
  const registry: Registry = {
    register: (registration) => {
      dependencies[registration.name] = registration.dependencies.map(nameOf).sort();
      return answer(registration);
    },
    lookUp: ({ id, ...others }) => answer(others).then(({ outputs }) => ({ id, outputs })),
  };
  await rejectingWrongArguments(() => inProgram(program, { isPreview, project: "p", config: {} }, registry));
  return { order, dependencies };
}

const allow = { cidr: "10.0.0.0/8", action: "allow" } as const;
const restrictedTo = (...ipPolicyIds: pulumi.Input<string>[]) => ({ ipRestriction: { ipPolicyIds } });

/** A policy with its edge first, as in a program that is read from the outside to the inside. */
function policyAndEdge(): { policy: IpPolicy; edge: TcpEdge } {
  const policy = new IpPolicy("policy");
  return { policy, edge: new TcpEdge("edge", restrictedTo(policy.id)) };
}

describe("an edge waits for the rules of its policies", () => {
  it.each([true, false])("that the program declares after it, in a preview: %s", async (isPreview) => {
    const { order, dependencies } = await run(
      () => {
        const { policy } = policyAndEdge();
        new IpPolicyRule("rule", { ipPolicyId: policy.id, ...allow });
        new IpPolicyRuleSet("set", { ipPolicyId: policy.id, rules: {}, exclusive: false });
      },
      { isPreview },
    );
    expect(dependencies.edge).toEqual(["policy", "rule", "set"]);
    expect(order.at(-1)).toBe("edge");
  });

  it("and so does the IP restriction of a TLS edge", async () => {
    const { order, dependencies } = await run(() => {
      const policy = new IpPolicy("policy");
      new TlsEdgeIpRestriction("edge", { edgeId: "edgtls_1", ipPolicyIds: [policy.id] });
      new IpPolicyRule("rule", { ipPolicyId: policy.id, ...allow });
    });
    expect(dependencies.edge).toEqual(["policy", "rule"]);
    expect(order.at(-1)).toBe("edge");
  });

  it("and for no others", async () => {
    const { dependencies } = await run(() => {
      policyAndEdge();
      const other = new IpPolicy("other");
      new IpPolicyRule("rule", { ipPolicyId: other.id, ...allow });
      new IpPolicyRule("elsewhere", { ipPolicyId: "ipp_elsewhere", ...allow });
    });
    expect(dependencies.edge).toEqual(["policy"]);
  });

  it("that are in components", async () => {
    const { order, dependencies } = await run(() => {
      class Office extends pulumi.ComponentResource {
        readonly policyId: pulumi.Output<string>;
        constructor(name: string) {
          super("example:index:Office", name);
          const policy = new IpPolicy("policy", {}, { parent: this });
          this.policyId = policy.id.apply((id) => id);
          new IpPolicyRule("rule", { ipPolicyId: policy.id, ...allow }, { parent: this });
          this.registerOutputs();
        }
      }
      const list = new IpAccessList("list", { allow: ["192.0.2.0/24"] });
      const office = new Office("office");
      new TcpEdge("edge", restrictedTo(office.policyId, list.policyId));
    });
    // A policy and its set have the name of their list.
    expect(dependencies.edge).toEqual(["list", "policy", "rule"]);
    expect(order.at(-1)).toBe("edge");
  });

  it("beside the set that the program names it by", async () => {
    const { dependencies } = await run(() => {
      const policy = new IpPolicy("policy");
      const set = new IpPolicyRuleSet("set", { ipPolicyId: policy.id, rules: {}, exclusive: false });
      new TcpEdge("edge", restrictedTo(set.ipPolicyId));
      new IpPolicyRule("rule", { ipPolicyId: policy.id, ...allow });
    });
    expect(dependencies.edge).toEqual(["rule", "set"]);
  });

  it("under an explicit provider", async () => {
    const { order, dependencies } = await run(() => {
      const provider = new Provider("partner", { apiKey: "key", baseUrl: "https://api.example.com" });
      const policy = new IpPolicy("policy", {}, { provider });
      new TcpEdge("edge", restrictedTo(policy.id), { provider });
      new IpPolicyRule("rule", { ipPolicyId: policy.id, ...allow }, { provider });
    });
    expect(dependencies.edge).toEqual(["policy", "rule"]);
    expect(order.at(-1)).toBe("edge");
  });

  const later = <T>(value: T): Promise<T> => new Promise((resolve) => setTimeout(() => resolve(value), 20));
  it.each<[string, pulumi.Input<string>, () => pulumi.Input<string>]>([
    ["both are text", "ipp_1", () => "ipp_1"],
    ["one is an Output", "ipp_1", () => pulumi.output(later("ipp_1"))],
    ["one is a promise", later("ipp_1"), () => "ipp_1"],
    ["both are Outputs", pulumi.output(later("ipp_1")), () => pulumi.output("ipp_1")],
    ["one is looked up", "ipp_1", () => IpPolicy.get("found", "ipp_1").id],
    ["one is that of a managed policy", "ipp_own", () => new IpPolicy("own").id],
  ])("where the ids are equal: %s", async (_, id, other) => {
    const first = await run(() => {
      new TcpEdge("edge", restrictedTo(id));
      new IpPolicyRule("rule", { ipPolicyId: other(), ...allow });
      new IpPolicyRule("elsewhere", { ipPolicyId: pulumi.output("ipp_2"), ...allow });
    });
    expect(first.dependencies.edge).toEqual(["rule"]);
    const second = await run(() => {
      new TcpEdge("edge", restrictedTo(other()));
      new IpPolicyRule("rule", { ipPolicyId: id, ...allow });
      new IpPolicyRule("elsewhere", { ipPolicyId: "ipp_2", ...allow });
    });
    expect(second.dependencies.edge).toContain("rule");
    expect(second.dependencies.edge).not.toContain("elsewhere");
  });

  it.each<[string, (id: pulumi.Output<string>) => object]>([
    ["list", (id) => ({ ipRestriction: { ipPolicyIds: id.apply((known) => [known]) } })],
    ["module", (id) => ({ ipRestriction: id.apply((known) => ({ ipPolicyIds: [known] })) })],
    ["promise", (id) => ({ ipRestriction: Promise.resolve({ ipPolicyIds: [id] }) })],
  ])("where the ids are inside of an Output or promise: %s", async (_, args) => {
    const { dependencies } = await run(() => {
      const policy = new IpPolicy("policy");
      new TcpEdge("edge", args(policy.id));
      new IpPolicyRule("rule", { ipPolicyId: policy.id, ...allow });
    });
    expect(dependencies.edge).toContain("rule");
  });

  it("beside what the program lets it depend on", async () => {
    const depend = async (dependsOn: (one: IpPolicy) => pulumi.CustomResourceOptions["dependsOn"]) => {
      const { dependencies } = await run(() => {
        const policy = new IpPolicy("policy");
        const own = { dependsOn: dependsOn(new IpPolicy("one")) };
        new TcpEdge("edge", restrictedTo(policy.id), own);
        new IpPolicyRule("rule", { ipPolicyId: policy.id, ...allow });
      });
      return dependencies.edge;
    };
    const expected = ["one", "policy", "rule"];
    expect(await depend((one) => one)).toEqual(expected);
    expect(await depend((one) => [one])).toEqual(expected);
    expect(await depend((one) => pulumi.output([one]))).toEqual(expected);
    expect(await depend((one) => Promise.resolve([one]))).toEqual(expected);
  });

  it("and not for what is only looked up", async () => {
    const { dependencies } = await run(() => {
      new TcpEdge("edge", restrictedTo("ipp_1"));
      IpPolicyRule.get("found", "ipr_1");
      new IpPolicyRule("read", { ipPolicyId: "ipp_1", ...allow }, { id: "ipr_2" });
      TcpEdge.get("existing", "edgtcp_1");
    });
    expect(dependencies.edge).toEqual([]);
  });

  it("but not for those that a program declares later", async () => {
    const { dependencies } = await run(async () => {
      const { policy } = policyAndEdge();
      await later(undefined);
      new IpPolicyRule("rule", { ipPolicyId: policy.id, ...allow });
      new TcpEdge("second", restrictedTo(policy.id));
    });
    expect(dependencies).toMatchObject({ edge: ["policy"], second: ["policy", "rule"] });
  });
});

describe("a circle", () => {
  it.each<[string, (edge: TcpEdge) => [object, pulumi.CustomResourceOptions?]]>([
    ["an argument", (edge) => [{ description: edge.id }]],
    ["an argument that is computed", (edge) => [{ description: pulumi.interpolate`for ${edge.createdAt}` }]],
    ["the option dependsOn", (edge) => [{}, { dependsOn: edge }]],
    ["the parent", (edge) => [{}, { parent: edge }]],
  ])("of an edge and a rule that has the edge in %s leaves the rule out", async (_, more) => {
    const { order, dependencies } = await run(() => {
      const { policy, edge } = policyAndEdge();
      const [args, opts] = more(edge);
      new IpPolicyRule("dependent", { ipPolicyId: policy.id, ...allow, ...args }, opts);
      new IpPolicyRule("rule", { ipPolicyId: policy.id, cidr: "192.0.2.0/24", action: "allow" });
    });
    expect(dependencies.edge).toEqual(["policy", "rule"]);
    expect(order.at(-1)).toBe("dependent");
  });

  it("of an edge and a rule that waits for the edge's component leaves the rule out", async () => {
    const { order, dependencies } = await run(() => {
      const policy = new IpPolicy("policy");
      const site = new pulumi.ComponentResource("example:index:Site", "site");
      new TcpEdge("edge", restrictedTo(policy.id), { parent: site });
      new IpPolicyRule("rule", { ipPolicyId: policy.id, ...allow }, { dependsOn: site });
    });
    expect(dependencies.edge).toEqual(["policy"]);
    expect(order).toEqual(["policy", "edge", "rule"]);
  });

  it("over other resources is an error that names them", async () => {
    const program = run(() => {
      const { policy, edge } = policyAndEdge();
      const between = new TunnelGroupBackend("between", { labels: { edge: edge.id } });
      new IpPolicyRule("rule", { ipPolicyId: policy.id, ...allow, description: between.id });
    });
    await expect(program).rejects.toThrow(
      'TcpEdge "edge" cannot wait for IpPolicyRule "rule", which is part of an object that it names: each waits for ' +
        'the next in TcpEdge "edge" -> IpPolicyRule "rule" -> TunnelGroupBackend "between" -> TcpEdge "edge". ' +
        'Take what comes from TcpEdge "edge" out of the arguments of TunnelGroupBackend "between"',
    );
  });

  it("of two edges whose rules use each other is an error", async () => {
    const program = run(() => {
      const [one, two] = [new IpPolicy("one"), new IpPolicy("two")];
      const first = new TcpEdge("first", restrictedTo(one.id));
      const second = new TcpEdge("second", restrictedTo(two.id));
      new IpPolicyRule("of one", { ipPolicyId: one.id, ...allow, description: second.id });
      new IpPolicyRule("of two", { ipPolicyId: two.id, ...allow, description: first.id });
    });
    await expect(program).rejects.toThrow(
      /TcpEdge "(first|second)" -> IpPolicyRule "of (one|two)" -> TcpEdge/,
    );
  });

  it("does not come from a rule that waits for its own edge, which leaves it out", async () => {
    const { dependencies } = await run(() => {
      const [one, two] = [new IpPolicy("one"), new IpPolicy("two")];
      const first = new TcpEdge("first", restrictedTo(one.id));
      const second = new TcpEdge("second", restrictedTo(two.id));
      new IpPolicyRule("of one", { ipPolicyId: one.id, ...allow }, { dependsOn: second });
      new IpPolicyRule("of two", { ipPolicyId: two.id, ...allow }, { dependsOn: [first, second] });
    });
    expect(dependencies).toMatchObject({ first: ["of one", "one"], second: ["two"] });
  });

  it("does not come from rules of other policies that use the edge", async () => {
    const { order } = await run(() => {
      const { edge } = policyAndEdge();
      const other = new IpPolicy("other", { description: edge.id });
      new IpPolicyRule("rule", { ipPolicyId: other.id, ...allow });
    });
    expect(order).toEqual(["policy", "edge", "other", "rule"]);
  });

  it("does not come from an edge with an id as text and a policy that uses the edge", async () => {
    const { order } = await run(() => {
      const edge = new TcpEdge("edge", restrictedTo("ipp_1"));
      const other = new IpPolicy("other", { description: edge.id });
      new IpPolicyRule("rule", { ipPolicyId: other.id, ...allow });
    });
    expect(order).toEqual(["edge", "other", "rule"]);
  });

  it("does not come from edges that refer to each other through backends", async () => {
    const { order } = await run(() => {
      const policy = new IpPolicy("policy");
      const first = new TcpEdge("first", restrictedTo(policy.id));
      const backend = new TunnelGroupBackend("backend", { labels: { edge: first.id } });
      new TcpEdge("second", { ...restrictedTo(policy.id), backend: { backendId: backend.id } });
      new IpPolicyRule("rule", { ipPolicyId: policy.id, ...allow });
    });
    expect(order).toEqual(["policy", "rule", "first", "backend", "second"]);
  });
});
