/** The worked examples of deployments, run as examples/README.md says. */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import type { EmulatorOptions } from "../../../src/emulator/types";
import { Example, textOf } from "../../support/examples/example";
import { sshKey } from "../../rounds/values";
import { stackTrace } from "../../engine/support";

let running: EmulatorProcess[] = [];
afterEach(async () => {
  await Promise.all(running.map((emulator) => emulator.stop()));
  running = [];
});

async function account(options: EmulatorOptions = {}): Promise<EmulatorProcess> {
  const emulator = await EmulatorProcess.start(options);
  running.push(emulator);
  return emulator;
}

/** What an account holds, without what was there before. */
async function made(emulator: EmulatorProcess): Promise<string[]> {
  const { users: _users, ssh_certificate_authorities: _authorities, ...own } = await emulator.state();
  return Object.entries(own).flatMap(([collection, objects]) => objects.map(() => collection));
}

const cidrs = async (emulator: EmulatorProcess) =>
  ((await emulator.state()).ip_policy_rules ?? []).map(({ cidr }) => cidr).sort();

describe("the example environments", () => {
  it("gives each stack its account, its values and its secrets", async () => {
    const [dev, production] = [await account(), await account({ apiKey: "SECRET-of-production" })];
    const example = new Example("environments", {
      ...dev.env,
      PRODUCTION_BASE_URL: production.baseUrl,
      PRODUCTION_API_KEY: production.apiKey,
      MONITORING_API_KEY: "SECRET-of-monitoring",
    });
    const { output } = await example.runReadme();
    expect(output).not.toContain("SECRET");

    expect(await cidrs(dev)).toEqual(["203.0.113.0/24"]);
    expect(await cidrs(production)).toEqual(["198.51.100.0/24"]);
    const [inDev, inProduction] = [await dev.state(), await production.state()];
    expect(inDev["backends/tunnel_group"]).toMatchObject([
      { labels: { service: "shop", environment: "dev" } },
    ]);
    expect(inProduction["backends/tunnel_group"]).toMatchObject([{ labels: { environment: "production" } }]);
    expect(inDev.event_destinations).toEqual([]);
    expect(inProduction.event_destinations).toMatchObject([
      { target: { monitoring: { api_key: "SECRET-of-monitoring", service: "gateway-production" } } },
    ]);

    const settings = readFileSync(join(example.program.dir, "Pulumi.production.yaml"), "utf8");
    expect(settings.match(/secure:/g)).toHaveLength(2);
    expect(settings).not.toContain("SECRET");

    await example.run("pulumi preview --stack production --expect-no-changes");
    await example.run("pulumi destroy --stack production --yes");
    expect(await made(production)).toEqual([]);
  });
});

describe("the example two-accounts", () => {
  it("manages the same ranges in both, and needs no account of the stack's own", async () => {
    const [europe, america] = [
      await account({ apiKey: "SECRET-of-europe" }),
      await account({ apiKey: "SECRET-of-america" }),
    ];
    const example = new Example("two-accounts", {
      EUROPE_BASE_URL: europe.baseUrl,
      EUROPE_API_KEY: europe.apiKey,
      AMERICA_BASE_URL: america.baseUrl,
      AMERICA_API_KEY: america.apiKey,
    });
    const { output } = await example.runReadme();
    expect(output).not.toContain("SECRET");
    for (const emulator of [europe, america]) {
      expect(await cidrs(emulator)).toEqual(["2001:db8:1::/48", "203.0.113.0/24"]);
      expect(await made(emulator)).toHaveLength(3);
    }
    const { stdout } = await example.run("pulumi stack output policyIds --json");
    expect(JSON.parse(stdout)).toEqual({
      europe: (await europe.state()).ip_policies![0]!.id,
      america: (await america.state()).ip_policies![0]!.id,
    });
    await example.run("pulumi preview --expect-no-changes");
    await example.run("pulumi destroy --yes");
    expect([...(await made(europe)), ...(await made(america))]).toEqual([]);
  });
});

describe("the example bot-user", () => {
  it("makes what belongs to the bot user with the bot user's own key", async () => {
    const emulator = await account();
    const example = new Example("bot-user", { ...emulator.env, SSH_PUBLIC_KEY: sshKey("cluster") });
    const { stdout } = await example.runReadme();
    const { bot_users, api_keys, ssh_credentials } = await emulator.state();
    const botId = bot_users![0]!.id as string;
    expect(botId).toMatch(/^bot_/);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(botId);
    expect(api_keys).toMatchObject([{ owner_id: botId }]);
    expect(ssh_credentials).toMatchObject([{ owner_id: botId, acl: ["bind:*.cluster.example.com"] }]);
    const credentials = (await emulator.requests()).filter(({ path }) => path === "/ssh_credentials");
    // The program names no owner there: it is the key that decides.
    expect(credentials.map(({ body }) => body)).toEqual([expect.not.objectContaining({ owner_id: botId })]);

    await example.run("pulumi preview --expect-no-changes");
    await emulator.clearRequests();
    await example.run("pulumi destroy --yes");
    const deleted = (await emulator.requests()).filter(({ method }) => method === "DELETE");
    expect(deleted.map(({ path }) => path.split("/")[1])).toEqual([
      "ssh_credentials",
      "api_keys",
      "bot_users",
    ]);
  });
});

describe("the example automation-api", () => {
  it("previews, deploys and destroys a stack without the command line", async () => {
    const emulator = await account();
    const example = new Example("automation-api", emulator.env);
    const { stdout } = await example.runReadme();
    const [preview, up, destroyed] = stdout.trimEnd().split("\n");
    expect(JSON.parse(preview!)).toEqual({ create: 3 });
    expect(up).toMatch(/^policy ipp_\w+$/);
    expect(destroyed).toBe("stack sales is gone");
    const lines = await emulator.requestLines();
    const id = up!.replace("policy ", "");
    expect(lines.filter((line) => !line.startsWith("GET")).slice(0, 2)).toEqual([
      "POST /ip_policies",
      "POST /ip_policy_rules",
    ]);
    expect(lines).toContain(`DELETE /ip_policies/${id}`);
    expect(await made(emulator)).toEqual([]);
    expect((await example.run("pulumi stack ls --json")).stdout.trim()).toBe("[]");
  });

  it("says what it needs", async () => {
    const example = new Example("automation-api", {});
    const usage = await example.run("node index.ts deploy", { exitCode: 1 });
    expect(usage.output).toContain("usage: node index.ts preview|up|destroy <stack>");
    const settings = await example.run("node index.ts up sales", { exitCode: 1 });
    expect(settings.output).toContain("set the environment variable TUNNEL_GATEWAY_BASE_URL");
  });
});

describe("the example unit-tests", () => {
  const root = join(__dirname, "../../..");
  let example: Example;

  beforeAll(() => {
    example = new Example("unit-tests", {}, { install: "copy" });
    // The tools are this repository's own; the package is the packed one.
    const modules = join(example.program.dir, "node_modules");
    mkdirSync(join(modules, ".bin"), { recursive: true });
    for (const name of ["jest", "ts-jest", "@types/jest"]) {
      symlinkSync(join(root, "node_modules", name), join(modules, name));
    }
    symlinkSync("../jest/bin/jest.js", join(modules, ".bin/jest"));
  });

  const broken: [what: string, file: string, right: string, wrong: string, message: RegExp][] = [
    [
      "of the wrong form",
      "shop.test.ts",
      "203.0.113.128/25",
      "203.0.113.128/24",
      /IpPolicyRule "guests" \([\w./-]+:\d+\)\s+cidr: must be a network address in CIDR notation/,
    ],
    ["of a wrong type", "shop.ts", 'action: "deny"', 'action: "alow"', /Type '"alow"' is not assignable/],
    ["that the test does not expect", "shop.ts", 'action: "deny"', 'action: "allow"', /- +"action": "deny"/],
    [
      "that is no selector",
      "shop.test.ts",
      'cluster("true")',
      'cluster("true ==")',
      /must be a CEL expression/,
    ],
  ];

  describe("with folders of mistakes beside its tests", () => {
    let output: string;

    // One run of Jest, which loads the compiler and its libraries once, has them all.
    beforeAll(async () => {
      const names = ["shop.ts", "shop.test.ts"];
      for (const [i, [, file, right, wrong]] of broken.entries()) {
        expect(textOf(`unit-tests/${file}`)).toContain(right);
        const texts = names.map((name): [string, string] => {
          const text = textOf(`unit-tests/${name}`);
          return [`mistake-${i}/${name}`, name === file ? text.replace(right, wrong) : text];
        });
        example.program.write(Object.fromEntries(texts));
      }
      ({ output } = await example.runReadme({ exitCode: 1 }));
    });

    it("passes its own tests", () => {
      const passed = [...output.matchAll(/^PASS (\S+)/gm)].map(([, file]) => file);
      expect(passed.sort()).toEqual(["./emulator.test.ts", "./shop.test.ts"]);
      expect(output).not.toMatch(/did not exit|open handle/);
    });

    it.each(broken.map((each, i) => [each[0], i, each[4]] as const))(
      "fails by an argument %s",
      (_, i, message) => {
        const file = output.split(/^(?=FAIL |PASS )/m).find((part) => part.includes(` mistake-${i}/`));
        expect(file).toMatch(/^FAIL/);
        expect(file).toMatch(message);
      },
    );
  });

  it("is a program that can be deployed", async () => {
    const emulator = await account();
    await emulator.seed({ ip_policies: [{ id: "ipp_partners", description: "partners" }] });
    const { output } = await example.run("pulumi stack init dev\npulumi up --yes\npulumi destroy --yes", {
      env: emulator.env,
    });
    expect(output).not.toMatch(stackTrace);
    expect(await made(emulator)).toEqual(["ip_policies"]);
  });
});
