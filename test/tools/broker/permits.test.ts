/** What the permits of a deployment learn from the log and the account. */
import { newCreationMark } from "../../../src/schema/metadata";
import type { Answer } from "../../../src/schema/values";
import type { Approval, ApprovedWrite } from "../../../src/tools/approval/approval";
import type { SentWrite } from "../../../src/tools/approval/approved-writes";
import type { LogLine } from "../../../src/tools/approval/write-log";
import { ApprovedPermits } from "../../../src/tools/broker/permits";
import type { Permit, WrittenAccounts } from "../../../src/tools/broker/permits";
import * as fc from "../../support/fast-check";
import { noAccount } from "./brokers";

const baseUrl = "https://api.example.com";
/** A write of a step of its own. */
type Step = ApprovedWrite & { readonly after?: number[]; readonly baseUrl?: string };
const approvalOf = (...writes: readonly Step[]): Approval => ({
  ...{ approval: 3, version: "", stack: "s", project: "p", baseUrls: [baseUrl] },
  steps: writes.map(({ after = [], baseUrl: own = baseUrl, ...write }, i) => ({
    ...{ urn: `step ${i}`, baseUrl: own, after, isLate: false, writes: [write] },
  })),
});
const policy = (description: string) =>
  ({ method: "POST", path: "/ip_policies", body: { description } }) as const;
const sentAs = ({ method, path, body, holes = [], baseUrl: own = baseUrl }: Step): SentWrite => {
  const secrets = holes.flatMap((hole) => ("any" in hole ? [[hole.at.slice(1), "a secret"] as const] : []));
  const ends = holes.flatMap((hole) => ("end" in hole ? [[hole.at.slice(1), hole.end] as const] : []));
  return {
    ...{ baseUrl: own, method, path },
    body: body === undefined ? undefined : { ...body, ...Object.fromEntries([...secrets, ...ends]) },
  };
};

async function permitted(permits: ApprovedPermits, sent: SentWrite, account = noAccount): Promise<Permit> {
  const permit = await permits.permitFor(sent, account);
  if ("refused" in permit) throw new Error(permit.refused);
  return permit;
}

describe("a key", () => {
  const body = { description: "ci", metadata: "pulumi-tunnel-gateway creation -" };
  const key: ApprovedWrite = { method: "POST", path: "/api_keys", body };
  const marked = (metadata = newCreationMark()) => ({ ...sentAs(key), body: { ...body, metadata } });

  it.each<[string, number | undefined, boolean]>([
    ["was lost", undefined, true],
    ["was an error of the service", 503, true],
    ["has come", 201, false],
  ])(
    "may be deleted, by its mark in the log, where the answer to its create %s",
    async (_, status, isAllowed) => {
      const mark = newCreationMark();
      const line = { method: "POST", path: key.path, position: 0, time: new Date().toISOString(), seal: "" };
      const log: LogLine[] = [
        { ...line, event: "sent", baseUrl, mark },
        { ...line, event: "answered", status },
      ];
      const permits = new ApprovedPermits(approvalOf(key), baseUrl, log);
      const account = { ...noAccount, read: () => Promise.resolve({ metadata: mark }) };
      const deletion = { baseUrl, method: "DELETE", path: "/api_keys/ak_1", body: undefined };
      expect("answered" in (await permits.permitFor(deletion, account))).toBe(isAllowed);
    },
  );

  it.each([
    ["an earlier run may be deleted once it is gone", 61, true, true],
    ["an earlier run may not be deleted while it is there", 61, false, false],
    ["an earlier run may not be deleted in its first minute, in which it may not be shown", 5, true, false],
    ["this run may not be deleted, although it is not shown", 0, true, false],
  ])("of %s", async (_, seconds, isGone, isAllowed) => {
    const isNow = seconds === 0;
    const time = new Date(Date.now() - seconds * 1_000).toISOString();
    const line = { method: "POST", path: key.path, position: 0, time, seal: "" };
    const log: LogLine[] = [
      { ...line, event: "sent", baseUrl, mark: newCreationMark() },
      { ...line, event: "answered", status: 201, id: "ak_1" },
    ];
    const permits = new ApprovedPermits(approvalOf(key), baseUrl, isNow ? [] : log);
    if (isNow) (await permitted(permits, marked())).answered(201, "ak_1");
    const read = () => Promise.resolve(isGone ? undefined : { id: "ak_1", metadata: newCreationMark() });
    const deletion = { baseUrl, method: "DELETE", path: "/api_keys/ak_1", body: undefined };
    const permit = await permits.permitFor(deletion, { ...noAccount, read });
    expect("answered" in permit).toBe(isAllowed);
  });

  it("whose answer has no id is not created a second time beside an equal one", async () => {
    const permits = new ApprovedPermits(approvalOf(key, key), baseUrl);
    (await permitted(permits, marked())).answered(201, "ak_1");
    (await permitted(permits, marked())).answered(201);
    const account = { ...noAccount, read: () => Promise.resolve({ id: "ak_1" }) };
    await expect(permits.permitFor(marked(), account)).resolves.toHaveProperty("refused");
  });

  it("that is gone is created again once, where two writes find that at one moment", async () => {
    const permits = new ApprovedPermits(approvalOf(key), baseUrl);
    (await permitted(permits, marked())).answered(201, "ak_1");
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads > 1) await new Promise(setImmediate);
    };
    const both = await Promise.all([1, 2].map(() => permits.permitFor(marked(), { ...noAccount, read })));
    expect(both.map((each) => "answered" in each)).toEqual([true, false]);
  });

  const change: ApprovedWrite = { method: "PATCH", path: "/api_keys/{0}", body: { description: "first" } };
  /** The permits after two equal keys were created, of which the first was changed. */
  const withTwo = async (): Promise<ApprovedPermits> => {
    const { steps, ...rest } = approvalOf(key, key);
    const own = { ...steps[0]!, writes: [key, change] };
    const permits = new ApprovedPermits({ ...rest, steps: [own, steps[1]!] }, baseUrl);
    for (const id of ["ak_1", "ak_2"]) (await permitted(permits, marked())).answered(201, id);
    (await permitted(permits, { ...sentAs(change), path: "/api_keys/ak_1" })).answered(200);
    expect(permits.left).toEqual([]);
    return permits;
  };
  const without = (...gone: string[]): WrittenAccounts => ({
    ...noAccount,
    read: (_, path) => Promise.resolve(gone.some((id) => path === `/api_keys/${id}`) ? undefined : {}),
  });

  it("that is gone is created again, and the equal one beside it keeps its writes", async () => {
    const permits = await withTwo();
    (await permitted(permits, marked(), without("ak_2"))).answered(201, "ak_3");
    expect(permits.left).toEqual([]);
  });

  it("that is gone is created again, and so is the equal one beside it if it is gone, too", async () => {
    const permits = await withTwo();
    const account = without("ak_1", "ak_2");
    for (const id of ["ak_3", "ak_4"]) (await permitted(permits, marked(), account)).answered(201, id);
    await expect(permits.permitFor(marked(), account)).resolves.toHaveProperty("refused");
    expect(permits.left).toEqual(["PATCH /api_keys/{0} of step 0"]);
    (await permitted(permits, { ...sentAs(change), path: "/api_keys/ak_4" })).answered(200);
    expect(permits.left).toEqual([]);
  });
});

it("creates an equal object of an earlier run again if it is gone, but none of this run", async () => {
  const create = policy("same");
  const time = new Date(Date.now() - 61_000).toISOString();
  const line = { method: "POST", path: create.path, position: 0, time, seal: "" };
  const log: LogLine[] = [
    { ...line, event: "sent", baseUrl },
    { ...line, event: "answered", status: 201, id: "ipp_1" },
  ];
  const permits = new ApprovedPermits(approvalOf(create, create), baseUrl, log);
  for (const id of ["ipp_2", "ipp_3"]) (await permitted(permits, sentAs(create))).answered(201, id);
  await expect(permits.permitFor(sentAs(create), noAccount)).resolves.toHaveProperty("refused");
});

it("repeats, after the command, the lost writes that need nothing but the approval", async () => {
  const [create, change]: Step[] = [
    policy("office"),
    { method: "PATCH", path: "/ip_policies/ipp_1", body: { description: "lab" } },
  ];
  const secret: Step = {
    ...{ method: "PATCH", path: "/event_destinations/ed_1", body: { target: null } },
    holes: [{ at: "/target", any: "secret" }],
  };
  const permits = new ApprovedPermits(approvalOf(create!, change!, secret), baseUrl);
  for (const each of [create!, change!, secret]) (await permitted(permits, sentAs(each))).answered(undefined);
  const sent: SentWrite[] = [];
  const account: WrittenAccounts = {
    ...noAccount,
    list: () => Promise.resolve([]),
    send: (write, permit) => {
      sent.push(write);
      permit.answered(200);
      return Promise.resolve();
    },
  };
  await permits.settle(account);
  expect(sent).toEqual([expect.objectContaining(sentAs(change!))]);
  expect(permits.left).toEqual(["POST /ip_policies of step 0", "PATCH /event_destinations/ed_1 of step 2"]);
});

it("lets no create be repeated in the same run, although its object is gone", async () => {
  const office = policy("office");
  const permits = new ApprovedPermits(approvalOf(office), baseUrl);
  (await permitted(permits, sentAs(office))).answered(201, "ipp_1");
  await expect(permits.permitFor(sentAs(office), noAccount)).resolves.toHaveProperty("refused");
});

it.each([
  ["not at all, where its object is there", true],
  ["where its object is not there", false],
])("lets a create be repeated whose answer was lost: %s", async (_, isThere) => {
  const office = policy("office");
  const permits = new ApprovedPermits(approvalOf(office), baseUrl);
  (await permitted(permits, sentAs(office))).answered(undefined);
  const object = { ...office.body, id: "ipp_1", metadata: "", created_at: new Date().toISOString() };
  const list = () => Promise.resolve(isThere ? [object as unknown as Answer] : []);
  expect("refused" in (await permits.permitFor(sentAs(office), { ...noAccount, list }))).toBe(isThere);
});

describe("the object of a create without an answer", () => {
  const [office, guests] = [policy("office"), policy("guests")];
  const rule: ApprovedWrite = { method: "POST", path: "/ip_policy_rules", body: { cidr: "10.0.0.0/8" } };
  const other = "https://other.example.com";
  const certificate: ApprovedWrite = {
    ...{ method: "POST", path: "/tls_certificates", body: { description: "site", private_key_pem: null } },
    holes: [{ at: "/private_key_pem", any: "secret" }],
  };
  const inADay = new Date(Date.now() + 86_400_000).toISOString();
  const hostCertificate: ApprovedWrite = {
    ...{ method: "POST", path: "/ssh_host_certificates" },
    body: { description: "host", public_key: "ssh-ed25519 AAAA", valid_until: null },
    holes: [{ at: "/valid_until", end: inADay, hours: 24 }],
  };
  const anyPolicy: ApprovedWrite = {
    ...{ method: "POST", path: "/ip_policies", body: { description: null } },
    holes: [{ at: "/description", any: "unknown" }],
  };
  const objectOf = ({ body }: ApprovedWrite, id: string, minutesAgo = 0) =>
    ({
      ...(body as object),
      ...{ id, metadata: "", created_at: new Date(Date.now() - minutesAgo * 60_000).toISOString() },
    }) as unknown as Answer;
  /** An account with these objects, by base URL, and the ids that the permits find. */
  const accountWith = (objects: Readonly<Record<string, readonly Answer[]>>) => {
    const found: string[] = [];
    const account: WrittenAccounts = {
      ...noAccount,
      list: (of) => Promise.resolve(objects[of] ?? []),
      found: (_, id) => void found.push(id),
    };
    return { account, found };
  };

  it.each<[string, Step[], (string | undefined)[], Record<string, Answer[]>, string[]]>([
    [
      "is found for the create that a write waits for, and for no other",
      [office, guests, { ...rule, after: [0] }],
      [undefined, undefined],
      { [baseUrl]: [objectOf(office, "ipp_1"), objectOf(guests, "ipp_2")] },
      ["ipp_1"],
    ],
    [
      "is none of those that equal creates have made",
      [office, office, { ...rule, after: [0, 1] }],
      ["ipp_1", undefined],
      { [baseUrl]: [objectOf(office, "ipp_1"), objectOf(office, "ipp_2")] },
      ["ipp_2"],
    ],
    [
      "is not that of an equal create, where there is no other",
      [office, office, { ...rule, after: [0, 1] }],
      ["ipp_1", undefined],
      { [baseUrl]: [objectOf(office, "ipp_1")] },
      [],
    ],
    [
      "is in the account of the create",
      [office, { ...office, baseUrl: other }, { ...rule, after: [1] }],
      [undefined, undefined],
      { [baseUrl]: [objectOf(office, "ipp_1")], [other]: [objectOf(office, "ipp_2")] },
      ["ipp_2"],
    ],
    [
      "may have no time",
      [office, { ...rule, after: [0] }],
      [undefined],
      { [baseUrl]: [{ ...objectOf(office, "ipp_1"), created_at: undefined }] },
      ["ipp_1"],
    ],
    [
      "may have a secret, which no answer shows",
      [certificate, { ...rule, after: [0] }],
      [undefined],
      { [baseUrl]: [objectOf(certificate, "cert_1")] },
      ["cert_1"],
    ],
    [
      "may have an end that the deployment computed",
      [hostCertificate, { ...rule, after: [0] }],
      [undefined],
      { [baseUrl]: [{ ...objectOf(hostCertificate, "shcrt_1"), valid_until: inADay }] },
      ["shcrt_1"],
    ],
    [
      "is not told from others where any value was approved",
      [anyPolicy, { ...rule, after: [0] }],
      [undefined],
      { [baseUrl]: [objectOf(office, "ipp_1"), objectOf(policy(""), "ipp_2")] },
      [],
    ],
  ])("%s", async (_, steps, ids, objects, expected) => {
    const permits = new ApprovedPermits(approvalOf(...steps), baseUrl);
    for (const [i, id] of ids.entries())
      (await permitted(permits, sentAs(steps[i]!))).answered(id === undefined ? undefined : 201, id);
    const { account, found } = accountWith(objects);
    const permit = await permits.permitFor(sentAs(rule), account);
    expect([found, "answered" in permit]).toEqual([expected, expected.length > 0]);
  });

  it.each(["in one run", "in the log"])("may be that of the first of several attempts %s", async (where) => {
    const approval = approvalOf(office, { ...rule, after: [0] });
    const [first, second] = [10, 5].map((minutes) => Date.now() - minutes * 60_000) as [number, number];
    const log = [first, second].map((time): LogLine => {
      const { method, path } = office;
      return {
        event: "sent",
        method,
        path,
        baseUrl,
        position: 0,
        time: new Date(time).toISOString(),
        seal: "",
      };
    });
    const permits = new ApprovedPermits(approval, baseUrl, where === "in the log" ? log : []);
    if (where === "in one run")
      for (const time of [first, second]) {
        jest.spyOn(Date, "now").mockReturnValue(time);
        (await permitted(permits, sentAs(office))).answered(undefined);
      }
    jest.restoreAllMocks();
    const { account, found } = accountWith({ [baseUrl]: [objectOf(office, "ipp_1", 10)] });
    await permitted(permits, sentAs(rule), account);
    expect(found).toEqual(["ipp_1"]);
  });

  it("is looked for again after the service has not answered", async () => {
    const permits = new ApprovedPermits(approvalOf(office, { ...rule, after: [0] }), baseUrl);
    (await permitted(permits, sentAs(office))).answered(undefined);
    const { account, found } = accountWith({ [baseUrl]: [objectOf(office, "ipp_1")] });
    const down = { ...account, list: () => Promise.reject(new Error("no answer")) };
    await expect(permits.permitFor(sentAs(rule), down)).rejects.toThrow("no answer");
    await permitted(permits, sentAs(rule), account);
    expect(found).toEqual(["ipp_1"]);
  });
});

describe("the log of a run that is killed between two writes", () => {
  const change = (description: string): ApprovedWrite => ({
    ...{ method: "PATCH", path: "/ip_policies/{0}", body: { description } },
  });
  const rule: ApprovedWrite = {
    ...{ method: "POST", path: "/ip_policy_rules", body: { ip_policy_id: null } },
    holes: [{ at: "/ip_policy_id", text: [1] }],
  };
  const old: ApprovedWrite = { method: "DELETE", path: "/ip_policies/ipp_old" };
  const stepOf = (i: number, writes: ApprovedWrite[], more: object = {}) => ({
    ...{ urn: `step ${i}`, after: [], isLate: false, writes, ...more },
  });
  const approval: Approval = {
    ...approvalOf(),
    steps: [
      stepOf(0, [policy("same"), change("one"), change("two")]),
      stepOf(1, [policy("same")]),
      stepOf(2, [rule], { after: [1] }),
      stepOf(3, [old], { isLate: true }),
    ],
  };
  const ids = ["ipp_1", "ipp_2"];
  const sends: readonly SentWrite[] = [
    sentAs(policy("same")),
    ...ids.flatMap((id) => [
      ...["one", "two"].map((text) => ({ ...sentAs(change(text)), path: `/ip_policies/${id}` })),
      { ...sentAs(rule), body: { ip_policy_id: id } },
    ]),
    sentAs(old),
  ];

  /** The service answers neither reads nor what the broker sends again. */
  const silent: WrittenAccounts = {
    ...noAccount,
    read: () => Promise.resolve(null),
    send: () => Promise.resolve(),
  };

  /** Sends writes with these answers. Returns the permits and the log, as a broker writes it. */
  async function run(script: readonly (readonly [number, number | undefined])[]) {
    const permits = new ApprovedPermits(approval, baseUrl);
    const log: LogLine[] = [];
    const made = [...ids];
    for (const [i, status] of script) {
      const sent = sends[i]!;
      const permit = await permits.permitFor(sent, silent);
      if ("refused" in permit) continue;
      const { position, names = {} } = permit;
      const { method, path } = sent;
      const line = { method, path, position, time: new Date().toISOString(), seal: "" };
      const isMade = method === "POST" && path === "/ip_policies" && status !== undefined && status < 300;
      const id = isMade ? made.shift() : undefined;
      log.push({ ...line, event: "sent", baseUrl, ...(Object.keys(names).length > 0 && { names }) });
      permit.answered(status, id);
      log.push({ ...line, event: "answered", ...(status && { status }), ...(id && { id }) });
    }
    return { permits, log };
  }

  it("tells the next run all that this one knew", async () => {
    const write = fc.nat(sends.length - 1);
    const answer = fc.constantFrom(200, 200, 200, 404, 409, 503, undefined);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(write, answer), { maxLength: 12 }), async (script) => {
        for (const sent of sends) {
          const { permits, log } = await run(script);
          const next = new ApprovedPermits(approval, baseUrl, log);
          expect(next.left).toEqual(permits.left);
          const [here, there] = [await permits.permitFor(sent, silent), await next.permitFor(sent, silent)];
          expect("refused" in there ? there.refused : there.names).toEqual(
            "refused" in here ? here.refused : here.names,
          );
        }
      }),
    );
  });
});

it("reads nothing for a create that was not approved", async () => {
  const permits = new ApprovedPermits(approvalOf(policy("office")), baseUrl);
  const read = jest.fn(() => Promise.resolve(undefined));
  const sent = { baseUrl, method: "POST", path: "/event_subscriptions/esb_1/sources", body: { type: ".." } };
  await expect(permits.permitFor(sent, { ...noAccount, read })).resolves.toHaveProperty("refused");
  expect(read).not.toHaveBeenCalled();
});

describe("an event source, whose path has its type in the place of an id,", () => {
  const source: Step = {
    ...{ method: "POST", path: "/event_subscriptions/esb_1/sources", body: { type: "a/b.v0" } },
  };
  const accountWith = (isThere: boolean): WrittenAccounts => ({
    ...noAccount,
    read: (_, path) =>
      Promise.resolve(
        isThere && path === "/event_subscriptions/esb_1/sources/a%2Fb.v0" ? { type: "a/b.v0" } : undefined,
      ),
  });

  it.each([true, false])(
    "is found by its path after its create was lost, if it is there: %s",
    async (isThere) => {
      const next = policy("after it");
      const permits = new ApprovedPermits(approvalOf(source, { ...next, after: [0] }), baseUrl);
      (await permitted(permits, sentAs(source))).answered(undefined);
      const permit = await permits.permitFor(sentAs(next), accountWith(isThere));
      expect("answered" in permit).toBe(isThere);
    },
  );

  it.each([true, false])(
    "is created again by the next run if it is gone, and not if it is there: %s",
    async (isThere) => {
      const line = {
        method: "POST",
        path: source.path,
        position: 0,
        time: new Date().toISOString(),
        seal: "",
      };
      const log: LogLine[] = [
        { ...line, event: "sent", baseUrl },
        { ...line, event: "answered", status: 201 },
      ];
      const permits = new ApprovedPermits(approvalOf(source), baseUrl, log);
      const permit = await permits.permitFor(sentAs(source), accountWith(isThere));
      expect("answered" in permit).toBe(!isThere);
    },
  );
});
