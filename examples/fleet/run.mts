/** Runs one command on the stacks of all accounts, with a process for each stack. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readAccounts } from "./fleet/accounts.mts";
import type { Account } from "./fleet/accounts.mts";
import { UserError, runMain } from "./fleet/errors.mts";
import { readKeys, requireEnvironmentWithoutKeys, requireOwnKeys } from "./fleet/keys.mts";
import { Lock } from "./fleet/lock.mts";
import { atOnce, outputOf, pulumi, run } from "./fleet/processes.mts";
import { Progress, digestOf, digestOfProgram } from "./fleet/progress.mts";
import { Runner, changesAccounts, commands, endOfLog, environmentOf } from "./fleet/runner.mts";
import type { Command, Job, Result } from "./fleet/runner.mts";
import { hasKey, writeSettings } from "./fleet/settings.mts";
import { changesText, countsOf, tableOf } from "./fleet/summary.mts";

const usage = `node run.mts up|preview|destroy|drift [options]
node run.mts exec <account> [options] -- <command>
  --keys <file>        the keys: a YAML map from account to key in a file that only you can read, or - for stdin
  --parallel <n>       the number of stacks at the same time; default 4
  --stop-after <n>     start no more stacks after this many failures; default 1 for up and destroy
  --resume             skip the accounts that an earlier run completed with the same program and configuration
  --only <names>       only these accounts, separated by commas
  --approved <file>    up of an account fails before it starts if it differs from this approval
up and destroy start a ring (canary, early, all) when all accounts of the previous ring are done. drift compares the
accounts with their stacks and ends with exit code 3 if one differs. exec runs a command with the key of an account.
The folder .fleet contains the previews, the logs of Pulumi, the progress and the summary as JSON.`;

const folder = import.meta.dirname;
const fleetFolder = join(folder, ".fleet");
await runMain(main);

type Options = NonNullable<ReturnType<typeof optionsOf>>;
type Keys = ReadonlyMap<string, string>;

async function main(): Promise<number> {
  const options = optionsOf(process.argv.slice(2));
  if (options === undefined) {
    console.error(usage);
    return 2;
  }
  requireEnvironmentWithoutKeys(process.env);
  const accounts = readAccounts(join(folder, "accounts.yaml"));
  const keys = readKeys(options.keys);
  for (const each of ["logs", "previews"]) mkdirSync(join(fleetFolder, each), { recursive: true });
  const lock = new Lock(join(fleetFolder, "lock"));
  try {
    const progress = new Progress(join(fleetFolder, "progress.json"));
    if (options.command === "exec") return await exec(options, accounts, keys, progress);
    return await runAll({ ...options, command: options.command }, accounts, keys, progress, lock);
  } finally {
    lock.release();
  }
}

/** Runs a command of the user with the key of an account. */
async function exec(
  { words }: Options,
  all: readonly Account[],
  keys: Keys,
  progress: Progress,
): Promise<number> {
  const [name = "", ...command] = words;
  requireNames(all, [name]);
  requireOwnKeys(all, keys, progress);
  // The command may change the account.
  progress.forget([name]);
  const env = environmentOf(keys.get(name));
  // Ctrl-C in a terminal reaches the command too, which ends in its own time.
  process.on("SIGINT", () => undefined);
  return (await outputOf(command, { cwd: folder, env, inherits: true })).exitCode;
}

async function runAll(
  options: Options & { readonly command: Command },
  all: readonly Account[],
  given: Keys,
  progress: Progress,
  lock: Lock,
): Promise<number> {
  const { command, parallel, stopAfter, resume, only } = options;
  requireNames(all, only);
  const accounts = all.filter(({ name }) => only.length === 0 || only.includes(name));
  const configs = new Map(accounts.map((account) => [account.name, writeSettings(folder, account)]));
  const keyless = accounts.filter(({ name }) => !given.has(name) && !hasKey(configs.get(name)!));
  if (keyless.length > 0) {
    throw new UserError(
      `no key for ${keyless.map(({ name }) => name).join(", ")}: add it to the file of --keys, or set the secret ` +
        "tunnel-gateway:apiKey of the stack. Nothing was started",
    );
  }
  const stacks = await stacksOfProject();
  const secret = accounts.filter(({ name }) => hasKey(configs.get(name)!));
  const keys = new Map(given);
  await atOnce(secret, parallel, async ({ name }) => void keys.set(name, await secretKeyOf(name, stacks)));
  const fingerprints = requireOwnKeys(all, keys, progress);

  const program = digestOfProgram(folder);
  const digests = new Map(accounts.map(({ name }) => [name, digestOf(program, configs.get(name))]));
  if (changesAccounts(command) && !resume) progress.forget(accounts.map(({ name }) => name));
  const jobs = accounts.map((account): Job => {
    const { name } = account;
    return {
      account,
      apiKey: given.get(name),
      exists: stacks.has(name),
      knowsKey: progress.keyOf(name) === fingerprints.get(name),
      isDone: changesAccounts(command) && progress.isDone(name, command, digests.get(name)!),
    };
  });

  const show = failureTexts();
  const runner = new Runner({
    command,
    approval: options.approved && resolve(options.approved),
    folder,
    parallel,
    stopAfter: stopAfter ?? (changesAccounts(command) ? 1 : Infinity),
    onStart: ({ account: { name }, exists }, worker) => {
      lock.add(worker);
      // The key of objects that exist is known only when the worker has found one of them.
      if (changesAccounts(command))
        progress.begin(name, exists ? progress.keyOf(name) : fingerprints.get(name));
    },
    onEnd: ({ account: { name } }, worker, isDone) => {
      lock.remove(worker);
      if (!isDone || !changesAccounts(command)) return;
      // A destroyed account has no objects that tell whose key it is.
      const key = command === "up" ? fingerprints.get(name) : undefined;
      progress.end(name, command, digests.get(name)!, key);
    },
    onResult: show,
  });
  const signalled = interruptible(runner);
  const start = performance.now();
  const results = await runner.run(jobs);
  const seconds = Math.round((performance.now() - start) / 100) / 10;

  console.log(`\n${tableOf(results)}\n\n${countsOf(results)}, in ${seconds.toFixed(1)} s`);
  const summary = { command, seconds, accounts: results };
  writeFileSync(join(fleetFolder, "summary.json"), JSON.stringify(summary, undefined, 2));
  printStacksWithoutEntry(stacks, all);
  const signal = signalled();
  if (signal !== undefined) return signal === "SIGINT" ? 130 : 143;
  if (!results.every(({ outcome }) => outcome.startsWith("done") || outcome === "differs")) return 1;
  return results.some(({ outcome }) => outcome === "differs") ? 3 : 0;
}

function requireNames(accounts: readonly Account[], names: readonly string[]): void {
  const missing = names.filter((name) => !accounts.some((account) => account.name === name));
  if (missing.length > 0) throw new UserError(`accounts.yaml has no account ${missing.join(", ")}`);
}

/** The stacks of the project, with the number of their resources. */
async function stacksOfProject(): Promise<Map<string, number | undefined>> {
  const { stdout } = await run(pulumi("stack", "ls", "--json"), { cwd: folder });
  const stacks = JSON.parse(stdout) as { name: string; resourceCount?: number }[];
  return new Map(stacks.map(({ name, resourceCount }) => [name.split("/").at(-1)!, resourceCount]));
}

/** The key that is a secret of a stack. A stack whose settings exist in a new backend is created. */
async function secretKeyOf(name: string, stacks: Map<string, number | undefined>): Promise<string> {
  const on = (...args: string[]) => run(pulumi(...args, "--stack", name), { cwd: folder });
  if (!stacks.has(name)) {
    await on("stack", "init", "--no-select");
    stacks.set(name, 0);
  }
  return (await on("config", "get", "tunnel-gateway:apiKey")).stdout.trim();
}

/** Shows each result. A text that several accounts share is shown once. */
function failureTexts(): (result: Result) => void {
  const shown = new Map<string, string>();
  return ({ account, ring, outcome, changes, seconds, log, advice }) => {
    const text = changes === undefined ? "" : `, changes: ${changesText(changes)}`;
    const time = seconds === undefined ? "" : ` (${seconds.toFixed(1)} s)`;
    console.log(`${ring}/${account}: ${outcome}${text}${time}`);
    if (outcome === "failed" || outcome === "differs") {
      const reason = endOfLog(folder, log!);
      const form = reason.replace(new RegExp(`(?<![\\w-])${account}(?![\\w-])`, "g"), "<account>");
      const first = shown.get(form);
      console.log((first === undefined ? reason : `the same as for ${first}`).replace(/^/gm, "    "));
      if (first === undefined) shown.set(form, account);
    }
    if (advice !== undefined) console.log(advice.replace(/^/gm, "    "));
  };
}

/** Passes signals on to the workers. @returns a function with the first signal, if there was one. */
function interruptible(runner: Runner): () => NodeJS.Signals | undefined {
  let first: NodeJS.Signals | undefined;
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      console.log(
        first === undefined
          ? `${name}: ending what is under way. Another signal ends Pulumi at once, which can leave stacks locked and ` +
              "objects that no stack knows."
          : `${name}: ending Pulumi at once. Where it leaves objects that the stack does not know, the next lines have the ` +
              "commands that find them (tunnel-gateway orphans): run them before the next deployment.",
      );
      first ??= name;
      runner.interrupt();
    });
  }
  return () => first;
}

/** An account that was removed from the list keeps its objects. */
function printStacksWithoutEntry(
  stacks: ReadonlyMap<string, number | undefined>,
  all: readonly Account[],
): void {
  const names = new Set(all.map(({ name }) => name));
  const others = [...stacks].filter(([name]) => !names.has(name));
  if (others.length === 0) return;
  const texts = others.map(([name, count]) => (count === undefined ? name : `${name} (${count} resources)`));
  console.log(
    `\nStacks without an entry in accounts.yaml, which no command works on: ${texts.join(", ")}. Their objects still exist. ` +
      "To remove an account, add its entry again, run destroy --only <account>, then pulumi stack rm <account>, and remove " +
      "the entry last.",
  );
}

function optionsOf(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        keys: { type: "string" },
        parallel: { type: "string", default: "4" },
        "stop-after": { type: "string" },
        resume: { type: "boolean", default: false },
        only: { type: "string", default: "" },
        approved: { type: "string" },
      },
    });
    const [command = "", ...words] = positionals;
    const parallel = Number(values.parallel);
    const stopAfter = values["stop-after"] === undefined ? undefined : Number(values["stop-after"]);
    const isCount = (count: number) => Number.isInteger(count) && count >= 1;
    if (!isCommand(command) || !isCount(parallel) || !isCount(stopAfter ?? 1)) return undefined;
    if (values.approved !== undefined && command !== "up") return undefined;
    if (command === "exec" ? words.length < 2 : words.length > 0) return undefined;
    const only = values.only === "" ? [] : values.only.split(",");
    const { keys, resume, approved } = values;
    return { command, words, keys, parallel, stopAfter, resume, only, approved };
  } catch {
    return undefined;
  }
}

function isCommand(text: string): text is Command | "exec" {
  return text === "exec" || (commands as readonly string[]).includes(text);
}
