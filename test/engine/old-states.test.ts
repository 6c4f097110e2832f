import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { shimOf } from "../../src/program/shim";
import { EmulatorProcess } from "../support/emulator-process";
import { engineSetup } from "../support/engine-setup";
import { Program, type Stack, type StackState } from "../support/engine";
import { prelude, resources, rewrite, writes } from "./support";

/**
 * One folder for each released version: `state.json`, what `pulumi stack export` gave, and `account.json`, the
 * emulator's data file of that moment. A release adds its own: `TUNNEL_GATEWAY_MAKE_STATE=1 npm run engine
 * test/engine/old-states`. `0.1.0-early` was written before absent outputs became null in the state. Nothing in them
 * was ever valid anywhere.
 */
const folder = resolve(__dirname, "../fixtures/states");
const { version } = JSON.parse(readFileSync(resolve(__dirname, "../../package.json"), "utf8")) as {
  version: string;
};

const passphrase = "the passphrase of kept states";
const program = (description = "offices") => `
  const office = new IpPolicy("office", { description: "${description}" });
  new IpPolicy("bare");
  new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow", metadata: "m" });
  new IpPolicyRule("lan6", { ipPolicyId: office.id, cidr: "2001:DB8::/32", action: "deny", description: "" });
  const key = new ApiKey("pipeline", { description: "used by the pipeline" });
  new ApiKey("owned", { ownerId: "usr_EmulatorAdministrator000000" });
  exports.token = key.token;
`;

const newProgram = (description?: string) =>
  new Program({ name: "kept", kind: "cjs", files: prelude + program(description) });

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

const kept = existsSync(folder) ? readdirSync(folder) : [];

it("is kept of this version too", () => {
  expect(readdirSync(folder)).toContain(version);
});

/** The stack of a kept state, with the account that it manages. */
async function stackOf(name: string) {
  const dataFile = join(mkdtempSync(join(engineSetup().folder, "account-")), "account.json");
  cpSync(join(folder, name, "account.json"), dataFile);
  const state = JSON.parse(readFileSync(join(folder, name, "state.json"), "utf8")) as StackState;
  const emulator = await EmulatorProcess.start({ dataFile });
  const own = newProgram();
  const stack = await own.stack({ passphrase, config: emulator.config });
  await stack.importState(state);
  return { own, stack, emulator };
}

/** The types of the resources whose state holds another provider text than this version's. */
function olderTexts(stack: Stack, values: "inputs" | "outputs"): string[] {
  const types = Object.values(resources(stack)).map((each) => [each.type.split(":").at(-1)!, each] as const);
  return types.filter(([type, each]) => each[values]!.__provider !== shimOf(type)).map(([type]) => type);
}

async function isEmpty(emulator: EmulatorProcess): Promise<void> {
  const { ip_policies, ip_policy_rules, api_keys } = await emulator.state();
  expect([ip_policies, ip_policy_rules, api_keys]).toEqual([[], [], []]);
}

describe.each(kept.length > 0 ? kept : [version])("a stack deployed with version %s", (name) => {
  it("has no changes, and can be updated and destroyed", async () => {
    const { own, stack, emulator } = await stackOf(name);
    try {
      const token = (await stack.outputs(true)).token;
      expect(token).toMatch(/^emulated_/);

      await stack.previewNoChanges();
      expect(await emulator.requestLines()).toEqual([]);
      rewrite(own, program("offices and VPN"));
      await stack.up();
      expect(Object.values(await writes(emulator))).toEqual([{ description: "offices and VPN" }]);
      await stack.refresh();
      await stack.previewNoChanges();
      expect((await stack.outputs(true)).token).toBe(token);

      await stack.destroy();
      await isEmpty(emulator);
    } finally {
      await emulator.stop();
    }
  });

  it("needs no up before a refresh, which finds no change, or before its destroy", async () => {
    const { stack, emulator } = await stackOf(name);
    try {
      // With the program, because the state holds the URL of an emulator that has ended.
      await stack.refresh({ args: ["--run-program", "--expect-no-changes"] });
      expect(olderTexts(stack, "outputs")).toEqual([]);
      await stack.previewNoChanges();
      await stack.destroy({ args: ["--run-program"] });
      await isEmpty(emulator);
    } finally {
      await emulator.stop();
    }
  });

  it("has the short provider text in what the next up writes", async () => {
    const { own, stack, emulator } = await stackOf(name);
    try {
      expect(olderTexts(stack, "inputs")).toHaveLength(6);
      const before = stack.stateText().length;
      await stack.up({ args: ["--expect-no-changes"] });
      expect(olderTexts(stack, "inputs")).toEqual([]);
      expect(stack.stateText().length).toBeLessThan(before);
      // The engine keeps the outputs of what does not change.
      rewrite(own, program("offices and VPN"));
      await stack.up();
      expect(olderTexts(stack, "outputs")).toHaveLength(5);
    } finally {
      await emulator.stop();
    }
  });
});
