/** The import of an account without objects into a new stack. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runCommandLine } from "../../support/command-line";
import { PulumiStub } from "../../support/pulumi-stub";
import { emulatorForTests } from "../../support/emulators";
import { temporaryFolder } from "../../support/folders";

let mockPulumi: PulumiStub;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: (...given: Parameters<PulumiStub["run"]>) => mockPulumi.run(...given),
}));

const emulator = emulatorForTests();
let folder: string;

beforeEach(() => {
  const { baseUrl, apiKey } = emulator;
  mockPulumi = new PulumiStub("empty", {
    "tunnel-gateway:baseUrl": baseUrl,
    "tunnel-gateway:apiKey": apiKey,
  });
  folder = temporaryFolder("empty-account");
  writeFileSync(join(folder, "Pulumi.yaml"), "name: empty\nruntime: nodejs\n");
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve(__dirname, "../../.."), join(folder, "node_modules/pulumi-tunnel-gateway"));
});

async function imported(): Promise<{ code: number; text: string; previews: number }> {
  const args = ["import", "--run", "--stack", "test", "--cwd", folder];
  const { code, stdout, stderr } = await runCommandLine(args, {});
  const previews = mockPulumi.calls.filter((call) => call.startsWith("preview")).length;
  return { code, text: stdout + stderr, previews };
}

it("imports nothing and succeeds without a preview, which would create the stack itself", async () => {
  const { code, text, previews } = await imported();
  expect(text).toContain("There is nothing to import");
  expect([code, previews]).toEqual([0, 0]);
});

it("runs the preview if the stack has resources", async () => {
  await emulator.seed({ ip_policies: [{ description: "office" }] });
  const first = await imported();
  expect(first).toMatchObject({ code: 0, previews: 1 });
  expect(first.text).toContain("1 object to import, 0 already in the stack, 0 left out");
  const again = await imported();
  expect(again.text).toContain("0 objects to import, 1 already in the stack, 0 left out");
  expect(again.text).toContain("There is nothing to import");
  expect(again).toMatchObject({ code: 0, previews: 2 });
});

it("counts a policy's rules as the one set that they become, before and after", async () => {
  const { ip_policies } = await emulator.seed({
    ip_policies: [{ description: "many" }, { description: "one" }],
  });
  const rules = ip_policies!.flatMap(({ id }, i) =>
    Array.from({ length: i === 0 ? 21 : 1 }, (_, n) => ({
      ip_policy_id: id,
      cidr: `10.${i}.${n}.0/24`,
      action: "allow",
    })),
  );
  await emulator.seed({ ip_policy_rules: rules });
  expect((await imported()).text).toContain("4 objects to import, 0 already in the stack, 0 left out");
  expect((await imported()).text).toContain("0 objects to import, 4 already in the stack, 0 left out");
});

it("speaks of secrets only where the import file has some, and not of placeholders", async () => {
  const reported = async (...more: string[]): Promise<string> =>
    (await runCommandLine(["import", "--stack", "test", "--cwd", folder, ...more], {})).stdout;
  const file = (name: string): string => readFileSync(join(folder, name), "utf8");

  await emulator.seed({ ip_policies: [{ description: "office" }] });
  const plain = await reported();
  expect(plain).toMatch(/wrote .*import\.json: only you can read it, and git ignores it\n/);
  expect(plain).toContain("run the same command with --run; or run");
  expect(file("config.template.yaml")).toContain(
    "# The program takes no secret from the stack's configuration.\n",
  );
  expect(file("IMPORT-NOTES.md")).not.toMatch(/secret|certificate with|token of/);

  const target = { monitoring: { api_key: "hidden", ddtags: "a:b", service: "s", ddsite: "x" } };
  await emulator.seed({ event_destinations: [{ id: "ed_1", format: "json", target }], api_keys: [{}] });
  const redacted = await reported();
  expect(redacted).toContain("import.json: only you can read it, and git ignores it\n");
  expect(redacted).toContain("run the same command with --run; or run");
  expect(redacted).toContain(
    "1 secret that the service never returns is not in the program; a comment marks its place",
  );
  expect(file("IMPORT-NOTES.md")).toContain("`notReturned` stands for a secret");
  expect(file("IMPORT-NOTES.md")).toContain("The token of an imported API key is unknown.");

  const oidc = { issuer: "https://id.example.com", client_id: "c", client_secret: "known" };
  await emulator.seed({ https_edges: [{ id: "edghts_1", routes: [{ id: "route_1", oidc }] }] });
  const secret = await reported("--https-route", "edghts_1/route_1");
  expect(secret).toMatch(/import\.json: it holds secrets in plaintext\. Only you can read it/);
  expect(secret).toContain("run the same command with --run, which also sets the secrets; or run");
  expect(file("config.template.yaml")).toContain("# The secrets that the program takes");
});
