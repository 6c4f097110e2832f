/** The base URL of a stack's configuration and of explicit providers, to which the API key and all requests go. */
import { readConfig } from "../../../src/tools/review/config-file";
import type { ReviewOptions } from "../../../src/tools/review/review";
import { unknown } from "../../../src/schema/unknown";
import { reviewText, urnOf, writtenPreview } from "./support";

const official = "https://api.example.com";
const other = "https://api.example.org";
const key = "tunnel-gateway:baseUrl";

const policyStep = (op: string): object => {
  const state = { id: "ipp_1", inputs: {}, outputs: {} };
  return {
    ...{ op, urn: urnOf("IpPolicy", "office") },
    ...(op !== "create" && { oldState: state }),
    newState: state,
  };
};
const providerStep = (name: string, before: string | undefined, after: string | undefined): object => ({
  op: before === undefined ? "create" : before === after ? "same" : "update",
  urn: `urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::${name}`,
  ...(before !== undefined && { oldState: { inputs: { [key]: before } } }),
  ...(after !== undefined && { newState: { inputs: { [key]: after } } }),
});

interface Case extends ReviewOptions {
  /** The configuration of the stack, as the preview shows it. */
  readonly config?: object;
  readonly steps?: readonly object[];
}

function foundIn({ config, steps = [policyStep("same")], ...options }: Case): string[] {
  const text = writtenPreview([], { config, steps });
  return reviewText(text, options)
    .findings.filter(({ rule }) => rule === "access/base-url-changed")
    .map(({ severity, type, name, message }) => `${severity} ${type} ${name}: ${message}`);
}

describe("the base URL of the stack's configuration", () => {
  const deployed = { provider: { baseUrl: official } };

  it.each([
    [
      "changes",
      { [key]: other },
      `changes from ${official} to ${other}: the API key and all requests go there`,
    ],
    [
      "becomes a secret",
      { [key]: "[secret]" },
      "is marked as secret, so the review cannot read it: the API key and all requests go there",
    ],
    [
      "is removed",
      {},
      `is removed, was ${official}, and the environment gives another: the API key and all requests go there`,
    ],
    [
      "is removed with all of the configuration",
      undefined,
      `is removed, was ${official}, and the environment gives another: the API key and all requests go there`,
    ],
  ])("is an error when it %s since the last deployment", (_, config, message) => {
    expect(foundIn({ config, deployed })).toEqual([
      `error Provider default: the base URL of the stack's configuration (tunnel-gateway:baseUrl in Pulumi.test.yaml) ${message}`,
    ]);
  });

  it.each([
    ["a secret", "[secret]", other, `changes from a secret to ${other}`],
    ["a secret too", "[secret]", "[secret]", "is marked as secret, so the review cannot read it"],
    [
      "a known value",
      official,
      unknown,
      `changes from ${official} to one that is known only after the deployment`,
    ],
  ])("is an error when it was %s", (_, before, after, message) => {
    expect(foundIn({ config: { [key]: after }, deployed: { provider: { baseUrl: before } } })).toEqual([
      `error Provider default: the base URL of the stack's configuration (tunnel-gateway:baseUrl in Pulumi.test.yaml) ${message}: the API key and all requests go there`,
    ]);
  });

  it.each(["default", "Provider default", "*"])("is silenced as %s", (resource) => {
    const silences = [{ rule: "access/base-url-changed", resource, reason: "the API moves" }];
    expect(foundIn({ config: { [key]: other }, deployed, silences })).toEqual([]);
  });

  it("is an error when the environment gave it before", () => {
    expect(foundIn({ config: { [key]: other }, deployed: { provider: { baseUrl: undefined } } })).toEqual([
      `error Provider default: the base URL of the stack's configuration (tunnel-gateway:baseUrl in Pulumi.test.yaml) changes from the one of the environment to ${other}: the API key and all requests go there`,
    ]);
  });

  it("is no finding while it stays, with or without a slash at its end", () => {
    expect(foundIn({ config: { [key]: official }, deployed })).toEqual([]);
    expect(foundIn({ config: { [key]: `${official}/` }, deployed })).toEqual([]);
    expect(foundIn({ config: {}, deployed: { provider: { baseUrl: undefined } } })).toEqual([]);
  });

  it.each([
    [undefined, official],
    [official, undefined],
    [undefined, undefined],
  ])("is no finding when it moves from or to the environment, and stays (%s, %s)", (baseUrl, after) => {
    const found = (environmentUrl: string): string[] =>
      foundIn({ config: { [key]: after }, deployed: { provider: { baseUrl }, environmentUrl } });
    expect([found(official), found(other)].map(({ length }) => length)).toEqual([
      0,
      baseUrl === after ? 0 : 1,
    ]);
  });

  it("is an error in a preview from a file when the review's configuration names others", () => {
    const baseUrls = [official, "https://api.staging.example.com//"];
    expect(foundIn({ config: { [key]: other }, baseUrls })).toEqual([
      `error Provider default: the base URL of the stack's configuration (tunnel-gateway:baseUrl in Pulumi.test.yaml) is ${other}, which neither a provider nor the review's baseUrls had: the API key and all requests go there; if it is the API's, list it as baseUrls in .tunnel-gateway-review.json`,
    ]);
    expect(foundIn({ config: { [key]: "https://api.staging.example.com" }, baseUrls })).toEqual([]);
    expect(foundIn({ config: { [key]: "https://API.staging.example.com:443/" }, baseUrls })).toEqual([]);
    expect(foundIn({ config: {}, baseUrls })).toEqual([]);
    expect(foundIn({ config: { [key]: official }, baseUrls: [] })).toHaveLength(1);
  });

  it("is a note in a preview from a file that nothing compares it with", () => {
    expect(foundIn({ config: { [key]: other } })).toEqual([
      `note Provider default: the base URL of the stack's configuration (tunnel-gateway:baseUrl in Pulumi.test.yaml) is ${other}, and the preview does not show whether that is new: list it as baseUrls in .tunnel-gateway-review.json, or review with --stack`,
    ]);
    expect(foundIn({ config: {} })).toEqual([]);
    expect(foundIn({ config: { [key]: other }, steps: [policyStep("create")] })).toEqual([]);
  });

  it("is an error when the stack had no default provider and the explicit ones had others", () => {
    const steps = [providerStep("mine", official, official)];
    expect(foundIn({ steps, config: { [key]: other }, deployed: { provider: undefined } })).toEqual([
      `error Provider default: the base URL of the stack's configuration (tunnel-gateway:baseUrl in Pulumi.test.yaml) is ${other}, which no provider had: the API key and all requests go there`,
    ]);
    expect(foundIn({ steps, config: { [key]: official }, deployed: { provider: undefined } })).toEqual([]);
  });

  it("is read from a stream of events too", () => {
    const events = [
      { sequence: 0, preludeEvent: { config: { [key]: other } } },
      { sequence: 1, summaryEvent: { resourceChanges: {} } },
    ];
    const text = events.map((event) => JSON.stringify(event)).join("\n");
    expect(reviewText(text, { deployed }).findings).toMatchObject([{ rule: "access/base-url-changed" }]);
  });
});

describe("the base URL of a provider that is added", () => {
  const added = providerStep("more", undefined, other);
  const message = `error Provider more: its base URL is ${other}, which no provider had: the API key and all requests go there`;

  it("is an error in a stack that had the default provider only", () => {
    expect(foundIn({ steps: [policyStep("same"), added] })).toEqual([message]);
  });

  it("is an error when the preview leaves out the unchanged resources", () => {
    const text = writtenPreview([], { steps: [added], changeSummary: { create: 1, same: 3 } });
    expect(reviewText(text).findings).toMatchObject([{ rule: "access/base-url-changed" }]);
  });

  it("is an error when it is that of a variable that the program chooses, also where the engine sees no change", () => {
    const mapped = (name: string) => ({
      __internal: { envVarMappings: { [name]: "TUNNEL_GATEWAY_BASE_URL" } },
    });
    const found = (op: string, before: object, after: object, more: ReviewOptions = {}): string[] => {
      const states = {
        newState: { inputs: after },
        ...(op !== "create" && { oldState: { inputs: before } }),
      };
      return foundIn({ steps: [policyStep("same"), { ...added, op, ...states }], ...more });
    };
    const because = (what: string): string =>
      `error Provider more: its base URL ${what}: the API key and all requests go there`;
    expect(found("create", {}, mapped("TITLE"))).toEqual([
      because("is that of the variable TITLE, which no provider had"),
    ]);
    expect(found("create", {}, mapped("TITLE"), { baseUrls: [official] })).toHaveLength(1);
    for (const op of ["same", "update"]) {
      expect(found(op, {}, mapped("TITLE"))).toEqual([
        because("changes from the one of the environment to that of the variable TITLE"),
      ]);
      expect(found(op, mapped("URL"), mapped("TITLE"))).toEqual([
        because("changes from that of the variable URL to that of the variable TITLE"),
      ]);
      expect(found(op, mapped("URL"), mapped("URL"))).toEqual([]);
      const known = { [key]: official };
      expect(found(op, known, { ...mapped("TITLE"), ...known })).toEqual([]);
    }
  });

  it("is no finding when it is that of the stack's configuration, or one of the review's", () => {
    const steps = [policyStep("same"), providerStep("more", undefined, official)];
    expect(
      foundIn({ steps, config: { [key]: official }, deployed: { provider: { baseUrl: official } } }),
    ).toEqual([]);
    expect(foundIn({ steps, baseUrls: [official] })).toEqual([]);
  });

  it("is no finding when it is that of the environment, which the default provider had so far", () => {
    const steps = [policyStep("same"), added];
    const deployed = { provider: { baseUrl: undefined }, environmentUrl: `${other}/` };
    expect(foundIn({ steps, deployed })).toEqual([]);
    expect(foundIn({ steps, deployed: { ...deployed, environmentUrl: official } })).toEqual([message]);
  });

  it("is no finding in a new stack, unless it is none of the review's", () => {
    const steps = [policyStep("create"), added];
    expect(foundIn({ steps })).toEqual([]);
    expect(foundIn({ steps, baseUrls: [official] })).toEqual([
      message.replace("no provider had", "neither a provider nor the review's baseUrls had"),
    ]);
  });
});

describe("a provider with an input that no Provider of this package has", () => {
  const evil = "https://api.example.net";
  const native = "tunnel-gateway";
  const dynamic = "pulumi-nodejs";
  const step = (kind: string, op: string, before?: object, after?: object): object => ({
    ...{ op, urn: `urn:pulumi:test::written::pulumi:providers:${kind}::partner` },
    ...(before && { oldState: { inputs: before } }),
    ...(after && { newState: { inputs: after } }),
  });
  const errorsOf = (steps: readonly object[]): string[] =>
    reviewText(writtenPreview([], { steps: [policyStep("same"), ...steps] }), { baseUrls: [official] })
      .findings.filter(({ rule }) => ["access/identity", "access/base-url-changed"].includes(rule))
      .map(({ severity, rule, name, message }) => `${severity} ${rule} ${name}: ${message}`);
  const unlike = (input: string): string =>
    `access/identity partner: it is a provider with the input "${input}", which no Provider of this package has`;

  it.each([
    [dynamic, "baseUrl"],
    [native, "tunnel-gateway:baseUrl"],
  ])("is an error: a %s one with the setting %s", (kind, name) => {
    expect(errorsOf([step(kind, "create", undefined, { [name]: evil })])).toEqual([`error ${unlike(name)}`]);
    const good = { [kind === native ? "baseUrl" : key]: official };
    expect(errorsOf([step(kind, "update", good, { ...good, [name]: evil })])).toEqual([
      `error ${unlike(name)}`,
    ]);
  });

  it("is an error where its options make Pulumi download a plugin", () => {
    const inputs = {
      ...{ [key]: official, "tunnel-gateway:apiKey": "[secret]", version: "9.9.9" },
      __internal: { name: "evil", pluginDownloadURL: evil },
    };
    expect(errorsOf([step(dynamic, "create", undefined, inputs)])).toEqual([
      "error access/identity partner: it is a provider, and the program chooses another plugin for it",
    ]);
  });

  it("is a warning where it was so and stays, and no finding where it is corrected", () => {
    const [wrong, right] = [{ [key]: official, zone: "a" }, { [key]: official }];
    expect(errorsOf([step(dynamic, "same", wrong, wrong)])).toEqual([`warning ${unlike("zone")}`]);
    expect(errorsOf([step(dynamic, "update", wrong, right)])).toEqual([]);
    expect(errorsOf([step(dynamic, "delete", wrong)])).toEqual([
      expect.stringMatching(/^error access\/identity partner: its removal may delete any object: /),
    ]);
  });
});

describe("the base URLs of the review's configuration", () => {
  it("are a setting that every output names", () => {
    const { settings } = reviewText(writtenPreview([]), { baseUrls: [official, other] });
    expect(settings).toEqual([{ name: "baseUrls", value: `${official}, ${other}`, usual: "not set" }]);
    const { settings: none } = reviewText(writtenPreview([]), { baseUrls: [] });
    expect(none).toEqual([]);
  });

  it("are a list of URLs", () => {
    expect(readConfig(JSON.stringify({ baseUrls: [official] })).baseUrls).toEqual([official]);
    for (const baseUrls of [official, [5], ["api.example.com"], [""], {}])
      expect(() => readConfig(JSON.stringify({ baseUrls }))).toThrow(
        /^baseUrls must be a list of URLs|^baseUrls\[0\] must be a URL/,
      );
  });
});
