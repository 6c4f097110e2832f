/** What `tunnel-gateway --help` prints, and loads. */
import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
import type { Command } from "commander";

/** What takes long to load, and what only the work of a command needs. */
const heavy = ["@pulumi/pulumi", "../../../src/schema/sdk", "undici", "yaml", "zod"];

function commandLine(): Command {
  const { commandLine: fresh } = jest.requireActual<typeof import("../../../src/tools/cli/main")>(
    "../../../src/tools/cli/main",
  );
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
  const files = readdirSync(join(__dirname, "../../../src/tools/cli/commands"));
  expect(commands.map((command) => command.name())).toEqual(files.map((file) => parse(file).name).sort());
  expect(commands.length).toBeGreaterThan(10);
  for (const command of commands) expect(command.summary()).not.toBe("");
});

const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];

it("prints the help of all commands without what does their work", () => {
  for (const command of all(commandLine()))
    expect(command.helpInformation()).toContain("Usage: npx pulumi-tunnel-gateway");
});

it("names commands as a shell finds them where the package is a dependency", () => {
  for (const command of all(commandLine())) {
    let text = "";
    command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
    expect(text).toContain("npx pulumi-tunnel-gateway");
    expect(text.replaceAll("npx pulumi-tunnel-gateway", "")).not.toMatch(/tunnel-gateway [a-z]/);
  }
});

it("loads the work of a command when it runs", async () => {
  const run = commandLine().parseAsync(["doctor"], { from: "user" });
  await expect(run).rejects.toThrow("was loaded");
});
