import * as pulumi from "@pulumi/pulumi";
import { declarationOf } from "../../../src/resources/registry";
import { claimObjects } from "../../../src/runtime/exclusive-sets";

type Claim = readonly [type: string, name: string, args: Record<string, unknown>];

const rule: Claim = ["IpPolicyRule", "rule", { ipPolicyId: "ipp_1", cidr: "10.0.0.0/8", action: "allow" }];
const set = (exclusive: unknown): Claim => [
  "IpPolicyRuleSet",
  "set",
  { ipPolicyId: "ipp_1", rules: {}, exclusive },
];

describe("an exclusive set and a rule of one policy in one program", () => {
  /** The resources that contradict another one. */
  async function contradictions(...claims: readonly Claim[]): Promise<string[]> {
    const found: string[] = [];
    await pulumi.runtime.setMocks({
      newResource: ({ inputs }) => ({ id: "1", state: inputs as object }),
      call: () => ({}),
    });
    await pulumi.runtime.runInPulumiStack(() => {
      for (const [type, name, args] of claims) {
        claimObjects(declarationOf(type), name, args, ({ clause }) => found.push(`${name} ${clause}`));
      }
      return Promise.resolve(undefined);
    });
    await pulumi.runtime.disconnect();
    return found;
  }

  it.each([true, undefined, pulumi.output(true), Promise.resolve(true)])(
    "are a contradiction where exclusive is %p, whichever comes first",
    async (exclusive) => {
      expect(await contradictions(set(exclusive), rule)).toHaveLength(1);
      expect(await contradictions(rule, set(exclusive))).toHaveLength(1);
    },
  );

  it.each([false, pulumi.output(false), Promise.resolve(false)])(
    "are no contradiction where exclusive is %p",
    async (exclusive) => {
      expect(await contradictions(set(exclusive), rule)).toEqual([]);
      expect(await contradictions(rule, set(exclusive))).toEqual([]);
    },
  );

  it("are none either where it stays unknown whether the set is exclusive", async () => {
    const unknown = new (pulumi.Output as unknown as new (...parts: unknown[]) => pulumi.Output<boolean>)(
      new Set(),
      Promise.resolve(false),
      Promise.resolve(false),
      Promise.resolve(false),
      Promise.resolve(new Set()),
    );
    expect(await contradictions(rule, set(unknown))).toEqual([]);
  });
});
