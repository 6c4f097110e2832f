/** The rules about resources that are not what they seem, code of others, and providers that Pulumi hides. */
import * as pulumi from "@pulumi/pulumi";
import { IpPolicy, Provider } from "../../../src";
import { shimOf, tokenPrefix } from "../../../src/program/shim";
import { providerType } from "../../../src/provider/urn";
import { reviewText, urnOf, writtenPreview } from "./support";

type State = Record<string, unknown>;

const token = `${tokenPrefix}IpPolicyRule`;
const real = { type: token, custom: true, inputs: { __provider: shimOf("IpPolicyRule") }, outputs: {} };
const fake = { ...real, custom: false };

/** The findings of the named rules in a preview with one more step. */
function found(op: string, oldState: State | undefined, newState: State | undefined): string[] {
  const { steps, ...more } = JSON.parse(writtenPreview([])) as { steps: object[] };
  const step = { op, urn: urnOf("IpPolicyRule", "office"), oldState, newState };
  const { findings } = reviewText(JSON.stringify({ ...more, steps: [...steps, step] }));
  return findings
    .filter(({ rule }) =>
      ["access/identity", "access/foreign-code", "access/base-url-changed"].includes(rule),
    )
    .map(({ severity, rule, name, message }) => `${severity} ${rule} ${name}: ${message}`);
}

const component = "it is a component with the type of IpPolicyRule, and manages no object";

it.each([
  ["is an error where it is new", "create", undefined, fake, [`error access/identity office: ${component}`]],
  [
    "is an error where it takes the place of an object",
    "update",
    real,
    fake,
    [`error access/identity office: ${component}`],
  ],
  [
    "is a warning where it was so before",
    "same",
    fake,
    fake,
    [`warning access/identity office: ${component}`],
  ],
  ["is no finding where it is removed, as nothing works on it", "delete", fake, undefined, []],
] as [string, string, State | undefined, State | undefined, string[]][])(
  "a component with the type of a class %s",
  (_, op, before, after, expected) => {
    expect(found(op, before, after)).toEqual(expected);
  },
);

it("the removal of what has changed code is an error, because the code decides what it deletes", () => {
  const changed = { ...real, inputs: { __provider: "x" } };
  expect(found("delete", changed, undefined)).toEqual([
    "error access/identity office: its removal may delete any object: it has the type of IpPolicyRule, and code of its own",
  ]);
});

it("code of others is listed where its resource changes", () => {
  const other = {
    type: "pulumi-nodejs:dynamic:Resource",
    custom: true,
    inputs: { __provider: "x" },
    outputs: {},
  };
  const said = found("create", undefined, other);
  expect(said).toEqual([expect.stringMatching(/^warning access\/foreign-code .*created by code of its own/)]);
  expect(found("same", other, other)).toEqual([]);
});

it("a provider whose name begins with default is an error, and the default one is none", () => {
  const under = (name: string): State => ({
    ...{ ...real, id: "ipr_1" },
    provider: `urn:pulumi:test::written::${providerType}::${name}::id`,
  });
  expect(found("same", under("default_eu"), under("default_eu"))).toEqual([
    expect.stringMatching(/^error access\/base-url-changed default_eu: its base URL is not known/),
  ]);
  expect(found("same", under("default"), under("default"))).toEqual([]);
  expect(found("delete", under("default_eu"), undefined)).toEqual([]);
});

it("the class Provider refuses a name that begins with default", () => {
  for (const name of ["default", "default_eu", "defaults"])
    expect(() => new Provider(name, {})).toThrow(`the name of the Provider "${name}" begins with "default"`);
});

it("a silence names a resource by all that follows its type", () => {
  const urn = `urn:pulumi:test::written::my::odd$${token}::office`;
  const { steps, ...more } = JSON.parse(writtenPreview([])) as { steps: object[] };
  const step = { op: "create", urn, newState: fake };
  const text = JSON.stringify({ ...more, steps: [...steps, step] });
  const silences = [{ rule: "access/identity", resource: "office", reason: "known" }];
  const rules = (options: object): string[] => reviewText(text, options).findings.map(({ rule }) => rule);
  expect(rules({})).toContain("access/identity");
  expect(rules({ silences })).not.toContain("access/identity");
});

it("a class refuses a provider that the program registers under a name that begins with default", async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }),
    call: () => ({}),
  });
  for (const name of ["default", "default_eu"]) {
    const provider = new (class extends pulumi.ProviderResource {})("pulumi-nodejs", name, {});
    expect(() => new IpPolicy("office", {}, { provider })).toThrow(
      `the name of the Provider "${name}" begins with "default"`,
    );
    const parent = new (class extends pulumi.ComponentResource {})(
      "a:b:C",
      name,
      {},
      { providers: [provider] },
    );
    expect(() => new IpPolicy("office", {}, { parent })).toThrow('begins with "default"');
  }
});
