/** What `tunnel-gateway --help` prints, and loads. */
import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
import type { Command } from "commander";

/** What takes long to load, and what only the work of a command needs. */
const heavy = ["@pulumi/pulumi", "undici", "yaml", "zod"];

function commandLine(): Command {
  const { commandLine: fresh } =
    jest.requireActual<typeof import("../../../src/cli/main")>("../../../src/cli/main");
  return fresh();
}

beforeEach(() => {
  jest.resetModules();
  for (const name of heavy)
    jest.doMock(name, () => {
      throw new Error(`${name} was loaded`);
    });
});

it("lists every command with its summary", () => {
  const { commands } = commandLine();
  const files = readdirSync(join(__dirname, "../../../src/cli/commands"));
  expect(commands.map((command) => command.name())).toEqual(files.map((file) => parse(file).name).sort());
  expect(commands.length).toBeGreaterThan(10);
  for (const command of commands) expect(command.summary()).not.toBe("");
});

it("prints the help of all commands without what does their work", () => {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  for (const command of all(commandLine()))
    expect(command.helpInformation()).toContain("Usage: tunnel-gateway");
});

it("loads the work of a command when it runs", async () => {
  const run = commandLine().parseAsync(["doctor"], { from: "user" });
  await expect(run).rejects.toThrow("was loaded");
});
