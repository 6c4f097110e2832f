/** A GitHub repository with the example github-actions, whose workflows run on this machine. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EmulatorProcess } from "../emulator-process";
import { checkedOut, textOf } from "./example";
import type { Example } from "./example";
import { gh, paths, runJob, workflow } from "./workflow";
import type { Event, Run, RunFolder } from "./workflow";

const name = "example/gateway";

/** What people and other workflows wrote below the pull request. */
const others = [
  {
    id: 1,
    user: { login: "ada" },
    body: "<!-- tunnel-gateway review of production --> is how its comment begins",
  },
  { id: 2, user: { login: "github-actions[bot]" }, body: "coverage: 97 %" },
];

/** The number of the pull request. */
const own = 7;

/** What GitHub says of the run that approve.yml follows. */
interface Reviewed {
  /** The repository of the branch. */
  readonly from?: string;
  /** The file of the workflow. */
  readonly path?: string;
  /** The open pull requests of the commit. */
  readonly pulls?: readonly { readonly number: number; readonly base: string }[];
}

const workflows = { "review.yml": 11, "approve.yml": 12, "deploy.yml": 13 };

/** What GitHub says of a pull request, with the commits of main that it brought. */
interface Pull {
  readonly base: { readonly ref: string };
  readonly number: number;
  readonly head: { readonly sha: string };
  readonly merged_at: string | null;
  readonly merge_commit_sha: string;
  readonly commits: readonly string[];
}

/** What GitHub says of a run of a workflow, with its artifacts. */
interface ListedRun {
  readonly id: number;
  readonly event: string;
  readonly workflow_id: number;
  readonly head_branch: string;
  readonly artifacts: { name: string; expired: boolean }[];
}

function isOpen({ commits }: Pull): boolean {
  return commits.length === 0;
}

interface World {
  comments: { id: number; body: string }[];
  pulls: Pull[];
  runs: ListedRun[];
}

export class Repository {
  /** The program of the example, as it is on main. */
  readonly main = textOf("github-actions/index.ts");
  /** The last commit of main, and that of the pull request. */
  private tip = shaOf("the first commit of main");
  private head = shaOf("a commit of nobody");
  private readonly runs = new Map<number, RunFolder>();
  private commits = 0;
  /** The files that the pull request changes. */
  private readonly changed = new Set(["index.ts"]);
  /** Whether the variables and secrets of the first setup are there. */
  isSetUp = true;

  private constructor(
    /** The checkout of main. */
    private readonly example: Example,
    /** The checkout of the pull request. */
    private readonly branch: Example,
    private readonly emulator: EmulatorProcess,
    private readonly file: string,
  ) {}

  /** Creates the stack that the workflows deploy. `env` is the environment of every step. */
  static async begin(emulator: EmulatorProcess, env: Record<string, string> = {}): Promise<Repository> {
    const example = checkedOut("github-actions", env);
    const file = join(example.backend, "github.json");
    example.replaceTool("gh", `FAKE_GH="${file}" exec node "${gh}" "$@"`);
    // Not every machine has it, so no workflow may need it.
    example.replaceTool("jq", "exit 127");
    const world = { comments: others, pulls: [], runs: [] } satisfies World;
    writeFileSync(file, JSON.stringify({ repository: name, pullRequest: 7, workflows, ...world }));
    await example.run("npm ci && pulumi stack init production");
    const branch = checkedOut("github-actions", env);
    branch.program.write({
      "Pulumi.production.yaml": readFileSync(join(example.program.dir, "Pulumi.production.yaml"), "utf8"),
    });
    return new Repository(example, branch, emulator, file);
  }

  /** Whether this worker's hosts run the program, in both checkouts. */
  set hosted(are: boolean) {
    for (const checkout of [this.example, this.branch]) checkout.hosted = are;
  }

  /** Changes the program, in the branch of the pull request. */
  change(from: string, to: string): void {
    this.branch.program.write(this.main.replace(from, to));
  }

  /** Commits files to the branch of the pull request. */
  commit(files: Record<string, string>): void {
    this.branch.program.write(files);
    for (const file of Object.keys(files)) this.changed.add(file);
  }

  /** A push to the pull request, as its two workflows see it. */
  async pullRequest(from = name): Promise<{ preview: Run; review: Run; approve: Run }> {
    this.head = shaOf(`commit ${++this.commits} of the pull request`);
    // Until it is merged, the merge commit of a pull request is one for tests.
    const pull = { merged_at: null, merge_commit_sha: shaOf("a test merge"), commits: [] };
    this.update(({ pulls }) => {
      const open = pulls.findIndex(isOpen);
      pulls.splice(open < 0 ? 0 : open, open < 0 ? 0 : 1, {
        ...pull,
        number: own,
        base: { ref: "main" },
        head: { sha: this.head },
      });
    });
    return this.review(from);
  }

  /** Runs the two workflows of the last push, for example again. The jobs of main run in the checkout of main. */
  async review(from = name): Promise<{ preview: Run; review: Run; approve: Run }> {
    const repository = { full_name: from };
    const reviewing = this.newRun("pull_request", "review.yml", from === name ? "change" : "main");
    const event = this.event(reviewing, {
      event_name: "pull_request",
      event: { pull_request: { number: own, head: { repo: repository } } },
    });
    const { jobs } = workflow(paths.review);
    const preview = await runJob(this.branch, jobs.preview!, event);
    const needs = { preview: { result: preview.conclusion } };
    // Only the first job is in the environment that has the secrets.
    const review = await runJob(this.example, jobs.review!, { ...event, secrets: {}, needs });
    this.finish(reviewing);
    const conclusion = [preview, review].map((run) => run.conclusion).sort()[0]!;
    return { preview, review, approve: await this.approve(reviewing, conclusion, { from }) };
  }

  /** The workflow that a run of the review starts. */
  async approve(
    reviewing: RunFolder,
    conclusion: string,
    { from = name, path = paths.review, pulls = [{ number: own, base: "main" }] }: Reviewed = {},
  ): Promise<Run> {
    const run = this.newRun("workflow_run", "approve.yml", "main");
    const { id } = reviewing;
    const of = {
      event: "pull_request",
      conclusion,
      head_sha: this.head,
      head_repository: { full_name: from },
      path: path.slice(path.indexOf(".github/")),
      pull_requests: pulls.map(({ number, base }) => ({ number, base: { ref: base } })),
      id,
    };
    const event = { ...this.event(run, { event: { workflow_run: of } }), vars: {}, secrets: {} };
    const approve = await runJob(this.example, workflow(paths.approve).jobs.approve!, event);
    this.finish(run);
    return approve;
  }

  /** A run in which a branch executes what it likes: it uploads a file under a name of its choice. */
  upload(
    artifact: string,
    file: string,
    text: string,
    event = "pull_request",
    by: keyof typeof workflows = "approve.yml",
  ): RunFolder {
    const run = this.newRun(event, by, "main");
    mkdirSync(join(run.artifacts, artifact));
    writeFileSync(join(run.artifacts, artifact, file), text);
    this.finish(run);
    return run;
  }

  /** The name of the approval of the last push to the pull request. */
  get approval(): string {
    return `approval-production-${own}-${this.head}`;
  }

  /** Makes all artifacts as old as GitHub keeps them. */
  expireArtifacts(): void {
    this.update(({ runs }) =>
      runs.flatMap(({ artifacts }) => artifacts).forEach((each) => (each.expired = true)),
    );
  }

  /** What the workflow of the review does when a merge queue asks for its checks. */
  async mergeGroup(): Promise<{ preview: Run; review: Run }> {
    const run = this.newRun("merge_group", "review.yml", "main");
    const event = this.event(run, { event_name: "merge_group", event: {} });
    const { jobs } = workflow(paths.review);
    const preview = await runJob(this.example, jobs.preview!, event);
    const needs = { preview: { result: preview.conclusion } };
    return { preview, review: await runJob(this.example, jobs.review!, { ...event, needs }) };
  }

  /** Merges the files of the pull request. Without a merge of GitHub, its commit is simply pushed to main. */
  merge(how: "merge" | "squash" | "rebase" | "push" = "merge"): void {
    const files = [...this.changed].map((file) => [
      file,
      readFileSync(join(this.branch.program.dir, file), "utf8"),
    ]);
    this.example.program.write(Object.fromEntries(files) as Record<string, string>);
    this.tip = shaOf(`commit ${++this.commits} of main`);
    const commits = {
      merge: [this.head, this.tip],
      squash: [this.tip],
      rebase: [shaOf(`commit ${this.commits} of main, the one before`), this.tip],
      push: [],
    }[how];
    if (how === "push") return;
    this.update(({ pulls }) => {
      const open = pulls.findIndex(isOpen);
      const merged = {
        ...pulls[open]!,
        commits,
        merged_at: "2026-11-22T12:00:00Z",
        merge_commit_sha: this.tip,
      };
      // A pull request into another branch brings the same commit there.
      const later = { ...merged, base: { ref: "release" }, head: { sha: shaOf("release") } };
      const without = { ...merged, merged_at: null, head: { sha: shaOf("never merged") } };
      pulls.splice(open, 1, later, merged, without);
    });
  }

  /** The last run of deploy.yml. */
  private deployment: RunFolder | undefined;

  async push(): Promise<Run> {
    this.deployment = this.newRun("push", "deploy.yml", "main");
    return this.deployAgain();
  }

  /** Runs the job of the last push again, as another attempt of its run. */
  async deployAgain(): Promise<Run> {
    const run = this.deployment!;
    const deployed = await runJob(
      this.example,
      workflow(paths.deploy).jobs.deploy!,
      this.event(run, { ref: "refs/heads/main", sha: this.tip }),
    );
    this.finish(run);
    return deployed;
  }

  /** All comments below the pull request. */
  written(): { id: number; body: string }[] {
    return this.world().comments;
  }

  /** The actions of the rules in the account. */
  async actions(): Promise<unknown[]> {
    return ((await this.emulator.state()).ip_policy_rules ?? []).map(({ action }) => action).sort();
  }

  private world(): World {
    return JSON.parse(readFileSync(this.file, "utf8")) as World;
  }

  private update(change: (world: World) => void): void {
    const world = this.world();
    change(world);
    writeFileSync(this.file, JSON.stringify(world));
  }

  private newRun(event: string, by: keyof typeof workflows, branch: string): RunFolder {
    const id = 100 + this.runs.size;
    const run = { id, artifacts: join(this.example.backend, `artifacts-${id}`) };
    mkdirSync(run.artifacts);
    this.runs.set(id, run);
    const listed = { id, event, workflow_id: workflows[by], head_branch: branch, artifacts: [] };
    this.update(({ runs }) => runs.push(listed));
    return run;
  }

  /** Lists the artifacts of a run. */
  private finish({ id, artifacts }: RunFolder): void {
    this.update(({ runs }) => {
      const names = readdirSync(artifacts).map((each) => ({ name: each, expired: false }));
      runs.find((run) => run.id === id)!.artifacts.push(...names);
    });
  }

  private event(run: RunFolder, github: object): Event {
    return {
      ...{ run, runs: this.runs },
      github: { repository: name, token: "a token for tests", sha: this.tip, ...github },
      vars: {
        PULUMI_BACKEND_URL: this.isSetUp ? `file://${this.example.backend}` : "",
        TUNNEL_GATEWAY_BASE_URL: this.isSetUp ? this.emulator.baseUrl : "",
      },
      secrets: {
        PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
        TUNNEL_GATEWAY_API_KEY: this.emulator.apiKey,
      },
    };
  }
}

function shaOf(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

/** The outcomes of a run's steps by their names. */
export function outcomes({ steps }: Run): Record<string, string> {
  return Object.fromEntries(Object.entries(steps).map(([step, { outcome }]) => [step, outcome]));
}
