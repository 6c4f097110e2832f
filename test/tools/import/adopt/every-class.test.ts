/** A stack with every class loses its state, and takes over its objects: on the small engine, by both doors. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as dynamicClasses from "../../../../src";
import * as nativeClasses from "../../../../src/native";
import type { ImportEntry } from "../../../../src/tools/stack/import-file";
import type { PulumiCall } from "../../../../src/tools/stack/pulumi";
import { importable } from "../../../full/native/every-class";
import { doors } from "../../../rounds/doors";
import declareWorld from "../../../rounds/program.cjs";
import { seed } from "../../../rounds/table";
import { printedPlan } from "../../../simulation/plan-text";
import { runCommandLine } from "../../../support/command-line";
import { EmulatorClient } from "../../../support/emulator-process";
import { sharedEmulator } from "../../../support/emulators";
import { temporaryFolder } from "../../../support/folders";
import { nativeProcess } from "../../../support/in-process/provider";
import { InProcessStack } from "../../../support/in-process/stack";
import { plain } from "../../../support/in-process/values";

let mockPulumi: (args: readonly string[], call: PulumiCall) => Promise<string>;
jest.mock("../../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../../src/tools/stack/pulumi"),
  pulumi: async (...given: Parameters<typeof mockPulumi>) => ({
    stdout: await mockPulumi(...given),
    stderr: "",
  }),
}));

const partsOf = {
  dynamic: { classes: dynamicClasses, options: {} },
  native: { classes: nativeClasses, options: { plugin: nativeProcess } },
};
type World = Parameters<typeof declareWorld>[0];

/** What the program has got since its state was lost. */
const since = [
  { name: "new", type: "IpPolicy", args: { description: "not there yet" } },
  { name: "one of two", type: "IpPolicy", args: { description: "twin" } },
  { name: "ci", type: "RotatingApiKey", args: { rotateAfterDays: 30, overlapDays: 3 } },
];

describe.each(doors)("by the %s door", (door) => {
  const emulator = sharedEmulator();

  it("every object is paired with its resource, and nothing changes but what the program says", async () => {
    await emulator.seed(seed);
    const { classes, options } = partsOf[door];
    const settings = { apiKey: emulator.apiKey, baseUrl: emulator.baseUrl };
    const programOf = (resources: readonly object[]) => (): void =>
      declareWorld(JSON.parse(JSON.stringify({ resources, lookUps: [] })) as World, classes, pulumi);
    const program = programOf(importable);
    await new InProcessStack(settings, options).up(program);
    const before = emulator.snapshot();

    let stack = new InProcessStack(settings, options);
    let declared = program;
    const calls: string[] = [];
    mockPulumi = async (args, { cwd }) => {
      calls.push(args.filter((each) => !each.includes("/")).join(" "));
      expect(cwd).toBe(folder);
      const after = (flag: string): string => args[args.indexOf(flag) + 1]!;
      if (args[0] === "stack") return JSON.stringify({ version: 3, deployment: { resources: [] } });
      if (args[0] === "config") return JSON.stringify(config);
      if (args[0] === "import") {
        const file = JSON.parse(readFileSync(after("--file"), "utf8")) as { resources: ImportEntry[] };
        stack.adopt(file.resources);
        return "";
      }
      const plan = await stack.preview(declared);
      if (!args.includes("--save-plan")) return JSON.stringify(plan.changes);
      const added = plan.steps.map(({ urn, after: { inputs } = { inputs: {} } }) => [
        urn,
        { goal: { inputDiff: { adds: plain(inputs) } } },
      ]);
      expect(statSync(after("--save-plan")).mode & 0o777).toBe(0o600);
      writeFileSync(
        after("--save-plan"),
        JSON.stringify({ resourcePlans: Object.fromEntries(added) as object }),
      );
      return printedPlan(plan, door, {});
    };
    const config = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`tunnel-gateway:${name}`, { value }]),
    );
    const folder = temporaryFolder("adopt");
    const out = join(folder, ".tunnel-gateway");
    writeFileSync(join(folder, "Pulumi.yaml"), "name: program\nruntime: nodejs\n");
    const adopt = async (...flags: string[]): Promise<string> => {
      const args = ["import", "--adopt", "--stack", "dev", "--cwd", folder, ...flags];
      const { code, stdout, stderr } = await runCommandLine(args, {});
      expect([code, stderr]).toEqual([0, stderr]);
      return stdout;
    };

    // The program of today: an argument of an edge is another one, and three resources are new.
    const twins = ["ipp_one", "ipp_two"].map((id) => ({ id: `${id}_twin`, description: "twin" }));
    await emulator.seed({ ip_policies: twins, api_keys: [{ id: "ak_ci" }] });
    const edge = importable.find(({ name }) => name === "edge")!;
    const edited = importable.map((each) =>
      each === edge ? { ...each, args: { ...each.args, description: "edited" } } : each,
    );
    declared = programOf([...edited, ...since]);
    const told = await adopt();
    expect(told).toMatch(/TcpEdge edge +edgtcp_\w+ .* address +updates it: description/);
    expect(told).toContain("IpPolicy one of two is not adopted, because several objects may be its own");
    expect(told).toMatch(/may be its own: ipp_(one|two)_twin \(twin\), ipp_(one|two)_twin \(twin\)\. /);
    expect(told).toContain("RotatingApiKey ci is not adopted, because the token of its key is lost");
    expect(told).toMatch(/The token is not known of [^:]*\bApiKey /);
    expect(told).toContain("New, so the next up creates 1 object: IpPolicy new.");
    expect(told).toMatch(/Of no resource of the program: 13 objects/);
    expect(calls.some((call) => call.startsWith("import"))).toBe(false);
    expect(existsSync(join(out, "plan.json"))).toBe(false);
    const { resources } = JSON.parse(readFileSync(join(out, "import.json"), "utf8")) as {
      resources: ImportEntry[];
    };
    expect(resources.map(({ name }) => name).sort()).toEqual(importable.map(({ name }) => name).sort());
    // The stack records what the account has, so that the next update changes it.
    const recordedEdge = resources.find(({ name }) => name === edge.name)!;
    expect(recordedEdge.inputs.description).toBe(edge.args.description);
    const left = [...twins.map(({ id }) => `/ip_policies/${id}`), "/api_keys/ak_ci"];
    for (const path of left) await new EmulatorClient(emulator).api("DELETE", path);

    declared = program;
    expect(await adopt("--run")).toContain("The preview of the stack dev shows no change.");
    expect(calls.at(-1)).toBe("preview --stack dev --diff --expect-no-changes");
    expect(calls.find((call) => call.startsWith("import"))).toContain(" --protect=false ");
    expect(existsSync(join(out, "import.json"))).toBe(false);
    expect((await stack.preview(program)).changes).toEqual([]);
    expect((await stack.up(program)).changes).toEqual([]);
    expect(emulator.snapshot()).toEqual(before);

    // The preview after an import expects what the next up creates.
    stack = new InProcessStack(settings, options);
    declared = programOf([...importable, since[0]!]);
    await adopt("--run");
    expect(calls.at(-1)).toBe("preview --stack dev --diff");
  });
});
