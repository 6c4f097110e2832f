import { unknown } from "../../../src/schema/unknown";
import { unknownSemantics } from "../../../src/tools/access/semantics";
import { recorded } from "../../support/recorded";
import { deletedFirst, rehearsedReview, saidOfRun, urnOf, writtenPreview, type Written } from "./support";

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
const only = async (id: string, found: Promise<string[]>): Promise<string[]> =>
  (await found).filter((each) => each.includes(id));

describe("access/before-its-rules", () => {
  const said = (...resources: Written[]) => only("access/before-its-rules", saidOfRun(resources));
  const finding = (of = 'IpPolicy "office"'): string =>
    `warning access/before-its-rules TcpEdge edge: it gets ${of}, but does not wait for IpPolicyRule "lan", ` +
    "which the deployment has not created by then";

  it("finds a new edge that does not depend on a new rule of its policy", async () => {
    expect(await said(policy, rule({}), edge())).toEqual([finding()]);
    const fresh = { ...policy, before: undefined, id: unknown };
    const args = { ipPolicyId: unknown };
    const own = { ipRestriction: { ipPolicyIds: [unknown] } };
    expect(await said(fresh, rule({}, args), edge({ after: own }))).toEqual([finding()]);
  });

  it("finds one with an id as text, an edge that changes, and the module of a TLS edge", async () => {
    const { from: _, ...unrelated } = rule({});
    expect(await said(unrelated, edge({ from: {} }))).toEqual([finding("ipp_1")]);
    expect(await said(policy, rule({}), edge({ before: { ipRestriction: { enabled: false } } }))).toEqual([
      finding(),
    ]);
    const args = { edgeId: "edgtls_1", ipPolicyIds: ["ipp_1"] };
    expect(
      await said(policy, rule({}), { type: "TlsEdgeIpRestriction", name: "tls", after: args }),
    ).toHaveLength(1);
  });

  it("counts the others", async () => {
    const [message] = await said(policy, rule({}), rule({ name: "vpn" }, { cidr: "192.0.2.0/24" }), edge());
    expect(message).toContain('IpPolicyRule "lan" and 1 other resource, which');
  });

  it("finds nothing where the edge waits, also over other resources", async () => {
    expect(await said(policy, rule({}), edge(waiting(["IpPolicyRule", "lan"])))).toEqual([]);
    const between: Written = {
      ...{ type: "TunnelGroupBackend", name: "between", after: { labels: { a: "b" } } },
      from: { labels: [urnOf("IpPolicyRule", "lan")] },
    };
    expect(await said(policy, rule({}), between, edge(waiting(["TunnelGroupBackend", "between"])))).toEqual(
      [],
    );
    const foreign = "urn:pulumi:test::written::random:index/randomPet:RandomPet::pet";
    const through = { from: { ...edge().from, description: [foreign] } };
    const text = JSON.parse(writtenPreview([policy, rule({}), edge(through)])) as { steps: object[] };
    const step = { op: "create", urn: foreign, newState: { dependencies: [urnOf("IpPolicyRule", "lan")] } };
    const steps = [...text.steps.slice(0, 2), ...recorded({ steps: [step] }).steps, ...text.steps.slice(2)];
    const { findings } = await rehearsedReview(JSON.stringify({ ...text, steps }));
    expect(findings.filter((each) => each.rule === "access/before-its-rules")).toEqual([]);
  });

  it("finds a set that may lose a rule later, and no rule that only goes", async () => {
    const rules = { "10.0.0.0/8": "allow", "192.0.2.0/24": "allow" };
    const set: Written = {
      ...{ type: "IpPolicyRuleSet", name: "set", id: "ipp_1" },
      before: { ipPolicyId: "ipp_1", rules },
      after: { ipPolicyId: "ipp_1", rules: { "10.0.0.0/8": "allow" } },
    };
    expect(await said(policy, set, edge())).toEqual([
      expect.stringMatching(/wait for IpPolicyRuleSet "set", which the deployment has not updated by then$/),
    ]);
    expect(await said(policy, set, edge(waiting(["IpPolicyRuleSet", "set"])))).toEqual([]);
    const described = { "10.0.0.0/8": { action: "allow", description: "lan" }, "192.0.2.0/24": "allow" };
    const { before } = set;
    expect(await said(policy, { ...set, after: { ...before, rules: described } }, edge())).toEqual([]);
  });

  it("finds nothing where the edge has the policy, is disabled, or nothing of the rules changes", async () => {
    const changed = edge({ before: restricted, after: { ...restricted, description: "changed" } });
    expect(await said(policy, rule({}), changed)).toEqual([]);
    expect(await said(policy, rule({}), edge({ before: restricted }))).toEqual([]);
    const disabled = { ipRestriction: { enabled: false, ipPolicyIds: ["ipp_1"] } };
    expect(await said(policy, rule({}), edge({ after: disabled }))).toEqual([]);
    const same = rule({ before: rule({}).after });
    expect(await said(policy, same, edge())).toEqual([]);
    expect(await said(policy, rule({ before: rule({}).after, after: undefined }), edge())).toEqual([]);
  });
});

describe("interruption/no-rule-for-a-moment", () => {
  const said = (...resources: (Written | Written[])[]) =>
    only("interruption/no-rule-for-a-moment", saidOfRun(resources.flat()));
  const replaced = (name: string, cidr: string): Written[] => {
    const { after } = rule({}, { cidr });
    const flipped = { ...after, action: "deny" };
    return deletedFirst(rule({ name, before: after, after: flipped, reasons: ["action"] }));
  };
  const set = (before: object, after: object): Written => ({
    ...{ type: "IpPolicyRuleSet", name: "set", id: "ipp_1" },
    from: { ipPolicyId: [urnOf("IpPolicy", "office")] },
    before: { ipPolicyId: "ipp_1", rules: before },
    after: { ipPolicyId: "ipp_1", rules: after },
  });
  const message =
    'IpPolicy "office" has no rule for a moment: its last rule is deleted before the replacement is created';

  it("finds the flip of a policy's only rule, and of all its rules", async () => {
    expect(await said(policy, replaced("lan", "10.0.0.0/8"))).toEqual([
      `warning interruption/no-rule-for-a-moment IpPolicyRule lan: ${message}`,
    ]);
    expect(await said(policy, replaced("lan", "10.0.0.0/8"), replaced("vpn", "192.0.2.0/24"))).toHaveLength(
      1,
    );
  });

  it("finds the flip of the only address of a set", async () => {
    expect(await said(policy, set({ "192.0.2.1/32": "allow" }, { "192.0.2.1/32": "deny" }))).toEqual([
      `warning interruption/no-rule-for-a-moment IpPolicyRuleSet set: ${message}`,
    ]);
    expect(await said(policy, set({ "2001:db8::1/128": "allow" }, { "2001:db8::1": "deny" }))).toHaveLength(
      1,
    );
  });

  it("finds an edge that is deleted after its rules, whatever takes its place", async () => {
    const gone = { after: undefined, before: { hostports: ["a:1"], ...restricted } };
    const late = rule({ before: rule({}).after, after: undefined });
    const found = (...resources: Written[]) => said({ ...policy, after: undefined }, late, ...resources);
    const finding =
      'warning interruption/no-rule-for-a-moment TcpEdge edge: TcpEdge "edge" may have no rule for a moment: ' +
      "the rules of its policies may be deleted before it";
    expect(await found(edge({ ...gone, from: {} }))).toEqual([finding]);
    const successor = edge({
      name: "new",
      after: { hostports: ["a:1"], ipRestriction: { enabled: false } },
      from: {},
    });
    expect(await found(successor, edge({ ...gone, from: {} }))).toEqual([finding]);
    expect(await found(edge({ ...gone, ...waiting(["IpPolicyRule", "lan"]) }))).toEqual([]);
    const guests: Written = { ...policy, name: "guests", id: "ipp_2" };
    const more = { ...gone, before: { ipRestriction: { ipPolicyIds: ["ipp_1", "ipp_2"] } }, from: {} };
    expect(await found(guests, edge(more))).toEqual([]);
  });

  it("finds nothing where a rule stays, a range has halves, or the policy ends or begins without rules", async () => {
    const { after } = rule({}, { cidr: "192.0.2.0/24" });
    const stays = rule({ name: "vpn", before: after, after });
    expect(await said(policy, replaced("lan", "10.0.0.0/8"), stays)).toEqual([]);
    expect(await said(policy, replaced("lan", "10.0.0.0/8"), { ...stays, after: undefined })).toEqual([]);
    expect(await said(policy, set({ "10.0.0.0/8": "allow" }, { "10.0.0.0/8": "deny" }))).toEqual([]);
    expect(await said(policy, set({ "192.0.2.1/32": "allow" }, { "192.0.2.1/32": "allow" }))).toEqual([]);
    expect(await said(policy, set({ "192.0.2.1/32": "allow" }, { "192.0.2.2/32": "deny" }))).toEqual([]);
    expect(await said(policy, set({ "192.0.2.1/32": "allow" }, {}))).toEqual([]);
    expect(await said(policy, set({}, { "192.0.2.1/32": "allow" }))).toEqual([]);
  });
});

describe("access/open-for-a-moment", () => {
  const said = (...resources: (Written | Written[])[]) =>
    only("access/open-for-a-moment", saidOfRun([policy, lasting, resources].flat(2)));
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
  const between =
    "warning access/open-for-a-moment IpPolicyRule guest: 10.9.0.0/16 (65,536 addresses) may be allowed for a moment: " +
    "it may be deleted before its replacement is created";

  it("finds a new deny rule beside the new allow rule around it", async () => {
    expect(await said(wide, guest)).toEqual([text("created before")]);
    expect(await said(guest, wide)).toEqual([text("created before")]);
  });

  it("finds both where they go", async () => {
    expect(await said(gone(wide), gone(guest))).toEqual([text("deleted after")]);
  });

  it("finds the part that nothing else allows or denies", async () => {
    const narrow = kept(made("narrow", "10.9.0.0/17", "allow"));
    expect(await said(narrow, wide, guest)).toEqual([
      text("created before", "10.9.128.0/17 (32,768 addresses)"),
    ]);
    const denied = kept(made("denied", "10.9.128.0/17", "deny"));
    expect(await said(denied, wide, guest)).toEqual([
      text("created before", "10.9.0.0/17 (32,768 addresses)"),
    ]);
  });

  it("finds a deny rule that is replaced as it is, inside of an allow rule that stays", async () => {
    const replaced = deletedFirst(kept(guest));
    expect(await said(kept(wide), replaced)).toEqual([between]);
    expect(await said(wide, replaced)).toEqual([between]);
    expect(await said(kept(wide), replaced, kept(made("all", "10.8.0.0/15", "deny")))).toEqual([]);
  });

  it("says when a rule is deleted: the engine names no reason for what it replaces with another resource", async () => {
    const found = async (...steps: Written[]): Promise<string[]> => {
      const text = writtenPreview([policy, kept(wide), ...steps]);
      const { findings } = await rehearsedReview(
        text.replaceAll('"oldState":{', '$&"pendingReplacement":true,'),
      );
      return findings
        .filter(({ rule: id }) => id === "interruption/delete-first")
        .map(({ message }) => message);
    };
    const gap = "no rule covers 10.9.0.0/16";
    const [gone, replace, made] = deletedFirst(kept(guest)) as [Written, Written, Written];
    expect(await found(gone, replace, made)).toEqual([
      `deleted before its replacement is created: for a moment ${gap}`,
    ]);
    expect(await found(replace, made)).toEqual([
      `deleted by an earlier deployment, which did not create it again: ${gap} until this one creates it`,
    ]);
  });

  it("finds one that gets another range and that the engine deletes first, whatever asks it to", async () => {
    const wider = { ...kept(guest), after: args("10.8.0.0/15", "deny") };
    expect(await said(kept(wide), deletedFirst(wider))).toEqual([between]);
    const [gone, replace, next] = deletedFirst(wider) as [Written, Written, Written];
    expect(await said(kept(wide), next, replace, gone)).toEqual([]);
    const renamed = { ...wider, was: "before", id: "id_guest" };
    expect(await said(kept(wide), deletedFirst(renamed))).toEqual([between]);
  });

  it("finds one that moves from a set to another resource, which may be created later", async () => {
    const set = (from: object, to: object): Written => ({
      ...{ type: "IpPolicyRuleSet", name: "set", id: "ipp_1" },
      before: { ipPolicyId: "ipp_1", exclusive: false, rules: from },
      after: { ipPolicyId: "ipp_1", exclusive: false, rules: to },
    });
    const moved = set({ "198.51.100.0/24": "allow", "10.9.0.0/16": "deny" }, { "198.51.100.0/24": "allow" });
    const next = made("next", "10.8.0.0/15", "deny");
    expect(await said(kept(wide), moved, next)).toEqual([
      between.replace("IpPolicyRule guest", "IpPolicyRuleSet set"),
    ]);
    const waits = { ...moved, from: { rules: [urnOf("IpPolicyRule", "next")] } };
    expect(await said(kept(wide), next, waits)).toEqual([]);
  });

  it("names all that one resource denies, and nothing that another rule denies meanwhile", async () => {
    const denies = { "10.9.0.0/16": "deny", "10.11.0.0/16": "deny" };
    const set: Written = {
      ...{ type: "IpPolicyRuleSet", name: "set", id: "ipp_1" },
      after: { ipPolicyId: "ipp_1", exclusive: false, rules: denies },
    };
    expect(await said(wide, set)).toEqual([
      text("created before", "10.9.0.0/16 and 10.11.0.0/16 (131,072 addresses)").replace(
        "IpPolicyRule guest",
        "IpPolicyRuleSet set",
      ),
    ]);
    const waits = made("wide", "10.0.0.0/8", "allow", "half");
    expect(await said(made("half", "10.9.0.0/17", "deny"), guest, waits)).toEqual([
      text("created before", "10.9.128.0/17 (32,768 addresses)"),
    ]);
  });

  it("finds nothing where another resource denies from then on, and deletions are last", async () => {
    const next = made("next", "10.9.0.0/17", "deny");
    const other = made("other", "10.9.128.0/17", "deny");
    expect(await said(kept(wide), gone(guest), next, other)).toEqual([]);
  });

  it("finds an edge that gets a policy before a rule of it is deleted, or loses one after a rule is created", async () => {
    const all = { ...made("all", "0.0.0.0/0", "allow"), before: undefined };
    const other: Written = { ...policy, name: "other", id: "ipp_2" };
    const from = { ipPolicyId: [urnOf("IpPolicy", "other")] };
    const inOther = kept({ ...made("home", "192.0.2.0/24", "allow"), from });
    const home = { ...inOther, before: rule({}, { ...inOther.after, ipPolicyId: "ipp_2" }).after };
    const change = (before: string, after: string): Written => ({
      ...edge({ before: { ipRestriction: { ipPolicyIds: [before] } }, from: {} }),
      after: { ipRestriction: { ipPolicyIds: [after] } },
    });
    const beside: Written[] = [other, { ...home, after: home.before! }];
    const open = (size: string): string =>
      `access/open-for-a-moment TcpEdge edge: ${size} may be allowed for a moment: it`;
    const everybody = open("0.0.0.0/0 except 192.0.2.0/24 (4,294,967,040 addresses)");
    expect(await said(...beside, change("ipp_2", "ipp_1"), gone(all))).toEqual([
      `error ${everybody} gets IpPolicy "office" before the rules of the policy change`,
    ]);
    expect(await said(...beside, all, change("ipp_1", "ipp_2"))).toEqual([
      `error ${everybody} loses IpPolicy "office" after rules of the policy change`,
    ]);
    const vpn = made("vpn", "10.9.0.0/24", "allow");
    expect(await said(...beside, vpn, change("ipp_1", "ipp_2"))).toEqual([
      `warning ${open("10.9.0.0/24 (256 addresses)")} loses IpPolicy "office" after rules of the policy change`,
    ]);
    expect(await said(...beside, gone(all), change("ipp_1", "ipp_1"))).toEqual([]);
    const none = kept(made("none", "0.0.0.0/0", "deny"));
    const denied = [...beside, change("ipp_2", "ipp_1"), gone(all), none];
    expect(await said(...denied)).toEqual([]);
    const overlap = { semantics: { ...unknownSemantics, overlap: "allow-wins" } } as const;
    const run = saidOfRun([policy, lasting, denied].flat(), {}, overlap);
    expect(await only("access/open-for-a-moment", run)).toEqual([
      `error ${everybody} gets IpPolicy "office" before the rules of the policy change`,
    ]);
    const args = { edgeId: "edgtls_1", ipPolicyIds: ["ipp_1"] };
    const module: Written = { type: "TlsEdgeIpRestriction", name: "tls", id: "edgtls_1", before: args };
    expect(await said(all, module)).toEqual([]);
    const { before, ...edgeGone } = { ...change("ipp_1", "ipp_2"), after: undefined };
    expect(await said(all, { ...edgeGone, before: before! })).toHaveLength(1);
    const at = (id: string): object => ({ hostports: ["a:1"], ipRestriction: { ipPolicyIds: [id] } });
    const renamed = [
      edge({ name: "new", after: { ...at("ipp_2") }, from: {} }),
      { ...edgeGone, before: { ...at("ipp_1") } },
    ];
    expect(await said(...beside, kept(wide), ...renamed, gone(guest))).toEqual([
      `error ${open("10.9.0.0/16 (65,536 addresses)")} loses IpPolicy "office" after rules of the policy change`.replace(
        "edge:",
        "new:",
      ),
    ]);
  });

  it("finds an edge that gets a new policy before a deny rule of it is created, unless the edge waits", async () => {
    const inNew = (each: Written): Written => ({ ...each, after: { ...each.after, ipPolicyId: unknown } });
    const fresh = [{ ...policy, before: undefined, id: unknown }, inNew(wide), inNew(guest)];
    const after = { ipRestriction: { ipPolicyIds: [unknown] } };
    const found = (more: Partial<Written>) =>
      only("access/open-for-a-moment", saidOfRun([...fresh, edge({ after, ...more })]));
    expect(await found({})).toEqual([
      "error access/open-for-a-moment TcpEdge edge: 10.9.0.0/16 (65,536 addresses) may be allowed for a moment: " +
        'it gets IpPolicy "office" before the rules of the policy change',
    ]);
    expect(await found(waiting(["IpPolicyRule", "guest"]))).toEqual([]);
  });

  it("finds nothing where the allow rule waits, one of the two stays, or a set has both", async () => {
    expect(await said(made("wide", "10.0.0.0/8", "allow", "guest"), guest)).toEqual([]);
    expect(await said(gone(made("wide", "10.0.0.0/8", "allow", "guest")), gone(guest))).toEqual([]);
    expect(await said(kept(wide), guest)).toEqual([]);
    expect(await said(wide, kept(guest))).toEqual([]);
    expect(await said(wide, made("guest", "11.0.0.0/16", "deny"))).toEqual([]);
    const rules = { "10.0.0.0/8": "allow", "10.9.0.0/16": "deny" };
    const set: Written = { type: "IpPolicyRuleSet", name: "set", after: { ipPolicyId: "ipp_1", rules } };
    expect(await said(set)).toEqual([]);
  });
});

describe("access/unknown-moment", () => {
  const said = (resources: Written[], more: object = {}) =>
    only("access/unknown-moment", saidOfRun(resources, more));
  const unknownOf = (which: string, why: string): string =>
    `warning access/unknown-moment ${which}: who gets in for a moment is not known: ${why}`;
  const hidden =
    "the preview does not show how it is replaced: make the preview with --show-sames --show-replacement-steps";
  const flipped = rule({ before: rule({}).after, reasons: ["action"] }, { action: "deny" });
  const replaced = (each: Written): Written => ({ ...each, op: "replace" });

  it("names rules and edges whose replacement the preview does not show, and nothing else", async () => {
    expect(await said([policy, replaced(flipped)])).toEqual([unknownOf("IpPolicyRule lan", hidden)]);
    const moved = replaced(edge({ before: { ...restricted, hostports: ["db.example.com:5432"] } }));
    expect(await said([policy, moved])).toEqual([unknownOf("TcpEdge edge", hidden)]);
    const backend: Written = { type: "TunnelGroupBackend", name: "app", before: {}, after: { labels: {} } };
    expect(await said([policy, replaced(backend)])).toEqual([]);
    expect(await said([policy, ...deletedFirst(flipped)])).toEqual([]);
  });

  it("names a refused rule where the rule about refusals does not run", async () => {
    const twice = [policy, rule({}), rule({ name: "again" })];
    const refused = unknownOf(
      "IpPolicyRule again",
      "the service may refuse it or a step before it: make the preview with --show-sames",
    );
    expect(await said(twice, { changeSummary: { same: 9 } })).toEqual([refused]);
    expect(await said(twice)).toEqual([]);
    expect(await only("interruption/refused", saidOfRun(twice))).toHaveLength(1);
  });
});
