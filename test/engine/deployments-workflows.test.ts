/** The workflows of the examples, each step run as GitHub would run it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { changesExitCode } from "../support/engine";
import { engineSetup } from "../support/engine-setup";
import { Example, textOf } from "./deployments-examples";
import { runJob, stepsOf, workflow } from "./deployments-workflow";
import type { Event, Run } from "./deployments-workflow";

const paths = {
  review: "github-actions/.github/workflows/review.yml",
  deploy: "github-actions/.github/workflows/deploy.yml",
  drift: "drift-detection/.github/workflows/drift.yml",
};

/** A repository with this example, as the action that checks it out leaves it. */
function checkedOut(name: string, env: Record<string, string> = {}): Example {
  const { template } = engineSetup();
  const example = new Example(name, env, { install: "none" });
  const locks = ["package.json", "package-lock.json"];
  example.program.write(
    Object.fromEntries(locks.map((lock) => [lock, readFileSync(join(template, lock), "utf8")])),
  );
  // `npm ci` of what was installed before takes links in the place of minutes.
  const install = `
    cmp package.json ${template}/package.json && cmp package-lock.json ${template}/package-lock.json
    rm -rf node_modules
    cp -al ${template}/node_modules node_modules 2>/dev/null || cp -R ${template}/node_modules node_modules`;
  example.replaceTool("npm", `if [ "$*" = ci ]; then ${install}\nelse PATH=\${PATH#*:} exec npm "$@"; fi`);
  return example;
}

const secrets = { PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests" };

describe("the workflows", () => {
  const all = Object.entries(paths).map(([name, path]) => [name, workflow(path), textOf(path)] as const);

  it.each(all)("of %s use actions of one major version and put nothing foreign into commands", (_, flow) => {
    for (const { uses, run } of stepsOf(flow)) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
      // What GitHub fills into a command could be a command itself.
      else expect(run).not.toContain("${{");
    }
  });

  it("may do no more than they need", () => {
    const permissions = Object.fromEntries(all.map(([name, flow]) => [name, flow.permissions]));
    expect(permissions).toEqual({
      review: { contents: "read", "pull-requests": "write" },
      deploy: { contents: "read" },
      drift: { contents: "read" },
    });
    const text = all.map(([, , each]) => each).join("\n");
    expect(text).not.toMatch(/pull_request_target|write-all/);
  });

  it("never let two deployments run at once, and cancel none", () => {
    const { deploy, review, drift } = Object.fromEntries(all.map(([name, flow]) => [name, flow.concurrency]));
    expect(deploy).toEqual({ group: "production", "cancel-in-progress": false });
    // What waits in a group gives way to what comes later, so nothing else may be in the one of deployments.
    expect([review!.group, drift!.group]).not.toContain("production");
    expect(Object.keys(workflow(paths.deploy).jobs)).toHaveLength(1);
  });

  it("start when they should", () => {
    expect(workflow(paths.review).on).toBe("pull_request");
    expect(workflow(paths.deploy).on).toEqual({ push: { branches: ["main"] } });
    expect(workflow(paths.drift).on).toMatchObject({ schedule: [{ cron: "17 5 * * *" }] });
  });
});

describe("the example github-actions", () => {
  const repository = "example/gateway";
  const main = textOf("github-actions/index.ts");
  let emulator: EmulatorProcess;
  let example: Example;
  let comments: string;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
    comments = join(engineSetup().folder, "comments.json");
    example = checkedOut("github-actions", { FAKE_GH: comments });
    example.replaceTool("gh", `exec node "${join(__dirname, "deployments-gh.cjs")}" "$@"`);
    // What people and other workflows wrote stays as it is.
    const others = [
      { id: 1, user: { login: "ada" }, body: "<!-- tunnel-gateway review --> is how its comment begins" },
      { id: 2, user: { login: "github-actions[bot]" }, body: "coverage: 97 %" },
    ];
    writeFileSync(comments, JSON.stringify({ repository, pullRequest: 7, comments: others }));
    await example.run("npm ci && pulumi stack init production");
  });
  afterAll(() => emulator.stop());

  const event = (github: object): Event => ({
    github: { repository, token: "a token for tests", ...github },
    vars: { PULUMI_BACKEND_URL: `file://${example.backend}`, TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl },
    secrets: { ...secrets, TUNNEL_GATEWAY_API_KEY: emulator.apiKey },
  });
  const push = () => runJob(example, workflow(paths.deploy).jobs.deploy!, event({ ref: "refs/heads/main" }));
  const pullRequest = (from = repository) =>
    runJob(
      example,
      workflow(paths.review).jobs.review!,
      event({ event: { pull_request: { number: 7, head: { repo: { full_name: from } } } } }),
    );
  const written = () =>
    (JSON.parse(readFileSync(comments, "utf8")) as { comments: { id: number; body: string }[] }).comments;
  const actions = async () => ((await emulator.state()).ip_policy_rules ?? []).map(({ action }) => action);
  const outcomes = ({ steps }: Run) =>
    Object.fromEntries(Object.entries(steps).map(([name, { outcome }]) => [name, outcome]));

  it("deploys what is pushed to main", async () => {
    const run = await push();
    expect([run.conclusion, outcomes(run)]).toEqual(["success", { "npm ci": "success", Deploy: "success" }]);
    expect((await actions()).sort()).toEqual(["allow", "deny"]);
    expect(written()).toHaveLength(2);
  });

  it("comments a pull request that opens a policy, fails, and changes nothing", async () => {
    example.program.write(main.replace(`"deny"`, `"allow"`));
    const run = await pullRequest();
    expect([run.conclusion, outcomes(run)]).toEqual([
      "failure",
      { "npm ci": "success", Review: "failure", Comment: "success" },
    ]);
    expect(run.steps.Review!.result!.stdout).toContain("::error");
    const [ada, coverage, own, ...more] = written();
    expect(own!.body).toMatch(
      /^<!-- tunnel-gateway review -->\n[^]*`access\/deny-removed` \| IpPolicyRule `guests`/,
    );
    expect([ada!.body, coverage!.body, more]).toEqual([
      "<!-- tunnel-gateway review --> is how its comment begins",
      "coverage: 97 %",
      [],
    ]);
    expect((await actions()).sort()).toEqual(["allow", "deny"]);
  });

  it("brings its own comment up to date by the next push, and passes what is harmless", async () => {
    const before = written();
    example.program.write(main.replace("office networks", "networks of the office"));
    const run = await pullRequest();
    expect([run.conclusion, outcomes(run)]).toEqual([
      "success",
      { "npm ci": "success", Review: "success", Comment: "success" },
    ]);
    const after = written();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[2]!.body).toContain("networks of the office");
    expect(after[2]!.body).not.toContain("access/deny-removed");
  });

  it("deploys what was merged", async () => {
    expect((await push()).conclusion).toBe("success");
    expect((await emulator.state()).ip_policies).toMatchObject([{ description: "networks of the office" }]);
  });

  it("leaves a pull request from a fork alone, which has no secrets", async () => {
    expect((await pullRequest("stranger/gateway")).conclusion).toBe("skipped");
  });

  it("fails where the preview does, and the comment says so", async () => {
    example.program.write(main.replace("203.0.113.0/24", "203.0.113.7/24"));
    const run = await pullRequest();
    expect([run.conclusion, outcomes(run).Comment]).toEqual(["failure", "success"]);
    expect(written()).toHaveLength(3);
    expect(written()[2]!.body).toMatch(/The preview failed:.*host bits set/);
  });
});

describe("the example drift-detection", () => {
  let emulator: EmulatorProcess;
  let example: Example;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
    example = checkedOut("drift-detection");
    await example.run("npm ci && pulumi stack init production && pulumi up --stack production --yes", {
      env: emulator.env,
    });
  });
  afterAll(() => emulator.stop());

  const check = () =>
    runJob(example, workflow(paths.drift).jobs.drift!, {
      github: { repository: "example/gateway" },
      vars: { PULUMI_BACKEND_URL: `file://${example.backend}`, TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl },
      secrets: { ...secrets, TUNNEL_GATEWAY_API_KEY: emulator.apiKey },
    });

  it("passes while the service has what was deployed", async () => {
    const run = await check();
    expect([run.conclusion, run.steps.Report!.outcome, run.summary]).toEqual(["success", "skipped", ""]);
  });

  it("fails where an object was changed behind the back, says which and how, and changes nothing", async () => {
    const { id } = (await emulator.state()).ip_policies![0]!;
    await emulator.api("PATCH", `/ip_policies/${String(id)}`, { description: "changed by hand" });
    const before = (await example.run("pulumi stack export --stack production")).stdout;
    await emulator.clearRequests();

    const run = await check();
    expect([run.conclusion, run.steps.Compare!.result!.exitCode]).toEqual(["failure", changesExitCode]);
    expect(run.steps.Report!.outcome).toBe("success");
    expect(run.summary).toContain("**IpPolicy** `office`");
    expect(run.summary).toMatch(/changed outside of Pulumi: `description`: .*changed by hand/);
    expect(run.summary).not.toContain("berlin");

    expect((await emulator.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
    expect((await example.run("pulumi stack export --stack production")).stdout).toBe(before);
  });

  it("fails where an object was deleted behind the back", async () => {
    const guests = (await emulator.state()).ip_policy_rules!.find(({ action }) => action === "deny")!;
    await emulator.api("DELETE", `/ip_policy_rules/${String(guests.id)}`);
    const run = await check();
    expect(run.steps.Compare!.result!.exitCode).toBe(changesExitCode);
    expect(run.summary).toContain("**IpPolicyRule** `guests`");
  });

  it("fails otherwise where the service cannot be asked, and still writes a report", async () => {
    await emulator.setFaults({ rules: [{ kind: "status", status: 401 }] });
    const run = await check();
    await emulator.setFaults();
    expect(run.conclusion).toBe("failure");
    expect([0, changesExitCode]).not.toContain(run.steps.Compare!.result!.exitCode);
    expect(run.summary).toContain("The preview failed");
  });
});
