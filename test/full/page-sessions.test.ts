/** What runs the sessions of pages for documentation.test.ts. */
import type { Block } from "../support/documentation/blocks";
import { runPages } from "../support/documentation/session";

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
