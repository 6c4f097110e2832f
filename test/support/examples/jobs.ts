/** Plays the jobs of a workflow in order, each job of a matrix in a checkout of its own. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { engineSetup } from "../engine-setup";
import type { Example } from "./example";
import { condition, evaluate, filled, known, runJob } from "./workflow";
import type { Event, Job, JobResult, Outcome, Run, Workflow } from "./workflow";

interface PlayedJob {
  readonly result: Outcome;
  /** One for each entry of the matrix. */
  readonly runs: readonly Run[];
}

export interface PlayedWorkflow {
  readonly jobs: Readonly<Record<string, PlayedJob>>;
  readonly artifacts: string;
}

/** What GitHub has when it starts the workflow, with the secrets of each environment. */
type Start = Omit<Event, "needs" | "matrix" | "run" | "secrets"> & {
  readonly environments: Readonly<Record<string, Event["secrets"]>>;
};

/** @param before the jobs of an earlier attempt of the run: those that succeeded are not run again. */
export async function runWorkflow(
  { jobs }: Workflow,
  checkout: (job: string) => Promise<Example>,
  { environments, ...event }: Start,
  before?: PlayedWorkflow,
): Promise<PlayedWorkflow> {
  const artifacts = before?.artifacts ?? mkdtempSync(join(engineSetup().folder, "artifacts-"));
  const played: Record<string, PlayedJob> = {};
  for (const [name, { if: wanted, ...job }] of inOrder(jobs)) {
    const needs = Object.fromEntries(needsOf(job).map((each) => [each, played[each]!]));
    const earlier = before?.jobs[name];
    if (earlier?.result === "success") {
      played[name] = earlier;
    } else if (!isWanted(wanted, event, needs)) {
      played[name] = { result: "skipped", runs: [] };
    } else {
      const runs: Run[] = [];
      for (const matrix of matrixOf(job)) {
        const environment = filled(job.environment ?? "", { matrix });
        // Without an environment, a job has no secrets.
        const secrets = environment === "" ? {} : known("environments", environments)[environment]!;
        const one = { ...event, secrets, needs, matrix, run: { id: 1, artifacts } };
        runs.push(await runJob(await checkout(name), job, one));
      }
      const failed = runs.some(({ conclusion }) => conclusion === "failure");
      played[name] = { result: failed ? "failure" : "success", runs };
    }
  }
  return { jobs: played, artifacts };
}

function needsOf({ needs = [] }: Job): readonly string[] {
  return typeof needs === "string" ? [needs] : needs;
}

/** A job comes after those that it needs. */
function inOrder(jobs: Workflow["jobs"]): [string, Job][] {
  const all = Object.entries(jobs);
  for (const [i, [name, job]] of all.entries()) {
    const later = needsOf(job).filter((each) => !all.slice(0, i).some(([other]) => other === each));
    if (later.length > 0) throw new Error(`${name} stands before ${later.join(", ")}, which it needs`);
  }
  return all;
}

/** What GitHub asks before it starts a job. */
function isWanted(
  text: string | undefined,
  { vars }: Pick<Event, "vars">,
  needs: Readonly<Record<string, JobResult>>,
): boolean {
  return Boolean(
    evaluate(condition(text), {
      needs: known("needs", needs),
      vars: known("vars", vars),
      success: () => Object.values(needs).every(({ result }) => result === "success"),
      cancelled: () => false,
    }),
  );
}

/** The values of each job of a matrix with one variable. */
function matrixOf({ strategy }: Job): Readonly<Record<string, string>>[] {
  if (strategy === undefined) return [{}];
  if (strategy["fail-fast"]) throw new Error("a failure would cancel the other jobs of the matrix");
  const [[name, values], ...others] = Object.entries(strategy.matrix) as [
    [string, readonly string[]],
    ...unknown[],
  ];
  if (others.length > 0) throw new Error("another form of a matrix");
  return values.map((value) => ({ [name]: value }));
}
