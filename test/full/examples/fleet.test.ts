/** The example fleet: its workflow, whose jobs are played in order, and its loop, each with an emulator for each account. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { EmulatorProcess } from "../../support/emulator-process";
import { engineSetup } from "../../support/engine-setup";
import { Example, checkedOut } from "../../support/examples/example";
import { runWorkflow } from "../../support/examples/jobs";
import type { PlayedWorkflow } from "../../support/examples/jobs";
import { paths, workflow } from "../../support/examples/workflow";

const names = ["sandbox", "europe-1", "europe-2", "america-1"];
const [canary, ...others] = names as [string, ...string[]];

let emulators: EmulatorProcess[];
/** The configuration of all accounts in the commit that is deployed. */
let config: object;

beforeEach(async () => {
  emulators = await Promise.all(names.map((name) => EmulatorProcess.start({ apiKey: `SECRET-of-${name}` })));
  config = {};
});
afterEach(() => Promise.all(emulators.map((emulator) => emulator.stop())));

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
const everywhere = (cidr: string) => names.map(() => [cidr]);

/** Changes the policy of an account by hand, and returns what undoes it. */
async function changeByHand(emulator: EmulatorProcess): Promise<() => Promise<unknown>> {
  const { id, description } = (await emulator.state()).ip_policies![0]!;
  const write = (text: unknown) => emulator.api("PATCH", `/ip_policies/${String(id)}`, { description: text });
  await write("changed by hand");
  return () => write(description);
}

describe("the workflow of the example fleet", () => {
  let backend: string;
  beforeEach(() => {
    backend = mkdtempSync(join(engineSetup().folder, "backend-"));
  });

  /** @param meanwhile happens when a job begins. */
  function deploy(
    meanwhile: (job: string) => Promise<unknown> = () => Promise.resolve(),
    before?: PlayedWorkflow,
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
    return runWorkflow(workflow(paths.fleet), start, event, before);
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
    const run = await deploy(undefined, undefined, { PULUMI_BACKEND_URL: "" });
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

  it("deploys all accounts ring after ring after one review, ends with a canary that differs from it, and continues when its failed job runs again", async () => {
    const order: string[] = [];
    const first = await deploy(async (job) => {
      order.push(job);
      if (job === "release-canary") expect(await takeRequests()).toEqual([0, 0, 0, 0]);
      if (job === "release-others") expect(await ranges()).toEqual([["203.0.113.0/24"], [], [], []]);
    });
    expect(resultsOf(first)).toEqual({
      preview: "success",
      review: "success",
      ...rings("success", "success"),
    });
    expect(order).toEqual([
      ...[...names.map(() => "preview"), "review"],
      ...["release-canary", "canary", "release-others", ...others.map(() => "others")],
    ]);
    const [review] = first.jobs.review!.runs;
    expect(review!.summary).toContain("4 stacks");
    expect(review!.summary).toContain("203.0.113.0/24");
    expect(JSON.stringify(first.jobs)).not.toContain("SECRET");
    expect(await ranges()).toEqual(everywhere("203.0.113.0/24"));

    config = { allow: ["198.51.100.0/24"] };
    await takeRequests();
    let undo: () => Promise<unknown>;
    const run = await deploy(async (job) => {
      if (job === "release-canary") undo = await changeByHand(emulators[0]!);
    });
    expect(resultsOf(run)).toMatchObject({ review: "success", canary: "failure", others: "skipped" });
    expect(run.jobs.canary!.runs[0]!.steps).toMatchObject({
      Deploy: { outcome: "failure" },
    });
    expect((await takeRequests()).slice(1)).toEqual([0, 0, 0]);

    await undo!();
    const again: string[] = [];
    const rerun = await deploy((job) => Promise.resolve(again.push(job)), run);
    expect(again).toEqual(["canary", "release-others", ...others.map(() => "others")]);
    expect(resultsOf(rerun)).toMatchObject({ canary: "success", others: "success" });
    expect(await ranges()).toEqual(everywhere("198.51.100.0/24"));
  });
});

describe("the loop of the example fleet", () => {
  const keyOf = (name: string): string => `KEY_OF_${name.toUpperCase().replace("-", "_")}`;
  const begin = (): Example =>
    withAccounts(
      new Example("fleet", Object.fromEntries(names.map((name, i) => [keyOf(name), emulators[i]!.apiKey]))),
    );

  it("deploys the stacks as their one review shows, stops at the first that differs from it, and deploys nothing where it finds an error", async () => {
    const example = begin();
    const first = await example.runReadme();
    expect(first.output).toContain("4 stacks");
    expect(first.output).not.toContain("SECRET");
    expect(await ranges()).toEqual(everywhere("203.0.113.0/24"));

    const two = [canary, others[0]!];
    const loop = `bash deploy.sh ${two.join(" ")}`;
    const set = (name: string, cidr: string): string =>
      `pulumi config set --stack ${name} --path 'tunnel-gateway-fleet:allow[0]' ${cidr}\n`;
    const undo = await changeByHand(emulators[1]!);
    await example.run(two.map((name) => set(name, "198.51.100.0/24")).join("") + loop, { exitCode: 3 });
    expect((await ranges()).slice(0, 2)).toEqual([["198.51.100.0/24"], ["203.0.113.0/24"]]);
    await undo();
    await example.run(loop);
    expect((await ranges()).slice(0, 2)).toEqual([["198.51.100.0/24"], ["198.51.100.0/24"]]);

    await takeRequests();
    const { output } = await example.run(set(canary, "0.0.0.0/0") + loop, { exitCode: 3 });
    expect(output).toContain("access/open-cidr");
    expect(await takeRequests()).toEqual([0, 0, 0, 0]);
  });
});
