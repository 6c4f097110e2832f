import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import type { Stack } from "../support/engine";
import { startImport } from "./import-process";
import { resources } from "./support";

/** A secret of an imported object that the service never tells, where an update would have to send it. */
describe("an imported destination whose key nobody told", () => {
  let emulator: EmulatorProcess;
  let stack: Stack;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start({ undocumentedUpdates: true });
    await emulator.seed({
      event_destinations: [{ id: "ed_1", description: "logs", format: "json", target: target("team:a") }],
    });
    const program = new Program({ name: "untold", files: {} });
    const config = { ...emulator.config, "tunnel-gateway:patchUndocumented": "true" };
    stack = await program.stack({ config });
    const { exitCode, output } = await startImport(program, stack, ["--only", "EventDestination"]).done;
    if (exitCode !== 0) throw new Error(output);
  });
  afterAll(() => emulator.stop());

  function target(tags: string): object {
    return { monitoring: { api_key: "a key that nobody tells", ddtags: tags } };
  }

  it("can be refreshed after it drifted, and says in the preview that the repair needs the key", async () => {
    await emulator.api("PATCH", "/event_destinations/ed_1", { target: target("team:b") });
    const { output } = await stack.refresh();
    expect(output).toContain("~ 1 updated");
    expect(JSON.stringify(Object.values(resources(stack))[0]!.outputs)).toContain("team:b");

    const preview = await stack.preview();
    expect(preview.output).toMatch(/ed_1: .*the service does not return this secret.*set it in the program/);
    const up = await stack.up({ exitCode: 1 });
    expect(up.output).toContain("set it in the program");
  });
});
