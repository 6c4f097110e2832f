/**
 * The example fleet under random schedules of kills, signals, wrong keys and changes by hand: `npm run soak -- --fleet 20`.
 * In the end every account has each of its objects exactly once, and nothing is left to do.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "../support/engine";
import { Fleet, keyOf } from "../support/examples/fleet";
import { ringsOf, scheduleOf } from "./fleet-schedule";
import type { Disturbance, Round, Schedule, WrongKeys } from "./fleet-schedule";

/** What scripts/soak.mjs passes on; without it there is one schedule of few accounts. */
const {
  fleet: count,
  seed,
  first,
  accounts,
} = JSON.parse(
  process.env.TUNNEL_GATEWAY_SOAK ?? '{ "fleet": 1, "seed": 1, "first": 7, "accounts": 4 }',
) as Record<"fleet" | "seed" | "first" | "accounts", number>;
const rings = ringsOf(accounts);
const names = Object.keys(rings);

/** The exit code of a runner that was killed: it has advised nothing. */
const killed = 137;

/** What ends within so many deployments after the disturbances. */
const mostDeployments = 6;
const minutesOfSchedule = 10;

const say = (line: string): void => void writeSync(1, `${line}\n`);

let fleet: Fleet;
afterEach(() => fleet.stop());

it.each(Array.from({ length: count }, (_, i) => first + i))(
  `schedule %d of seed ${seed} leaves every object exactly once in its own account`,
  async (number) => {
    const schedule = scheduleOf(seed, number, names);
    fleet = await Fleet.start(rings, { latencyMs: 60 });
    try {
      for (const round of schedule.rounds) await play(round);
      await checkAll(schedule);
    } catch (error) {
      const replay = `npm run soak -- --fleet 1 --accounts ${accounts} --seed ${seed} --first ${number}`;
      throw new Error(
        `${replay} fails:\n${(error as Error).message}\n${JSON.stringify(schedule)}\n${logs()}`,
        {
          cause: error,
        },
      );
    }
    say(`schedule ${number}: ${schedule.rounds.map(textOf).join("; then ")}`);
  },
  minutesOfSchedule * 60_000,
);

async function play(round: Round): Promise<void> {
  await changeByHand(round.byHand);
  fleet.configure(Object.fromEntries(names.map((name) => [name, { allow: round.allow[name]! }])));
  if (round.keys !== undefined) await deployWith(round.keys);
  await adoptChanges(Object.keys(round.byHand));

  const args = `--resume --stop-after 12 --parallel ${round.parallel}`;
  const run = fleet.start(`up ${args}`);
  await disturb(run, round.disturbances);
  let { exitCode } = await run.done;
  for (let left = mostDeployments; ; left--) {
    await fleet.endRest();
    if (exitCode === 0) break;
    if (left === 0) throw new Error(`${mostDeployments} deployments were not enough`);
    if (exitCode !== killed) await recoverAll();
    ({ exitCode } = await fleet.run(`up ${args}`, "any"));
  }
}

/** A deployment with wrong keys changes nothing in the account of another key. */
async function deployWith({ kind, accounts }: WrongKeys): Promise<void> {
  const [a, b = ""] = accounts;
  const others = {
    repeated: { [a]: keyOf(b) },
    swapped: { [a]: keyOf(b), [b]: keyOf(a) },
    unknown: { [a]: "SECRET-of-nobody" },
  };
  const before = await fleet.counts();
  fleet.writeKeys(others[kind]);
  // The other accounts need not be deployed to see that.
  const { exitCode, output } = await fleet.run(`up --stop-after 12 --only ${accounts.join(",")}`, "any");
  fleet.writeKeys();
  if (exitCode !== 1)
    throw new Error(`the keys are ${kind}, and the deployment ended with ${exitCode}:\n${output}`);
  expect(await fleet.counts()).toEqual(before);
}

async function changeByHand(changes: Round["byHand"]): Promise<void> {
  for (const [name, kind] of Object.entries(changes)) {
    const emulator = fleet.emulators[name]!;
    const { ip_policies: policies, ip_policy_rules: rules, "edges/tcp": edges } = await emulator.state();
    const [policy, rule, edge] = [policies![0]!, rules![0]!, edges![0]!].map(({ id }) => String(id));
    if (kind === "a description")
      await emulator.api("PATCH", `/ip_policies/${policy}`, { description: "by hand" });
    else if (kind === "a deleted rule") await emulator.api("DELETE", `/ip_policy_rules/${rule}`);
    else if (kind === "a deleted edge") await emulator.api("DELETE", `/edges/tcp/${edge}`);
    else
      await emulator.api("POST", "/ip_policy_rules", {
        ip_policy_id: policy,
        cidr: "192.0.2.0/24",
        action: "allow",
      });
  }
}

/** What was changed by hand is found, and Pulumi learns of it, so that the next deployment sets it right. */
async function adoptChanges(changed: readonly string[]): Promise<void> {
  if (changed.length === 0) return;
  const { output } = await fleet.run(`drift --only ${changed.join(",")} --parallel 2`, "any");
  const differs = Object.fromEntries(changed.map((name) => [name, "differs"]));
  if (JSON.stringify(fleet.outcomes()) === "{}") throw new Error(output);
  expect(fleet.outcomes()).toEqual(differs);
  for (const name of changed)
    await fleet.run(`exec ${name} -- pulumi refresh --stack ${name} --yes --skip-preview`);
}

async function disturb(run: Running, disturbances: readonly Disturbance[]): Promise<void> {
  const ended = run.done.then(() => true);
  const hasEnded = () => Promise.race([ended, sleep(20, false)]);
  const before = await writes();
  for (const { afterWrites, kind, choice } of disturbances) {
    while ((await writes()) - before < afterWrites) if (await hasEnded()) return;
    const signal = (name: NodeJS.Signals) => process.kill(run.pid, name);
    if (kind === "SIGINT" || kind === "SIGTERM") signal(kind);
    else if (kind === "the runner") signal("SIGKILL");
    else if (kind === "SIGINT twice") {
      signal("SIGINT");
      await sleep(100);
      signal("SIGINT");
    } else kill(kind, choice);
  }
}

function kill(kind: "a worker" | "Pulumi" | "a plugin", choice: number): void {
  const words = { "a worker": "worker.mts", Pulumi: "pulumi up", "a plugin": "dynamic-provider" };
  const all = fleet.processes().filter(({ command }) => command.includes(words[kind]));
  const victim = all[choice % Math.max(all.length, 1)];
  try {
    if (victim !== undefined) process.kill(victim.pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

async function writes(): Promise<number> {
  const lines = Object.values(await fleet.allRequests()).flat();
  return lines.filter((line) => !line.startsWith("GET ")).length;
}

/** Runs the commands that the last run advises. */
async function recoverAll(): Promise<void> {
  for (const { advice } of fleet.summary().accounts) if (advice !== undefined) await fleet.recover(advice);
}

async function checkAll({ rounds }: Schedule): Promise<void> {
  const { allow } = rounds[1];
  for (const [i, name] of names.entries()) {
    const {
      ip_policies: policies,
      ip_policy_rules: rules,
      "edges/tcp": edges,
      ...others
    } = await fleet.emulators[name]!.state();
    expect({ name, policies, edges }).toMatchObject({
      name,
      policies: [{ description: `who may reach the database of ${name}` }],
      edges: [{ hostports: [`${i + 1}.tcp.example.com:5432`] }],
    });
    expect(rules!.map(({ cidr }) => cidr).sort()).toEqual([...allow[name]!].sort());
    const filled = Object.entries(others).filter(([, { length }]) => length > 0);
    expect(filled.map(([collection, { length }]) => [collection, length])).toEqual([
      ["backends/tunnel_group", 1],
    ]);
  }
  await fleet.run("drift --parallel 2");
  expect(Object.values(fleet.outcomes())).toEqual(names.map(() => "done"));
  // A preview that is not empty is no drift, but has its line.
  expect(logs()).not.toContain("is not deployed");
}

/** The logs of all workers. */
function logs(): string {
  const folder = join(fleet.example.program.dir, ".fleet/logs");
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files
    .map((file) => `== ${file}\n${readFileSync(join(folder, file), "utf8").slice(-3000)}`)
    .join("\n");
}

function textOf({ keys, byHand, disturbances }: Round): string {
  const texts = [
    ...(keys === undefined ? [] : [`keys ${keys.kind}`]),
    ...Object.values(byHand),
    ...disturbances.map(({ kind, afterWrites }) => `${kind} after ${afterWrites} writes`),
  ];
  return texts.join(", ");
}
