/** The workflow of the example fleet, its jobs played in order against an emulator for each account. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { EmulatorProcess } from "../../support/emulator-process";
import { engineSetup } from "../../support/engine-setup";
import { checkedOut } from "../../support/examples/example";
import type { Example } from "../../support/examples/example";
import { keyVariable } from "../../support/examples/fleet";
import { runWorkflow } from "../../support/examples/jobs";
import type { PlayedWorkflow } from "../../support/examples/jobs";
import { paths, workflow } from "../../support/examples/workflow";

const rings = { sandbox: "canary", europe: "all", america: "all" };
const names = Object.keys(rings);

let emulators: EmulatorProcess[];
let backend: string;
/** The configuration of all accounts in the commit that is deployed. */
let config: object;
/** Whether the variables and secrets of the workflow are there. */
let isSetUp = true;

beforeAll(async () => {
  emulators = await Promise.all(names.map((name) => EmulatorProcess.start({ apiKey: `SECRET-of-${name}` })));
  backend = mkdtempSync(join(engineSetup().folder, "backend-"));
  config = {};
});
afterAll(() => Promise.all(emulators.map((emulator) => emulator.stop())));

function checkout(): Example {
  const example = checkedOut("fleet");
  const entry = ([name, ring]: [string, string], i: number): [string, object] => [
    name,
    {
      ring,
      baseUrl: emulators[i]!.baseUrl,
      config: { hostport: `${i + 1}.tcp.example.com:5432`, ...config },
    },
  ];
  const accounts: Record<string, object> = Object.fromEntries(Object.entries(rings).map(entry));
  example.program.write({
    "accounts.yaml": stringify({ accounts }),
    ".tunnel-gateway-review.json": JSON.stringify({ baseUrls: emulators.map(({ baseUrl }) => baseUrl) }),
  });
  return example;
}

/** @param meanwhile happens when a job begins. */
function deploy(
  meanwhile?: (job: string) => Promise<void>,
  before?: PlayedWorkflow,
): Promise<PlayedWorkflow> {
  const event = {
    github: { repository: "example/gateway", sha: "1".repeat(40), token: "a token for tests" },
    vars: { PULUMI_BACKEND_URL: isSetUp ? `file://${backend}` : "" },
    secrets: {
      PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
      ...Object.fromEntries(names.map((name, i) => [keyVariable(name), emulators[i]!.apiKey])),
    },
  };
  const start = async (job: string): Promise<Example> => {
    await meanwhile?.(job);
    return checkout();
  };
  return runWorkflow(workflow(paths.fleet), start, event, before);
}

const resultsOf = ({ jobs }: PlayedWorkflow) =>
  Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]));

async function takeRequests(): Promise<number[]> {
  const counts = await Promise.all(emulators.map(async (emulator) => (await emulator.requests()).length));
  await Promise.all(emulators.map((emulator) => emulator.clearRequests()));
  return counts;
}

const skipped = {
  "approve-canary": "skipped",
  canary: "skipped",
  "approve-early": "skipped",
  early: "skipped",
  "approve-all": "skipped",
  all: "skipped",
};

const descriptions = () =>
  Promise.all(
    emulators.map(async (emulator) =>
      (await emulator.state()).ip_policies!.map(({ description }) => description),
    ),
  );
const deployed = names.map((name) => [`who may reach the database of ${name}`]);

describe("the workflow of the example fleet", () => {
  it("does nothing and fails nowhere until its settings are there", async () => {
    isSetUp = false;
    const run = await deploy();
    expect(resultsOf(run)).toEqual({
      ...{ accounts: "skipped", preview: "skipped", review: "skipped" },
      ...skipped,
    });
    isSetUp = true;
  });

  it("reviews all accounts at once, asks for nothing before, and deploys them ring after ring", async () => {
    const order: string[] = [];
    const run = await deploy(async (job) => {
      order.push(job);
      if (job === "approve-canary") expect(await takeRequests()).toEqual([0, 0, 0]);
      if (job === "approve-all")
        expect((await descriptions()).map(({ length }) => length)).toEqual([1, 0, 0]);
    });
    expect(resultsOf(run)).toEqual({
      accounts: "success",
      preview: "success",
      review: "success",
      "approve-canary": "success",
      canary: "success",
      "approve-early": "skipped",
      early: "skipped",
      "approve-all": "success",
      all: "success",
    });
    expect(order).toEqual([
      "accounts",
      ...["preview", "preview", "preview", "review"],
      ...["approve-canary", "canary", "approve-all", "all", "all"],
    ]);
    const [review] = run.jobs.review!.runs;
    expect(review!.summary).toContain("3 stacks");
    expect(review!.summary).toContain("203.0.113.0/24");
    expect(JSON.stringify(run.jobs)).not.toContain("SECRET");
    expect(await descriptions()).toEqual(deployed);
  });

  it("deploys nothing where the review finds an error in an account", async () => {
    config = { allow: ["0.0.0.0/0"] };
    await takeRequests();
    const run = await deploy();
    expect(resultsOf(run)).toEqual({
      accounts: "success",
      preview: "success",
      review: "failure",
      ...skipped,
    });
    expect(run.jobs.review!.runs[0]!.summary).toContain("access/open-cidr");
    expect(await takeRequests()).toEqual([0, 0, 0]);
  });

  it("ends with a canary that differs from the review, and continues when its failed job runs again", async () => {
    config = { allow: ["198.51.100.0/24"] };
    const [sandbox] = emulators;
    const { id, description } = (await sandbox!.state()).ip_policies![0]!;
    const path = `/ip_policies/${String(id)}`;
    await takeRequests();
    const run = await deploy(async (job) => {
      if (job === "approve-canary") await sandbox!.api("PATCH", path, { description: "changed by hand" });
    });
    expect(resultsOf(run)).toMatchObject({
      review: "success",
      canary: "failure",
      "approve-all": "skipped",
      all: "skipped",
    });
    expect(run.jobs.canary!.runs[0]!.steps).toMatchObject({
      Compare: { outcome: "failure" },
      Deploy: { outcome: "skipped" },
    });
    const [, ...others] = await takeRequests();
    expect(others).toEqual([0, 0]);

    await sandbox!.api("PATCH", path, { description });
    const again: string[] = [];
    const rerun = await deploy((job) => Promise.resolve(void again.push(job)), run);
    expect(again).toEqual(["canary", "approve-all", "all", "all"]);
    expect(resultsOf(rerun)).toMatchObject({ canary: "success", all: "success" });
    const ranges = emulators.map(async (emulator) =>
      (await emulator.state()).ip_policy_rules!.map(({ cidr }) => cidr),
    );
    expect(await Promise.all(ranges)).toEqual([
      ["198.51.100.0/24"],
      ["198.51.100.0/24"],
      ["198.51.100.0/24"],
    ]);
  });
});
