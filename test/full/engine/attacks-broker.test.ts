/**
 * Programs that do something else in the deployment than in their preview, and services and networks that help them: real
 * deployments through the broker. docs/development/attacks.md lists them.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import type { ProgramOptions, StackState } from "../../support/engine";
import { inFront, type ShownAs } from "../../support/in-front";
import { servers } from "../../support/servers";
import { processesOf } from "../../support/processes";
import { until } from "../../support/until";
import { idOf, rewrite } from "../../engine/support";
import { approved, deployed, type Deployment } from "./deployments";

const start = EmulatorProcess.forOneTest();
const serve = servers();

/** What the programs know of the broker: its address, its token and the base URL are in the environment. */
const toolbox = `
const { request } = require("node:http");
const { appendFileSync } = require("node:fs");
const { url, token } = JSON.parse(process.env.TUNNEL_GATEWAY_BROKER ?? '{"url":"http://127.0.0.1:9"}');
const base = process.env.TUNNEL_GATEWAY_BASE_URL;
const { hostname, port } = new URL(url);
const prefix = new URL(base).pathname.replace(/\\/$/, "");
const headers = { authorization: "Bearer " + token, "tunnel-gateway-base-url": base };
exports.say = (name, value) => appendFileSync("said.jsonl", JSON.stringify([name, value]) + "\\n");
exports.ask = (method, path, body) => new Promise((resolve) => {
  const sent = request({ hostname, port, method, path: prefix + path, headers }, (answer) => {
    let text = "";
    answer.on("data", (part) => (text += part)).on("end", () => resolve({ status: answer.statusCode, text }));
  });
  sent.on("error", (error) => resolve({ status: 0, text: error.code }));
  sent.end(body === undefined ? undefined : JSON.stringify(body));
});
`;

const before = `
  const office = new IpPolicy("office", { description: "office" });
  const rule = (name, policy, cidr, action) => new IpPolicyRule(name, { ipPolicyId: policy.id, cidr, action });
  rule("berlin", office, "203.0.113.0/24", "allow");
`;
const after = `
  const office = new IpPolicy("office", { description: "office networks" });
  const rule = (name, policy, cidr, action) => new IpPolicyRule(name, { ipPolicyId: policy.id, cidr, action });
  rule("berlin", office, "203.0.113.0/24", "allow");
  const vpn = new IpPolicy("vpn", { description: "vpn" });
  rule("vpn", vpn, "10.0.0.0/8", "allow");
`;
/** A program that does something in the deployment alone. */
const hostile = (body: string, does: string): string => `
  const { ask, say } = require("./toolbox.js");
  (async () => {
    if (!pulumi.runtime.isDryRun()) { ${does} }
    ${body}
  })();
`;

interface Case extends Deployment {
  readonly emulator: EmulatorProcess;
}

async function started(
  body = before,
  shownAs?: ShownAs,
  options?: Pick<ProgramOptions, "door" | "install">,
): Promise<Case> {
  const emulator = await start();
  const front = shownAs && (await serve(inFront(emulator, shownAs)));
  const env = { ...emulator.env, ...(front && { TUNNEL_GATEWAY_BASE_URL: front.baseUrl }) };
  return { ...(await deployed(body, env, options)), emulator };
}

/** Approves a program that does something else in the deployment. */
async function approves({ program, approve, emulator }: Case, body: string, does: string): Promise<void> {
  program.write({ "toolbox.js": toolbox });
  rewrite(program, hostile(body, does));
  const saved = await approve();
  expect([saved.exitCode, saved.stderr]).toEqual([0, "The approval is written to approval.json\n"]);
  await emulator.clearRequests();
}

/** What the program wrote down. */
function said({ program }: Case): [name: string, value: unknown][] {
  const file = join(program.dir, "said.jsonl");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as [string, unknown]);
}

/** The writes that reached the service, without ids, each with its status. */
async function written({ emulator }: Case): Promise<string[]> {
  const all = (await emulator.requests()).filter(({ method }) => method !== "GET");
  return all.map(({ method, path, body, status }) => {
    const { description, cidr, action } = (body ?? {}) as Record<string, string>;
    const what = [description, cidr, action].filter((each) => each !== undefined);
    return [method, `/${path.split("/")[1]}`, ...what, status].join(" ");
  });
}

const idIn = async ({ emulator }: Case, list: "ip_policies" | "ip_policy_rules"): Promise<string> =>
  String((await emulator.state())[list]![0]!.id);

// test/tools/broker has all that may be sent, its order and lost answers.
it("what a program says to the broker itself is refused, but for one of eight equal approved writes", async () => {
  const it = await started();
  const rule = `/ip_policy_rules/${await idIn(it, "ip_policy_rules")}`;
  await approves(
    it,
    after,
    `
    say("a deletion", (await ask("DELETE", "${rule}")).status);
    const all = await Promise.all(Array.from({ length: 8 }, () => ask("POST", "/ip_policies", { description: "vpn" })));
    say("eight at once", all.filter(({ status }) => status === 201).length);`,
  );
  const { exitCode, stderr } = await it.deploy(...approved);
  expect(exitCode).toBe(3);
  expect(said(it)).toEqual([
    ["a deletion", 403],
    ["eight at once", 1],
  ]);
  // The program has used up the write, so its own policy fails, and the rule in it is not sent.
  expect(stderr).toContain("POST /ip_policies: it was approved once, and it is done");
  expect((await written(it)).sort()).toEqual([
    "PATCH /ip_policies office networks 200",
    "POST /ip_policies vpn 201",
  ]);
});

it("what a service lies about a new object lets nothing pass that was not approved", async () => {
  let isLying = false;
  const it = await started(before, ({ method }, answer) => {
    const body = answer.body as Record<string, unknown> | undefined;
    if (!isLying || method !== "POST" || !body) return answer;
    const shown = (more: object) => ({ ...answer, body: { ...body, ...more } });
    if (body.description === "vpn") return shown({ id: "ipp_x/../ipp_admin" });
    if (body.description === "question") return shown({ id: "ipp_admin?x" });
    if (body.description === "other") return shown({ id: "ipp_admin" });
    if (body.cidr === "198.51.100.0/24") return shown({ cidr: "0.0.0.0/0" });
    return answer;
  });
  await it.emulator.seed({ ip_policies: [{ id: "ipp_admin", description: "of somebody else" }] });
  await approves(
    it,
    `${after}
    for (const name of ["question", "other"]) rule(name, new IpPolicy(name, { description: name }), "10.1.0.0/16", "allow");
    rule("wide", office, "198.51.100.0/24", "allow");`,
    "",
  );
  isLying = true;
  expect((await it.deploy(...approved)).exitCode).not.toBe(0);
  const mayBeSent = [
    "PATCH /ip_policies office networks 200",
    ...["vpn", "question", "other"].map((name) => `POST /ip_policies ${name} 201`),
    ...["10.0.0.0/8", "10.1.0.0/16", "198.51.100.0/24"].map(
      (range) => `POST /ip_policy_rules ${range} allow 201`,
    ),
  ];
  expect(mayBeSent).toEqual(expect.arrayContaining(await written(it)));
  expect(await written(it)).toContain("POST /ip_policies vpn 201");
});

it("options of the deployment that the review had not send no other write, and a part of what was approved", async () => {
  const it = await started(`${before} rule("old", office, "192.0.2.0/24", "allow");`);
  await approves(it, after, "");
  const urn = (type: string, name: string): string => it.stack.urn(type, name);
  const [berlin, old] = [urn("IpPolicyRule", "berlin"), urn("IpPolicyRule", "old")];
  const codes: number[] = [];
  const deploy = async (args: string[], command?: string): Promise<string[]> => {
    codes.push((await it.deployWith(args, command)).exitCode);
    const sent = await written(it);
    await it.emulator.clearRequests();
    return sent.sort();
  };
  expect(await deploy(["--run-program"], "destroy")).toEqual([]);
  expect(await deploy(["--target", old])).toEqual([]);
  expect(await deploy(["--target-replace", berlin])).toEqual([]);
  // The refused replacement stops the engine, sooner or later.
  const first = await deploy(["--replace", berlin, "--target-dependents"]);
  const rest = await deploy(["--exclude", old, "--refresh", "--parallel", "1"]);
  expect([...first, ...rest].sort()).toEqual([
    "PATCH /ip_policies office networks 200",
    "POST /ip_policies vpn 201",
    "POST /ip_policy_rules 10.0.0.0/8 allow 201",
  ]);
  expect(await deploy(["--refresh", "--run-program"])).toEqual(["DELETE /ip_policy_rules 204"]);
  expect(codes).toEqual([3, 3, 3, 3, 3, 0]);
});

it("a renamed rule that is deleted first is replaced as approved", async () => {
  const deny = (name: string, cidr: string, options: string): string =>
    `${before} new IpPolicyRule("${name}", { ipPolicyId: office.id, cidr: "${cidr}", action: "deny" }, ${options});`;
  const it = await started(deny("guests", "203.0.113.128/25", "{}"));
  const options = `{ aliases: [{ name: "guests" }], replaceOnChanges: ["*"], deleteBeforeReplace: true }`;
  rewrite(it.program, deny("visitors", "203.0.113.128/26", options));
  const { stdout } = await it.approve();
  expect(stdout).toMatch(/access\/open-for-a-moment +IpPolicyRule visitors/);
  await it.emulator.clearRequests();
  expect((await it.deploy(...approved)).exitCode).toBe(0);
  expect(await written(it)).toEqual([
    "DELETE /ip_policy_rules 204",
    "POST /ip_policy_rules 203.0.113.128/26 deny 201",
  ]);
});

it("a rule whose deletedWith names what is deleted first is an error: Pulumi 3.259 deletes it, and later ones do not", async () => {
  const backend = (description: string): string => `
    const { TunnelGroupBackend } = require("pulumi-tunnel-gateway");
    const app = new TunnelGroupBackend("app", { labels: { app: "one" }, description: "${description}" },
      { deleteBeforeReplace: true, replaceOnChanges: ["*"] });`;
  const guests = `new IpPolicyRule("guests", { ipPolicyId: office.id, cidr: "203.0.113.128/25", action: "deny" },
    { deletedWith: app });`;
  const it = await started(backend("old") + before + guests);
  rewrite(it.program, backend("new") + before);
  const { stdout, stderr } = await it.approve();
  expect(stdout).toMatch(/error +interruption\/undone +IpPolicyRule guests: .* depends on its version/);
  expect(stderr).toContain("the deployment cannot be approved: IpPolicyRule guests");
});

it("an imported object is reviewed, and the values that the program ignores are those of the account", async () => {
  const it = await started(before, undefined, { door: "native" });
  const office = await idIn(it, "ip_policies");
  await it.emulator.seed({
    ip_policy_rules: [{ id: "ipr_hand", ip_policy_id: office, cidr: "198.51.100.0/24", action: "allow" }],
  });
  const taken = (cidr: string, options = ""): string =>
    `${before} new IpPolicyRule("hand", { ipPolicyId: office.id, cidr: "${cidr}", action: "allow" },
      { import: "ipr_hand" ${options} });`;
  rewrite(it.program, taken("192.0.2.0/24", `, ignoreChanges: ["cidr"]`));
  expect((await it.approve()).stdout).toMatch(/error +access\/unknown-ranges +IpPolicyRule hand/);
  rewrite(it.program, taken("198.51.100.0/25"));
  await it.approve();
  await it.emulator.clearRequests();
  expect((await it.deploy(...approved)).exitCode).toBe(0);
  expect(await written(it)).toEqual(["PATCH /ip_policy_rules 198.51.100.0/25 200"]);
});

it("a state that names another object, as `stateMigrations` may rewrite it, is found where the account is read", async () => {
  const it = await started(`${before} rule("guests", office, "203.0.113.128/25", "deny");`);
  const office = await idIn(it, "ip_policies");
  await it.emulator.seed({
    ip_policy_rules: [{ id: "ipr_hand", ip_policy_id: office, cidr: "203.0.113.0/26", action: "deny" }],
  });
  rewrite(it.program, before);
  await it.approve();
  const state = JSON.stringify(await it.stack.exportState()).replaceAll(idOf(it.stack, "guests"), "ipr_hand");
  await it.stack.importState(JSON.parse(state) as StackState);
  const { exitCode, stdout, stderr } = await it.approve(...approved);
  expect(exitCode).not.toBe(0);
  for (const rule of ["approval/changed", "interruption/undone"])
    expect(stdout).toMatch(
      new RegExp(`error +${rule} +IpPolicyRule guests: .* has another "cidr" than the state`),
    );
  expect(stderr).toContain("the deployment cannot be approved: IpPolicyRule guests");
});

it("a program that changes the files of the broker and of its libraries has no code beside the key", async () => {
  const it = await started(before, undefined, { install: "copy" });
  await approves(
    it,
    after,
    `const fs = require("node:fs");
    const said = JSON.stringify(process.cwd() + "/said.jsonl");
    const code = 'if (process.argv.includes("deploy")) require("node:fs").appendFileSync(' + said +
      ', JSON.stringify(["loaded", __filename]) + require("node:os").EOL);';
    for (const folder of ["node_modules/undici", "node_modules/pulumi-tunnel-gateway/dist"])
      for (const name of fs.readdirSync(folder, { recursive: true }).filter((each) => each.endsWith(".js"))) {
        const [file, text] = [folder + "/" + name, fs.readFileSync(folder + "/" + name, "utf8")];
        fs.rmSync(file);
        fs.writeFileSync(file, code + text.replace(/^#!.*/, ""));
      }
    say("changed", true);`,
  );
  expect([(await it.deploy(...approved)).exitCode, said(it)]).toEqual([0, [["changed", true]]]);
});

// Processes are found through /proc.
const onLinux = process.platform === "linux" ? it : it.skip;

onLinux("a program that kills the broker has no key, and can send nothing", async () => {
  const it = await started();
  await approves(
    it,
    after,
    `const fs = require("node:fs");
    const parentOf = (pid) => Number(/^PPid:\\s+(\\d+)/m.exec(fs.readFileSync("/proc/" + pid + "/status", "utf8"))[1]);
    let pid = process.pid;
    while (!fs.readFileSync("/proc/" + pid + "/cmdline", "utf8").includes("tools/cli/index.js")) pid = parentOf(pid);
    process.kill(pid, "SIGKILL");
    say("afterwards", (await ask("POST", "/ip_policies", { description: "vpn" })).status);
    say("key", Object.values(process.env).some((value) => value.includes("${it.emulator.apiKey}")));`,
  );
  expect((await it.deploy(...approved)).exitCode).toBe(137);
  await until(() => processesOf(it.stack).length === 0);
  expect([said(it), await written(it)]).toEqual([
    [
      ["afterwards", 0],
      ["key", false],
    ],
    [],
  ]);

  rewrite(it.program, after);
  await it.stack.pulumi(["cancel", "--yes", "--stack", it.stack.name], { exitCode: "any" });
  expect((await it.deploy(...approved)).exitCode).toBe(0);
  await it.stack.previewNoChanges();
});
