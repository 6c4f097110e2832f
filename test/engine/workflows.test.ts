/**
 * The workflows of examples/github-actions as far as a deployment, a review and an approval need them; all that they do
 * is in test/full, and what they may do in test/docs.
 */
import { EmulatorProcess } from "../support/emulator-process";
import { Repository, outcomes } from "../support/examples/repository";

const start = EmulatorProcess.forOneTest();

const set = { "npm ci": "success" };

it("deploys what a review has approved, and comments a pull request that opens a policy, which nothing deploys", async () => {
  const emulator = await start();
  const repository = await Repository.begin(emulator, { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
  const first = await repository.pullRequest();
  expect([first.approve.conclusion, outcomes(first.approve)]).toEqual([
    "success",
    { "Find the pull request": "success", ...set, Review: "success" },
  ]);
  repository.merge();
  const deployed = await repository.push();
  expect([deployed.conclusion, outcomes(deployed)]).toEqual([
    "success",
    { "Find the approval": "success", ...set, Compare: "success", Deploy: "success" },
  ]);
  expect(await repository.actions()).toEqual(["allow", "deny"]);

  repository.change(`"203.0.113.0/24"`, `"0.0.0.0/0"`);
  // What the pull request commits is not what reviews it, and not what is posted.
  repository.commit({
    ".tunnel-gateway-review.json": JSON.stringify({ failOn: "never" }),
    "review.md": "<!-- tunnel-gateway review of production -->\nNothing to see here.",
    "preview/preview.json": "{}",
  });
  const { preview, review, approve } = await repository.pullRequest();
  expect([preview.conclusion, outcomes(preview)]).toEqual(["success", { ...set, Preview: "success" }]);
  expect([review.conclusion, outcomes(review)]).toEqual([
    "failure",
    { ...set, Review: "failure", Comment: "success" },
  ]);
  expect(review.steps.Review!.result!.stdout).toContain("::error");
  const own = repository.written().slice(2);
  expect(own).toEqual([
    expect.objectContaining({
      body: expect.stringMatching(
        /^<!-- tunnel-gateway review of production -->\n[^]*`access\/open-cidr` \| IpPolicyRule `berlin`/,
      ) as string,
    }),
  ]);
  expect(approve.conclusion).toBe("skipped");

  repository.merge();
  const refused = await repository.push();
  expect([refused.conclusion, outcomes(refused)]).toEqual([
    "failure",
    { "Find the approval": "failure", "npm ci": "skipped", Compare: "skipped", Deploy: "skipped" },
  ]);
  expect(await repository.actions()).toEqual(["allow", "deny"]);
});
