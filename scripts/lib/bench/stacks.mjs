// Lives of stacks with the real engine: programs of this package by both doors, of an earlier one, and of a provider that does
// nothing.
import { doNothingProgram, emptyProgram, rulesProgram, setProgram } from "./programs.mjs";
import { startService } from "./service.mjs";
import { makeStack } from "./stack.mjs";
import { Row } from "./turns.mjs";

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
