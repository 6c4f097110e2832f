import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { stackEnv } from "../local-stack.mjs";
import { root } from "../paths.mjs";
import { ofProcess, processesWith } from "../proc.mjs";
import { capture } from "../process.mjs";
import { watchFleet } from "./memory.mjs";
import { makeProject } from "./project.mjs";
import { startServices } from "./service.mjs";

const limitMs = 60 * 60_000;
const sizes = [1, 10, 100];
const mostAtOnce = 10;

/** The example fleet on this machine: accounts, each with an emulator, so many stacks at once. */
export async function fleetCost({ cli, folder }, most, note) {
  const counts = [...sizes.filter((count) => count < most), most];
  const result = { most, rows: [] };
  for (const count of counts) {
    const widths =
      count === 1 ? [1] : [...new Set([Math.min(availableParallelism(), mostAtOnce), mostAtOnce])];
    for (const atOnce of widths) {
      await withFleet(cli, folder, count, async (fleet) => {
        note(`${count} accounts, ${atOnce} at once: up`);
        const up = await fleet.run(upArgs(atOnce));
        note(`${count} accounts, ${atOnce} at once: up without changes`);
        const again = await fleet.run(upArgs(atOnce));
        result.rows.push({ count, atOnce, up, again });
      });
    }
  }
  await withFleet(cli, folder, most, async (fleet) => {
    note(`a canary that fails before ${most - 1} accounts`);
    fleet.configure({ allow: ["203.0.113.7/24"] });
    const { requests } = await fleet.run(upArgs(mostAtOnce), 1);
    result.canary = { others: sum(requests.slice(1)) };

    note(`${most} accounts, killed and resumed`);
    fleet.configure();
    result.resumed = await killed(fleet, most, mostAtOnce);
  });
  return result;
}

/** Kills the runner when half of the accounts are done, and resumes. */
async function killed(fleet, most, atOnce) {
  fleet.start(upArgs(atOnce));
  while (fleet.done().length < most / 2) await sleep(100);
  fleet.kill();
  await fleet.untilEnded();
  const before = fleet.done();
  const { requests } = await fleet.run([...upArgs(atOnce), "--resume"]);
  const states = await Promise.all(fleet.services.map((service) => service.state()));
  return {
    done: before.length,
    /** Requests to accounts that were done. */
    repeated: sum(requests.filter((_, i) => before.includes(nameOf(i)))),
    /** Accounts that do not hold exactly one policy then. */
    wrong: states.filter((state) => state.ip_policies.length !== 1).length,
  };
}

async function withFleet(cli, folder, count, work) {
  const dir = mkdtempSync(join(folder, "fleet-"));
  const project = makeProject(dir, "project");
  // tsconfig.json extends that of this repository.
  const isOwn = (path) => !path.endsWith("tsconfig.json");
  cpSync(join(root, "examples/fleet"), project, { recursive: true, filter: isOwn });
  const { services, stop } = await startServices(project, count);
  try {
    const fleet = new Fleet(cli, project, services);
    fleet.configure();
    await work(fleet);
  } finally {
    await stop();
  }
}

class Fleet {
  constructor({ env }, dir, services) {
    Object.assign(this, { dir, services });
    const [backend, home] = ["backend", "home"].map((name) => join(dir, "..", name));
    this.env = stackEnv(env, { backend, home });
    this.keys = join(dir, "..", "keys.json");
    const keys = Object.fromEntries(services.map(({ apiKey }, i) => [nameOf(i), apiKey]));
    writeFileSync(this.keys, JSON.stringify(keys), { mode: 0o600 });
  }

  /** One canary, a tenth early, and the others. `canary` is added to the configuration of the canary. */
  configure(canary = {}) {
    const all = this.services.map(({ baseUrl }, i) => {
      const ring = i === 0 ? "canary" : i <= this.services.length / 10 ? "early" : "all";
      const config = { hostport: `${i + 1}.tcp.example.com:5432`, ...(i === 0 ? canary : {}) };
      return [nameOf(i), { ring, baseUrl, config }];
    });
    // JSON is YAML.
    writeFileSync(join(this.dir, "accounts.yaml"), JSON.stringify({ accounts: Object.fromEntries(all) }));
  }

  /** Runs a command to its end. The processor time is that of all processes, the memory what they have at once. */
  async run(args, expectedCode = 0) {
    await this.takeRequests();
    const memory = watchFleet(this.env.PULUMI_BACKEND_URL);
    const start = performance.now();
    const script = `node run.mts ${args.join(" ")} --keys ${this.keys}; code=$?; times >&2; exit $code`;
    const { code, stdout, stderr } = await capture("bash", ["-c", script], {
      cwd: this.dir,
      env: this.env,
      timeoutMs: limitMs,
    });
    const seconds = (performance.now() - start) / 1000;
    const peak = memory.end();
    if (code !== expectedCode)
      throw new Error(`run.mts ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
    const requests = await this.takeRequests();
    return { seconds, memory: peak, processor: processorSeconds(stderr), requests, total: sum(requests) };
  }

  /** Starts a command that `kill` ends. */
  start(args) {
    void capture("node", ["run.mts", ...args, "--keys", this.keys], {
      cwd: this.dir,
      env: this.env,
      timeoutMs: limitMs,
    });
  }

  kill() {
    for (const pid of processesWith(this.env.PULUMI_BACKEND_URL))
      if (ofProcess(pid, "cmdline").includes("run.mts")) process.kill(pid, "SIGKILL");
  }

  /** How many requests each account had since the last call. */
  async takeRequests() {
    const all = await Promise.all(this.services.map((service) => service.takeRequests()));
    return all.map(({ length }) => length);
  }

  /** The accounts that the runner has noted as done. */
  done() {
    const file = join(this.dir, ".fleet/progress.json");
    if (!existsSync(file)) return [];
    const { accounts } = JSON.parse(readFileSync(file, "utf8"));
    return Object.keys(accounts).filter((name) => accounts[name].done !== undefined);
  }

  async untilEnded() {
    while (processesWith(this.env.PULUMI_BACKEND_URL).length > 0) await sleep(100);
  }
}

/** The last line of bash's `times`: user and system time of all children, such as 1m2.345s. */
function processorSeconds(text) {
  const times = [...text.matchAll(/(\d+)m([\d.]+)s/g)].slice(-2);
  return sum(times.map(([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds)));
}

const upArgs = (atOnce) => ["up", "--parallel", String(atOnce)];
const nameOf = (i) => `account-${i + 1}`;
const sum = (values) => values.reduce((total, value) => total + value, 0);
