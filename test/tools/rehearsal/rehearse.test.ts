import type { ApprovedStep } from "../../../src/tools/approval/approval";
import { stepsOf } from "../../../src/tools/approval/approve";
import { differenceIn } from "../../../src/tools/approval/template";
import { readPreview } from "../../../src/tools/inventory/read-preview";
import { gapText } from "../../../src/tools/rehearsal/planned-steps";
import { rehearse } from "../../../src/tools/rehearsal/rehearse";
import type { Rehearsal, RehearsalOptions } from "../../../src/tools/rehearsal/rehearse";
import { unknown } from "../../../src/schema/unknown";
import { recorded } from "../../support/recorded";
import { makeCertificate } from "../../support/x509";
import { deletedFirst, urnOf, writtenPreview } from "../review/support";
import type { Written } from "../review/support";

function rehearsed(resources: readonly Written[], options: RehearsalOptions = {}): Promise<Rehearsal> {
  return rehearse(readPreview(writtenPreview(resources)).plan, options);
}

/** The steps as Pulumi prints them, completed. */
function rehearsedSteps(
  steps: readonly object[],
  options: RehearsalOptions = {},
  config: object = {},
): Promise<Rehearsal> {
  return rehearse(readPreview(JSON.stringify(recorded({ steps, config, changeSummary: {} }))).plan, options);
}

function writesOf({ requests }: Rehearsal): string[] {
  const writes = requests.filter(({ method }) => method !== "GET");
  return writes.map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body) ?? ""}`.trim());
}

const policy: Written = { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: {} };

/** Two rules that stand for the entries of a set, and one of somebody else. */
const held = ["10.0.0.0/24", "10.0.0.0/26", "10.9.0.0/16"].map((cidr, i) => {
  return { id: `ipr_${i + 1}`, cidr, action: "allow", ip_policy: { id: "ipp_1", uri: "" } };
});

describe("A rehearsal", () => {
  test("works on the objects that the stack records where nobody has read the account, and says so", async () => {
    const rehearsal = await rehearsed([
      {
        type: "IpPolicy",
        name: "office",
        id: "ipp_office",
        before: { description: "a" },
        after: { description: "b" },
      },
      {
        ...{ type: "IpPolicyRule", name: "rule", id: "ipr_1" },
        before: { cidr: "10.0.0.0/8", action: "allow", ipPolicyId: "ipp_other" },
      },
    ]);
    expect(writesOf(rehearsal)).toEqual([
      'PATCH /ip_policies/ipp_office {"description":"b"}',
      "DELETE /ip_policy_rules/ipr_1",
    ]);
    const [{ before, after }] = rehearsal.accounts as [Rehearsal["accounts"][0]];
    expect(before.ip_policies).toMatchObject([{ id: "ipp_office", description: "a" }, { id: "ipp_other" }]);
    expect(after.ip_policies).toMatchObject([{ id: "ipp_office", description: "b" }, { id: "ipp_other" }]);
    expect([before.ip_policy_rules, after.ip_policy_rules]).toMatchObject([[{ cidr: "10.0.0.0/8" }], []]);
    expect([rehearsal.incomplete, rehearsal.unread]).toEqual([
      [],
      ["the account was not read: only what the stack records is known, and nothing about ipp_other"],
    ]);
  });

  test("tells apart what the writes change that a set sends at once", async () => {
    const rules = Object.fromEntries([1, 2, 3].map((part) => [`10.${part}.0.0/16`, "allow"]));
    const set: Written = { type: "IpPolicyRuleSet", name: "set", after: { ipPolicyId: "ipp_office", rules } };
    const { requests } = await rehearsed([policy, set]);
    const created = requests.filter(({ method }) => method === "POST");
    expect(created.map(({ changes }) => changes.map(({ object }) => object!.cidr))).toEqual(
      created.map(({ body }) => [(body as { cidr: string }).cidr]),
    );
    expect(created).toHaveLength(3);
  });

  test("shows the account after each write by what the write changes", async () => {
    const { requests } = await rehearsed([{ ...policy, before: { description: "a" }, after: {} }]);
    expect(requests.map(({ method, changes }) => ({ method, changes }))).toEqual([
      {
        method: "PATCH",
        changes: [
          {
            list: "ip_policies",
            id: "ipp_office",
            object: expect.objectContaining({ id: "ipp_office" }) as object,
          },
        ],
      },
    ]);
  });

  test("fills an unknown id by the data flow, and names every other unknown value", async () => {
    const made: Written = { type: "IpPolicy", name: "made", after: {} };
    const from = { ipPolicyId: [urnOf("IpPolicy", "made"), urnOf("IpPolicy", "office")] };
    const rule = { cidr: "10.0.0.0/8", action: "allow", ipPolicyId: unknown };
    const text = { description: unknown };
    const rehearsal = await rehearsed([
      policy,
      made,
      { type: "IpPolicyRule", name: "rule", after: rule, from },
      { type: "IpPolicy", name: "text", after: text, from: { description: [urnOf("IpPolicy", "made")] } },
      { type: "IpPolicy", name: "got", op: "read", id: unknown },
    ]);
    const id = rehearsal.made.get(urnOf("IpPolicy", "made"))!;
    expect(writesOf(rehearsal)).toEqual([
      "POST /ip_policies {}",
      `POST /ip_policy_rules {"cidr":"10.0.0.0/8","ip_policy_id":"${id}","action":"allow"}`,
      `POST /ip_policies {"description":"${unknown}"}`,
    ]);
    expect(rehearsal.unknowns).toEqual([{ urn: urnOf("IpPolicy", "text"), argument: "description" }]);
    expect(rehearsal.refusals).toEqual([]);
  });

  test("makes what has an unknown value, and blames the service for what it refuses beside one", async () => {
    const rules = {
      "10.0.0.0/8": { action: "allow", description: unknown },
      "11.0.0.0/8": { action: "allow", metadata: "x".repeat(4097) },
    };
    const rule = { cidr: unknown, action: "allow", ipPolicyId: "ipp_office" };
    const { made, refusals } = await rehearsed([
      policy,
      { type: "IpPolicyRule", name: "rule", after: rule },
      { type: "IpPolicyRuleSet", name: "set", after: { ipPolicyId: "ipp_office", rules } },
    ]);
    expect(made.get(urnOf("IpPolicyRule", "rule"))).toMatch(/^ipr_/);
    expect(refusals).toMatchObject([{ message: expect.stringContaining("metadata") as string }]);
  });

  test("lets a masked private key pass, and sends a secret that the engine says changes", async () => {
    const { pem } = makeCertificate({ dnsNames: ["shop.example.com"] });
    const certificate = { certificatePem: pem, privateKeyPem: "[secret]" };
    const place = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
    const module = { ...place, provider: "SLACK", secret: "[secret]" };
    const urn = urnOf("HttpsEdgeRouteWebhookVerification", "hook");
    const state = {
      id: "edghts_1/edghtsrt_1",
      inputs: module,
      outputs: { __args: ["provider", "secret"], ...module },
    };
    const update = { op: "update", urn, oldState: state, newState: state };
    const create = { op: "create", urn: urnOf("TlsCertificate", "site"), newState: { inputs: certificate } };
    const changed = await rehearsedSteps([create, { ...update, diffReasons: ["secret"] }]);
    expect(changed.refusals).toEqual([]);
    expect(changed.requests.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      "POST /tls_certificates 201",
      "PUT /edges/https/edghts_1/routes/edghtsrt_1/webhook_verification 200",
    ]);
    const same = await rehearsedSteps([{ ...update, diffReasons: [] }]);
    expect(writesOf(same)).toEqual([]);
    // Pulumi masks an output that has no value yet.
    const { secret: _, ...without } = module;
    const first = await rehearsedSteps([
      { ...update, oldState: { ...state, inputs: without }, diffReasons: ["secret"] },
    ]);
    expect(writesOf(first)).toHaveLength(1);
  });

  test("sends a secret of an object that may be what changes, which the deployment may leave out", async () => {
    const operator = (...endpointSelectors: string[]) => ({
      region: "global",
      enabledFeatures: ["bindings"],
      binding: { endpointSelectors, csr: "[secret]", ingressEndpoint: "in.example.com:443" },
    });
    const before = operator("a");
    const step = {
      ...{ op: "update", urn: urnOf("KubernetesOperator", "k8s"), diffReasons: ["binding"] },
      oldState: {
        id: "k8sop_1",
        inputs: before,
        outputs: { __args: Object.keys(before), principal: { id: "bot_1" }, ...before },
      },
      newState: { id: "k8sop_1", inputs: operator("b"), outputs: {} },
    };
    const plan = readPreview(JSON.stringify(recorded({ steps: [step], config: {}, changeSummary: {} }))).plan;
    const rehearsal = await rehearse(plan);
    expect([rehearsal.refusals, rehearsal.incomplete]).toEqual([[], []]);
    const [{ writes }] = stepsOf(plan, rehearsal) as [ApprovedStep];
    const binding = { endpoint_selectors: ["b"], ingress_endpoint: "in.example.com:443" };
    const differences = [{ ...binding, csr: "another" }, binding, { csr: "another" }].map((sent) =>
      differenceIn(writes[0]!, { binding: sent }, () => false),
    );
    expect(differences).toEqual([undefined, undefined, "/binding/endpoint_selectors"]);
    const described = { id: "k8sop_1", inputs: { ...before, description: "new" }, outputs: {} };
    const other = await rehearsedSteps([{ ...step, diffReasons: ["description"], newState: described }]);
    expect(writesOf(other)).toEqual(['PATCH /kubernetes_operators/k8sop_1 {"description":"new"}']);
    const put = { ...writes[0]!, method: "PUT" as const };
    expect(differenceIn(put, { binding }, () => false)).toBe("/binding/csr");
  });

  test("takes an answer that it cannot read for a value that nobody knows, and not for a refusal", async () => {
    const { refusals, unknowns } = await rehearsed([
      {
        ...{ type: "WeightedBackend", name: "both", id: "bkdwd_1" },
        before: { backends: { bkdtg_1: 5 } },
        after: { backends: unknown },
      },
    ]);
    expect([refusals, unknowns.map(({ argument }) => argument)]).toEqual([[], ["backends"]]);
  });

  test("names what the service refuses, and what the deployment then does not reach", async () => {
    const account = {
      ip_policies: [{ id: "ipp_office" }],
      ip_policy_rules: [{ id: "ipr_1", cidr: "10.0.0.0/8", action: "deny", ip_policy: { id: "ipp_office" } }],
    };
    const rule = { cidr: "10.0.0.0/8", action: "allow", ipPolicyId: "ipp_office" };
    const urn = urnOf("IpPolicyRule", "rule");
    const [after, through] = [urnOf("IpPolicy", "after"), urnOf("IpPolicy", "through")];
    const rehearsal = await rehearsedSteps(
      [
        { op: "create", urn, newState: { inputs: rule } },
        { op: "create", urn: after, newState: { inputs: {}, dependencies: [urn] } },
        {
          op: "create",
          urn: through,
          newState: { inputs: {}, propertyDependencies: { description: [urn] } },
        },
        { op: "create", urn: urnOf("IpPolicy", "free"), newState: { inputs: {} } },
        {
          op: "delete",
          urn: urnOf("IpPolicy", "office"),
          oldState: { id: "ipp_office", inputs: {}, outputs: {} },
        },
      ],
      { readAccount: () => account },
    );
    expect(rehearsal.refusals).toEqual([
      { urn, message: expect.stringMatching(/already exists in IP policy rule ipr_1/) as string },
    ]);
    expect(rehearsal.notReached).toEqual([after, through, urnOf("IpPolicy", "office")]);
    expect(writesOf(rehearsal)).toHaveLength(2);
    expect(rehearsal.incomplete).toEqual([]);
  });

  test.each([
    ["of the account", () => ({ ip_policies: [{ id: "ipp_1" }], ip_policy_rules: held }), ["ipr_2", "ipr_1"]],
    ["that they have at least, where nobody has read it", undefined, ["ipr_recorded1"]],
  ])("deletes the rules of a summarized set %s, which a preview masks", async (_, readAccount, deleted) => {
    const rules = { "10.0.0.0/25": "allow", "10.0.0.128/25": "allow" };
    const values = { ipPolicyId: "ipp_1", summarize: true, exclusive: false, rules };
    const set = {
      inputs: values,
      outputs: { __args: Object.keys(values), __heldRules: "[secret]", ...values },
    };
    const urn = urnOf("IpPolicyRuleSet", "set");
    const { requests, undone } = await rehearsedSteps(
      [{ op: "delete", urn, oldState: { id: "ipp_1", ...set } }],
      readAccount && { readAccount },
    );
    const deletions = requests.filter(({ method }) => method === "DELETE");
    expect(deletions.map(({ path }) => path.slice(path.lastIndexOf("/") + 1))).toEqual(deleted);
    expect(undone).toEqual([]);
  });

  test("takes what a preview masks of a summarized set from the rules of its own policy", async () => {
    const set = (...ranges: string[]) => {
      const rules = Object.fromEntries(ranges.map((range) => [range, "allow"]));
      return { ipPolicyId: "ipp_1", summarize: true, exclusive: false, rules };
    };
    const [own, second] = [held[0]!, held[1]!];
    const byHand = { ...second, description: "by hand" };
    const theirs = { ...second, id: "ipr_theirs", ip_policy: { id: "ipp_2" } };
    const rehearsal = await rehearsed(
      [
        {
          ...{ type: "IpPolicyRuleSet", name: "set", id: "ipp_1", outputs: { __heldRules: "[secret]" } },
          ...{ before: set("10.0.0.0/24"), after: set("10.0.0.0/24", "10.9.0.0/16") },
        },
      ],
      {
        readAccount: () => ({
          ip_policies: [{ id: "ipp_1" }, { id: "ipp_2" }],
          ip_policy_rules: [own, byHand, theirs],
        }),
      },
    );
    expect(writesOf(rehearsal)).toEqual([
      'POST /ip_policy_rules {"cidr":"10.9.0.0/16","ip_policy_id":"ipp_1","action":"allow"}',
    ]);
  });

  test("knows the rules of two sets with the same range, whose policies nobody has read", async () => {
    const sets = ["ipp_1", "ipp_2"].map((ipPolicyId) => ({
      ...{ type: "IpPolicyRuleSet", name: ipPolicyId, id: ipPolicyId },
      before: { ipPolicyId, rules: { "10.0.0.0/8": "allow" } },
    }));
    expect(writesOf(await rehearsed(sets))).toEqual([
      "DELETE /ip_policy_rules/ipr_recorded1",
      "DELETE /ip_policy_rules/ipr_recorded2",
    ]);
  });

  test("approves the deletion of what somebody has deleted, which the deployment sends all the same", async () => {
    // Of a new object, it sends several until the service certainly has none.
    for (const createdAt of ["2020-01-01T00:00:00Z", new Date(Date.now()).toISOString()]) {
      const deleted = { ...policy, after: undefined, outputs: { createdAt } };
      const plan = readPreview(writtenPreview([deleted])).plan;
      const steps = stepsOf(plan, await rehearse(plan, { readAccount: () => ({}) }));
      const [{ writes }] = steps as [(typeof steps)[number]];
      expect(writes).toMatchObject([{ method: "DELETE", path: "/ip_policies/ipp_office" }]);
    }
  });

  test("takes the lists that somebody has read as they are, and everything else as the stack records it", async () => {
    const office: Written = {
      ...policy,
      id: "ipp_office",
      before: { description: "a" },
      after: { description: "b" },
    };
    const rule = { cidr: "10.0.0.0/8", action: "allow", ipPolicyId: "ipp_office" };
    const made: Written = { type: "IpPolicyRule", name: "new", after: rule };
    const gone: Written = {
      type: "IpPolicyRule",
      name: "old",
      id: "ipr_old",
      before: { ...rule, cidr: "11.0.0.0/8" },
    };
    const byHand = {
      id: "ipr_hand",
      cidr: "10.0.0.0/8",
      action: "deny",
      ip_policy: { id: "ipp_office", uri: "" },
    };
    const { refusals, accounts, unread } = await rehearsed([office, made, gone], {
      lists: { ip_policy_rules: [byHand] },
    });
    expect(refusals).toMatchObject([{ message: expect.stringContaining("ipr_hand") as string }]);
    expect(accounts[0]!.before).toMatchObject({
      ip_policies: [{ id: "ipp_office" }],
      ip_policy_rules: [{ id: "ipr_hand" }],
    });
    expect(accounts[0]!.before.ip_policy_rules).toHaveLength(1);
    expect(unread).toEqual([
      "the account was not read, except ip_policy_rules: only what the stack records is known",
    ]);
  });

  test("takes the lists for those of the account of the default provider alone", async () => {
    const provider = "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::other";
    const inputs = { "tunnel-gateway:baseUrl": "https://other.example.com" };
    const state = { id: "ipp_1", provider: `${provider}::id`, inputs: {}, outputs: { __args: [] } };
    const rehearsal = await rehearsedSteps(
      [
        {
          op: "same",
          urn: provider,
          newState: { type: "pulumi:providers:pulumi-nodejs", custom: true, inputs },
        },
        {
          ...{ op: "update", urn: urnOf("IpPolicy", "theirs"), oldState: state },
          newState: { ...state, inputs: { description: "new" } },
        },
      ],
      { lists: { ip_policies: [] } },
    );
    expect(rehearsal.refusals).toEqual([]);
    expect(writesOf(rehearsal)).toEqual(['PATCH /ip_policies/ipp_1 {"description":"new"}']);
  });

  test.each<[string, object, string]>([
    [
      "the new one where it changes",

      { "tunnel-gateway:baseUrl": "https://new.example.com" },
      "https://new.example.com",
    ],
    [
      "none where only the deployment knows it",

      { "tunnel-gateway:baseUrl": unknown },
      "https://not-shown.invalid",
    ],
  ])("takes of the base URLs of a provider %s", async (_, inputs, baseUrl) => {
    const urn = "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::own";
    const provider = (values: object) => ({
      type: "pulumi:providers:pulumi-nodejs",
      custom: true,
      inputs: values,
    });
    const { accounts, incomplete } = await rehearsedSteps([
      {
        ...{ op: "update", urn, newState: provider(inputs) },
        oldState: provider({ "tunnel-gateway:baseUrl": "https://old.example.com" }),
      },
      { op: "create", urn: urnOf("IpPolicy", "made"), newState: { inputs: {}, provider: `${urn}::id` } },
    ]);
    expect([accounts.map((each) => each.baseUrl), incomplete]).toEqual([[baseUrl], []]);
  });

  test("knows what an argument refers to from now on", async () => {
    const edge = (policy: string) => ({
      hostports: ["a.example.com:1"],
      ipRestriction: { ipPolicyIds: [policy] },
    });
    const old = { id: "edgtcp_1", inputs: edge("ipp_old"), outputs: edge("ipp_old") };
    const { refusals } = await rehearsedSteps([
      {
        ...{ op: "update", urn: urnOf("TcpEdge", "db"), diffReasons: ["ipRestriction"] },
        ...{ oldState: old, newState: { ...old, inputs: edge("ipp_new") } },
      },
    ]);
    expect(refusals).toEqual([]);
  });

  test("creates no replacement of what the service does not delete", async () => {
    const backend = {
      type: "TunnelGroupBackend",
      name: "web",
      id: "bkdtg_1",
      before: { labels: { a: "b" } },
    };
    const used: Written = {
      ...{ type: "WeightedBackend", name: "all", id: "bkdwd_1" },
      ...{ before: { backends: { bkdtg_1: 1 } }, after: { backends: { bkdtg_1: 1 } } },
    };
    const { refusals, notReached } = await rehearsed([
      used,
      ...deletedFirst({ ...backend, after: { labels: { a: "c" } } }),
    ]);
    expect([refusals.length, notReached]).toEqual([1, [urnOf("TunnelGroupBackend", "web")]]);
  });

  test.each([[["create"]], [["replace", "create-replacement"]]])(
    "creates what an interrupted replacement has deleted, as the account no longer has it: %j",
    async (ops) => {
      const values = { cidr: "10.0.0.0/8", action: "allow", ipPolicyId: "ipp_office" };
      const old = { id: "ipr_old", inputs: values, outputs: { __args: Object.keys(values), ...values } };
      const urn = urnOf("IpPolicyRule", "rule");
      const steps = ops.map((op) => ({ op, urn, oldState: old, newState: { inputs: values } }));
      const { refusals, requests } = await rehearsedSteps(steps);
      expect([refusals, requests.map(({ status }) => status)]).toEqual([[], [201]]);
    },
  );

  test("asks for no deletion of what the engine keeps, of what goes with another object, and of what is gone", async () => {
    const old = (name: string, more: object) => ({
      op: "delete",
      urn: urnOf("IpPolicy", name),
      oldState: { id: `ipp_${name}`, inputs: {}, outputs: { __args: [] }, ...more },
    });
    const rehearsal = await rehearsedSteps([
      old("retained", { retainOnDelete: true }),
      old("with", { deletedWith: urnOf("IpPolicy", "last") }),
      { ...old("pending", {}), op: "remove-pending-replace" },
      old("read", { external: true }),
      old("last", {}),
      old("beside", { deletedWith: urnOf("IpPolicy", "stays") }),
      { ...old("got", { external: true }), op: "discard" },
      ...["got", "pending"].map((name) => old(`with-${name}`, { deletedWith: urnOf("IpPolicy", name) })),
    ]);
    expect(writesOf(rehearsal)).toEqual(["DELETE /ip_policies/ipp_last", "DELETE /ip_policies/ipp_beside"]);
  });

  test("does not know whether the engine deletes what is to go with an object that it deletes first, or one that the preview does not show", async () => {
    const state = (name: string, more: object = {}) => ({
      ...{ id: `ipp_${name}`, inputs: {}, outputs: { __args: [] }, ...more },
    });
    const step = (op: string, name: string, more: object = {}) => ({
      ...{ op, urn: urnOf("IpPolicy", name) },
      ...(op.startsWith("delete") ? { oldState: state(name, more) } : { newState: { inputs: {} } }),
    });
    const named = (name: string) => ({ deletedWith: urnOf("IpPolicy", name) });
    const { requests, undone } = await rehearsedSteps([
      ...["first", "both"].flatMap((name) => [
        step("delete-replaced", name, name === "both" ? named("first") : named("gone")),
        step("create-replacement", name),
      ]),
      step("delete", "with", named("first")),
      step("create-replacement", "last"),
      step("delete-replaced", "last"),
      step("delete", "kept", named("last")),
      step("delete", "gone"),
      step("delete", "unseen", {
        deletedWith: "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::default",
      }),
    ]);
    const deleted = requests.flatMap(({ method, path }) => (method === "DELETE" ? path : []));
    expect(deleted).toEqual(
      ["first", "both", "with", "last", "gone", "unseen"].map((name) => `/ip_policies/ipp_${name}`),
    );
    const unsure = ["both", "with", "unseen"];
    expect(undone.map(({ urn }) => urn)).toEqual(unsure.map((name) => urnOf("IpPolicy", name)));
  });

  test("knows both objects of a resource whose replacement an interrupt left half done", async () => {
    const urn = urnOf("IpPolicy", "office");
    const state = (id: string, description: string) => ({
      ...{ id, inputs: { description }, outputs: { __args: ["description"], description } },
    });
    const rehearsal = await rehearsedSteps([
      { op: "update", urn, oldState: state("ipp_new", "a"), newState: state("ipp_new", "b") },
      { op: "delete-replaced", urn, oldState: state("ipp_old", "a") },
    ]);
    expect(rehearsal.refusals).toEqual([]);
    expect(writesOf(rehearsal)).toEqual([
      'PATCH /ip_policies/ipp_new {"description":"b"}',
      "DELETE /ip_policies/ipp_old",
    ]);
  });

  test("waits for the rate limit in virtual time", async () => {
    const many = Array.from({ length: 25 }, (_, i) => ({
      ...{ op: "create", urn: urnOf("IpPolicy", `p${i}`), newState: { inputs: {} } },
    }));
    const { milliseconds, requests } = await rehearsedSteps(
      many,
      {},
      { "tunnel-gateway:requestsPerMinute": "10" },
    );
    expect(requests).toHaveLength(25);
    expect(milliseconds).toBeGreaterThan(120_000);
    expect(milliseconds).toBeLessThan(130_000);
  });

  test("takes two providers with one base URL for one account, and lists what is not of this package", async () => {
    const provider = (name: string) => `urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::${name}`;
    const inputs = { "tunnel-gateway:baseUrl": "https://api.example.com/" };
    const step = (name: string) => ({
      ...{ op: "create", urn: urnOf("IpPolicy", name) },
      newState: { inputs: {}, provider: `${provider(name)}::id` },
    });
    const own = ["one", "two"].map((name) => ({
      ...{ op: "same", urn: provider(name) },
      newState: { type: "pulumi:providers:pulumi-nodejs", custom: true, inputs },
    }));
    const other = {
      op: "create",
      urn: "urn:pulumi:test::written::aws:s3/bucket:Bucket::b",
      newState: { inputs: {} },
    };
    const rehearsal = await rehearsedSteps([...own, step("one"), step("two"), other], {
      readAccount: () => ({}),
    });
    expect(rehearsal.accounts.map(({ baseUrl, after }) => [baseUrl, after.ip_policies!.length])).toEqual([
      ["https://api.example.com", 2],
    ]);
    expect(rehearsal.others).toEqual([other.urn]);
    expect(rehearsal.incomplete).toEqual([]);
  });

  test("finds what a step of another provider takes from a set that replaces one of another policy", async () => {
    const [one, two] = ["one", "two"].map(
      (name) => `urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::${name}`,
    ) as [string, string];
    const settings = [one, two].map((urn) => ({
      ...{ op: "same", urn },
      newState: {
        ...{ type: "pulumi:providers:pulumi-nodejs", custom: true },
        inputs: { "tunnel-gateway:baseUrl": "https://api.example.com" },
      },
    }));
    const state = (provider: string, id: string, values: object) => ({
      ...{ id, provider: `${provider}::id`, inputs: values },
      outputs: { __args: Object.keys(values), ...values },
    });
    const urn = urnOf("IpPolicyRuleSet", "set");
    const set = (ipPolicyId: string) =>
      state(one, ipPolicyId, { ipPolicyId, rules: { "10.0.0.0/8": "allow" } });
    const rule = { ipPolicyId: "ipp_new", cidr: "10.0.0.0/8", action: "allow" };
    const { undone } = await rehearsedSteps([
      ...settings,
      { op: "create-replacement", urn, newState: set("ipp_new") },
      { op: "delete-replaced", urn, oldState: set("ipp_old") },
      { op: "delete", urn: urnOf("IpPolicyRule", "old"), oldState: state(two, "ipr_1", rule) },
    ]);
    expect(undone).toEqual([{ urn, message: 'another step changes its "rules"' }]);
  });

  test("finds an object that one step declares and another one takes", async () => {
    const values = { cidr: "10.0.0.0/8", action: "allow", ipPolicyId: "ipp_office", description: "lan" };
    const state = { id: "ipr_1", inputs: values, outputs: { __args: Object.keys(values), ...values } };
    const read = { ...state, external: true };
    const importing = { inputs: values, importID: "ipr_1" };
    const [renamed, old] = [urnOf("IpPolicyRule", "renamed"), urnOf("IpPolicyRule", "old")];
    const both = await rehearsedSteps([
      {
        op: "same",
        urn: urnOf("IpPolicyRule", "other"),
        oldState: { ...state, id: "ipr_2" },
        newState: state,
      },
      { op: "same", urn: urnOf("IpPolicyRule", "read"), oldState: read, newState: read },
      { op: "import", urn: renamed, newState: importing },
      { op: "delete", urn: old, oldState: state },
    ]);
    expect(both.refusals).toEqual([]);
    expect(both.undone).toEqual([{ urn: renamed, message: "another step deletes it" }]);
    const wider = { ...state, inputs: { ...values, description: "wide" } };
    const changed = await rehearsedSteps([
      { op: "import", urn: renamed, newState: importing },
      { op: "update", urn: old, oldState: state, newState: wider },
    ]);
    expect(changed.undone).toEqual([{ urn: renamed, message: 'another step changes its "description"' }]);
    // The reads that find this are none of the deployment.
    expect(changed.requests.at(-1)).toMatchObject({ method: "PATCH" });
    // An object in another one, as after a new name in the program.
    const place = { edgeId: "edghts_1", routeId: "edghtsrt_1", enabled: true };
    const id = "edghts_1/edghtsrt_1";
    const module = { id, inputs: place, outputs: { __args: Object.keys(place), ...place } };
    const [sameModule, oldModule] = [
      urnOf("HttpsEdgeRouteOauth", "same"),
      urnOf("HttpsEdgeRouteOauth", "old"),
    ];
    const inside = await rehearsedSteps([
      { op: "same", urn: sameModule, oldState: module, newState: module },
      { op: "delete", urn: oldModule, oldState: module },
    ]);
    expect(inside.undone).toEqual([{ urn: sameModule, message: "another step deletes it" }]);
  });

  describe("of an import, of which a preview shows the values of the program alone", () => {
    const urn = urnOf("IpPolicyRule", "lan");
    const values = { cidr: "10.0.0.0/8", action: "allow", ipPolicyId: "ipp_office" };
    const taken = (more: object = {}, op = "import") => {
      return { op, urn, newState: { inputs: values, importID: "ipr_1", ...more } };
    };
    const list = (cidr: string) => {
      return { ip_policy_rules: [{ id: "ipr_1", cidr, action: "allow", ip_policy: { id: "ipp_office" } }] };
    };
    const other = [{ urn, message: 'the account\'s object has another "cidr"' }];

    test("sends no write, and takes the values for those of the object where nobody has read it", async () => {
      const { requests, refusals, undone, incomplete } = await rehearsedSteps([taken()]);
      expect([refusals, undone, incomplete]).toEqual([[], [], []]);
      expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /ip_policy_rules/ipr_1"]);
      expect((await rehearsedSteps([taken()], { lists: list("10.0.0.0/8") })).undone).toEqual([]);
    });

    test.each([
      ["has other values", list("0.0.0.0/0"), {}, other],
      ["has other values that the program ignores", list("0.0.0.0/0"), { ignoreChanges: ["cidr"] }, []],
    ])("of an object that %s", async (_, lists, more, undone) => {
      expect((await rehearsedSteps([taken(more)], { lists })).undone).toEqual(undone);
    });

    test("of an object that does not exist, and of one that the next step changes", async () => {
      const none = await rehearsedSteps([taken()], { lists: { ip_policy_rules: [] } });
      expect(none.refusals[0]!.message).toContain("ipr_1 does not exist");
      const found = { ...values, cidr: "0.0.0.0/0" };
      const outputs = { __args: Object.keys(found), ...found };
      const changed = await rehearsedSteps([
        taken(),
        {
          ...{ op: "update", urn, oldState: { id: "ipr_1", inputs: found, outputs } },
          newState: { id: "ipr_1", inputs: values },
        },
      ]);
      expect([changed.undone, writesOf(changed)]).toEqual([
        [],
        ['PATCH /ip_policy_rules/ipr_1 {"cidr":"10.0.0.0/8"}'],
      ]);
    });

    test("of an object that another provider deletes, whose account may be the same", async () => {
      const provider = "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::second";
      const old = { id: "ipr_1", inputs: values, outputs: { __args: Object.keys(values), ...values } };
      const { undone } = await rehearsedSteps([
        {
          op: "create",
          urn: provider,
          newState: { inputs: { "tunnel-gateway:baseUrl": "https://a.example" } },
        },
        taken({ provider: `${provider}::id` }),
        { op: "delete", urn: urnOf("IpPolicyRule", "old"), oldState: old },
      ]);
      expect(undone).toEqual([{ urn, message: "a step with another provider changes or deletes it" }]);
    });

    test("that replaces an object: the old one is deleted", async () => {
      const old = { id: "ipr_0", inputs: values, outputs: { __args: Object.keys(values), ...values } };
      const replaced = await rehearsedSteps([
        taken({ inputs: { ...values, cidr: "10.0.0.0/9" } }, "import-replacement"),
        { op: "delete-replaced", urn, oldState: old },
      ]);
      expect([replaced.refusals, replaced.undone, writesOf(replaced)]).toEqual([
        [],
        [],
        ["DELETE /ip_policy_rules/ipr_0"],
      ]);
    });
  });

  test.each([
    ["https://b.example", 1],
    ["https://a.example", 0],
  ])(
    "finds an object whose new provider has another account, to which Pulumi moves nothing: %s",
    async (url, found) => {
      const base = "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::";
      const provider = (name: string, baseUrl: string) => {
        const inputs = { "tunnel-gateway:baseUrl": baseUrl };
        const state = { type: "pulumi:providers:pulumi-nodejs", custom: true, inputs };
        return { op: "same", urn: base + name, oldState: state, newState: state };
      };
      const urn = urnOf("ApiKey", "key");
      const key = {
        id: "ak_1",
        inputs: { description: "ci" },
        outputs: { __args: ["description"], description: "ci" },
      };
      const [oldState, newState] = ["old", "new"].map((name) => ({ ...key, provider: `${base}${name}::id` }));
      const { undone } = await rehearsedSteps([
        ...[provider("old", "https://a.example"), provider("new", url)],
        { op: "same", urn, oldState, newState },
      ]);
      const message = "its new provider has another account, or may have, and Pulumi moves no object there";
      expect(undone).toEqual(found === 0 ? [] : [{ urn, message }]);
    },
  );

  test.each<[string, object, object, number]>([
    ["has the key of the environment", {}, {}, 1],
    ["has a key", { "tunnel-gateway:apiKey": "[secret]" }, {}, 0],
    [
      "has a key of another variable",
      { __internal: { envVarMappings: { K: "TUNNEL_GATEWAY_API_KEY" } } },
      {},
      0,
    ],
    ["has not that of the stack", {}, { "tunnel-gateway:apiKey": "[secret]" }, 0],
  ])(
    "misses in the lists of the account no object of a provider that may have another: %s",
    async (_, more, config, count) => {
      const urn = "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::p";
      const state = { type: "pulumi:providers:pulumi-nodejs", custom: true, inputs: more };
      const inputs = { ipPolicyId: "ipp_9", cidr: "10.0.0.0/8", action: "allow" };
      const own = {
        id: "ipr_9",
        provider: `${urn}::id`,
        inputs,
        outputs: { __args: Object.keys(inputs), ...inputs },
      };
      const { refusals } = await rehearsedSteps(
        [
          { op: "same", urn, oldState: state, newState: state },
          {
            ...{ op: "update", urn: urnOf("IpPolicyRule", "own"), oldState: own },
            newState: { ...own, inputs: { ...inputs, description: "x" } },
          },
        ],
        { lists: { ip_policies: [], ip_policy_rules: [] } },
        config,
      );
      expect(refusals).toHaveLength(count);
    },
  );

  test.each(["pulumi:pulumi:StackReference", "random:index/randomPet:RandomPet"])(
    "needs no settings of the provider of another package: %s",
    async (type) => {
      const [own = ""] = type.split(":");
      const provider = `urn:pulumi:test::written::pulumi:providers:${own}::default::id`;
      const state = { type, custom: true, id: "id", provider };
      const urn = `urn:pulumi:test::written::${type}::other`;
      const { incomplete } = await rehearsedSteps([{ op: "same", urn, oldState: state, newState: state }]);
      expect(incomplete).toEqual([]);
    },
  );

  test("knows a provider that aliases rename", async () => {
    const base = "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::";
    const provider = (name: string) => ({
      ...{ urn: base + name, id: "id", type: "pulumi:providers:pulumi-nodejs", custom: true },
      inputs: { "tunnel-gateway:baseUrl": "https://a.example" },
    });
    const own = (name: string) => ({
      ...{ id: "ipp_1", inputs: {}, outputs: { __args: [] }, provider: `${base}${name}::id` },
    });
    const { undone, incomplete } = await rehearsedSteps([
      { op: "same", urn: `${base}new`, oldState: provider("old"), newState: provider("new") },
      { op: "same", urn: urnOf("IpPolicy", "own"), oldState: own("old"), newState: own("new") },
    ]);
    expect([undone, incomplete]).toEqual([[], []]);
  });

  test("finds a rule that another step creates in the policy of a set that allows no other rules", async () => {
    const set = { ipPolicyId: "ipp_office", exclusive: true, rules: { "10.0.0.0/8": "allow" } };
    const { undone } = await rehearsed([
      policy,
      { type: "IpPolicyRuleSet", name: "set", id: "ipp_office", before: set, after: set },
      { type: "IpPolicyRule", name: "more", after: { ...set, cidr: "11.0.0.0/8", action: "allow" } },
    ]);
    expect(undone).toEqual([
      { urn: urnOf("IpPolicyRuleSet", "set"), message: 'another step changes its "rules"' },
    ]);
  });

  test("takes modules of one edge, and rules of one policy, for objects of their own", async () => {
    const of = (type: string, name: string, id: string, values: object, changes: object) => ({
      ...{ op: "update", urn: urnOf(type, name) },
      oldState: { id, inputs: values, outputs: { __args: Object.keys(values), ...values } },
      newState: { id, inputs: { ...values, ...changes } },
    });
    const place = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
    const hook = { ...place, provider: "SLACK", secret: "[secret]" };
    const rule = { cidr: "10.0.0.0/8", action: "allow", ipPolicyId: "ipp_office" };
    const { undone, refusals } = await rehearsedSteps([
      of(
        "HttpsEdgeRouteIpRestriction",
        "lan",
        "edghts_1/edghtsrt_1",
        { ...place, ipPolicyIds: ["ipp_office"] },
        { enabled: false },
      ),
      of("HttpsEdgeRouteWebhookVerification", "hook", "edghts_1/edghtsrt_1", hook, { enabled: false }),
      of("IpPolicyRule", "one", "ipr_1", rule, { description: "one" }),
      of("IpPolicyRule", "two", "ipr_2", { ...rule, cidr: "11.0.0.0/8" }, { description: "two" }),
      of("IpPolicy", "office", "ipp_office", {}, { description: "office" }),
    ]);
    expect([undone, refusals]).toEqual([[], []]);
  });

  test("lets unknown values inside of an object pass, and does not blame the service for a masked one", async () => {
    const edge = { hostports: ["1.tcp.example.com:1"], ipRestriction: { ipPolicyIds: unknown } };
    const masked = {
      hostports: ["1.tcp.example.com:2"],
      ipRestriction: { ipPolicyIds: [], enabled: "[secret]" },
    };
    const made = await rehearsed([
      { type: "TcpEdge", name: "new", after: edge },
      {
        type: "TcpEdge",
        name: "old",
        id: "edgtcp_1",
        before: masked,
        after: { ...masked, description: "old" },
      },
    ]);
    expect(made.refusals).toEqual([]);
    expect(made.incomplete.map(gapText)).toEqual([
      expect.stringMatching(/::old: it is not rehearsed: .* is not as specified: /),
    ]);
    expect(writesOf(made)[0]).toMatch(/^POST \/edges\/tcp /);
  });

  test("blames the service for nothing where a module is new and one of its values is unknown", async () => {
    const place = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
    const oidc = {
      ...place,
      issuer: "https://id.example.com",
      clientId: unknown,
      clientSecret: "[secret]",
    };
    const { refusals, requests } = await rehearsed([
      { type: "HttpsEdgeRouteOidc", name: "staff", after: oidc },
    ]);
    expect(requests.map(({ method, status }) => `${method} ${status}`)).toEqual(["GET 404", "PUT 200"]);
    expect(refusals).toEqual([]);
  });

  test("is incomplete where the preview does not show how a resource is replaced, and of a text that is no preview none", async () => {
    const { incomplete } = await rehearsed([{ ...policy, op: "replace" }], { readAccount: () => ({}) });
    expect(incomplete).toEqual([
      {
        urn: urnOf("IpPolicy", "office"),
        message:
          "the preview does not show how it is replaced: make the preview with --show-sames --show-replacement-steps",
      },
    ]);
    expect(() => readPreview("{}")).toThrow("the input is not the output of `pulumi preview --json`");
  });
});
