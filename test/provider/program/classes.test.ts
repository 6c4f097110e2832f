import * as pulumi from "@pulumi/pulumi";
import { ApiKey, IpPolicy, IpPolicyRule, Provider, TunnelGroupBackend } from "../../../src";
import { declarationOf, declarations } from "../../../src/resources/registry";
import { shimOf } from "../../../src/program/shim";
import { dynamicDoor } from "../../../src/program/door";
import { options } from "../../../src/program/resource-class";
import { secretOf } from "../../support/in-process/values";

type Inputs = Record<string, unknown>;

/** What each registration gave to the engine, by the resource's name. */
const registered = new Map<string, pulumi.runtime.MockResourceArgs>();

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource(args) {
      registered.set(args.name, args);
      return {
        id: args.id === "" || args.id === undefined ? `${args.name}_id` : args.id,
        state: args.inputs as Inputs,
      };
    },
    call: () => ({}),
  });
});
beforeEach(() => registered.clear());

/** The value that an Output gets. */
const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => void output.apply((value) => resolve(value)));

/** What the engine saw of a resource, without the provider's text. */
async function seen(resource: pulumi.CustomResource): Promise<Inputs> {
  const urn = await valueOf(resource.urn);
  const { __provider, ...inputs } = registered.get(urn.split("::").at(-1)!)!.inputs as Inputs;
  expect(typeof __provider).toBe("string");
  return inputs;
}

/** A resource of a class with these options. */
const constructed = (type: string, opts: pulumi.CustomResourceOptions) => ({
  ...{ door: dynamicDoor, declaration: declarationOf(type), name: type, args: {}, opts },
  provider: undefined,
});

describe("a resource", () => {
  it("gives its arguments to the engine as they are, under its type token", async () => {
    const policy = new IpPolicy("ipp", { description: "offices", metadata: "" });
    const rule = new IpPolicyRule("rule", {
      ipPolicyId: policy.id.apply(() => "ipp_1"),
      cidr: Promise.resolve("10.0.0.0/8"),
      action: "allow",
    });
    expect(await seen(policy)).toEqual({ description: "offices", metadata: "" });
    expect(await seen(rule)).toEqual({ ipPolicyId: "ipp_1", cidr: "10.0.0.0/8", action: "allow" });
    expect(registered.get("rule")!.type).toBe("pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRule");
    expect(await valueOf(policy.description)).toBe("offices");
  });

  it.each(["toString", "valueOf", "constructor", "hasOwnProperty", "then", "apply"])(
    "may have a map with the key %s",
    async (key) => {
      const labels = { [key]: "a", team: "web" };
      const backend = new TunnelGroupBackend(`key-${key}`, { labels });
      expect(await seen(backend)).toEqual({ labels });
      expect(await valueOf(backend.labels)).toEqual(labels);
    },
  );

  it("may have a map without a prototype", async () => {
    const { groups } = /(?<team>\w+)/.exec("web")!;
    const backend = new TunnelGroupBackend("groups", { labels: groups! });
    expect(await seen(backend)).toEqual({ labels: { team: "web" } });
  });

  it("may have no arguments where none is required", async () => {
    expect(await seen(new IpPolicy("bare"))).toEqual({});
    expect(await seen(new ApiKey("key"))).toEqual({});
  });

  it("has an output for each field, also for those that only the service tells", () => {
    const policy = new IpPolicy("outputs");
    for (const output of [policy.uri, policy.createdAt, policy.metadata, policy.description]) {
      expect(pulumi.Output.isInstance(output)).toBe(true);
    }
    const rule = new IpPolicyRule("ruled", { ipPolicyId: "ipp_1", cidr: "10.0.0.0/8", action: "deny" });
    expect(pulumi.Output.isInstance(rule.ipPolicy)).toBe(true);
  });

  it("is distinguished from other types, whatever copy of the package made it", () => {
    const policy = new IpPolicy("distinguished");
    expect(IpPolicy.isInstance(policy)).toBe(true);
    expect(IpPolicyRule.isInstance(policy)).toBe(false);
    expect(ApiKey.isInstance({ __pulumiType: "pulumi-nodejs:dynamic/tunnel-gateway:ApiKey" })).toBe(true);
    for (const other of [undefined, null, 5, "IpPolicy", {}, { __pulumiType: "other:IpPolicy" }]) {
      expect(IpPolicy.isInstance(other)).toBe(false);
    }
  });

  it("hides its secrets beside what the program hides", () => {
    const opts = { additionalSecretOutputs: ["description"] };
    expect(options(constructed("ApiKey", opts), () => new ApiKey("hidden"))).toMatchObject({
      additionalSecretOutputs: ["token", "description"],
    });
  });

  it.each([
    ["IpPolicy", ["deleteBeforeReplace", "protect", "replaceOnChanges"]],
    ["EventSource", ["protect", "replaceOnChanges"]],
    ["HttpsEdgeRouteOidc", ["protect"]],
  ])("keeps the options of a replacement where nothing is open in between: %s", (type, kept) => {
    const given = { deleteBeforeReplace: true, protect: true, replaceOnChanges: ["*"] };
    const found = options(constructed(type, given), () => new ApiKey(`of-${type}`));
    expect(Object.keys(given).filter((name) => name in found)).toEqual(kept);
  });

  it("is looked up by its id, without arguments", async () => {
    const policy = IpPolicy.get("found", "ipp_1");
    expect(await seen(policy)).toEqual({});
    expect(registered.get("found")!.id).toBe("ipp_1");
    expect(await valueOf(policy.id)).toBe("ipp_1");
    await seen(IpPolicyRule.get("found-rule", "ipr_1"));
    await seen(ApiKey.get("found-key", "ak_1"));
    expect(registered.get("found-key")!.id).toBe("ak_1");
  });

  it("uses an explicit provider where the program names one", async () => {
    const provider = new Provider("partner", {
      apiKey: "key",
      baseUrl: "https://a.test",
      patchUndocumented: true,
      requestTimeout: 20,
    });
    await seen(new IpPolicy("partners", {}, { provider }));
    await seen(new IpPolicy("own"));
    expect(registered.get("partners")!.provider).toContain("::partner::");
    expect(registered.get("own")!.provider ?? "").toBe("");
    expect(registered.get("partner")!.type).toBe("pulumi:providers:pulumi-nodejs");
    // Text, as plugins get their configuration; the key is a secret though the program did not say so.
    expect(registered.get("partner")!.inputs).toEqual({
      "tunnel-gateway:apiKey": secretOf("key"),
      "tunnel-gateway:baseUrl": "https://a.test",
      "tunnel-gateway:patchUndocumented": "true",
      "tunnel-gateway:provider": "partner",
      "tunnel-gateway:requestTimeout": "20",
    });
  });

  it("is a dynamic resource of Pulumi's, and so is an instance of a subclass", () => {
    class Office extends IpPolicy {
      readonly label = "office";
    }
    for (const resource of [new IpPolicy("plain"), new Office("derived")]) {
      expect(resource).toBeInstanceOf(pulumi.dynamic.Resource);
      expect(resource).toBeInstanceOf(IpPolicy);
      expect(pulumi.CustomResource.isInstance(resource)).toBe(true);
      expect(pulumi.ComponentResource.isInstance(resource)).toBe(false);
    }
    expect(new Office("labelled").label).toBe("office");
    expect(Office.get("existing", "ipp_1")).toBeInstanceOf(Office);
  });

  it("has a provider text of at most 300 bytes, whatever its type", () => {
    const lengths = declarations.map(({ type }) => [type, Buffer.byteLength(shimOf(type))] as const);
    expect(lengths.length).toBeGreaterThan(20);
    expect(lengths.filter(([, length]) => length > 300)).toEqual([]);
  });

  it("stores the same provider text for every resource of its type", async () => {
    const texts = await Promise.all(
      ["one", "two"].map(async (name) => {
        await seen(new IpPolicy(name));
        return (registered.get(name)!.inputs as Inputs).__provider as string;
      }),
    );
    expect(texts).toEqual([shimOf("IpPolicy"), shimOf("IpPolicy")]);
  });
});

describe("wrong arguments", () => {
  // What is thrown a turn later ends a real program; here it is caught before it ends the tests.
  function failureOf(construct: () => void): Error {
    let later: (() => void) | undefined;
    const spy = jest.spyOn(global, "setImmediate").mockImplementation(((work: () => void) => {
      later ??= work;
    }) as never);
    try {
      construct();
    } finally {
      spy.mockRestore();
    }
    if (!later) throw new Error("nothing was found wrong");
    try {
      later();
    } catch (error) {
      return error as Error;
    }
    throw new Error("nothing was thrown");
  }

  it("of all resources are reported in one error, and none of the resources reaches the engine", async () => {
    const error = failureOf(() => {
      new IpPolicy("right");
      new IpPolicy("long", { description: "é".repeat(128) });
      new IpPolicyRule("three", { cidr: "10.0.0.1/8", action: "alow" } as never);
    });
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    const lines = error.message.split("\n");
    expect(lines).toEqual([
      "wrong arguments, which a preview finds before anything is changed:",
      expect.stringMatching(/^ {2}IpPolicy "long" \(test\/provider\/program\/classes\.test\.ts:\d+\)$/),
      "    description: is 256 bytes in UTF-8; the limit is 255",
      expect.stringMatching(/^ {2}IpPolicyRule "three" \(test\/provider\/program\/classes\.test\.ts:\d+\)$/),
      expect.stringContaining("    cidr: must be a network address in CIDR notation"),
      "    ipPolicyId: is required",
      '    action: must be "allow" or "deny", not "alow"',
    ]);
    // Where a test runner looks for the line that is wrong, the first one stands.
    const [line] = /classes\.test\.ts:\d+/.exec(lines[1]!)!;
    expect(error.stack!.slice(error.stack!.indexOf(error.message) + error.message.length)).toMatch(
      new RegExp(`^\\n +at .*${line}:`),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([...registered.keys()]).toEqual(["right"]);
  });

  it("are found beside Outputs, promises and secrets, which the constructor does not check", () => {
    const error = failureOf(() => {
      new IpPolicyRule("mixed", {
        cidr: pulumi.output("10.0.0.1/8"),
        ipPolicyId: Promise.resolve("ipr_1"),
        action: pulumi.secret("alow" as "allow"),
        description: 5 as never,
      });
    });
    expect(error.message.split("\n").slice(1)).toEqual([
      expect.stringMatching(/^ {2}IpPolicyRule "mixed" \(/),
      "    description: must be a string, not a number",
    ]);
  });

  it("show the way where an Output was used as text", () => {
    const policy = new IpPolicy("used-as-text");
    const error = failureOf(() => {
      // eslint-disable-next-line @typescript-eslint/restrict-template-expressions, @typescript-eslint/no-base-to-string
      new IpPolicy("text", { description: `of ${policy.id}` });
    });
    expect(error.message).toContain(
      "description: holds an Output that was used as text; write pulumi.interpolate",
    );
  });

  it("name a key of a map that Pulumi drops", () => {
    const labels = JSON.parse('{ "__proto__": "a", "team": "web" }') as Record<string, string>;
    const error = failureOf(() => void new TunnelGroupBackend("dropped", { labels }));
    expect(error.message).toContain(
      'labels: has the key "__proto__", which Pulumi does not pass on; use another key',
    );
  });

  it("may be named like what every object has", () => {
    const args: object = { constructor: 1, toString: 2 };
    const { message } = failureOf(() => void new IpPolicy("odd", args));
    for (const name of ["constructor", "toString"]) {
      expect(message).toContain(`${name}: is not an argument here; the arguments are description, metadata`);
    }
  });
});
