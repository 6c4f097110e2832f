/** Runs one command on the stacks of all accounts, with a process for each stack. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { keyVariable, readAccounts } from "./fleet/accounts.mts";
import { Progress, digestOf, digestOfProgram } from "./fleet/progress.mts";
import { Runner, endOf } from "./fleet/runner.mts";
import type { Command, Job } from "./fleet/runner.mts";
import { hasKey, writeSettings } from "./fleet/settings.mts";
import { changesText, countsOf, tableOf } from "./fleet/summary.mts";

const usage = `node run.mts up|preview|destroy [options]
  --parallel <n>       the number of stacks at the same time; default 4
  --stop-after <n>     start no more stacks after this many failures; default 1
  --resume             skip the accounts that an earlier run completed with the same program and configuration
  --only <names>       only these accounts, separated by commas
  --approved <file>    up of an account fails before it starts if it differs from this approval
up and destroy start a ring (canary, early, all) when all accounts of the previous ring are done. The folder .fleet
contains the previews, the logs of Pulumi, the progress and the summary as JSON.`;

const folder = import.meta.dirname;
process.exitCode = await main();

async function main(): Promise<number> {
  const options = optionsOf(process.argv.slice(2));
  if (options === undefined) {
    console.error(usage);
    return 2;
  }
  const { command, parallel, stopAfter } = options;
  const all = readAccounts(join(folder, "accounts.yaml"));
  const missing = options.only.filter((name) => !all.some((account) => account.name === name));
  if (missing.length > 0) throw new Error(`accounts.yaml has no account ${missing.join(", ")}`);
  const accounts = all.filter(({ name }) => options.only.length === 0 || options.only.includes(name));

  for (const each of ["logs", "previews"]) mkdirSync(join(folder, ".fleet", each), { recursive: true });
  const progress = new Progress(join(folder, ".fleet/progress.json"), options.resume);
  const program = digestOfProgram(folder);
  const stacks = new Set(
    (await (await LocalWorkspace.create({ workDir: folder })).listStacks()).map(({ name }) => name),
  );
  const works = accounts.map((account) => {
    const config = writeSettings(folder, account);
    const apiKey = process.env[keyVariable(account.name)] || undefined;
    const digest = digestOf(program, config);
    const work = `${command} ${account.name}`;
    const isDone = command !== "preview" && progress.has(work, digest);
    const job: Job = { account, apiKey, exists: stacks.has(account.name), isDone };
    return { job, work, digest, hasKey: apiKey !== undefined || hasKey(config) };
  });
  const keyless = works.filter(({ hasKey }) => !hasKey).map(({ job }) => keyVariable(job.account.name));
  if (keyless.length > 0) {
    throw new Error(
      `no key for ${keyless.length} accounts: set ${keyless.join(", ")} in the environment, or the secret ` +
        "tunnel-gateway:apiKey of each stack. Nothing was started",
    );
  }

  const runner = new Runner({
    command,
    approval: options.approved,
    folder,
    parallel,
    stopAfter,
    onDone: (done) => {
      const { work, digest } = works.find(({ job }) => job === done)!;
      progress.add(work, digest);
    },
    onResult: ({ account, ring, outcome, changes, seconds, log }) => {
      const text = changes === undefined ? "" : `, changes: ${changesText(changes)}`;
      console.log(
        `${ring}/${account}: ${outcome}${text}${seconds === undefined ? "" : ` (${seconds.toFixed(1)} s)`}`,
      );
      if (outcome === "failed") console.log(endOf(folder, log!).replace(/^/gm, "    "));
    },
  });
  let signal: NodeJS.Signals | undefined;
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      const again = "Another signal ends Pulumi at once, which can leave stacks locked.";
      if (signal === undefined) console.log(`${name}: ending what is under way. ${again}`);
      signal ??= name;
      runner.interrupt();
    });
  }
  const start = performance.now();
  const results = await runner.run(works.map(({ job }) => job));
  const seconds = Math.round((performance.now() - start) / 100) / 10;

  console.log(`\n${tableOf(results)}\n\n${countsOf(results)}, in ${seconds.toFixed(1)} s`);
  const summary = { command, seconds, accounts: results };
  writeFileSync(join(folder, ".fleet/summary.json"), JSON.stringify(summary, undefined, 2));
  if (signal !== undefined) return signal === "SIGINT" ? 130 : 143;
  return results.every(({ outcome }) => outcome.startsWith("done")) ? 0 : 1;
}

function optionsOf(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        parallel: { type: "string", default: "4" },
        "stop-after": { type: "string", default: "1" },
        resume: { type: "boolean", default: false },
        only: { type: "string", default: "" },
        approved: { type: "string" },
      },
    });
    const [command = "", ...more] = positionals;
    const [parallel, stopAfter] = [Number(values.parallel), Number(values["stop-after"])];
    const isCommand = (text: string): text is Command => ["up", "preview", "destroy"].includes(text);
    const isCount = (count: number) => Number.isInteger(count) && count >= 1;
    if (values.approved !== undefined && command !== "up") return undefined;
    if (!isCommand(command) || more.length > 0 || !isCount(parallel) || !isCount(stopAfter)) return undefined;
    const only = values.only === "" ? [] : values.only.split(",");
    return { command, parallel, stopAfter, resume: values.resume, only, approved: values.approved };
  } catch {
    return undefined;
  }
}
