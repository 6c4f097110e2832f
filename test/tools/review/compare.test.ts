/** Who gains and who loses access: case by case, at guards and policies. */
import { unknownSemantics } from "../../../src/tools/access/semantics";
import { compareAccess, type PlaceChange } from "../../../src/tools/review/access/compare";
import { unknown } from "../../../src/schema/unknown";
import { keptPolicy, urnOf, writtenPreview, type Written } from "./support";
import { readPreview } from "../../support/recorded";

type Values = Record<string, unknown>;

const created = (name: string): Written => ({ type: "IpPolicy", name, after: {} });
const deleted = (name: string): Written => ({ ...keptPolicy(name), after: undefined });
/** A rule before and after: its range, or other arguments too. */
const rule = (
  name: string,
  before: string | Values | undefined,
  after: string | Values | undefined,
  ipPolicyId = "ipp_a",
): Written => {
  const all = (given: string | Values | undefined): Values | undefined =>
    given === undefined
      ? undefined
      : { ipPolicyId, action: "allow", ...(typeof given === "string" ? { cidr: given } : given) };
  return { type: "IpPolicyRule", name, before: all(before), after: all(after) };
};
const ids = (...ipPolicyIds: string[]): Values => ({ ipRestriction: { ipPolicyIds } });
const edge = (before: Values | undefined, after: Values | undefined, name = "db"): Written => ({
  ...{ type: "TcpEdge", name, before, after },
});
const guarded = edge(ids("ipp_a"), ids("ipp_a"));

const compared = (...resources: Written[]) => comparedIn(writtenPreview(resources));
const comparedIn = (text: string, semantics = unknownSemantics) => {
  return compareAccess(readPreview(text), semantics);
};
/** The policies, those of which a program only reads. */
const comparedRead = (...resources: Written[]) => {
  const { steps } = JSON.parse(writtenPreview(resources)) as { steps: Record<string, unknown>[] };
  const external = (state: unknown): unknown => state && { ...state, external: true };
  const read = steps.map((step) =>
    String(step.op).startsWith("read")
      ? { ...step, oldState: external(step.oldState), newState: external(step.newState) }
      : step,
  );
  return comparedIn(JSON.stringify({ steps: read, changeSummary: {} })).policies;
};

/** `db: newly allowed 10.0.0.0/8 by a: lan updated` */
const said = (changes: readonly PlaceChange[]): string[] =>
  changes.flatMap(({ name, differences }) =>
    differences.map(({ kind, addresses, opens, causes }) => {
      const reasons = causes.map(
        ({ policy, rule, change }) => `${policy.name}:${rule ? ` ${rule.name}` : ""} ${change}`,
      );
      const all = opens.length > 0 ? `, all of IPv${opens.join(" and IPv")}` : "";
      return `${name}: ${kind} ${addresses.cidrs().join()} by ${reasons.join(", ")}${all}`;
    }),
  );
const first = "10.0.0.0/30";
const second = "10.0.0.4/30";
const deny = (cidr: string): Values => ({ action: "deny", cidr });

describe("at a guard, a review says", () => {
  const cases: [string, Written[], string[]][] = [
    ["nothing where nothing changes", [rule("r", first, first)], []],
    [
      "what a wider rule allows",
      [rule("r", first, "10.0.0.0/29")],
      [`db: newly allowed ${second} by a: r update`],
    ],
    [
      "what a narrower rule no longer allows",
      [rule("r", "10.0.0.0/29", second)],
      [`db: no longer allowed ${first} by a: r update`],
    ],
    [
      "what a new rule denies",
      [rule("r", undefined, deny(first))],
      [`db: newly denied ${first} by a: r create`],
    ],
    [
      "what a deleted rule no longer denies",
      [rule("r", deny(first), undefined)],
      [`db: no longer denied ${first} by a: r delete`],
    ],
    [
      "both of a rule that turns",
      [rule("r", first, deny(first))],
      [`db: no longer allowed ${first} by a: r update`, `db: newly denied ${first} by a: r update`],
    ],
    [
      "nothing where another rule allows the same",
      [rule("r", first, undefined), rule("s", undefined, first)],
      [],
    ],
    [
      "nothing where the ranges are split",
      [rule("r", "10.0.0.0/29", first), rule("s", undefined, second)],
      [],
    ],
    [
      "that a policy is added, for its ranges, and not for those that were allowed before",
      [
        ...[keptPolicy("b"), rule("r", first, first), rule("s", second, second, "ipp_b")],
        ...[rule("t", first, first, "ipp_b"), edge(ids("ipp_a"), ids("ipp_a", "ipp_b"))],
      ],
      [`db: newly allowed ${second} by b: add`],
    ],
    [
      "the policy that is added, and not another one without ranges, or with ranges that deny",
      [
        ...[keptPolicy("b"), keptPolicy("c"), keptPolicy("d"), rule("s", second, second, "ipp_b")],
        ...[rule("t", deny(second), deny(second), "ipp_c"), rule("u", undefined, deny(second))],
        edge(ids("ipp_a"), ids("ipp_a", "ipp_b", "ipp_c", "ipp_d")),
      ],
      [`db: newly allowed ${second} by b: add`, `db: newly denied ${second} by a: u create, c: add`],
    ],
    [
      "that a policy is removed, with what it denied",
      [
        ...[keptPolicy("b"), rule("s", deny(second), deny(second), "ipp_b")],
        edge(ids("ipp_a", "ipp_b"), ids("ipp_a")),
      ],
      [`db: no longer denied ${second} by b: remove`],
    ],
    [
      "the rules that cause it in the order of their ranges, each once, and no others",
      [
        ...[
          rule("z", first, "10.0.0.0/28"),
          rule("y", undefined, "9.0.0.0/8"),
          rule("x", "10.9.0.0/16", "10.9.0.0/16"),
        ],
        rule("w", undefined, deny("8.0.0.0/8")),
        {
          ...{ type: "IpPolicyRuleSet", name: "set", id: "ipp_a" },
          before: { ipPolicyId: "ipp_a", rules: {} },
          after: { ipPolicyId: "ipp_a", rules: { "11.0.0.0/8": "allow", "7.0.0.0/8": "allow" } },
        },
      ],
      [
        "db: newly allowed 7.0.0.0/8,9.0.0.0/8,10.0.0.4/30,10.0.0.8/29,11.0.0.0/8 by a: set update, a: y create, a: z update",
        "db: newly denied 8.0.0.0/8 by a: w create",
      ],
    ],
    [
      "that every address of a family is allowed now",
      [rule("r", undefined, "0.0.0.0/0")],
      ["db: newly allowed 0.0.0.0/0 by a: r create, all of IPv4"],
    ],
    [
      "that every address of both families is allowed now",
      [rule("r", "0.0.0.0/1", "0.0.0.0/0"), rule("s", undefined, "::/0")],
      ["db: newly allowed 128.0.0.0/1,::/0 by a: r update, a: s create, all of IPv4 and IPv6"],
    ],
    [
      "nothing of a family that was allowed before",
      [rule("r", "0.0.0.0/0", "0.0.0.0/0"), rule("s", undefined, "2001:db8::/32")],
      ["db: newly allowed 2001:db8::/32 by a: s create"],
    ],
    [
      "nothing of a guard that begins or ends: rules of their own report it",
      [rule("r", first, second), edge({}, ids("ipp_a")), edge(ids("ipp_a"), {}, "other")],
      [],
    ],
    [
      "nothing of a guard that is created or deleted",
      [rule("r", first, second), edge(undefined, ids("ipp_a")), edge(ids("ipp_a"), undefined, "other")],
      [],
    ],
    [
      "all of a guard that may be off, as if it were on",
      [
        rule("r", first, undefined),
        edge(ids("ipp_a"), { ipRestriction: { enabled: unknown, ipPolicyIds: ["ipp_a"] } }),
      ],
      [`db: no longer allowed ${first} by a: r delete`],
    ],
    [
      "nothing of a deleted policy that the guard still has: a rule of its own reports it",
      [
        ...[deleted("b"), rule("r", first, first), rule("s", second, undefined, "ipp_b")],
        edge(ids("ipp_a", "ipp_b"), ids("ipp_a", "ipp_b")),
      ],
      [],
    ],
    [
      "nothing of a range that is not known any more, and all of the others",
      [
        rule("r", first, { cidr: unknown }),
        rule("s", second, undefined),
        rule("t", deny("9.0.0.0/8"), undefined),
      ],
      [`db: no longer allowed ${second} by a: s delete`, "db: no longer denied 9.0.0.0/8 by a: t delete"],
    ],
  ];

  it.each(cases)("%s", (_, resources, expected) => {
    const own = resources.some(({ type }) => type === "TcpEdge") ? [] : [guarded];
    expect(said(compared(keptPolicy("a"), ...resources, ...own).places)).toEqual(expected);
  });

  it("the same of guards with the same policies, which are computed once", () => {
    const { places: all } = compared(
      ...[keptPolicy("a"), keptPolicy("b"), rule("r", first, second)],
      ...[edge(ids("ipp_a"), ids("ipp_a")), edge(ids("ipp_a"), ids("ipp_a"), "same")],
      ...[edge(ids("ipp_a"), ids("ipp_a", "ipp_b"), "more"), edge(ids("ipp_a"), {}, "off")],
      ...[edge({}, ids("ipp_a"), "on"), edge(ids("ipp_b"), ids("ipp_b"), "other")],
    );
    const { db, same, more, off, on, other } = Object.fromEntries(
      all.map(({ name, differences }) => [name, differences]),
    );
    expect(same).toBe(db);
    expect(more).not.toBe(db);
    expect([db!.length, off, on, other]).toEqual([2, [], [], []]);
  });

  it("its own, whatever the policies of other guards are called", () => {
    const evil = `a,${urnOf("IpPolicy", "b")}`;
    const { places: all } = compared(
      ...[keptPolicy("a"), keptPolicy("b"), { ...keptPolicy("evil"), name: evil }],
      rule("r", undefined, "0.0.0.0/0", "ipp_evil"),
      edge(ids("ipp_a", "ipp_b"), ids("ipp_a", "ipp_b"), "decoy"),
      edge(ids("ipp_evil"), ids("ipp_evil")),
    );
    expect(said(all)).toEqual([`db: newly allowed 0.0.0.0/0 by ${evil}: r create, all of IPv4`]);
  });
});

describe("a guard", () => {
  const of = (...resources: Written[]): PlaceChange => compared(...resources).places[0]!;

  it("has its policies before and after, and what they allow and deny together", () => {
    const { name, on, before, after } = of(
      ...[
        keptPolicy("a"),
        keptPolicy("b"),
        rule("r", first, undefined),
        rule("s", deny(second), deny(second), "ipp_b"),
      ],
      edge(ids("ipp_a"), ids("ipp_a", "ipp_b")),
    );
    expect([name, on!.urn]).toEqual(["db", urnOf("TcpEdge", "db")]);
    const plain = [before, after].map((state) => ({
      ...{ isRestricted: state!.isRestricted, policies: state!.policies.map(({ name }) => name) },
      ...{ allowed: state!.allowed.cidrs(), denied: state!.denied.cidrs() },
    }));
    expect(plain).toEqual([
      { isRestricted: true, policies: ["a"], allowed: [first], denied: [] },
      { isRestricted: true, policies: ["a", "b"], allowed: [], denied: [second] },
    ]);
  });

  it("is the object before the deployment where it is deleted, and has no state where it does not exist", () => {
    const gone = of(keptPolicy("a"), edge(ids("ipp_a"), undefined));
    expect([gone.on!.name, gone.before!.isRestricted, gone.after]).toEqual(["db", true, undefined]);
    const fresh = of(keptPolicy("a"), edge(undefined, ids("ipp_a")));
    expect([fresh.on!.name, fresh.before, fresh.after!.isRestricted]).toEqual(["db", undefined, true]);
    expect([gone.hasUnknownPolicy, gone.mayBeOff]).toEqual([false, false]);
  });

  it("is the same one under another name in the program", () => {
    const inputs = { edgeId: "edgtls_1", ipPolicyIds: ["ipp_a"] };
    const module = { type: "TlsEdgeIpRestriction", id: "edgtls_1" };
    const { places: all } = compared(
      ...[keptPolicy("a"), rule("r", first, second), { ...module, name: "old", before: inputs }],
      { ...module, name: "new", after: inputs },
    );
    expect(all.map(({ on }) => on.name)).toEqual(["new"]);
    expect(said(all)).toHaveLength(2);
  });

  it("is compared with what guards now, also where two modules of one edge are declared", () => {
    const module = (name: string, before: string | undefined, after: string | undefined): Written => {
      const inputs = (id: string | undefined): Values | undefined =>
        id === undefined ? undefined : { edgeId: "edgtls_1", ipPolicyIds: [`ipp_${id}`] };
      return {
        ...{ type: "TlsEdgeIpRestriction", name, id: "edgtls_1" },
        ...{ before: inputs(before), after: inputs(after) },
      };
    };
    const own = [
      keptPolicy("a"),
      keptPolicy("b"),
      rule("r", first, first),
      rule("half", "8000::/1", "8000::/1", "ipp_b"),
    ];
    const widened = "tls: newly allowed 8000::/1 by b: add";
    const narrowed = `tls: no longer allowed ${first} by a: remove`;
    const decoy = module("decoy", undefined, "a");
    for (const resources of [
      [module("tls", "a", "b"), decoy],
      [decoy, module("tls", "a", "b")],
    ])
      expect(said(compared(...own, ...resources).places)).toEqual([widened, narrowed]);
    // The one that is created is held against what guards now, and the deleted one as well.
    const renamed = [module("old", "a", undefined), module("tls", undefined, "b")];
    expect(said(compared(...own, ...renamed).places)).toEqual([widened, narrowed]);
    const gone = compared(...own, module("tls", "a", undefined), module("other", "b", undefined));
    expect(gone.places.map(({ on, after }) => [on.name, after])).toEqual([
      ["other", undefined],
      ["tls", undefined],
    ]);
  });

  it("names the policies outside of the program that it gains or loses", () => {
    const names = (before: Values | undefined, after: Values | undefined): readonly string[] =>
      compared(keptPolicy("a"), edge(before, after)).places[0]!.unknownPolicies;
    expect(names(ids("ipp_a", "ipp_x"), ids("ipp_a", "ipp_y"))).toEqual(["ipp_y", "ipp_x"]);
    expect(names(ids("ipp_x"), ids("ipp_x", "ipp_a"))).toEqual([]);
    expect(names(ids("ipp_x"), {})).toEqual([]);
    expect(names({}, ids("ipp_x"))).toEqual([]);
    expect(names(undefined, ids("ipp_x"))).toEqual(["ipp_x"]);
    const own = [created("new"), deleted("old")];
    const from = { ipRestriction: [urnOf("IpPolicy", "new")] };
    const moved = { ...edge(ids("ipp_a", "ipp_old"), ids("ipp_a", unknown)), from };
    expect(compared(keptPolicy("a"), ...own, moved).places[0]!.unknownPolicies).toEqual([]);
  });

  it("has an unknown policy, unless the program creates the one that it must be", () => {
    const from = (...names: string[]) => ({ ipRestriction: names.map((name) => urnOf("IpPolicy", name)) });
    const open = edge(ids("ipp_a"), ids("ipp_a", unknown));
    expect(of(keptPolicy("a"), open).hasUnknownPolicy).toBe(true);
    expect(of(keptPolicy("a"), guarded).hasUnknownPolicy).toBe(false);
    expect(of(keptPolicy("a"), created("b"), { ...open, from: from("b") }).hasUnknownPolicy).toBe(false);
    const two = edge(ids("ipp_a"), { ipRestriction: { ipPolicyIds: unknown } });
    expect(of(keptPolicy("a"), created("b"), { ...two, from: from("b") }).hasUnknownPolicy).toBe(false);
    expect(of(keptPolicy("a"), keptPolicy("b"), { ...two, from: from("b") }).hasUnknownPolicy).toBe(true);
  });

  it("has the policies that only the program's data flow shows", () => {
    const from = { ipRestriction: [urnOf("IpPolicy", "b")] };
    const open = { ...edge(ids("ipp_a"), { ipRestriction: { ipPolicyIds: unknown } }), from };
    const fresh = {
      ...rule("r", undefined, { cidr: first, ipPolicyId: unknown }),
      from: { ipPolicyId: [urnOf("IpPolicy", "b")] },
    };
    expect(
      said(compared(keptPolicy("a"), rule("s", first, first), created("b"), fresh, open).places),
    ).toEqual([]);
    const { after } = of(keptPolicy("a"), rule("s", first, first), created("b"), fresh, open);
    expect(after!.policies.map(({ name }) => name)).toEqual(["b"]);
  });

  it("may be off where nobody knows whether its restriction is enabled", () => {
    const off = (enabled: unknown): boolean =>
      of(keptPolicy("a"), edge(ids("ipp_a"), { ipRestriction: { enabled, ipPolicyIds: ["ipp_a"] } }))
        .mayBeOff;
    expect([off(unknown), off(true), off(false)]).toEqual([true, false, false]);
    const unclear = {
      ...ids("ipp_a"),
      trafficPolicy: { enabled: unknown, value: "on_http_request: [{actions: [{type: deny}]}]" },
    };
    expect(of(keptPolicy("a"), edge(ids("ipp_a"), unclear)).mayBeOff).toBe(false);
  });
});

it("What a policy that loses its last rules opens is allowed for longer than an end of another policy", () => {
  const rules = { "10.0.0.0/30": { action: "allow", until: "2030-01-01T00:00:00Z" } };
  const ending = { ipPolicyId: "ipp_a", rules };
  const others = { ipPolicyId: "ipp_b", rules: {}, exclusive: false };
  const both = ids("ipp_a", "ipp_b");
  const text = writtenPreview([
    keptPolicy("a"),
    keptPolicy("b"),
    { type: "IpPolicyRuleSet", name: "ending", id: "ipp_a", before: ending, after: ending },
    { type: "IpPolicyRuleSet", name: "others", id: "ipp_b", before: others },
    edge(both, both),
  ]);
  const { places: found } = comparedIn(text, { ...unknownSemantics, empty: "open" });
  expect(found[0]!.differences.map(({ kind }) => kind)).toEqual(["newly allowed", "allowed for longer"]);
  expect(found[0]!.differences[1]!.addresses.cidrs()).toEqual(["10.0.0.0/30"]);
});

describe("of ranges whose new value is not known, a review says", () => {
  it("neither that they are gone nor that they are new, whatever the service does with other addresses", () => {
    for (const unmatched of ["denied", "allowed"] as const) {
      for (const action of ["allow", "deny"]) {
        const text = writtenPreview([
          keptPolicy("a"),
          rule("r", { action, cidr: first }, { action, cidr: unknown }),
          guarded,
        ]);
        expect(said(comparedIn(text, { ...unknownSemantics, unmatched }).places)).toEqual([]);
      }
    }
  });

  it("the same of a rule that may belong to another policy", () => {
    const moved = rule("r", first, { cidr: first, ipPolicyId: unknown });
    expect(said(compared(keptPolicy("a"), moved, guarded).places)).toEqual([]);
  });
});

describe("at a policy, a review says", () => {
  const cases: [string, Written[], string[]][] = [
    [
      "what no guard of the program shows",
      [rule("r", first, second)],
      [`a: newly allowed ${second} by a: r update`, `a: no longer allowed ${first} by a: r update`],
    ],
    ["nothing that a guard shows", [rule("r", first, second), guarded], []],
    [
      "the part that its guards do not show, because another policy of theirs allows it",
      [
        ...[keptPolicy("b"), rule("r", undefined, "10.0.0.0/29"), rule("s", first, first, "ipp_b")],
        edge(ids("ipp_a", "ipp_b"), ids("ipp_a", "ipp_b")),
      ],
      [`a: newly allowed ${first} by a: r create`],
    ],
    [
      "what its guards do not show, although they show another difference of the same addresses",
      [
        ...[keptPolicy("b"), rule("r", first, deny(first)), rule("s", first, first, "ipp_b")],
        edge(ids("ipp_a", "ipp_b"), ids("ipp_a", "ipp_b")),
      ],
      [`a: no longer allowed ${first} by a: r update`],
    ],
    [
      "what only guards of other policies show",
      [
        keptPolicy("b"),
        rule("r", first, undefined),
        rule("s", first, undefined, "ipp_b"),
        edge(ids("ipp_b"), ids("ipp_b")),
      ],
      [`a: no longer allowed ${first} by a: r delete`],
    ],
    [
      "nothing that a guard shows which had it before, or has it after",
      [keptPolicy("b"), rule("r", first, undefined), edge(ids("ipp_a", "ipp_b"), ids("ipp_b"))],
      [],
    ],
    [
      "nothing of a policy that is created or deleted",
      [created("n"), deleted("o"), rule("r", first, undefined, "ipp_o")],
      [],
    ],
    [
      "what the program changes in a policy outside of it",
      [rule("r", undefined, first, "ipp_x"), rule("s", first, undefined, "ipp_y")],
      [
        `ipp_x: newly allowed ${first} by ipp_x: r create`,
        `ipp_y: no longer allowed ${first} by ipp_y: s delete`,
      ],
    ],
  ];

  it("what the program changes in a policy that it begins to read, or no longer reads", () => {
    const read = { type: "IpPolicy", name: "x", id: "ipp_x", op: "read", outputs: {} };
    const [begins, ends] = [
      { ...read, after: {} },
      { ...read, op: "discard", before: {} },
    ];
    expect(said(comparedRead(begins, rule("r", undefined, first, "ipp_x")))).toEqual([
      `x: newly allowed ${first} by x: r create`,
    ]);
    expect(said(comparedRead(begins, rule("r", first, second, "ipp_x")))).toEqual([
      `x: newly allowed ${second} by x: r update`,
      `x: no longer allowed ${first} by ipp_x: r update`,
    ]);
    expect(said(comparedRead(ends, rule("r", first, undefined, "ipp_x")))).toEqual([
      `x: no longer allowed ${first} by x: r delete`,
    ]);
  });

  it.each(cases)("%s", (_, resources, expected) => {
    expect(said(compared(keptPolicy("a"), ...resources).policies).sort()).toEqual(expected.sort());
  });

  it("its state, with nothing unknown of itself", () => {
    const [one] = compared(keptPolicy("a"), rule("r", first, first)).policies;
    expect(one).toMatchObject({ name: "a", hasUnknownPolicy: false, mayBeOff: false });
    expect([one!.on!.urn, one!.before!.isRestricted, one!.after!.allowed.cidrs()]).toEqual([
      urnOf("IpPolicy", "a"),
      true,
      [first],
    ]);
  });
});

describe("where a range is not known after the deployment, a review", () => {
  const wide = "11.0.0.0/8";
  const half = "11.0.0.0/9";
  const set = (
    before: Values | undefined,
    after: Values | readonly Values[] | string | undefined,
  ): Written => ({
    ...{ type: "IpPolicyRuleSet", name: "s", id: "ipp_a" },
    before: before && { ipPolicyId: "ipp_a", rules: before },
    after: after === undefined ? undefined : { ipPolicyId: "ipp_a", rules: after },
  });
  const differences = (...resources: Written[]): string[] =>
    said(compared(keptPolicy("a"), guarded, ...resources).places);

  it("compares the known entries of a set", () => {
    const allowsHalf = (other: string): Written =>
      set({ [wide]: "allow", [half]: "deny" }, { [wide]: "allow", [half]: "allow", [unknown]: other });
    for (const other of ["allow", "deny"])
      expect(differences(allowsHalf(other))).toEqual([`db: no longer denied ${half} by a: s update`]);
    const deniesNow = set({ [wide]: "allow" }, { [wide]: "allow", [half]: "deny", [unknown]: "allow" });
    expect(differences(deniesNow)).toEqual([`db: newly denied ${half} by a: s update`]);
    const { places } = comparedIn(writtenPreview([keptPolicy("a"), guarded, allowsHalf("allow")]), {
      ...unknownSemantics,
      overlap: "deny-wins",
    });
    expect(said(places)).toContain(`db: newly allowed ${half} by a: s update`);
  });

  it("says that a range is gone where the unknown one has another action or range", () => {
    expect(differences(rule("r", deny(first), { cidr: unknown }))).toEqual([
      `db: no longer denied ${first} by a: r update`,
    ]);
    expect(differences(set({ [first]: "deny", [second]: "allow" }, { [second]: unknown }))).toEqual([
      `db: no longer denied ${first} by a: s update`,
    ]);
  });

  it.each<[string, Written[]]>([
    ["in a rule", [rule("r", first, unknown)]],
    ["in a set", [set({ [first]: "allow" }, { [unknown]: "allow" })]],
    ["in a list that nothing checks", [set({ [first]: "allow" }, [{ cidr: unknown, action: "allow" }])]],
    ["in a whole set", [set({ [first]: "allow" }, unknown)]],
    ["in the action of an entry", [set({ [first]: "allow" }, { [first]: unknown })]],
  ])("does not say that an old range is no longer allowed that it could be: %s", (_, resources) => {
    expect(differences(...resources)).toEqual([]);
  });

  it("reports a deny rule that goes, although an unknown one of another resource could deny the same", () => {
    const gone = rule("r", deny(first), undefined);
    expect(differences(gone, rule("other", undefined, deny(unknown)))).toEqual([
      `db: no longer denied ${first} by a: r delete`,
    ]);
  });
});

describe("an end", () => {
  const until = (end: string): Values => ({ action: "allow", until: end });
  const now = Date.parse("2026-11-21T12:00:00Z");
  const saidOf = (before: Values | string, after: Values | string): string[] => {
    const set: Written = {
      ...{ type: "IpPolicyRuleSet", name: "s", id: "ipp_a" },
      before: { ipPolicyId: "ipp_a", rules: { [first]: before, [second]: "allow" } },
      after: { ipPolicyId: "ipp_a", rules: { [first]: after, [second]: "allow" } },
    };
    const preview = readPreview(writtenPreview([keptPolicy("a"), guarded, set]));
    return said(compareAccess(preview, unknownSemantics, now).places);
  };

  it("in the past is no time until which something is allowed for longer", () => {
    expect(saidOf(until("2024-01-01T00:00:00Z"), until("2025-01-01T00:00:00Z"))).toEqual([]);
    expect(saidOf(until("2026-11-01T00:00:00Z"), until("2026-11-21T12:00:00Z"))).toEqual([]);
  });

  it("in the past that is moved into the future, or removed, is longer access", () => {
    const longer = [`db: allowed for longer ${first} by a: s update`];
    expect(saidOf(until("2024-01-01T00:00:00Z"), until("2027-01-01T00:00:00Z"))).toEqual(longer);
    expect(saidOf(until("2024-01-01T00:00:00Z"), "allow")).toEqual(longer);
  });
});
