// What commands of this package's command line cost, beside those of an earlier one.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { capture } from "../process.mjs";
import { accessLog, previewOfAccess, previewOfRules, previewOfStack } from "./previews.mjs";
import { rulesProgram } from "./programs.mjs";
import { makeProject } from "./project.mjs";
import { startService } from "./service.mjs";
import { makeStack } from "./stack.mjs";
import { Row, inTurns } from "./turns.mjs";

/** Runs the command line, and prints the peak of its memory in kilobytes as the last line. */
const script = `
  process.once("exit", () => process.stderr.write("\\n" + process.resourceUsage().maxRSS));
  process.argv.splice(1, 0, "tunnel-gateway");
  const folder = process.cwd() + "/node_modules/pulumi-tunnel-gateway/";
  require(folder + require(folder + "package.json").bin["tunnel-gateway"]);
`;

/** Runs a command in a project, and checks what it prints. */
async function measured(dir, command, isRight, env = process.env) {
  const start = performance.now();
  const { code, stdout, stderr } = await capture(process.execPath, ["-e", script, ...command], {
    cwd: dir,
    env,
  });
  const ms = performance.now() - start;
  if (code !== 0 || !isRight(stdout))
    throw new Error(`${command[0]} failed:\n${stdout.slice(-2000)}${stderr}`);
  return { ms, memory: Number(stderr.split("\n").at(-1)) * 1024 };
}

const projectsOf = ({ own, earlier }) => ({ own, earlier });

/** Reviews of files, made by `write` in a folder of their own: `write` returns what follows "review". */
async function review(bench, what, runs, write, isRight) {
  const files = mkdtempSync(join(bench.folder, "files-"));
  const row = new Row(what);
  const command = [
    "review",
    ...write((name, text) => {
      const file = join(files, name);
      writeFileSync(file, text);
      return file;
    }),
    "--fail-on",
    "never",
  ];
  await inTurns(runs, projectsOf(bench), async (name, dir) =>
    row.add(name, await measured(dir, command, isRight)),
  );
  rmSync(files, { recursive: true });
  return [row];
}

/** A preview in which every rule changes, as Markdown. */
export function reviewOfRules(bench, count, runs) {
  const write = (file) => [file("preview.json", previewOfRules(count)), "--output", "markdown"];
  return review(bench, `review of ${count} rules`, runs, write, (text) => text.includes("to update"));
}

/** One review of the previews of many stacks, each with as many resources. */
export function reviewOfStacks(bench, stacks, runs) {
  const resources = 50;
  const write = (file) => [
    ...Array.from({ length: stacks }, (_, i) => file(`${i}.json`, previewOfStack(i, resources))),
    ...["--output", "json"],
  ];
  const isRight = (text) => JSON.parse(text).changes.length === resources;
  return review(bench, `review of ${stacks} stacks of ${resources} resources`, runs, write, isRight);
}

/** The review of a rule set with the log of an edge behind it. */
export function reviewOfLog(bench, count, runs) {
  const lines = 1_000_000;
  const write = (file) => [
    ...[file("preview.json", previewOfAccess(count)), "--output", "json"],
    ...["--clients", file("access.log", [...accessLog(lines)].join(""))],
  ];
  const isRight = (text) => JSON.parse(text).clients.length === 1;
  return review(bench, `review of ${count} ranges with ${lines} log lines`, runs, write, isRight);
}

/** The rules of a policy in the imported account. Two of them would become one set. */
const rulesOfPolicy = 1;

/** `import --run` of an account of so many objects, with the import and the preview of the Pulumi CLI. */
export async function importOfAccount(bench, count, runs) {
  const row = new Row(`import of ${count} objects`);
  const policies = Math.ceil(count / (rulesOfPolicy + 1));
  const id = (prefix, i) => `${prefix}_${String(i).padStart(8, "0")}`;
  const account = {
    ip_policies: Array.from({ length: policies }, (_, i) => ({
      id: id("ipp", i),
      description: `policy ${i}`,
    })),
    ip_policy_rules: Array.from({ length: count - policies }, (_, i) => ({
      id: id("ipr", i),
      ip_policy_id: id("ipp", i % policies),
      cidr: `10.${i >> 8}.${i & 255}.0/24`,
      action: "allow",
    })),
  };
  await inTurns(runs, bench.sources, async (name, from) => {
    const service = await startService(bench.own);
    const dir = makeProject(bench.folder, "imported", from);
    try {
      writeFileSync(join(dir, "package.json"), JSON.stringify({ name: "imported", main: "index.ts" }));
      await service.seed(account);
      const { env } = await makeStack(bench.cli, dir, service);
      const done = `${count.toLocaleString("en-US")} resources were imported`;
      const isRight = (text) => text.includes(done);
      const cost = await measured(dir, ["import", "--run", "--stack", "bench"], isRight, env);
      row.add(name, { ...cost, requests: (await service.takeRequests()).length });
    } finally {
      await service.stop();
      rmSync(dir, { recursive: true });
    }
  });
  return [row];
}

/** The creation of rules by `pulumi up`, as it is and with an approval and the broker. */
export async function throughBroker({ cli, folder, own: dir }, count, runs) {
  const row = new Row(`up of ${count} rules through the broker`);
  const isRight = () => true;
  await inTurns(runs, { own: true, direct: false }, async (name, isApproved) => {
    const service = await startService(dir);
    try {
      const stack = await makeStack(cli, dir, service);
      stack.write(rulesProgram(count));
      const approval = join(folder, "approval.json");
      const review = ["review", "--stack", "bench", "--save", approval, "--fail-on", "never"];
      await measured(dir, review, isRight, stack.env);
      await service.takeRequests();
      const up = ["up", "--yes", "--stack", "bench", "--non-interactive"];
      const deploy = ["deploy", "--approved", approval, "--", cli.bin, ...up];
      const cost = await (isApproved ? measured(dir, deploy, isRight, stack.env) : stack.run("up", "--yes"));
      row.add(name, { ...cost, requests: (await service.takeRequests()).length });
    } finally {
      await service.stop();
      rmSync(join(folder, "approval.json.log"), { force: true });
    }
  });
  return [row];
}

/** The package in a process that has loaded @pulumi/pulumi. */
export async function loadOfPackage(bench, times) {
  const row = new Row("load of the package after @pulumi/pulumi");
  const load = `
    require("@pulumi/pulumi");
    const start = performance.now();
    require("pulumi-tunnel-gateway");
    console.log(performance.now() - start);
  `;
  await inTurns(times, projectsOf(bench), async (name, dir) => {
    const { code, stdout, stderr } = await capture(process.execPath, ["-e", load], { cwd: dir });
    if (code !== 0) throw new Error(`The package cannot be loaded:\n${stderr}`);
    row.add(name, { ms: Number(stdout) });
  });
  return [row];
}
