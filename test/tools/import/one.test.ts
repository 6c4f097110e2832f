/** The import of one object whose code is printed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommandLine } from "../../support/command-line";
import { sharedEmulator } from "../../support/emulators";
import { temporaryFolder } from "../../support/folders";
import { PulumiStub } from "../../support/pulumi-stub";
import { shimOf, tokenPrefix } from "../../../src/program/shim";

let mockPulumi: PulumiStub;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: (...given: Parameters<PulumiStub["run"]>) => mockPulumi.run(...given),
}));

const emulator = sharedEmulator();
beforeAll(async () => {
  await emulator.seed({
    endpoints: [
      { id: "ep_cloud", url: "https://cloud.example.com" },
      ...["ephemeral", "edge"].map((type) => ({
        id: `ep_${type}`,
        type,
        public_url: "https://x.example.com",
      })),
    ],
    ip_policies: [{ id: "ipp_1" }, { id: "ipp_2" }],
    bot_users: [{ id: "bot_1", name: "ci" }],
    https_edges: [{ id: "edghts_1", routes: [{ id: "route_1", oidc }] }],
  });
});
const oidc = { issuer: "https://id.example.com", client_id: "c", client_secret: "known" };

const imported = (...args: string[]) =>
  runCommandLine(["import", ...args], {
    TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
    TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
  });

it("prints the code of a cloud endpoint", async () => {
  const { code, stdout } = await imported("CloudEndpoint", "site", "ep_cloud");
  expect([code, stdout]).toEqual([0, expect.stringContaining("new CloudEndpoint(")]);
});

it("declares no variable with a reserved word", async () => {
  const { code, stdout } = await imported("CloudEndpoint", "delete-", "ep_cloud");
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("const deleteCloudEndpoint = new CloudEndpoint("),
  ]);
});

it.each(["ephemeral", "edge"])(
  "refuses an endpoint of the type %s, and names what reads it",
  async (type) => {
    const { code, stdout, stderr } = await imported("CloudEndpoint", "site", `ep_${type}`);
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      `ep_${type} is not a cloud endpoint: it is of another type; use getEndpoint\n`,
    ]);
  },
);

it("takes a secret from the configuration of the stack", async () => {
  const { stdout } = await imported("HttpsEdgeRouteOidc", "login", "edghts_1/route_1");
  expect(stdout).toContain("const config = new pulumi.Config();");
  expect(stdout).toContain('clientSecret: config.requireSecret("login_clientSecret")');
});

describe("into a stack that manages a policy", () => {
  const into = async (...args: string[]) => {
    const { baseUrl, apiKey } = emulator;
    const cwd = temporaryFolder("one");
    writeFileSync(join(cwd, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    const configured = { "tunnel-gateway:baseUrl": baseUrl, "tunnel-gateway:apiKey": apiKey };
    mockPulumi = new PulumiStub("shop", configured);
    const values = { __provider: shimOf("IpPolicy") };
    const policy = {
      type: `${tokenPrefix}IpPolicy`,
      name: "office",
      id: "ipp_1",
      inputs: values,
      outputs: values,
    };
    mockPulumi.resources.push(policy);
    const { code, stderr } = await runCommandLine(["import", ...args, "--stack", "test", "--cwd", cwd], {});
    return [code, stderr];
  };

  it.each([
    ["the policy itself", "lab", "ipp_1", "the stack test manages the IP policy ipp_1 already, as office\n"],
    [
      "a policy with its name",
      "office",
      "ipp_2",
      "the stack test has a resource IpPolicy office already; choose another name\n",
    ],
  ])("refuses %s", async (_, name, id, problem) => {
    expect(await into("IpPolicy", name, id)).toEqual([1, problem]);
  });

  it("accepts its name for an object of another class", async () => {
    expect(await into("BotUser", "office", "bot_1")).toEqual([0, ""]);
  });
});
