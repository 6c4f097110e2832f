/** Plays the jobs of a workflow in order, each job of a matrix in a checkout of its own. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { engineSetup } from "../engine-setup";
import type { Example } from "./example";
import { condition, evaluate, known, runJob } from "./workflow";
import type { Event, Job, JobResult, Outcome, Run, Workflow } from "./workflow";

interface PlayedJob {
  readonly result: Outcome;
  /** One for each entry of the matrix. */
  readonly runs: readonly Run[];
}

/** @param before the jobs of an earlier attempt of the run: those that succeeded are not run again. */
export async function runWorkflow(
  { jobs }: Workflow,
  checkout: (job: string) => Promise<Example>,
  event: Omit<Event, "needs" | "matrix" | "run">,
  before?: PlayedWorkflow,
): Promise<PlayedWorkflow> {
  const artifacts = before?.artifacts ?? mkdtempSync(join(engineSetup().folder, "artifacts-"));
  const played: Record<string, PlayedJob> = {};
  const results: Record<string, JobResult> = {};
  for (const [name, job] of inOrder(jobs)) {
    const needs = Object.fromEntries(needsOf(job).map((each) => [each, results[each]!]));
    const earlier = before?.jobs[name];
    if (earlier?.result === "success") {
      played[name] = earlier;
      results[name] = { result: "success", outputs: earlier.runs[0]!.outputs };
      continue;
    }
    const ancestors = ancestorsOf(job, jobs).map((each) => results[each]!.result);
    if (!isWanted(job, event, needs, ancestors)) {
      played[name] = { result: "skipped", runs: [] };
      results[name] = { result: "skipped", outputs: {} };
      continue;
    }
    const runs: Run[] = [];
    for (const matrix of matrixOf(job, needs)) {
      const { if: _, ...always } = job;
      runs.push(
        await runJob(await checkout(name), always, { ...event, needs, matrix, run: { id: 1, artifacts } }),
      );
    }
    const result = runs.some(({ conclusion }) => conclusion === "failure") ? "failure" : "success";
    played[name] = { result, runs };
    results[name] = { result, outputs: runs[0]!.outputs };
  }
  return { jobs: played, artifacts };
}

export interface PlayedWorkflow {
  readonly jobs: Readonly<Record<string, PlayedJob>>;
  readonly artifacts: string;
}

function needsOf({ needs = [] }: Job): readonly string[] {
  return typeof needs === "string" ? [needs] : needs;
}

function ancestorsOf(job: Job, jobs: Workflow["jobs"]): string[] {
  return [...new Set(needsOf(job).flatMap((name) => [name, ...ancestorsOf(jobs[name]!, jobs)]))];
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

/** What GitHub asks before it starts a job: a failure of any job before counts, and a skipped one that it needs. */
function isWanted(
  job: Job,
  { vars }: Pick<Event, "vars">,
  needs: Readonly<Record<string, JobResult>>,
  ancestors: readonly Outcome[],
): boolean {
  return Boolean(
    evaluate(condition(job.if), {
      needs: known("needs", needs),
      vars: known("vars", vars),
      success: () => Object.values(needs).every(({ result }) => result === "success"),
      failure: () => ancestors.includes("failure"),
      always: () => true,
      cancelled: () => false,
    }),
  );
}

/** The values of each job. GitHub refuses an empty matrix. */
function matrixOf(
  { strategy }: Job,
  needs: Readonly<Record<string, JobResult>>,
): Readonly<Record<string, unknown>>[] {
  if (strategy === undefined) return [{}];
  if (strategy["fail-fast"]) throw new Error("a failure would cancel the other jobs of the matrix");
  const [[name, text], ...others] = Object.entries(strategy.matrix) as [[string, string], ...unknown[]];
  const [, expression] = /^\$\{\{(.*)\}\}$/s.exec(text) ?? [];
  const values = evaluate(expression!, { needs: known("needs", needs) });
  if (others.length > 0 || !Array.isArray(values)) throw new Error("another form of a matrix");
  if (values.length === 0) throw new Error("the matrix is empty");
  return values.map((value) => known("matrix", { [name]: value as unknown }));
}
