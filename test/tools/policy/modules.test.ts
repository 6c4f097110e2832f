import { accessTests, policies } from "../../../src/tools/policy";

// A pack starts with each deployment, and loading zod takes longer than the policies themselves.
jest.mock("zod", () => {
  throw new Error("zod was loaded");
});

it("checks resources without zod", () => {
  const found: string[] = [];
  const provider = { urn: "urn:pulumi:dev::p::pulumi:providers:pulumi-nodejs::default", props: {} };
  const rule = { type: "pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRule", name: "all", provider };
  const args = { ...rule, props: { cidr: "0.0.0.0/0", action: "allow", ipPolicyId: "ipp_1" } };
  for (const policy of policies)
    if ("validateResource" in policy) policy.validateResource(args, (message) => found.push(message));
  expect(found).toEqual([expect.stringContaining("every IPv4 address")]);
});

it("loads zod for the settings of a pack", () => {
  expect(() => accessTests([{ resource: "*", onlyFrom: [] }])).toThrow("zod was loaded");
});
