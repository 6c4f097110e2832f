/** The runner of the example fleet. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Fleet, keyOf } from "../../support/examples/fleet";
import { until } from "../../support/until";

const rings = { sandbox: "canary", "europe-1": "early", "europe-2": "all", "america-1": "all" };
const names = Object.keys(rings);
/** What each account has when it is deployed. */
const objects = { ip_policies: 1, ip_policy_rules: 1, "backends/tunnel_group": 1, "edges/tcp": 1 };
const each = <T>(value: T): Record<string, T> => Object.fromEntries(names.map((name) => [name, value]));

/** What a program finds in the environments and command lines of all processes above it. */
const attack = `
import { readFileSync } from "node:fs";
const keys = new Set<string>();
const commands: string[] = [];
for (let pid = "self"; pid !== "0"; pid = /^PPid:\\s+(\\d+)/m.exec(readFileSync("/proc/" + pid + "/status", "utf8"))![1]!) {
  for (const file of ["environ", "cmdline"]) {
    let text = "";
    try { text = readFileSync("/proc/" + pid + "/" + file, "utf8"); } catch { continue; }
    for (const [key] of text.matchAll(/SECRET-of-[a-z0-9-]+/g)) keys.add(key);
    if (file === "cmdline") commands.push(text);
  }
}
export const seen = { keys: [...keys], commands };
`;

let fleet: Fleet;
afterEach(() => fleet.stop());

/** The account carries out each request at once. Where its answers are slow, Pulumi can be killed before it has them. */
async function answersOf(name: string, how: "slow" | "at once"): Promise<void> {
  await fleet.emulators[name]!.setFaults({
    rules: how === "slow" ? [{ kind: "slow", delayMs: 3000 }] : [],
  });
}

describe("the example fleet on one machine", () => {
  it("previews, deploys and destroys each account with its own key and configuration", async () => {
    fleet = await Fleet.start(rings);
    fleet.configure({ "europe-1": { allow: ["198.51.100.0/24"] } });
    const { output } = await fleet.example.runReadme();
    expect(output).not.toContain("SECRET");
    expect(fleet.outcomes()).toEqual(each("done"));
    const ranges = names.map(async (name) =>
      (await fleet.emulators[name]!.state()).ip_policy_rules!.map(({ cidr }) => cidr),
    );
    expect(await Promise.all(ranges)).toEqual([
      ["203.0.113.0/24"],
      ["198.51.100.0/24"],
      ["203.0.113.0/24"],
      ["203.0.113.0/24"],
    ]);

    // What was approved is done already. What somebody has changed by hand since was not approved.
    const europe = fleet.emulators["europe-1"]!;
    const [policy] = (await europe.state()).ip_policies!;
    const byHand = { description: "changed by hand" };
    await europe.api("PATCH", `/ip_policies/${String(policy!.id)}`, byHand);
    const differing = await fleet.run("up --parallel 2 --approved .fleet/approval.json", 1);
    expect(differing.output).toContain("approval/changed");
    expect(fleet.outcomes()).toEqual({ ...each("not started"), sandbox: "done", "europe-1": "failed" });
    expect((await europe.state()).ip_policies).toMatchObject([byHand]);

    const dir = fleet.example.program.dir;
    const { stdout: written } = await fleet.example.run(
      "cat Pulumi.*.yaml .fleet/*.json .fleet/*/*; ls -d P*.new || true",
    );
    expect(written).not.toContain("SECRET");
    // A key that is a secret of the stack stays when the settings are written again, and comes before the file.
    const secret = `echo wrong-key | pulumi config set --stack sandbox --secret tunnel-gateway:apiKey`;
    await fleet.example.run(secret);
    fleet.configure({ sandbox: { allow: ["192.0.2.0/24"] } });
    const refused = await fleet.run("up", 1);
    expect(refused.output).toContain("401");
    expect(readFileSync(join(dir, "Pulumi.sandbox.yaml"), "utf8")).toMatch(
      /allow:\n\s+- 192\.0\.2\.0\/24[^]*secure: v1:/,
    );
    await fleet.example.run("pulumi config rm --stack sandbox tunnel-gateway:apiKey");

    await fleet.run("destroy --only europe-2,sandbox");
    expect(fleet.outcomes()).toEqual({ sandbox: "done", "europe-2": "done" });
    await fleet.run("destroy --parallel 4");
    expect(fleet.outcomes()).toEqual(each("done"));
    for (const emulator of Object.values(fleet.emulators))
      expect((await emulator.state()).ip_policies).toEqual([]);
  });

  it("leaves all other accounts alone when the canary fails", async () => {
    fleet = await Fleet.start(rings);
    fleet.configure({ sandbox: { allow: ["203.0.113.7/24"] } });
    const { output } = await fleet.run("up --stop-after 3", 1);
    expect(output).toMatch(/host bits set/);
    expect(fleet.outcomes()).toEqual({ ...each("not started"), sandbox: "failed" });
    const { sandbox: _, ...others } = await fleet.takeRequests();
    expect(others).toEqual({ "europe-1": [], "europe-2": [], "america-1": [] });
  });

  it("begins no other account after as many failures as it may have, and finishes what is under way", async () => {
    const all = { a: "all", b: "all", c: "all", d: "all" };
    fleet = await Fleet.start(all);
    const wrong = { allow: ["203.0.113.7/24"] };
    fleet.configure({ a: wrong, c: wrong });
    await fleet.run("up --parallel 1", 1);
    expect(fleet.outcomes()).toEqual({ a: "failed", b: "not started", c: "not started", d: "not started" });
    await fleet.run("up --parallel 1 --stop-after 2", 1);
    expect(fleet.outcomes()).toEqual({ a: "failed", b: "done", c: "failed", d: "not started" });
  });

  it("resumes after the runner was killed, and asks nothing of the accounts that were done", async () => {
    fleet = await Fleet.start(rings);
    await answersOf("europe-2", "slow");
    const run = fleet.start("up --parallel 1");
    await fleet.untilAsked("europe-2");
    process.kill(run.pid, "SIGKILL");
    await run.done;
    // The workers notice the end of the runner and have Pulumi finish its requests.
    await fleet.untilEnded(20);
    await answersOf("europe-2", "at once");
    const before = await fleet.takeRequests();
    expect(Object.keys(before).filter((name) => before[name]!.length > 0)).toEqual([
      "sandbox",
      "europe-1",
      "europe-2",
    ]);

    await fleet.run("up --parallel 1 --resume");
    expect(fleet.outcomes()).toEqual({
      sandbox: "done before",
      "europe-1": "done before",
      "europe-2": "done",
      "america-1": "done",
    });
    const after = await fleet.takeRequests();
    expect([after.sandbox, after["europe-1"]]).toEqual([[], []]);
    const counts = Object.values(fleet.emulators).map(async (emulator) =>
      Object.entries(await emulator.state()).map(([collection, objects]) => [collection, objects.length]),
    );
    const [first, ...others] = await Promise.all(counts);
    expect(first).toContainEqual(["ip_policies", 1]);
    for (const other of others) expect(other).toEqual(first);

    fleet.configure({ "europe-1": { allow: ["198.51.100.0/24"] } });
    await fleet.run("up --resume");
    expect(fleet.outcomes()).toEqual({ ...each("done before"), "europe-1": "done" });
    const index = readFileSync(join(fleet.example.program.dir, "index.ts"), "utf8");
    fleet.example.program.write({ "index.ts": index + attack });
    fleet.example.hosted = false;
    await fleet.run("up --resume --parallel 1");
    expect(fleet.outcomes()).toEqual(each("done"));
    // The program of an account finds no other key in the processes above it, the runner among them.
    const seen = await fleet.example.run("pulumi stack output seen --stack europe-2 --json");
    expect(JSON.parse(seen.stdout)).toEqual({
      keys: ["SECRET-of-europe-2"],
      commands: expect.arrayContaining([expect.stringContaining("run.mts")]) as string[],
    });
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends everything after %s, and leaves no stack locked",
    async (signal) => {
      fleet = await Fleet.start({ a: "all", b: "all" });
      await answersOf("a", "slow");
      const run = fleet.start("up --parallel 1");
      await fleet.untilAsked("a");
      // As ctrl-C in a terminal: all processes of the group get it.
      process.kill(-run.pid, signal);
      const { exitCode, output } = await run.done;
      expect(output).toContain(`${signal}: ending what is under way`);
      expect(exitCode).toBe(signal === "SIGINT" ? 130 : 143);
      await fleet.untilEnded(1);
      expect(fleet.outcomes()).toEqual({ a: "interrupted", b: "not started" });
      expect((await fleet.takeRequests()).b).toEqual([]);

      await answersOf("a", "at once");
      await fleet.run("up --only a");
      expect((await fleet.counts()).a).toEqual(objects);
    },
  );

  it("names the commands that find all objects after a second signal, and resumes after them without doubles", async () => {
    fleet = await Fleet.start({ a: "all" });
    await answersOf("a", "slow");
    const run = fleet.start("up");
    await fleet.untilAsked("a");
    process.kill(run.pid, "SIGINT");
    await until(() => run.output().includes("SIGINT: ending what is under way"));
    process.kill(run.pid, "SIGINT");
    const { exitCode, output } = await run.done;
    expect(exitCode).toBe(130);
    expect(output).toContain("SIGINT: ending Pulumi at once");
    expect(fleet.outcomes()).toEqual({ a: "interrupted" });
    await fleet.untilEnded(30);
    await answersOf("a", "at once");
    const [{ advice = "" } = {}] = fleet.summary().accounts;
    expect(advice).toContain("npx pulumi-tunnel-gateway orphans --stack a --write");
    expect(output).toContain("exec a -- pulumi cancel --stack a");

    // Without them, nothing is deployed.
    await until(async () => Object.keys((await fleet.counts()).a!).length > 1);
    const before = await fleet.counts();
    const { output: refused } = await fleet.run("up --resume", 1);
    expect(refused).toMatch(/the stack a has \d pending operation/);
    expect(await fleet.counts()).toEqual(before);
    await fleet.recover(advice);
    await fleet.run("up --resume");
    expect(await fleet.counts()).toEqual({ a: objects });
  });

  it.each(["worker.mts", "pulumi up"])(
    "says what to do after %s was killed, and resumes after it without doubles",
    async (victim) => {
      fleet = await Fleet.start({ a: "all" });
      await answersOf("a", "slow");
      const run = fleet.start("up");
      await fleet.untilAsked("a");
      const { pid } = fleet.processes().find(({ command }) => command.includes(victim))!;
      process.kill(pid, "SIGKILL");
      const { exitCode, output } = await run.done;
      expect(exitCode).toBe(1);
      if (victim === "worker.mts")
        expect(output).toContain("The worker of a was killed by SIGKILL. Its stack may be locked");
      expect(output).toContain("npx pulumi-tunnel-gateway orphans --stack a --write .fleet/a.import.json");
      await fleet.endRest();
      await answersOf("a", "at once");
      await fleet.recover(fleet.summary().accounts[0]!.advice!);
      await fleet.run("up --resume");
      expect(await fleet.counts()).toEqual({ a: objects });
    },
  );

  it("finds what a plugin created that was killed, before it deploys the stack again", async () => {
    fleet = await Fleet.start({ a: "all" });
    await answersOf("a", "slow");
    const run = fleet.start("up");
    await fleet.untilAsked("a");
    const { pid } = fleet.processes().find(({ command }) => command.includes("dynamic-provider"))!;
    process.kill(pid, "SIGKILL");
    expect((await run.done).exitCode).toBe(1);
    await fleet.endRest();
    await answersOf("a", "at once");
    const { output } = await fleet.run("up --resume", 1);
    expect(output).toMatch(
      /the last update of a failed, and objects exist that the stack does not know \(.*IpPolicy/,
    );
    expect(output).toContain("orphans --stack a --planned --write");
    await fleet.recover(fleet.summary().accounts[0]!.advice!);
    await fleet.run("up --resume");
    expect(await fleet.counts()).toEqual({ a: objects });
  });

  it("refuses a repeated, swapped or other key of an account before anything is started", async () => {
    fleet = await Fleet.start({ a: "canary", b: "all" });
    const refused = async (others: Record<string, string>, args = "up"): Promise<string> => {
      fleet.writeKeys(others);
      const { output } = await fleet.run(args, 1);
      expect(output).not.toMatch(/SECRET|\n\s+at /);
      return output;
    };
    const same =
      "a and b have the same base URL and the same key: one account would be deployed into another";
    expect(await refused({ b: keyOf("a") })).toContain(same);
    expect(await refused({ b: keyOf("a") }, "exec a -- true")).toContain(same);
    fleet.writeKeys();
    await fleet.run("preview");
    // The keys of stacks are compared too.
    await fleet.example.run(
      `echo ${keyOf("b")} | pulumi config set --stack a --secret tunnel-gateway:apiKey`,
    );
    expect(await refused({})).toContain(same);
    await fleet.example.run("pulumi config rm --stack a tunnel-gateway:apiKey");
    expect(await fleet.takeRequests()).toEqual({ a: [], b: [] });

    fleet.writeKeys();
    await fleet.run("up");
    const counts = await fleet.counts();
    await fleet.takeRequests();
    fleet.configure({ a: { allow: ["192.0.2.0/24"] }, b: { allow: ["192.0.2.0/24"] } });
    const swapped = await refused({ a: keyOf("b"), b: keyOf("a") });
    expect(swapped).toContain(
      "a has the key that b was deployed with; b has the key that a was deployed with",
    );
    expect(await refused({ a: keyOf("b") }, "up --only a")).toContain("a and b have the same base URL");
    expect(await refused({ a: keyOf("b"), b: "another" }, "destroy")).toContain(
      "a has the key that b was deployed with",
    );
    expect(await fleet.takeRequests()).toEqual({ a: [], b: [] });

    // On another machine nothing is known of the last deployment: an object of the stack tells.
    await fleet.example.run("rm .fleet/progress.json");
    for (const command of ["up", "destroy"])
      expect(await refused({ a: keyOf("b"), b: keyOf("a") }, command)).toMatch(
        /none of \d objects of the stack was found with it. The key may belong to another account/,
      );
    const drift = await refused({ a: keyOf("b"), b: keyOf("a") }, "drift");
    expect(drift).toMatch(
      /none of the 4 objects .* exists in the account, so the key may belong to another account/,
    );
    expect(await fleet.counts()).toEqual(counts);
    fleet.writeKeys();
    await fleet.run("up");
    expect(fleet.outcomes()).toEqual({ a: "done", b: "done" });
    expect(await fleet.counts()).toEqual(counts);

    await fleet.emulators.a!.reset();
    await fleet.example.run("rm .fleet/progress.json");
    expect(await refused({}, "up --only a")).toContain("once with TUNNEL_GATEWAY_ACCEPT_DELETED=true");
    const env = { TUNNEL_GATEWAY_ACCEPT_DELETED: "true" };
    await fleet.example.run(`node run.mts up --only a --keys "$FLEET_KEYS"`, { env });
    expect(fleet.outcomes()).toEqual({ a: "done" });
  });

  it("takes no key from the environment, nor from a file that others can read", async () => {
    fleet = await Fleet.start({ a: "canary" });
    const env = { TUNNEL_GATEWAY_API_KEY_A: keyOf("a") };
    const inEnvironment = await fleet.example.run("node run.mts up", { env, exitCode: 1 });
    expect(inEnvironment.output).toMatch(
      /^the environment contains TUNNEL_GATEWAY_API_KEY_A, which the program of every stack could read/,
    );
    const inFile = await fleet.example.run(`chmod 644 "$FLEET_KEYS"; node run.mts up --keys "$FLEET_KEYS"`, {
      exitCode: 1,
    });
    expect(inFile.output).toMatch(/^others can read .*: run chmod 600/);
    const wrong = ["a: [SECRET", "- SECRET", "a: { b: SECRET }", "a: ''"];
    for (const text of wrong) {
      const { output } = await fleet.example.run(`printf '%s' "${text}" | node run.mts up --keys -`, {
        exitCode: 1,
      });
      expect(output).toMatch(/^the text on stdin(: the key of a must be a text| must be a YAML map)/);
      expect(output).not.toContain("SECRET");
    }
    await fleet.example.run(`cat "$FLEET_KEYS" | node run.mts preview --keys -`);
    expect(fleet.outcomes()).toEqual({ a: "done" });
  });

  it("lets no second run begin, and a preview or another account keeps the progress", async () => {
    fleet = await Fleet.start({ a: "canary", b: "all" });
    await answersOf("a", "slow");
    const run = fleet.start("up --parallel 1");
    await fleet.untilAsked("a");
    fleet.configure({ a: { allow: ["192.0.2.0/24"] } });
    for (const command of ["preview", "up", "drift", "exec a -- true"]) {
      const { output } = await fleet.run(command, 1);
      expect(output).toContain(`another run (process ${run.pid}) works in this folder`);
    }
    const settings = join(fleet.example.program.dir, "Pulumi.a.yaml");
    expect(readFileSync(settings, "utf8")).not.toContain("192.0.2.0");
    process.kill(run.pid, "SIGKILL");
    await run.done;
    expect((await fleet.run("preview", 1)).output).toContain("a run that was killed left a worker");
    await fleet.untilEnded(30);
    await answersOf("a", "at once");
    fleet.configure({});
    await fleet.run("up --resume");

    await fleet.run("preview --only a");
    await fleet.run("up --only a");
    await fleet.run("up --resume");
    expect(fleet.outcomes()).toEqual({ a: "done before", b: "done before" });
    await fleet.run("destroy --only a");
    await fleet.run("up --resume");
    expect(fleet.outcomes()).toEqual({ a: "done", b: "done before" });
    for (const text of ["{", "[]", '{ "salt": "a", "accounts": { "a": 5 } }']) {
      fleet.example.program.write({ ".fleet/progress.json": text });
      expect((await fleet.run("up --resume", 1)).output).toMatch(/progress.json is damaged, .*: delete it/);
    }
  });

  it("compares accounts with their stacks, and shows a text that they share once", async () => {
    fleet = await Fleet.start({ north: "canary", south: "all", later: "all" });
    await Promise.all(Object.values(fleet.emulators).map((emulator) => emulator.createOldObjects()));
    await fleet.run("up");
    await fleet.run("drift");
    expect(fleet.outcomes()).toEqual({ north: "done", south: "done", later: "done" });
    for (const name of ["south", "later"]) {
      const [policy] = (await fleet.emulators[name]!.state()).ip_policies!;
      await fleet.emulators[name]!.api("DELETE", `/ip_policies/${String(policy!.id)}`);
    }
    fleet.writeKeys({ north: "another" });
    const { output } = await fleet.run("drift --parallel 1", 1);
    expect(fleet.outcomes()).toEqual({ north: "failed", south: "differs", later: "differs" });
    expect(output).toMatch(/south +IpPolicy clients +exists +deleted/);
    expect(output).toContain("the same as for south");
    fleet.writeKeys();
    await fleet.run("drift --only north,south", 3);
  });

  it("shows why a preview fails, and which stacks have no entry", async () => {
    fleet = await Fleet.start({ north: "canary", south: "all" });
    fleet.configure({ north: { allow: ["203.0.113.7/24"] }, south: { allow: ["203.0.113.7/24"] } });
    await fleet.example.run("pulumi stack init removed --no-select");
    const { output } = await fleet.run("preview --parallel 1", 1);
    expect(output).toContain("host bits set");
    expect(output).toContain("the same as for north");
    expect(output).toContain(
      "Stacks without an entry in accounts.yaml, which no command works on: removed (0 resources)",
    );
    expect(output).not.toMatch(/\n\s+at /);
    const { output: missing } = await fleet.run("up --only x", 1);
    expect(missing).toBe("accounts.yaml has no account x\n");
  });

  it("leaves no process when it is interrupted while an approval is compared", async () => {
    fleet = await Fleet.start({ a: "canary" });
    await fleet.run("preview");
    await fleet.example.run(
      "npx pulumi-tunnel-gateway review .fleet/previews/a.json --save .fleet/approval.json",
    );
    await fleet.run("up");
    await fleet.takeRequests();
    await fleet.emulators.a!.setFaults({ rules: [{ kind: "slow", delayMs: 3000 }] });
    const run = fleet.start("up --approved .fleet/approval.json");
    await fleet.untilAsked("a");
    process.kill(run.pid, "SIGINT");
    expect((await run.done).exitCode).toBe(130);
    expect(fleet.processes()).toEqual([]);
    expect(fleet.outcomes()).toEqual({ a: "interrupted" });
  });

  it("starts nothing where accounts.yaml is wrong or a key is missing, and says what", async () => {
    fleet = await Fleet.start({ a: "canary", b: "all" });
    const keyless = await fleet.example.run("node run.mts up", { exitCode: 1 });
    expect(keyless.output).toMatch(/^no key for a, b: add it to the file of --keys/);
    fleet.example.program.write({
      "accounts.yaml": `
accounts:
  Sandbox: { ring: canary, baseUrl: "https://api.example.com" }
  ../x: { ring: canary, baseUrl: "https://api.example.com", apiKey: key }
  c: { ring: first, baseUrl: here, config: { "tunnel-gateway:apiKey": key, "a b": 1 } }
  d: 5`,
    });
    const { output } = await fleet.run("up", 1);
    for (const text of [
      "Sandbox: the name must consist of",
      "../x: the name must consist of",
      '../x: unknown field "apiKey": use ring, baseUrl and config',
      "c: ring must be one of canary, early, all",
      "c: baseUrl must be a URL",
      "c: tunnel-gateway:apiKey does not belong into this file",
      'c: "a b" is not a valid name of a configuration value',
      "d: must have ring, baseUrl and config",
    ]) {
      expect(output).toContain(text);
    }
    fleet.example.program.write({ "accounts.yaml": "accounts: { a: {}, a: {} }" });
    expect((await fleet.run("up", 1)).output).toContain("Map keys must be unique");
    expect((await fleet.run("deploy", 2)).output).toContain("node run.mts up|preview|destroy|drift");
    expect(await fleet.takeRequests()).toEqual({ a: [], b: [] });
  });
});
