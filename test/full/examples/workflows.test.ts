/** The workflows of the examples, each step run as GitHub would run it. */
import { EmulatorProcess } from "../../support/emulator-process";
import { changesExitCode } from "../../support/engine";
import { checkedOut } from "../../support/examples/example";
import type { Example } from "../../support/examples/example";
import { Repository, outcomes } from "../../support/examples/repository";
import { paths, runJob, workflow } from "../../support/examples/workflow";

describe("the example github-actions", () => {
  let emulator: EmulatorProcess;
  let repository: Repository;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
    repository = await Repository.begin(emulator);
  });
  afterAll(() => emulator.stop());

  it("deploys what is pushed to main", async () => {
    const run = await repository.push();
    expect([run.conclusion, outcomes(run)]).toEqual(["success", { "npm ci": "success", Deploy: "success" }]);
    expect(await repository.actions()).toEqual(["allow", "deny"]);
    expect(repository.written()).toHaveLength(2);
  });

  it("comments a pull request that opens a policy, fails, and changes nothing", async () => {
    repository.change(`"203.0.113.0/24"`, `"0.0.0.0/0"`);
    const { preview, review: run } = await repository.pullRequest();
    expect(outcomes(preview)).toEqual({ "npm ci": "success", Preview: "success" });
    expect([run.conclusion, outcomes(run)]).toEqual([
      "failure",
      { "npm ci": "success", Review: "failure", Comment: "success" },
    ]);
    expect(run.steps.Review!.result!.stdout).toContain("::error");
    const [ada, coverage, own, ...more] = repository.written();
    expect(own!.body).toMatch(
      /^<!-- tunnel-gateway review -->\n[^]*`access\/open-cidr` \| IpPolicyRule `berlin`/,
    );
    expect([ada!.body, coverage!.body, more]).toEqual([
      "<!-- tunnel-gateway review --> is how its comment begins",
      "coverage: 97 %",
      [],
    ]);
    expect(await repository.actions()).toEqual(["allow", "deny"]);
  });

  it("brings its own comment up to date by the next push, and passes what is harmless", async () => {
    const before = repository.written();
    repository.change("office networks", "networks of the office");
    const { review: run } = await repository.pullRequest();
    expect([run.conclusion, outcomes(run)]).toEqual([
      "success",
      { "npm ci": "success", Review: "success", Comment: "success" },
    ]);
    const after = repository.written();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[2]!.body).toContain("networks of the office");
    expect(after[2]!.body).not.toContain("access/open-cidr");
  });

  it("deploys what was merged", async () => {
    repository.merge();
    expect((await repository.push()).conclusion).toBe("success");
    expect((await emulator.state()).ip_policies).toMatchObject([{ description: "networks of the office" }]);
  });

  it("posts nothing that the pull request committed, and takes no settings from it", async () => {
    repository.change(`"203.0.113.0/24"`, `"0.0.0.0/0"`);
    const hidden = "<!-- tunnel-gateway review -->\nNothing to see here.";
    repository.commit({
      ".tunnel-gateway-review.json": JSON.stringify({ failOn: "never" }),
      "review.md": hidden,
      "preview.json": "{}",
    });
    const { review } = await repository.pullRequest();
    expect(outcomes(review)).toEqual({ "npm ci": "success", Review: "failure", Comment: "success" });
    expect(repository.written().map(({ body }) => body)).not.toContain(hidden);
    expect(repository.written()[2]!.body).toContain("access/open-cidr");
  });

  it("leaves a pull request from a fork alone, which has no secrets", async () => {
    const { preview, review } = await repository.pullRequest("stranger/gateway");
    expect([preview.conclusion, review.conclusion]).toEqual(["skipped", "skipped"]);
  });

  it("fails where the preview does, and the comment says so", async () => {
    repository.change("203.0.113.0/24", "203.0.113.7/24");
    const { preview, review } = await repository.pullRequest();
    expect(outcomes(preview)).toEqual({ "npm ci": "success", Preview: "failure" });
    expect([review.conclusion, outcomes(review).Comment]).toEqual(["failure", "success"]);
    expect(repository.written()).toHaveLength(3);
    expect(repository.written()[2]!.body).toMatch(/The preview failed:.*host bits set/);
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
      secrets: {
        PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
        TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
      },
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
