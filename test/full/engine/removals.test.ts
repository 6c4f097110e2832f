/** What the preview says of an argument that is taken out of the program; test/rounds removes every one of them. */
import { EmulatorProcess } from "../../support/emulator-process";
import { cjs, idOf, writes } from "../../engine/support";

const start = EmulatorProcess.forOneTest();

it("leaves a bot user inactive whose program no longer says so, and the preview says that it stays", async () => {
  const emulator = await start();
  const bot = (args: string): string =>
    `const { BotUser } = require("pulumi-tunnel-gateway"); new BotUser("bot", ${args});`;
  const program = cjs(bot(`{ name: "pipeline", active: false }`));
  const stack = await program.stack({ env: emulator.env });
  await stack.up();
  const id = idOf(stack, "bot");
  await emulator.clearRequests();

  program.write(bot(`{ name: "pipeline" }`));
  const { output } = await stack.preview({ args: ["--diff"] });
  expect(output).toContain("- active: false");
  expect(output).toContain(
    `bot user ${id}: active is no longer in the program, and its default is left to the service; the value stays as it is`,
  );
  await stack.up();
  expect(await writes(emulator)).toEqual({});
  expect((await emulator.state()).bot_users).toMatchObject([{ id, active: false }]);
  await stack.refresh();
  const quiet = await stack.previewNoChanges();
  expect(quiet.output).not.toContain("no longer in the program");
});
