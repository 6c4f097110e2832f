/** Runs a page from top to bottom, as its reader does. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Block } from "./blocks";
import { isRun, runsOf } from "./kinds";
import { stepsBefore } from "./project";
import { outputsOf, scriptOf } from "./script";
import type { Step } from "./script";
import { worldOf } from "./world";
import type { MoreEnv, World } from "./world";

const limitMs = 600_000; // beside other load

export interface Session {
  readonly world: World;
  /** What a block printed. Throws if it failed, or if the session ended before it. */
  outputOf: (block: Block) => string;
  /** Ends the processes that the page left running. */
  end: () => Promise<void>;
}

/**
 * Runs all blocks of pages that are commands or files, page by page in one session. The processes that they leave run
 * until `end`.
 */
export async function runPages(blocks: readonly Block[], more: MoreEnv = {}): Promise<Session> {
  const own = blocks.filter(isRun);
  const pages = [...new Set(own.map(({ page }) => page))];
  const commands = own.flatMap((block) => (block.file === undefined ? [commandsFor(block)] : [])).join("\n");
  const world = await worldOf(pages, commands, more);
  try {
    return await runIn(world, pages[0]!, own, commands);
  } catch (error) {
    await world.end();
    throw error;
  }
}

async function runIn(world: World, page: string, own: readonly Block[], commands: string): Promise<Session> {
  // Pulumi compiles the page's program in its first deployment; to check the types again and again takes most of the time.
  const first = own.find(({ code }) => /^pulumi up\b/m.test(code));
  const pageSteps = own.map((block): Step => {
    const { file, language, code } = block;
    const more = block === first ? "export PULUMI_NODEJS_TRANSPILE_ONLY=true\n" : "";
    if (file === undefined) return { block, commands: world.filled(commandsFor(block), block) + more };
    // TypeScript has angle brackets of its own.
    return { block, file, text: language === "typescript" ? code : world.filled(code, block) };
  });
  const steps = [...stepsBefore(page, commands), ...pageSteps];
  const { code, output, end } = await run(script(steps, world), world);
  const outputs = outputsOf(output);
  return {
    world,
    outputOf: (block) => {
      const at = steps.findIndex((step) => step.block === block);
      if (at < 0) throw new Error(`${block.where} is not a block of this session`);
      const last = outputs.length - 1;
      if (at < last || (at === last && code === 0)) return outputs[at]!;
      const failed = steps[Math.max(0, Math.min(last, steps.length - 1))]!.block.where;
      if (at > last) throw new Error(`it was not reached: ${failed} failed`);
      throw new Error(
        `${failed} failed, as the session ended with exit code ${code}:\n${outputs[at] ?? output}`,
      );
    },
    end: async () => {
      end();
      await world.end();
    },
  };
}

function commandsFor({ language, code }: Block): string {
  return language === "sh" ? code : runsOf(code).join("\n");
}

/** The script's file. The files that it puts into place are beside it. */
function script(steps: readonly Step[], { folder }: World): string {
  const texts = join(folder, "texts");
  mkdirSync(texts);
  const place = (step: Step): string => join(texts, String(steps.indexOf(step)));
  for (const step of steps) if ("file" in step) writeFileSync(place(step), step.text);
  const file = join(folder, "session.sh");
  writeFileSync(file, scriptOf(steps, place));
  return file;
}

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly end: () => void;
}

/** Resolves when bash has ended; what it sent into the background runs on, in the same process group. */
function run(file: string, { folder, work, env }: World): Promise<Ended> {
  const log = join(folder, "session.log");
  const into = openSync(log, "a");
  const child = spawn("bash", [file], { cwd: work, env, detached: true, stdio: ["ignore", into, into] });
  closeSync(into);
  const end = (): void => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // Nothing of it runs any more.
    }
  };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, limitMs);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      const late = code === null ? `\nended after ${limitMs / 1000} s, unfinished\n` : "";
      resolve({ code: code ?? 137, output: readFileSync(log, "utf8") + late, end });
    });
  });
}
