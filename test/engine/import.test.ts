/**
 * An account of every collection is imported by Pulumi. The program of a larger one, and each of its resources, is
 * tested in test/tools/import/whole-account.test.ts.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import type { Stack } from "../support/engine";
import { echoedSecrets, oddAccount, oddIds, routes, tlsEdges } from "../support/odd-account";
import { declarations } from "../../src/resources/registry";
import { baseEnv } from "../support/pulumi-command";
import { hostedTunnelGateway, tunnelGateway } from "./cli";
import { resources } from "./support";

/** Of each module one. */
const modules = [
  ...[routes[0]!, ...routes.filter((route) => /route_(managed|oidc|off)$/.test(route))].flatMap((route) => [
    "--https-route",
    route,
  ]),
  ...tlsEdges.flatMap((edge) => ["--tls-edge", edge]),
];
const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

describe("an account of every collection, made by hand", () => {
  const emulator = EmulatorProcess.forTests({ undocumentedUpdates: true });
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    await emulator.seed(oddAccount(3));
    program = new Program({ name: "taken", files: {} });
    stack = await program.stack({
      config: { ...emulator.config, "tunnel-gateway:patchUndocumented": "true" },
      env,
    });
  });

  /** Records the command lines of Pulumi, which every process can read. */
  function recording(file: string): Record<string, string> {
    const code = join(stack.backend, "record.cjs");
    const script = `
      const child = require("node:child_process");
      const { spawn } = child;
      child.spawn = (command, args, ...more) => {
        const line = [command, ...args].join(" ") + "\\n";
        if (command === "pulumi") require("node:fs").appendFileSync(${JSON.stringify(file)}, line);
        return spawn(command, args, ...more);
      };
    `;
    writeFileSync(code, script);
    return { NODE_OPTIONS: `${baseEnv().NODE_OPTIONS ?? ""} --require ${code}` };
  }

  function importing(...more: string[]) {
    return hostedTunnelGateway(
      program,
      stack,
      ["import", "--run", "--stack", stack.name, ...modules, ...more],
      env,
    );
  }

  it("is imported, and the next preview shows no change", async () => {
    await emulator.clearRequests();
    const lines = join(stack.backend, "lines");
    const args = ["import", "--run", "--stack", stack.name, ...modules];
    const result = await tunnelGateway(program, stack, args, { ...env, ...recording(lines) });
    if (result.exitCode !== 0) throw new Error(result.stdout.slice(-3000) + result.stderr.slice(-6000));
    expect(result.stdout).toContain("The preview of the stack test shows no change.");
    expect(result.stderr).toMatch(/Set \d+ secrets in the stack's configuration, encrypted/);
    const commands = readFileSync(lines, "utf8").split("\n");
    expect(commands.filter((line) => line.startsWith("pulumi config set"))).toEqual([
      expect.stringMatching(/^pulumi config set-all --stack test --non-interactive/),
    ]);
    const requests = await emulator.requests();
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(["GET"]));

    const { checkpoint } = JSON.parse(stack.stateText()) as {
      checkpoint: { latest: { resources: { type: string; protect?: boolean }[] } };
    };
    const own = checkpoint.latest.resources.filter(({ type }) => type.includes("tunnel-gateway:"));
    const types = new Set(own.map(({ type }) => type.split(":").at(-1)));
    const missing = declarations.map(({ type }) => type).filter((type) => !types.has(type));
    // Each policy has one rule, a subscription has its sources as an argument, and no key belongs to a rotation.
    expect(missing.sort()).toEqual(["EventSource", "IpPolicyRuleSet", "RotatingApiKey"]);
    expect(own.every(({ protect }) => protect)).toBe(true);
  }, 600_000);

  it("has no secret in plaintext in any file of the program or the state", () => {
    const files = readdirSync(program.dir).filter((name) => /\.(ts|md|yaml|json)$/.test(name));
    const texts = [...files.map((name) => readFileSync(join(program.dir, name), "utf8")), stack.stateText()];
    expect(texts.some((text) => text.includes("requireSecret"))).toBe(true);
    for (const secret of [...echoedSecrets, "never-returned", emulator.apiKey]) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
    expect(existsSync(join(program.dir, ".tunnel-gateway"))).toBe(false);
  });

  it("gets what was made later, and overwrites no file that was changed", async () => {
    const before = stack.stateText();
    const policies = join(program.dir, "policies.ts");
    const mine = `${readFileSync(policies, "utf8")}\n// mine\n`;
    writeFileSync(policies, mine);
    const made = await emulator.api("POST", "/ip_policies", { description: "made later" });
    const refused = await importing();
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("policies.ts");
    expect(stack.stateText()).toBe(before);
    expect(readFileSync(policies, "utf8")).toBe(mine);
    const forced = await importing("--force");
    if (forced.exitCode !== 0) throw new Error(forced.stdout + forced.stderr);
    expect(forced.stderr).toContain("policies.ts was edited; its old text is in");
    expect(readFileSync(`${policies}.orig`, "utf8")).toBe(mine);
    expect(forced.stdout).toContain("1 resource was imported");
    expect(resources(stack)["made-later"]!.id).toBe(made.id);
  }, 300_000);

  const own = {
    monitoring: {
      api_key: "never-returned-api-key",
      ...{ ddtags: "a:b", service: "s", ddsite: "example.com" },
    },
  };

  it("can be refreshed after drift beside a secret that the service does not return, and says that the repair needs it", async () => {
    const target = { monitoring: { ...own.monitoring, ddtags: "team:b" } };
    await emulator.api("PATCH", "/event_destinations/ed_7odd", { target });
    const { output } = await stack.refresh();
    expect(output).toContain("~ 1 updated");
    const { outputs } = Object.values(resources(stack)).find(({ id }) => id === "ed_7odd")!;
    expect(JSON.stringify(outputs)).toContain("team:b");
    const preview = await stack.preview();
    expect(preview.output).toMatch(
      /ed_7odd: .*the service does not return this secret.*set it in the program/,
    );
    const up = await stack.up({ exitCode: 1 });
    expect(up.output).toContain("set it in the program");
  }, 300_000);

  it("is destroyed once it is unprotected and the state knows what depends on what, and only what cannot be managed is left", async () => {
    // An import records no dependencies.
    await emulator.api("PATCH", "/event_destinations/ed_7odd", { target: own });
    await stack.up({ args: ["--refresh"] });
    await stack.pulumi(["state", "unprotect", "--all", "--yes", "--stack", stack.name]);
    await stack.destroy({ timeoutMs: 400_000 });
    const {
      endpoints,
      event_destinations,
      https_edges,
      users,
      ssh_certificate_authorities,
      ip_policies,
      ...rest
    } = await emulator.state();
    expect([https_edges, users, ssh_certificate_authorities]).toBeDefined();
    expect((ip_policies as { id: string }[]).map(({ id }) => id).sort()).toEqual([...oddIds].sort());
    const { tls_edges, ...collections } = rest;
    expect(Object.values(collections).flat()).toEqual([]);
    expect(JSON.stringify(tls_edges)).not.toContain(`ip_restriction"`);
    expect(endpoints!.map(({ id }) => id)).toEqual(["ep_agent", "ep_edge"]);
    expect(event_destinations!.map(({ id }) => id)).toEqual(["ed_unknown"]);
  }, 600_000);
});
