/** Stacks that move to the native provider and back, on the real engine with the packed package. */
import { EmulatorProcess } from "../../support/emulator-process";
import type { Stack } from "../../support/engine";
import { expectEmpty, keptProgram, keptStack, keptVersions } from "../../engine/kept-states";
import { cjs, prelude, rewrite } from "../../engine/support";
import { expectEncrypted, secretsOf, upWithoutChange, wayBack } from "../../engine/native/support";

const start = EmulatorProcess.forOneTest();

it("leaves in the preview of an update what uses outputs that it cannot change", async () => {
  const emulator = await start();
  const body = (description: string): string => `
    const { TcpEdge } = require("pulumi-tunnel-gateway/native");
    const edge = new TcpEdge("database", { description: "${description}" });
    new IpPolicy("after", { description: edge.createdAt });
  `;
  const program = cjs(body("one"), { door: "native" });
  const stack = await program.stack({ env: emulator.env });
  await stack.up();
  rewrite(program, body("two"));
  expect((await stack.previewJson()).ops).toEqual(["update database"]);
  await emulator.clearRequests();
  await stack.up();
  expect((await emulator.requestLines()).length).toBe(1);
});

describe.each(keptVersions)("a stack deployed with version %s", (version) => {
  it("moves to the native provider and back with empty previews and no request, its secrets encrypted", async () => {
    const { own, stack, emulator } = await keptStack(version, "native");
    try {
      const secrets = await secretsOf(stack);
      expect(secrets).toContain((await stack.outputs(true)).token);

      own.write(keptProgram("offices", "/native"));
      await upWithoutChange(stack);
      own.write(keptProgram("offices", "", wayBack));
      await upWithoutChange(stack);
      expect(await emulator.requestLines()).toEqual([]);
      await expectEncrypted(stack, [...secrets, emulator.apiKey]);

      own.write(keptProgram());
      await stack.refresh({ args: ["--expect-no-changes"] });
      await stack.previewNoChanges();
      await stack.destroy();
      await expectEmpty(emulator);
    } finally {
      await emulator.stop();
    }
  });
});

describe("the code of a dynamic resource", () => {
  const emulator = EmulatorProcess.forTests();
  const files = `${prelude} new IpPolicy("office");`;

  /** A stack whose state lacks the code in the outputs, as the native provider leaves them. */
  async function withoutCode(): Promise<Stack> {
    const stack = await cjs("", {}).stack({ config: emulator.config });
    stack.program.write(files);
    await stack.up();
    const state = await stack.exportState();
    for (const { outputs } of state.deployment.resources ?? []) delete outputs?.__provider;
    await stack.importState(state);
    return stack;
  }

  it("is written by an update without a line and without a request where Pulumi's plugin could not even refresh", async () => {
    const stack = await withoutCode();
    const { output } = await stack.refresh({ exitCode: 1 });
    expect(output).toMatch(/code must be a string, not undefined/);
    await emulator.clearRequests();
    const { ops, changes } = await stack.previewJson();
    expect([ops, changes.map(({ diffReasons }) => diffReasons)]).toEqual([["update office"], [[]]]);
    await stack.up();
    expect(await emulator.requestLines()).toEqual([]);
    await stack.refresh({ args: ["--expect-no-changes"] });
    await stack.destroy();
  });
});
