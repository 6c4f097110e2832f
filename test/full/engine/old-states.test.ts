import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { shimOf } from "../../../src/program/shim";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Stack } from "../../support/engine";
import {
  expectEmpty,
  folder,
  keptProgram,
  keptStack,
  keptVersions,
  newProgram,
  passphrase,
} from "../../engine/kept-states";
import { resources, writes } from "../../engine/support";

const { version } = JSON.parse(readFileSync(resolve(__dirname, "../../../package.json"), "utf8")) as {
  version: string;
};

// A release adds its own state: `TUNNEL_GATEWAY_MAKE_STATE=1 npm run test:full -- test/full/engine/old-states`.
if (process.env.TUNNEL_GATEWAY_MAKE_STATE) {
  it(`keeps a state of version ${version}`, async () => {
    const place = join(folder, version);
    if (existsSync(place)) throw new Error(`${place} exists: a kept state never changes`);
    mkdirSync(place, { recursive: true });
    const emulator = await EmulatorProcess.start({ dataFile: join(place, "account.json") });
    const stack = await newProgram().stack({ passphrase, config: emulator.config });
    await stack.up();
    writeFileSync(join(place, "state.json"), `${JSON.stringify(await stack.exportState(), null, 2)}\n`);
    await emulator.stop();
  });
}

it("is kept of this version too", () => {
  expect(keptVersions).toContain(version);
});

/** The types of the resources whose state holds another provider text than this version's. */
function olderTexts(stack: Stack, values: "inputs" | "outputs"): string[] {
  const types = Object.values(resources(stack)).map((each) => [each.type.split(":").at(-1)!, each] as const);
  return types.filter(([type, each]) => each[values]!.__provider !== shimOf(type)).map(([type]) => type);
}

describe.each(keptVersions)("a stack deployed with version %s", (name) => {
  it("has no changes, and can be updated and destroyed", async () => {
    const { own, stack, emulator } = await keptStack(name);
    try {
      const token = (await stack.outputs(true)).token;
      expect(token).toMatch(/^emulated_/);

      await stack.previewNoChanges();
      expect(await emulator.requestLines()).toEqual([]);
      own.write(keptProgram("offices and VPN"));
      await stack.up();
      expect(Object.values(await writes(emulator))).toEqual([{ description: "offices and VPN" }]);
      await stack.refresh();
      await stack.previewNoChanges();
      expect((await stack.outputs(true)).token).toBe(token);

      await stack.destroy();
      await expectEmpty(emulator);
    } finally {
      await emulator.stop();
    }
  });

  it("needs no up before a refresh, which finds no change, or before its destroy", async () => {
    const { stack, emulator } = await keptStack(name);
    try {
      // With the program, because the state holds the URL of an emulator that has ended.
      await stack.refresh({ args: ["--run-program", "--expect-no-changes"] });
      expect(olderTexts(stack, "outputs")).toEqual([]);
      await stack.previewNoChanges();
      await stack.destroy({ args: ["--run-program"] });
      await expectEmpty(emulator);
    } finally {
      await emulator.stop();
    }
  });

  it("has the short provider text in what the next up writes", async () => {
    const { own, stack, emulator } = await keptStack(name);
    try {
      expect(olderTexts(stack, "inputs")).toHaveLength(6);
      const before = stack.stateText().length;
      await stack.up({ args: ["--expect-no-changes"] });
      expect(olderTexts(stack, "inputs")).toEqual([]);
      expect(stack.stateText().length).toBeLessThan(before);
      // The engine keeps the outputs of what does not change.
      own.write(keptProgram("offices and VPN"));
      await stack.up();
      expect(olderTexts(stack, "outputs")).toHaveLength(5);
    } finally {
      await emulator.stop();
    }
  });
});
