import { declarations } from "../../../src/resources/registry";
import { nativeTokenPrefix, shimOf, tokenPrefix } from "../../../src/program/shim";
import { unknown } from "../../../src/schema/unknown";
import { identityOf, tokensOf } from "../../../src/tools/stack/engine-identity";
import { nameOfOne, nativeProviderType, providerType } from "../../../src/provider/urn";

const token = `${tokenPrefix}IpPolicyRule`;
const code = shimOf("IpPolicyRule");
const dynamic = `urn:pulumi:dev::p::${providerType}::default::id`;

/** What is said of a resource. */
function said(state: Record<string, unknown>): string {
  const identity = identityOf(state);
  if (identity.kind === "own") return identity.declaration.type;
  return identity.kind === "mismatch" ? identity.problem : identity.kind;
}

it("every class is known by its own token and its own code", () => {
  for (const { type } of declarations) {
    const state = { type: `${tokenPrefix}${type}`, custom: true, inputs: { __provider: shimOf(type) } };
    expect(said(state)).toBe(type);
    expect(said({ ...state, provider: dynamic })).toBe(type);
    expect(tokensOf(type)[0]).toBe(state.type);
  }
});

it("a type outside of this package is its own token, and Provider that of dynamic providers", () => {
  expect(tokensOf("aws:s3/bucket:Bucket")).toEqual(["aws:s3/bucket:Bucket"]);
  expect(tokensOf("Provider")).toEqual([providerType, nativeProviderType]);
});

describe("a resource of the native provider", () => {
  const nativeToken = `${nativeTokenPrefix}IpPolicyRule`;
  const provider = `urn:pulumi:dev::p::${nativeProviderType}::default_0_1_0::id`;
  const state = { type: nativeToken, custom: true, inputs: {}, provider };

  it("is known by its own token and a native provider of the package, whatever code an earlier state holds", () => {
    for (const { type } of declarations)
      expect(said({ ...state, type: nativeTokenPrefix + type })).toBe(type);
    expect(said({ ...state, outputs: { __provider: code } })).toBe("IpPolicyRule");
  });

  const none = "it has the type of IpPolicyRule, and no native provider of this package";
  const others: [string, Record<string, unknown>, string][] = [
    ["without a provider", { ...state, provider: undefined }, none],
    ["with a provider of dynamic resources", { ...state, provider: dynamic }, none],
    [
      "with a provider whose name looks native",
      { ...state, provider: `urn:pulumi:dev::p::pulumi:providers:aws::${nativeProviderType}::id` },
      none,
    ],
    [
      "that is a component",
      { ...state, custom: false },
      "it is a component with the type of IpPolicyRule, and manages no object",
    ],
    [
      "of an unknown class",
      { ...state, type: `${nativeTokenPrefix}Other` },
      "this version of pulumi-tunnel-gateway knows no resource type Other",
    ],
  ];
  it.each(others)("is not one %s", (_, other, problem) => expect(said(other)).toBe(problem));

  it("is no dynamic one with a native provider", () => {
    const odd = { ...state, type: token, inputs: { __provider: code } };
    expect(said(odd)).toBe("it has the type of IpPolicyRule, and a provider of another package");
  });

  it("leaves the component of the package a component", () => {
    expect(said({ type: `${nativeTokenPrefix}IpAccessList`, custom: false })).toBe("component");
  });

  it("is none with a longer type, of which the provider gets only the end", () => {
    const type = `tunnel-gateway:x$${nativeToken}`;
    expect(said({ ...state, type })).toBe(
      `it has another type, ${type}, and a native provider of this package`,
    );
  });

  it("has its name after the first token of its URN", () => {
    const urn = (name: string) => `urn:pulumi:dev::p::${nativeToken}::${name}`;
    expect(nameOfOne(urn("lan"), tokensOf("IpPolicyRule"))).toBe("lan");
    const odd = `a::${token}::b`;
    expect(nameOfOne(urn(odd), tokensOf("IpPolicyRule"))).toBe(odd);
  });
});

describe.each([
  ["dynamic", providerType, "tunnel-gateway:"],
  ["native", nativeProviderType, ""],
])("a provider of %s resources", (kind, type, prefix) => {
  const named = (name: string, inputs: object): string =>
    said({ type, urn: `urn:pulumi:dev::p::${type}::${name}`, custom: true, inputs });
  const saidWith = (inputs: object): string => named("partner", inputs);
  const elsewhere = "it is a provider, and the program chooses another plugin for it";

  it("has settings under the names of its kind, variables that give settings, and nothing else", () => {
    const settings = { [`${prefix}baseUrl`]: "https://a", [`${prefix}apiKey`]: "[secret]" };
    const envVarMappings = { AMERICA_KEY: "TUNNEL_GATEWAY_API_KEY" };
    expect(saidWith({ ...settings, __internal: { envVarMappings } })).toBe("provider");
    expect(saidWith({})).toBe("provider");
    const other = kind === "dynamic" ? "baseUrl" : "tunnel-gateway:baseUrl";
    for (const name of [other, `${prefix}baseURL`, "__provider"])
      expect(saidWith({ ...settings, [name]: "https://b" })).toBe(
        `it is a provider with the input "${name}", which no Provider of this package has`,
      );
    for (const mappings of [{ TITLE: "NODE_OPTIONS" }, "[secret]", unknown])
      expect(saidWith({ __internal: { envVarMappings: mappings } })).toBe(
        "it is a provider, and envVarMappings gives it more than settings of this package",
      );
  });

  it("has the plugin of its package, whatever its name", () => {
    const choices = [{ pluginDownloadURL: "https://b" }, { name: "b" }, { parameterization: {} }];
    for (const name of ["partner", "default"]) {
      for (const choice of choices) {
        expect(named(name, choice)).toBe(elsewhere);
        expect(named(name, { __internal: choice })).toBe(elsewhere);
      }
      expect(named(name, { __internal: "[secret]" })).toBe(elsewhere);
    }
    // Python and other SDKs state the version of the native plugin, which Pulumi gets from the usual place.
    expect(saidWith({ version: "9.9.9", __internal: {} })).toBe(kind === "native" ? "provider" : elsewhere);
    expect(saidWith({ __internal: { pluginChecksums: {} } })).toBe(
      kind === "native" ? "provider" : elsewhere,
    );
  });

  it("has all of the configuration where it is the default one", () => {
    const configuration =
      kind === "dynamic" ? { "shop:zone": "a", "tunnel-gateway:zone": "a" } : { zone: "a" };
    expect(named("default", configuration)).toBe("provider");
    expect(named("defence", configuration)).toMatch(/^it is a provider with the input/);
  });
});

const own = { type: token, custom: true, inputs: { __provider: code }, provider: dynamic };
const cases: [string, Record<string, unknown>, string][] = [
  [
    "what the program only reads has its code in the outputs",
    { ...own, inputs: {}, outputs: { __provider: code } },
    "IpPolicyRule",
  ],
  [
    "a component",
    { ...own, custom: false },
    "it is a component with the type of IpPolicyRule, and manages no object",
  ],
  [
    "an unknown class",
    { ...own, type: `${tokenPrefix}Door` },
    "this version of pulumi-tunnel-gateway knows no resource type Door",
  ],
  ["no code", { ...own, inputs: {} }, "it has the type of IpPolicyRule, and no code"],
  [
    "the code of another class",
    { ...own, inputs: { __provider: shimOf("IpPolicy") } },
    "it has the type of IpPolicyRule, and the code of IpPolicy",
  ],
  [
    "changed code",
    { ...own, inputs: { __provider: `${code} ` } },
    "it has the type of IpPolicyRule, and code that uses this package in its own way",
  ],
  [
    "strange code",
    { ...own, inputs: { __provider: "exports.handler = 1" } },
    "it has the type of IpPolicyRule, and code of its own",
  ],
  [
    "code that is not known",
    { ...own, inputs: { __provider: unknown } },
    "it has the type of IpPolicyRule, and code that is hidden",
  ],
  [
    "other code in the outputs",
    { ...own, outputs: { __provider: "x" } },
    "it has the type of IpPolicyRule, and code of its own",
  ],
  [
    "a provider of another package",
    { ...own, provider: "urn:pulumi:dev::p::pulumi:providers:aws::default::id" },
    "it has the type of IpPolicyRule, and a provider of another package",
  ],
  [
    "our code under another type",
    { ...own, type: "pulumi-nodejs:dynamic:Resource" },
    "it has another type, pulumi-nodejs:dynamic:Resource, and the code of IpPolicyRule",
  ],
  [
    "code of another package",
    { type: "pulumi-nodejs:dynamic:Resource", custom: true, inputs: { __provider: "x" } },
    "code",
  ],
  ["a dynamic resource of Python", { type: "pulumi-python:dynamic:Resource", custom: true }, "code"],
  ["a dynamic provider under any type", { type: "a:b:C", custom: true, provider: dynamic }, "code"],
  ["a dynamic provider itself", { type: providerType, custom: true }, "provider"],
  ["another component", { type: "a:b:C", custom: false }, "component"],
  ["another package", { type: "aws:s3/bucket:Bucket", custom: true }, "other"],
  ["another provider", { type: "pulumi:providers:aws", custom: true }, "engine"],
];

it.each(cases)("a resource is known by its type and its code: %s", (_, state, expected) => {
  expect(said(state)).toBe(expected);
});
