/** A program that replaces single rules by a set of the same ranges, all in one deployment. */
import { IpPolicy, IpPolicyRule, IpPolicyRuleSet } from "../../src";
import * as dynamicClasses from "../../src";
import * as nativeClasses from "../../src/native";
import { configuredHooks } from "../support/configured-hooks";
import { emulatorForTests } from "../support/emulators";
import { failureOf } from "../support/failure";
import { nativeProcess, overHooks } from "../support/in-process/provider";
import type { ProviderProcess } from "../support/in-process/provider";
import { InProcessStack } from "../support/in-process/stack";

const emulator = emulatorForTests();
let stack: InProcessStack;
beforeEach(() => {
  stack = new InProcessStack({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl });
});

const rules = { "10.0.0.0/8": "allow", "192.0.2.0/24": "deny", "198.51.100.7": "allow" } as const;
const single = () => {
  const policy = new IpPolicy("office");
  for (const [cidr, action] of Object.entries(rules))
    new IpPolicyRule(cidr, { ipPolicyId: policy.id, cidr, action });
};
const held = () => emulator.snapshot().ip_policy_rules!.map(({ id, cidr, action }) => [id, cidr, action]);

it.each([true, false])("keeps the rules, which the set has adopted (exclusive: %s)", async (exclusive) => {
  const together = () =>
    new IpPolicyRuleSet("office", { ipPolicyId: new IpPolicy("office").id, rules, exclusive });
  await stack.up(single);
  const before = held();
  emulator.clearRequests();
  await stack.up(together);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(held()).toEqual(before);
  await stack.refresh();
  expect((await stack.preview(together)).changes).toEqual([]);
});

it("deletes the rules that the set does not name", async () => {
  await stack.up(single);
  const together = () =>
    new IpPolicyRuleSet("office", {
      ipPolicyId: new IpPolicy("office").id,
      exclusive: false,
      rules: { "10.0.0.0/8": "allow" },
    });
  await stack.up(together);
  expect(held().map(([, cidr]) => cidr)).toEqual(["10.0.0.0/8"]);
});

describe.each(["dynamic", "native"] as const)(
  "after an up that was killed during the removals (%s)",
  (door) => {
    const classes = door === "native" ? nativeClasses : dynamicClasses;
    let isKilled: boolean;
    let killed: InProcessStack;

    const singles = () => {
      const policy = new classes.IpPolicy("office");
      for (const [cidr, action] of Object.entries(rules))
        new classes.IpPolicyRule(cidr, { ipPolicyId: policy.id, cidr, action });
    };
    const set = (more: Partial<dynamicClasses.IpPolicyRuleSetArgs> = {}) => {
      const policy = new classes.IpPolicy("office");
      return new classes.IpPolicyRuleSet("rules", { ipPolicyId: policy.id, rules, ...more });
    };
    /** The plugin of an engine that is killed when it has one rule removed. */
    const plugin = async (settings: Readonly<Record<string, string>>): Promise<ProviderProcess> => {
      const real: ProviderProcess =
        door === "native"
          ? await nativeProcess(settings)
          : { providerOf: ({ type }) => overHooks(configuredHooks(type, settings)) };
      return {
        ...real,
        providerOf: (resource) => {
          const provider = real.providerOf(resource);
          const isLeft = ["192.0.2.0/24", "198.51.100.7"].some((cidr) => resource.urn.endsWith(cidr));
          const killedDelete = () => Promise.reject(new Error("killed"));
          return isKilled && isLeft ? { ...provider, delete: killedDelete } : provider;
        },
      };
    };

    beforeEach(() => {
      isKilled = false;
      killed = new InProcessStack({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl }, { plugin });
    });

    async function killDuring(program: () => unknown): Promise<void> {
      await killed.up(singles);
      isKilled = true;
      expect(String(await failureOf(killed.up(program)))).toContain("killed");
      isKilled = false;
      expect(Object.keys(killed.resources).sort()).toEqual([
        "192.0.2.0/24",
        "198.51.100.7",
        "office",
        "rules",
      ]);
      emulator.clearRequests();
    }
    const writes = () => emulator.requests.filter(({ method }) => method !== "GET");

    const variants: [string, Partial<dynamicClasses.IpPolicyRuleSetArgs>][] = [
      ["an exclusive set", {}],
      ["a set of its own ranges", { exclusive: false }],
      ["a summarized set", { summarize: true }],
    ];

    it.each(variants)("deletes no rule that %s holds", async (_, more) => {
      await killDuring(() => set(more));
      const before = held();
      await killed.up(() => set(more));
      expect(writes()).toEqual([]);
      expect(held()).toEqual(before);
      expect(Object.keys(killed.resources)).toEqual(["office", "rules"]);
      await killed.refresh();
      expect((await killed.preview(() => set(more))).changes).toEqual([]);
    });

    it.each(variants)("leaves the rules that the program has again, when %s leaves it", async (_, more) => {
      const again = ["192.0.2.0/24", "198.51.100.7"] as const;
      const some = () => {
        const policy = new classes.IpPolicy("office");
        for (const cidr of again)
          new classes.IpPolicyRule(cidr, { ipPolicyId: policy.id, cidr, action: rules[cidr] });
      };
      await killDuring(() => set(more));
      const before = held();
      await killed.up(some);
      expect(held()).toEqual(before.filter(([, cidr]) => cidr !== "10.0.0.0/8"));
      expect(writes().map(({ method }) => method)).toEqual(["DELETE"]);
      await killed.refresh();
      expect((await killed.preview(some)).changes).toEqual([]);
    });

    it("deletes the rules that the set gives up, once", async () => {
      await killDuring(() => set());
      await killed.up(() => set({ rules: { "192.0.2.0/24": "deny" } }));
      expect(held().map(([, cidr]) => cidr)).toEqual(["192.0.2.0/24"]);
      await killed.refresh();
      expect((await killed.preview(() => set({ rules: { "192.0.2.0/24": "deny" } }))).changes).toEqual([]);
    });

    it("deletes all of them with the set", async () => {
      await killDuring(() => set({ exclusive: false }));
      await killed.up(() => new classes.IpPolicy("office"));
      expect(held()).toEqual([]);
    });

    it("deletes everything in a destroy", async () => {
      await killDuring(() => set());
      await killed.destroy();
      expect(held()).toEqual([]);
      expect(emulator.snapshot().ip_policies).toEqual([]);
    });
  },
);
