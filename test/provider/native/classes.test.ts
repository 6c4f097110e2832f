/** `pulumi-tunnel-gateway/native`: the classes over the native provider. */
import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "pulumi-tunnel-gateway";
import * as native from "pulumi-tunnel-gateway/native";
import { declarations } from "../../../src/resources/registry";
import { nativeDoor } from "../../../src/program/door";

/** What a program registers: the type, name and inputs of each resource. */
async function registered(program: () => unknown): Promise<pulumi.runtime.MockResourceArgs[]> {
  const all: pulumi.runtime.MockResourceArgs[] = [];
  await pulumi.runtime.setMocks({
    newResource: (args) => {
      all.push(args);
      return { id: "ipp_1", state: args.inputs as object };
    },
    call: () => ({}),
  });
  await pulumi.runtime.runInPulumiStack(() => Promise.resolve(program()));
  await pulumi.runtime.disconnect();
  return all.filter(({ type }) => type !== "pulumi:pulumi:Stack");
}

interface Readable {
  get(name: string, id: string): pulumi.CustomResource;
}

it("has the class of every declaration, and everything else of the package", () => {
  expect(Object.keys(native).sort()).toEqual(Object.keys(dynamic).sort());
  for (const { type } of declarations) {
    const [one, other] = [native, dynamic].map((each) => (each as unknown as Record<string, unknown>)[type]);
    expect(one).not.toBe(other);
  }
  expect(native.getIpPolicy).toBe(dynamic.getIpPolicy);
});

it("registers every class with its native token and no code", async () => {
  const all = await registered(() => {
    for (const { type } of declarations)
      (native as unknown as Record<string, Readable>)[type]!.get("one", "id");
  });
  const tokens = declarations.map(({ type }) => `tunnel-gateway:index:${type}`);
  expect(all.map(({ type }) => type).sort()).toEqual(tokens.sort());
  for (const { inputs } of all) expect(inputs).not.toHaveProperty("__provider");
});

it("gives every resource the alias of the dynamic one, under its earlier names too", () => {
  const type = "pulumi-nodejs:dynamic/tunnel-gateway:IpPolicy";
  expect(nativeDoor.aliases(type, undefined)).toEqual([{ type }]);
  const moved = { parent: "urn:of:its:parent" };
  const given = [{ name: "before" }, moved, "urn:of:another", { type: "other:index:Policy" }];
  const earlier = [
    { name: "before", type },
    { ...moved, type },
  ];
  expect(nativeDoor.aliases(type, given)).toEqual([{ type }, ...earlier, ...given]);
});

it("makes an access list of native resources", async () => {
  const all = await registered(() => new native.IpAccessList("staff", { allow: ["203.0.113.0/24"] }));
  expect(all.map(({ type }) => type).sort()).toEqual([
    "tunnel-gateway:index:IpAccessList",
    "tunnel-gateway:index:IpPolicy",
    "tunnel-gateway:index:IpPolicyRuleSet",
  ]);
});

it("has explicit providers of its own package, which resources and functions take", async () => {
  const settings = { apiKey: "k", baseUrl: "https://api.example.com", requestTimeout: 5 };
  const all = await registered(() => {
    const partner = new native.Provider("partner", settings);
    new native.IpPolicy("theirs", {}, { provider: partner });
  });
  const [provider, policy] = all;
  expect(provider).toMatchObject({
    type: "pulumi:providers:tunnel-gateway",
    inputs: { baseUrl: settings.baseUrl, requestTimeout: "5" },
  });
  expect(policy!.provider).toMatch(/pulumi:providers:tunnel-gateway::partner::/);
});
