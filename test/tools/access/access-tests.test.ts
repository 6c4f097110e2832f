import { accessTestFailures, type AccessTest } from "../../../src/tools/access/access-tests";
import {
  accountObject,
  inventoryOfAccount,
  readAccount,
} from "../../../src/tools/inventory/account-contents";
import { declarationOf } from "../../../src/resources/registry";
import { unknownSemantics } from "../../../src/tools/access/semantics";
import { Access } from "../../../src/tools/access/verdicts";
import { unknown } from "../../../src/schema/unknown";
import { writtenPreview, urnOf, type Written } from "../review/support";
import { readPreview } from "../../support/recorded";

const policy: Written = { type: "IpPolicy", name: "office", id: "ipp_1", before: {}, after: {} };
const rule = (name: string, action: string, cidr: string): Written => {
  const inputs = { ipPolicyId: "ipp_1", action, cidr };
  return { type: "IpPolicyRule", name, before: inputs, after: inputs };
};
const edge = (restriction: object = {}, name = "database"): Written => {
  const inputs = { ipRestriction: { ipPolicyIds: ["ipp_1"], ...restriction } };
  return { type: "TcpEdge", name, before: inputs, after: inputs };
};

function failures(resources: readonly Written[], ...tests: AccessTest[]): string[] {
  const { after } = readPreview(writtenPreview([policy, ...resources]));
  return accessTestFailures(after, tests).map(({ on, message }) => `${on?.name ?? "-"}: ${message}`);
}

/** A rule set of the policy. */
const set = (rules: Record<string, unknown>, more: object = {}): Written => {
  const inputs = { ipPolicyId: "ipp_1", rules, ...more };
  return { type: "IpPolicyRuleSet", name: "rules", before: inputs, after: inputs };
};

const resource = "TcpEdge database";
const office = rule("office", "allow", "203.0.113.0/24");
const abuse = rule("abuse", "deny", "203.0.113.128/25");

describe("a test of allowed addresses", () => {
  it.each<[string, string[], string[]]>([
    ["holds where an allow rule covers them", ["203.0.113.7"], []],
    [
      "fails where no rule covers them",
      ["203.0.112.0/23"],
      ["database: 203.0.112.0/24 (256 addresses) must be allowed: no rule covers it"],
    ],
  ])("%s", (_, allowed, said) => {
    expect(failures([office, edge()], { resource, allowed })).toEqual(said);
  });

  it("fails where the specification does not say which rule counts, and names the rules", () => {
    expect(failures([office, abuse, edge()], { resource, allowed: ["203.0.113.0/24"] })).toEqual([
      "database: 203.0.113.128/25 (128 addresses) must be allowed: allow and deny rules cover it, and the " +
        "specification does not say which one counts (IpPolicyRule abuse and IpPolicyRule office)",
    ]);
  });

  it("fails where no IP policy is in effect: no rule allows them", () => {
    expect(failures([office, edge({ enabled: false })], { resource, allowed: ["203.0.113.7"] })).toEqual([
      "database: 203.0.113.7/32 (1 address) must be allowed: no IP policy is in effect",
    ]);
  });
});

describe("a test of addresses that are not allowed", () => {
  it("holds where a deny rule covers them, or where no rule does and others are allowed", () => {
    const notAllowed = ["198.51.100.0/24", "203.0.112.0/24"];
    const rules = [office, rule("vpn", "deny", "198.51.100.0/24"), edge()];
    expect(failures(rules, { resource, notAllowed })).toEqual([]);
  });

  it.each<[string, readonly Written[]]>([
    ["the policies allow nobody", [rule("vpn", "deny", "198.51.100.0/24"), edge()]],
    [
      "one of the policies is deleted",
      [
        office,
        { type: "IpPolicy", name: "old", id: "ipp_2", before: {} },
        edge({ ipPolicyIds: ["ipp_1", "ipp_2"] }),
      ],
    ],
  ])("fails where no rule covers them and %s: everybody may be allowed", (_, resources) => {
    expect(failures(resources, { resource, notAllowed: ["192.0.2.7"] })).toEqual([
      "database: 192.0.2.7/32 (1 address) must not be allowed: no rule covers it",
    ]);
  });

  it.each<[string, readonly Written[], RegExp]>([
    ["allowed", [office, edge()], /must not be allowed: an allow rule covers it \(IpPolicyRule office\)$/],
    ["undecided", [office, abuse, edge()], /allow and deny rules cover it/],
    ["open", [office, edge({ enabled: false })], /no IP policy is in effect$/],
    [
      "unknown",
      [office, edge({ enabled: unknown })],
      /known only after the deployment \(TcpEdge database\)$/,
    ],
  ])("fails where they are %s", (_, resources, message) => {
    expect(failures(resources, { resource, notAllowed: ["203.0.113.200"] })).toEqual([
      expect.stringMatching(message),
    ]);
  });
});

describe("a test of the only ranges", () => {
  it("holds where everything that is allowed lies in them", () => {
    expect(failures([office, abuse, edge()], { resource, onlyFrom: ["203.0.112.0/23"] })).toEqual([]);
  });

  it("fails for an address outside of them, written as people do", () => {
    const wide = rule("wide", "allow", "203.0.0.0/16");
    expect(failures([wide, edge()], { resource, onlyFrom: ["203.0.113.0/24"] })).toEqual([
      "database: 203.0.0.0/16 except 203.0.113.0/24 (65,280 addresses) must not be allowed, because onlyFrom " +
        "does not list it: an allow rule covers it (IpPolicyRule wide)",
    ]);
  });

  it.each([
    ["is disabled", false, "no IP policy is in effect"],
    ["may be disabled", unknown, "it is not known whether an IP policy is in effect"],
  ])("fails where the restriction %s, whatever the ranges are", (_, enabled, said) => {
    const [failure, ...more] = failures([office, edge({ enabled })], {
      resource,
      onlyFrom: ["0.0.0.0/0", "::/0"],
    });
    expect([failure!.includes(said), more]).toEqual([true, []]);
  });

  it("fails where the policies only deny: whoever they do not deny may be allowed", () => {
    const denies = rule("vpn", "deny", "198.51.100.0/24");
    expect(failures([denies, edge()], { resource, onlyFrom: ["203.0.113.0/24"] })).toHaveLength(1);
  });
});

describe("the resource of a test", () => {
  const both = [office, edge(), edge({ enabled: false }, "cache")];
  it.each<[string, string[]]>([
    ["database", []],
    ["TcpEdge database", []],
    [urnOf("TcpEdge", "database"), []],
    ["id_database", []],
    ["TcpEdge d*", []],
    ["TcpEdge *", ["cache"]],
    ["TlsEdge database", ["-"]],
    ["Database", ["-"]],
  ])("%s names what the failures are about", (pattern, names) => {
    const found = failures(both, { resource: pattern, notAllowed: ["192.0.2.1"] });
    expect(found.map((each) => each.split(":")[0])).toEqual(names);
  });

  it("must exist", () => {
    expect(failures(both, { resource: "TcpEdge gone", allowed: ["192.0.2.1"] })).toEqual([
      '-: no edge, route or endpoint has the name "TcpEdge gone" of an access test',
    ]);
  });
});

describe("IPv6 ranges that embed IPv4 addresses", () => {
  const notAllowed = ["198.51.100.0/24"];
  const guests = ["::ffff:198.51.100.0/120"];

  it.each([
    ...["::ffff:0:0/96", "::ffff:0.0.0.0/96", "64:ff9b::/96", "::/80", "::/0", "0:0:0:0:0:ffff::/97"],
    ...["::/96", "::ffff:0:0:0/96", "64:ff9b:1::/48", "64:ff9b:1:1234::/96"],
  ])("count for them where %s is allowed", (cidr) => {
    const [failure, ...more] = failures([office, rule("v6", "allow", cidr), edge()], {
      resource,
      notAllowed: [cidr.endsWith("/97") ? "10.0.0.0/8" : notAllowed[0]!],
    });
    expect([failure, more]).toEqual([
      expect.stringContaining("an allow rule covers it (IpPolicyRule v6)"),
      [],
    ]);
  });

  it("do not count for them where they are denied", () => {
    const denied = rule("v6", "deny", "::ffff:203.0.113.0/120");
    expect(failures([office, denied, edge()], { resource, allowed: ["203.0.113.7"] })).toEqual([]);
    expect(failures([office, denied, edge()], { resource, denied: guests })).toHaveLength(1);
  });

  it("are kept out with them", () => {
    const vpn = rule("vpn", "allow", "198.51.100.7");
    expect(failures([office, vpn, edge()], { resource, notAllowed: guests })).toEqual([
      "database: 198.51.100.7/32 (1 address) must not be allowed: an allow rule covers it (IpPolicyRule vpn)",
    ]);
  });
});

it("a test of an account fails where an object could not be read, whatever else it shows", () => {
  const object = (type: string, id: string, answer: object, problem?: string) =>
    accountObject(declarationOf(type), id, { id, ...answer }, problem);
  const ref = { id: "ipp_1", uri: "https://api.example.com" };
  const account = (problem?: string) =>
    inventoryOfAccount([
      object("IpPolicy", "ipp_1", {}),
      object("IpPolicyRule", "ipr_1", { action: "allow", cidr: "203.0.113.0/24", ip_policy: ref }),
      object("TcpEdge", "edgtcp_1", { ip_restriction: { enabled: true, ip_policies: [ref] } }),
      object("TcpEdge", "edgtcp_2", { ip_restriction: { enabled: true, ip_policies: [ref] } }, problem),
      object("IpPolicyRule", "ipr_2", { action: "deny", cidr: "192.0.2.0/24", ip_policy: ref }, problem),
    ]);
  const test = { resource: "TcpEdge *", onlyFrom: ["203.0.113.0/24"] };
  const found = (problem?: string): string[] =>
    accessTestFailures(account(problem), [test]).map(({ message }) => message);
  expect(found()).toEqual([]);
  const end = "is not what it seems, so access is not known: it could not be read: its hostports are no list";
  expect(found("its hostports are no list")).toEqual([
    `"TCP edge edgtcp_2" ${end}`,
    `"IP policy rule ipr_2" ${end}`,
  ]);
});

it("a test of an account fails where a module could not be read", async () => {
  const answers = [{ enabled: "yes" }, { enabled: true, ip_policies: [] }];
  const read = async (answer: object): Promise<string[]> => {
    const { objects } = await readAccount({
      client: { pages: () => [], read: () => Promise.resolve(answer) } as never,
      isChosen: ({ type }) => type === "TlsEdgeIpRestriction",
      modules: { tlsEdges: ["edgtls_1"] },
    });
    const test = { resource: "*", notAllowed: ["198.51.100.0/24"] };
    return accessTestFailures(inventoryOfAccount(objects), [test]).map(({ message }) => message);
  };
  const [unreadable, readable] = await Promise.all(answers.map(read));
  expect(unreadable![0]).toMatch(/so access is not known: it could not be read: .*enabled/);
  expect(readable!.join()).not.toContain("could not be read");
});

describe("a test of rules that end", () => {
  const [first, second] = ["2090-01-31T12:00:00Z", "2091-01-31T12:00:00Z"];
  const until = (time: string, action = "allow"): object => ({ action, until: time });
  const lasting = { "203.0.113.0/24": "allow" };

  it.each<[string, Record<string, unknown>, AccessTest, string[]]>([
    [
      "of allowed addresses fails from the end of their allow rule on",
      { ...lasting, "198.51.100.7": until(second), "198.51.100.8": until(first) },
      { resource, allowed: ["198.51.100.7"] },
      [`database: from ${second} on, 198.51.100.7/32 (1 address) must be allowed: no rule covers it`],
    ],
    [
      "of allowed addresses holds where another rule outlasts it",
      { ...lasting, "203.0.113.7": until(first) },
      { resource, allowed: ["203.0.113.7"] },
      [],
    ],
    [
      "of denied addresses fails from the end of their deny rule on",
      { ...lasting, "198.51.100.7": until(first, "deny") },
      { resource, denied: ["198.51.100.7"] },
      [`database: from ${first} on, 198.51.100.7/32 (1 address) must be denied: no rule covers it`],
    ],
    [
      "of addresses that are not allowed fails once the deny rule ends that keeps them out, where no allow rule is left",
      { "198.51.100.7": until(first), "192.0.2.0/24": until(second, "deny") },
      { resource, notAllowed: ["192.0.2.1"] },
      [`database: from ${second} on, 192.0.2.1/32 (1 address) must not be allowed: no rule covers it`],
    ],
    [
      "of addresses that are not allowed fails once the last allow rule of the policy ends, wherever it is",
      { "198.51.100.7": until(first), "192.0.2.0/24": "deny" },
      { resource, notAllowed: ["203.0.113.1"] },
      [`database: from ${first} on, 203.0.113.1/32 (1 address) must not be allowed: no rule covers it`],
    ],
    [
      "of the only ranges names the first of several times",
      { "198.51.100.7": until(second), "198.51.100.8": until(second) },
      { resource, onlyFrom: ["198.51.100.0/24"] },
      [expect.stringContaining(`database: from ${second} on, `)],
    ],
    [
      "of allowed addresses fails by a rule that only stands because nothing has removed it yet",
      { ...lasting, "198.51.100.7": until("2020-01-31T12:00:00Z") },
      { resource, allowed: ["198.51.100.7"] },
      [
        "database: from 2020-01-31T12:00:00Z on, 198.51.100.7/32 (1 address) must be allowed: no rule covers it",
      ],
    ],
  ])("%s", (_, rules, test, said) => {
    expect(failures([set(rules), edge()], test)).toEqual(said);
  });

  it("fails from the end on at which the policy has no rules, as the answers of the team have it", () => {
    const { after } = readPreview(writtenPreview([policy, set({ "198.51.100.7": until(first) }), edge()]));
    const test = { resource, denied: ["203.0.113.1"] };
    const failing = (empty: "open" | "closed"): string[] =>
      accessTestFailures(after, [test], { ...unknownSemantics, unmatched: "denied", empty }).map(
        ({ message }) => message,
      );
    expect(failing("closed")).toEqual([]);
    expect(failing("open")).toEqual([
      `from ${first} on, 203.0.113.1/32 (1 address) must be denied: no rule covers it, and it is allowed by the setting semantics`,
    ]);
  });

  it("looks only at the ends that can change the answer, however many rules end", () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [
        `10.${i >> 8}.${i & 255}.0/24`,
        until(new Date(Date.parse(first) + i * 1_000).toISOString()),
      ]),
    );
    const asked = jest.spyOn(Access.prototype, "pieces");
    expect(failures([set({ ...lasting, ...many }), edge()], { resource, allowed: ["203.0.113.7"] })).toEqual(
      [],
    );
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });
});

it.each([
  ["a set that leaves the other rules of its policy alone, which may allow anybody", false, 1],
  ["a set of which only the deployment shows whether it does", unknown, 1],
  ["an exclusive set", true, 0],
] as const)("beside %s", (_, exclusive, count) => {
  const rules = [set({ "203.0.113.0/24": "allow" }, { exclusive }), edge()];
  expect(failures(rules, { resource, notAllowed: ["192.0.2.1"] })).toHaveLength(count);
});
