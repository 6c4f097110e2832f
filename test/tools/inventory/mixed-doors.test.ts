/** The tools on stacks with dynamic and native resources: they say the same as of dynamic ones alone. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { nativeTokenPrefix, tokenPrefix } from "../../../src/program/shim";
import { clientWith } from "../../../src/account/account-client";
import { contentsOf } from "../../../src/tools/inventory/stack";
import { readPreview } from "../../../src/tools/inventory/read-preview";
import { mapOf } from "../../../src/tools/map/graph";
import { mapOfChanges, mapOfPreview } from "../../../src/tools/map/preview-map";
import { renderMermaid } from "../../../src/tools/map/mermaid";
import { findOrphans } from "../../../src/tools/orphans/find";
import { policies } from "../../../src/tools/policy";
import type { StackResource } from "../../../src/tools/policy";
import { readSettings } from "../../../src/provider/settings/read-settings";
import { stepsOf } from "../../../src/tools/approval/approve";
import { rehearse } from "../../../src/tools/rehearsal/rehearse";
import { stackDrift } from "../../../src/tools/review/drift";
import { json } from "../../../src/tools/review/output/json-report";
import { markdown } from "../../../src/tools/review/output/forms";
import { review } from "../../../src/tools/review/review";
import { cases } from "../../support/cases";
import { sharedEmulator } from "../../support/emulators";
import { mixed, ofOneDoor } from "../../support/mixed-doors";

const now = Date.parse("2026-11-21T12:00:00Z");
const fixtures = join(__dirname, "../../fixtures");
const previews = readdirSync(join(fixtures, "previews")).filter((name) => name.endsWith(".json"));
const previewText = (name: string): string => readFileSync(join(fixtures, "previews", name), "utf8");

/** What a tool makes of a recorded preview and of the same one with resources of both doors. */
function both(name: string, tool: (text: string) => unknown): [string, string] {
  const text = previewText(name);
  const [dynamic, mix] = [text, mixed(text)].map((each) => ofOneDoor(JSON.stringify(tool(each))));
  return [dynamic!, mix!];
}

it("the previews of this test have resources of both doors", () => {
  const texts = previews.map((name) => mixed(previewText(name)));
  const isMixed = (text: string) => [tokenPrefix, nativeTokenPrefix].every((token) => text.includes(token));
  expect(texts.filter(isMixed).length).toBeGreaterThan(50);
});

describe.each(previews.filter((_, i) => i % cases(3, 1) === 0))(
  "on the preview %s with resources of both doors",
  (name) => {
    it("the review finds the same, and who gets in is the same", () => {
      const [dynamic, mix] = both(name, (text) => {
        const made = review(readPreview(text), { now });
        return [json(made), markdown(made)];
      });
      expect(mix).toBe(dynamic);
    });

    it("the writes that an approval lists are the same", async () => {
      const writesOf = async (text: string) => {
        const plan = readPreview(text).plan;
        const steps = stepsOf(plan, await rehearse(plan, { now }));
        return ofOneDoor(JSON.stringify(steps.map(({ urn, writes }) => ({ urn, writes }))));
      };
      const text = previewText(name);
      const [dynamic, mix] = await Promise.all([text, mixed(text)].map(writesOf));
      expect(mix).toBe(dynamic);
    });

    it("drift and the map are the same", () => {
      const [dynamic, mix] = both(name, (text) => {
        const world = readPreview(text);
        const maps = [mapOfPreview(world), mapOfChanges(world)].map((map) => renderMermaid(map));
        return [stackDrift(world, "dev", now), maps];
      });
      expect(mix).toBe(dynamic);
    });

    it("the policies of the pack report the same", () => {
      const [dynamic, mix] = both(name, (text) => violations(packed(text)));
      expect(mix).toBe(dynamic);
    });
  },
);

/** The resources of a preview as a policy pack gets them. */
function packed(text: string): StackResource[] {
  const { steps } = JSON.parse(text) as { steps: { urn: string; newState?: PackState }[] };
  return steps.flatMap(({ urn, newState }): StackResource[] => {
    if (newState?.custom !== true || !newState.type.includes("tunnel-gateway")) return [];
    const { type, inputs, propertyDependencies = {} } = newState;
    const isNative = type.startsWith(nativeTokenPrefix);
    const providerUrn = `urn:pulumi:test::p::pulumi:providers:${isNative ? "tunnel-gateway" : "pulumi-nodejs"}::default`;
    const dependencies = Object.entries(propertyDependencies).map(([argument, urns]) => [
      argument,
      urns.map((each) => ({ urn: each })),
    ]);
    return [
      {
        ...{ type, urn, name: urn.split("::").at(-1)!, props: inputs },
        provider: { urn: providerUrn, props: {} },
        propertyDependencies: Object.fromEntries(dependencies) as StackResource["propertyDependencies"],
      },
    ];
  });
}

interface PackState {
  readonly type: string;
  readonly custom: boolean;
  readonly inputs: Record<string, unknown>;
  readonly propertyDependencies?: Record<string, string[]>;
}

function violations(resources: readonly StackResource[]): string[] {
  const found: string[] = [];
  for (const policy of policies) {
    const report = (message: string) => void found.push(`${policy.name}: ${message}`);
    if ("validateResource" in policy) for (const each of resources) policy.validateResource(each, report);
    if ("validateStack" in policy) policy.validateStack({ resources }, report);
  }
  return found;
}

describe("an export with resources of both doors", () => {
  const emulator = sharedEmulator();
  const exported = readFileSync(join(fixtures, "map/stack.json"), "utf8");
  const stacks = [exported, mixed(exported)].map((text) => contentsOf(JSON.parse(text), "dev"));

  it("has the same objects, so an import leaves the same ones out", () => {
    const [dynamic, mix] = stacks.map(({ managed }) =>
      managed.map(({ declaration, id, name, args, values }) => [declaration.type, id, name, args, values]),
    );
    expect(dynamic!.length).toBeGreaterThan(5);
    expect(mix).toEqual(dynamic);
  });

  it("has the same map", () => {
    const [dynamic, mix] = stacks.map(({ inventory }) => renderMermaid(mapOf(inventory)));
    expect(mix).toBe(dynamic);
  });

  it("has the same orphans", async () => {
    await emulator.seed({ ip_policies: [{ id: "ipp_orphan", description: "left" }] });
    const { apiKey, baseUrl } = emulator;
    const settings = readSettings(
      { get: (key) => ({ "tunnel-gateway:apiKey": apiKey, "tunnel-gateway:baseUrl": baseUrl })[key] },
      {},
    );
    const found = stacks.map(async (contents) => {
      const client = clientWith(settings, () => undefined);
      const { orphans } = await findOrphans(client, contents, undefined, () => undefined);
      return orphans;
    });
    const [dynamic, mix] = await Promise.all(found);
    expect(mix).toEqual(dynamic);
    expect(JSON.stringify(dynamic)).toContain("ipp_orphan");
  });
});
