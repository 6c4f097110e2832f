/** What the permits of a deployment learn from the log and the account. */
import { newCreationMark } from "../../../src/schema/metadata";
import type { Answer } from "../../../src/schema/values";
import type { Approval, ApprovedWrite } from "../../../src/tools/approval/approval";
import type { SentWrite } from "../../../src/tools/approval/approved-writes";
import type { LogLine } from "../../../src/tools/approval/write-log";
import { ApprovedPermits } from "../../../src/tools/broker/permits";
import type { Permit } from "../../../src/tools/broker/permits";
import { noAccount } from "./brokers";

const baseUrl = "https://api.example.com";
const approvalOf = (...writes: readonly (ApprovedWrite & { readonly after?: number[] })[]): Approval => ({
  ...{ approval: 3, version: "", stack: "s", project: "p", baseUrls: [baseUrl] },
  steps: writes.map(({ after = [], ...write }, i) => ({
    ...{ urn: `step ${i}`, after, isLate: false, writes: [write] },
  })),
});
const policy = (description: string) =>
  ({ method: "POST", path: "/ip_policies", body: { description } }) as const;
const sentAs = ({ method, path, body }: ApprovedWrite): SentWrite => ({ baseUrl, method, path, body });

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

  it("whose answer has no id is not created a second time beside an equal one", async () => {
    const permits = new ApprovedPermits(approvalOf(key, key), baseUrl);
    (await permitted(permits, marked())).answered(201, "ak_1");
    (await permitted(permits, marked())).answered(201);
    const account = { ...noAccount, read: () => Promise.resolve({ id: "ak_1" }) };
    await expect(permits.permitFor(marked(), account)).resolves.toHaveProperty("refused");
  });
});

it("takes an object by its values only for a lost create that a write waits for", async () => {
  const rule: ApprovedWrite = { method: "POST", path: "/ip_policy_rules", body: { cidr: "10.0.0.0/8" } };
  const [office, guests] = [policy("office"), policy("guests")];
  const permits = new ApprovedPermits(approvalOf(office, guests, { ...rule, after: [0] }), baseUrl);
  for (const each of [office, guests]) (await permitted(permits, sentAs(each))).answered(undefined);
  const found: string[] = [];
  const objects = [office, guests].map(({ body }, i) => ({
    ...{ ...body, id: `ipp_${i}`, metadata: "", created_at: new Date().toISOString() },
  })) as unknown as Answer[];
  const account = {
    ...{ ...noAccount, list: () => Promise.resolve(objects) },
    found: (_: unknown, id: string) => void found.push(id),
  };
  await permitted(permits, sentAs(rule), account);
  expect(found).toEqual(["ipp_0"]);
});
