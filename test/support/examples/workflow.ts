/**
 * Runs the jobs of a GitHub Actions workflow on this machine. It supports what the examples use; everything else is
 * an error.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { engineSetup } from "../engine-setup";
import type { Result } from "../engine";
import type { Example } from "./example";
import { textOf } from "./example";

/** The workflows of the examples. */
export const paths = {
  review: "github-actions/.github/workflows/review.yml",
  approve: "github-actions/.github/workflows/approve.yml",
  deploy: "github-actions/.github/workflows/deploy.yml",
  drift: "drift-detection/.github/workflows/drift.yml",
  expire: "ending-access/.github/workflows/expire.yml",
  ranges: "published-ranges/.github/workflows/ranges.yml",
  fleet: "fleet/.github/workflows/deploy.yml",
} as const;

/** Replaces the command `gh` of a runner. */
export const gh = join(__dirname, "gh.cjs");

export interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly strategy?: {
    readonly "fail-fast": boolean;
    readonly "max-parallel": number;
    readonly matrix: Readonly<Record<string, readonly string[]>>;
  };
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly "continue-on-error"?: boolean;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The data that GitHub has when it starts a workflow. */
export interface Event {
  readonly github: Readonly<Record<string, unknown>> & { readonly repository: string; readonly sha: string };
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** The results of the jobs before. */
  readonly needs?: Readonly<Record<string, JobResult>>;
  /** The values of this job of a matrix. */
  readonly matrix?: Readonly<Record<string, unknown>>;
  readonly run: RunFolder;
  /** The runs of before, by their ids: a job may ask for their artifacts. */
  readonly runs?: ReadonlyMap<number, RunFolder>;
}

/** A run of a workflow, whose jobs share a folder for the files of artifacts. */
export interface RunFolder {
  readonly id: number;
  readonly artifacts: string;
}

export type Outcome = "success" | "failure" | "skipped";

export interface JobResult {
  readonly result: Outcome;
}

export interface Run {
  readonly conclusion: Outcome;
  /** By the step's name, or by its command. Steps that use another action are left out. */
  readonly steps: Readonly<Record<string, { readonly outcome: Outcome; readonly result?: Result }>>;
  /** What the steps wrote into the summary. */
  readonly summary: string;
}

/** A workflow, whose jobs have its environment. */
export function workflow(path: string): Workflow {
  const { env, jobs, ...flow } = parse(textOf(path)) as Workflow & Pick<Job, "env">;
  const withEnv = Object.entries(jobs).map(([name, job]) => [name, { ...job, env: { ...env, ...job.env } }]);
  return { ...flow, jobs: Object.fromEntries(withEnv) as Workflow["jobs"] };
}

/** All steps of a workflow. */
export function stepsOf({ jobs }: Workflow): Step[] {
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

/**
 * Runs a job: each `run` in bash, in order, as its `if` and `env` say. Artifacts are copied to and from the folder of
 * the event. Steps that use other actions only set up the machine.
 */
export async function runJob(example: Example, job: Job, event: Event): Promise<Run> {
  const folder = mkdtempSync(join(engineSetup().folder, "run-"));
  const [summary, output, temporary] = ["summary.md", "output", "temporary"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  mkdirSync(temporary);
  writeFileSync(summary, "");
  const ids: Record<string, { outcome: Outcome; outputs: Readonly<Record<string, string>> }> = {};
  const given = {
    github: { ...event.github, run_id: event.run.id },
    vars: known("vars", event.vars),
    secrets: known("secrets", event.secrets),
    needs: known("needs", event.needs ?? {}),
    matrix: known("matrix", event.matrix ?? {}),
    env: known("env", job.env ?? {}),
    runner: { temp: temporary },
    steps: known("steps", ids),
  };
  const done: Record<string, { outcome: Outcome; result?: Result }> = {};
  const failed = (): boolean => Object.values(done).some(({ outcome }) => outcome === "failure");
  const ask = (text: string | undefined): boolean =>
    Boolean(
      evaluate(condition(text), {
        ...given,
        success: () => !failed(),
        failure: failed,
        always: () => true,
        cancelled: () => false,
      }),
    );
  if (!ask(job.if)) return { conclusion: "skipped", steps: {}, summary: "" };

  const ownEnv = {
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_REPOSITORY: event.github.repository,
    GITHUB_SHA: event.github.sha,
    RUNNER_TEMP: temporary,
  };
  for (const step of job.steps) {
    if (step.run === undefined) {
      if (ask(step.if) && !transfer(step) && !step["continue-on-error"])
        done[step.name ?? step.uses!] = { outcome: "failure" };
      continue;
    }
    const name = step.name ?? step.run;
    writeFileSync(output, "");
    done[name] = ask(step.if) ? await execute(step) : { outcome: "skipped" };
    const { outcome } = done[name];
    if (step.id !== undefined)
      ids[step.id] = { outcome, outputs: known(`outputs of ${name}`, outputsIn(output)) };
  }
  return {
    conclusion: failed() ? "failure" : "success",
    steps: done,
    summary: readFileSync(summary, "utf8"),
  };

  /** Whether there is such an artifact. */
  function transfer({ uses = "", with: options = {} }: Step): boolean {
    const [, direction] = /^actions\/(up|down)load-artifact@/.exec(uses) ?? [];
    if (direction === undefined) return true;
    const option = (name: string): string => filled(String(options[name]), given);
    const of = "run-id" in options ? option("run-id") : String(event.run.id);
    // The artifacts of another run need a token.
    const isOther = of !== String(event.run.id) && option("github-token") === event.github.token;
    const run = isOther ? event.runs?.get(Number(of)) : event.run;
    if (run === undefined) return false;
    const path = option("path");
    if ("pattern" in options) {
      const [prefix, rest] = option("pattern").split("*") as [string, string];
      if (rest !== "" || options["merge-multiple"] !== true) throw new Error("another form of a pattern");
      for (const name of readdirSync(run.artifacts).filter((each) => each.startsWith(prefix)))
        cpSync(join(run.artifacts, name), path, { recursive: true });
      return true;
    }
    const kept = join(run.artifacts, option("name"));
    if (direction === "down") {
      if (existsSync(kept)) cpSync(kept, path, { recursive: true });
      return existsSync(kept);
    }
    // The artifact of one file holds it without its folders.
    if (!existsSync(path)) return options["if-no-files-found"] === "ignore";
    mkdirSync(kept, { recursive: options.overwrite === true });
    copyFileSync(path, join(kept, basename(path)));
    return true;
  }

  async function execute({ run, env }: Step): Promise<{ outcome: Outcome; result: Result }> {
    const all = Object.entries({ ...job.env, ...env }).map(([name, text]) => [name, filled(text, given)]);
    const result = await example.run(filled(run!, given), {
      env: {
        ...ownEnv,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: output,
        ...(Object.fromEntries(all) as Record<string, string>),
      },
      exitCode: "any",
    });
    return { outcome: result.exitCode === 0 ? "success" : "failure", result };
  }
}

/** What a step wrote as its outputs, in lines such as `name=value`. */
function outputsIn(file: string): Record<string, string> {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
}

type Context = Readonly<Record<string, unknown>>;

/** A condition that does not mention the status of earlier steps requires their success. */
export function condition(text = "success()"): string {
  const expression = text.replace(/^\$\{\{(.*)\}\}$/s, "$1").trim();
  return /\b(success|failure|always|cancelled)\(\)/.test(expression)
    ? expression
    : `success() && (${expression})`;
}

export function filled(text: string, context: Context): string {
  return String(text).replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    String(evaluate(expression, context)),
  );
}

const functions = {
  toJSON: (value: unknown): string => JSON.stringify(value, undefined, 2),
};

/** Evaluates an expression. Those of the examples mean the same in JavaScript. */
export function evaluate(expression: string, context: Context): unknown {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the example's own text
  const ask = new Function(...Object.keys(functions), ...Object.keys(context), `return (${expression});`) as (
    ...values: unknown[]
  ) => unknown;
  return ask(...Object.values(functions), ...Object.values(context));
}

/** In GitHub an unknown name has no value. Here it is an error. */
export function known<T extends object>(kind: string, values: T): T {
  return new Proxy(values, {
    get(target, name) {
      if (Reflect.has(target, name)) return Reflect.get(target, name) as unknown;
      throw new Error(`the workflow asks for ${kind}.${String(name)}, which does not exist`);
    },
  });
}
