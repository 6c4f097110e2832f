import { hooksOf } from "../../../src/provider/dynamic";
import { startTracing } from "../../../src/provider/tracing/tracing";

// A preview sends no request, and loading these modules takes longer than the rest of what the plugin does in one.
jest.mock("undici", () => {
  throw new Error("undici was loaded");
});
jest.mock("zod", () => {
  throw new Error("zod was loaded");
});
jest.mock("../../../src/provider/tracing/opentelemetry", () => {
  throw new Error("OpenTelemetry was loaded");
});

const config: Record<string, string> = {
  "tunnel-gateway:apiKey": "a-key-for-tests",
  "tunnel-gateway:baseUrl": "http://127.0.0.1:9",
};
const get = (key: string): string | undefined => config[key];
const hooks = hooksOf("IpPolicyRuleSet", { get, require: (key) => get(key)! });
const inputs = { ipPolicyId: "ipp_1", rules: { "203.0.113.0/24": "allow" } };
const state = { ...inputs, exclusive: null, __args: ["ipPolicyId", "rules"] };
const proxies = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];

describe("the hooks of a preview", () => {
  const environment = process.env;
  beforeEach(() => {
    process.env = { ...environment };
    for (const name of proxies) delete process.env[name];
  });
  afterEach(() => (process.env = environment));

  it("load neither undici nor zod nor OpenTelemetry", async () => {
    expect(await hooks("check")(inputs, inputs)).toEqual({ inputs });
    expect(await hooks("diff")("ipp_1", state, inputs)).toMatchObject({ changes: false });
  });

  it("are those whose create loads undici", async () => {
    await expect(hooks("create")(inputs)).rejects.toThrow("undici was loaded");
  });

  it("are those that load OpenTelemetry where Pulumi collects traces", () => {
    process.env.PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT = "localhost:9";
    expect(() => startTracing([], 0)).toThrow("OpenTelemetry was loaded");
  });
});
