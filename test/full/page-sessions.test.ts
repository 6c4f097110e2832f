/** What runs the sessions of pages for documentation.test.ts. */
import { madeUpBlock } from "../support/documentation/blocks";
import { runPages } from "../support/documentation/session";

describe("the runner of pages", () => {
  it("fails the block whose command fails, and those behind it", async () => {
    const blocks = [
      madeUpBlock("json", "{}\n", 1, "data/empty.json"),
      madeUpBlock("sh", "cd data\nexport GREETING=hello\nls missing # ends with exit code 2\n", 2),
      madeUpBlock("sh", 'test -f empty.json\necho "$GREETING"\n', 3),
      madeUpBlock("sh", "false | cat\necho unreached\n", 4),
      madeUpBlock("sh", "true\n", 5),
    ];
    const session = await runPages(blocks);
    expect(blocks.slice(0, 3).map(session.outputOf)[2]).toBe("hello\n");
    expect(() => session.outputOf(blocks[3]!)).toThrow(/^docs\/made-up.md:4 failed, .* exit code 1:/);
    expect(() => session.outputOf(blocks[4]!)).toThrow("it was not reached: docs/made-up.md:4 failed");
    await session.end();
  });

  it("refuses a placeholder that stands for nothing", async () => {
    await expect(runPages([madeUpBlock("sh", "echo <some id>\n", 3)])).rejects.toThrow(
      "docs/made-up.md:3: no value is known for <some id>",
    );
  });
});
