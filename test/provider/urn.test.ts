import {
  isDefaultProvider,
  isHiddenProvider,
  isProviderUrn,
  nameIn,
  nativeProviderType,
  providerIn,
  providerType,
  stackIn,
} from "../../src/provider/urn";
import { version } from "../../src/provider/version";

const start = "urn:pulumi:prod::shop::";
const rule = "pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRule";

it.each([
  ["of a resource of the stack", `${rule}::office`, "office"],
  ["of a child", `my:index:Office$${rule}::office`, "office"],
  ["that contains a type", `${rule}::a$pulumi:pulumi:Stack::b`, "a$pulumi:pulumi:Stack::b"],
  ["that repeats its own type", `${rule}::a$${rule}::b`, `a$${rule}::b`],
  ["under a component whose type contains ::", `my::odd$${rule}::office`, "office"],
  ["that contains ::", `${rule}::pulumi::x`, "pulumi::x"],
])("the name %s is what follows its type", (_, rest, name) => {
  expect(nameIn(start + rest, rule)).toBe(name);
});

it("knows the stack and the project, and none of a text without them", () => {
  expect(stackIn(`${start}${rule}::a`)).toEqual({ stack: "prod", project: "shop" });
  expect([stackIn("urn:pulumi:prod::"), stackIn("")]).toEqual([undefined, undefined]);
});

it("takes the id off a reference to a provider", () => {
  expect(providerIn(`${start}${providerType}::a::b::id`)).toBe(`${start}${providerType}::a::b`);
  expect([providerIn(""), providerIn(undefined), providerIn("alone")]).toEqual([
    undefined,
    undefined,
    "alone",
  ]);
});

const providers: [string, string, Record<"isProvider" | "isDefault" | "isHidden", boolean>][] = [
  [
    "the engine's own one",
    `${providerType}::default`,
    { isProvider: true, isDefault: true, isHidden: false },
  ],
  [
    "one with a longer name",
    `${providerType}::default_eu`,
    { isProvider: true, isDefault: false, isHidden: true },
  ],
  [
    "a child of a component",
    `a:b:C$${providerType}::default`,
    { isProvider: true, isDefault: false, isHidden: true },
  ],
  [
    "one that ends with it",
    `${providerType}::a::default`,
    { isProvider: true, isDefault: false, isHidden: false },
  ],
  [
    "the default native one of this version",
    `${nativeProviderType}::default_${version.replace(/\W/g, "_")}`,
    { isProvider: true, isDefault: true, isHidden: false },
  ],
  [
    "a native one with the name of another version",
    `${nativeProviderType}::default_9_9_9`,
    { isProvider: true, isDefault: false, isHidden: true },
  ],
  ["another name", `${providerType}::europe`, { isProvider: true, isDefault: false, isHidden: false }],
  [
    "another package",
    "pulumi:providers:aws::default",
    { isProvider: false, isDefault: false, isHidden: false },
  ],
  [
    "a resource named so",
    `${rule}::${providerType}::default`,
    { isProvider: false, isDefault: false, isHidden: false },
  ],
];

it.each(providers)(
  "knows a provider by its type, and the default one by all of its URN: %s",
  (_, rest, expected) => {
    const urn = start + rest;
    const found = {
      ...{
        isProvider: isProviderUrn(urn),
        isDefault: isDefaultProvider(urn),
        isHidden: isHiddenProvider(urn),
      },
    };
    expect(found).toEqual(expected);
  },
);
