/** What follows from the answers of a team to what the specification leaves open. */
import { accessAnswer } from "../../../src/tools/access/access-answer";
import { semanticsNames, semanticsValues, unknownSemantics } from "../../../src/tools/access/semantics";
import type { Semantics } from "../../../src/tools/access/semantics";
import { accessTestFailures } from "../../../src/tools/access/access-tests";
import type { AccessTest } from "../../../src/tools/access/access-tests";
import { AddressSet } from "../../../src/schema/addresses/address-set";
import { blockOf } from "../../../src/schema/addresses/block";
import { clientChanges } from "../../../src/tools/review/client-changes";
import { ClientLog } from "../../../src/tools/access/client-log";
import { readConfig } from "../../../src/tools/review/config-file";
import { accessTests } from "../../../src/tools/policy";
import { readPreview } from "../../../src/tools/inventory/read-preview";
import { formats } from "../review/formats";
import { reviewText, writtenPreview, type Written } from "../review/support";

type Rules = Readonly<Record<string, "allow" | "deny">>;

/** An edge with these policies: `database`, with one rule set for each policy with rules. */
function edgeWith(before: readonly Rules[] | undefined, after: readonly Rules[]): Written[] {
  const all = Array.from({ length: Math.max(before?.length ?? 0, after.length) }, (_, i) => i);
  const ids = (policies: readonly Rules[] | undefined): object | undefined =>
    policies && { ipRestriction: { ipPolicyIds: policies.map((_, i) => `ipp_${i}`) } };
  const set = (i: number, rules: Rules | undefined): object | undefined =>
    rules && Object.keys(rules).length > 0 ? { ipPolicyId: `ipp_${i}`, rules } : undefined;
  return [
    ...all.map((i): Written => ({ type: "IpPolicy", name: `p${i}`, id: `ipp_${i}`, before: {}, after: {} })),
    ...all.map((i) => ({
      ...{ type: "IpPolicyRuleSet", name: `s${i}`, id: `ipp_${i}` },
      ...{ before: set(i, before?.[i]), after: set(i, after[i]) },
    })),
    { type: "TcpEdge", name: "database", before: ids(before), after: ids(after) },
  ].filter(({ before: old, after: next }) => old !== undefined || next !== undefined) as Written[];
}

const previewOf = (resources: readonly Written[]) => readPreview(writtenPreview(resources));

function verdictOf(policies: readonly Rules[], address: string, given: Partial<Semantics>): string {
  const { after } = previewOf(edgeWith(policies, policies));
  const asked = AddressSet.ofBlocks([blockOf(address)!]);
  const { resources } = accessAnswer(after, asked, { ...unknownSemantics, ...given });
  return resources[0]!.pieces.map(({ verdict }) => verdict).join();
}

const office = { "203.0.113.0/24": "allow", "203.0.113.128/25": "deny" } as const;
const vpn = { "198.51.100.0/24": "allow" } as const;
const abuse = { "198.51.100.128/25": "deny" } as const;
const guest = "203.0.113.200";
const other = "192.0.2.1";

describe("a verdict", () => {
  it.each<[string, readonly Rules[], string, Partial<Semantics>, string]>([
    ["an overlap, where nothing is known", [office], guest, {}, "undecided"],
    ["an overlap, where deny wins", [office], guest, { overlap: "deny-wins" }, "denied"],
    ["an overlap, where allow wins", [office], guest, { overlap: "allow-wins" }, "allowed"],
    ["a range without overlap", [office], "203.0.113.7", { overlap: "deny-wins" }, "allowed"],
    ["an address without a rule, where nothing is known", [office], other, {}, "unmatched"],
    ["an address without a rule, denied", [office], other, { unmatched: "denied" }, "denied"],
    ["an address without a rule, allowed", [office], other, { unmatched: "allowed" }, "allowed"],
    ["an overlap, where only the unmatched are known", [office], guest, { unmatched: "denied" }, "undecided"],
    ["a policy with zero rules, where nothing is known", [{}], other, {}, "unmatched"],
    [
      "a policy with zero rules, where only the unmatched are known",
      [{}],
      other,
      { unmatched: "denied" },
      "unmatched",
    ],
    ["an open policy with zero rules", [{}], other, { empty: "open", unmatched: "denied" }, "allowed"],
    ["a closed policy with zero rules", [{}], other, { empty: "closed", unmatched: "allowed" }, "denied"],
    ["two policies that differ, where nothing is known", [vpn, abuse], "198.51.100.200", {}, "undecided"],
    // The order of rules is that within a policy.
    [
      "two policies that differ, where deny wins",
      [vpn, abuse],
      "198.51.100.200",
      { overlap: "deny-wins" },
      "undecided",
    ],
    [
      "two policies that differ, of which any is enough",
      [vpn, abuse],
      "198.51.100.200",
      { policies: "any" },
      "allowed",
    ],
    [
      "two policies that differ, of which all must",
      [vpn, abuse],
      "198.51.100.200",
      { policies: "all" },
      "denied",
    ],
    ["one policy of two, the other without a rule", [office, vpn], "198.51.100.7", {}, "allowed"],
    [
      "one policy of two, the other denies the unmatched",
      [office, vpn],
      "198.51.100.7",
      { unmatched: "denied" },
      "undecided",
    ],
    [
      "one policy of two, any is enough",
      [office, vpn],
      "198.51.100.7",
      { unmatched: "denied", policies: "any" },
      "allowed",
    ],
    [
      "one policy of two, all must",
      [office, vpn],
      "198.51.100.7",
      { unmatched: "denied", policies: "all" },
      "denied",
    ],
    [
      "an open policy beside another one",
      [office, {}],
      other,
      { empty: "open", unmatched: "denied" },
      "undecided",
    ],
    [
      "an open policy beside another one, any is enough",
      [office, {}],
      other,
      { empty: "open", unmatched: "denied", policies: "any" },
      "allowed",
    ],
    [
      "an overlap in one, allowed in the other, any",
      [office, { [guest]: "allow" }],
      guest,
      { policies: "any" },
      "allowed",
    ],
    [
      "an overlap in one, allowed in the other, all",
      [office, { [guest]: "allow" }],
      guest,
      { policies: "all" },
      "undecided",
    ],
  ])("about %s", (_, policies, address, given, verdict) => {
    expect(verdictOf(policies, address, given)).toBe(verdict);
  });
});

describe("an access test", () => {
  const failing = (
    test: Omit<AccessTest, "resource">,
    given: Partial<Semantics>,
    ...policies: Rules[]
  ): string[] => {
    const { after } = previewOf(edgeWith(policies, policies));
    const tests = [{ resource: "TcpEdge database", ...test }];
    return accessTestFailures(after, tests, { ...unknownSemantics, ...given }).map(({ message }) => message);
  };

  it("states that guests inside an allowed range are denied", () => {
    const guests = { denied: ["203.0.113.128/25"] };
    expect(failing(guests, { overlap: "deny-wins" }, office)).toEqual([]);
    expect(failing(guests, {}, office)).toEqual([
      expect.stringContaining("must be denied: allow and deny rules cover it"),
    ]);
    expect(failing(guests, { overlap: "allow-wins" }, office)).toHaveLength(1);
  });

  it("says that the setting decides where no rule does", () => {
    expect(failing({ denied: [other] }, { unmatched: "denied" }, office)).toEqual([]);
    expect(failing({ denied: [other] }, {}, office)).toEqual([expect.stringContaining("no rule covers it")]);
    expect(failing({ notAllowed: [other] }, { unmatched: "allowed" }, office)).toEqual([
      expect.stringContaining("no rule covers it, and it is allowed by the setting semantics"),
    ]);
    expect(failing({ allowed: [other] }, { unmatched: "denied" }, office)).toEqual([
      expect.stringContaining("no rule covers it, and it is denied by the setting semantics"),
    ]);
  });

  it("of what is not allowed fails beside a policy without an allow rule, unless all policies must allow", () => {
    for (const beside of [{}, abuse]) {
      expect(failing({ notAllowed: [other] }, {}, vpn, beside)).toHaveLength(1);
      expect(failing({ notAllowed: [other] }, { policies: "any" }, vpn, beside)).toHaveLength(1);
      expect(failing({ notAllowed: [other] }, { policies: "all" }, vpn, beside)).toEqual([]);
    }
  });

  it("of a policy pack takes the setting, names it, and refuses a wrong one", () => {
    const tests = [{ resource: "TcpEdge database", denied: [guest] }];
    expect(accessTests(tests, { overlap: "deny-wins" }).description).toContain("overlap is deny-wins");
    expect(accessTests(tests).description).toBe("The access tests must hold.");
    expect(() => accessTests(tests, { overlap: "first" } as never)).toThrow(
      "semantics.overlap must be one of",
    );
  });
});

describe("a review", () => {
  const reviewed = (
    before: readonly Rules[],
    after: readonly Rules[],
    given: Partial<Semantics>,
  ): string[] => {
    const made = reviewText(writtenPreview(edgeWith(before, after)), {
      semantics: { ...unknownSemantics, ...given },
    });
    const { differences } = made.access!.guarded[0]!;
    return differences.map(({ kind, cidrs, causes }) => {
      const by = causes.map(({ rule, policy, change }) => `${rule?.name ?? policy.name} ${change}`).join();
      return `${kind} ${cidrs.join()} by ${by}`;
    });
  };
  const wide = { "203.0.113.0/24": "allow" } as const;

  it.each<[string, readonly Rules[], readonly Rules[], Partial<Semantics>, string[]]>([
    [
      "a deny rule that goes, by default",
      [office],
      [wide],
      {},
      ["no longer denied 203.0.113.128/25 by s0 update"],
    ],
    [
      "a deny rule that goes, where deny wins",
      ...([[office], [wide]] as const),
      { overlap: "deny-wins", unmatched: "denied" },
      ["newly allowed 203.0.113.128/25 by s0 update"],
    ],
    ["a deny rule that goes, where allow wins", [office], [wide], { overlap: "allow-wins" }, []],
    [
      "a new range, once where the unmatched are denied",
      ...([[vpn], [{ ...vpn, ...wide }]] as const),
      { unmatched: "denied" },
      ["newly allowed 203.0.113.0/24 by s0 update"],
    ],
    [
      "a new range that was allowed without a rule",
      [vpn],
      [{ ...vpn, ...wide }],
      { unmatched: "allowed" },
      [],
    ],
    [
      "a second policy with zero rules that lets everybody in",
      ...([
        [{ "0.0.0.0/1": "deny", "8000::/1": "allow" }],
        [{ "0.0.0.0/1": "deny", "8000::/1": "allow" }, {}],
      ] as const),
      { empty: "open", unmatched: "denied", policies: "any" },
      ["newly allowed 0.0.0.0/0,::/1 by "],
    ],
  ])("of %s", (_, before, after, given, said) => {
    expect(reviewed(before, after, given)).toEqual(said);
  });

  it.each(formats)("names the setting in its output as %s, where it is not the default", (_, output) => {
    const text = writtenPreview(edgeWith([vpn], [office]));
    const given = { ...unknownSemantics, overlap: "deny-wins" as const };
    expect(output(reviewText(text, { semantics: given }))).toContain("deny-wins");
    expect(output(reviewText(text, { semantics: unknownSemantics }))).not.toMatch(/semantics|deny-wins/);
  });

  it("counts the clients that the setting decides about", () => {
    const log = new ClientLog();
    log.push(Buffer.from(`${guest}\n`));
    log.end();
    const preview = previewOf(edgeWith([office], [wide]));
    const counts = (given: Partial<Semantics>): unknown =>
      clientChanges(preview, log, undefined, { ...unknownSemantics, ...given })[0]?.counts.gaining.clients;
    expect(counts({ overlap: "deny-wins" })).toBe(1);
    expect(counts({ overlap: "allow-wins" })).toBeUndefined();
    // It may get in before.
    expect(counts({})).toBe(1);
  });
});

describe("the setting", () => {
  const read = (semantics: unknown): unknown => readConfig(JSON.stringify({ semantics })).semantics;

  it("has each of its values", () => {
    for (const name of semanticsNames)
      for (const value of semanticsValues[name]) expect(read({ [name]: value })).toEqual({ [name]: value });
  });

  it.each<[unknown, string]>([
    ["deny-wins", "semantics must be {overlap, unmatched, empty, policies}"],
    [
      { order: "deny-wins" },
      "semantics.order is not known: semantics may have overlap, unmatched, empty, policies",
    ],
    [{ overlap: "deny" }, "semantics.overlap must be one of unknown, deny-wins, allow-wins"],
    [{ unmatched: null }, "semantics.unmatched must be one of unknown, denied, allowed"],
  ])("is refused as %j", (given, message) => {
    expect(() => read(given)).toThrow(message);
  });
});
