import { unknownSemantics } from "../../../src/tools/access/semantics";
import { unknown } from "../../../src/schema/unknown";
import { previewOf } from "./access-preview";
import { rehearsedReview, reviewText } from "./support";

const now = Date.parse("2030-06-01T12:00:00Z");
type Rules = Record<string, unknown>;

const network = (rules: Rules): Parameters<typeof previewOf>[0] => ({
  ...{ policies: ["office"], rules: [], edges: { db: ["office"] } },
  sets: { office: rules as Record<string, "allow"> },
});

function messages(before: Rules, after: Rules, rule: string): string[] {
  const { findings } = reviewText(previewOf(network(before), network(after)), { now });
  return findings
    .filter((finding) => finding.rule === rule)
    .map(({ severity, message }) => `${severity}: ${message}`);
}

const findings = (before: Rules, after: Rules): string[] => messages(before, after, "access/ends");

const until = (time: string): unknown => ({ action: "allow", until: time });
const always = { "203.0.113.0/24": "allow" };

describe("access that ends", () => {
  it("is named in the week before its end, and not before that", () => {
    const rules = {
      ...always,
      "198.51.100.7": until("2030-06-08T12:00:00Z"),
      "198.51.100.8": until("2030-06-08T12:00:01Z"),
      "198.51.100.9": until("2030-06-01T14:00:01+02:00"),
    };
    expect(findings(rules, rules)).toEqual([
      "note: rules end within 7 days: 198.51.100.9 (2030-06-01T12:00:01Z), 198.51.100.7 (2030-06-08T12:00:00Z)",
    ]);
  });

  it("is named when the deployment removes it, and as a warning when it still stands", () => {
    const rules = { ...always, "198.51.100.7": until("2030-06-01T12:00:00Z") };
    expect(findings(rules, always)).toEqual([
      "note: rules have ended, so the deployment removes them: 198.51.100.7 (2030-06-01T12:00:00Z)",
    ]);
    expect(findings(rules, rules)).toEqual([
      "warning: rules have ended and still stand: 198.51.100.7 (2030-06-01T12:00:00Z)",
    ]);
  });

  it("is not named where a preview has found the rule gone, so that the deployment changes nothing", () => {
    const rules = { ...always, "198.51.100.7": until("2030-06-01T12:00:00Z") };
    const preview = JSON.parse(previewOf(network(rules), network(always))) as { steps: { op: string }[] };
    const steps = preview.steps.map((step) => ({ ...step, op: "same" }));
    const { findings: found } = reviewText(JSON.stringify({ ...preview, steps }), { now });
    expect(found.map(({ rule }) => rule)).not.toContain("access/ends");
  });

  it("is counted when there is much of it", () => {
    const many = Object.fromEntries(
      Array.from({ length: 8 }, (_, i) => [`198.51.100.${i}`, until("2030-06-02T00:00:00Z")]),
    );
    expect(findings(always, { ...always, ...many })[0]).toMatch(/198\.51\.100\.4 \([^)]*\) and 3 more$/);
  });
});

describe("access that was to end", () => {
  const range = "198.51.100.7/32";
  const [soon, later] = ["2030-06-08T12:00:00Z", "2099-01-01T00:00:00Z"];
  const deny = (end?: string): unknown => (end === undefined ? "deny" : { action: "deny", until: end });
  const guest = (end?: string): Rules => ({ ...always, [range]: end === undefined ? "allow" : until(end) });
  const wider = (before: Rules, after: Rules): string[] =>
    messages(before, after, "access/allowed-for-longer");
  const by = 'by IpPolicy "office" (IpPolicyRuleSet "set-office" updated)';

  it.each<[string, Rules, string]>([
    ["removed", guest(), "without an end"],
    ["moved to a later time", guest(later), `until ${later}`],
    ["not known yet", { ...always, [range]: { action: "allow", until: unknown } }, "without an end"],
    [
      "that of a range in a larger one that does not end",
      { ...always, "198.51.100.6/31": "allow", [range]: until(soon) },
      "without an end",
    ],
  ])("is an error when its end is %s", (_, after, end) => {
    expect(wider(guest(soon), after)).toEqual([
      `error: ${range} (1 address) is allowed for longer, ${end} ${by}`,
    ]);
  });

  it("is an error when a range that is denied ends, or ends earlier", () => {
    const message = `error: ${range} (1 address) is denied for a shorter time ${by}`;
    expect(wider({ ...always, [range]: deny() }, { ...always, [range]: deny(later) })).toEqual([message]);
    expect(wider({ ...always, [range]: deny(later) }, { ...always, [range]: deny(soon) })).toEqual([message]);
  });

  it("is due to the rule that ends, and not to the one whose place it takes", () => {
    const [before, after] = [network(always), network({ ...always, [range]: deny(later) })];
    const old = { name: "old", policy: "office", action: "deny", cidr: range } as const;
    const { findings: found } = reviewText(previewOf({ ...before, rules: [old] }, after), { now });
    expect(
      found.flatMap((each) => (each.rule === "access/allowed-for-longer" ? [each.message] : [])),
    ).toEqual([`${range} (1 address) is denied for a shorter time ${by}`]);
  });

  const wide = { "198.51.100.0/24": "allow" };
  const halves = { "198.51.100.6/31": until(soon) };
  it.each<[string, Rules, Rules]>([
    ["spelled in another way", guest(soon), guest("2030-06-08T14:00:00+02:00")],
    ["earlier", guest(later), guest(soon)],
    ["new", guest(), guest(soon)],
    ["removed with the rule", guest(soon), always],
    [
      "that of a range that another rule allows for good",
      { ...guest(soon), ...wide },
      { ...guest(), ...wide },
    ],
    ["that of a deny rule that now ends later", { [range]: deny(soon) }, { [range]: deny(later) }],
    ["that of a range in two halves", halves, { "198.51.100.6/32": until(soon), [range]: until(soon) }],
  ])("is no finding when its end is %s", (_, before, after) => {
    expect(wider(before, after)).toEqual([]);
  });

  it("follows the setting semantics: where every policy must allow, each of their ends counts", () => {
    const edge = (rules: Rules): Parameters<typeof previewOf>[0] => ({
      ...{ policies: ["office", "vpn"], rules: [], edges: { db: ["office", "vpn"] } },
      sets: { office: rules as Record<string, "allow">, vpn: { [range]: "allow" } },
    });
    const found = (policies: "any" | "all"): string[] => {
      const preview = previewOf(edge(guest(soon)), edge(guest()));
      const semantics = { ...unknownSemantics, unmatched: "denied", policies } as const;
      return reviewText(preview, { now, semantics }).findings.flatMap(({ rule, name, message }) =>
        rule === "access/allowed-for-longer" && name === "db" ? [message] : [],
      );
    };
    expect(found("all")).toEqual([`${range} (1 address) is allowed for longer, without an end ${by}`]);
    expect(found("any")).toEqual([]);
  });

  it("is no finding where a deny rule that wins keeps the address out", () => {
    const semantics = { ...unknownSemantics, overlap: "deny-wins" } as const;
    const rules = (end?: string): Rules => ({ ...guest(end), "198.51.100.0/24": "deny" });
    const { findings: all } = reviewText(previewOf(network(rules(soon)), network(rules())), {
      now,
      semantics,
    });
    expect(all.filter(({ rule }) => rule === "access/allowed-for-longer")).toEqual([]);
  });

  it("is shown as a change of the end alone, which sends no request", async () => {
    const preview = previewOf(network(guest(soon)), network(guest()));
    const { changes, cost } = await rehearsedReview(preview, { now });
    expect(changes).toMatchObject([
      {
        name: "set-office",
        differences: [{ path: `rules["${range}"]`, old: until(soon), next: "allow" }],
      },
    ]);
    expect(cost!.requests).toBe(0);
  });
});

describe("when the only allow rules end", () => {
  const [end, later] = ["2030-06-10T00:00:00Z", "2030-06-20T00:00:00Z"];
  const denied = (time?: string): unknown => ({ action: "deny", ...(time !== undefined && { until: time }) });
  const open = (after: Rules): string[] =>
    ["access/deny-only", "access/unguarded"].flatMap((rule) => messages(always, after, rule));

  it("and deny rules stay, everybody else may get in from then on", () => {
    const rules = { "203.0.113.0/24": until(end), "203.0.113.128/25": denied() };
    expect(open(rules)).toEqual([
      `error: its policies "office" have deny rules only from ${end} on: everybody else may get in`,
    ]);
    expect(open({ ...rules, "203.0.113.128/25": denied(later) })).toEqual([
      `error: its policies "office" have deny rules only from ${end} on: everybody else may get in`,
      `error: "office" has no rules from ${later} on, so nothing restricts who gets in`,
    ]);
    expect(open({ ...rules, "198.51.100.7": "allow" })).toEqual([]);
  });

  it("and no rule stays, nothing restricts who gets in from then on", () => {
    expect(open({ "203.0.113.0/24": until(end), "198.51.100.7": until(later) })).toEqual([
      `error: "office" has no rules from ${later} on, so nothing restricts who gets in`,
    ]);
    expect(open({ "203.0.113.0/24": until(end), "203.0.113.128/25": denied(end) })).toEqual([
      `error: "office" has no rules from ${end} on, so nothing restricts who gets in`,
    ]);
  });

  it("is no finding where the team knows that an empty policy lets nobody in", () => {
    const rules = { "203.0.113.0/24": until(end) };
    const { findings: found } = reviewText(previewOf(network(always), network(rules)), {
      ...{ now, semantics: { ...unknownSemantics, empty: "closed" } },
    });
    expect(found.filter(({ rule }) => rule === "access/unguarded")).toEqual([]);
  });
});

it("a new edge allows what its deny rules deny only for a time", () => {
  const rules = { "11.0.0.0/8": "allow", "11.0.0.0/9": "deny" };
  const end = { action: "deny", until: "2030-06-10T00:00:00Z" };
  const found = (after: Rules): string[] => {
    const none = { ...network({}), policies: [], sets: {}, edges: {} };
    const semantics = { ...unknownSemantics, overlap: "deny-wins" } as const;
    const errorFrom = { 4: 1n << 24n };
    const { findings: all } = reviewText(previewOf(none, network(after)), { now, semantics, errorFrom });
    return all.filter(({ rule }) => rule === "access/newly-allowed").map(({ message }) => message);
  };
  expect(found(rules)).toEqual([]);
  expect(found({ ...rules, "11.0.0.0/9": end })).toEqual([
    "it is new and allows 11.0.0.0/8 (16,777,216 addresses), some of it once deny rules have ended",
  ]);
});
