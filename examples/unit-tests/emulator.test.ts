/** Tests what the program reads from the account. Functions send real requests, so these tests use the emulator. */
import * as pulumi from "@pulumi/pulumi";
import { TcpEdge } from "pulumi-tunnel-gateway";
import { startEmulator } from "pulumi-tunnel-gateway/emulator";
import type { Emulator } from "pulumi-tunnel-gateway/emulator";
import { mocks } from "pulumi-tunnel-gateway/testing";
import { reports } from "./shop";

const gateway = mocks();
let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator();
  process.env.TUNNEL_GATEWAY_BASE_URL = emulator.baseUrl;
  process.env.TUNNEL_GATEWAY_API_KEY = emulator.apiKey;
  await pulumi.runtime.setMocks(gateway);
});
afterAll(() => emulator.close());

it("guards the reports with the policy that the account has", async () => {
  await emulator.seed({ ip_policies: [{ id: "ipp_partners", description: "partners" }] });

  await gateway.run(() => reports());

  const [edge] = gateway.of(TcpEdge);
  expect(edge?.inputs.ipRestriction).toEqual({ ipPolicyIds: ["ipp_partners"] });
  expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /ip_policies"]);
});
