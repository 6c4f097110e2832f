/** What a preview may differ in from its approval: what is done already, what was not known, and the order of lists. */
import { unknownSemantics, type Semantics } from "../../../src/tools/access/semantics";
import { approvalOf, type Approval } from "../../../src/tools/review/approval";
import { approvedReview, isDeviation } from "../../../src/tools/review/approved";
import { review } from "../../../src/tools/review/review";
import { shimOf } from "../../../src/program/shim";
import { unknown } from "../../../src/schema/unknown";
import { approve, checked, now } from "./approval-support";
import { urnOf, writtenPreview, type Written } from "./support";
import { readPreview } from "../../support/recorded";

const accepted = { errors: [], notes: [] };
const office = { ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" };
const fromOffice = { ipPolicyId: [urnOf("IpPolicy", "office")] };
const guard = { ipRestriction: { ipPolicyIds: ["ipp_office"] } };
const policy: Written = { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: {} };
const kept: Written = {
  ...{ type: "IpPolicyRule", name: "kept", before: office, after: office, from: fromOffice },
};
const edge: Written = {
  ...{ type: "TcpEdge", name: "database", before: guard, after: guard },
  from: { ipRestriction: [urnOf("IpPolicy", "office")] },
};

/** The preview with more steps. */
const withSteps = (text: string, more: readonly object[]): string => {
  const preview = JSON.parse(text) as { steps: object[] };
  return JSON.stringify({ ...preview, steps: [...preview.steps, ...more] });
};

/** The approval with other steps or other access than the preview has, as somebody may write it. */
const edited = (resources: readonly Written[], change: (approval: Approval) => object): Approval => {
  const approval = approve(writtenPreview(resources));
  return { ...approval, ...change(approval) };
};

describe("a step of which a part is done", () => {
  const rule = (op: string, before: object | undefined, after: object | undefined): Written => ({
    ...{ type: "IpPolicyRule", name: "r", op, from: fromOffice, reasons: op === "replace" ? ["action"] : [] },
    ...(before && { before: { ...office, ...before } }),
    ...(after && { after: { ...office, ...after } }),
  });
  const turned = { action: "deny" };
  const moved = { cidr: "198.51.100.0/24" };
  const past: Record<string, string> = {
    ...{ create: "created", update: "updated", replace: "replaced", delete: "deleted" },
  };
  const steps: Record<string, { approved: Written; left: string[]; after?: object }> = {
    "a creation": { approved: rule("create", undefined, {}), left: ["create", "update"], after: {} },
    "an update": { approved: rule("update", moved, {}), left: ["update"], after: {} },
    "a replacement": { approved: rule("replace", moved, {}), left: ["replace", "update"], after: {} },
    "a replacement that deletes first": {
      ...{ approved: rule("replace", {}, turned), left: ["replace", "update", "create"], after: turned },
    },
    "a deletion": { approved: rule("delete", {}, undefined), left: ["delete"] },
  };

  it.each(Object.entries(steps))("leaves of %s what is still to be done", (_, { approved, left, after }) => {
    for (const op of ["create", "update", "replace", "delete"]) {
      const later = rule(
        op,
        op === "create" ? undefined : (approved.before ?? moved),
        op === "delete" ? undefined : (after ?? {}),
      );
      const { errors } = checked(writtenPreview([approved]), writtenPreview([later]));
      const refused = `IpPolicyRule r: it is to be ${past[op]}, but was approved to be ${past[approved.op!]}`;
      expect([op, errors]).toEqual([op, left.includes(op) ? [] : [refused]]);
    }
  });

  it("is no longer what was approved when its object was deleted outside of Pulumi", () => {
    const { approved } = steps["a replacement that deletes first"]!;
    const gone = (after: object): string => {
      const text = JSON.parse(writtenPreview([approved])) as { steps: [{ urn: string; oldState: object }] };
      const { urn, oldState } = text.steps[0];
      const newState = { inputs: { ...office, ...after }, propertyDependencies: fromOffice };
      const created = { op: "create", urn, newState };
      return JSON.stringify({ ...text, steps: [{ op: "refresh", urn, oldState }, created] });
    };
    expect(checked(writtenPreview([approved]), gone(turned)).errors).toEqual([
      "IpPolicyRule r: it is to be created, but was approved to be replaced",
    ]);
    expect(checked(gone(turned), gone(turned))).toEqual(accepted);
  });

  it("is done when the deleted resource is neither in the account nor in the program", () => {
    const old: Written = { ...kept, name: "old", after: undefined };
    const text = JSON.parse(writtenPreview([kept])) as { steps: object[] };
    const { oldState } = (JSON.parse(writtenPreview([old])) as { steps: { oldState: object }[] }).steps[0]!;
    text.steps.unshift({ op: "refresh", urn: urnOf("IpPolicyRule", "old"), oldState });
    expect(checked(writtenPreview([kept, old]), JSON.stringify(text))).toEqual({
      errors: [],
      notes: [": 1 of 1 approved step is done already"],
    });
  });

  it("is not done by an object with other values, or without what was asked", () => {
    const asked: Written = { ...policy, before: { description: "a" }, after: { description: "b" } };
    const left = `IpPolicy office: it was approved to be updated; the preview neither does that nor shows it as done`;
    const same = (values: Record<string, unknown>): Written => ({
      ...policy,
      op: "same",
      before: values,
      after: values,
    });
    const later = (values: Record<string, unknown>) =>
      checked(writtenPreview([asked]), writtenPreview([same(values)]));
    expect(later({ description: "b" })).toEqual({
      ...accepted,
      notes: [": 1 of 1 approved step is done already"],
    });
    expect(later({ description: "c" })).toEqual({ ...accepted, errors: [left] });
    expect(later({})).toEqual({ ...accepted, errors: [left] });
  });

  it("is another one when a value that was to stay is another one now", () => {
    const asked = { description: "b", metadata: "m" };
    const update = (before: Record<string, unknown>) => writtenPreview([{ ...policy, before, after: asked }]);
    expect(
      checked(update({ description: "a", metadata: "m" }), update({ description: "a", metadata: "a" }))
        .errors,
    ).toEqual(["IpPolicy office: the current value of metadata is not the one that was reviewed"]);
  });

  it("counts those that are done", () => {
    const names = ["a", "b", "c"];
    const created = (name: string): Written => ({ ...kept, name, before: undefined });
    const done = (name: string): Written => ({ ...kept, name });
    const [first, second, third] = names;
    const later = [done(first!), done(second!), created(third!)];
    expect(checked(writtenPreview(names.map(created)), writtenPreview(later)).notes).toEqual([
      ": 2 of 3 approved steps are done already",
    ]);
  });

  it("has a provider that is changed already", () => {
    const provider = (op: string, next: string, old = "https://a.example.com"): object => ({
      ...{ op, urn: "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::europe" },
      oldState: { inputs: { "tunnel-gateway:baseUrl": old } },
      newState: { inputs: { "tunnel-gateway:baseUrl": next } },
    });
    const withProvider = (step: object): string => {
      const text = JSON.parse(writtenPreview([kept])) as { steps: object[] };
      text.steps.push(step);
      return JSON.stringify(text);
    };
    const approved = withProvider(provider("update", "https://b.example.com"));
    expect(checked(approved, approved)).toEqual(accepted);
    expect(
      checked(approved, withProvider(provider("same", "https://b.example.com", "https://b.example.com"))),
    ).toEqual(accepted);
    expect(checked(approved, withProvider(provider("update", "https://c.example.com")))).toEqual({
      ...accepted,
      errors: ["Provider europe: it is updated, but that was not approved"],
    });
  });

  it("is one of another package too, and is done when the stack has what was approved", () => {
    const bucket = (name: string, op = "create", inputs: object = { acl: "private" }): object => {
      const urn = `urn:pulumi:test::written::aws:s3/bucket:Bucket::${name}`;
      const state = { type: "aws:s3/bucket:Bucket", custom: true, inputs, provider: "urn:p::id" };
      return { op, urn, newState: state, ...(op !== "create" && { oldState: state }) };
    };
    const others = (...steps: object[]): string => withSteps(writtenPreview([kept]), steps);
    const approved = others(bucket("a"), bucket("b"));
    expect(checked(approved, approved)).toEqual(accepted);
    expect(checked(approved, others(bucket("a"), bucket("b", "same")))).toEqual(accepted);
    const type = "aws:s3/bucket:Bucket";
    const left = `${type} b: it was approved to be created; the preview neither does that nor shows it as done`;
    expect(checked(approved, others(bucket("a"))).errors).toEqual([left]);
    expect(checked(approved, others(bucket("a"), bucket("b", "same", { acl: "public" }))).errors).toEqual([
      left,
    ]);
    expect(checked(approved, others(bucket("a"), bucket("b", "create", { acl: "public" }))).errors).toEqual([
      `${type} b: not what was approved: the inputs`,
    ]);
    expect(checked(approved, others(bucket("a"), bucket("b"), bucket("c"))).errors).toEqual([
      `${type} c: it is to be created, but that was not approved`,
    ]);
  });

  const registered = {
    ...{ custom: true, external: false, type: "pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRule" },
    provider: "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::default::id",
  };
  /** The preview of one rule, with other members of its states and inputs. */
  const ruleWith = (op: string, members: object, inputs: object = {}): string => {
    const text = JSON.parse(
      writtenPreview([{ ...kept, op, before: op === "create" ? undefined : office, after: office }]),
    ) as { steps: { oldState?: { inputs: object }; newState: { inputs: object } }[] };
    const [step] = text.steps;
    const plainInputs = { ...office, __provider: shimOf("IpPolicyRule") };
    if (step!.oldState) Object.assign(step!.oldState, registered, { inputs: plainInputs });
    Object.assign(step!.newState, registered, members, { inputs: { ...plainInputs, ...inputs } });
    return JSON.stringify(text);
  };

  it.each<[string, object, object]>([
    [
      "its provider",
      { provider: "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::default_x::id" },
      {},
    ],
    ["whether it is a component", { custom: false }, {}],
    ["whether the program only reads it", { external: true }, {}],
    ["retainOnDelete", { retainOnDelete: true }, {}],
    ["deletedWith", { deletedWith: "urn:pulumi:test::written::aws:s3/bucket:Bucket::b" }, {}],
    ["its type", { type: "other:index:Rule" }, {}],
    ["the code of its dynamic provider", {}, { __provider: "other code" }],
  ])("is not what was approved when %s is another one, also without a step", (what, members, inputs) => {
    const approved = ruleWith("create", {});
    expect(checked(approved, approved)).toEqual(accepted);
    // What is no rule of this package any more may be more than that.
    expect(checked(approved, ruleWith("create", members, inputs)).errors.join("\n")).toContain(
      `kept: not what was approved: ${what}`,
    );
    const same = ruleWith("same", {});
    const changed = ruleWith("same", members, inputs);
    expect(checked(same, changed).errors.join("\n")).toContain(
      `kept: without a step, ${what} would be changed, but that was not approved`,
    );
  });

  it("is not what was approved when the program reads another object", () => {
    const type = "aws:ec2/vpc:Vpc";
    const reading = (op: string, id?: string, old?: string): string => {
      const state = (each?: string): object => ({ type, custom: true, external: true, id: each, inputs: {} });
      const urn = `urn:pulumi:test::written::${type}::net`;
      return withSteps(writtenPreview([kept]), [
        { op, urn, newState: state(id), ...(old !== undefined && { oldState: state(old) }) },
      ]);
    };
    const approved = reading("read", "vpc-1");
    expect(checked(approved, approved)).toEqual(accepted);
    const other = `${type} net: not what was approved: the object that it reads`;
    expect(checked(approved, reading("read", "vpc-2")).errors).toEqual([other]);
    expect(checked(reading("read"), approved).errors).toEqual([other]);
    const moved = `${type} net: without a step, the object that it reads would be changed, but that was not approved`;
    expect(checked(reading("read", "vpc-1", "vpc-1"), reading("read", "vpc-2", "vpc-1")).errors).toEqual([
      moved,
    ]);
  });

  it("is not what was approved when inputs of an unchanged resource are others", () => {
    const [same, changed] = [ruleWith("same", {}), ruleWith("same", {}, { description: "other" })];
    expect(checked(same, changed).errors).toEqual([
      "IpPolicyRule kept: without a step, the inputs would be changed, but that was not approved",
    ]);
  });
});

describe("a value", () => {
  const withValue = (json: string): string =>
    writtenPreview([{ type: "IpPolicy", name: "p", after: { metadata: JSON.parse(json) as unknown } }]);

  it.each([
    [`["a", "b"]`, `["a", "b"]`, true],
    [`["a", "b"]`, `["b", "a"]`, false],
    [`["a", "b"]`, `["a", "c"]`, false],
    [`["a"]`, `["a", "b"]`, false],
    [`["a", "b"]`, `["a"]`, false],
    [`["a"]`, `"a"`, false],
    [`["a"]`, `{ "0": "a", "length": 1 }`, false],
    [`{ "a": 1, "b": 2 }`, `{ "b": 2, "a": 1 }`, true],
    [`{ "a": 1 }`, `{ "a": 2 }`, false],
    [`{ "a": 1 }`, `{ "a": 1, "b": 1 }`, false],
    [`{ "a": 1, "b": 1 }`, `{ "a": 1 }`, false],
    [`{}`, `{ "__proto__": {} }`, false],
    [`{ "__proto__": {} }`, `{}`, false],
    [`{ "a": { "b": ["c"] } }`, `{ "a": { "b": ["c"] } }`, true],
    [`{ "a": { "b": ["c"] } }`, `{ "a": { "b": ["d"] } }`, false],
    [`{}`, `[]`, false],
    [`{}`, `null`, false],
    [`{}`, `""`, false],
    [`null`, `{}`, false],
    [`""`, `null`, false],
    [`0`, `false`, false],
    [`0`, `"0"`, false],
    [`false`, `false`, true],
  ])("%s that was approved and %s that is asked now: accepted is %s", (before, later, isAccepted) => {
    expect(checked(withValue(before), withValue(later))).toEqual({
      errors: isAccepted ? [] : ["IpPolicy p: the value of metadata is not the one that was approved"],
      notes: [],
    });
  });
});

describe("a value that was not known", () => {
  const created: Written = { type: "IpPolicy", name: "vpn", id: "ipp_vpn", after: {} };
  const existing: Written = { ...created, before: {} };
  const fromVpn = { ipPolicyId: [urnOf("IpPolicy", "vpn")] };
  const rule = (ipPolicyId: unknown, more: object = {}): Written => ({
    ...{ type: "IpPolicyRule", name: "r", after: { ...office, ipPolicyId, ...more }, from: fromVpn },
  });
  const done = ": 1 of 2 approved steps is done already";
  const refusedId = "IpPolicyRule r: the value of ipPolicyId is not the one that was approved";

  it("is the id of what an approved step has created, and nothing else", () => {
    const approved = writtenPreview([created, rule(unknown)]);
    const later = (id: unknown) => checked(approved, writtenPreview([existing, rule(id)]));
    expect(later("ipp_vpn")).toEqual({ errors: [], notes: [done] });
    expect(later(unknown)).toEqual({ errors: [], notes: [done] });
    for (const other of ["ipp_office", "", null, undefined, 1, ["ipp_office"], ["ipp_vpn", "ipp_office"]])
      expect([other, later(other)]).toEqual([other, { errors: [refusedId], notes: [done] }]);
  });

  it("is a list of such ids", () => {
    const lists = (ipPolicyIds: unknown): Written => ({
      ...{ type: "TcpEdge", name: "e", after: { ipRestriction: { ipPolicyIds } } },
      from: { ipRestriction: [urnOf("IpPolicy", "vpn")] },
    });
    const approved = writtenPreview([created, lists(unknown)]);
    const later = (ids: unknown): string[] => {
      const { errors } = checked(approved, writtenPreview([existing, lists(ids)]));
      return errors.filter((each) => each.includes("the value of"));
    };
    expect(later(["ipp_vpn"])).toEqual([]);
    expect(later(["ipp_vpn", unknown])).toEqual([]);
    expect(later(["ipp_vpn", "ipp_office"])).toEqual([
      "TcpEdge e: the value of ipRestriction is not the one that was approved",
    ]);
  });

  it("is any value of another kind, once the step that it comes from is done", () => {
    const described = (description: unknown): Written => ({
      ...{ type: "IpPolicyRule", name: "r", after: { ...office, description } },
      from: { description: [urnOf("IpPolicy", "vpn")] },
    });
    const approved = writtenPreview([created, described(unknown)]);
    const later = (vpn: Written) => checked(approved, writtenPreview([vpn, described("made of ipp_vpn")]));
    expect(later(existing)).toEqual({ errors: [], notes: [done] });
    expect(later(created).errors).toEqual([
      "IpPolicyRule r: the value of description is not the one that was approved",
    ]);
  });

  it("stays unknown where it comes from anything else than an approved step", () => {
    const approval = edited([created, rule(unknown)], ({ steps }) => ({
      steps: steps.filter(({ name }) => name !== "vpn"),
    }));
    const later = writtenPreview([existing, rule("ipp_vpn")]);
    expect(checked(approval, later)).toEqual({ errors: [refusedId], notes: [] });
  });

  it("comes from the same resources as it did, in any order", () => {
    const spare: Written = { type: "IpPolicy", name: "spare", id: "ipp_spare", after: {} };
    const both = (order: (urns: string[]) => string[], id: unknown, vpn: Written): string => {
      const urns = order([urnOf("IpPolicy", "vpn"), urnOf("IpPolicy", "spare")]);
      return writtenPreview([
        { ...spare, before: vpn.before },
        vpn,
        { ...rule(id), from: { ipPolicyId: urns } },
      ]);
    };
    const approved = both((urns) => urns, unknown, created);
    expect(approve(approved).steps.find(({ name }) => name === "r")).toMatchObject({
      from: { ipPolicyId: [urnOf("IpPolicy", "spare"), urnOf("IpPolicy", "vpn")] },
      waitsFor: [urnOf("IpPolicy", "spare"), urnOf("IpPolicy", "vpn")],
    });
    expect(
      checked(
        approved,
        both((urns) => urns.reverse(), "ipp_vpn", existing),
      ).errors,
    ).toEqual([]);
    expect(
      checked(
        approved,
        both((urns) => urns.slice(0, 1), "ipp_vpn", existing),
      ).errors,
    ).toEqual([refusedId]);
  });

  it("may come from a resource of another package too, unless it decides access", () => {
    const bucket = "urn:pulumi:test::written::aws:s3/bucket:Bucket::b";
    const both = (id: unknown) => ({ ...rule(id), from: { ipPolicyId: [bucket, urnOf("IpPolicy", "vpn")] } });
    const approved = writtenPreview([created, both(unknown)]);
    const later = (id: unknown) => checked(approved, writtenPreview([existing, both(id)])).errors;
    const unbound = expect.stringContaining("the approval does not bind: ipPolicyId was not known") as string;
    expect([later("ipp_vpn"), later("b")]).toEqual([[unbound], [unbound, refusedId]]);
    const group: Written = {
      type: "TunnelGroupBackend",
      name: "web",
      id: "bkdtg_web",
      after: { labels: {} },
    };
    const failover = (id: unknown): Written => ({
      ...{ type: "FailoverBackend", name: "f", after: { backends: [id] } },
      from: { backends: [bucket, urnOf("TunnelGroupBackend", "web")] },
    });
    const then = writtenPreview([group, failover(unknown)]);
    const found = (id: unknown) =>
      checked(then, writtenPreview([{ ...group, before: group.after! }, failover(id)])).errors;
    expect([found("bkdtg_web"), found("b")]).toEqual([
      [],
      ["FailoverBackend f: the value of backends is not the one that was approved"],
    ]);
  });

  it("is the only kind of which the approval names the resources that it comes from", () => {
    const two = { ...rule(unknown, { cidr: unknown }), name: "two" };
    const fromTwo = { ...fromVpn, cidr: [urnOf("IpPolicy", "office")] };
    const { steps } = approve(
      writtenPreview([
        ...[created, rule(unknown), { ...two, from: fromTwo }],
        { ...kept, before: undefined },
      ]),
    );
    expect(steps.map(({ name, from }) => [name, from])).toEqual([
      ["vpn", {}],
      ["r", fromVpn],
      ["two", fromTwo],
      ["kept", {}],
    ]);
  });

  it("may have the name of a member that every object has", () => {
    const named = writtenPreview([{ type: "IpPolicy", name: "p", after: { constructor: unknown } }]);
    expect(approve(named).steps[0]!.from).toEqual({ constructor: [] });
    expect(checked(named, named)).toEqual(accepted);
  });
});

describe("who gets in", () => {
  const approved = writtenPreview([policy, kept, edge]);
  const wider: Written = {
    ...kept,
    name: "wider",
    before: undefined,
    after: { ...office, cidr: "10.0.0.0/8" },
  };

  it("is not compared at what was approved to be deleted, and is deleted", () => {
    const deleted = writtenPreview([policy, kept, { ...edge, after: undefined }]);
    expect(checked(deleted, deleted)).toEqual(accepted);
    expect(checked(deleted, approved).errors).toEqual([
      "TcpEdge database: it was approved to be deleted; the preview neither does that nor shows it as done",
      "TcpEdge database: the approval does not say who gets in",
    ]);
  });

  it("is refused at a guard that nobody approved, not at one that such a change deletes", () => {
    const approval = writtenPreview([policy, kept]);
    expect(checked(approval, approved).errors).toEqual([
      "TcpEdge database: the approval does not say who gets in",
    ]);
    expect(checked(approval, writtenPreview([policy, kept, { ...edge, after: undefined }])).errors).toEqual([
      "TcpEdge database: it is to be deleted, but that was not approved",
    ]);
  });

  it("is refused where what was to be guarded is to be deleted", () => {
    expect(checked(approved, writtenPreview([policy, kept, { ...edge, after: undefined }])).errors).toEqual([
      "TcpEdge database: it is to be deleted, but that was not approved",
      "TcpEdge database: it was approved to be guarded, and does not exist after the deployment",
    ]);
  });

  it("is that of the new place of a module that moves, and the old place is no longer guarded", () => {
    const module: Written = {
      ...{ type: "TlsEdgeIpRestriction", name: "console", id: "edgtls_1", op: "replace" },
      before: { edgeId: "edgtls_1", ipPolicyIds: ["ipp_office"] },
      after: { edgeId: "edgtls_2", ipPolicyIds: ["ipp_office"] },
      from: { ipPolicyIds: [urnOf("IpPolicy", "office")] },
    };
    const moved = writtenPreview([policy, kept, module]);
    expect(checked(moved, moved)).toEqual(accepted);
    expect(checked(moved, writtenPreview([policy, kept, wider, module])).errors).toEqual([
      "IpPolicyRule wider: it is to be created, but that was not approved",
      "TlsEdgeIpRestriction console: 10.0.0.0/8 (16,777,216 addresses) would be allowed, but that was not approved",
    ]);
    const deleted = { ...module, op: "delete", after: undefined };
    expect(checked(moved, writtenPreview([policy, kept, deleted])).errors).toContain(
      "TlsEdgeIpRestriction console: it was approved to be guarded, and does not exist after the deployment",
    );
  });

  it("is refused where a restriction has begun that was approved to be off", () => {
    const off = { ipRestriction: { enabled: false, ipPolicyIds: ["ipp_office"] } };
    const open = writtenPreview([policy, kept, { ...edge, before: off, after: off }]);
    expect(checked(open, open)).toEqual(accepted);
    expect(checked(open, approved).errors).toEqual([
      "TcpEdge database: it was approved that its access is not restricted",
    ]);
  });

  it("may be more where a range was not known, and never less", () => {
    const computed: Written = {
      ...{ type: "IpPolicyRule", name: "open", after: { ...office, cidr: unknown } },
      from: { ...fromOffice, cidr: [urnOf("IpPolicy", "vpn")] },
    };
    const vpn: Written = { type: "IpPolicy", name: "vpn", id: "ipp_vpn", after: {} };
    const approval = writtenPreview([policy, kept, edge, vpn, computed]);
    const known: Written = { ...computed, after: { ...office, cidr: "192.0.2.0/24" } };
    const later = (...rules: Written[]): string[] =>
      checked(approval, writtenPreview([policy, edge, { ...vpn, before: {} }, ...rules])).errors;
    const unbound =
      "IpPolicyRule open: the approval does not bind: cidr was not known when it was approved and decides access. Deploy what " +
      "it comes from first, or write the value into the program";
    expect(checked(approval, approval)).toEqual({ ...accepted, errors: [unbound] });
    expect(later(kept, known)).toEqual([unbound]);
    expect(later(known)).toEqual([
      unbound,
      "TcpEdge database: 203.0.113.0/24 (256 addresses) would not be allowed, although that was approved",
    ]);
  });

  it("is refused where more of it is unknown than was approved", () => {
    const unclear = { ...wider, after: { ...office, cidr: unknown } };
    expect(
      checked(writtenPreview([policy, kept, edge, wider]), writtenPreview([policy, kept, edge, unclear]))
        .errors,
    ).toEqual([
      "IpPolicyRule wider: the value of cidr is not the one that was approved",
      "TcpEdge database: 10.0.0.0/8 (16,777,216 addresses) would not be allowed, although that was approved",
      "TcpEdge database: more of its access is unknown than was approved",
    ]);
  });

  it("is refused where as much of it is unknown as was approved, and of another rule", () => {
    const approval = edited([policy, kept, edge], ({ access }) => ({
      access: access.map((entry) => ({
        ...entry,
        after: entry.after && { ...entry.after, unknown: ["IpPolicyRule other"] },
      })),
    }));
    const open: Written = {
      ...{ type: "IpPolicyRule", name: "kept", before: office, from: fromOffice },
      after: { ...office, cidr: unknown },
    };
    const { errors } = checked(approval, writtenPreview([policy, open, edge]));
    expect(errors).toContain("TcpEdge database: more of its access is unknown than was approved");
  });

  it("counts a range of the file that is none as no range", () => {
    const approval = edited([policy, kept, edge], ({ access: [first] }) => ({
      access: [{ ...first, after: { ...first!.after, allowed: ["anything", "203.0.113.0/25"] } }],
    }));
    expect(checked(approval, approved).errors).toEqual([
      "TcpEdge database: 203.0.113.128/25 (128 addresses) would be allowed, but that was not approved",
    ]);
  });
});

describe("a review of what was approved", () => {
  const all = { ...office, cidr: "0.0.0.0/0" };
  const opened: Written = { ...kept, name: "all", before: undefined, after: all };
  const old: Written = { ...kept, name: "old", after: undefined };

  it("begins with what nobody approved and ends with the notes; errors of other rules stay what they are", () => {
    const preview = readPreview(writtenPreview([policy, edge, opened]));
    const made = review(preview, { now });
    const approval = edited(
      [policy, old, edge, { ...opened, after: { ...all, description: "x" } }],
      () => ({}),
    );
    const { findings } = approvedReview(preview, made, approval);
    const own = made.findings.length;
    expect(made.findings.some(({ severity }) => severity === "error")).toBe(true);
    expect(findings).toHaveLength(own + 2);
    expect(findings.slice(1, 1 + own)).toEqual(made.findings);
    expect(findings.map(isDeviation)).toEqual(findings.map((_, i) => i === 0));
    expect([findings[0], findings.at(-1)]).toEqual([
      {
        ...{
          rule: "approval/changed",
          severity: "error",
          urn: urnOf("IpPolicyRule", "all"),
          place: undefined,
        },
        ...{ type: "IpPolicyRule", name: "all" },
        message: "the value of description is not the one that was approved",
      },
      {
        ...{ rule: "approval/changed", severity: "note", urn: "", type: "", name: "", place: undefined },
        message: "1 of 2 approved steps is done already",
      },
    ]);
  });

  it("is refused for another project of the same stack's name, and not for a preview that names no stack", () => {
    const approved = writtenPreview([old]);
    const elsewhere = approved.replaceAll("::written::", "::elsewhere::");
    expect(() => checked(approved, elsewhere)).toThrow(
      "the approval is that of the stack written/test, not of elsewhere/test",
    );
    expect(checked(approved, writtenPreview([]))).toEqual({
      ...accepted,
      notes: [": 1 of 1 approved step is done already"],
    });
  });
});

it("an approval holds for the semantics that it was made with; one without them for the defaults", () => {
  const preview = readPreview(writtenPreview([policy, kept, edge]));
  const denied = { ...unknownSemantics, unmatched: "denied" } as const;
  const errors = (semantics: Semantics, approval: Approval): string[] =>
    approvedReview(preview, review(preview, { now, semantics }), approval)
      .findings.filter(isDeviation)
      .map(({ message }) => message);
  const approvedWith = (semantics: Semantics) => approvalOf(preview, review(preview, { now, semantics }));
  const { semantics: _, ...old } = approvedWith(unknownSemantics);
  for (const approval of [approvedWith(unknownSemantics), old]) {
    expect(errors(unknownSemantics, approval)).toEqual([]);
    expect(errors(denied, approval)).toContain(
      "the setting semantics is not the one that was approved: unmatched is denied, and was unknown",
    );
  }
  expect(errors(denied, approvedWith(denied))).toEqual([]);
  expect(errors(unknownSemantics, approvedWith(denied))).toContain(
    "the setting semantics is not the one that was approved: unmatched is unknown, and was denied",
  );
});
