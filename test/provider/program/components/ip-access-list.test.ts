import * as pulumi from "@pulumi/pulumi";
import type { IpAccessListArgs } from "../../../../src";
import { IpAccessList, Provider } from "../../../../src";
import { nested } from "../../../../src/schema/addresses/block";
import { validate } from "../../../../src/program/components/ip-access-list";
import { cpuMilliseconds } from "../../../support/cpu-time";

interface Registered {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  provider: string | undefined;
}

let registered: Registered[] = [];
let warnings: string[] = [];

beforeEach(async () => {
  [registered, warnings] = [[], []];
  jest.spyOn(pulumi.log, "warn").mockImplementation((text) => {
    warnings.push(text);
    return Promise.resolve();
  });
  await pulumi.runtime.setMocks({
    newResource: ({ type, name, inputs, provider }) => {
      registered.push({ type, name, inputs: inputs as Record<string, unknown>, provider });
      return { id: `id of ${name}`, state: inputs as object };
    },
    call: () => ({}),
  });
});

afterEach(() => jest.restoreAllMocks());

async function registeredBy(
  args: IpAccessListArgs,
  opts: () => pulumi.ComponentResourceOptions = () => ({}),
): Promise<Registered[]> {
  await pulumi.runtime.runInPulumiStack(() => {
    new IpAccessList("list", args, opts());
    return Promise.resolve(undefined);
  });
  await pulumi.runtime.disconnect(); // waits for the registrations
  return registered.filter(({ type }) => type !== "pulumi:pulumi:Stack");
}

/** The problems of an invalid list, from the one message that ends the program. */
async function problemsOf(args: unknown): Promise<string[]> {
  const message = new Promise<Error>((resolve) => {
    jest.spyOn(global, "setImmediate").mockImplementationOnce(((fail: () => void) => {
      try {
        fail();
      } catch (error) {
        resolve(error as Error);
      }
    }) as never);
  });
  jest
    .spyOn(pulumi.ComponentResource.prototype as never, "registerOutputs")
    .mockReturnValue(undefined as never);
  // The message comes a turn after the constructor; here it must not come before.
  const turn = Promise.resolve();
  new IpAccessList("list", args as IpAccessListArgs);
  await turn;
  return (await message).message
    .split("\n")
    .slice(2)
    .map((line) => line.trim());
}

describe("an IpAccessList", () => {
  it("is a policy and a set of its rules, by their range in canonical form", async () => {
    const until = "2999-01-01T00:00:00Z";
    const found = await registeredBy({
      description: "office",
      metadata: "m",
      allow: ["203.0.113.0/24", { cidr: "2001:0DB8::/32", description: "Berlin" }],
      deny: ["198.51.100.7/32", { cidr: "198.51.100.8/32", until }],
    });
    expect(found.map(({ type, name }) => `${type.split(":").at(-1)!} ${name}`)).toEqual([
      "IpAccessList list",
      "IpPolicy list",
      "IpPolicyRuleSet list",
    ]);
    expect(found[1]!.inputs).toMatchObject({ description: "office", metadata: "m" });
    expect(found[2]!.inputs).toMatchObject({
      ipPolicyId: "id of list",
      rules: {
        "203.0.113.0/24": "allow",
        "2001:db8::/32": { action: "allow", description: "Berlin" },
        "198.51.100.7/32": "deny",
        "198.51.100.8/32": { action: "deny", until },
      },
    });
  });

  it("exposes its policy, the policy's id and its rule set", async () => {
    const list = new IpAccessList("list", { allow: ["2001:DB8::/32"] });
    const { policyId, policy, ruleSet } = list;
    const [ids, rules, urns] = await new Promise<[unknown, unknown, string[]]>((resolve) =>
      pulumi
        .all([pulumi.all([policyId, ruleSet.id]), ruleSet.rules, pulumi.all([policy.urn, ruleSet.urn])])
        .apply(resolve as never),
    );
    expect([ids, rules]).toEqual([["id of list", "id of list"], { "2001:db8::/32": "allow" }]);
    for (const urn of urns) expect(urn).toContain("::tunnel-gateway:index:IpAccessList$");
    await pulumi.runtime.disconnect();
  });

  it("is known by its type", async () => {
    const list = new IpAccessList("list", { allow: ["2001:DB8::/32"] });
    expect(IpAccessList.isInstance(list)).toBe(true);
    for (const other of [list.ruleSet, { policyId: "ipp_1" }])
      expect(IpAccessList.isInstance(other)).toBe(false);
    await pulumi.runtime.disconnect();
  });

  it("takes its policy's id from the rules, so that what uses the id waits for them", async () => {
    const outputs = jest.spyOn(pulumi.ComponentResource.prototype as never, "registerOutputs");
    const list = new IpAccessList("list", { allow: ["2001:DB8::/32"] });
    expect(list.policyId).toBe(list.ruleSet.ipPolicyId);
    expect(outputs).toHaveBeenCalledWith({ policyId: list.policyId });
    await pulumi.runtime.disconnect();
  });

  it("hands an explicit provider on to its parts", async () => {
    const settings = { apiKey: "a-key", baseUrl: "https://gateway.example.com" };
    const found = await registeredBy({ allow: ["10.0.0.0/8"] }, () => ({
      provider: new Provider("own", settings),
    }));
    const parts = found.filter(({ type }) => /:IpPolicy(RuleSet)?$/.test(type));
    expect(parts.map(({ provider }) => provider)).toEqual(Array(2).fill(expect.stringContaining("::own::")));
  });

  it("may be empty", async () => {
    for (const empty of [{}, { allow: null, deny: null }] as IpAccessListArgs[]) {
      registered = [];
      expect((await registeredBy(empty)).map(({ name }) => name)).toEqual(["list", "list", "list"]);
    }
  });

  it("registers the same for another order and another spelling", async () => {
    const ranges = async (args: IpAccessListArgs): Promise<string[]> => {
      registered = [];
      const [, , set] = await registeredBy(args);
      return Object.keys(set!.inputs.rules as object).sort();
    };
    const before = await ranges({ allow: ["10.0.0.0/8", "2001:db8:0:0::/64"], deny: ["192.0.2.0/24"] });
    const after = await ranges({ deny: ["192.0.2.0/24"], allow: ["2001:DB8::/64", { cidr: "10.0.0.0/8" }] });
    expect(after).toEqual(before);
  });

  it("warns of ranges inside other ranges, naming the narrowest one around each", async () => {
    await registeredBy({ allow: ["10.0.0.0/8", "10.1.0.0/16"], deny: ["10.1.2.0/24", "192.0.2.0/24"] });
    expect(warnings).toEqual([
      "ranges inside other ranges:\n" +
        "  allow[1]: 10.1.0.0/16 is inside 10.0.0.0/8 at allow[0] and has no effect: the action of both is allow\n" +
        "  deny[0]: 10.1.2.0/24 is inside 10.1.0.0/16 at allow[1]: one range is denied, the other allowed; check that the service does what you expect",
    ]);
  });

  it("warns with summarize of ranges with another action alone: the others become one rule", async () => {
    const summarized = { summarize: true, extraRulesPercent: 0 };
    const ranges = { allow: ["10.0.0.0/8", "10.1.0.0/16"], deny: ["10.1.2.0/24"] };
    expect((await registeredBy({ ...summarized, ...ranges }))[2]!.inputs).toMatchObject(summarized);
    expect(warnings).toEqual([
      expect.stringMatching(/^ranges inside other ranges:\n {2}deny\[0\]: 10\.1\.2\.0\/24 is inside .*$/),
    ]);
  });

  it("lists at most ten overlaps one by one", async () => {
    const allow = ["10.0.0.0/8", ...[...Array(30).keys()].map((i) => `10.${i}.0.0/16`)];
    await registeredBy({ allow });
    expect(warnings[0]!.split("\n")).toHaveLength(12);
    expect(warnings[0]).toMatch(/and 20 more$/);
  });

  it("validates 20,000 ranges, half of them nested, in time that grows with their number and not its square", async () => {
    const entriesOf = (count: number) =>
      [...Array(count).keys()].map((i) => {
        const cidr =
          i % 2 === 0
            ? `10.${i >> 9}.${(i >> 1) & 255}.0/24`
            : `10.${i >> 9}.${(i >> 1) & 255}.${i & 254}/32`;
        return { action: "allow" as const, path: `allow[${i}]`, cidr };
      });
    const milliseconds = (count: number): Promise<number> => {
      const entries = entriesOf(count);
      return cpuMilliseconds(() => {
        const { valid, problems } = validate(entries);
        expect(problems).toEqual([]);
        expect(nested(valid, ({ block }) => block)).toHaveLength(count / 2);
      });
    };
    await milliseconds(2000); // compiles
    const small = Math.max(await milliseconds(2000), await milliseconds(2000));
    // Ten times the ranges: the square would be a hundred times the work.
    expect(await milliseconds(20_000)).toBeLessThan(40 * small);
  });
});

// Last: an invalid list is never registered, and waiting for its registration would never end.
describe("an invalid IpAccessList", () => {
  it("reports every problem at once, each at its path", async () => {
    const problems = await problemsOf({
      allow: [
        "10.0.0.0/8",
        "10.0.0.1/8",
        "10.0.0.0/8",
        { cidr: "192.0.2.0/24", descripion: "typo" },
        "::1/128",
        "0::1",
        "10.1.0.0/16",
      ],
      deny: [
        { cidr: "10.0.0.0/8" },
        "nonsense",
        7,
        { cidr: "198.51.100.0/24", description: "x".repeat(256) },
      ],
      metadata: 5,
      alow: ["192.0.2.0/24"],
    });
    expect(problems).toEqual([
      "alow: is not an argument here; did you mean allow?",
      "metadata: must be a string, not a number",
      "allow[3].descripion: is not an argument here; did you mean description?",
      "deny[2]: must be a range in CIDR notation, an IP address or {cidr, description, until}",
      "deny[3].description: is 256 bytes in UTF-8; the limit is 255",
      expect.stringMatching(
        /^allow\[1\]: must be a network address in CIDR notation or an IP address; .*host bits.*10\.0\.0\.0\/8/,
      ),
      "allow[2]: repeats 10.0.0.0/8, which is already at allow[0]",
      "allow[5]: repeats ::1/128, which is already at allow[4]",
      "deny[0].cidr: 10.0.0.0/8 is also at allow[0]; a range is either allowed or denied",
      expect.stringMatching(/^deny\[1\]: must be a network address/),
    ]);
    for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
    expect(registered.map(({ name, type }) => `${type} ${name}`)).toEqual([
      "tunnel-gateway:index:IpAccessList list",
    ]);
    expect(warnings).toEqual([]);
  });

  it("says what to do instead of an Output as a range or as the list", async () => {
    const output = pulumi.output("10.0.0.0/8");
    const [first, second, third] = await problemsOf({
      allow: [output, { cidr: output }],
      deny: pulumi.output([]),
    });
    expect(first).toMatch(
      /^allow\[0\]: must not be an Output: a range makes the keys of the rules.*plain text/,
    );
    expect(second).toMatch(/^allow\[1\]\.cidr: must not be an Output/);
    expect(third).toMatch(/^deny: must not be an Output: the list makes the keys/);
    // @ts-expect-error -- an Output is a mistake that the compiler sees
    const _args: IpAccessListArgs = { allow: [output] };
    // @ts-expect-error -- in an entry too
    const _entry: IpAccessListArgs = { deny: [{ cidr: output }] };
    const right: IpAccessListArgs = { deny: [{ cidr: "10.0.0.0/8", description: output }] };
    expect(right.deny).toHaveLength(1);
  });
});
