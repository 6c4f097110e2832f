import * as pulumi from "@pulumi/pulumi";
import { declarationOf } from "../../../src/resources/registry";
import { claim } from "../../../src/program/claims";

type Claim = readonly [
  type: string,
  name: string,
  args: Record<string, unknown>,
  opts?: pulumi.CustomResourceOptions,
];

const rule: Claim = ["IpPolicyRule", "rule", { ipPolicyId: "ipp_1", cidr: "10.0.0.0/8", action: "allow" }];
const set = (exclusive: unknown): Claim => [
  "IpPolicyRuleSet",
  "set",
  { ipPolicyId: "ipp_1", rules: {}, exclusive },
];

/** The resources that contradict another one. */
async function contradictions(...claims: readonly Claim[]): Promise<string[]> {
  const found: string[] = [];
  await pulumi.runtime.setMocks({
    newResource: ({ inputs }) => ({ id: "1", state: inputs as object }),
    call: () => ({}),
  });
  await pulumi.runtime.runInPulumiStack(() => {
    for (const [type, name, args, opts] of claims) {
      claim({ declaration: declarationOf(type), name, args, provider: opts?.provider }, ({ path, clause }) =>
        found.push(`${name} ${path} ${clause}`),
      );
    }
    return Promise.resolve(undefined);
  });
  // The Outputs inside of a list are known a few promises later.
  await new Promise(setImmediate);
  await pulumi.runtime.disconnect();
  return found;
}

/** An Output that a preview does not know. */
const unknownOutput = () =>
  new (pulumi.Output as unknown as new (...parts: unknown[]) => pulumi.Output<boolean>)(
    new Set(),
    Promise.resolve(false),
    Promise.resolve(false),
    Promise.resolve(false),
    Promise.resolve(new Set()),
  );

describe("an exclusive set and a rule of one policy in one program", () => {
  it.each([true, undefined, pulumi.output(true), Promise.resolve(true)])(
    "are a contradiction where exclusive is %p, whichever comes first",
    async (exclusive) => {
      expect(await contradictions(set(exclusive), rule)).toHaveLength(1);
      expect(await contradictions(rule, set(exclusive))).toHaveLength(1);
    },
  );

  it.each([false, pulumi.output(false), Promise.resolve(false)])(
    "are no contradiction where exclusive is %p",
    async (exclusive) => {
      expect(await contradictions(set(exclusive), rule)).toEqual([]);
      expect(await contradictions(rule, set(exclusive))).toEqual([]);
    },
  );

  it("are none either where it stays unknown whether the set is exclusive", async () => {
    expect(await contradictions(rule, set(unknownOutput()))).toEqual([]);
  });
});

describe("two rules of one policy with the same range in one program", () => {
  const policy = unknownOutput(); // the id of a policy that this preview creates
  const one = (name: string, cidr: unknown, ipPolicyId: unknown = "ipp_1"): Claim => [
    "IpPolicyRule",
    name,
    { ipPolicyId, cidr, action: "allow" },
  ];
  const some = (name: string, rules: unknown, ipPolicyId: unknown = "ipp_1"): Claim => [
    "IpPolicyRuleSet",
    name,
    { ipPolicyId, rules, exclusive: false },
  ];

  it.each<[string, Claim, Claim]>([
    ["with a literal id", one("a", "10.0.0.0/8"), one("b", "10.0.0.0/8")],
    ["with the same Output of a new policy", one("a", "10.0.0.0/8", policy), one("b", "10.0.0.0/8", policy)],
    [
      "with the known Output of a policy",
      one("a", "10.0.0.0/8", pulumi.output("ipp_1")),
      one("b", "10.0.0.0/8"),
    ],
    ["in two spellings of an address", one("a", "10.0.0.7"), one("b", "10.0.0.7/32")],
    ["in two spellings of IPv6", one("a", "2001:DB8:0::/48"), one("b", "2001:db8::/48")],
    ["with a known Output as range", one("a", pulumi.output("10.0.0.0/8")), one("b", "10.0.0.0/8")],
    ["as a rule beside an entry", one("a", "10.0.0.0/8"), some("b", { "10.0.0.0/8": "deny" })],
    ["as an entry beside a rule", some("a", { "10.0.0.0/8": "deny" }), one("b", "10.0.0.0/8")],
    ["in two sets", some("a", { "10.0.0.0/8": "deny" }), some("b", { "10.0.0.0/8": "allow" })],
    [
      "in two sets whose rules are known later",
      some("a", pulumi.output({ "::/0": "deny" })),
      some("b", { "0::/0": "deny" }),
    ],
    [
      "in a list, beside a range that is known later",
      some("a", [
        { cidr: unknownOutput(), action: "allow" },
        { cidr: "10.0.0.0/8", action: "allow" },
      ]),
      one("b", "10.0.0.0/8"),
    ],
    [
      "in a list, as an Output",
      one("a", "10.0.0.0/8"),
      some("b", [{ cidr: pulumi.output("10.0.0.0/8"), action: "allow" }]),
    ],
  ])("is an error: %s", async (_, first, second) => {
    const [problem, ...others] = await contradictions(first, second);
    expect(others).toEqual([]);
    expect(problem).toMatch(
      /^[ab] (cidr|rules\["[^"]*"\]) must not be that of (IpPolicyRule|IpPolicyRuleSet) "[ab]" .*too: only one IP policy rule may have this cidr and ipPolicyId/,
    );
  });

  it("names both lines of the program", async () => {
    const [problem] = await contradictions(one("a", "10.0.0.0/8"), one("b", "10.0.0.0/8"));
    const line = String.raw`test/provider/program/claimed-rules\.test\.ts:\d+`;
    expect(problem).toMatch(new RegExp(`"a" \\(${line}\\) too: .*; this one is at ${line}$`));
  });

  const partner = {} as pulumi.ProviderResource;
  it.each<[string, Claim, Claim]>([
    ["another policy", one("a", "10.0.0.0/8"), one("b", "10.0.0.0/8", "ipp_2")],
    ["another range", one("a", "10.0.0.0/8"), one("b", "10.0.0.0/9")],
    [
      "ranges of lists that are not known yet",
      some("a", [{ cidr: unknownOutput(), action: "allow" }]),
      some("b", [{ cidr: unknownOutput(), action: "allow" }]),
    ],
    [
      "ranges of a list that are known later, beside known ones",
      some("a", [
        { cidr: pulumi.output("10.1.0.0/16"), action: "allow" },
        { cidr: "10.0.0.0/8", action: "allow" },
      ]),
      one("b", "10.2.0.0/16"),
    ],
    ["IPv4 in IPv6", one("a", "::ffff:10.0.0.0/104"), one("b", "10.0.0.0/8")],
    [
      "the policy of another provider",
      one("a", "10.0.0.0/8"),
      [...one("b", "10.0.0.0/8").slice(0, 3), { provider: partner }] as unknown as Claim,
    ],
    [
      "an entry that has ended",
      one("a", "10.0.0.0/8"),
      some("b", { "10.0.0.0/8": { action: "allow", until: "2020-01-01T00:00:00Z" } }),
    ],
    ["a range that stays unknown", one("a", unknownOutput()), one("b", unknownOutput())],
  ])("is none with %s", async (_, first, second) => {
    expect(await contradictions(first, second)).toEqual([]);
  });
});
