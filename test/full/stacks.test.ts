/** `review --stacks` and `drift --stacks` over the accounts of three stacks. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import type { Program, Stack } from "../support/engine";
import { engineSetup } from "../support/engine-setup";
import { processesOf } from "../support/processes";
import { baseEnv } from "../support/pulumi-command";
import { tunnelGateway } from "../engine/cli";
import { cjs, idOf, rewrite } from "../engine/support";
import { until } from "../support/until";
import { inHosts } from "../support/worker-hosts";

const body = (berlin: string, more = ""): string => `
  const { TcpEdge } = require("pulumi-tunnel-gateway");
  const config = new pulumi.Config();
  const office = new IpPolicy("office", { description: "offices of " + pulumi.getStack() });
  new IpPolicyRule("berlin", { ipPolicyId: office.id, cidr: config.get("berlin") ?? "${berlin}", action: "allow" });
  new TcpEdge("database", { hostports: ["db.example.com:1"], ipRestriction: { ipPolicyIds: [office.id] } });
  ${more}
`;
const guests = `new IpPolicyRule("guests", { ipPolicyId: office.id, cidr: "203.0.113.128/25", action: "deny" });`;

const names = ["prod-eu", "prod-us", "prod-ap"] as const;
let program: Program;
const emulators = names.map(() => EmulatorProcess.forTests());
let stacks: Stack[];

beforeAll(async () => {
  program = cjs(body("203.0.113.0/24", guests), { name: "fleet" });
  let backend: string | undefined;
  stacks = [];
  for (const [i, name] of names.entries()) {
    const stack = await program.stack({ name, backend, config: emulators[i]!.config });
    backend ??= stack.backend;
    stacks.push(stack);
  }
  await Promise.all(stacks.map((stack) => stack.up()));
  await Promise.all(emulators.map((emulator) => emulator.ageObjects()));
});
beforeEach(() => Promise.all(emulators.map((emulator) => emulator.clearRequests())));

/** A command without the progress that it prints on a slow machine. */
const run = async (...args: string[]) => runWith(args, await inHosts());
const runWith = async (args: string[], hosts: Record<string, string> = {}) => {
  const result = await tunnelGateway(program, stacks[0], args, hosts);
  return { ...result, stderr: result.stderr.replace(/^\w+ \d+ (stacks|previews)\b.*: \d+ done\n/gm, "") };
};
const written = async (): Promise<string[]> => {
  const all = await Promise.all(emulators.map((emulator) => emulator.requests()));
  return all.flat().flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`]));
};

it("reviews the change of a program in all stacks as one, approves it, and refuses another one", async () => {
  const approval = join(program.dir, "approval.json");
  rewrite(program, body("203.0.112.0/22", guests));
  const reviewed = await run("review", "--stacks", "prod-*", "--save", approval);
  expect([reviewed.exitCode, reviewed.stderr]).toEqual([0, `The approval is written to ${approval}\n`]);
  expect(reviewed.stdout).toMatch(
    /^IpPolicyRule berlin: updated \[all 3 stacks\]\n {4}cidr: "203\.0\.113\.0\/24" → "203\.0\.112\.0\/22"\n\n/,
  );
  expect(reviewed.stdout).toContain("3 stacks: 3 to update; 3 requests (3 PATCH) to the service");

  const again = await run("review", "--stacks", "prod-*", "--refresh", "--approved", approval);
  expect([again.exitCode, again.stderr]).toEqual([0, ""]);
  stacks[1]!.config({ berlin: "203.0.0.0/16" });
  const other = await run("review", "--stacks", "prod-*", "--approved", approval, "--fail-on", "never");
  stacks[1]!.config({ berlin: "203.0.112.0/22" });
  expect(other.exitCode).toBe(3);
  expect(other.stdout).toMatch(
    /IpPolicyRule berlin: PATCH \/ip_policy_rules\/\w+: it was approved with another value of "\/cidr" \(index\.js:8\) \[prod-us \(1 of 3 stacks\)\]/,
  );
  expect(await written()).toEqual([]);
});

it("takes new objects that differ only in ids and the stack's name for one entry", async () => {
  rewrite(
    program,
    body(
      "203.0.113.0/24",
      `${guests}
      new IpPolicyRule("vpn", { ipPolicyId: office.id, cidr: "198.51.100.0/24", action: "allow", description: "VPN of " + pulumi.getStack() });
    `,
    ),
  );
  stacks[1]!.config({ berlin: "203.0.113.0/24" });
  const { exitCode, stdout } = await run("review", "--stacks", "prod-*", "--output", "json");
  expect(exitCode).toBe(0);
  const { changes } = JSON.parse(stdout) as {
    changes: { name: string; stacks: string[]; differences: { path: string; next: unknown }[] }[];
  };
  expect(changes.map(({ name, stacks: of }) => [name, of])).toEqual([["vpn", [...names].sort()]]);
  expect(Object.fromEntries(changes[0]!.differences.map(({ path, next }) => [path, next]))).toMatchObject({
    description: "VPN of [stack]",
    ipPolicyId: "[id of IpPolicy office]",
  });
});

it("finds what was changed by hand in one account, with the access tests that fail, and changes nothing", async () => {
  rewrite(program, body("203.0.113.0/24"));
  const clean = await run("drift", "--stacks", "prod-*");
  expect([clean.exitCode, clean.stderr]).toEqual([0, ""]);
  expect(clean.stdout).toMatch(
    /prod-ap has changes that are not deployed: 1 to delete\n[^]*3 stacks: no drift\n$/,
  );

  const [, america] = emulators as [EmulatorProcess, EmulatorProcess];
  const [berlin, guest, office] = ["berlin", "guests", "office"].map((name) => idOf(stacks[1]!, name));
  await america.api("PATCH", `/ip_policy_rules/${berlin}`, { cidr: "203.0.112.0/22" });
  await america.api("DELETE", `/ip_policy_rules/${guest}`);
  await america.api("POST", "/ip_policy_rules", {
    ip_policy_id: office,
    cidr: "192.0.2.0/24",
    action: "allow",
  });
  const accessTests = [{ resource: "TcpEdge database", onlyFrom: ["203.0.112.0/22"] }];
  writeFileSync(join(program.dir, ".tunnel-gateway-review.json"), JSON.stringify({ accessTests }));
  const states = stacks.map((stack) => stack.stateText());
  await Promise.all(emulators.map((emulator) => emulator.clearRequests()));

  const { exitCode, stdout } = await run("drift", "--stacks", "prod-*", "--json");
  expect(exitCode).toBe(3);
  const found = JSON.parse(stdout) as { counts: object; stacks: Record<string, unknown>[] };
  expect(found.counts).toEqual({ stacks: 3, drift: 2, ended: 0, failures: 1, failedStacks: 0 });
  expect(found.stacks.find(({ stack }) => stack === "prod-us")).toMatchObject({
    drift: [
      { name: "berlin", differences: [{ path: "cidr", old: "203.0.113.0/24", next: "203.0.112.0/22" }] },
      { name: "guests", gone: true },
    ],
    failures: [
      {
        name: "database",
        message: expect.stringContaining("192.0.2.0/24 (256 addresses) must not be") as string,
      },
    ],
  });
  expect(await written()).toEqual([]);
  expect(stacks.map((stack) => stack.stateText())).toEqual(states);
  for (const emulator of emulators) expect(stdout).not.toContain(emulator.apiKey);
});

it("names the stack that fails, and reports the others", async () => {
  stacks[2]!.config({ berlin: "nonsense" });
  // In the hosts of the worker, a program that fails does not end.
  const drift = await runWith(["drift", "--stacks", "prod-*"]);
  expect(drift.exitCode).toBe(1);
  expect(drift.stderr).toMatch(/prod-ap could not be compared: [^]*nonsense/);
  expect(drift.stdout).toMatch(/prod-us {2}IpPolicyRule berlin {2}cidr/);
  const review = await runWith(["review", "--stacks", "prod-*", "--fail-on", "never"]);
  stacks[2]!.config({ berlin: "203.0.113.0/24" });
  expect(review.exitCode).toBe(1);
  expect(review.stdout).toMatch(/^the preview failed: prod-ap: /);
  expect(review.stdout).toContain("IpPolicyRule guests: deleted [");
});

it("leaves no process behind after an interrupt", async () => {
  await Promise.all(emulators.map((each) => each.setFaults({ rules: [{ kind: "slow", delayMs: 3000 }] })));
  const { path, pulumi } = engineSetup();
  const { backend, backendEnv } = stacks[0]!;
  const child = spawn(
    process.execPath,
    [
      join(program.dir, "node_modules/pulumi-tunnel-gateway/dist/tools/cli/index.js"),
      "drift",
      "--stacks",
      "prod-*",
    ],
    {
      cwd: program.dir,
      env: {
        ...baseEnv(),
        PATH: [dirname(process.execPath), dirname(pulumi), path].join(":"),
        ...backendEnv,
      },
      stdio: "ignore",
    },
  );
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const requests = () => Promise.all(emulators.map((each) => each.requests()));
  await until(async () => (await requests()).flat().length >= 3);
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(processesOf({ backend }).map(({ command }) => command)).toEqual([]);
});
