/** The ranges that policies have, and who gets in where they guard: case by case, as a preview shows them. */
import { policiesOf, policyIn, unplacedRanges, withRanges } from "../../../src/tools/access/policies";
import { accessAnswer } from "../../../src/tools/access/access-answer";
import { placePairs, placesIn, type Place } from "../../../src/tools/access/place";
import { placeKey } from "../../../src/tools/access/served";
import { AddressSet } from "../../../src/schema/addresses/address-set";
import { blockOf } from "../../../src/schema/addresses/block";
import type { Inventory } from "../../../src/tools/inventory/inventory";
import { unknown } from "../../../src/schema/unknown";
import { keptPolicy, urnOf, writtenPreview, type Written } from "../review/support";
import { readPreview } from "../../support/recorded";

const rule = (name: string, inputs: object, from: Written["from"] = {}): Written => {
  const all = { ipPolicyId: "ipp_a", cidr: "10.0.0.0/30", action: "allow", ...inputs };
  return { type: "IpPolicyRule", name, before: all, after: all, from };
};
const set = (name: string, rules: unknown, more: object = {}): Written => {
  const inputs = { ipPolicyId: "ipp_a", rules, ...more };
  return { type: "IpPolicyRuleSet", name, id: "ipp_a", before: inputs, after: inputs };
};
const edge = (restriction: unknown = { ipPolicyIds: ["ipp_a"] }, name = "db"): Written => ({
  ...{ type: "TcpEdge", name, before: {}, after: { ipRestriction: restriction } },
});

const europe = "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::europe";
const baseUrl = (url: string): object => ({ "tunnel-gateway:baseUrl": url });
const official = "https://api.example.com/v1";
const elsewhere = "https://europe.example.com";

/** The inventory after the deployment; the named resources have an explicit provider with a base URL. */
function inventoryOf(
  resources: readonly Written[],
  provided: readonly string[] = [],
  url = elsewhere,
): Inventory {
  const text = JSON.parse(writtenPreview(resources, { config: baseUrl("https://api.example.com/v1") })) as {
    steps: { urn: string; oldState?: { provider?: string }; newState?: { provider?: string } }[];
  };
  for (const { urn, oldState, newState } of text.steps) {
    if (!provided.some((name) => urn.endsWith(`::${name}`))) continue;
    for (const state of [oldState, newState]) if (state) state.provider = `${europe}::id`;
  }
  const provider = { inputs: baseUrl(url), outputs: {} };
  const step = { op: "same", urn: europe, oldState: provider, newState: provider };
  return readPreview(JSON.stringify({ ...text, steps: [step, ...text.steps] })).after;
}

const asked = AddressSet.ofBlocks([blockOf("10.0.0.0/29")!]);

/** The verdicts about 10.0.0.0/29 at each guarded resource, with what causes them. */
function said(inventory: Inventory): string[] {
  return accessAnswer(inventory, asked).resources.flatMap(({ name, pieces }) =>
    pieces.map(({ verdict, ranges, by }) =>
      `${name}: ${verdict} ${ranges.join()}${by.length > 0 ? ` by ${by.join(", ")}` : ""}`.trim(),
    ),
  );
}

const first = "10.0.0.0/30";
const second = "10.0.0.4/30";
const all = "10.0.0.0/29";

describe("who gets in", () => {
  const cases: [string, Written[], string[]][] = [
    [
      "is allowed by a rule, and no rule matches the others",
      [
        rule("r", {}),
        rule("elsewhere", { cidr: "10.9.0.0/16" }),
        rule("other", { cidr: "::/0", action: "deny" }),
      ],
      [`db: allowed ${first} by IpPolicyRule r`, `db: unmatched ${second}`],
    ],
    [
      "is denied by a rule",
      [rule("r", { action: "deny" })],
      [`db: denied ${first} by IpPolicyRule r`, `db: unmatched ${second}`],
    ],
    [
      "is undecided where one rule allows and another one denies",
      [rule("r", { cidr: all }), rule("s", { action: "deny" })],
      [`db: allowed ${second} by IpPolicyRule r`, `db: undecided ${first} by IpPolicyRule r, IpPolicyRule s`],
    ],
    [
      "is decided by all policies of the guard, each rule named once",
      [
        keptPolicy("b"),
        rule("r", {}),
        set("s", { [second]: "deny", "10.0.0.6/31": "deny" }, { ipPolicyId: "ipp_b" }),
        edge({ ipPolicyIds: ["ipp_b", "ipp_a", "ipp_b"] }),
      ],
      [`db: allowed ${first} by IpPolicyRule r`, `db: denied ${second} by IpPolicyRuleSet s`],
    ],
    [
      "is not decided by the rules of a policy that the guard does not have",
      [keptPolicy("b"), rule("r", { ipPolicyId: "ipp_b" })],
      [`db: unmatched ${all}`],
    ],
    [
      "is unknown under a rule whose action is not known, and only there",
      [rule("r", { action: unknown }), rule("elsewhere", { cidr: "10.9.0.0/16", action: unknown })],
      [`db: unmatched ${second}`, `db: unknown ${first} by IpPolicyRule r`],
    ],
    [
      "is allowed all the same where a rule with an unknown range allows too",
      [rule("r", {}), rule("s", { cidr: unknown })],
      [`db: allowed ${first} by IpPolicyRule r`, `db: unknown ${second} by IpPolicyRule s`],
    ],
    [
      "is unknown everywhere where a rule with an unknown range denies",
      [rule("r", {}), rule("s", { cidr: unknown, action: "deny" })],
      [`db: unknown ${all} by IpPolicyRule s`],
    ],
    [
      "is unknown under a denied range where an unknown range is allowed",
      [rule("r", { action: "deny" }), rule("s", { cidr: unknown })],
      [`db: unknown ${all} by IpPolicyRule s`],
    ],
    ...[{ cidr: "office" }, { cidr: 1 }, { cidr: undefined }, { cidr: unknown, action: "permit" }].map(
      (inputs): [string, Written[], string[]] => [
        `is unknown where a rule is no range or no action that can be read: ${JSON.stringify(inputs)}`,
        [rule("r", inputs)],
        [`db: unknown ${all} by IpPolicyRule r`],
      ],
    ),
    [
      "is unknown under a rule whose action cannot be read, and only there",
      [rule("r", { action: "permit" })],
      [`db: unmatched ${second}`, `db: unknown ${first} by IpPolicyRule r`],
    ],
    [
      "is decided by the entries of a set in each of their forms",
      [set("s", { [first]: "deny", [second]: { action: "allow", description: "x" } })],
      [`db: allowed ${second} by IpPolicyRuleSet s`, `db: denied ${first} by IpPolicyRuleSet s`],
    ],
    [
      "is unknown under an entry that is not known",
      [set("s", { [first]: unknown, [second]: { action: unknown } })],
      [`db: unknown ${all} by IpPolicyRuleSet s`],
    ],
    [
      "is unknown under a set that is not known",
      [set("s", unknown)],
      [`db: unknown ${all} by IpPolicyRuleSet s`],
    ],
    ["is open without a restriction", [edge(null)], [`db: open ${all}`]],
    ["is open with a restriction without policies", [edge({ ipPolicyIds: [] })], [`db: open ${all}`]],
    [
      "is open with a restriction that is disabled, whatever its policies are",
      [rule("r", {}), edge({ enabled: false, ipPolicyIds: ["ipp_a", unknown] })],
      [`db: open ${all}`],
    ],
    [
      "is unknown where nobody knows whether the restriction is enabled",
      [rule("r", {}), edge({ enabled: unknown, ipPolicyIds: ["ipp_a"] })],
      [`db: unknown ${all} by TcpEdge db`],
    ],
    [
      "is unknown where nobody knows the policies: there may be none",
      [rule("r", {}), edge({ ipPolicyIds: unknown })],
      [`db: unknown ${all} by TcpEdge db`],
    ],
    [
      "is unknown where nobody knows whether there is a restriction",
      [rule("r", {}), edge(unknown)],
      [`db: unknown ${all} by TcpEdge db`],
    ],
    [
      "is unknown where another policy is not known: it may deny what the known one allows",
      [rule("r", {}), edge({ ipPolicyIds: ["ipp_a", unknown] })],
      [`db: unknown ${all} by TcpEdge db`],
    ],
    [
      "is unknown where a policy is not a part of the program: it may have other rules",
      [rule("r", { ipPolicyId: "ipp_x" }), edge({ ipPolicyIds: ["ipp_x"] })],
      [`db: unknown ${all} by IpPolicy ipp_x`],
    ],
    [
      "is decided by no rule of a policy that is deleted",
      [
        { ...keptPolicy("x"), after: undefined },
        rule("r", { ipPolicyId: "ipp_x" }),
        edge({ ipPolicyIds: ["ipp_x"] }),
      ],
      [`db: unmatched ${all}`],
    ],
    [
      "is unknown where a rule may belong to any policy",
      [rule("r", { ipPolicyId: unknown })],
      [`db: unmatched ${second}`, `db: unknown ${first} by IpPolicyRule r`],
    ],
    [
      "is unknown where a rule belongs to one of several policies, and only there",
      [
        keptPolicy("b"),
        keptPolicy("c"),
        rule("r", { ipPolicyId: unknown }, { ipPolicyId: [urnOf("IpPolicy", "a"), urnOf("IpPolicy", "b")] }),
        ...["a", "b", "c"].map((name) => edge({ ipPolicyIds: [`ipp_${name}`] }, name)),
      ],
      [
        ...["a", "b"].flatMap((name) => [
          `${name}: unmatched ${second}`,
          `${name}: unknown ${first} by IpPolicyRule r`,
        ]),
        `c: unmatched ${all}`,
      ],
    ],
  ];

  it.each(cases)("%s", (_, resources, expected) => {
    const own = resources.some(({ type }) => type === "TcpEdge") ? [] : [edge()];
    expect(said(inventoryOf([keptPolicy("a"), ...resources, ...own]))).toEqual(expected);
  });

  it("is decided per account: objects of another provider have nothing to do with it", () => {
    const there = ["there", "far"];
    const resources = [
      keptPolicy("a"),
      { ...keptPolicy("a"), name: "there" },
      rule("r", {}),
      { ...rule("far", { action: "deny", cidr: all }) },
      edge(),
    ];
    expect(said(inventoryOf(resources, there))).toEqual([
      `db: allowed ${first} by IpPolicyRule r`,
      `db: unmatched ${second}`,
    ]);
    expect(said(inventoryOf(resources, [...there, "db"]))).toEqual([`db: denied ${all} by IpPolicyRule far`]);
  });

  const shared: [string, string, string[]][] = [
    [
      "counts for the policy where it has the same base URL",
      official,
      [`db: allowed ${all} by IpPolicyRule far, IpPolicyRule r`],
    ],
    ...["[secret]", unknown].map((url): [string, string, string[]] => [
      `may count for the policy where its base URL is ${url}`,
      url,
      [`db: allowed ${first} by IpPolicyRule r`, `db: unknown ${second} by IpPolicyRule far`],
    ]),
    [
      "does not count where its base URL is another",
      elsewhere,
      [`db: allowed ${first} by IpPolicyRule r`, `db: unmatched ${second}`],
    ],
  ];

  it.each(shared)("a rule of another provider %s", (_, url, expected) => {
    const resources = [keptPolicy("a"), rule("r", {}), rule("far", { cidr: all }), edge()];
    expect(said(inventoryOf(resources, ["far"], url))).toEqual(expected);
  });

  it.each([
    [
      "is that of the policy where it has the same base URL",
      official,
      `db: allowed ${first} by IpPolicyRule r`,
    ],
    ["is not known where its base URL is not", unknown, `db: unknown ${all} by TcpEdge db`],
  ])("the access of an edge of another provider %s", (_, url, expected) => {
    expect(said(inventoryOf([keptPolicy("a"), rule("r", {}), edge()], ["db"], url))).toContain(expected);
  });

  it("names only rules of the same account where they may belong to a policy outside of the program", () => {
    const resources = [
      rule("own", { ipPolicyId: unknown }),
      rule("far", { ipPolicyId: unknown }),
      rule("known", { ipPolicyId: "ipp_x", cidr: "10.9.0.0/16" }),
      edge({ ipPolicyIds: ["ipp_x"] }),
    ];
    expect(said(inventoryOf(resources, ["far"]))).toEqual([
      `db: unknown ${all} by IpPolicy ipp_x, IpPolicyRule own`,
    ]);
    expect(said(inventoryOf(resources, ["far", "known", "db"]))).toEqual([
      `db: unknown ${all} by IpPolicy ipp_x, IpPolicyRule far`,
    ]);
  });

  it("is computed once for resources with the same policies, and for others anew", () => {
    const inventory = inventoryOf([
      ...[keptPolicy("a"), keptPolicy("b"), rule("r", {})],
      ...[edge(null, "one"), edge({ ipPolicyIds: ["ipp_b", "ipp_a"] }, "two")],
      ...[edge({ ipPolicyIds: ["ipp_a", "ipp_b"] }, "three"), edge({ ipPolicyIds: ["ipp_a"] }, "four")],
    ]);
    const { one, two, three, four } = Object.fromEntries(
      placesIn(inventory).map(({ on, access }) => [on.name, access.byVerdict]),
    );
    expect(three).toBe(two);
    expect(new Set([one, two, four]).size).toBe(3);
  });
});

describe("the ranges of a policy", () => {
  it("are those of its rules and sets, with the resources that declare them", () => {
    const inventory = inventoryOf([
      keptPolicy("a"),
      keptPolicy("b"),
      rule("r", {}),
      set("s", { [second]: "deny" }),
    ]);
    const [a, b] = [...policiesOf(inventory).values()];
    expect([a!.key, a!.name, a!.policy?.id]).toEqual([urnOf("IpPolicy", "a"), "a", "ipp_a"]);
    expect(a!.entries.map(({ action, cidr, from }) => [action, cidr, from.name])).toEqual([
      ["allow", first, "r"],
      ["deny", second, "s"],
    ]);
    expect([a!.allowed.cidrs(), a!.denied.cidrs(), a!.possible, a!.unknown]).toEqual([
      [first],
      [second],
      [],
      [],
    ]);
    expect([b!.name, b!.entries, b!.allowed.isEmpty(), b!.denied.isEmpty()]).toEqual(["b", [], true, true]);
  });

  it("have each resource once whose ranges are not known", () => {
    const inventory = inventoryOf([keptPolicy("a"), set("s", { [first]: unknown, [second]: unknown })]);
    expect([...policiesOf(inventory).values()].map(({ unknown }) => unknown.map(({ name }) => name))).toEqual(
      [["s"]],
    );
  });

  it("are those of the policies by their keys, of the ones outside of the program per account", () => {
    const inventory = inventoryOf(
      [
        ...[
          keptPolicy("a"),
          rule("r", { ipPolicyId: "ipp_x" }),
          rule("far", { ipPolicyId: "ipp_x", cidr: second }),
        ],
        rule("unplaced", { ipPolicyId: unknown }),
      ],
      ["far"],
    );
    const found = [...policiesOf(inventory).values()];
    expect(found.map(({ key, name, allowed }) => [key, name, allowed.cidrs()])).toEqual([
      [urnOf("IpPolicy", "a"), "a", []],
      [`ipp_x of url ${elsewhere}`, "ipp_x", [second]],
      ["ipp_x of url https://api.example.com/v1", "ipp_x", [first]],
    ]);
  });

  it("are others with other entries, and the possible ones stay", () => {
    const inventory = inventoryOf([keptPolicy("a"), rule("r", {}), rule("s", { cidr: unknown })]);
    const [a] = [...policiesOf(inventory).values()];
    const without = withRanges(a!, []);
    expect([without.name, without.entries, without.allowed.cidrs()]).toEqual(["a", [], []]);
    expect(without.possible.map(({ from }) => from.name)).toEqual(["s"]);
  });

  it("may be those of a rule whose policy is not known, which is none of its own", () => {
    const inventory = inventoryOf([keptPolicy("a"), rule("r", { ipPolicyId: unknown })]);
    const [a] = [...policiesOf(inventory).values()];
    expect([a!.entries, a!.possible.map(({ from }) => from.name), a!.unknown]).toEqual([[], ["r"], []]);
  });

  it("are listed apart for rules and sets without a known policy, the unknown ones among them", () => {
    const inventory = inventoryOf([
      ...[keptPolicy("a"), rule("placed", {}), rule("r", { ipPolicyId: unknown })],
      rule("s", { ipPolicyId: unknown, cidr: unknown }),
      ...[rule("nowhere", { ipPolicyId: undefined }), edge({ ipPolicyIds: unknown })],
    ]);
    const found = unplacedRanges(inventory).map((each) => [
      ...[each.key, each.name, each.policy, each.allowed.cidrs()],
      ...[each.entries.length, each.possible.length],
    ]);
    expect(found).toEqual([
      [urnOf("IpPolicyRule", "r"), "r", undefined, [first], 1, 0],
      [urnOf("IpPolicyRule", "s"), "s", undefined, [], 0, 1],
    ]);
  });

  it("are none for a policy that the inventory does not know", () => {
    const outside = policyIn(inventoryOf([keptPolicy("a"), rule("r", {})]), { key: "ipp_x", name: "x" });
    expect([outside.key, outside.name, outside.policy]).toEqual(["ipp_x", "x", undefined]);
    expect([outside.entries, outside.possible, outside.unknown]).toEqual([[], [], []]);
  });
});

describe("a place", () => {
  const flat = ({ on, gates, access: { isRestricted, policies, beside } }: Place) => ({
    ...{ on, gates, isRestricted, policies, ...beside },
  });
  const placeOf = (restriction: unknown, ...others: Written[]) => {
    const inventory = inventoryOf([keptPolicy("b"), keptPolicy("a"), ...others, edge(restriction)]);
    return flat(placesIn(inventory).find(({ on }) => on.name === "db")!);
  };
  const names = (policies: readonly { readonly name: string }[]): string[] =>
    policies.map(({ name }) => name);

  it("has its policies once each, in an order that does not depend on the program", () => {
    const { policies, candidates, gone, hasUnknownPolicy, isRestricted, on, gates } = placeOf({
      ipPolicyIds: ["ipp_b", "ipp_x", "ipp_a", "ipp_b"],
    });
    expect(names(policies)).toEqual(["ipp_x", "a", "b"]);
    expect([candidates, gone, hasUnknownPolicy, isRestricted]).toEqual([[], [], false, true]);
    expect([placeKey(on), gates.map(({ by }) => by)]).toEqual([
      urnOf("TcpEdge", "db"),
      ["address", "trafficPolicy"],
    ]);
  });

  it("names the ids of policies that are deleted", () => {
    const deleted = { ...keptPolicy("x"), after: undefined };
    const { policies, gone } = placeOf({ ipPolicyIds: ["ipp_x", "ipp_y", "ipp_a", unknown] }, deleted);
    expect([names(policies), gone]).toEqual([["ipp_y", "a"], ["ipp_x"]]);
  });

  it("has the policies that may decide too where an id is not known", () => {
    const known = edge({ ipPolicyIds: ["ipp_a", unknown] });
    const from = {
      ipRestriction: [urnOf("IpPolicy", "b"), urnOf("IpPolicy", "a"), urnOf("IpPolicy", "new")],
    };
    const created: Written = { type: "IpPolicy", name: "new", after: {} };
    const [place] = placesIn(
      inventoryOf([keptPolicy("a"), keptPolicy("b"), created, edge(null, "other"), { ...known, from }]),
    ).map(flat);
    expect([names(place!.policies), names(place!.candidates)]).toEqual([["a"], ["b", "new"]]);
    expect([place!.hasUnknownPolicy, place!.isRestricted]).toEqual([true, true]);
  });

  it("may be restricted or not where the list of its policies is not known", () => {
    expect(placeOf({ ipPolicyIds: unknown })).toMatchObject({
      isRestricted: "unknown",
      hasUnknownPolicy: true,
    });
    expect(placeOf({ ipPolicyIds: [unknown] })).toMatchObject({ isRestricted: true, hasUnknownPolicy: true });
    expect(placeOf({ enabled: unknown, ipPolicyIds: ["ipp_a"] })).toMatchObject({ isRestricted: "unknown" });
    expect(placeOf({ enabled: false, ipPolicyIds: ["ipp_a"] })).toMatchObject({
      ...{ isRestricted: false, policies: [], candidates: [], gone: [], hasUnknownPolicy: false },
    });
  });

  it("is held against what guards the same place before, if IP policies guard it, whatever a module is called", () => {
    const module = (name: string): Written => {
      const inputs = { edgeId: "edgtls_1", ipPolicyIds: ["ipp_a"] };
      return { type: "TlsEdgeIpRestriction", name, id: "edgtls_1", before: inputs, after: inputs };
    };
    const endpoint: Written = { type: "CloudEndpoint", name: "site", after: { trafficPolicy: "{}" } };
    const pairs = (...names: string[]) =>
      placePairs(
        inventoryOf([edge(null, "old"), module("tls"), endpoint]),
        inventoryOf([edge(), ...names.map(module), endpoint]),
      ).map(({ old, next }) => [old, next].map((place) => place?.on.name));
    expect(pairs("renamed")).toEqual([
      [undefined, "db"],
      ["tls", "renamed"],
      ["old", undefined],
    ]);
    // Of two modules each is held against itself, or against whatever guards now.
    expect(pairs("second", "tls").slice(1, 3)).toEqual([
      ["tls", "second"],
      ["tls", "tls"],
    ]);
    const two = inventoryOf([module("tls"), module("second")]);
    const names = placePairs(two, inventoryOf([module("second"), module("third"), module("tls")])).map(
      ({ old, next }) => [old, next].map((place) => place!.on.name),
    );
    expect(names).toEqual([
      ["second", "second"],
      ["second", "third"],
      ["tls", "third"],
      ["tls", "tls"],
    ]);
  });

  it("is not guarded by what has no gates", () => {
    expect(placesIn(inventoryOf([keptPolicy("a"), rule("r", {})]))).toEqual([]);
  });
});
