/** The runner of the example fleet. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Fleet } from "../../support/examples/fleet";
import { until } from "../../support/until";

const rings = { sandbox: "canary", "europe-1": "early", "europe-2": "all", "america-1": "all" };
const names = Object.keys(rings);
const each = <T>(value: T): Record<string, T> => Object.fromEntries(names.map((name) => [name, value]));

let fleet: Fleet;
afterEach(() => fleet.stop());

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
    const approved = "node run.mts up --parallel 2 --approved .fleet/approval.json";
    const differing = await fleet.example.run(approved, { exitCode: 1 });
    expect(differing.output).toContain("approval/changed");
    expect(fleet.outcomes()).toEqual({ ...each("not started"), sandbox: "done", "europe-1": "failed" });
    expect((await europe.state()).ip_policies).toMatchObject([byHand]);

    const dir = fleet.example.program.dir;
    const { stdout: written } = await fleet.example.run(
      "cat Pulumi.*.yaml .fleet/*.json .fleet/*/*; ls -d P*.new || true",
    );
    expect(written).not.toContain("SECRET");
    // A key that is a secret of the stack stays when the settings are written again, and comes before the environment.
    const secret = `echo wrong-key | pulumi config set --stack sandbox --secret tunnel-gateway:apiKey`;
    await fleet.example.run(secret);
    fleet.configure({ sandbox: { allow: ["192.0.2.0/24"] } });
    const refused = await fleet.example.run("node run.mts up", { exitCode: 1 });
    expect(refused.output).toContain("401");
    expect(readFileSync(join(dir, "Pulumi.sandbox.yaml"), "utf8")).toMatch(
      /allow:\n\s+- 192\.0\.2\.0\/24[^]*secure: v1:/,
    );
    await fleet.example.run("pulumi config rm --stack sandbox tunnel-gateway:apiKey");

    await fleet.example.run("node run.mts destroy --only europe-2,sandbox");
    expect(fleet.outcomes()).toEqual({ sandbox: "done", "europe-2": "done" });
    await fleet.example.run("node run.mts destroy --parallel 4");
    expect(fleet.outcomes()).toEqual(each("done"));
    for (const emulator of Object.values(fleet.emulators))
      expect((await emulator.state()).ip_policies).toEqual([]);
  });

  it("leaves all other accounts alone when the canary fails", async () => {
    fleet = await Fleet.start(rings);
    fleet.configure({ sandbox: { allow: ["203.0.113.7/24"] } });
    const { output } = await fleet.example.run("node run.mts up --stop-after 3", { exitCode: 1 });
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
    await fleet.example.run("node run.mts up --parallel 1", { exitCode: 1 });
    expect(fleet.outcomes()).toEqual({ a: "failed", b: "not started", c: "not started", d: "not started" });
    await fleet.example.run("node run.mts up --parallel 1 --stop-after 2", { exitCode: 1 });
    expect(fleet.outcomes()).toEqual({ a: "failed", b: "done", c: "failed", d: "not started" });
  });

  it("resumes after the runner was killed, and asks nothing of the accounts that were done", async () => {
    fleet = await Fleet.start(rings, { latencyMs: 400 });
    const run = fleet.example.start("exec node run.mts up --parallel 1");
    await fleet.untilAsked("europe-2");
    process.kill(run.pid, "SIGKILL");
    await run.done;
    // The workers notice the end of the runner and have Pulumi finish its requests.
    await fleet.untilEnded(20);
    const before = await fleet.takeRequests();
    expect(Object.keys(before).filter((name) => before[name]!.length > 0)).toEqual([
      "sandbox",
      "europe-1",
      "europe-2",
    ]);

    await fleet.example.run("node run.mts up --parallel 1 --resume");
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
    await fleet.example.run("node run.mts up --resume");
    expect(fleet.outcomes()).toEqual({ ...each("done before"), "europe-1": "done" });
    const index = readFileSync(join(fleet.example.program.dir, "index.ts"), "utf8");
    const keys = `export const keys = Object.keys(process.env).filter((name) => name.includes("API_KEY"));\n`;
    fleet.example.program.write({ "index.ts": index + keys });
    await fleet.example.run("node run.mts up --resume");
    expect(fleet.outcomes()).toEqual(each("done"));
    // The process of an account sees no other key.
    const seen = await fleet.example.run("pulumi stack output keys --stack europe-2 --json");
    expect(JSON.parse(seen.stdout)).toEqual(["TUNNEL_GATEWAY_API_KEY"]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends everything after %s, and leaves no stack locked",
    async (signal) => {
      const all = { a: "all", b: "all", c: "all" };
      fleet = await Fleet.start(all, { latencyMs: 400 });
      const run = fleet.example.start("exec node run.mts up --parallel 2");
      await Promise.all([fleet.untilAsked("a"), fleet.untilAsked("b")]);
      // As ctrl-C in a terminal: all processes of the group get it.
      process.kill(-run.pid, signal);
      const { exitCode, output } = await run.done;
      expect(output).toContain(`${signal}: ending what is under way`);
      expect(exitCode).toBe(signal === "SIGINT" ? 130 : 143);
      await fleet.untilEnded(1);
      expect(fleet.outcomes()).toEqual({ a: "interrupted", b: "interrupted", c: "not started" });
      expect((await fleet.takeRequests()).c).toEqual([]);

      await fleet.example.run("node run.mts up --parallel 3");
      expect(fleet.outcomes()).toEqual({ a: "done", b: "done", c: "done" });
      for (const emulator of Object.values(fleet.emulators)) {
        expect((await emulator.state()).ip_policies).toHaveLength(1);
      }
    },
  );

  it("ends everything at once after a second signal", async () => {
    fleet = await Fleet.start({ a: "all" }, { latencyMs: 2000 });
    const run = fleet.example.start("exec node run.mts up");
    await fleet.untilAsked("a");
    process.kill(run.pid, "SIGINT");
    await until(() => run.output().includes("SIGINT: ending"));
    process.kill(run.pid, "SIGINT");
    expect((await run.done).exitCode).toBe(130);
    expect(fleet.outcomes()).toEqual({ a: "interrupted" });
    await fleet.untilEnded(30);
  });

  it("starts nothing where accounts.yaml or the environment is wrong, and says what", async () => {
    fleet = await Fleet.start({ a: "canary", b: "all" });
    const keyless = await fleet.example.run("node run.mts up", {
      env: {
        TUNNEL_GATEWAY_API_KEY_A: "",
        TUNNEL_GATEWAY_API_KEY_B: undefined,
        TUNNEL_GATEWAY_API_KEY: "other",
      },
      exitCode: 1,
    });
    expect(keyless.output).toContain(
      "set TUNNEL_GATEWAY_API_KEY_A, TUNNEL_GATEWAY_API_KEY_B in the environment",
    );
    fleet.example.program.write({
      "accounts.yaml": `
accounts:
  Sandbox: { ring: canary, baseUrl: "https://api.example.com" }
  ../x: { ring: canary, baseUrl: "https://api.example.com", apiKey: key }
  c: { ring: first, baseUrl: here, config: { "tunnel-gateway:apiKey": key, "a b": 1 } }
  d: 5`,
    });
    const { output } = await fleet.example.run("node run.mts up", { exitCode: 1 });
    for (const text of [
      "Sandbox: the name must consist of",
      "../x: the name must consist of",
      '../x: "apiKey" is none of ring, baseUrl and config',
      "c: ring must be one of canary, early, all",
      "c: baseUrl must be a URL",
      "c: tunnel-gateway:apiKey does not belong into this file",
      'c: "a b" is not a valid name of a configuration value',
      "d: must have ring, baseUrl and config",
    ]) {
      expect(output).toContain(text);
    }
    fleet.example.program.write({ "accounts.yaml": "accounts: { a: {}, a: {} }" });
    expect((await fleet.example.run("node run.mts up", { exitCode: 1 })).output).toContain(
      "Map keys must be unique",
    );
    expect((await fleet.example.run("node run.mts deploy", { exitCode: 2 })).output).toContain(
      "node run.mts up|preview|destroy",
    );
    expect(await fleet.takeRequests()).toEqual({ a: [], b: [] });
  });
});
