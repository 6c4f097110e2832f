/** A review takes who gets in from the states of the plan: the account that the run of it leaves behind may show less. */
import { unknown } from "../../../src/schema/unknown";
import { readPreview } from "../../../src/tools/inventory/read-preview";
import { rehearse } from "../../../src/tools/rehearsal/rehearse";
import { review } from "../../../src/tools/review/review";
import { keptPolicy, tcpEdge, urnOf, writtenPreview } from "./support";
import type { Written } from "./support";

const restrictedTo = (...ipPolicyIds: readonly string[]) => ({ ipRestriction: { ipPolicyIds } });

async function reviewed(resources: readonly Written[]) {
  const preview = readPreview(writtenPreview(resources));
  const rehearsal = await rehearse(preview.plan);
  const said = review(preview, { rehearsal }).findings.map(({ rule, name }) => `${rule} ${name}`);
  return { said, after: rehearsal.accounts[0]!.after };
}

describe("A review", () => {
  test("says what a step opens that the run does not reach, because the copy of the account refuses another one", async () => {
    const lan = { ipPolicyId: "ipp_office", action: "allow", cidr: "203.0.113.0/24" };
    const { said, after } = await reviewed([
      keptPolicy("office"),
      { type: "IpPolicyRule", name: "lan", id: "ipr_lan", before: lan, after: lan },
      { type: "IpPolicyRule", name: "again", after: lan },
      {
        ...{ type: "IpPolicyRule", name: "wide", after: { ...lan, cidr: "198.51.0.0/16" } },
        from: { ipPolicyId: [urnOf("IpPolicyRule", "again")] },
      },
      tcpEdge("db", restrictedTo("ipp_office"), restrictedTo("ipp_office")),
    ]);
    expect(after.ip_policy_rules).toMatchObject([{ cidr: "203.0.113.0/24" }]);
    expect(said).toEqual(expect.arrayContaining(["interruption/refused again", "access/newly-allowed db"]));
  });

  test("takes no policy for the one that an edge gets where the program may give it another", async () => {
    const from = { ipRestriction: [urnOf("IpPolicy", "new"), urnOf("IpPolicy", "office")] };
    const { said, after } = await reviewed([
      keptPolicy("office"),
      { type: "IpPolicy", name: "new", after: {} },
      { ...tcpEdge("db", {}, restrictedTo(unknown)), from },
    ]);
    // The run takes the only new one. A deployment that gives it the other one is refused by its approval.
    const [made] = (after.ip_policies ?? []).filter(({ id }) => id !== "ipp_office");
    expect(after["edges/tcp"]).toMatchObject([{ ip_restriction: { ip_policies: [{ id: made!.id }] } }]);
    expect(said).toContain("access/unknown-ranges db");
  });
});
