/**
 * The session of the README, as somebody who follows it from an empty folder. Those of the other pages are in
 * test/full; test/docs proves the blocks that no shell runs.
 */
import { blocksOf } from "../support/documentation/blocks";
import type { Block } from "../support/documentation/blocks";
import { describeSession } from "../support/documentation/page-session";
import { runPages } from "../support/documentation/session";
import { strangerArrived } from "../support/documentation/stranger";

const blocks = blocksOf("README.md");

describeSession("README.md", blocks, {
  // test/docs compiles its programs, and test/engine/programs.test.ts has Pulumi compile others.
  env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  more: (session) => {
    it("leads a stranger to a deployed policy, a reviewed change and an imported account", async () => {
      await strangerArrived(session(), blocks);
    });
  },
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
    const session = await runPages(blocks);
    expect(blocks.slice(0, 3).map(session.outputOf)[2]).toBe("hello\n");
    expect(() => session.outputOf(blocks[3]!)).toThrow(/^docs\/made-up.md:4 failed, .* exit code 1:/);
    expect(() => session.outputOf(blocks[4]!)).toThrow("it was not reached: docs/made-up.md:4 failed");
    await session.end();
  });

  it("refuses a placeholder that stands for nothing", async () => {
    await expect(runPages([block("sh", "echo <some id>\n", 3)])).rejects.toThrow(
      "docs/made-up.md:3: no value is known for <some id>",
    );
  });
});
