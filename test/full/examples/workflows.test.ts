/** The workflows of the examples, each step run as GitHub would run it. */
import { EmulatorProcess } from "../../support/emulator-process";
import { checkedOut } from "../../support/examples/example";
import type { Example } from "../../support/examples/example";
import { previewOf } from "../../tools/review/access-preview";
import { Repository, outcomes } from "../../support/examples/repository";
import { paths, runJob, workflow } from "../../support/examples/workflow";
import { daysAhead } from "../engine/support";

const ready = { "npm ci": "success" };
const bound = { "Find the pull request": "success", ...ready };
const install = "npm ci --ignore-scripts";
const deploys = { "Find the approval": "success", [install]: "success", Deploy: "success" };
const notFound = { "Find the approval": "failure", [install]: "skipped", Deploy: "skipped" };
const unlike = { ...deploys, Deploy: "failure" };

describe("the example github-actions", () => {
  const emulator = EmulatorProcess.forTests();
  let repository: Repository;

  beforeAll(async () => {
    repository = await Repository.begin(emulator);
  });

  it("does nothing and fails nowhere until its settings are there", async () => {
    repository.isSetUp = false;
    const { preview, review, approve } = await repository.pullRequest();
    const push = await repository.push();
    expect([preview, review, approve, push].map(({ conclusion }) => conclusion)).toEqual([
      ...["skipped", "skipped", "skipped", "skipped"],
    ]);
    repository.isSetUp = true;
  });

  it("deploys a pull request that was reviewed and merged", async () => {
    const { review, approve } = await repository.pullRequest();
    expect([review.conclusion, outcomes(approve)]).toEqual(["success", { ...bound, Review: "success" }]);
    expect(approve.summary).toContain("**IpPolicyRule `berlin`**: created");
    repository.merge("merge");
    const run = await repository.push();
    expect([run.conclusion, outcomes(run)]).toEqual(["success", deploys]);
    expect(await repository.actions()).toEqual(["allow", "deny"]);
    expect(repository.written()).toHaveLength(3);
  });

  it("comments a pull request that opens a policy, fails, approves nothing, and takes no settings or texts from it", async () => {
    repository.change(`"203.0.113.0/24"`, `"0.0.0.0/0"`);
    const hidden = "<!-- tunnel-gateway review of production -->\nNothing to see here.";
    repository.commit({
      ".tunnel-gateway-review.json": JSON.stringify({ failOn: "never" }),
      "review.md": hidden,
      "preview.json": "{}",
      "preview/preview.json": "{}",
    });
    const { preview, review: run, approve } = await repository.pullRequest();
    expect(outcomes(preview)).toEqual({ ...ready, Preview: "success" });
    expect([run.conclusion, outcomes(run)]).toEqual([
      "failure",
      { ...ready, Review: "failure", Comment: "success" },
    ]);
    expect(run.steps.Review!.result!.stdout).toContain("::error");
    const [ada, coverage, own, ...more] = repository.written();
    expect(own!.body).toMatch(
      /^<!-- tunnel-gateway review of production -->\n[^]*`access\/open-cidr` \| IpPolicyRule `berlin`/,
    );
    expect([ada!.body, coverage!.body, more]).toEqual([
      "<!-- tunnel-gateway review of production --> is how its comment begins",
      "coverage: 97 %",
      [],
    ]);
    expect(own!.body).not.toContain("Nothing to see here");
    expect(approve.conclusion).toBe("skipped");
  });

  it("brings its own comment up to date by the next push, and passes what is harmless", async () => {
    const before = repository.written();
    repository.change("office networks", "networks of the office");
    const { review: run } = await repository.pullRequest();
    expect([run.conclusion, outcomes(run)]).toEqual([
      "success",
      { ...ready, Review: "success", Comment: "success" },
    ]);
    const after = repository.written();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[2]!.body).toContain("networks of the office");
    expect(after[2]!.body).not.toContain("access/open-cidr");
  });

  it("does nothing for a merge queue, which takes a job that does nothing for a passed check", async () => {
    const { preview, review } = await repository.mergeGroup();
    expect([preview.conclusion, review.conclusion]).toEqual(["skipped", "skipped"]);
  });

  it("leaves a pull request from a fork alone, which has no secrets", async () => {
    const { preview, review, approve } = await repository.pullRequest("stranger/gateway");
    expect([preview.conclusion, review.conclusion, approve.conclusion]).toEqual([
      "skipped",
      "skipped",
      "skipped",
    ]);
  });

  it("fails where the preview does, the comment says so, and what is merged without an approval is not deployed", async () => {
    repository.change("203.0.113.0/24", "203.0.113.7/24");
    repository.hosted = false;
    const { preview, review, approve } = await repository.pullRequest();
    repository.hosted = true;
    expect(outcomes(preview)).toEqual({ ...ready, Preview: "failure" });
    expect([review.conclusion, outcomes(review).Comment]).toEqual(["failure", "success"]);
    expect(repository.written()).toHaveLength(3);
    expect(repository.written()[2]!.body).toMatch(/The preview failed:.*host bits set/);
    expect(approve.conclusion).toBe("skipped");
    repository.merge();
    const run = await repository.push();
    expect([run.conclusion, outcomes(run)]).toEqual(["failure", notFound]);
    expect(await repository.actions()).toEqual(["allow", "deny"]);
  });
});

describe("a deployment of the example github-actions", () => {
  const emulator = EmulatorProcess.forTests();
  let repository: Repository;

  beforeAll(async () => {
    repository = await Repository.begin(emulator);
    await repository.pullRequest();
    repository.merge();
    expect((await repository.push()).conclusion).toBe("success");
  });

  /** How a deployment ends that must change nothing, and what it prints. */
  async function refusal(): Promise<{ steps: Record<string, string>; text: string; summary: string }> {
    await emulator.clearRequests();
    const run = await repository.push();
    expect(run.conclusion).toBe("failure");
    expect((await emulator.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
    const text = Object.values(run.steps).map(({ result }) => result?.stdout ?? "");
    return { steps: outcomes(run), text: text.join(""), summary: run.summary };
  }
  const advice =
    /Nothing was deployed. Open a pull request, with an empty commit if there is nothing to change/;

  it("is refused for a commit that is no merge, or that nobody has reviewed, also where an older one of its pull request was", async () => {
    repository.change("office networks", "reviewed");
    expect((await repository.pullRequest()).approve.conclusion).toBe("success");
    repository.merge("push");
    const pushed = await refusal();
    expect(pushed.steps).toEqual(notFound);
    expect(pushed.text).toMatch(
      /::error::[0-9a-f]{40} is not the merge of one pull request, so it has no approval/,
    );
    expect(pushed.text).toMatch(advice);
    repository.change("office networks", "pushed after the review");
    expect((await repository.pullRequest("stranger/gateway")).approve.conclusion).toBe("skipped");
    repository.merge();
    const { steps, text } = await refusal();
    expect(steps).toEqual(notFound);
    expect(text).toMatch(/The pull request and its last commit \(7-[0-9a-f]{40}\) have no approval/);
    expect(text).toMatch(advice);
  });

  describe("of a pull request whose review fails", () => {
    beforeAll(async () => {
      repository.change(`"203.0.113.0/24"`, `"0.0.0.0/0"`);
      expect((await repository.pullRequest()).review.conclusion).toBe("failure");
    });

    it("approves nothing of a commit that is in another pull request, or by another workflow of that name", async () => {
      const network = { policies: ["office"], rules: [], edges: { database: ["office"] } };
      const run = repository.upload(
        "preview",
        "preview.json",
        previewOf(network, network),
        "pull_request",
        "review.yml",
      );
      const [main, evil] = [
        { number: 7, base: "main" },
        { number: 8, base: "evil" },
      ];
      for (const pulls of [[evil], [main, evil], [main, { number: 9, base: "main" }], []]) {
        const approve = await repository.approve(run, "success", { pulls });
        expect(approve.steps["Find the pull request"]!.outcome).toBe("failure");
        expect(approve.steps.Review!.outcome).toBe("skipped");
      }
      const other = await repository.approve(run, "success", { path: ".github/workflows/other.yml" });
      expect(other.conclusion).toBe("skipped");
    });

    it("approves nothing that the rules of main refuse, whatever the run of the review has claimed", async () => {
      const rule = { name: "berlin", policy: "office", action: "allow", cidr: "0.0.0.0/0" } as const;
      const network = { policies: ["office"], rules: [], edges: { database: ["office"] } };
      const opened = previewOf(network, { ...network, rules: [rule] });
      const run = repository.upload("preview", "preview.json", opened, "pull_request", "review.yml");
      const approve = await repository.approve(run, "success");
      expect(outcomes(approve)).toEqual({ ...bound, Review: "failure" });
      const without = repository.upload("other", "preview.json", opened, "pull_request", "review.yml");
      expect(outcomes(await repository.approve(without, "success"))).toEqual({
        ...bound,
        "Get the preview": "failure",
        Review: "skipped",
      });
    });

    it("takes no approval that another workflow has made, or this one as a pull request has changed it", async () => {
      const forgery = JSON.stringify({ approval: 2 });
      repository.upload(repository.approval, "approval.json", forgery, "pull_request", "approve.yml");
      repository.upload(repository.approval, "approval.json", forgery, "push", "approve.yml");
      repository.upload(repository.approval, "approval.json", forgery, "workflow_run", "review.yml");
      repository.merge();
      const { steps, text } = await refusal();
      expect(steps).toEqual(notFound);
      expect(text).toContain("have no approval");
    });
  });

  it("compares with the first approval of a commit, not with a later or a forged one, until it has expired", async () => {
    repository.change("office networks", "as it was reviewed");
    await repository.pullRequest();
    repository.upload(repository.approval, "approval.json", "{}", "pull_request", "approve.yml");
    repository.change("office networks", "as a second run shows it");
    expect((await repository.review()).approve.conclusion).toBe("success");
    repository.merge();
    const { steps, text, summary } = await refusal();
    expect(steps).toEqual(unlike);
    expect(text).toContain('it was approved with another value of "/description"');
    expect(summary).toContain("approval/changed");
    repository.expireArtifacts();
    expect(outcomes(await repository.deployAgain())).toEqual(notFound);
  });

  it("is refused after a change by hand, and deploys it once that is undone", async () => {
    repository.change("office networks", "reviewed before somebody changed it");
    await repository.pullRequest();
    repository.merge();
    const { id, cidr } = (await emulator.state()).ip_policy_rules!.find(({ action }) => action === "deny")!;
    const path = `/ip_policy_rules/${String(id)}`;
    await emulator.api("PATCH", path, { cidr: "203.0.113.192/26" });
    const { steps, text } = await refusal();
    expect(steps).toEqual(unlike);
    expect(text).toMatch(/IpPolicyRule guests.*it was not approved/);
    await emulator.api("PATCH", path, { cidr });
    const run = await repository.push();
    expect([run.conclusion, outcomes(run)]).toEqual(["success", deploys]);
  });

  it("that broke off continues with its approval when the job runs again", async () => {
    const more = `new IpPolicyRule("vpn", { ipPolicyId: office.id, cidr: "198.51.100.0/24", action: "allow" });`;
    repository.change(
      "\nexport const policyId",
      `\n${more}\n${more.replace("vpn", "lab").replace("198.51.100", "192.0.2")}\nexport const policyId`,
    );
    await repository.pullRequest();
    repository.merge("squash");
    await emulator.setFaults({
      rules: [{ kind: "status", status: 400, method: "POST", path: "/ip_policy_rules", after: 1 }],
    });
    repository.hosted = false;
    const broken = await repository.push();
    repository.hosted = true;
    expect(outcomes(broken)).toEqual({ ...deploys, Deploy: "failure" });
    await emulator.setFaults();
    expect(await repository.actions()).toEqual(["allow", "allow", "deny"]);
    const run = await repository.deployAgain();
    expect([run.conclusion, outcomes(run)]).toEqual(["success", deploys]);
    expect(run.steps.Deploy!.result!.stdout).toMatch(/approved writes? (is|are) done already/);
    expect(await repository.actions()).toEqual(["allow", "allow", "allow", "deny"]);
  });

  it("passes with a finding that main has accepted by name before", async () => {
    const reason = "everybody may connect this week";
    const silence = [
      { rule: "access/open-cidr", resource: "IpPolicyRule berlin", reason },
      { rule: "access/newly-allowed", resource: "IpPolicy office", reason },
    ];
    repository.change("office networks", "with a silence");
    repository.commit({ ".tunnel-gateway-review.json": JSON.stringify({ baseUrls: [], silence }) });
    expect((await repository.pullRequest()).approve.conclusion).toBe("success");
    repository.merge("rebase");
    expect((await repository.push()).conclusion).toBe("success");

    repository.change(`"203.0.113.0/24"`, `"0.0.0.0/0"`);
    const { review, approve } = await repository.pullRequest();
    expect([review.conclusion, approve.conclusion]).toEqual(["success", "success"]);
    expect(repository.written().at(-1)!.body).toContain("Silenced: everybody may connect this week");
    repository.merge();
    expect((await repository.push()).conclusion).toBe("success");
    expect((await emulator.state()).ip_policy_rules).toContainEqual(
      expect.objectContaining({ cidr: "0.0.0.0/0", action: "allow" }),
    );
  });
});

/** Runs a job that works on the stack of the example, with the key of the account or another one. */
function onProduction(
  { example, emulator, apiKey }: { example: Example; emulator: EmulatorProcess; apiKey?: string | undefined },
  job: Parameters<typeof runJob>[1],
): ReturnType<typeof runJob> {
  return runJob(example, job, {
    github: { repository: "example/gateway", sha: "0".repeat(40) },
    run: { id: 1, artifacts: example.backend },
    vars: { PULUMI_BACKEND_URL: `file://${example.backend}`, TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl },
    secrets: {
      PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
      TUNNEL_GATEWAY_API_KEY: apiKey ?? emulator.apiKey,
    },
  });
}

describe("the example ending-access", () => {
  const emulator = EmulatorProcess.forTests();
  let example: Example;

  beforeAll(async () => {
    example = checkedOut("ending-access");
    await example.run("npm ci && pulumi stack init production", { env: emulator.env });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await example.run(`pulumi config set contractUntil ${until} && pulumi up --stack production --yes`, {
      env: emulator.env,
    });
  });

  const expire = (apiKey?: string) =>
    onProduction({ example, emulator, apiKey }, workflow(paths.expire).jobs.expire!);
  const ranges = async () => (await emulator.state()).ip_policy_rules!.map(({ cidr }) => cidr).sort();

  it("deletes nothing before the end", async () => {
    const { conclusion, summary } = await expire();
    expect([conclusion, summary]).toEqual(["success", expect.stringMatching(/^ {4}0 rules deleted$/m)]);
    expect(await ranges()).toEqual(["198.51.100.7/32", "203.0.113.0/24"]);
  });

  it("fails where the key is refused, and says so", async () => {
    const { conclusion, steps } = await expire("a-wrong-key");
    expect([conclusion, steps.Expire!.result!.exitCode]).toEqual(["failure", 1]);
    expect(steps.Report!.outcome).toBe("success");
  });

  it("ends the contractor's access and nothing else, and the next preview is empty", async () => {
    const env = { ...emulator.env, ...(await daysAhead(1, example.program, emulator)) };
    const run = await expire();
    expect(run.conclusion).toBe("success");
    expect(run.summary).toMatch(
      /^ {4}IpPolicyRuleSet staff {2,}ipp_\w+ {2,}198\.51\.100\.7\/32 {2,}allow {2,}\S+ {2,}deleted$/m,
    );
    expect(await ranges()).toEqual(["203.0.113.0/24"]);
    const preview = "pulumi preview --stack production --expect-no-changes";
    await example.run(preview, { env, hosted: false });
  });
});

describe("the example drift-detection", () => {
  const emulator = EmulatorProcess.forTests();
  let example: Example;

  beforeAll(async () => {
    example = checkedOut("drift-detection");
    await example.run("npm ci && pulumi stack init production && pulumi up --stack production --yes", {
      env: emulator.env,
    });
    await emulator.ageObjects();
  });

  const check = () => onProduction({ example, emulator }, workflow(paths.drift).jobs.drift!);

  it("passes while the service has what was deployed", async () => {
    const run = await check();
    expect(run.conclusion).toBe("success");
    expect(run.summary).toMatch(/^ {4}1 stack: no drift\n$/m);
  });

  it("fails where an object was changed behind the back, says which and how, and changes nothing", async () => {
    const { id } = (await emulator.state()).ip_policies![0]!;
    await emulator.api("PATCH", `/ip_policies/${String(id)}`, { description: "changed by hand" });
    const before = (await example.run("pulumi stack export --stack production")).stdout;
    await emulator.clearRequests();

    const run = await check();
    expect([run.conclusion, run.steps.Compare!.result!.exitCode]).toEqual(["failure", 3]);
    expect(run.steps.Report!.outcome).toBe("success");
    expect(run.summary).toMatch(
      /^ {4}production {2}IpPolicy office {2}description {2}"office networks" {2}"changed by hand"$/m,
    );
    expect(run.summary).not.toContain("berlin");

    expect((await emulator.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
    expect((await example.run("pulumi stack export --stack production")).stdout).toBe(before);
  });

  it("fails where an object was deleted behind the back", async () => {
    const guests = (await emulator.state()).ip_policy_rules!.find(({ action }) => action === "deny")!;
    await emulator.api("DELETE", `/ip_policy_rules/${String(guests.id)}`);
    const run = await check();
    expect(run.steps.Compare!.result!.exitCode).toBe(3);
    expect(run.summary).toMatch(/^ {4}production {2}IpPolicyRule guests {2,}exists {2,}deleted$/m);
  });

  it("fails otherwise where the service cannot be asked, and still writes a report", async () => {
    await emulator.setFaults({ rules: [{ kind: "status", status: 401 }] });
    const run = await check();
    await emulator.setFaults();
    expect(run.conclusion).toBe("failure");
    expect(run.steps.Compare!.result!.exitCode).toBe(1);
    expect(run.summary).toContain("production could not be compared: ");
  });
});
