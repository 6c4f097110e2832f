import { recorded } from "../../support/recorded";

/** A preview of many changes of IP policy rules: a third each is created, deleted or updated. */
export function thousandChanges(count: number): string {
  const urn = (name: string, type = "IpPolicyRule") =>
    `urn:pulumi:test::many::pulumi-nodejs:dynamic/tunnel-gateway:${type}::${name}`;
  const policy = urn("office", "IpPolicy");
  const state = (action: string, cidr: string, id?: string) => ({
    id,
    inputs: { action, cidr, ipPolicyId: "ipp_1" },
    outputs: id ? { action, cidr, ipPolicyId: "ipp_1", __args: ["action", "cidr", "ipPolicyId"] } : {},
    propertyDependencies: { ipPolicyId: [policy] },
  });
  const kept = { id: "ipp_1", inputs: {}, outputs: { __args: [] } };
  const steps: object[] = [{ op: "same", urn: policy, oldState: kept, newState: kept }];
  for (let i = 0; i < count; i += 1) {
    const [name, cidr] = [`rule-${i}`, `10.${i >> 8}.${i & 255}.0/24`];
    const id = `ipr_${i}`;
    const made = { op: "create", urn: urn(name), newState: state("allow", cidr) };
    const gone = { op: "delete", urn: urn(name), oldState: state("deny", cidr, id) };
    const changed = {
      op: "update",
      urn: urn(name),
      oldState: state("allow", cidr, id),
      newState: state("allow", `172.16.${i & 255}.${(i >> 8) * 4}/30`, "x"),
    };
    steps.push([made, gone, changed][i % 3]!);
  }
  return JSON.stringify(recorded({ steps, changeSummary: { same: 1 } }));
}
