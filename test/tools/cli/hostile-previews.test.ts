/** ESC, BEL, C1 and the like in all that a stack, a preview and a program say, through every command and every policy. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { policies } from "../../../src/tools/policy";
import { declarations } from "../../../src/resources/registry";
import { tokenPrefix } from "../../../src/program/shim";
import type { Json } from "../../../src/schema/json";
import { runCommandLine } from "../../support/command-line";
import { evil, harmIn } from "../../support/hostile";
import { recorded } from "../../support/recorded";
import { sharedEmulator } from "../../support/emulators";
import { temporaryFolder } from "../../support/folders";

const folder = temporaryFolder("hostile");

const typeOf = (type: string): string => `${tokenPrefix}${type}`;
const urnOf = (type: string, name: string): string => `urn:pulumi:dev::shop::${typeOf(type)}::${name}`;

/** Everything that a resource of a type may say, hostile. */
function stateOf(type: string, said: string): Json {
  const { fields, idPrefix = "x_" } = declarations.find((each) => each.type === type)!;
  const texts = Object.fromEntries(Object.keys(fields).map((name) => [name, said]));
  const ranges = { ipRestriction: { ipPolicyIds: ["ipp_1", said] }, ipPolicyIds: ["ipp_1", said] };
  const lists = { acl: [said], principals: [said], bindings: [said], ...ranges };
  const args = {
    ...texts,
    ...Object.fromEntries(Object.entries(lists).filter(([name]) => name in fields)),
    ...(type.startsWith("IpPolicyRule") && { ipPolicyId: "ipp_1", cidr: "0.0.0.0/0", action: "allow" }),
    ...(type === "IpPolicyRuleSet" && { rules: { "0.0.0.0/0": { action: "allow", description: said } } }),
    [evil]: evil,
  };
  return {
    ...{ urn: urnOf(type, evil), type: typeOf(type), id: `${idPrefix}1` },
    ...{ inputs: args, outputs: args, dependencies: [evil], propertyDependencies: { [evil]: [evil] } },
    sourcePosition: `project:///${evil}#1,1`,
  };
}

const ops = ["create", "update", "replace", "delete", "same"] as const;
type Op = (typeof ops)[number];

/** A preview in which every type is created, updated or the like. */
function previewText(op: Op): string {
  const steps = declarations.map(({ type }) => ({
    ...{ op, urn: urnOf(type, evil), replaceReasons: [evil] },
    ...(op !== "create" && { oldState: stateOf(type, evil) }),
    ...(op !== "delete" && { newState: stateOf(type, op === "same" ? evil : `${evil}2`) }),
  }));
  const provider = {
    ...{ op: "update", urn: `urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::${evil}` },
    oldState: { inputs: { "tunnel-gateway:baseUrl": evil } },
    newState: { inputs: { "tunnel-gateway:baseUrl": `${evil}2` } },
  };
  const preview = {
    ...{ config: { "tunnel-gateway:baseUrl": evil }, steps: [...steps, provider] },
    ...{ diagnostics: [{ severity: "error", message: evil }], changeSummary: { same: 100 } },
  };
  return JSON.stringify(recorded(preview));
}

const mockExport = recorded({
  deployment: {
    resources: declarations.map(({ type }) => stateOf(type, evil)),
    pending_operations: [{ type: "creating", resource: { ...stateOf("IpPolicy", evil), id: "" } }],
  },
});
let mockConfig: Record<string, { value: string }>;
let mockPreview: string;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: (args: readonly string[], { onStdout }: { onStdout?: (chunk: Buffer) => void } = {}) => {
    const history = [
      {
        kind: "update",
        result: "failed",
        startTime: "2026-01-01T00:00:00Z",
        endTime: "2026-01-02T00:00:00Z",
      },
    ];
    const printed = args[0] === "config" ? mockConfig : args[1] === "history" ? history : mockExport;
    if (args[0] !== "preview") return Promise.resolve({ stdout: JSON.stringify(printed), stderr: "" });
    onStdout?.(Buffer.from(mockPreview));
    return Promise.resolve({ stdout: mockPreview, stderr: "" });
  },
}));

const emulator = sharedEmulator();
beforeAll(() => {
  mockConfig = {
    "tunnel-gateway:apiKey": { value: emulator.apiKey },
    "tunnel-gateway:baseUrl": { value: emulator.baseUrl },
  };
});

/** What a format itself writes: commands of the review's own, and what keeps Markdown from making links. */
const withoutOwn = (text: string): string =>
  text.replace(/^::(?:error|warning|notice) /gm, "").replace(/(?<=[@:]|www|#|GH-)\u200b/gi, "");

/** The settings of a review that say something hostile too. */
const hostileReview = ["--silence", `access/*@${evil}=${evil}`, "--silence", `hygiene/*=${evil}`];
const formats = ["terminal", "markdown", "html", "json", "sarif", "annotations"];

describe.each(ops)("a preview in which everything says something hostile: %s", (op) => {
  it.each([
    ...formats.map((format) => ["review", "<file>", "--output", format, ...hostileReview]),
    ...["mermaid", "svg", "html"].map((format) => ["map", "--preview", "<file>", "--output", format]),
    ["access", "--preview", "<file>"],
    ["access", "--preview", "<file>", "--json"],
    ["access", "0.0.0.0/0", "--preview", "<file>"],
  ])("reaches no terminal: %s %s %s %s", async (...args) => {
    const file = join(folder, `${op}.json`);
    writeFileSync(file, previewText(op));
    const { stdout, stderr } = await runCommandLine(
      args.map((arg) => (arg === "<file>" ? file : arg)),
      {},
    );
    expect(stdout).not.toBe("");
    expect(harmIn(withoutOwn(stdout + stderr))).toEqual([]);
  });
});

describe("a stack in which everything says something hostile", () => {
  beforeEach(() => (mockPreview = previewText("update")));

  it.each([
    ...formats.map((format) => ["review", "--stack", "dev", "--output", format]),
    ["map", "--stack", "dev"],
    ["map", "--stack", "dev", "--account"],
    ["access", "--stack", "dev"],
    ["access", "--stack", "dev", "--json"],
    ["orphans", "--stack", "dev"],
    ["orphans", "--stack", "dev", "--json"],
    ["orphans", "--stack", "dev", "--planned"],
    ["import", "--stack", "dev", "--cwd", folder],
  ])("reaches no terminal: %s %s %s %s %s", async (...args) => {
    const { stdout, stderr } = await runCommandLine(args, {});
    expect(stdout + stderr).not.toBe("");
    expect(harmIn(withoutOwn(stdout + stderr))).toEqual([]);
  });
});

it.each(policies.map((policy) => [policy.name, policy] as const))(
  "no message of a policy controls a terminal: %s",
  (_, policy) => {
    const messages: string[] = [];
    const resources = [...declarations.map(({ type }) => type), evil].flatMap((type) => {
      const known = declarations.some((each) => each.type === type);
      const props = known ? (stateOf(type, evil).inputs as Json) : { [evil]: evil };
      const variants = [
        props,
        { ...props, enabled: false, trafficPolicy: undefined, bindings: ["public"], principals: [] },
      ];
      return variants.map((each) => ({
        ...{ type: typeOf(type), name: evil, urn: urnOf(type, evil), props: each, propertyDependencies: {} },
      }));
    });
    const report = (message: string): void => void messages.push(message);
    if ("validateStack" in policy) policy.validateStack({ resources }, report);
    else for (const each of resources) policy.validateResource(each, report);
    expect(messages.flatMap(harmIn)).toEqual([]);
  },
);
