/** What the examples say of themselves; test/full runs them, and test/engine one of their workflows. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../support/examples/example";
import { gitlabJobs } from "../support/examples/gitlab";
import { paths, stepsOf, workflow } from "../support/examples/workflow";
import { root } from "./blocks";

describe("the table of the examples", () => {
  it("names every example, and only those that there are", () => {
    const folders = readdirSync(join(root, "examples"), { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const named = [...textOf("README.md").matchAll(/^- \[([\w-]+)\]\(\1\)/gm)].map(([, name]) => name!);
    expect(named.sort()).toEqual(names.sort());
  });
});

it("pass with the base URL that the README sets in a stack", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, own] = /^pulumi config set tunnel-gateway:baseUrl (https:\S+)$/m.exec(readme)!;
  for (const name of ["github-actions", "gitlab-ci", "fleet"]) {
    const { baseUrls } = JSON.parse(textOf(`${name}/.tunnel-gateway-review.json`)) as { baseUrls: string[] };
    expect(baseUrls).toEqual([own]);
  }
});

describe("the workflows", () => {
  const all = Object.entries(paths).map(([name, path]) => [name, workflow(path), textOf(path)] as const);

  it.each(all)("of %s pin actions by their digest and put nothing foreign into commands", (_, flow, text) => {
    for (const { uses, run } of stepsOf(flow)) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      // What GitHub fills into a command could be a command itself.
      else expect(run).not.toContain("${{");
    }
    const lines = text.split("\n").filter((line) => line.includes("uses:"));
    expect(lines.filter((line) => !/ # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it("use one version of each action", () => {
    const uses = all.flatMap(([, flow]) => stepsOf(flow).flatMap((step) => step.uses ?? []));
    const names = new Set(uses.map((each) => each.split("@")[0]));
    expect(new Set(uses).size).toBe(names.size);
  });

  it("use the Pulumi CLI that the tests of this repository use", () => {
    const versions = all.flatMap(([, flow]) =>
      stepsOf(flow).flatMap(({ uses, with: options }) =>
        uses?.startsWith("pulumi/actions@") ? [options?.["pulumi-version"]] : [],
      ),
    );
    expect(versions.length).toBeGreaterThan(3);
    const manifest = readFileSync(join(root, "tools/pulumi-cli/go.mod"), "utf8");
    const [, own] = /\/pkg\/v3 v([\d.]+)$/m.exec(manifest)!;
    expect(new Set(versions)).toEqual(new Set([own]));
    const { jobs } = gitlabJobs();
    const runners = Object.values(jobs).filter(({ script }) =>
      /\bpulumi |--stack|COMPARE_AND_DEPLOY/.test(script.join("\n")),
    );
    expect(runners).toHaveLength(3);
    for (const { before_script: before } of runners)
      expect(before!.join("\n")).toContain(`get.pulumi.com | sh -s -- --version ${own}\n`);
  });

  it("preview a pull request without the key of the account", () => {
    for (const path of [paths.review, paths.fleet]) {
      const { env } = workflow(path).jobs.preview!.steps.find(({ name }) => name === "Preview")!;
      expect(JSON.stringify(env)).toContain("PULUMI_CONFIG_PASSPHRASE");
      expect(JSON.stringify(env)).not.toContain("TUNNEL_GATEWAY_API_KEY");
    }
  });

  it("may do no more than they need", () => {
    for (const [, flow] of all) expect(flow.permissions).toEqual({ contents: "read" });
    const own = all.flatMap(([, { jobs }]) =>
      Object.entries(jobs).flatMap(([name, { permissions }]) => (permissions ? [[name, permissions]] : [])),
    );
    expect(own).toEqual([
      ["review", { contents: "read", "pull-requests": "write" }],
      ["approve", { actions: "read", contents: "read" }],
      ["deploy", { actions: "read", contents: "read", "pull-requests": "read" }],
    ]);
    const text = all.map(([, , each]) => each).join("\n");
    expect(text).not.toMatch(/pull_request_target|write-all/);
  });

  it.each(all)("of %s keep no credentials of the checkout and share no cache", (_, flow) => {
    const wanted: Record<string, object> = {
      "actions/checkout": { "persist-credentials": false },
      "actions/setup-node": { "package-manager-cache": false },
    };
    for (const { uses = "", with: options } of stepsOf(flow)) {
      const expected = wanted[uses.split("@")[0]!];
      if (expected !== undefined) expect({ uses, ...options }).toMatchObject(expected);
      expect(options ?? {}).not.toHaveProperty("cache");
    }
  });

  it.each(all)(
    "of %s give secrets only to steps that run pulumi, a command for stacks, or open a pull request",
    (_, { jobs }) => {
      for (const job of Object.values(jobs)) {
        expect(JSON.stringify(job.env)).not.toContain("secrets");
        for (const { env = {}, run = "" } of job.steps) {
          const secret = Object.values(env).some((value) => /\bsecrets[.[]/.test(value));
          if (secret)
            expect(run).toMatch(
              /\bpulumi preview\b|(drift|expire) --stack|-gateway deploy --approved|\bgh pr create\b/,
            );
        }
      }
    },
  );

  it("run code of a pull request only where a reviewer has released the secrets and nothing can be written", () => {
    const { preview, review } = workflow(paths.review).jobs;
    expect([preview!.environment, preview!.permissions]).toEqual(["preview", undefined]);
    const text = (job: typeof preview): string => JSON.stringify(job);
    expect(text(preview)).not.toContain("github.token");
    expect(text(review)).not.toMatch(/secrets\.|pulumi preview/);
    expect(review!.environment).toBeUndefined();
    const [checkout] = review!.steps;
    expect(checkout!.with!.ref).toBe("${{ github.event.pull_request.base.sha }}");
    // A folder that no commit can have filled.
    const places = review!.steps.flatMap(({ with: options }) => options?.path ?? []);
    expect(places).toEqual(["${{ runner.temp }}/preview"]);
    expect(text(review)).not.toMatch(/(?<!RUNNER_TEMP\/)review\.md/);
  });

  it("review a preview that failed, also in GitLab", () => {
    const { preview, review } = workflow(paths.review).jobs;
    expect(review!.if).toBe("${{ !cancelled() && needs.preview.result != 'skipped' }}");
    expect(preview!.steps.at(-1)!.if).toContain("!cancelled()");
    expect(gitlabJobs().jobs).toMatchObject({
      preview: { artifacts: { paths: ["preview.json"], when: "always" } },
      review: { rules: [{ when: "always" }], needs: ["preview"], artifacts: { when: "always" } },
    });
  });

  it("have no key and no secret in GitLab where a merge request decides what runs, and deploy one at a time", () => {
    const { preview, review, plan, deploy } = gitlabJobs().jobs;
    expect(preview!.script[0]).toBe("unset TUNNEL_GATEWAY_API_KEY");
    expect([preview!.environment, review!.environment]).toEqual([
      { name: "preview", action: "verify" },
      undefined,
    ]);
    expect(review!.script.indexOf("npm ci")).toBeGreaterThan(
      review!.script.findIndex((line) => line.startsWith("git checkout --force FETCH_HEAD")),
    );
    expect([plan!.resource_group, deploy!.resource_group]).toEqual(["production", "production"]);
    expect(deploy).toMatchObject({ interruptible: false, environment: "production", needs: ["plan"] });
    expect(deploy!.script[0]).toBe(
      'npx pulumi-tunnel-gateway deploy --approved approval.json -- bash -c "$COMPARE_AND_DEPLOY"',
    );
  });

  it("ignore what they write and what is installed", () => {
    for (const name of ["github-actions", "gitlab-ci", "drift-detection", "published-ranges", "fleet"])
      expect(textOf(`${name}/.gitignore`)).toMatch(/^node_modules\/\n\.tunnel-gateway\/\n/);
  });

  it("make an approval in a run of the default branch alone, which nothing of a pull request enters as code", () => {
    const flow = workflow(paths.approve);
    expect(flow.on).toEqual({ workflow_run: { workflows: ["review"], types: ["completed"] } });
    expect(Object.keys(flow.jobs)).toEqual(["approve"]);
    const { approve } = flow.jobs;
    expect(approve!.if).toContain("github.event.workflow_run.head_repository.full_name == github.repository");
    expect(approve!.environment).toBeUndefined();
    expect(JSON.stringify(approve)).not.toMatch(/secrets\.|vars\.|pulumi preview|review --stack/);
    const checkouts = approve!.steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.map((step) => step.with)).toEqual([{ "persist-credentials": false }]);
    expect(approve!.if).toContain("github.event.workflow_run.path == '.github/workflows/review.yml'");
    // The name comes from GitHub, not from the pull request.
    const names = approve!.steps.flatMap(({ with: options }) => options?.name ?? []);
    const own = "${{ steps.pull_request.outputs.number }}-${{ github.event.workflow_run.head_sha }}";
    expect(names).toEqual(["preview", `approval-\${{ env.STACK }}-${own}`]);
  });

  it("deploy nothing but what was approved, compared before it begins", () => {
    const { deploy } = workflow(paths.deploy).jobs;
    const names = deploy!.steps.flatMap(({ name }) => name ?? []);
    const log = "the log of writes";
    expect(names).toEqual(["Find the approval", "Get the approval", `Get ${log}`, "Deploy", `Keep ${log}`]);
    expect(deploy!.steps.flatMap((step) => step.if ?? [])).toEqual(["${{ always() }}"]);
    const { run, env } = deploy!.steps.find(({ name }) => name === "Deploy")!;
    expect(run).toMatch(
      / deploy --approved "\$APPROVAL" --stack "\$STACK" -- bash -c "\$COMPARE_AND_DEPLOY"$/,
    );
    expect(env!.COMPARE_AND_DEPLOY).toMatch(
      /review --stack "\$STACK" --refresh --approved "\$APPROVAL".* && pulumi up /,
    );
  });

  it("deploy no account of a fleet before its ring is released and its approval is compared", () => {
    const { preview: _preview, review: _review, ...rings } = workflow(paths.fleet).jobs;
    const names = ["canary", "others"];
    expect(Object.keys(rings)).toEqual(names.flatMap((name) => [`release-${name}`, name]));
    for (const name of names) {
      const [gate, ring] = [rings[`release-${name}`]!, rings[name]!];
      expect([gate.environment, ring.needs]).toEqual([`release-${name}`, `release-${name}`]);
      expect(ring.strategy!["fail-fast"]).toBe(false);
      expect(ring.steps.flatMap((step) => step.name ?? [])).toEqual([
        "Get the approval",
        "Get the log of writes",
        "Deploy",
        "Keep the log of writes",
      ]);
      expect([gate, ring, ...ring.steps].flatMap((each) => each.if ?? [])).toEqual(["${{ always() }}"]);
      expect(JSON.stringify(gate)).not.toContain("secrets");
    }
    expect([rings["release-canary"]!.needs, rings["release-others"]!.needs]).toEqual([
      ["preview", "review"],
      "canary",
    ]);
    // An artifact of another run would need its id and a token.
    expect(JSON.stringify(workflow(paths.fleet))).not.toMatch(/run-id|github\.token|pull_request/);
  });

  it("give a job of a fleet the secrets of its own account alone", () => {
    const { preview, review, canary, others } = workflow(paths.fleet).jobs;
    for (const job of [preview!, canary!, others!]) expect(job.environment).toBe("${{ matrix.account }}");
    expect([review!.environment, JSON.stringify(review).includes("secrets")]).toEqual([undefined, false]);
  });

  it("never let two deployments run at once, and cancel none", () => {
    const { deploy, review, drift, fleet } = Object.fromEntries(
      all.map(([name, flow]) => [name, flow.concurrency]),
    );
    expect(deploy).toEqual({ group: "production", "cancel-in-progress": false });
    expect(fleet).toEqual({ group: "fleet", "cancel-in-progress": false });
    // What waits in a group gives way to what comes later, so nothing else may be in the one of deployments.
    expect([review!.group, drift!.group]).not.toContain("production");
    expect(Object.keys(workflow(paths.deploy).jobs)).toHaveLength(1);
  });

  it("name the stack in one place, so that a copy for another stack writes a comment and an approval of its own", () => {
    for (const path of [paths.review, paths.approve, paths.deploy]) {
      const text = textOf(path);
      expect(text.match(/^.*\bproduction$/gm)!.map((line) => line.trim())).toEqual([
        "STACK: production",
        ...(path === paths.deploy ? ["group: production", "environment: production"] : []),
      ]);
    }
    expect(textOf(paths.review)).toContain("MARK: <!-- tunnel-gateway review of ${{ env.STACK }} -->");
  });

  it("start when they should", () => {
    expect(workflow(paths.review).on).toEqual(["pull_request", "merge_group"]);
    expect(workflow(paths.deploy).on).toEqual({ push: { branches: ["main"] } });
    expect(workflow(paths.fleet).on).toEqual({ push: { branches: ["main"] } });
    expect(workflow(paths.drift).on).toMatchObject({ schedule: [{ cron: "17 * * * *" }] });
  });
});
