/** A stack with every class loses its state, and takes over its objects: on the small engine, by both doors. */
import * as pulumi from "@pulumi/pulumi";
import * as dynamicClasses from "../../../../src";
import * as nativeClasses from "../../../../src/native";
import { clientWith } from "../../../../src/account/account-client";
import { readSettings } from "../../../../src/provider/settings/read-settings";
import { declarations } from "../../../../src/resources/registry";
import { adopted, adoptionFile } from "../../../../src/tools/import/adopt/adopt-file";
import { pairUp } from "../../../../src/tools/import/adopt/pairing";
import { programIn } from "../../../../src/tools/import/adopt/planned";
import { readAccount } from "../../../../src/tools/inventory/account-contents";
import type { ImportEntry } from "../../../../src/tools/stack/import-entry";
import { importable } from "../../../full/native/every-class";
import { doors } from "../../../rounds/doors";
import declareWorld from "../../../rounds/program.cjs";
import { seed } from "../../../rounds/table";
import { printedPlan } from "../../../simulation/plan-text";
import { sharedEmulator } from "../../../support/emulators";
import { nativeProcess } from "../../../support/in-process/provider";
import { InProcessStack } from "../../../support/in-process/stack";
import { plain } from "../../../support/in-process/values";

const partsOf = {
  dynamic: { classes: dynamicClasses, options: {} },
  native: { classes: nativeClasses, options: { plugin: nativeProcess } },
};

describe.each(doors)("by the %s door", (door) => {
  const emulator = sharedEmulator();

  it("every object is paired with its resource, and nothing changes", async () => {
    await emulator.seed(seed);
    const { classes, options } = partsOf[door];
    const settings = { apiKey: emulator.apiKey, baseUrl: emulator.baseUrl };
    const world = JSON.parse(JSON.stringify({ resources: importable, lookUps: [] })) as Parameters<
      typeof declareWorld
    >[0];
    const program = (): void => declareWorld(world, classes, pulumi);
    await new InProcessStack(settings, options).up(program);
    const before = emulator.snapshot();

    const stack = new InProcessStack(settings, options);
    const plan = await stack.preview(program);
    const inputs = new Map(plan.steps.map(({ urn, after }) => [urn, plain(after!.inputs)]));
    const planned = programIn(printedPlan(plan, door, {}), inputs);
    const environment = {
      TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
      TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
    };
    const client = clientWith(readSettings({ get: () => undefined }, environment), () => undefined);
    const { objects } = await readAccount({
      client,
      isChosen: (each) => declarations.includes(each) && each.style === "collection",
    });
    const outcomes = await pairUp(planned.creates, objects, client, { project: "program", stack: "dev" });
    expect(
      outcomes.filter(({ kind }) => kind !== "pair").map(({ kind, create }) => `${create.name} ${kind}`),
    ).toEqual([]);
    const pairs = outcomes.flatMap((each) => (each.kind === "pair" ? [adopted(each, client.settings)] : []));
    expect(
      pairs.filter(({ changes }) => changes.length > 0).map(({ create, changes }) => [create.name, changes]),
    ).toEqual([]);

    stack.adopt(adoptionFile(pairs, planned, new Set(), Date.now()).resources as ImportEntry[]);
    expect((await stack.preview(program)).changes).toEqual([]);
    expect((await stack.up(program)).changes).toEqual([]);
    expect(emulator.snapshot()).toEqual(before);
  });
});
