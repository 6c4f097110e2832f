/** The spans of an `up`, as Pulumi's own collector gets them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import { moduleSeed } from "../../support/modules";
import { covered, spansIn } from "../../support/traces";
import type { Span } from "../../support/traces";
import { cjs, doors } from "../../engine/support";

const stackKey = "STACK-KEY-0123456789abcdef";
const hidden = "HIDDEN-0123456789abcdef";
const clientSecret = "CLIENT-SECRET-0123456789abcdef";
const count = 4;

const body = `
  const { HttpsEdgeRouteOidc } = require("pulumi-tunnel-gateway");
  const policies = Array.from({ length: ${count} }, (_, i) => new IpPolicy("p" + i, { description: "${hidden}" }));
  policies.forEach(({ id }, i) =>
    new IpPolicyRule("r" + i, { ipPolicyId: id, action: "allow", cidr: "203.0.113." + i + "/32" }));
  const key = new ApiKey("key", { metadata: pulumi.secret("${hidden}") });
  const signIn = { issuer: "https://id.example.com", clientId: "tests", clientSecret: "${clientSecret}" };
  new HttpsEdgeRouteOidc("sign-in", { edgeId: "edge", routeId: "one", ...signIn });
  exports.token = key.token;
`;

/** The calls in which the engine waits for a hook. */
const calls = /^pulumirpc\.ResourceProvider\/(Check|Diff|Create|Read|Update|Delete)$/;
const hookNames = /^(check|diff|create|read|update|delete) /;

describe.each(doors)("the spans of an up with %s resources", (door) => {
  const emulator = EmulatorProcess.forTests({ apiKey: stackKey, latencyMs: 300 });
  const parent = { trace: "4bf92f3577b34da6a3ce929d0e0e4736", id: "00f067aa0ba902b7" };
  let text: string;
  let token: string;
  let spans: Span[];
  let ours: Span[];
  let hooks: Span[];
  const sum = (some: readonly Span[]) => some.reduce((all, { start, end }) => all + end - start, 0);
  /** The spans of a hook's own work, as far as it waits for them: a search that it begins may serve others after its end. */
  const within = ({ id, start, end }: Span) =>
    ours
      .filter((each) => each.parent === id)
      .map((each) => ({ start: Math.max(start, each.start), end: Math.min(end, each.end) }));

  beforeAll(async () => {
    await emulator.seed(moduleSeed);
    await emulator.setFaults({
      rules: [
        { kind: "status", status: 429, retryAfter: 1, method: "POST", path: "/ip_policies", times: 1 },
        { kind: "dropBefore", method: "POST", path: "/ip_policy_rules", times: 1 },
      ],
    });
    // A plugin of its own, because the collector of this call ends with it.
    const program = cjs(body, { door, install: "copy" });
    const stack = await program.stack({ config: emulator.config });
    const file = join(program.dir, "traces.json");
    await stack.up({
      args: ["--otel-traces", `file://${file}`],
      env: { PULUMI_TRACING_NO_PAYLOADS: "true", TRACEPARENT: `00-${parent.trace}-${parent.id}-01` },
    });
    text = readFileSync(file, "utf8");
    token = String((await stack.outputs(true)).token);
    spans = spansIn(text);
    ours = spans.filter(({ service }) => service === "pulumi-tunnel-gateway");
    hooks = ours.filter(({ name }) => hookNames.test(name));
  });

  it("are one for the start and one for each call of a hook, with its type and collection", () => {
    const names = hooks.map(({ name }) => name);
    const expected = (name: string, times: number) => Array.from({ length: times }, () => name);
    expect(names.toSorted()).toStrictEqual(
      [
        ...["check", "create"].flatMap((verb) => [
          ...expected(`${verb} ApiKey`, 1),
          ...expected(`${verb} HttpsEdgeRouteOidc`, 1),
          ...expected(`${verb} IpPolicy`, count),
          ...expected(`${verb} IpPolicyRule`, count),
        ]),
      ].toSorted(),
    );
    expect(ours.filter(({ name }) => name === "start the provider").length).toBe(1);
    expect(hooks.find(({ name }) => name === "create IpPolicyRule")!.attributes).toMatchObject({
      "resource.type": "IpPolicyRule",
      "resource.collection": "/ip_policy_rules",
      ...(door === "native" && { "resource.urn": expect.stringContaining("IpPolicyRule::r") as string }),
    });
  });

  it("are in the engine's trace, and those of a native resource in the engine's call", () => {
    expect(new Set(ours.map((each) => each.trace))).toStrictEqual(new Set([parent.trace]));
    const engine = new Map(spans.map((each) => [each.id, each]));
    for (const hook of hooks) {
      const name = engine.get(hook.parent)?.name;
      if (door === "native") expect(name).toMatch(calls);
      else expect(hook.parent).toBe(parent.id);
    }
  });

  it("show requests with method, collection and status, waits for the rate limit, and retries", () => {
    const requests = ours.filter(({ attributes }) => "http.request.method" in attributes);
    const sent = requests.map(({ name, attributes }) => [name, attributes["http.response.status_code"]]);
    expect(sent.filter(([name]) => name === "POST /ip_policies")).toStrictEqual([
      ["POST /ip_policies", 429],
      ...Array.from({ length: count }, () => ["POST /ip_policies", 201]),
    ]);
    // The dropped one has no status.
    const posted = sent.filter(([name]) => name === "POST /ip_policy_rules").map(([, status]) => status);
    expect(posted.filter((status) => status === 201).length).toBe(count);
    expect(posted.filter((status) => status === undefined).length).toBe(1);
    expect(sent).toContainEqual(["PATCH /api_keys", 200]);
    for (const request of requests) expect(hooks.map(({ id }) => id)).toContain(request.parent);
    const names = new Set(ours.map(({ name }) => name));
    expect(names).toContain("wait for the rate limit");
    expect(names).toContain("wait before a retry");
  });

  it("explain at least 95 % of the time of the hooks", () => {
    const creates = hooks.filter(({ name }) => name.startsWith("create"));
    const explained = creates.reduce((all, each) => all + covered(within(each)), 0);
    expect(explained / sum(creates)).toBeGreaterThan(0.95);
    const waited = spans.filter(({ service, name }) => service === "pulumi-cli" && calls.test(name));
    expect(waited.length).toBe(hooks.length);
    expect(covered(hooks) / covered(waited)).toBeGreaterThan(0.95);
  });

  it("hold no key, token, secret or value, and neither does the rest of the trace without payloads", () => {
    expect(token).toMatch(/^emulated_/);
    const secrets = [stackKey, clientSecret, hidden, token];
    const own = JSON.stringify(ours);
    expect([...secrets, "203.0.113."].filter((value) => own.includes(value))).toStrictEqual([]);
    expect(secrets.filter((secret) => text.includes(secret))).toStrictEqual([]);
  });
});
