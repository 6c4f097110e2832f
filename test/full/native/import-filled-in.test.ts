/** The import of objects whose program leaves to the service what it fills in, by the resource option and by the command. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { idOf } from "../../engine/support";
import { seed, subjects } from "../../rounds/table";
import type { Json } from "../../rounds/subject";
import { sshKey } from "../../rounds/values";
import type { WorldResource } from "../../rounds/world";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Stack } from "../../support/engine";
import { newStack, use } from "./every-class";

const emulator = EmulatorProcess.forTests();
let made: Stack;

const argsOf = (type: string): Json => subjects.find((each) => each.type === type)!.args;
const { cookiePrefix: _, ...oidc } = argsOf("HttpsEdgeRouteOidc");
const { sshCertificateAuthorityId } = argsOf("SshUserCertificate");

const declared: readonly WorldResource[] = [
  { name: "key", type: "ApiKey", args: { description: "ci" } },
  { name: "agent", type: "SshCredential", args: { publicKey: sshKey("agent") } },
  {
    name: "deploy",
    type: "SshUserCertificate",
    args: { sshCertificateAuthorityId, publicKey: sshKey("deploy"), validForHours: 48 },
  },
  { name: "signIn", type: "HttpsEdgeRouteOidc", args: oidc },
  { name: "events", type: "EventSubscription", args: { description: "changes" } },
  { name: "created", type: "EventSource", args: { subscriptionId: "@events", type: "ip_policy_created.v0" } },
];

const imported = (): WorldResource[] =>
  declared.map((each) => ({ ...each, opts: { import: idOf(made, each.name) } }));

beforeAll(async () => {
  await emulator.seed(seed);
  made = await newStack(emulator);
  use(made, "/native", declared);
  await made.up();
  await emulator.clearRequests();
}, 600_000);
afterEach(async () => {
  expect((await emulator.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
});

it("changes nothing by the option, with it and after it", async () => {
  const stack = await newStack(emulator);
  use(stack, "/native", imported());
  const { ops } = await stack.upJson();
  expect(ops.sort()).toEqual(declared.map(({ name }) => `import ${name}`).sort());
  await stack.previewNoChanges();
  use(stack, "/native", declared);
  await stack.previewNoChanges();
  await stack.up();
  await stack.previewNoChanges();
}, 300_000);

it("changes nothing by the command", async () => {
  const stack = await newStack(emulator);
  const file = join(stack.program.dir, "import.json");
  const entries = declared.map(({ type, name }) => ({
    ...{ type: `tunnel-gateway:index:${type}`, name, id: idOf(made, name) },
  }));
  writeFileSync(file, JSON.stringify({ resources: entries }));
  const flags = ["--yes", "--skip-preview", "--protect=false", "--generate-code=false"];
  await stack.pulumi(["import", "--file", file, "--stack", stack.name, ...flags]);
  use(stack, "/native", declared);
  await stack.previewNoChanges();
  await stack.up();
  await stack.previewNoChanges();
}, 300_000);
