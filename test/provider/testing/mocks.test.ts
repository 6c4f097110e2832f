import * as pulumi from "@pulumi/pulumi";
import {
  ApiKey,
  EventDestination,
  EventSource,
  EventSubscription,
  getIpPolicyOutput,
  HttpsEdgeRouteOidc,
  IpAccessList,
  IpPolicy,
  IpPolicyRule,
  IpPolicyRuleSet,
  KubernetesOperator,
  Provider,
  SshUserCertificate,
  TcpEdge,
} from "../../../src";
import type { IpPolicyRuleSetArgs } from "../../../src";
import { mocks } from "../../../src/testing";
import { failureOf } from "../../support/failure";
import { emulators } from "../../support/emulators";
import { plain } from "../../support/in-process/values";

const start = emulators();

const gateway = mocks();
beforeEach(() => pulumi.runtime.setMocks(gateway));

/** The value that an Output gets, and whether it is a secret. */
const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => void output.apply((value) => resolve(value)));

describe("the ready mocks", () => {
  it("tell what a program declares, in the order of its registration", async () => {
    const office = await gateway.run(() => {
      const policy = new IpPolicy("office", { description: "offices" });
      new IpPolicyRule("lan", { ipPolicyId: policy.id, cidr: "203.0.113.0/24", action: "allow" });
      return policy;
    });
    expect(gateway.resources).toEqual([
      {
        type: "IpPolicy",
        name: "office",
        id: "ipp_office",
        inputs: { description: "offices" },
        provider: undefined,
      },
      {
        type: "IpPolicyRule",
        name: "lan",
        id: "ipr_lan",
        inputs: { ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" },
        provider: undefined,
      },
    ]);
    const [rule] = gateway.of(IpPolicyRule);
    const action: "allow" | "deny" = rule!.inputs.action; // typed as the class's own arguments
    expect(action).toBe("allow");
    expect(gateway.of(IpPolicy)).toHaveLength(1);
    expect(gateway.of(ApiKey)).toEqual([]);
    expect(await valueOf(office.createdAt)).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(await valueOf(office.uri)).toBe("https://api.example.com/ip_policies/ipp_office");
  });

  it("forget what an earlier run declared", async () => {
    await gateway.run(() => void new IpPolicy("first"));
    await gateway.run(() => void new IpPolicy("second"));
    expect(gateway.resources.map(({ name }) => name)).toEqual(["second"]);
  });

  it("wait for what a program makes later", async () => {
    await gateway.run(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const late = new Promise<string>((resolve) => setTimeout(() => resolve("late"), 20));
      new IpPolicy("late", { description: late });
    });
    expect(gateway.of(IpPolicy).map(({ inputs }) => inputs)).toEqual([{ description: "late" }]);
  });

  it("compose the ids of modules and event sources from what addresses them", async () => {
    await gateway.run(() => {
      const { id } = new EventSubscription("audit");
      new EventSource("policies", { subscriptionId: id, type: "ip_policy_created.v0" });
      const sign = { issuer: "https://login.example.com", clientId: "staff", clientSecret: "SECRET-1" };
      new HttpsEdgeRouteOidc("staff", { edgeId: "edghts_1", routeId: "edghtsrt_1", ...sign });
    });
    expect(gateway.resources.map(({ id }) => id).sort()).toEqual([
      "edghts_1/edghtsrt_1",
      "esb_audit",
      "esb_audit/ip_policy_created.v0",
    ]);
  });

  it("make ids of names that are no part of a path", async () => {
    await gateway.run(() => {
      const { id } = new IpPolicy("the office/2");
      new TcpEdge("edge", { ipRestriction: { ipPolicyIds: [id] } });
    });
    expect(gateway.of(TcpEdge)[0]!.inputs.ipRestriction!.ipPolicyIds).toEqual(["ipp_the%20office%2F2"]);
  });

  it("give what only the service knows, and the service's defaults", async () => {
    const target = { monitoring: { apiKey: "k" } };
    const { edge, destination, operator, key } = await gateway.run(() => ({
      edge: new TcpEdge("database", { backend: { backendId: "bkdtg_1" } }),
      destination: new EventDestination("audit", { target }),
      operator: new KubernetesOperator("cluster"),
      key: new ApiKey("pipeline"),
    }));
    // As in a real stack: an object that means what the program gave is kept as the program gave it.
    expect(await valueOf(edge.backend)).toEqual({ backendId: "bkdtg_1" });
    expect(await valueOf(edge.backendRef)).toEqual({ id: "bkdtg_1", uri: "https://api.example.com/bkdtg_1" });
    expect(await valueOf(edge.ipRestriction)).toBeUndefined();
    expect(plain(await valueOf(destination.target))).toEqual(target);
    expect(await valueOf(operator.region)).toBe("global");
    expect(await valueOf(key.ownerId)).toBe("usr_mocked-ownerId-of-pipeline");
    expect(await valueOf(key.description)).toBeUndefined();
  });

  it("keep secrets secret: the service's, those of declarations, and those that the program marks", async () => {
    const { key, staff, policy } = await gateway.run(() => ({
      key: new ApiKey("pipeline"),
      staff: new HttpsEdgeRouteOidc("staff", {
        edgeId: "edghts_1",
        routeId: "edghtsrt_1",
        issuer: "https://login.example.com",
        clientId: "staff",
        clientSecret: "SECRET-1",
      }),
      policy: new IpPolicy("office", { description: pulumi.secret("hidden"), metadata: "plain" }),
    }));
    expect(await valueOf(key.token)).toBe("mocked-token-of-pipeline");
    const outputs = [key.token, staff.clientSecret, policy.description, policy.metadata, staff.issuer];
    expect(await Promise.all(outputs.map((output) => pulumi.isSecret(output)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(gateway.of(HttpsEdgeRouteOidc)[0]!.inputs.clientSecret).toBe("SECRET-1");
    expect(gateway.of(IpPolicy)[0]!.inputs).toEqual({ description: "hidden", metadata: "plain" });
  });

  it("name the explicit provider of a resource", async () => {
    await gateway.run(() => {
      const provider = new Provider("partner", { apiKey: "key", baseUrl: "https://a.test" });
      const shared = new IpPolicy("shared", {}, { provider });
      new IpPolicyRule(
        "lan",
        { ipPolicyId: shared.id, cidr: "203.0.113.0/24", action: "allow" },
        { parent: shared },
      );
      new IpPolicy("own");
    });
    const providers = gateway.resources.map(({ name, provider }) => [name, provider]);
    expect(Object.fromEntries(providers)).toEqual({ shared: "partner", lan: "partner", own: undefined });
  });

  it("answer look-ups, which are no declarations", async () => {
    const found = await gateway.run(() => IpPolicyRule.get("found", "ipr_1"));
    expect(await valueOf(found.id)).toBe("ipr_1");
    expect(await valueOf(found.action)).toBe("allow");
    expect(gateway.resources).toEqual([]);
  });

  it("know the children of components", async () => {
    await gateway.run(
      () =>
        void new IpAccessList("staff", {
          allow: ["203.0.113.0/24"],
          deny: ["198.51.100.7/32"],
        }),
    );
    expect(gateway.of(IpPolicyRuleSet).map(({ inputs }) => inputs)).toEqual([
      { ipPolicyId: "ipp_staff", rules: { "203.0.113.0/24": "allow", "198.51.100.7/32": "deny" } },
    ]);
  });
});

describe("outputs of one's own", () => {
  const until = "2030-01-01T00:00:00Z";
  const ending = mocks({
    outputs: ({ type, name }) =>
      type === "SshUserCertificate" && name === "ada" ? { validUntil: until } : undefined,
  });
  const args = {
    sshCertificateAuthorityId: "sshca_1",
    publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILX6szwYMf1AEw1D2E43cQSQCMJ5cXNSS14buGnJ2pEK",
  };

  it("take the place of those that are made up", async () => {
    await pulumi.runtime.setMocks(ending);
    const both = await ending.run(() => ["ada", "bob"].map((name) => new SshUserCertificate(name, args)));
    const [ada, bob] = await Promise.all(both.map(({ validUntil }) => valueOf(validUntil)));
    expect(ada).toBe(until);
    expect(bob).not.toBe(until);
  });

  it("are refused where the class has none of the name", () => {
    const { newResource } = mockedWith({ tokn: "x" });
    expect(newResource).toThrow(
      "mocks: ApiKey has no output tokn; its outputs are description, metadata, ownerId, uri, createdAt, token",
    );
  });

  function mockedWith(outputs: Record<string, unknown>) {
    const type = "pulumi-nodejs:dynamic/tunnel-gateway:ApiKey";
    return {
      newResource: () => mocks({ outputs: () => outputs }).newResource({ type, name: "key", inputs: {} }),
    };
  }
});

describe("a set whose rules are a list", () => {
  const set = (rules: unknown) => () =>
    new IpPolicyRuleSet("set", { ipPolicyId: "ipp_1", rules: rules as IpPolicyRuleSetArgs["rules"] });

  it("shows them as a map", async () => {
    const { rules } = await gateway.run(
      set([
        { cidr: pulumi.output("10.0.0.0/8"), action: "allow" },
        { cidr: "2001:db8::1", action: "deny", description: "guest", until: "2100-01-01T00:00:00Z" },
      ]),
    );
    expect(await valueOf(rules)).toEqual({
      "10.0.0.0/8": "allow",
      "2001:db8::1": { action: "deny", description: "guest" },
    });
  });

  it("reports wrong entries at their positions", async () => {
    const wrong = [
      { cidr: "10.0.0.1/8", action: "allow" },
      { action: "allow" },
      "10.0.0.0/8",
      { cidr: "10.0.0.0/8", action: "permit", colour: "red" },
      null,
      { cidr: "__proto__", action: "allow" },
    ];
    const { message } = await failureOf(gateway.run(set(wrong)));
    for (const part of [
      "rules[0].cidr: must be a network address in CIDR notation",
      "rules[1].cidr: is required",
      "rules[2]: must be an object, not a string",
      'rules[3].action: must be "allow" or "deny", not "permit"',
      "rules[3].colour: is not an argument here; the arguments are cidr, action, description, metadata, until",
      "rules[4]: must not be null or undefined",
      "rules[5].cidr: must be a network address in CIDR notation",
    ]) {
      expect(message).toContain(part);
    }
    expect((await failureOf(gateway.run(set("10.0.0.0/8")))).message).toContain(
      "rules: must be a map or a list, not a string",
    );
  });

  it("has each range once, in any spelling", async () => {
    const twice = [
      { cidr: "10.0.0.0/8", action: "allow" },
      { cidr: "2001:DB8::1", action: "allow" },
      { cidr: "2001:db8::1/128", action: "deny" },
    ];
    expect((await failureOf(gateway.run(set(twice)))).message).toContain(
      'rules[2]: its cidr "2001:db8::1/128" is also that of rules[1]: remove one of them',
    );
    const outputs = ["10.0.0.0/8", "192.0.2.0/24"].map((cidr) => ({
      cidr: pulumi.output(cidr),
      action: "allow",
    }));
    await gateway.run(set(outputs));
  });
});

describe("wrong arguments", () => {
  it("fail the run at once, all in one message", async () => {
    const wrong = gateway.run(() => {
      const office = new IpPolicy("office", { description: "é".repeat(128) });
      new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.7/24", action: "allow" });
      new IpAccessList("partners", { allow: ["203.0.113.0/33"] });
    });
    await expect(wrong).rejects.toThrow(
      /^wrong arguments, which a preview finds before anything is changed:\n {2}IpPolicy "office" \(test.*:\d+\)\n[^]+ {2}IpPolicyRule "lan" \(test.*\)\n {4}cidr: [^]+ {2}IpAccessList "partners" \(test.*mocks\.test\.ts:\d+\)\n/,
    );
    // The rejection shows the line of the first one, which Jest prints.
    expect((await failureOf(wrong)).stack).toMatch(/\n +at [^\n]*mocks\.test\.ts:\d+:\d+[^]*$/);
    expect(gateway.resources).toEqual([]);
    // Nothing of it holds up the next run.
    await gateway.run(() => void new IpPolicy("next"));
    expect(gateway.resources.map(({ name }) => name)).toEqual(["next"]);
  });

  it("that come from Outputs fail the run, all in one message", async () => {
    const wrong = gateway.run(() => {
      const policy = new IpPolicy("office", { description: pulumi.output("é".repeat(128)) });
      new IpPolicyRule("lan", {
        ipPolicyId: policy.id,
        cidr: pulumi.output("203.0.113.7/24"),
        action: pulumi.output("alow" as "allow"),
      });
      const ipPolicyId = new ApiKey("key").id.apply((id) => id);
      new IpPolicyRule("key", { ipPolicyId, cidr: "203.0.113.0/24", action: "deny" });
    });
    await expect(wrong).rejects.toThrow(
      [
        "wrong arguments, which a preview finds before anything is changed:",
        '  IpPolicy "office"',
        "    description: is 256 bytes in UTF-8; the limit is 255",
      ].join("\n"),
    );
    await expect(wrong).rejects.toThrow(
      /IpPolicyRule "lan"\n {4}cidr: must be a network address .* host bits set/,
    );
    await expect(wrong).rejects.toThrow('action: must be "allow" or "deny", not "alow"');
    await expect(wrong).rejects.toThrow('"ak_key" is the id of an API key');
  });

  it("fail the registration where no run is going on", () => {
    const type = "pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRule";
    const inputs = { ipPolicyId: "ipp_1", cidr: "203.0.113.7/24", action: "allow", __provider: "text" };
    expect(() => mocks().newResource({ type, name: "lan", inputs })).toThrow(
      /^wrong arguments, which a preview finds before anything is changed:\n {2}IpPolicyRule "lan"\n {4}cidr: must be/,
    );
  });

  it("never show a secret", async () => {
    const wrong = gateway.run(() => {
      const secrets = { clientSecret: pulumi.output({ SECRET: 1 } as unknown as string) };
      const place = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
      new HttpsEdgeRouteOidc("staff", {
        ...place,
        issuer: "https://login.example.com",
        clientId: "a",
        ...secrets,
      });
    });
    await expect(wrong).rejects.toThrow("clientSecret: must be a string, not an object");
    await expect(wrong).rejects.not.toThrow("SECRET");
  });

  it("are not reported again by the next run", async () => {
    await expect(
      gateway.run(() => void new IpPolicy("a", { description: pulumi.output("é".repeat(128)) })),
    ).rejects.toThrow("the limit is 255");
    await gateway.run(() => void new IpPolicy("b"));
    expect(gateway.resources.map(({ name }) => name)).toEqual(["b"]);
  });

  it("leave alone what the program itself throws, once what it declared before is registered", async () => {
    const failing = gateway.run(() => {
      new IpPolicy("before");
      throw new Error("mistake");
    });
    await expect(failing).rejects.toThrow("mistake");
    expect(gateway.resources.map(({ name }) => name)).toEqual(["before"]);
  });
});

describe("what is of other packages", () => {
  class Bucket extends pulumi.CustomResource {
    declare readonly size: pulumi.Output<number>;
    constructor(name: string, size: number) {
      super("store:index:Bucket", name, { size });
    }
  }

  it("passes", async () => {
    const bucket = await gateway.run(() => new Bucket("logs", 5));
    expect(await valueOf(bucket.id)).toBe("logs_id");
    expect(await valueOf(bucket.size)).toBe(5);
    expect(gateway.resources).toEqual([]);
    expect(await pulumi.runtime.invoke("store:index:getBucket", {})).toEqual({});
  });

  it("is left to the mocks that the test names", async () => {
    const others: pulumi.runtime.Mocks = {
      newResource: ({ name }) => ({ id: `bkt_${name}`, state: { size: 7 } }),
      call: ({ token }) => ({ token }),
    };
    const both = mocks({ others });
    await pulumi.runtime.setMocks(both);
    const [bucket, policy] = await both.run(() => [new Bucket("logs", 5), new IpPolicy("office")] as const);
    expect(await valueOf(bucket.id)).toBe("bkt_logs");
    expect(await valueOf(bucket.size)).toBe(7);
    expect(await valueOf(policy.id)).toBe("ipp_office");
    expect(await pulumi.runtime.invoke("store:index:getBucket", {})).toEqual({
      token: "store:index:getBucket",
    });
  });
});

describe("functions", () => {
  it("ask the service that their settings name, so that a test gives them the emulator", async () => {
    const emulator = await start();
    await emulator.seed({ ip_policies: [{ id: "ipp_seeded", description: "office networks" }] });
    const settings = { baseUrl: emulator.baseUrl, apiKey: emulator.apiKey };
    await gateway.run(() => {
      const office = getIpPolicyOutput({ description: "office networks" }, { settings });
      new TcpEdge("database", { ipRestriction: { ipPolicyIds: [office.id] } });
    });
    expect(gateway.of(TcpEdge)[0]!.inputs.ipRestriction).toEqual({ ipPolicyIds: ["ipp_seeded"] });
    expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /ip_policies"]);
  });
});
