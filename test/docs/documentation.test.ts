/**
 * Every block of every page that no shell runs is proven, and every command that a page names is one that there is.
 * What a page's commands do is proven by its session in test/full.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, commandsIn, madeUpBlock, pages, textOf } from "../support/documentation/blocks";
import type { Block } from "../support/documentation/blocks";
import { callsIn, unknownWords } from "../support/documentation/command-line";
import { commandsOf, isRun, kindOf, runsOf } from "../support/documentation/kinds";
import type { Kind } from "../support/documentation/kinds";
import { linksOf } from "../support/documentation/links";
import { isCompiled, missingLines, parseData, wrongCommands } from "../support/documentation/proof";
import { root } from "./blocks";

const commandsKnown = ({ language, code }: Block): void => {
  const lines = (language === "sh" ? [code] : runsOf(code)).flatMap(commandsOf);
  const wrong = lines.flatMap(callsIn).filter((call) => unknownWords(call).length > 0);
  expect(wrong).toEqual([]);
};

/** How a block of each kind is proven; that of an output needs a session. */
const proofs: Partial<Record<Kind, (block: Block) => void>> = {
  session: commandsKnown,
  steps: commandsKnown,
  file: (block) => {
    if (block.language === "typescript") expect(isCompiled(block)).toBe(true);
    else parseData(block);
  },
  repository: ({ code }) => expect(wrongCommands(commandsOf(code))).toEqual([]),
  program: (block) => expect(isCompiled(block)).toBe(true),
  data: parseData,
  diagram: ({ code }) => expect(code).toMatch(/^(flowchart|sequenceDiagram|stateDiagram-v2)\b/),
  // test/night/languages.test.ts runs the first program of each language on this page.
  foreign: ({ page, where, language }) => {
    const first = blocksOf("docs/other-languages.md").find((each) => each.language === language);
    expect([page, where]).toEqual(["docs/other-languages.md", first?.where]);
  },
};

/** The anchors of a page: its headings as GitHub names them, and its own. */
function anchorsOf(page: string): string[] {
  const text = textOf(page).replace(/^```.*?^```$/gms, "");
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)];
}

/** The links of a page to other pages and headings that are not there. */
function deadLinks(page: string): string[] {
  const dead = linksOf(page, textOf(page)).filter(({ file, anchor }) => {
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && file.endsWith(".md") && !anchorsOf(file).includes(anchor);
  });
  return dead.map(({ target }) => target);
}

/** Whether the package has the file. */
const isPacked = (file: string): boolean =>
  file === "package.json" || packed.some((each) => file === each || file.startsWith(`${each}/`));
const packed = (JSON.parse(textOf("package.json")) as { files: string[] }).files;

describe.each(pages())("%s", (page) => {
  it("has no dead link", () => {
    expect(deadLinks(page)).toEqual([]);
  });

  it("links only to what the package contains too, if it does itself", () => {
    expect(isPacked(page) ? linksOf(page, textOf(page)).filter(({ file }) => !isPacked(file)) : []).toEqual(
      [],
    );
  });

  it("names no command that there is not", () => {
    const commands = commandsIn(page);
    const ofRepository = commands.filter((command) => /^npm (run|test)\b/.test(command));
    const ofCommandLine = commands.filter((command) => /^(npx pulumi-)?tunnel-gateway /.test(command));
    expect(wrongCommands(ofRepository)).toEqual([]);
    expect(ofCommandLine.filter((command) => unknownWords(command).length > 0)).toEqual([]);
  });

  for (const block of blocksOf(page)) {
    const kind = kindOf(block);
    const proof = proofs[kind];
    if (proof !== undefined) it(`${kind}: ${block.where}`, () => proof(block));
  }
});

it("keeps the README short", () => {
  expect(textOf("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(200);
});

describe("the proof of pages", () => {
  it("refuses what it could not prove", () => {
    expect(() => kindOf(madeUpBlock("console", "$ true\n", 1))).toThrow(
      'docs/made-up.md:1: blocks are of the languages sh, typescript, json, yaml, text, mermaid, python, go, not "console"',
    );
    expect(() => kindOf(madeUpBlock("sh", "npm test\npulumi up\n", 2))).toThrow(
      "docs/made-up.md:2: put the commands of",
    );
    expect(wrongCommands(["npm run lint", "npm run nothing", "npm run unit -- test/nothing"])).toEqual([
      "npm run nothing",
      "npm run unit -- test/nothing",
    ]);
    expect(missingLines(madeUpBlock("text", "a\n…\nb\nc\n", 4), "a x b")).toEqual(["c"]);
  });

  it("knows the words of the command line", () => {
    expect(unknownWords("npx pulumi-tunnel-gateway review --stack dev --nothing")).toEqual(["--nothing"]);
    expect(unknownWords("tunnel-gateway nothing")).toEqual(["nothing"]);
    expect(unknownWords("tunnel-gateway sessions list --os linux --yes")).toEqual(["--yes"]);
    expect(unknownWords("tunnel-gateway --version")).toEqual([]);
    expect(callsIn("a | npx pulumi-tunnel-gateway review --stack dev > b && tunnel-gateway doctor")).toEqual([
      "tunnel-gateway review --stack dev",
      "tunnel-gateway doctor",
    ]);
    expect(() => commandsKnown(madeUpBlock("sh", "npx pulumi-tunnel-gateway review --nothing\n", 3))).toThrow(
      "--nothing",
    );
  });

  it("has a session for what is not proven here", () => {
    const left = pages()
      .flatMap(blocksOf)
      .filter((each) => !(kindOf(each) in proofs));
    expect(left.filter((each) => kindOf(each) !== "output")).toEqual([]);
    expect(left.filter(({ page }) => !blocksOf(page).some(isRun))).toEqual([]);
  });
});
