/** Runs the jobs of the example's .gitlab-ci.yml on this machine, as far as the example uses what GitLab has. */
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Result } from "../engine";
import { textOf } from "./example";
import type { Example } from "./example";

export interface GitlabJob {
  readonly extends?: string;
  readonly rules: readonly { readonly if: string; readonly when?: string }[];
  readonly needs?: readonly string[];
  readonly environment?: string | { readonly name: string };
  readonly resource_group?: string;
  readonly interruptible?: boolean;
  readonly before_script?: readonly string[];
  readonly script: readonly string[];
  readonly variables?: Variables;
  readonly artifacts?: {
    readonly paths: readonly string[];
    readonly when?: string;
    readonly expose_as?: string;
  };
}

type Variables = Readonly<Record<string, string>>;

/** The jobs by their names, each with what it extends. */
export function gitlabJobs(): { jobs: Readonly<Record<string, GitlabJob>>; variables: Variables } {
  const {
    stages,
    default: _,
    variables,
    ...all
  } = parse(textOf("gitlab-ci/.gitlab-ci.yml")) as Record<string, object>;
  const hidden = all as Readonly<Record<string, GitlabJob>>;
  const jobs = (stages as string[]).map((name) => {
    const job = hidden[name]!;
    return [name, { ...(job.extends === undefined ? {} : hidden[job.extends]), ...job }];
  });
  return { jobs: Object.fromEntries(jobs) as Record<string, GitlabJob>, variables: variables as Variables };
}

/** What happens to a job in a pipeline with these variables: `on_success`, `always`, `manual`, or `never`. */
export function whenOf({ rules }: GitlabJob, variables: Variables): string {
  const isTrue = (text: string): boolean => {
    const asked = text.replace(/\$(\w+)/g, (__, name: string) => JSON.stringify(variables[name] ?? ""));
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the example's own text
    return Boolean((new Function(`return (${asked});`) as () => unknown)());
  };
  const rule = rules.find((each) => isTrue(each.if));
  return rule === undefined ? "never" : (rule.when ?? "on_success");
}

/** Runs a job in a checkout, with the artifacts of the jobs that it needs. */
export async function runGitlabJob(
  example: Example,
  name: string,
  given: Variables,
  artifacts: string,
): Promise<Result> {
  const { jobs, variables } = gitlabJobs();
  const { needs = [], before_script: before = [], script, artifacts: kept, variables: own } = jobs[name]!;
  for (const need of needs)
    if (existsSync(join(artifacts, need)))
      cpSync(join(artifacts, need), example.program.dir, { recursive: true });
  const env = { CI: "true", ...variables, ...own, ...given };
  const result = await example.run([...before, ...script].join("\n"), { env, exitCode: "any" });
  if (result.exitCode !== 0 && kept?.when !== "always") return result;
  for (const path of kept?.paths ?? []) {
    const file = join(example.program.dir, path);
    if (!existsSync(file)) continue;
    mkdirSync(join(artifacts, name), { recursive: true });
    cpSync(file, join(artifacts, name, path));
  }
  return result;
}
