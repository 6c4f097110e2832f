/** Every command and block of code of every page is run, or proven in another way; nothing is left out. */
import { blocksOf, commandsIn, pages } from "../support/documentation/blocks";
import type { Block } from "../support/documentation/blocks";
import { unknownWords } from "../support/documentation/command-line";
import { commandsOf, isRun, kindOf } from "../support/documentation/kinds";
import type { Kind } from "../support/documentation/kinds";
import {
  isCompiled,
  missingLines,
  parseData,
  pictureTexts,
  wrongCommands,
} from "../support/documentation/proof";
import { runPage } from "../support/documentation/session";
import type { Session } from "../support/documentation/session";
import { strangerArrived } from "../support/documentation/stranger";

describe.each(pages())("%s", (page) => {
  const blocks = blocksOf(page);
  let session: Session | undefined;

  beforeAll(async () => {
    if (blocks.some(isRun)) session = await runPage(page, blocks);
  });
  afterAll(() => session?.end());

  it("names no command that there is not", () => {
    const commands = commandsIn(page);
    const ofRepository = commands.filter((command) => /^npm (run|test)\b/.test(command));
    const ofCommandLine = commands.filter((command) => /^(npx )?tunnel-gateway /.test(command));
    expect(wrongCommands(ofRepository)).toEqual([]);
    expect(ofCommandLine.filter((command) => unknownWords(command).length > 0)).toEqual([]);
  });

  for (const block of blocks) {
    const kind = kindOf(block);
    it(`${kind}: ${block.where}`, () => proofs[kind](block));
  }

  if (page === "README.md") {
    it("leads a stranger to a deployed policy, a reviewed change and an imported account", async () => {
      await strangerArrived(session!, blocks);
    });
  }

  const proofs: Record<Kind, (block: Block) => void> = {
    session: (block) => void session!.outputOf(block),
    steps: (block) => void session!.outputOf(block),
    file: (block) => {
      if (block.language !== "typescript") parseData(block);
      session!.outputOf(block);
    },
    repository: ({ code }) => expect(wrongCommands(commandsOf(code))).toEqual([]),
    program: (block) => expect(isCompiled(block)).toBe(true),
    data: parseData,
    diagram: ({ code }) => expect(code).toMatch(/^(flowchart|sequenceDiagram|stateDiagram-v2)\b/),
    output: (block) => {
      // What the page's own commands printed before it, or what a picture shows, which is made from a real run.
      const before = blocks
        .slice(0, blocks.indexOf(block))
        .filter((each) => each.language === "sh" && isRun(each));
      const texts = [...before.map((each) => session!.outputOf(each)), ...pictureTexts()];
      const missing = texts.map((text) => missingLines(block, text));
      expect(missing.find((lines) => lines.length === 0) ?? missing[0]).toEqual([]);
    },
  };
});

describe("the runner of pages", () => {
  const block = (language: string, code: string, line: number, file?: string): Block => ({
    where: `docs/made-up.md:${line}`,
    page: "docs/made-up.md",
    language,
    code,
    file,
  });

  it("fails the block whose command fails, and those behind it", async () => {
    const blocks = [
      block("json", "{}\n", 1, "data/empty.json"),
      block("sh", "cd data\nexport GREETING=hello\nls missing # ends with exit code 2\n", 2),
      block("sh", 'test -f empty.json\necho "$GREETING"\n', 3),
      block("sh", "false | cat\necho unreached\n", 4),
      block("sh", "true\n", 5),
    ];
    const session = await runPage("docs/made-up.md", blocks);
    expect(blocks.slice(0, 3).map(session.outputOf)[2]).toBe("hello\n");
    expect(() => session.outputOf(blocks[3]!)).toThrow(/^docs\/made-up.md:4 failed, .* exit code 1:/);
    expect(() => session.outputOf(blocks[4]!)).toThrow("it was not reached: docs/made-up.md:4 failed");
    await session.end();
  });

  it("refuses what it could not prove", async () => {
    expect(() => kindOf(block("console", "$ true\n", 1))).toThrow(
      'docs/made-up.md:1: blocks are of the languages sh, typescript, json, yaml, text, mermaid, not "console"',
    );
    expect(() => kindOf(block("sh", "npm test\npulumi up\n", 2))).toThrow("docs/made-up.md:2: commands of");
    await expect(runPage("docs/made-up.md", [block("sh", "echo <some id>\n", 3)])).rejects.toThrow(
      "docs/made-up.md:3: nothing is known that <some id> stands for",
    );
    expect(wrongCommands(["npm run lint", "npm run nothing", "npm run unit -- test/nothing"])).toEqual([
      "npm run nothing",
      "npm run unit -- test/nothing",
    ]);
    expect(unknownWords("npx tunnel-gateway review --stack dev --nothing")).toEqual(["--nothing"]);
    expect(unknownWords("tunnel-gateway nothing")).toEqual(["nothing"]);
    expect(missingLines(block("text", "a\n…\nb\nc\n", 4), "a x b")).toEqual(["c"]);
  });
});
