/** The pipeline of the example gitlab-ci, each job run as GitLab would run it. */
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Result } from "../../support/engine";
import { engineSetup } from "../../support/engine-setup";
import { checkedOut, textOf } from "../../support/examples/example";
import type { Example } from "../../support/examples/example";
import { gitlabJobs, runGitlabJob, whenOf } from "../../support/examples/gitlab";

const emulator = EmulatorProcess.forTests();
let example: Example;
let artifacts: string;
/** The variables of the project. */
let settings: Record<string, string>;
const program = textOf("github-actions/index.ts");

beforeAll(async () => {
  example = checkedOut("gitlab-ci");
  example.replaceTool("curl", "true");
  settings = {
    PULUMI_BACKEND_URL: `file://${example.backend}`,
    PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
    TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
  };
  example.program.write({ "index.ts": program, "Pulumi.yaml": textOf("github-actions/Pulumi.yaml") });
  await example.run(`
    npm ci && pulumi stack init production
    git init --quiet --initial-branch main && git add --all && git ${author} commit --quiet --message first
    git clone --quiet --bare . "${example.backend}/origin.git" && git remote add origin "${example.backend}/origin.git"`);
});
beforeEach(() => {
  artifacts = mkdtempSync(join(engineSetup().folder, "artifacts-"));
});

const author = "-c user.name=ada -c user.email=ada@example.com";
const inMergeRequest = {
  ...{ CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main" },
  CI_DEFAULT_BRANCH: "main",
};
const onMain = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main", CI_DEFAULT_BRANCH: "main" };

/** The jobs of a merge request: only those of the environment have the passphrase, and none has the key. */
async function mergeRequest(files: Record<string, string>): Promise<{ preview: Result; review: Result }> {
  await example.run("git checkout --quiet --force -B change main");
  example.program.write(files);
  await example.run(`git add --all && git ${author} commit --quiet --message change`);
  const given = { ...inMergeRequest, CI_COMMIT_SHORT_SHA: "4f2a9c1" };
  const preview = await runGitlabJob(example, "preview", { ...settings, ...given }, artifacts);
  const { PULUMI_CONFIG_PASSPHRASE: _, ...plain } = settings;
  return { preview, review: await runGitlabJob(example, "review", { ...plain, ...given }, artifacts) };
}

async function merge(): Promise<void> {
  await example.run(
    "git checkout --quiet --force main && git reset --quiet --hard change && git push --quiet --force origin main",
  );
}

const onProduction = (name: string): Promise<Result> => {
  const key = { TUNNEL_GATEWAY_API_KEY: emulator.apiKey, CI_COMMIT_SHORT_SHA: "5e3b8d2" };
  return runGitlabJob(example, name, { ...settings, ...onMain, ...key }, artifacts);
};

const actions = async (): Promise<unknown[]> =>
  ((await emulator.state()).ip_policy_rules ?? []).map(({ action }) => action).sort();

it("runs nothing until its settings are there, and then each job where it belongs", () => {
  const { jobs } = gitlabJobs();
  const whens = (variables: Record<string, string>): string[] =>
    Object.values(jobs).map((job) => whenOf(job, variables));
  const base = { TUNNEL_GATEWAY_BASE_URL: "https://api.example.com" };
  const never = ["never", "never", "never", "never"];
  expect([whens(inMergeRequest), whens(onMain)]).toEqual([never, never]);
  expect(whens({ ...inMergeRequest, ...base })).toEqual(["on_success", "always", "never", "never"]);
  expect(whens({ ...onMain, ...base })).toEqual(["never", "never", "on_success", "manual"]);
  expect(whens({ ...onMain, CI_COMMIT_BRANCH: "change", ...base })).toEqual(never);
});

it("deploys a merge request that was reviewed, merged, planned and released", async () => {
  const { preview, review } = await mergeRequest({ "index.ts": `${program}\n// reviewed\n` });
  expect([preview.exitCode, review.exitCode]).toEqual([0, 0]);
  const page = readFileSync(join(artifacts, "review/review.html"), "utf8");
  expect(page).toMatch(/<title>[^<]*production[^<]*passed/);
  expect(page).toContain("4f2a9c1");
  expect(await emulator.requests()).toEqual([]);
  await merge();
  expect((await onProduction("plan")).exitCode).toBe(0);
  expect(await actions()).toEqual([]);
  expect((await onProduction("deploy")).exitCode).toBe(0);
  expect(await actions()).toEqual(["allow", "deny"]);
});

it("fails a merge request that opens a policy, whatever settings it brings, and one whose preview fails", async () => {
  const opened = await mergeRequest({
    "index.ts": program.replace("203.0.113.0/24", "0.0.0.0/0"),
    ".tunnel-gateway-review.json": JSON.stringify({ failOn: "never" }),
  });
  expect([opened.preview.exitCode, opened.review.exitCode]).toEqual([0, 3]);
  expect(opened.review.stdout).toContain("access/open-cidr");
  example.hosted = false;
  const broken = await mergeRequest({ "index.ts": program.replace("203.0.113.0/24", "203.0.113.7/24") });
  example.hosted = true;
  expect([broken.preview.exitCode, broken.review.exitCode]).toEqual([1, 1]);
  expect(broken.review.output).toContain("host bits set");
});

it("deploys nothing that changed after the plan", async () => {
  await mergeRequest({ "index.ts": program.replace("office networks", "planned") });
  await merge();
  expect((await onProduction("plan")).exitCode).toBe(0);
  const { id } = (await emulator.state()).ip_policy_rules!.find(({ action }) => action === "deny")!;
  await emulator.api("PATCH", `/ip_policy_rules/${String(id)}`, { cidr: "203.0.113.192/26" });
  const { exitCode, output } = await onProduction("deploy");
  expect(exitCode).toBe(3);
  expect(output).toMatch(/IpPolicyRule guests: PATCH \/ip_policy_rules\/\w+: it was not approved/);
  expect((await emulator.state()).ip_policies).not.toMatchObject([{ description: "planned" }]);
});
