/** What is served at one address before and after a deployment is one place, whatever its name and id are. */
import { unknownSemantics, type Semantics } from "../../../src/tools/access/semantics";
import { keptPolicy, reviewText, saidBy, tcpEdge, urnOf, writtenPreview, type Written } from "./support";

type Values = Readonly<Record<string, unknown>>;

const rule = (name: string, of: string, cidr: string): Written => {
  const inputs = { ipPolicyId: `ipp_${of}`, action: "allow", cidr };
  return { type: "IpPolicyRule", name, before: inputs, after: inputs };
};
const world = [
  ...[keptPolicy("narrow"), rule("lan", "narrow", "203.0.113.0/24")],
  ...[keptPolicy("wide"), rule("most", "wide", "0.0.0.0/1"), rule("more", "wide", "128.0.0.0/2")],
];
const serving = (policy: string, ...hostports: string[]): Values => ({
  ...{ hostports, ipRestriction: { ipPolicyIds: [`ipp_${policy}`] } },
});
const [a, b, c] = ["1.tcp.example.com:5001", "2.tcp.example.com:5001", "3.tcp.example.com:5001"] as const;
const [newly, gone] = ["newly-allowed", "interruption/edge-deleted"];

describe("an edge under another name", () => {
  const old = tcpEdge("db", serving("narrow", a), undefined);

  it("is compared with the one that served its address", () => {
    const found = saidBy(`${newly}|${gone}`, ...world, old, tcpEdge("db2", undefined, serving("wide", a)));
    expect(found).toEqual([
      expect.stringMatching(/^error access\/newly-allowed TcpEdge db2: .* by IpPolicy "wide" \(added\)/),
      `warning interruption/edge-deleted TcpEdge db: TcpEdge "db2" serves ${a} from now on`,
    ]);
  });

  it("is compared with it whatever spelling the address has", () => {
    const next = tcpEdge("db2", undefined, serving("wide", "1.TCP.Example.com:5001"));
    expect(saidBy(newly, ...world, old, next)).toHaveLength(1);
  });

  it("opens nothing with the same policies", () => {
    const found = saidBy("access/", ...world, old, tcpEdge("db2", undefined, serving("narrow", a)));
    expect(found.filter((text) => text.includes("TcpEdge"))).toEqual([]);
  });

  it("is compared with everything that served one of its addresses, and so is each part of one that is split", () => {
    const [one, two] = [
      tcpEdge("one", serving("narrow", a), undefined),
      tcpEdge("two", serving("wide", b), undefined),
    ];
    const joined = tcpEdge("all", undefined, serving("wide", a, b));
    expect(saidBy(newly, ...world, one, two, joined)).toHaveLength(1);
    const whole = tcpEdge("all", serving("narrow", a, b), undefined);
    const parts = [
      tcpEdge("one", undefined, serving("narrow", a)),
      tcpEdge("two", undefined, serving("wide", b)),
    ];
    expect(saidBy(newly, ...world, whole, ...parts)).toEqual([
      expect.stringContaining("error access/newly-allowed TcpEdge two: "),
    ]);
  });

  it("is compared with what is at its address, and only at a new address with itself", () => {
    const swapped = [
      tcpEdge("one", serving("narrow", a), serving("wide", b)),
      tcpEdge("two", serving("wide", b), serving("narrow", a)),
    ];
    expect(saidBy(newly, ...world, ...swapped)).toEqual([]);
    const taken = [
      tcpEdge("one", serving("narrow", a), serving("narrow", b)),
      tcpEdge("two", serving("wide", b), serving("wide", a)),
    ];
    expect(saidBy(newly, ...world, ...taken)).toEqual([
      expect.stringContaining("error access/newly-allowed TcpEdge two: "),
      expect.stringContaining("warning access/newly-allowed TcpEdge one: 203.0.113.0/24 "),
    ]);
    const moved = tcpEdge("one", serving("narrow", a), serving("wide", c));
    expect(saidBy(newly, ...world, moved)).toHaveLength(1);
  });

  it("in another account serves the same address", () => {
    const text = writtenPreview([...world, old, tcpEdge("db2", undefined, serving("wide", a))]);
    const provider = "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::europe::id";
    const elsewhere = text.replace('"newState":{"id":"edgtcp_db2"', `$&,"provider":"${provider}"`);
    expect(elsewhere).not.toBe(text);
    const { findings } = reviewText(elsewhere);
    expect(findings.filter(({ name }) => name === "db2").map((each) => each.rule)).not.toEqual([]);
  });

  it("leaves the addresses that it does not take", () => {
    const both = tcpEdge("db", serving("narrow", a, b), undefined);
    expect(saidBy(gone, ...world, both, tcpEdge("db2", undefined, serving("narrow", b)))).toEqual([
      `warning interruption/edge-deleted TcpEdge db: ${a} is no longer served; TcpEdge "db2" serves ${b} from now on`,
    ]);
    const all = tcpEdge("db", serving("narrow", a, b, c), undefined);
    const parts = [
      tcpEdge("db2", undefined, serving("narrow", b)),
      tcpEdge("db3", undefined, serving("narrow", c)),
    ];
    expect(saidBy(gone, ...world, all, ...parts)).toEqual([
      `warning interruption/edge-deleted TcpEdge db: ${a} is no longer served; TcpEdge "db2" serves ${b} from now on; ` +
        `TcpEdge "db3" serves ${c} from now on`,
    ]);
    expect(saidBy(gone, ...world, tcpEdge("db", { hostports: [] }, undefined))).toEqual([
      "warning interruption/edge-deleted TcpEdge db: its addresses are no longer served",
    ]);
  });
});

describe("an endpoint or credential under another name", () => {
  const forward = JSON.stringify({ on_http_request: [{ actions: [{ type: "deny" }] }] });
  const endpoint = (name: string, before: Values | undefined, after: Values | undefined): Written => ({
    ...{ type: "CloudEndpoint", name, id: `ep_${name}`, before, after },
  });
  const old = endpoint("site", { url: "https://site.example.com", trafficPolicy: forward }, undefined);

  it("keeps its traffic policy", () => {
    const next = (more: Values): Written =>
      endpoint("site2", undefined, { url: "HTTPS://site.example.com:443/", ...more });
    expect(saidBy("access/", old, next({ trafficPolicy: forward }))).toEqual([]);
    const [first, ...others] = saidBy("access/|endpoint-deleted", old, next({ trafficPolicy: "{}" }));
    expect(first).toMatch(/^error access\/\S+ CloudEndpoint site2: its traffic policy/);
    expect(others).toEqual([
      'warning interruption/endpoint-deleted CloudEndpoint site: CloudEndpoint "site2" serves https://site.example.com from now on',
    ]);
  });

  it("keeps its ACL", () => {
    const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g";
    const credential = (name: string, before: Values | undefined, after: Values | undefined): Written => ({
      ...{ type: "SshCredential", name, id: `sshcr_${name}`, before, after },
    });
    const acl = ["bind:app.example.com"];
    const old = credential("ci", { publicKey, acl }, undefined);
    const found = (after: Values): string[] =>
      saidBy("access/|credential-deleted", old, credential("ci2", undefined, { publicKey, ...after }));
    const moved =
      'warning interruption/credential-deleted SshCredential ci: SshCredential "ci2" has its key from now on';
    expect(found({ acl })).toEqual([moved]);
    expect(found({})).toEqual([
      "error access/acl-removed SshCredential ci2: its ACL is removed: it may bind everything",
      moved,
    ]);
    expect(found({ acl: ["bind:*.example.com"] })).toEqual([
      "error access/acl-widened SshCredential ci2: its ACL also permits bind:*.example.com",
      moved,
    ]);
  });
});

describe("what a team states about policies", () => {
  const [empty, denied] = [keptPolicy("empty"), keptPolicy("denied")];
  const deny: Written = { ...rule("no", "denied", "192.0.2.0/24") };
  const denies = { ...deny.after, action: "deny" };
  const edges = [
    tcpEdge("rules", undefined, serving("empty", a)),
    tcpEdge("only", undefined, serving("denied", b)),
  ];
  const world = [empty, denied, { ...deny, before: denies, after: denies }, ...edges];
  const found = (semantics: Partial<Semantics>, resources: Written[] = world): string[] =>
    reviewText(writtenPreview(resources), { semantics: { ...unknownSemantics, ...semantics } })
      .findings.filter(({ rule }) => /unguarded|deny-only/.test(rule))
      .map(({ rule, name }) => `${rule} ${name}`);

  it("says whether policies without rules, and with deny rules alone, are open", () => {
    const [rules, only] = ["access/unguarded rules", "access/deny-only only"];
    expect(found({})).toEqual([only, rules]);
    expect(found({ empty: "open", unmatched: "allowed" })).toEqual([only, rules]);
    expect(found({ empty: "closed" })).toEqual([only]);
    expect(found({ unmatched: "denied" })).toEqual([rules]);
    // A policy that keeps everybody out closes the one that only denies, together with it.
    const both = tcpEdge("only", undefined, {
      hostports: [b],
      ipRestriction: { ipPolicyIds: ["ipp_empty", "ipp_denied"] },
    });
    const together = (semantics: Partial<Semantics>) => found(semantics, [...world.slice(0, -1), both]);
    expect(together({})).toEqual([only, rules]);
    expect(together({ empty: "closed" })).toEqual([]);
    expect(together({ empty: "closed", unmatched: "allowed" })).toEqual([only]);
    expect(together({ empty: "closed", unmatched: "allowed", policies: "all" })).toEqual([]);
    // One that is deleted has no rules: it may open what the other one closes.
    const deleted = (semantics: Partial<Semantics>) =>
      found(semantics, [{ ...empty, after: undefined }, denied, world[2]!, both]);
    expect(deleted({ unmatched: "denied" })).toEqual([]);
    expect(deleted({ unmatched: "denied", empty: "open", policies: "any" })).toEqual([only]);
  });
});

describe("an object that the account keeps", () => {
  const urn = (type: string, name: string): string => urnOf(type, name);
  const guarded = tcpEdge("db", serving("narrow", a), serving("narrow", a));
  const gone = (options: object, type = "IpPolicyRule", name = "kept"): string => {
    const inputs = { ipPolicyId: "ipp_narrow", action: "allow", cidr: "198.51.100.0/24" };
    const text = writtenPreview([
      ...world,
      guarded,
      { type: "TunnelGroupBackend", name: "aux", before: {}, after: undefined },
      { type: "IpPolicyRule", name: "kept", before: inputs, after: undefined },
    ]);
    const steps = JSON.parse(text) as { steps: { urn: string; oldState?: object }[] };
    for (const step of steps.steps) if (step.urn === urn(type, name)) Object.assign(step.oldState!, options);
    return JSON.stringify(steps);
  };
  const found = (text: string): string[] =>
    reviewText(text, {
      accessTests: [{ resource: "TcpEdge db", onlyFrom: ["203.0.113.0/24"] }],
    })
      .findings.filter(({ rule }) => /kept|test-failed|access-lost/.test(rule))
      .map(({ rule, name }) => `${rule} ${name}`);

  it("stays in the access after the deployment, and is reported", () => {
    const stays = ["access/test-failed db", "access/kept kept"];
    const goes = ["interruption/access-lost db"];
    expect(found(gone({}))).toEqual(goes);
    expect(found(gone({ retainOnDelete: true }))).toEqual(stays);
    expect(found(gone({ deletedWith: urn("TunnelGroupBackend", "aux") }))).toEqual(stays);
    // What stays in the stack keeps nothing, and what is not a part of it is deleted by nobody.
    expect(found(gone({ deletedWith: urn("IpPolicy", "wide") }))).toEqual(goes);
    expect(found(gone({ deletedWith: urn("IpPolicyRule", "kept") }))).toEqual(stays);
  });
});
