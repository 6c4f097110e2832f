import { declarations } from "../../../src/resources/registry";
import { shimOf, tokenPrefix } from "../../../src/program/shim";
import { unknown } from "../../../src/schema/unknown";
import { identityOf, tokenOf } from "../../../src/stack/identity";
import { providerType } from "../../../src/stack/urn";

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
    expect(tokenOf(type)).toBe(state.type);
  }
});

it("a type outside of this package is its own token, and Provider that of dynamic providers", () => {
  expect([tokenOf("aws:s3/bucket:Bucket"), tokenOf("Provider")]).toEqual([
    "aws:s3/bucket:Bucket",
    providerType,
  ]);
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
  ["a dynamic provider under any type", { type: "a:b:C", custom: true, provider: dynamic }, "code"],
  ["a dynamic provider itself", { type: providerType, custom: true }, "provider"],
  ["another component", { type: "a:b:C", custom: false }, "component"],
  ["another package", { type: "aws:s3/bucket:Bucket", custom: true }, "other"],
  ["another provider", { type: "pulumi:providers:aws", custom: true }, "engine"],
];

it.each(cases)("a resource is known by its type and its code: %s", (_, state, expected) => {
  expect(said(state)).toBe(expected);
});
