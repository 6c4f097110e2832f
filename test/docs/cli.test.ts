/** docs/cli.md tells every command of the command line, and every option of it, and no others. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { commandLine } from "../../src/cli/main";
import { root } from "./blocks";

const page = readFileSync(join(root, "docs/cli.md"), "utf8");

/** The commands with their full names, those of commands within commands too. */
function commands(): [name: string, command: Command][] {
  return commandLine().commands.flatMap((command): [string, Command][] => [
    [command.name(), command],
    ...command.commands.map((each): [string, Command] => [`${command.name()} ${each.name()}`, each]),
  ]);
}

/** The text below the heading of a command, up to the next heading. */
function section(name: string): string {
  const heading = new RegExp(`^#{2,3} \`${name}\`$`, "m").exec(page);
  if (!heading) return "";
  const rest = page.slice(heading.index + heading[0].length);
  return rest.slice(0, /^#{2,3} /m.exec(rest)?.index);
}

/** The options that a text names. Those of other programs stand in commands of theirs. */
function optionsIn(text: string): string[] {
  const own = text.replace(/`pulumi [^`]*`/g, "").replace(/```[^]*?```/g, "");
  return [...new Set(own.match(/(?<![\w-])--[a-z][a-z0-9-]*/g))];
}

describe("docs/cli.md", () => {
  it("has a heading for every command, and for nothing else", () => {
    const headings = [...page.matchAll(/^#{2,3} `([a-z -]+)`$/gm)].map(([, name]) => name);
    expect(headings.sort()).toEqual(
      commands()
        .map(([name]) => name)
        .sort(),
    );
  });

  describe.each(commands())("%s", (name, command) => {
    const text = section(name);
    const options = command.options.map(({ long }) => long!);

    it("describes every option, and no other", () => {
      const common = ["--help", "--version"];
      expect(
        optionsIn(text).filter((option) => !options.includes(option) && !common.includes(option)),
      ).toEqual([]);
      expect(options.filter((option) => !optionsIn(text).includes(option))).toEqual([]);
    });

    it("describes its arguments", () => {
      const missing = command.registeredArguments.filter((argument) => {
        const word = `${argument.name()}${argument.variadic ? "..." : ""}`;
        return !text.includes(argument.required ? `<${word}>` : `[${word}]`);
      });
      expect(missing.map((each) => each.name())).toEqual([]);
    });
  });
});
