import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { capture } from "../process.mjs";
import { previewOfStack, writePreview } from "./preview.mjs";
import { setProgram } from "./programs.mjs";
import { commandIn } from "./project.mjs";
import { startService } from "./service.mjs";
import { makeStack } from "./stack.mjs";
import { median } from "./statistics.mjs";

/** Runs the command line, and prints the peak of its memory in kilobytes as the last line. */
const script = `
  process.once("exit", () => process.stderr.write("\\n" + process.resourceUsage().maxRSS));
  process.argv.splice(1, 0, "tunnel-gateway");
  require(process.argv.splice(2, 1)[0]);
`;

/**
 * What the review of a preview costs in which as many rules change: the seconds of the whole command, and the peak of its
 * memory in bytes. `commands` are the files of the command: this package's own and, where it is compared, an earlier one.
 */
export async function reviewCost(commands, folder, count, runs) {
  const file = join(folder, "preview.json");
  await writePreview(file, count);
  const fileBytes = statSync(file).size;
  const cost = await repeatedly(runs, commands, (cli) => review(cli, file));
  rmSync(file);
  return { count, fileBytes, ...cost };
}

/** What one review of the previews of many stacks costs, each with as many resources. */
export async function manyCost(commands, folder, stacks, resources, runs) {
  const own = join(folder, "many");
  mkdirSync(own);
  const files = Array.from({ length: stacks }, (_, i) => join(own, `${i}.json`));
  files.forEach((file, i) => writeFileSync(file, previewOfStack(i, resources)));
  const many = await repeatedly(runs, commands, async (cli) => {
    const cost = await measured(cli, ["review", ...files, "--output", "json", "--fail-on", "never"]);
    const { changes } = JSON.parse(cost.stdout);
    const counts = changes.map((change) => change.stacks.length);
    const apart = Math.ceil(stacks / 10);
    if (counts.length !== resources || Math.max(...counts) !== stacks || Math.min(...counts) !== apart)
      throw new Error(`The review found other changes: ${counts.join(", ")}`);
    return cost;
  });
  rmSync(own, { recursive: true });
  return { stacks, resources, ...many };
}

/** What the review of a deployed set costs in which every tenth entry changes, with the preview that it runs. */
export async function setReviewCost({ cli, gateway, earlier }, count, runs) {
  const services = [];
  const deployed = async (project) => {
    const service = await startService(project);
    services.push(service);
    const stack = await makeStack(cli, project, service);
    stack.write(setProgram(count));
    await stack.run("up", "--yes", "--skip-preview");
    stack.write(setProgram(count, Math.ceil(count / 10)));
    return { command: commandIn(project), options: { cwd: project, env: stack.env } };
  };
  try {
    const stacks = { own: await deployed(gateway), earlier: earlier && (await deployed(earlier)) };
    return await repeatedly(runs, stacks, async ({ command, options }) => {
      const cost = await measured(command, ["review", "--stack", "bench", "--fail-on", "never"], options);
      if (!cost.stdout.includes("1 to update")) throw new Error(`The review failed:\n${cost.stdout}`);
      return cost;
    });
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

async function review(cli, file) {
  const cost = await measured(cli, ["review", file, "--output", "markdown", "--fail-on", "never"]);
  if (!cost.stdout.includes("to update")) throw new Error(`The review failed:\n${cost.stdout}`);
  return cost;
}

/**
 * What several runs cost: the median of their seconds, the peak of their memory, and the rest as of the first. Where there is
 * an `earlier` one, both take turns, every second time in the other order, and `earlier` of the result is what that costs.
 */
export async function repeatedly(runs, { own, earlier }, measureOnce) {
  const costs = { own: [], earlier: [] };
  for (let run = 0; run < runs; run++) {
    const turns = Object.entries({ own, ...(earlier && { earlier }) });
    if (run % 2 === 1) turns.reverse();
    for (const [name, one] of turns) costs[name].push(await measureOnce(one));
  }
  const cost = summaryOf(costs.own);
  if (earlier === undefined) return cost;
  const ratios = costs.own.map(({ seconds }, i) => seconds / costs.earlier[i].seconds);
  return { ...cost, earlier: { ...summaryOf(costs.earlier), ratio: median(ratios) } };
}

function summaryOf(all) {
  return {
    ...all[0],
    seconds: median(all.map(({ seconds }) => seconds)),
    memory: Math.max(...all.map(({ memory }) => memory)),
  };
}

/** Runs a command of the command line. */
export async function measured(cli, command, options = {}) {
  const start = performance.now();
  const { code, stdout, stderr } = await capture(process.execPath, ["-e", script, cli, ...command], options);
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(`The command failed:\n${stdout}${stderr}`);
  return { stdout, seconds, memory: Number(stderr.split("\n").at(-1)) * 1024 };
}
