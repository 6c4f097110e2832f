/** The secrets in what Pulumi prints and exports. */
import { declarationOf } from "../../../src/resources/registry";
import { hiddenAsUnknown, masked } from "../../../src/tools/stack/engine-secrets";
import { secretMask } from "../../../src/tools/stack/mask";
import { unknown } from "../../../src/schema/unknown";

it("masks what the program marks as an additional secret output, whatever its field is, and nothing else", () => {
  const { fields } = declarationOf("IpPolicy");
  const values = { description: "hidden", metadata: "shown" };
  expect(masked(fields, values, ["description", "absent"])).toEqual({
    description: secretMask,
    metadata: "shown",
  });
  expect(masked(fields, values, [])).toEqual(values);
});

it("masks what looks like a secret at any depth, whatever its field is", () => {
  const { fields } = declarationOf("TunnelGroupBackend");
  const labels = { key: "-----BEGIN PRIVATE KEY-----", site: "shown" };
  expect(masked(fields, { labels }, [])).toEqual({ labels: { ...labels, key: secretMask } });
});

it("takes for unknown what is masked and decides access, and keeps the mask of all else", () => {
  const values = { cidr: secretMask, description: secretMask };
  expect(hiddenAsUnknown(declarationOf("IpPolicyRule"), values)).toEqual({ ...values, cidr: unknown });
});
