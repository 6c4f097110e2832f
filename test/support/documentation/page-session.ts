/** The tests of what the shell blocks, files and outputs of pages do in one session. */
import type { Block } from "./blocks";
import { isRun, kindOf } from "./kinds";
import { missingLines } from "./proof";
import { runPages } from "./session";
import type { Session } from "./session";
import type { MoreEnv } from "./world";

/** Describes a session of these blocks, of pages that begin alike; `more` are tests after it. */
export function describeSession(
  title: string,
  blocks: readonly Block[],
  { env, more }: { env?: MoreEnv; more?: (session: () => Session) => void } = {},
): void {
  describe(title, () => {
    let session: Session;

    // All commands of a page: they share the processors with other tests.
    beforeAll(async () => {
      session = await runPages(blocks, env);
    }, 900_000);
    afterAll(() => session.end());

    it.each(blocks.filter(isRun).map((block) => [block.where, block] as const))("runs %s", (_, block) => {
      session.outputOf(block);
    });

    for (const block of blocks.filter((each) => kindOf(each) === "output")) {
      it(`prints ${block.where}`, () => {
        // What the page's own commands printed before it.
        const before = blocks
          .slice(0, blocks.indexOf(block))
          .filter((each) => each.page === block.page && each.language === "sh" && isRun(each));
        const texts = before.map((each) => session.outputOf(each));
        const missing = texts.map((text) => missingLines(block, text));
        expect(missing.find((lines) => lines.length === 0) ?? missing[0]).toEqual([]);
      });
    }

    more?.(() => session);
  });
}
