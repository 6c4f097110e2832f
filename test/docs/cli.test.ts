/**
 * docs/cli.md describes every command of the command line and no other. Its lists of options and exit codes come from the
 * command line itself: TUNNEL_GATEWAY_WRITE_DOCS=1 writes them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command, Option } from "commander";
import { exitCodeMeanings } from "../../src/tools/cli/command";
import { commandLine } from "../../src/tools/cli/main";
import { expectFresh } from "../support/documentation/generated-parts";
import { root } from "./blocks";

const file = join(root, "docs/cli.md");
const page = readFileSync(file, "utf8");

/** The page with the lists as the command line has them now. */
function fresh(): string {
  const lists = new Map([
    ["exit codes", exitCodeMeanings.map((each) => item(...each)).join("\n")],
    ["common options", commonOptions().join("\n")],
    ...commands().map(([name, { options }]): [string, string] => [`options of ${name}`, listed(options)]),
  ]);
  return [
    page.trimEnd(),
    ...commands()
      .filter(([name]) => section(name) === "")
      .map(newSection),
  ]
    .join("\n\n")
    .concat("\n")
    .replace(
      /(<!-- begin: (.*?) -->\n)[^]*?(<!-- end: \2 -->)/g,
      (_, begin: string, name: string, end: string) => `${begin}\n${lists.get(name)!}\n\n${end}`,
    );
}

/** The section of a command that the page does not describe yet. Examples and what else a reader needs may follow. */
function newSection([name, command]: [string, Command]): string {
  const heading = `${"#".repeat(name.split(" ").length + 1)} \`${name}\``;
  const words = command.registeredArguments.map((each) => {
    const word = `${each.name()}${each.variadic ? "..." : ""}`;
    return each.required ? ` <${word}>` : ` [${word}]`;
  });
  const text = marked(command.description().replaceAll("\n", " "));
  const markers = ["begin", "end"].map((word) => `<!-- ${word}: options of ${name} -->`);
  return [heading, `\`tunnel-gateway ${name}${words.join("")}\`: ${text}`, ...markers].join("\n\n");
}

/** An option as an item of a list. */
function optionItem({ flags, description, defaultValue }: Option): string {
  const value =
    defaultValue === undefined || defaultValue === true ? "" : ` (default: ${String(defaultValue)})`;
  return item(`\`${flags}\``, description + value);
}

function item(name: string | number, text: string): string {
  return `- ${name}: ${marked(text)}`;
}

/** The options that more than one command has with the same meaning, which the page describes once. */
function commonOptions(): string[] {
  const items = commands().flatMap(([, { options }]) => options.map(optionItem));
  return [...new Set(items.filter((each) => items.filter((other) => other === each).length >= 2))].sort();
}

function listed(options: readonly Option[]): string {
  const common = commonOptions();
  const isCommon = (option: Option): boolean => common.includes(optionItem(option));
  const own = options.filter((option) => !option.hidden && !isCommon(option)).map(optionItem);
  const names = options.filter(isCommon).map(({ long }) => `\`${long}\``);
  const link = names.length === 0 ? [] : [`- ${names.join(", ")}: [common options](#common-options)`];
  return [...own, ...link].join("\n");
}

/** What would be markup, and names of options, as code. */
function marked(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith("`")
        ? part
        : part.replace(/<[^ ]*>(?=[ ;,]|$)|(?<![\w-])--[a-z-]+|\*/g, (code) => `\`${code}\``),
    )
    .join("");
}

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
  it("has the options and exit codes of the command line", () => {
    expectFresh(file, fresh);
  });

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
    const options = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long!);

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
