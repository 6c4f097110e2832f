/** What an approval of a preview lists, and which later deployments are those that it approves. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readApprovals } from "../../../src/tools/approval/approval";
import type { Approval } from "../../../src/tools/approval/approval";
import { approvalOf } from "../../../src/tools/approval/approve";
import { differenceIn } from "../../../src/tools/approval/template";
import { rehearse } from "../../../src/tools/rehearsal/rehearse";
import { approvedReview, isDeviation } from "../../../src/tools/review/approved";
import { review } from "../../../src/tools/review/review";
import type { Review } from "../../../src/tools/review/review";
import { hiddenUrl, secretMask } from "../../../src/tools/stack/mask";
import { unknown } from "../../../src/schema/unknown";
import { hour } from "../../../src/schema/text/phrase";
import { ApprovedWrites } from "../../../src/tools/approval/approved-writes";
import type { LogLine } from "../../../src/tools/approval/write-log";
import { sshKey } from "../../rounds/values";
import { readPreview } from "../../support/recorded";
import { deletedFirst, urnOf, writtenPreview } from "../review/support";
import type { Written } from "../review/support";

const folder = join(__dirname, "../../fixtures/previews");
const now = Date.parse("2026-11-21T12:00:00Z");

async function approve(text: string, ...accepted: string[]): Promise<Approval> {
  const preview = readPreview(text);
  const plan = preview.plan;
  const made = approvalOf(preview, plan, await rehearse(plan, { now }), accepted);
  return readApprovals(JSON.stringify(made))[0]!;
}

/** The errors about a later preview. */
async function refused(approved: string | Approval, later: string): Promise<string[]> {
  const preview = readPreview(later);
  const approval = typeof approved === "string" ? await approve(approved) : approved;
  const rehearsal = await rehearse(preview.plan, { now });
  const { findings } = approvedReview(preview, review(preview, { now }), rehearsal, { approval, log: [] });
  return findings.filter(isDeviation).map(({ type, name, message }) => `${type} ${name}: ${message}`.trim());
}

const policy: Written = { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: {} };
const newPolicy = (name: string, description: unknown = name): Written => ({
  type: "IpPolicy",
  name,
  after: { description },
});
const rule = (name: string, cidr: unknown, of?: string): Written => ({
  ...{ type: "IpPolicyRule", name },
  after: { ipPolicyId: of === undefined ? "ipp_office" : unknown, cidr, action: "allow" },
  from: { ipPolicyId: [urnOf("IpPolicy", of ?? "office")] },
});
const oldRule: Written = {
  ...{ type: "IpPolicyRule", name: "old", id: "ipr_old" },
  before: { ipPolicyId: "ipp_office", cidr: "198.51.100.0/24", action: "allow" },
};

describe("an approval", () => {
  it("lists each write with what is known of it, by the steps of the plan and their order", async () => {
    const edge: Written = {
      ...{
        type: "TcpEdge",
        name: "db",
        after: { hostports: ["db:1"], ipRestriction: { ipPolicyIds: [unknown] } },
      },
      from: { ipRestriction: [urnOf("IpPolicy", "vpn")] },
    };
    const { steps, ...rest } = await approve(
      writtenPreview([policy, newPolicy("vpn"), rule("lan", "10.0.0.0/8", "vpn"), edge, oldRule]),
    );
    expect(rest).toMatchObject({ approval: 3, stack: "test", project: "written", baseUrls: [] });
    const post = { after: [], isLate: false };
    expect(steps).toMatchObject([
      {
        urn: urnOf("IpPolicy", "vpn"),
        ...post,
        writes: [{ method: "POST", path: "/ip_policies", body: { description: "vpn" } }],
      },
      {
        ...{ urn: urnOf("IpPolicyRule", "lan"), isLate: false },
        writes: [
          {
            path: "/ip_policy_rules",
            body: { ip_policy_id: null, cidr: "10.0.0.0/8" },
            holes: [{ at: "/ip_policy_id", text: [0] }],
          },
        ],
      },
      {
        urn: urnOf("TcpEdge", "db"),
        writes: [{ path: "/edges/tcp", holes: [{ at: "/ip_restriction/ip_policy_ids/0", text: [0] }] }],
      },
      {
        urn: urnOf("IpPolicyRule", "old"),
        isLate: true,
        writes: [{ method: "DELETE", path: "/ip_policy_rules/ipr_old" }],
      },
    ]);
  });

  it("has a child wait for its parent, as the engine does", async () => {
    const text = JSON.parse(writtenPreview([newPolicy("vpn"), newPolicy("child")])) as {
      steps: { newState: object }[];
    };
    Object.assign(text.steps[1]!.newState, { parent: urnOf("IpPolicy", "vpn") });
    const { steps } = await approve(JSON.stringify(text));
    expect(steps.map(({ after }) => after)).toEqual([[], [0]]);
  });

  it("has the replacement of a renamed resource wait for the deletion that comes first", async () => {
    const renamed = { ...oldRule, name: "new", was: "old", after: rule("new", "10.0.0.0/8").after! };
    const { steps } = await approve(writtenPreview([policy, ...deletedFirst(renamed)]));
    expect(steps).toMatchObject([
      { urn: urnOf("IpPolicyRule", "new"), isLate: false, after: [] },
      { urn: urnOf("IpPolicyRule", "new"), isLate: false, after: [0] },
    ]);
  });

  it("has a deletion wait for those of what depends on it", async () => {
    const gone = { ...oldRule, from: { ipPolicyId: [urnOf("IpPolicy", "office")] } };
    const { steps } = await approve(writtenPreview([gone, { ...policy, after: undefined }]));
    expect(steps.map(({ after }) => after)).toEqual([[], [0]]);
  });

  it("has steps wait for others over steps that send nothing, such as those of other packages", async () => {
    const flow = (...names: string[]) => ({
      from: { description: names.map((each) => urnOf("IpPolicy", each)) },
    });
    const idle = { op: "same", before: {}, after: {} };
    const gone = (name: string): Written => ({ type: "IpPolicy", name, before: {}, after: undefined });
    const { steps } = await approve(
      writtenPreview([
        newPolicy("first"),
        { ...idle, type: "IpPolicy", name: "one", ...flow("first") },
        { ...idle, type: "IpPolicy", name: "two", ...flow("one", "first") },
        { ...newPolicy("last"), ...flow("two", "one") },
        { ...gone("user"), ...flow("kept") },
        { ...gone("kept"), external: true, ...flow("used") },
        gone("used"),
      ]),
    );
    expect(steps.map(({ after }) => after)).toEqual([[], [0], [], [2]]);
  });

  it("keeps no secret, and lets any value pass in the place of one", async () => {
    const webhook = (secret: string): Written => ({
      ...{ type: "ApiKey", name: "ci", after: { description: secret } },
    });
    const text = writtenPreview([webhook(secretMask)]);
    const approval = await approve(text);
    expect(approval.steps[0]!.writes[0]).toMatchObject({
      body: { description: null },
      holes: [{ at: "/description", any: "secret" }],
    });
    expect(await refused(approval, text)).toEqual([]);
  });

  it.each<[string, string, string, unknown, unknown[], unknown[]]>([
    ["one value", "TunnelGroupBackend", "description", secretMask, ["a", "b"], ["", null, [], {}, ["a"]]],
    ["an unknown value", "TunnelGroupBackend", "description", unknown, ["a", ""], [null, undefined]],
    [
      "a list, however many items it has",
      "FailoverBackend",
      "backends",
      secretMask,
      [["bkdtg_1"], ["bkdtg_1", "bkdtg_2"]],
      [null, "bkdtg_1", {}],
    ],
    [
      "an item of a list",
      "FailoverBackend",
      "backends",
      [secretMask],
      [["bkdtg_1"]],
      [["a", "b"], [null], []],
    ],
    [
      "a map",
      "TunnelGroupBackend",
      "labels",
      secretMask,
      [{ team: "web" }, {}],
      [null, "web", [], undefined],
    ],
  ])(
    "lets any value pass in the place of a hidden one, but for none, and for one of another shape: %s",
    async (_, type, argument, shown, passing, others) => {
      const labels = type === "TunnelGroupBackend" ? { labels: {} } : {};
      const text = writtenPreview([{ type, name: "own", after: { ...labels, [argument]: shown } }]);
      const [{ writes }] = (await approve(text, `${urnOf(type, "own")}.${argument}`)).steps as [
        Approval["steps"][0],
      ];
      const { body } = writes[0]!;
      const differences = (value: unknown) =>
        differenceIn(writes[0]!, { ...(body as object), [argument]: value }, () => false);
      expect(passing.map(differences)).toEqual(passing.map(() => undefined));
      expect(others.map(differences)).not.toContain(undefined);
    },
  );

  it.each<[string, string, string]>([
    ["a secret that changes", "[secret] changed", "stolen"],
    [
      "a mark of a creation",
      "pulumi-tunnel-gateway creation a",
      "pulumi-tunnel-gateway creation <script\tsrc=x>",
    ],
  ])("lets no other text pass in the place of one that looks like %s", async (_, shown, later) => {
    const page = (body: string): string =>
      writtenPreview([{ type: "HttpResponseBackend", name: "page", after: { body } }]);
    const approval = await approve(page(shown));
    expect(await refused(approval, page(shown))).toEqual([]);
    expect(await refused(approval, page(later))).not.toEqual([]);
  });

  it("is not made of a preview that is not complete, nor of a deployment that the service would refuse", async () => {
    const text = writtenPreview([newPolicy("vpn")]);
    const failed = { ...(JSON.parse(text) as object), diagnostics: [{ severity: "error", message: "no" }] };
    await expect(approve(JSON.stringify(failed))).rejects.toThrow("a preview that failed cannot be approved");
    const part = { ...(JSON.parse(text) as object), changeSummary: { create: 1, same: 1 } };
    await expect(approve(JSON.stringify(part))).rejects.toThrow("use --show-sames");
    const twice = [policy, rule("one", "10.0.0.0/8"), rule("two", "10.0.0.0/8")];
    await expect(approve(writtenPreview(twice))).rejects.toThrow(
      /^the deployment cannot be approved: the service would refuse IpPolicyRule two: .*cidr: already exists/,
    );
    const kept = { ...oldRule, name: "kept", after: oldRule.before };
    await expect(approve(writtenPreview([policy, kept, oldRule]))).rejects.toThrow(
      "cannot be approved: IpPolicyRule kept would not be as declared: another step deletes it",
    );
  });

  it("needs a word for each value that only the deployment knows, which names one resource alone", async () => {
    const open = writtenPreview([policy, rule("lan", unknown)]);
    await expect(approve(open)).rejects.toThrow(
      'only the deployment knows "IpPolicyRule lan.cidr". Deploy what it comes from first, write the value into the program',
    );
    const approval = await approve(open, "IpPolicyRule lan.cidr");
    expect(await refused(approval, writtenPreview([policy, rule("lan", "0.0.0.0/0")]))).toEqual([]);
    // An accepted value is that of its rule: another rule may not become unknown in its place.
    const rules = (lan: unknown, vpn: unknown) =>
      writtenPreview([policy, rule("lan", lan), rule("vpn", vpn)]);
    const ofLan = await approve(rules(unknown, "10.2.0.0/16"), "IpPolicyRule lan.cidr");
    expect(await refused(ofLan, rules("10.1.0.0/16", unknown))).not.toEqual([]);
    const inComponent = urnOf("IpPolicyRule", "lan").replace("::pulumi-nodejs", "::a:b:C$pulumi-nodejs");
    const two = writtenPreview([policy, rule("lan", unknown), rule("lan2", unknown)]).replaceAll(
      urnOf("IpPolicyRule", "lan2"),
      inComponent,
    );
    await expect(approve(two, "IpPolicyRule lan.cidr")).rejects.toThrow("only the deployment knows");
    expect(
      (await approve(two, `${inComponent}.cidr`, `${urnOf("IpPolicyRule", "lan")}.cidr`)).steps,
    ).toHaveLength(2);
  });
});

const base = [
  policy,
  newPolicy("vpn"),
  rule("lan", "10.0.0.0/8", "vpn"),
  rule("berlin", "203.0.113.0/24"),
  oldRule,
];
const without = (name: string): Written[] => base.filter((each) => each.name !== name);

describe("a deployment that was approved", () => {
  it("is that of its own preview, write by write in the order of the engine: of each recorded preview", async () => {
    const problems: Record<string, unknown> = {};
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
      const preview = readPreview(readFileSync(join(folder, name), "utf8"));
      const plan = preview.plan;
      const [reviewed, deployed] = [await rehearse(plan, { now }), await rehearse(plan, { now })];
      const accepted = reviewed.unknowns.map(({ urn, argument }) => `${urn}.${argument}`);
      try {
        const approval = approvalOf(preview, plan, reviewed, accepted);
        const made = { findings: [] } as unknown as Review;
        const { findings } = approvedReview(preview, made, deployed, { approval, log: [] });
        if (findings.length > 0) problems[name] = findings;
      } catch (error) {
        problems[name] = (error as Error).message;
      }
    }
    expect(problems).toEqual({
      "hidden-members.json": expect.stringMatching(/is not rehearsed/) as string,
      "places-renamed.json": expect.stringMatching(/the service would refuse/) as string,
    });
  });

  it("may have its steps in any order, and resources that it does not change", async () => {
    const later = [base[0]!, base[3]!, base[1]!, base[2]!, base[4]!];
    expect(await refused(writtenPreview(base), writtenPreview(later))).toEqual([]);
  });

  it("may change the texts of a set's rules in any order, whatever their actions are", async () => {
    const rules = (of: string) => ({
      "10.0.0.0/8": { action: "allow", description: of },
      "10.0.0.0/24": { action: "deny", description: of },
      "192.0.2.0/24": { action: "allow", description: of },
    });
    const args = (of: string) => ({ ipPolicyId: "ipp_office", rules: rules(of) });
    const set: Written = {
      ...{ type: "IpPolicyRuleSet", name: "office", id: "ipp_office" },
      ...{ before: args("old"), after: args("new") },
    };
    const { steps } = await approve(writtenPreview([policy, set]));
    expect(steps.map(({ writes }) => writes.map(({ method, first }) => `${method} ${first}`))).toEqual([
      ["PATCH undefined", "PATCH 0", "PATCH 0"],
    ]);
  });

  it("takes equal new objects in any order", async () => {
    const twins = [
      newPolicy("a", "same"),
      newPolicy("b", "same"),
      rule("one", "10.0.0.0/8", "a"),
      rule("two", "10.1.0.0/16", "b"),
    ];
    const swapped = [twins[1]!, twins[0]!, twins[3]!, twins[2]!];
    expect(await refused(writtenPreview(twins), writtenPreview(swapped))).toEqual([]);
    const both = [...twins.slice(0, 3), rule("two", "10.1.0.0/16", "a")];
    expect(await refused(writtenPreview(twins), writtenPreview(both))).not.toEqual([]);
  });

  it("is told how to set equal new objects apart, where an equal rule came to the wrong one", async () => {
    const policies = [newPolicy("a", "same"), newPolicy("b", "same")];
    const rules = { a: rule("lan_a", "10.0.0.0/8", "a"), b: rule("lan_b", "10.0.0.0/8", "b") };
    const own = rule("own", "10.2.0.0/16", "b");
    const approved = writtenPreview([...policies, rules.a, rules.b, own]);
    const crossed = await refused(approved, writtenPreview([...policies, rules.b, rules.a, own]));
    expect(crossed).toEqual([expect.stringMatching(/approved for another one of several equal new objects/)]);
    const apart = [newPolicy("a", "first"), newPolicy("b", "second")];
    const later = writtenPreview([...apart, rules.b, rules.a, own]);
    expect(await refused(writtenPreview([...apart, rules.a, rules.b, own]), later)).toEqual([]);
  });

  it.each<[string, Written[], RegExp]>([
    [
      "another value",
      [...without("berlin"), rule("berlin", "203.0.112.0/22")],
      /^IpPolicyRule berlin: .*another value of "\/cidr"$/,
    ],
    [
      "another policy",
      [...without("lan"), rule("lan", "10.0.0.0/8")],
      /^IpPolicyRule lan: .*another value of "\/ip_policy_id"/,
    ],
    [
      "one resource more",
      [...base, rule("more", "192.0.2.0/24")],
      /^IpPolicyRule more: POST \/ip_policy_rules: the approved writes of this kind are done, and none had these values; review/,
    ],
    [
      "one of another kind",
      [...base, { type: "BotUser", name: "x", after: { name: "ci" } }],
      /^BotUser x: POST \/bot_users: it was not approved$/,
    ],
    [
      "one resource less",
      without("berlin"),
      /^IpPolicyRule berlin: POST \/ip_policy_rules was approved, and the deployment would not send it$/,
    ],
    [
      "a deletion more",
      [...base, { ...oldRule, name: "older", id: "ipr_older" }],
      /^IpPolicyRule older: DELETE .*: it was not approved$/,
    ],
    ["a deletion less", without("old"), /^IpPolicyRule old: DELETE .* was approved, and/],
  ])("has not %s", async (_, later, message) => {
    expect(await refused(writtenPreview(base), writtenPreview(later))).toEqual([
      expect.stringMatching(message),
    ]);
  });

  it("may be resumed where the account has what it has sent, and the state does not", async () => {
    const edge: Written = {
      ...{ type: "TcpEdge", name: "db", id: "edgtcp_1" },
      ...{ before: { hostports: ["old.example.com:1"] }, after: { hostports: ["new.example.com:1"] } },
    };
    const text = writtenPreview([edge]);
    const approval = await approve(text);
    const { method, path } = approval.steps[0]!.writes[0]!;
    const preview = readPreview(text);
    const lists = { "edges/tcp": [{ id: "edgtcp_1", hostports: ["new.example.com:1"] }] };
    const rehearsal = await rehearse(preview.plan, { now, lists });
    const common = { time: "", seal: "", method, path, position: 0 };
    const sent: LogLine = { event: "sent", baseUrl: hiddenUrl, ...common };
    const found = (log: LogLine[]): string[] =>
      approvedReview(preview, review(preview, { now }), rehearsal, { approval, log })
        .findings.filter(isDeviation)
        .map(({ message }) => message);
    expect(found([])).toEqual([expect.stringMatching(/has another "hostports" than the state records/)]);
    expect(found([sent])).toEqual([]);
    expect(found([sent, { event: "answered", ...common, status: 500 }])).toEqual([]);
    expect(found([sent, { event: "answered", ...common, status: 200 }])).toEqual([]);
  });

  it("is the one of its stack", async () => {
    const text = writtenPreview(base);
    await expect(refused(text, text.replaceAll("urn:pulumi:test::", "urn:pulumi:live::"))).rejects.toThrow(
      "the approval is that of the stack written/test, not of written/live",
    );
  });

  it("may be made by another version of the package, which a note says", async () => {
    const text = writtenPreview(base);
    const preview = readPreview(text);
    const approval = { ...(await approve(text)), version: "9.9.9" };
    const rehearsal = await rehearse(preview.plan, { now });
    const { findings } = approvedReview(preview, review(preview, { now }), rehearsal, { approval, log: [] });
    expect(findings.filter(({ rule: id }) => id === "approval/changed")).toMatchObject([
      { severity: "note", message: expect.stringMatching(/approved with version 9\.9\.9/) as string },
    ]);
  });
});

describe("the end of a certificate that is valid for some hours", () => {
  const certificate: Written = {
    ...{ type: "SshUserCertificate", name: "deploy" },
    after: { sshCertificateAuthorityId: "sshca_1", publicKey: sshKey("deploy"), validForHours: 24 },
  };
  const time = (hours: number, seconds = 0): string =>
    new Date(now + hours * hour + seconds * 1000).toISOString();

  /** Whether a deployment so many hours after the review may create a certificate that ends at the time. */
  async function mayEnd(hours: number, end: unknown, more: object = {}): Promise<boolean> {
    jest.spyOn(Date, "now").mockReturnValue(now + hours * hour);
    const approval = await approve(
      writtenPreview([{ ...certificate, after: { ...certificate.after, ...more } }]),
    );
    const { path, body } = approval.steps[0]!.writes[0]!;
    const sent = { ...(body as object), valid_until: end };
    const taken = new ApprovedWrites(approval, "").take({ baseUrl: "", method: "POST", path, body: sent });
    return !("refused" in taken);
  }
  afterEach(() => jest.restoreAllMocks());

  it.each([0, 0.02, 7, 24 * 30])("is that of its creation, %d hours after the review", async (hours) => {
    expect(await mayEnd(hours, time(hours + 24))).toBe(true);
    expect(await mayEnd(hours, time(hours + 24, 50))).toBe(true);
  });

  it("is not later than the hours after its creation, nor before that of the review, nor no time", async () => {
    expect(await mayEnd(7, time(7 + 24, 70))).toBe(false);
    expect(await mayEnd(7, time(24, -70))).toBe(false);
    for (const end of [undefined, null, "never", 0]) expect(await mayEnd(7, end)).toBe(false);
  });

  it("is that of the program, where the program names the time from which it is valid", async () => {
    const validAfter = time(1);
    expect(await mayEnd(7, "2026-11-22T13:00:00Z", { validAfter })).toBe(true);
    expect(await mayEnd(7, "2026-11-22T13:00:01Z", { validAfter })).toBe(false);
  });
});
