/**
 * The workflows of examples/github-actions as far as a deployment and a review need them; all that they do is in
 * test/full, and what they may do in test/docs.
 */
import { EmulatorProcess } from "../support/emulator-process";
import { Repository, outcomes } from "../support/examples/repository";

it("deploys what is pushed, and comments a pull request that opens a policy", async () => {
  const emulator = await EmulatorProcess.start();
  try {
    const repository = await Repository.begin(emulator, { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
    const deployed = await repository.push();
    expect([deployed.conclusion, outcomes(deployed)]).toEqual([
      "success",
      { "npm ci": "success", Deploy: "success" },
    ]);
    expect(await repository.actions()).toEqual(["allow", "deny"]);

    repository.change(`"203.0.113.0/24"`, `"0.0.0.0/0"`);
    // What the pull request commits is not what reviews it, and not what is posted.
    repository.commit({
      ".tunnel-gateway-review.json": JSON.stringify({ failOn: "never" }),
      "review.md": "<!-- tunnel-gateway review -->\nNothing to see here.",
      "preview/preview.json": "{}",
    });
    const { preview, review } = await repository.pullRequest();
    expect([preview.conclusion, outcomes(preview)]).toEqual([
      "success",
      { "npm ci": "success", Preview: "success" },
    ]);
    expect([review.conclusion, outcomes(review)]).toEqual([
      "failure",
      { "npm ci": "success", Review: "failure", Comment: "success" },
    ]);
    expect(review.steps.Review!.result!.stdout).toContain("::error");
    expect(repository.written()).toHaveLength(3);
    expect(repository.written()[2]!.body).toMatch(
      /^<!-- tunnel-gateway review -->\n[^]*`access\/open-cidr` \| IpPolicyRule `berlin`/,
    );
    expect(await repository.actions()).toEqual(["allow", "deny"]);
  } finally {
    await emulator.stop();
  }
});
