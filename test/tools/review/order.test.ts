import { unknown } from "../../../src/schema/unknown";
import { saidOf, urnOf, type Written } from "./support";

const policy: Written = { type: "IpPolicy", name: "office", id: "ipp_1", before: {}, after: {} };
const rule = (more: Partial<Written>, args: object = {}): Written => ({
  ...{ type: "IpPolicyRule", name: "lan", from: { ipPolicyId: [urnOf("IpPolicy", "office")] } },
  after: { ipPolicyId: "ipp_1", cidr: "10.0.0.0/8", action: "allow", ...args },
  ...more,
});
const restricted = { ipRestriction: { ipPolicyIds: ["ipp_1"] } };
const edge = (more: Partial<Written> = {}): Written => ({
  ...{
    type: "TcpEdge",
    name: "edge",
    after: restricted,
    from: { ipRestriction: [urnOf("IpPolicy", "office")] },
  },
  ...more,
});
const waiting = (...names: [type: string, name: string][]) => ({
  from: {
    ipRestriction: [urnOf("IpPolicy", "office")],
    description: names.map(([type, name]) => urnOf(type, name)),
  },
});
const only = (id: string, found: string[]): string[] => found.filter((each) => each.includes(id));

describe("access/before-its-rules", () => {
  const said = (...resources: Written[]): string[] => only("access/before-its-rules", saidOf(resources));
  const finding = (of = 'IpPolicy "office"'): string =>
    `warning access/before-its-rules TcpEdge edge: it gets ${of}, but does not wait for IpPolicyRule "lan", ` +
    "which the deployment has not created by then";

  it("finds a new edge that does not depend on a new rule of its policy", () => {
    expect(said(policy, rule({}), edge())).toEqual([finding()]);
    const fresh = { ...policy, before: undefined, id: unknown };
    const args = { ipPolicyId: unknown };
    const own = { ipRestriction: { ipPolicyIds: [unknown] } };
    expect(said(fresh, rule({}, args), edge({ after: own }))).toEqual([finding()]);
  });

  it("finds one with an id as text, an edge that changes, and the module of a TLS edge", () => {
    const { from: _, ...unrelated } = rule({});
    expect(said(unrelated, edge({ from: {} }))).toEqual([finding("ipp_1")]);
    expect(said(policy, rule({}), edge({ before: { ipRestriction: { enabled: false } } }))).toEqual([
      finding(),
    ]);
    const args = { edgeId: "edgtls_1", ipPolicyIds: ["ipp_1"] };
    expect(said(policy, rule({}), { type: "TlsEdgeIpRestriction", name: "tls", after: args })).toHaveLength(
      1,
    );
  });

  it("counts the others", () => {
    const [message] = said(policy, rule({}), rule({ name: "vpn" }, { cidr: "192.0.2.0/24" }), edge());
    expect(message).toContain('IpPolicyRule "lan" and 1 other resource, which');
  });

  it("finds nothing where the edge waits, also over other resources", () => {
    expect(said(policy, rule({}), edge(waiting(["IpPolicyRule", "lan"])))).toEqual([]);
    const between: Written = {
      ...{ type: "TunnelGroupBackend", name: "between", after: { labels: { a: "b" } } },
      from: { labels: [urnOf("IpPolicyRule", "lan")] },
    };
    expect(said(policy, rule({}), between, edge(waiting(["TunnelGroupBackend", "between"])))).toEqual([]);
  });

  it("finds nothing where the edge has the policy, is disabled, or nothing of the rules changes", () => {
    const changed = edge({ before: restricted, after: { ...restricted, description: "changed" } });
    expect(said(policy, rule({}), changed)).toEqual([]);
    expect(said(policy, rule({}), edge({ before: restricted }))).toEqual([]);
    const disabled = { ipRestriction: { enabled: false, ipPolicyIds: ["ipp_1"] } };
    expect(said(policy, rule({}), edge({ after: disabled }))).toEqual([]);
    const same = rule({ before: rule({}).after });
    expect(said(policy, same, edge())).toEqual([]);
    expect(said(policy, rule({ before: rule({}).after, after: undefined }), edge())).toEqual([]);
  });
});

describe("interruption/no-rule-for-a-moment", () => {
  const said = (...resources: Written[]): string[] =>
    only("interruption/no-rule-for-a-moment", saidOf(resources));
  const replaced = (name: string, cidr: string): Written => {
    const { after } = rule({}, { cidr });
    const flipped = { ...after, action: "deny" };
    return rule({ name, op: "replace", before: after, after: flipped, reasons: ["action"] });
  };
  const set = (before: object, after: object): Written => ({
    ...{ type: "IpPolicyRuleSet", name: "set", from: { ipPolicyId: [urnOf("IpPolicy", "office")] } },
    before: { ipPolicyId: "ipp_1", rules: before },
    after: { ipPolicyId: "ipp_1", rules: after },
  });
  const message =
    'IpPolicy "office" has no rule for a moment: its last rule is deleted before the replacement is created';

  it("finds the flip of a policy's only rule, and of all its rules", () => {
    expect(said(policy, replaced("lan", "10.0.0.0/8"))).toEqual([
      `warning interruption/no-rule-for-a-moment IpPolicyRule lan: ${message}`,
    ]);
    expect(said(policy, replaced("lan", "10.0.0.0/8"), replaced("vpn", "192.0.2.0/24"))).toHaveLength(1);
  });

  it("finds the flip of the only address of a set", () => {
    expect(said(policy, set({ "192.0.2.1/32": "allow" }, { "192.0.2.1/32": "deny" }))).toEqual([
      `warning interruption/no-rule-for-a-moment IpPolicyRuleSet set: ${message}`,
    ]);
    expect(said(policy, set({ "2001:db8::1/128": "allow" }, { "2001:db8::1": "deny" }))).toHaveLength(1);
  });

  it("finds nothing where a rule stays, a range has halves, or the policy ends or begins without rules", () => {
    const { after } = rule({}, { cidr: "192.0.2.0/24" });
    const stays = rule({ name: "vpn", before: after, after });
    expect(said(policy, replaced("lan", "10.0.0.0/8"), stays)).toEqual([]);
    expect(said(policy, replaced("lan", "10.0.0.0/8"), { ...stays, after: undefined })).toEqual([]);
    expect(said(policy, set({ "10.0.0.0/8": "allow" }, { "10.0.0.0/8": "deny" }))).toEqual([]);
    expect(said(policy, set({ "192.0.2.1/32": "allow" }, { "192.0.2.1/32": "allow" }))).toEqual([]);
    expect(said(policy, set({ "192.0.2.1/32": "allow" }, { "192.0.2.2/32": "deny" }))).toEqual([]);
    expect(said(policy, set({ "192.0.2.1/32": "allow" }, {}))).toEqual([]);
    expect(said(policy, set({}, { "192.0.2.1/32": "allow" }))).toEqual([]);
  });
});

describe("access/open-for-a-moment", () => {
  const said = (...resources: Written[]): string[] =>
    only("access/open-for-a-moment", saidOf([policy, lasting, ...resources]));
  const args = (cidr: string, action: string) => rule({}, { cidr, action }).after;
  const made = (name: string, cidr: string, action: string, ...after: string[]): Written => {
    const from = {
      ipPolicyId: [urnOf("IpPolicy", "office"), ...after.map((each) => urnOf("IpPolicyRule", each))],
    };
    return { type: "IpPolicyRule", name, after: args(cidr, action), from };
  };
  const gone = ({ after: before, ...more }: Written): Written => ({ ...more, before });
  const kept = (each: Written): Written => ({ ...each, before: each.after });
  const lasting = kept(made("lasting", "192.0.2.0/24", "allow"));
  const wide = made("wide", "10.0.0.0/8", "allow");
  const guest = made("guest", "10.9.0.0/16", "deny");
  const text = (way: string, open = "10.9.0.0/16 (65,536 addresses)"): string =>
    `warning access/open-for-a-moment IpPolicyRule guest: ${open} may be allowed for a moment: ` +
    `IpPolicyRule "wide", which allows 10.0.0.0/8, may be ${way} it`;

  it("finds a new deny rule beside the new allow rule around it", () => {
    expect(said(wide, guest)).toEqual([text("created before")]);
    expect(said(guest, wide)).toEqual([text("created before")]);
  });

  it("finds both where they go", () => {
    expect(said(gone(wide), gone(guest))).toEqual([text("deleted after")]);
  });

  it("finds the part that nothing else allows or denies", () => {
    const narrow = kept(made("narrow", "10.9.0.0/17", "allow"));
    expect(said(narrow, wide, guest)).toEqual([text("created before", "10.9.128.0/17 (32,768 addresses)")]);
    const denied = kept(made("denied", "10.9.128.0/17", "deny"));
    expect(said(denied, wide, guest)).toEqual([text("created before", "10.9.0.0/17 (32,768 addresses)")]);
  });

  it("finds a deny rule that is replaced as it is, inside of an allow rule that stays", () => {
    const replaced: Written = { ...kept(guest), op: "replace" };
    expect(said(kept(wide), replaced)).toEqual([
      "warning access/open-for-a-moment IpPolicyRule guest: 10.9.0.0/16 (65,536 addresses) may be allowed for a moment: it is deleted before its replacement is created",
    ]);
    expect(said(wide, replaced)).toEqual([]);
    expect(said(kept(wide), replaced, kept(made("all", "10.8.0.0/15", "deny")))).toEqual([]);
  });

  it("finds nothing where the allow rule waits, one of the two stays, or a set has both", () => {
    expect(said(made("wide", "10.0.0.0/8", "allow", "guest"), guest)).toEqual([]);
    expect(said(gone(made("wide", "10.0.0.0/8", "allow", "guest")), gone(guest))).toEqual([]);
    expect(said(kept(wide), guest)).toEqual([]);
    expect(said(wide, kept(guest))).toEqual([]);
    expect(said(wide, made("guest", "11.0.0.0/16", "deny"))).toEqual([]);
    const rules = { "10.0.0.0/8": "allow", "10.9.0.0/16": "deny" };
    const set: Written = { type: "IpPolicyRuleSet", name: "set", after: { ipPolicyId: "ipp_1", rules } };
    expect(said(set)).toEqual([]);
  });
});
