/** `import --format pulumi`, with which Pulumi itself reads the objects and writes the program. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommandLine } from "../../support/command-line";
import { emulatorForTests } from "../../support/emulators";

const emulator = emulatorForTests();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-format-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const importing = (...more: string[]) =>
  runCommandLine(["import", "--format", "pulumi", "--out", folder, ...more], {
    TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
    TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
  });

async function seed(): Promise<{ policy: string; rule: string }> {
  await emulator.seed({
    ip_policies: [{ id: "ipp_office", description: "office networks" }],
    ip_policy_rules: [
      { id: "ipr_berlin", ip_policy_id: "ipp_office", cidr: "203.0.113.0/24", action: "allow" },
    ],
  });
  return { policy: "ipp_office", rule: "ipr_berlin" };
}

it("writes the native type token, both names and the id of each object, and no other value", async () => {
  const { policy, rule } = await seed();
  const { code, stdout } = await importing("--except", "ApiKey");
  expect(code).toBe(0);
  expect(readdirSync(folder)).toEqual(["import.json"]);
  const file: unknown = JSON.parse(readFileSync(join(folder, "import.json"), "utf8"));
  expect(file).toEqual({
    resources: [
      {
        ...{ type: "tunnel-gateway:index:IpPolicy", id: policy },
        ...{ name: "officeNetworks", logicalName: "office-networks" },
      },
      expect.objectContaining({ type: "tunnel-gateway:index:IpPolicyRule", id: rule }),
    ],
  });
  expect(stdout).toContain(`pulumi import --file ${join(folder, "import.json")} --protect=true`);
});

it("names what --exclude left out, by class", async () => {
  await seed();
  const { stderr } = await importing("--exclude", "id=ipp_*");
  expect(stderr).toContain("Left out by --exclude: 1 IpPolicy, 1 IpPolicyRule.");
  const other = await importing("--exclude", "metadata.owned-by=*");
  expect(other.stderr).toContain("--exclude left out nothing: no object matches.");
  expect((await importing()).stderr).not.toContain("exclude");
});

it("writes nothing of an empty selection", async () => {
  await seed();
  const { code, stdout } = await importing("--only", "TcpEdge");
  expect([code, stdout.trim(), readdirSync(folder)]).toEqual([0, "There is nothing to import", []]);
});
