// Lives of stacks with the real engine: programs of this package by both doors, of an earlier one, and of a provider that does
// nothing.
import { join } from "node:path";
import { capture } from "../process.mjs";
import { doNothingProgram, emptyProgram, rulesProgram, setProgram } from "./programs.mjs";
import { startService } from "./service.mjs";
import { makeStack } from "./stack.mjs";
import { inTurns, Row } from "./turns.mjs";

/** The steps of a life. `update` changes every tenth rule. */
const steps = {
  "new preview": ["preview"],
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
  update: ["up", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

/** Rules as resources. */
export function ofRules(bench, count, runs, note) {
  const variants = {
    ...ownVariants(bench, rulesProgram, count),
    nothing: { project: bench.nothing, program: (revised) => doNothingProgram(count, revised) },
  };
  return lives(bench, `${count} rules`, variants, runs, note);
}

/** Rules as one set. */
export function ofSet(bench, count, runs, note) {
  return lives(bench, `${count} rules as a set`, ownVariants(bench, setProgram, count), runs, note);
}

/** The least that a step costs. */
export function ofNothing(bench, runs, note) {
  const nothing = { project: bench.nothing, program: emptyProgram };
  return lives(bench, "an empty program", { nothing }, runs, note);
}

/** The creation of rules by `pulumi up`, as it is and with an approval and the broker. */
export async function throughBroker(bench, count, runs, note) {
  const row = new Row(`up of ${count} rules through the broker`);
  const own = join(bench.own, "node_modules/pulumi-tunnel-gateway/dist/tools/cli/index.js");
  await inTurns(runs, { own: true, direct: false }, async (name, isApproved) => {
    note(`${row.what}: ${name}`);
    const service = await startService(bench.own);
    try {
      const stack = await makeStack(bench.cli, bench.own, service);
      stack.write(rulesProgram(count));
      const gateway = async (...args) => {
        const options = { cwd: bench.own, env: stack.env };
        const { code, stdout, stderr } = await capture(process.execPath, [own, ...args], options);
        if (code !== 0) throw new Error(`${args[0]} failed:\n${stdout}${stderr}`);
      };
      const approval = join(bench.folder, `${service.apiKey}.json`);
      await gateway("review", "--stack", "bench", "--save", approval, "--fail-on", "never");
      await service.takeRequests();
      const start = performance.now();
      if (isApproved) {
        const up = [bench.cli.bin, "up", "--yes", "--stack", "bench", "--non-interactive"];
        await gateway("deploy", "--approved", approval, "--", ...up);
      } else await stack.run("up", "--yes");
      row.add(name, { ms: performance.now() - start, requests: (await service.takeRequests()).length });
    } finally {
      await service.stop();
    }
  });
  return [row];
}

function ownVariants(bench, program, count) {
  const of = (project, door) => ({
    project,
    program: (revised) => program(count, revised, door),
    isDeployed: true,
    count,
  });
  return {
    own: of(bench.own, ""),
    native: of(bench.own, "/native"),
    earlier: bench.earlier && of(bench.earlier, ""),
  };
}

/** The rows of the steps, and that of the state after the update. Each run has stacks of its own, which take turns step by step. */
async function lives(bench, what, variants, runs, note) {
  const rows = Object.fromEntries(
    [...Object.keys(steps), "state"].map((name) => [name, new Row(`${what}: ${name}`)]),
  );
  for (let run = 0; run < runs; run++) {
    const all = [];
    try {
      for (const [name, variant] of Object.entries(variants).filter(([, each]) => each)) {
        const service = variant.isDeployed ? await startService(bench.own) : undefined;
        all.push({ name, ...variant, service, stack: await makeStack(bench.cli, variant.project, service) });
      }
      if (run % 2 === 1) all.reverse();
      for (const step of Object.keys(steps)) {
        note(`${what}, run ${run + 1} of ${runs}: ${step}`);
        for (const life of all) {
          if (step === "destroy") rows.state.add(life.name, { bytes: life.stack.stateBytes() });
          rows[step].add(life.name, await oneStep(life, step));
        }
      }
    } finally {
      await Promise.all(all.map(({ service }) => service?.stop()));
    }
  }
  return Object.values(rows);
}

async function oneStep({ stack, program, count, service }, step) {
  // The change of the update stays.
  const isRevised = step === "update" || step === "destroy";
  stack.write(program(isRevised ? Math.ceil(count / 10) : 0));
  await service?.takeRequests();
  const cost = await stack.run(...steps[step]);
  return { ...cost, requests: (await service?.takeRequests())?.length };
}
