/** The example fleet: its workflow, whose jobs are played in order, and its loop, each with an emulator for each account. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { EmulatorProcess } from "../support/emulator-process";
import { engineSetup } from "../support/engine-setup";
import { Example, checkedOut } from "../support/examples/example";
import { runWorkflow } from "../support/examples/jobs";
import type { PlayedWorkflow } from "../support/examples/jobs";
import type { Workflow } from "../support/examples/workflow";
import { paths, workflow } from "../support/examples/workflow";

const names = ["sandbox", "europe-1", "europe-2", "america-1"];
const [canary, ...others] = names as [string, ...string[]];

let emulators: EmulatorProcess[];
/** The configuration of all accounts in the commit that is deployed. */
let config: object;

async function begin(): Promise<void> {
  emulators = await Promise.all(names.map((name) => EmulatorProcess.start({ apiKey: `SECRET-of-${name}` })));
  config = {};
}
const end = () => Promise.all(emulators.map((emulator) => emulator.stop()));

/** The example with the accounts of the emulators. */
function withAccounts(example: Example): Example {
  const settingsOf = (name: string, i: number): [string, string] => {
    const own = { hostport: `${i + 1}.tcp.example.com:5432`, ...config };
    const entries = Object.entries(own).map(
      ([key, value]) => [`tunnel-gateway-fleet:${key}`, value] as const,
    );
    const all = { "tunnel-gateway:baseUrl": emulators[i]!.baseUrl, ...Object.fromEntries(entries) };
    return [`Pulumi.${name}.yaml`, stringify({ config: all })];
  };
  example.program.write({
    ...Object.fromEntries(names.map(settingsOf)),
    ".tunnel-gateway-review.json": JSON.stringify({ baseUrls: emulators.map(({ baseUrl }) => baseUrl) }),
  });
  return example;
}

/** The workflow with the jobs of these accounts alone. */
function ofAccounts(accounts: readonly string[]): Workflow {
  const { jobs, ...others } = workflow(paths.fleet);
  const reduced = Object.entries(jobs).map(([name, { strategy, ...job }]) => {
    if (strategy === undefined) return [name, job] as const;
    const account = strategy.matrix.account!.filter((each) => accounts.includes(each));
    return [name, { ...job, strategy: { ...strategy, matrix: { account } } }] as const;
  });
  return { ...others, jobs: Object.fromEntries(reduced) };
}

/** How many requests each account got since the last call. */
async function takeRequests(): Promise<number[]> {
  const counts = await Promise.all(emulators.map(async (emulator) => (await emulator.requests()).length));
  await Promise.all(emulators.map((emulator) => emulator.clearRequests()));
  return counts;
}

/** The ranges that each account allows. */
const ranges = () =>
  Promise.all(
    emulators.map(async (emulator) => (await emulator.state()).ip_policy_rules!.map(({ cidr }) => cidr)),
  );

/** Changes the policy of an account by hand, and returns what undoes it. */
async function changeByHand(emulator: EmulatorProcess): Promise<() => Promise<unknown>> {
  const { id, description } = (await emulator.state()).ip_policies![0]!;
  const write = (text: unknown) => emulator.api("PATCH", `/ip_policies/${String(id)}`, { description: text });
  await write("changed by hand");
  return () => write(description);
}

describe("the workflow of the example fleet", () => {
  let backend: string;
  /** Two accounts show what ends a ring; one test deploys a third. */
  const two = [canary, others[0]!];
  beforeAll(async () => {
    await begin();
    backend = mkdtempSync(join(engineSetup().folder, "backend-"));
  });
  afterAll(end);

  /** @param meanwhile happens when a job begins. */
  function deploy(
    meanwhile: (job: string) => Promise<unknown> = () => Promise.resolve(),
    before?: PlayedWorkflow,
    accounts = two,
    vars = { PULUMI_BACKEND_URL: `file://${backend}` },
  ): Promise<PlayedWorkflow> {
    const secretsOf = (name: string, i: number): [string, Record<string, string>] => [
      name,
      {
        PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
        TUNNEL_GATEWAY_API_KEY: emulators[i]!.apiKey,
      },
    ];
    const start = async (job: string): Promise<Example> => {
      await meanwhile(job);
      return withAccounts(checkedOut("fleet"));
    };
    const event = {
      github: { repository: "example/gateway", sha: "1".repeat(40), token: "a token for tests" },
      vars,
      environments: {
        ...Object.fromEntries(names.map(secretsOf)),
        "release-canary": {},
        "release-others": {},
      },
    };
    return runWorkflow(ofAccounts(accounts), start, event, before);
  }

  const resultsOf = ({ jobs }: PlayedWorkflow) =>
    Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]));
  const rings = (first: string, second: string) => ({
    "release-canary": first,
    canary: first,
    "release-others": second,
    others: second,
  });

  it("does nothing and fails nowhere until its settings are there", async () => {
    const run = await deploy(undefined, undefined, names, { PULUMI_BACKEND_URL: "" });
    expect(resultsOf(run)).toEqual({
      preview: "skipped",
      review: "skipped",
      ...rings("skipped", "skipped"),
    });
  });

  it("deploys nothing where the review finds an error in an account", async () => {
    config = { allow: ["0.0.0.0/0"] };
    const run = await deploy();
    expect(resultsOf(run)).toEqual({
      preview: "success",
      review: "failure",
      ...rings("skipped", "skipped"),
    });
    expect(run.jobs.review!.runs[0]!.summary).toContain("access/open-cidr");
    expect(await takeRequests()).toEqual([0, 0, 0, 0]);
  });

  it("deploys accounts ring after ring after one review", async () => {
    const three = names.slice(0, 3);
    config = {};
    const order: string[] = [];
    const first = await deploy(
      async (job) => {
        order.push(job);
        if (job === "release-canary") expect(await takeRequests()).toEqual([0, 0, 0, 0]);
        if (job === "release-others") expect(await ranges()).toEqual([["203.0.113.0/24"], [], [], []]);
      },
      undefined,
      three,
    );
    expect(resultsOf(first)).toEqual({
      preview: "success",
      review: "success",
      ...rings("success", "success"),
    });
    expect(order).toEqual([
      ...["preview", "preview", "preview", "review"],
      ...["release-canary", "canary", "release-others", "others", "others"],
    ]);
    const [review] = first.jobs.review!.runs;
    expect(review!.summary).toContain("3 stacks");
    expect(review!.summary).toContain("203.0.113.0/24");
    expect(JSON.stringify(first.jobs)).not.toContain("SECRET");
    expect(await ranges()).toEqual([...three.map(() => ["203.0.113.0/24"]), []]);
  });

  // From here on the accounts are as the test before has left them.
  let failed: PlayedWorkflow;
  let undo: () => Promise<unknown>;

  it("ends with a canary that differs from the review", async () => {
    config = { allow: ["198.51.100.0/24"] };
    await takeRequests();
    failed = await deploy(async (job) => {
      if (job === "release-canary") undo = await changeByHand(emulators[0]!);
    });
    expect(resultsOf(failed)).toMatchObject({ review: "success", canary: "failure", others: "skipped" });
    expect(failed.jobs.canary!.runs[0]!.steps).toMatchObject({
      Deploy: { outcome: "failure" },
    });
    expect((await takeRequests()).slice(1)).toEqual([0, 0, 0]);
  });

  it("continues when its failed job runs again", async () => {
    await undo();
    const again: string[] = [];
    const rerun = await deploy((job) => Promise.resolve(again.push(job)), failed);
    expect(again).toEqual(["canary", "release-others", "others"]);
    expect(resultsOf(rerun)).toMatchObject({ canary: "success", others: "success" });
    const [first, second] = await ranges();
    expect([first, second]).toEqual([["198.51.100.0/24"], ["198.51.100.0/24"]]);
  });
});

// One test after the other, each with what the one before has left.
describe("the loop of the example fleet", () => {
  const keyOf = (name: string): string => `KEY_OF_${name.toUpperCase().replace("-", "_")}`;
  const two = [canary, others[0]!];
  const loop = `bash deploy.sh ${two.join(" ")}`;
  const set = (name: string, cidr: string): string =>
    `pulumi config set --stack ${name} --path 'tunnel-gateway-fleet:allow[0]' ${cidr}\n`;
  const ofTwo = async () => (await ranges()).slice(0, 2);
  let example: Example;

  beforeAll(async () => {
    await begin();
    const keys = names.map((name, i) => [keyOf(name), emulators[i]!.apiKey]);
    example = withAccounts(new Example("fleet", Object.fromEntries(keys) as Record<string, string>));
  });
  afterAll(end);

  it("deploys the stacks as their one review shows", async () => {
    const { output } = await example.runReadme({ hosted: true });
    expect(output).toContain("4 stacks");
    expect(output).not.toContain("SECRET");
    expect(await ranges()).toEqual(names.map(() => ["203.0.113.0/24"]));
  });

  it("stops at the first stack that differs from the review, and then deploys the rest", async () => {
    const undo = await changeByHand(emulators[1]!);
    const script = two.map((name) => set(name, "198.51.100.0/24")).join("") + loop;
    await example.run(script, { exitCode: 3, hosted: true });
    expect(await ofTwo()).toEqual([["198.51.100.0/24"], ["203.0.113.0/24"]]);
    await undo();
    await example.run(loop);
    expect(await ofTwo()).toEqual([["198.51.100.0/24"], ["198.51.100.0/24"]]);
  });

  it("deploys nothing where the review finds an error", async () => {
    await takeRequests();
    const { output } = await example.run(set(canary, "0.0.0.0/0") + loop, { exitCode: 3, hosted: true });
    expect(output).toContain("access/open-cidr");
    expect(await takeRequests()).toEqual([0, 0, 0, 0]);
  });
});
