import fc from "../../support/fast-check";
import { blockOf, type Block } from "../../../src/schema/addresses/block";
import { embeddedBlocks } from "../../../src/tools/access/embedded-ipv4";
import type { AccessDifference, AccessItem } from "../../../src/tools/review/access/access-report";
import { terminal } from "../../../src/tools/review/output/forms";
import type { Review } from "../../../src/tools/review/review";
import { blocksOf, edges, holds, range } from "../access/support";
import { previewOf, type Network, type PreviewRule } from "./access-preview";
import { unknown } from "../../../src/schema/unknown";
import { rehearsedReview, reviewText, saidOf } from "./support";
import { cases } from "../../support/cases";

const names = ["office", "vpn", "partners"];
const cidr = fc.oneof(
  { weight: 12, arbitrary: range },
  { weight: 1, arbitrary: fc.constantFrom("0.0.0.0/0", "::/0") },
);
const action = fc.constantFrom("allow" as const, "deny" as const);
const rule = fc.record({
  name: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  policy: fc.constantFrom(...names),
  action,
  cidr,
});
const policies = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 });

/** Random networks of the same policies, with rules, sets and edges that change. */
const network: fc.Arbitrary<Network> = fc.record({
  policies: fc.constant(names),
  rules: fc.uniqueArray(rule, { maxLength: 6, selector: ({ name }) => name }),
  sets: fc.dictionary(fc.constantFrom("office", "vpn"), fc.dictionary(cidr, action, { maxKeys: 4 })),
  edges: fc.record({ database: policies, shop: policies }),
});

/** The naive model: the ranges of some policies with an action. */
function blocks({ rules, sets = {} }: Network, of: readonly string[], wanted: "allow" | "deny"): Block[] {
  const single = rules
    .filter(({ policy, action }) => of.includes(policy) && action === wanted)
    .map(({ cidr }) => cidr);
  const inSets = of.flatMap((policy) =>
    Object.entries(sets[policy] ?? {}).flatMap(([cidr, action]) => (action === wanted ? [cidr] : [])),
  );
  const own = blocksOf([...single, ...inSets]);
  return wanted === "allow" ? [...own, ...own.flatMap(embeddedBlocks)] : own;
}

const kinds = [
  ["newly allowed", "allow", true],
  ["no longer allowed", "allow", false],
  ["newly denied", "deny", true],
  ["no longer denied", "deny", false],
] as const;

function reported(items: readonly AccessItem[], name: string, kind: AccessDifference["kind"]): Block[] {
  const found = items.filter((item) => item.name === name).flatMap(({ differences }) => differences);
  return blocksOf(found.filter((difference) => difference.kind === kind).flatMap(({ cidrs }) => cidrs));
}

const textOf = (made: Review): string[] =>
  made.findings.map(({ severity, rule, name, message }) => `${severity} ${rule} ${name}: ${message}`);

/** A set has the id of its policy, and a service knows an id by its prefix. */
const withPolicyIds = (text: string): string => text.replaceAll(/id_(set-)?office/g, "ipp_office");

describe("the access part of a review", () => {
  it("reports exactly the addresses that a naive check finds, on edges and policies", () => {
    fc.assert(
      fc.property(network, network, (before, after) => {
        const { access } = reviewText(previewOf(before, after));
        const wrong: unknown[] = [];
        for (const [kind, action, isNew] of kinds) {
          /** Compares the reported ranges with the naive difference, at every address where they could be wrong. */
          const compare = (
            name: string,
            items: readonly AccessItem[],
            old: readonly string[],
            next: readonly string[],
            shown: readonly Block[] = [],
          ): Block[] => {
            const difference = reported(items, name, kind);
            const [from, to] = [blocks(before, old, action), blocks(after, next, action)];
            const [present, absent] = isNew ? [to, from] : [from, to];
            for (const address of edges([...from, ...to, ...shown, ...difference])) {
              const isExpected = holds(present, address) && !holds(absent, address) && !holds(shown, address);
              if (holds(difference, address) !== isExpected) wrong.push({ kind, name, address, isExpected });
            }
            return difference;
          };
          const onEdges = new Map(
            Object.keys(before.edges).map((name) => {
              const [old, next] = [before.edges[name]!, after.edges[name]!];
              // An edge without policies is not restricted, before or after.
              if (old.length > 0 && next.length > 0) return [name, compare(name, access!.guarded, old, next)];
              expect(reported(access!.guarded, name, kind)).toEqual([]);
              return [name, []];
            }),
          );
          for (const name of names) {
            const isUser = (edge: string): boolean =>
              [before, after].some((each) => each.edges[edge]!.includes(name));
            const shown = [...onEdges].flatMap(([edge, difference]) => (isUser(edge) ? difference : []));
            compare(name, access!.policies, [name], [name], shown);
          }
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: cases(40, 300) },
    );
  });

  it("is quiet where only names, spellings, order and the way of declaring the ranges change", () => {
    fc.assert(
      fc.property(network, fc.boolean(), (before, asSets) => {
        const parts = (cidr: string): string[] => {
          const { family, first, last } = blockOf(cidr)!;
          if (first === last || family === 6) return [cidr];
          const [address, prefix] = cidr.split("/") as [string, string];
          const half = first + (last - first + 1n) / 2n;
          const upper = [24n, 16n, 8n, 0n].map((shift) => (half >> shift) & 255n).join(".");
          return [`${address}/${Number(prefix) + 1}`, `${upper}/${Number(prefix) + 1}`];
        };
        const rules = before.rules.flatMap((each) =>
          parts(each.cidr).map((cidr, i): PreviewRule => ({ ...each, name: `${each.name}${i}`, cidr })),
        );
        const inSets = Object.entries(before.sets ?? {}).flatMap(([policy, set]) =>
          Object.entries(set).map(([cidr, action], i): PreviewRule => ({
            name: `${policy}${i}`,
            policy,
            action,
            cidr: cidr.toUpperCase(),
          })),
        );
        const after = asSets
          ? { ...before, rules: [...rules, ...inSets].reverse(), sets: {} }
          : { ...before, rules: rules.reverse() };
        const { access, findings } = reviewText(previewOf(before, after));
        expect(access!.policies).toEqual([]);
        expect(access!.guarded.flatMap(({ differences }) => differences)).toEqual([]);
        expect(
          findings.filter(
            ({ rule }) => rule.endsWith("allowed") || rule.endsWith("lost") || rule.endsWith("denied"),
          ),
        ).toEqual([]);
      }),
      { numRuns: cases(40, 300) },
    );
  });

  const guard = { ipRestriction: { ipPolicyIds: ["ipp_office"] } };
  const guarded = { before: guard, after: guard };
  const office: Network = {
    policies: ["office"],
    rules: [{ name: "lan", policy: "office", action: "allow", cidr: "203.0.113.0/24" }],
    edges: { database: ["office"] },
  };
  const allowed = (...cidrs: string[]): Network => ({
    ...office,
    rules: [
      ...office.rules,
      ...cidrs.map((cidr, i): PreviewRule => ({ name: `r${i}`, policy: "office", action: "allow", cidr })),
    ],
  });

  it("is an error from a configurable number of addresses on, per family", () => {
    const severity = (cidr: string, errorFrom = {}): string =>
      reviewText(previewOf(office, allowed(cidr)), { errorFrom }).findings.find(
        ({ rule }) => rule === "access/newly-allowed",
      )!.severity;
    expect([severity("10.0.0.0/16"), severity("10.0.0.0/17")]).toEqual(["error", "warning"]);
    expect([severity("2001:db8::/32"), severity("2001:db8::/33")]).toEqual(["error", "warning"]);
    expect([severity("10.0.0.0/24", { 4: 256n }), severity("10.0.0.0/24", { 4: 257n })]).toEqual([
      "error",
      "warning",
    ]);
  });

  it("is an error when the last missing addresses of a family become allowed", () => {
    const allBut = allowed(
      "0.0.0.0/1",
      "128.0.0.0/2",
      "192.0.0.0/3",
      "224.0.0.0/4",
      "240.0.0.0/5",
      "248.0.0.0/6",
      "252.0.0.0/7",
      "254.0.0.0/8",
    );
    const found = textOf(
      reviewText(
        previewOf(allBut, {
          ...allBut,
          rules: [...allBut.rules, { name: "rest", policy: "office", action: "allow", cidr: "255.0.0.0/8" }],
        }),
      ),
    );
    expect(found).toContain(
      'error access/newly-allowed database: 255.0.0.0/8 (16,777,216 addresses) is newly allowed by IpPolicy "office" (IpPolicyRule "rest" created); with what was allowed before, its policies now allow every IPv4 address',
    );
    expect(found).toContain("error access/open-cidr office: its rules together allow every IPv4 address");
  });

  it("finds the ranges of a rule set, and the place of the rule that causes a difference", async () => {
    const before: Network = { ...office, rules: [], sets: { office: { "203.0.113.0/24": "allow" } } };
    const after: Network = {
      ...before,
      sets: { office: { "203.0.112.0/23": "allow", "198.51.100.7/32": "deny" } },
    };
    const text = previewOf(before, after).replaceAll(
      '"newState":{"id":"id_set-office"',
      '$&,"sourcePosition":"project:///gateway/rules.ts#7,3"',
    );
    const made = await rehearsedReview(withPolicyIds(text));
    expect(textOf(made)).toEqual([
      'warning access/newly-allowed database: 203.0.112.0/24 (256 addresses) is newly allowed by IpPolicy "office" (IpPolicyRuleSet "set-office" updated)',
      'warning interruption/access-lost database: 198.51.100.7/32 (1 address) is newly denied by IpPolicy "office" (IpPolicyRuleSet "set-office" updated)',
    ]);
    expect(made.findings.map(({ place }) => place)).toEqual(
      Array(2).fill({ file: "gateway/rules.ts", line: 7 }),
    );
    expect(made.cost!.requests).toBe(4); // a list, two creates and a delete
    expect(terminal(made)).toContain("; 4 requests (1 GET, 2 POST, 1 DELETE) to the service");
  });

  it("names the ranges of a rule set whose action changes, and counts their two requests", async () => {
    const before: Network = {
      ...office,
      rules: [],
      sets: { office: { "203.0.113.0/24": "allow", "10.0.0.0/24": "deny" } },
    };
    const after = {
      ...before,
      sets: { office: { "203.0.113.0/24": "deny", "10.0.0.0/24": "deny" } },
    } as const;
    const made = await rehearsedReview(withPolicyIds(previewOf(before, after)));
    const found = made.findings.find(({ rule }) => rule === "interruption/delete-first")!;
    expect(found.message).toContain("203.0.113.0/24 changes from allow to deny");
    expect(made.cost!.requests).toBe(3);
  });

  it("does not say that ranges are gone whose new value is not known", () => {
    const text = previewOf(office, allowed())
      .replace(
        /("newState":\{[^{]*"inputs":\{"action":"allow","cidr":)"203.0.113.0\/24"/,
        '$1"04da6b54-80e4-46f7-96ec-b56ff0331ba9"',
      )
      .replace(/"op":"same"(,"urn":"[^"]*IpPolicyRule::lan")/, '"op":"update"$1');
    expect(textOf(reviewText(text))).toEqual([
      "error access/unknown-ranges lan: its range or action is known only after the deployment",
    ]);
  });

  it("says which ranges it does not know: of a rule whose policy, range or action is known only later, or all of them", () => {
    const inputs = { ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" };
    const saidAbout = (more: object): string[] =>
      saidOf([
        { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: {} },
        { type: "IpPolicyRule", name: "lan", before: inputs, after: inputs },
        { type: "IpPolicyRule", name: "new", after: { ...inputs, ...more } },
        { type: "TcpEdge", name: "database", ...guarded },
      ]);
    const [range, policy] = ["its range or action is known", "its policy is known"].map(
      (what) => `error access/unknown-ranges IpPolicyRule new: ${what} only after the deployment`,
    );
    expect(saidAbout({ cidr: unknown })).toEqual([range]);
    expect(saidAbout({ action: unknown })).toEqual([range]);
    expect(saidAbout({ ipPolicyId: unknown })).toEqual([policy]);
    expect(saidAbout({ ipPolicyId: unknown, cidr: unknown })).toEqual([policy]);
    expect(saidAbout({ ipPolicyId: unknown, action: unknown })).toEqual([policy]);
  });
});

describe("the size of what a deployment allows at one place", () => {
  const none: Network = { policies: ["office", "vpn"], rules: [], edges: { database: ["office", "vpn"] } };
  const rules = (...all: [policy: string, action: "allow" | "deny", cidr: string][]): PreviewRule[] =>
    all.map(([policy, action, cidr], i) => ({ name: `r${i}`, policy, action, cidr }));
  const severities = (before: Network, after: Network): string[] =>
    reviewText(previewOf(before, after))
      .findings.filter(({ rule }) => /access.(newly-allowed|deny-removed)/.test(rule))
      .map(({ severity, rule, name }) => `${severity} ${rule} ${name}`);

  it.each<[string, PreviewRule[]]>([
    ["several rules", rules(["office", "allow", "10.0.0.0/17"], ["office", "allow", "10.0.128.0/17"])],
    ["several policies", rules(["office", "allow", "10.0.0.0/17"], ["vpn", "allow", "11.0.0.0/17"])],
    ["IPv4 in IPv6", rules(["office", "allow", "10.0.0.0/17"], ["vpn", "allow", "::ffff:11.0.0.0/113"])],
  ])("is that of %s together", (_, all) => {
    const after = { ...none, rules: all };
    expect(severities(none, after)).toEqual(["error access/newly-allowed database"]);
    expect(severities(none, { ...none, rules: all.slice(1) })).toEqual([
      "warning access/newly-allowed database",
    ]);
    expect(severities({ ...none, rules: all.slice(1) }, after)).toEqual([
      "warning access/newly-allowed database",
    ]);
  });

  it("is that of what is newly allowed and of what is no longer denied together", () => {
    const before = { ...none, rules: rules(["office", "deny", "10.0.0.0/17"]) };
    expect(severities(before, { ...none, rules: rules(["office", "allow", "11.0.0.0/17"]) })).toEqual([
      "error access/deny-removed database",
      "error access/newly-allowed database",
    ]);
  });

  it("is that of a policy with what its users show", () => {
    const shared = { ...none, edges: { database: ["office", "vpn"] } };
    const known = rules(["vpn", "allow", "10.0.0.0/17"]);
    const after = {
      ...shared,
      rules: [...known, { ...rules(["office", "allow", "10.0.0.0/16"])[0]!, name: "new" }],
    };
    expect(severities({ ...shared, rules: known }, after)).toEqual([
      "error access/newly-allowed office",
      "warning access/newly-allowed database",
    ]);
  });

  it("counts at a new edge", () => {
    const of = (cidr: string): Network => ({
      ...none,
      rules: rules(["office", "allow", cidr], ["vpn", "allow", "192.0.2.0/24"]),
    });
    const without = (cidr: string): Network => ({ ...of(cidr), edges: {} });
    expect(severities(without("10.0.0.0/15"), of("10.0.0.0/15"))).toEqual([
      "error access/newly-allowed database",
    ]);
    expect(severities(without("10.0.0.0/17"), of("10.0.0.0/17"))).toEqual([]);
  });
});
