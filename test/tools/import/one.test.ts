/** The import of one object whose code is printed. */
import { runCommandLine } from "../../support/command-line";
import { sharedEmulator } from "../../support/emulators";

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
  });
});

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
