/** Approvals of previews that are written by hand: what a later preview may differ in, and what it may not. */
import fc from "../../support/fast-check";
import { approvedReview, isDeviation } from "../../../src/tools/review/approved";
import { unknown } from "../../../src/schema/unknown";
import { review } from "../../../src/tools/review/review";
import { approve, checked, now } from "./approval-support";
import { urnOf, writtenPreview, type Written } from "./support";
import { cases, seedOf } from "../../support/cases";
import { readPreview } from "../../support/recorded";

interface Step {
  op?: string;
  urn: string;
  oldState?: Record<string, unknown>;
  newState?: Record<string, unknown>;
}
interface Text {
  steps: Step[];
  config?: Record<string, string>;
  changeSummary?: Record<string, number>;
}

const from = (policy: string): Record<string, string[]> => ({ ipPolicyId: [urnOf("IpPolicy", policy)] });

/** Two policies, of which one is new, rules, an edge, an endpoint with a secret, and something to delete and replace. */
function resources(): Written[] {
  const kept = { ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" };
  const edge = { ipRestriction: { ipPolicyIds: ["ipp_office"] } };
  const lan = { ipPolicyId: "ipp_lan", rules: { "10.1.0.0/16": "allow", "10.2.0.0/16": "deny" } };
  const oidc = {
    edgeId: "edghts_1",
    routeId: "edghtsrt_1",
    issuer: "https://id.example.com",
    clientId: "c",
    clientSecret: "[secret]",
  };
  return [
    {
      type: "IpPolicy",
      name: "office",
      id: "ipp_office",
      before: { description: "a" },
      after: { description: "b" },
    },
    { type: "IpPolicy", name: "vpn", after: { description: "vpn" } },
    {
      ...{ type: "ApiKey", name: "key", op: "replace", reasons: ["ownerId"] },
      ...{ before: { ownerId: "usr_1" }, after: { ownerId: "usr_2" } },
    },
    { type: "IpPolicyRule", name: "kept", before: kept, after: kept, from: from("office") },
    {
      type: "IpPolicyRule",
      name: "vpn",
      after: { ipPolicyId: unknown, cidr: "192.0.2.0/24", action: "allow" },
      from: from("vpn"),
    },
    { type: "IpPolicyRule", name: "old", before: { ...kept, cidr: "198.51.100.0/24" }, from: from("office") },
    {
      type: "IpPolicyRule",
      name: "turned",
      op: "replace",
      reasons: ["action"],
      before: { ...kept, cidr: "10.0.0.0/8" },
      after: { ...kept, cidr: "10.0.0.0/8", action: "deny" },
      from: from("office"),
    },
    {
      ...{ type: "IpPolicyRuleSet", name: "lan", before: lan, after: lan },
      from: { ipPolicyId: [urnOf("IpPolicy", "lan")] },
    },
    {
      type: "TcpEdge",
      name: "database",
      before: edge,
      after: edge,
      from: { ipRestriction: [urnOf("IpPolicy", "office")] },
    },
    { type: "HttpsEdgeRouteOidc", name: "staff", before: oidc, after: { ...oidc, clientId: "d" } },
  ];
}

const base = (): Text =>
  JSON.parse(
    writtenPreview(resources(), { config: { "tunnel-gateway:baseUrl": "https://api.example.com" } }),
  ) as Text;
const approved = JSON.stringify(base());

/** The preview after a change of it. */
function changed(change: (text: Text, step: (name: string) => Step) => void): string {
  const text = base();
  change(text, (name) => text.steps.find(({ urn }) => urn.endsWith(`:${name}`))!);
  return JSON.stringify(text);
}
const inputs = (step: Step): Record<string, unknown> => step.newState!.inputs as Record<string, unknown>;
const rule = (name: string, cidr: string, op = "create"): Step => ({
  op,
  urn: urnOf("IpPolicyRule", name),
  newState: {
    inputs: { ipPolicyId: "ipp_office", cidr, action: "allow" },
    outputs: {},
    propertyDependencies: {},
  },
});
/** A refresh that finds other values than the stack has. */
function drifted(text: Text, step: Step, values: object): void {
  const state = step.oldState!;
  const outputs = state.outputs as object;
  const found = {
    ...state,
    outputs: { ...outputs, ...values },
    inputs: { ...(state.inputs as object), ...values },
  };
  text.steps.unshift({ op: "refresh", urn: step.urn, oldState: state, newState: found });
  step.oldState = found;
}

describe("an approval", () => {
  it("accepts the same preview, in any order of its steps", () => {
    const reversed = changed((text) => text.steps.reverse());
    expect(checked(approved, approved)).toEqual({ errors: [], notes: [] });
    expect(checked(approved, reversed)).toEqual({ errors: [], notes: [] });
  });

  const refused: [string, (text: Text, step: (name: string) => Step) => void, string[]][] = [
    [
      "a new resource",
      (text) => text.steps.push(rule("more", "172.16.0.0/12")),
      [
        "IpPolicyRule more: it is to be created, but that was not approved",
        "TcpEdge database: 172.16.0.0/12 (1,048,576 addresses) would be allowed, but that was not approved",
      ],
    ],
    [
      "a resource that is deleted too",
      (_, step) => {
        step("kept").op = "delete";
        delete step("kept").newState;
      },
      [
        "IpPolicyRule kept: it is to be deleted, but that was not approved",
        "TcpEdge database: 203.0.113.0/24 (256 addresses) would not be allowed, although that was approved",
      ],
    ],
    [
      "a deletion that is no longer planned",
      (_, step) => {
        step("old").op = "same";
        step("old").newState = step("old").oldState;
      },
      [
        "IpPolicyRule old: it was approved to be deleted; the preview neither does that nor shows it as done",
        "TcpEdge database: 198.51.100.0/24 (256 addresses) would be allowed, but that was not approved",
      ],
    ],
    [
      "a creation that is no longer planned",
      (text) => {
        text.steps = text.steps.filter(({ urn }) => !urn.endsWith("IpPolicyRule::vpn"));
      },
      ["IpPolicyRule vpn: it was approved to be created; the preview neither does that nor shows it as done"],
    ],
    [
      "an update that is no longer planned",
      (_, step) => {
        step("office").op = "same";
        step("office").newState = step("office").oldState;
      },
      ["IpPolicy office: it was approved to be updated; the preview neither does that nor shows it as done"],
    ],
    [
      "a replacement instead of an update",
      (_, step) => {
        step("office").op = "replace";
      },
      [
        "IpPolicy office: it is to be replaced, but was approved to be updated",
        "TcpEdge database: 203.0.113.0/24 (256 addresses) would not be allowed, although that was approved",
        "TcpEdge database: 10.0.0.0/8 (16,777,216 addresses) would not be denied, although that was approved",
      ],
    ],
    [
      "a deletion instead of a replacement",
      (_, step) => {
        step("turned").op = "delete";
        delete step("turned").newState;
      },
      [
        "IpPolicyRule turned: it is to be deleted, but was approved to be replaced",
        "TcpEdge database: 10.0.0.0/8 (16,777,216 addresses) would not be denied, although that was approved",
      ],
    ],
    [
      "another value of a new resource",
      (_, step) => {
        inputs(step("IpPolicyRule::vpn")).cidr = "192.0.2.0/23";
      },
      ["IpPolicyRule vpn: the value of cidr is not the one that was approved"],
    ],
    [
      "another value of an update",
      (_, step) => {
        inputs(step("office")).description = "c";
      },
      ["IpPolicy office: the value of description is not the one that was approved"],
    ],
    [
      "another argument",
      (_, step) => {
        inputs(step("office")).metadata = "m";
      },
      [
        "IpPolicy office: the value of metadata is not the one that was approved",
        "IpPolicy office: the current value of metadata is not the one that was reviewed",
      ],
    ],
    [
      "an argument less",
      (_, step) => {
        delete inputs(step("IpPolicy::vpn")).description;
      },
      ["IpPolicy vpn: the value of description is not the one that was approved"],
    ],
    [
      "an id instead of the new policy's",
      (_, step) => {
        const each = step("IpPolicyRule::vpn");
        inputs(each).ipPolicyId = "ipp_other";
        each.newState!.propertyDependencies = {};
      },
      [
        "IpPolicyRule vpn: the order is not the one that was approved: it waits for other steps",
        "IpPolicyRule vpn: the value of ipPolicyId is not the one that was approved",
      ],
    ],
    [
      "a computed id of another object",
      (_, step) => {
        inputs(step("IpPolicyRule::vpn")).ipPolicyId = "ipp_other";
      },
      ["IpPolicyRule vpn: the value of ipPolicyId is not the one that was approved"],
    ],
    [
      "another current value without a refresh",
      (_, step) => {
        (step("office").oldState!.outputs as Record<string, unknown>).description = "z";
      },
      ["IpPolicy office: the current value of description is not the one that was reviewed"],
    ],
    [
      "drift of what is updated",
      (text, step) => drifted(text, step("office"), { description: "by hand" }),
      [
        "IpPolicy office: the current value of description is not the one that was reviewed",
        "IpPolicy office: it was changed outside of Pulumi: description",
      ],
    ],
    [
      "drift of what stays",
      (text, step) => drifted(text, step("kept"), { cidr: "203.0.112.0/22" }),
      ["IpPolicyRule kept: it was changed outside of Pulumi: cidr"],
    ],
    [
      "drift of what is deleted",
      (text, step) => drifted(text, step("old"), { cidr: "198.51.100.0/25" }),
      ["IpPolicyRule old: it was changed outside of Pulumi: cidr"],
    ],
    [
      "drift of what is replaced",
      (text, step) => drifted(text, step("turned"), { cidr: "10.0.0.0/9" }),
      [
        "IpPolicyRule turned: it was approved that the old one is deleted first",
        "IpPolicyRule turned: the current value of cidr is not the one that was reviewed",
        "IpPolicyRule turned: it was changed outside of Pulumi: cidr",
      ],
    ],
    [
      "a rule that somebody added to a set",
      (text, step) =>
        drifted(text, step("lan"), {
          rules: { "10.1.0.0/16": "allow", "10.2.0.0/16": "deny", "10.3.0.0/16": "allow" },
        }),
      ['IpPolicyRuleSet lan: it was changed outside of Pulumi: rules["10.3.0.0/16"]'],
    ],
    [
      "a rule that somebody removed from a set",
      (text, step) => drifted(text, step("lan"), { rules: { "10.1.0.0/16": "allow" } }),
      ['IpPolicyRuleSet lan: it was changed outside of Pulumi: rules["10.2.0.0/16"]'],
    ],
    [
      "a restriction that somebody disabled",
      (text, step) =>
        drifted(text, step("database"), { ipRestriction: { enabled: false, ipPolicyIds: ["ipp_office"] } }),
      ["TcpEdge database: it was changed outside of Pulumi: ipRestriction.enabled"],
    ],
    [
      "an object that is gone",
      (text, step) => {
        const each = step("kept");
        text.steps.unshift({ op: "refresh", urn: each.urn, oldState: each.oldState });
        each.op = "create";
        delete each.oldState;
      },
      ["IpPolicyRule kept: it is to be created, but that was not approved"],
    ],
    [
      "another order",
      (_, step) => {
        step("HttpsEdgeRouteOidc::staff").newState!.dependencies = [urnOf("IpPolicyRule", "turned")];
      },
      ["HttpsEdgeRouteOidc staff: the order is not the one that was approved: it waits for other steps"],
    ],
    [
      "another order of a replacement",
      (_, step) => {
        step("key").oldState!.pendingReplacement = true;
      },
      ["ApiKey key: it was approved that the old one is deleted last"],
    ],
    [
      "another provider, and so another account",
      (_, step) => {
        step("office").newState!.provider =
          "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::europe::1";
      },
      [
        "IpPolicy office: not what was approved: its provider",
        "TcpEdge database: 203.0.113.0/24 (256 addresses) would not be allowed, although that was approved",
        "TcpEdge database: 10.0.0.0/8 (16,777,216 addresses) would not be denied, although that was approved",
        "TcpEdge database: more of its access is unknown than was approved",
      ],
    ],
    [
      "a provider with another base URL",
      (text) =>
        text.steps.push({
          op: "update",
          urn: "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::europe",
          oldState: { inputs: { "tunnel-gateway:baseUrl": "https://a.example.com" } },
          newState: { inputs: { "tunnel-gateway:baseUrl": "https://b.example.com" } },
        }),
      ["Provider europe: it is updated, but that was not approved"],
    ],
    [
      "another base URL in the configuration",
      (text) => {
        text.config = { "tunnel-gateway:baseUrl": "https://other.example.com" };
      },
      [": the base URL of the stack's configuration is not the one that was approved"],
    ],
    [
      "changes of other packages",
      (text) =>
        text.steps.push({
          op: "create",
          urn: "urn:pulumi:test::written::aws:s3/bucket:Bucket::b",
          newState: {},
        }),
      ["aws:s3/bucket:Bucket b: it is to be created, but that was not approved"],
    ],
    [
      "a rule that another deployment has added since",
      (text) => {
        const other = rule("meanwhile", "172.16.0.0/12", "same");
        text.steps.push({
          ...other,
          oldState: { ...other.newState, id: "ipr_9" },
          newState: { ...other.newState, id: "ipr_9" },
        });
      },
      ["TcpEdge database: 172.16.0.0/12 (1,048,576 addresses) would be allowed, but that was not approved"],
    ],
    [
      "a guard that another deployment has disabled since",
      (_, step) => {
        for (const each of ["oldState", "newState"] as const)
          (step("database")[each]!.inputs as Record<string, unknown>).ipRestriction = {
            enabled: false,
            ipPolicyIds: ["ipp_office"],
          };
        (step("database").oldState!.outputs as Record<string, unknown>).ipRestriction = {
          enabled: false,
          ipPolicyIds: ["ipp_office"],
        };
      },
      ["TcpEdge database: it was approved that its access is restricted"],
    ],
    [
      "unchanged resources that are not shown",
      (text) => {
        text.changeSummary = { same: 100 };
      },
      [": the preview leaves out unchanged resources; run it with --show-sames"],
    ],
  ];

  it.each(refused)("refuses %s, and says what it is and nothing else", (_, change, errors) => {
    expect(checked(approved, changed(change))).toEqual({ errors, notes: [] });
  });

  it("refuses at least 30 kinds of changes", () => expect(refused.length).toBeGreaterThanOrEqual(30));

  it("notes what an interrupted deployment has done, with the ids that are known now", () => {
    const later = changed((text, step) => {
      const policy = step("IpPolicy::vpn");
      policy.op = "same";
      policy.newState!.id = "ipp_vpn";
      policy.oldState = { ...policy.newState, outputs: policy.newState!.inputs };
      inputs(step("IpPolicyRule::vpn")).ipPolicyId = "ipp_vpn";
      text.steps = text.steps.filter(({ urn }) => !urn.endsWith("::old"));
    });
    expect(checked(approved, later)).toEqual({
      errors: [],
      notes: [": 2 of 7 approved steps are done already"],
    });
  });

  it("refuses the id of another object as that of the new policy, though the data flow is the same", () => {
    const later = changed((_, step) => {
      const policy = step("IpPolicy::vpn");
      policy.op = "same";
      policy.newState!.id = "ipp_vpn";
      policy.oldState = { ...policy.newState, outputs: policy.newState!.inputs };
      inputs(step("IpPolicyRule::vpn")).ipPolicyId = "ipp_office";
    });
    expect(checked(approved, later).errors[0]).toBe(
      "IpPolicyRule vpn: the value of ipPolicyId is not the one that was approved",
    );
  });

  it("accepts the drift that was reviewed, and no other", () => {
    const to = (cidr: string) => changed((text, step) => drifted(text, step("kept"), { cidr }));
    const seen = to("203.0.112.0/22");
    expect(checked(seen, seen)).toEqual({ errors: [], notes: [] });
    expect(checked(seen, to("203.0.112.0/21")).errors).toContain(
      "IpPolicyRule kept: it was changed outside of Pulumi: cidr",
    );
  });

  it("says nothing about drift that is gone, and refuses a change of what was to stay with its drift", () => {
    const seen = changed((text, step) => drifted(text, step("lan"), { rules: { "10.1.0.0/16": "allow" } }));
    const changedToo = changed((text, step) => {
      drifted(text, step("lan"), { rules: { "10.1.0.0/16": "allow" } });
      step("lan").op = "update";
    });
    expect(checked(seen, approved)).toEqual({ errors: [], notes: [] });
    expect(checked(seen, changedToo)).toEqual({
      errors: ["IpPolicyRuleSet lan: it is to be updated, but that was not approved"],
      notes: [],
    });
  });

  it("holds no secret, and says per resource what nobody can compare", () => {
    const approval = approve(approved);
    const staff = approval.steps.find(({ name }) => name === "staff")!;
    expect(staff.notCompared).toEqual(["clientSecret"]);
    expect(staff.arguments!.clientSecret).toBe("[secret]");
    const leaking = changed((_, step) => {
      inputs(step("HttpsEdgeRouteOidc::staff")).clientSecret = "s3cret-value";
      (step("HttpsEdgeRouteOidc::staff").oldState!.inputs as Record<string, unknown>).clientSecret =
        "s3cret-value";
    });
    expect(JSON.stringify(approve(leaking))).not.toContain("s3cret-value");
  });

  it("names its stack, and is refused for another one", () => {
    expect(approve(approved)).toMatchObject({ stack: "test", project: "written" });
    const other = approved.replaceAll("urn:pulumi:test::written", "urn:pulumi:production::written");
    expect(() => checked(approved, other)).toThrow(
      "the approval is that of the stack written/test, not of written/production",
    );
  });

  it("of another version of the package is compared, with a note, so that an upgrade can be approved", () => {
    const preview = readPreview(approved);
    const made = review(preview, { now });
    const { findings } = approvedReview(preview, made, { ...approve(approved), version: "0.0.1" });
    expect(findings.filter(isDeviation)).toEqual([]);
    const own = findings.filter(({ rule }) => rule === "approval/changed");
    expect(own.map(({ severity, message }) => [severity, message])).toEqual([
      [
        "note",
        expect.stringMatching(/^it was approved with version 0\.0\.1 of the package and is compared with \d/),
      ],
    ]);
  });

  it("is not made of a preview that is not complete", () => {
    const failed = changed((text) =>
      Object.assign(text, { diagnostics: [{ severity: "error", message: "no" }] }),
    );
    const partial = changed((text) => (text.changeSummary = { same: 100 }));
    expect(() => approve(failed)).toThrow("a preview that failed cannot be approved");
    expect(() => approve(partial)).toThrow("use --show-sames");
    expect(() => approve(`{"steps": [], "changeSummary": {}}`)).toThrow("names no stack");
  });
});

/** A random program before and after a change, as resources of a preview. */
const programs = fc
  .record({
    policies: fc.array(fc.constantFrom("kept", "new", "updated", "deleted"), { minLength: 1, maxLength: 4 }),
    rules: fc.array(
      fc.record({
        policy: fc.nat(3),
        change: fc.constantFrom("create", "update", "same", "delete", "replace"),
        action: fc.constantFrom("allow", "deny"),
        net: fc.nat(200),
      }),
      { maxLength: 8 },
    ),
    set: fc.record({ before: fc.uniqueArray(fc.nat(20)), after: fc.uniqueArray(fc.nat(20)) }),
    edges: fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    secret: fc.boolean(),
  })
  .map(({ policies, rules, set, edges, secret }): Written[] => {
    const state = (index: number): string => policies[index % policies.length]!;
    const nameOf = (index: number): string => `p${index % policies.length}`;
    const idOf = (index: number): string => (state(index) === "new" ? unknown : `ipp_${nameOf(index)}`);
    const live = policies.flatMap((each, i) => (each === "deleted" ? [] : [i]));
    const at = (index: number): number | undefined => live[index % Math.max(1, live.length)];
    const old = (index: number): boolean => state(index) !== "new";
    const range = (net: number): string => `10.${net}.0.0/16`;
    const ranges = (nets: readonly number[]): object =>
      Object.fromEntries(nets.map((net) => [range(net), "allow"]));
    return [
      ...policies.map((each, i): Written => ({
        ...{ type: "IpPolicy", name: nameOf(i), id: `ipp_${nameOf(i)}` },
        ...(each !== "new" && { before: { description: "a" } }),
        ...(each !== "deleted" && { after: { description: each === "updated" ? "b" : "a" } }),
      })),
      ...rules.flatMap(({ policy, change, action, net }, i): Written[] => {
        const index = at(policy);
        if (index === undefined) return [];
        const own = { ipPolicyId: idOf(index), cidr: range(net), action };
        const what = old(index) ? change : "create";
        const before = { ...own, ...(what === "update" && { cidr: range(net + 1) }) };
        const turned = { ...own, action: action === "allow" ? "deny" : "allow" };
        return [
          {
            ...{ type: "IpPolicyRule", name: `r${i}`, from: from(nameOf(index)) },
            ...(what !== "create" && { before: what === "replace" ? turned : before }),
            ...(what !== "delete" && { after: own }),
            ...(what === "replace" && { op: "replace", reasons: ["action"] }),
          },
        ];
      }),
      ...live.slice(0, 1).map((index): Written => ({
        ...{ type: "IpPolicyRuleSet", name: "set", from: from(nameOf(index)) },
        ...(old(index) && { before: { ipPolicyId: idOf(index), rules: ranges(set.before) } }),
        after: { ipPolicyId: idOf(index), rules: ranges(set.after) },
      })),
      ...edges.flatMap((all, i): Written[] => {
        const own = [...new Set(all.flatMap((each) => at(each) ?? []))];
        const inputs = { ipRestriction: { ipPolicyIds: own.map(idOf) } };
        const urns = own.map((each) => urnOf("IpPolicy", nameOf(each)));
        return own.length === 0
          ? []
          : [{ type: "TcpEdge", name: `e${i}`, after: inputs, from: { ipRestriction: urns } }];
      }),
      ...(secret
        ? [
            {
              type: "EventDestination",
              name: "sink",
              before: { format: "json", secret: "[secret]" },
              after: { format: "json", secret: "[secret]", description: "x" },
            },
          ]
        : []),
    ];
  });

/** What an interrupted deployment leaves: each resource is done if a coin says so and all that it comes from is. */
function interrupted(resources: readonly Written[], coins: readonly boolean[]): Written[] {
  const isDone = new Map<string, boolean>();
  resources.forEach(({ type, name, from: sources = {} }, i) => {
    const needs = Object.values(sources).flat();
    isDone.set(urnOf(type, name), coins[i % coins.length]! && needs.every((urn) => isDone.get(urn) ?? true));
  });
  // The ids of policies that exist now are known.
  const filled = (value: unknown, urns: readonly string[]): unknown => {
    if (Array.isArray(value)) {
      const open = urns.filter((urn) =>
        resources.some((each) => urnOf(each.type, each.name) === urn && !each.before),
      );
      return value.map((each) => {
        if (each !== unknown) return each as unknown;
        const urn = open.shift()!;
        return isDone.get(urn) ? `ipp_${urn.split("::").at(-1)}` : unknown;
      });
    }
    if (value === unknown)
      return urns.every((urn) => isDone.get(urn)) ? `ipp_${urns[0]!.split("::").at(-1)}` : unknown;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, urns)]));
  };
  return resources.flatMap((each): Written[] => {
    const urns = Object.values(each.from ?? {}).flat();
    const after = each.after && (filled(each.after, urns) as Written["after"]);
    if (!isDone.get(urnOf(each.type, each.name))) {
      const { before } = each;
      // A set is interrupted between two of its entries.
      const isSet = each.type === "IpPolicyRuleSet" && before !== undefined && after !== undefined;
      const [entry] = isSet ? Object.keys(after.rules as object) : [];
      const rules = entry === undefined ? before?.rules : { ...(before!.rules as object), [entry]: "allow" };
      return [{ ...each, after, ...(isSet && { before: { ...before, rules } }) }];
    }
    return after ? [{ ...each, op: "same", before: after, after }] : [];
  });
}

it("accepts unchanged rounds of random programs, those among them that were interrupted", () => {
  let [rounds, partial] = [0, 0];
  fc.assert(
    fc.property(programs, fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), (resources, coins) => {
      const text = writtenPreview(resources);
      const shuffled = writtenPreview([...resources].reverse());
      expect(checked(text, shuffled)).toEqual({ errors: [], notes: [] });
      const left = checked(text, writtenPreview(interrupted(resources, coins)));
      expect(left.errors).toEqual([]);
      rounds += 1;
      if (left.notes.length > 0) partial += 1;
    }),
    { numRuns: cases(60, 400), seed: seedOf(1) },
  );
  expect(rounds).toBeGreaterThanOrEqual(cases(30, 200));
  expect(partial).toBeGreaterThan(cases(15, 100));
});
