/** A GitHub repository with the example github-actions, whose workflows run on this machine. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EmulatorProcess } from "../emulator-process";
import { checkedOut, textOf } from "./example";
import type { Example } from "./example";
import { gh, paths, runJob, workflow } from "./workflow";
import type { Event, Run } from "./workflow";

const name = "example/gateway";

/** What people and other workflows wrote below the pull request. */
const others = [
  { id: 1, user: { login: "ada" }, body: "<!-- tunnel-gateway review --> is how its comment begins" },
  { id: 2, user: { login: "github-actions[bot]" }, body: "coverage: 97 %" },
];

export class Repository {
  /** The program of the example, as it is on main. */
  readonly main = textOf("github-actions/index.ts");

  private constructor(
    /** The checkout of main. */
    private readonly example: Example,
    /** The checkout of the pull request. */
    private readonly branch: Example,
    private readonly emulator: EmulatorProcess,
    private readonly comments: string,
  ) {}

  /** Creates the stack that the workflows deploy. `env` is the environment of every step. */
  static async begin(emulator: EmulatorProcess, env: Record<string, string> = {}): Promise<Repository> {
    const example = checkedOut("github-actions", env);
    const comments = join(example.backend, "comments.json");
    example.replaceTool("gh", `FAKE_GH="${comments}" exec node "${gh}" "$@"`);
    writeFileSync(comments, JSON.stringify({ repository: name, pullRequest: 7, comments: others }));
    await example.run("npm ci && pulumi stack init production");
    const branch = checkedOut("github-actions", env);
    branch.program.write({
      "Pulumi.production.yaml": readFileSync(join(example.program.dir, "Pulumi.production.yaml"), "utf8"),
    });
    return new Repository(example, branch, emulator, comments);
  }

  /** Changes the program, in the branch of the pull request. */
  change(from: string, to: string): void {
    this.branch.program.write(this.main.replace(from, to));
  }

  /** Commits files to the branch of the pull request. */
  commit(files: Record<string, string>): void {
    this.branch.program.write(files);
  }

  /** Merges the program of the pull request. */
  merge(): void {
    this.example.program.write(readFileSync(join(this.branch.program.dir, "index.ts"), "utf8"));
  }

  push(): Promise<Run> {
    return runJob(this.example, workflow(paths.deploy).jobs.deploy!, this.event({ ref: "refs/heads/main" }));
  }

  /** The first job runs in the checkout of the pull request, the second in that of main. */
  async pullRequest(from = name): Promise<{ preview: Run; review: Run }> {
    const github = { event: { pull_request: { number: 7, head: { repo: { full_name: from } } } } };
    const { jobs } = workflow(paths.review);
    const artifacts = mkdtempSync(join(this.example.backend, "artifacts-"));
    const event = { ...this.event(github), artifacts };
    const preview = await runJob(this.branch, jobs.preview!, event);
    const needs = { preview: { result: preview.conclusion } };
    // Only the first job is in the environment that has the secrets.
    const review = await runJob(this.example, jobs.review!, { ...event, secrets: {}, needs });
    return { preview, review };
  }

  /** All comments below the pull request. */
  written(): { id: number; body: string }[] {
    const { comments } = JSON.parse(readFileSync(this.comments, "utf8")) as {
      comments: { id: number; body: string }[];
    };
    return comments;
  }

  /** The actions of the rules in the account. */
  async actions(): Promise<unknown[]> {
    return ((await this.emulator.state()).ip_policy_rules ?? []).map(({ action }) => action).sort();
  }

  private event(github: object): Event {
    return {
      github: { repository: name, token: "a token for tests", ...github },
      vars: {
        PULUMI_BACKEND_URL: `file://${this.example.backend}`,
        TUNNEL_GATEWAY_BASE_URL: this.emulator.baseUrl,
      },
      secrets: {
        PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
        TUNNEL_GATEWAY_API_KEY: this.emulator.apiKey,
      },
    };
  }
}

/** The outcomes of a run's steps by their names. */
export function outcomes({ steps }: Run): Record<string, string> {
  return Object.fromEntries(Object.entries(steps).map(([step, { outcome }]) => [step, outcome]));
}
