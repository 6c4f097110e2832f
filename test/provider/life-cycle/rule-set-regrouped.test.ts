/** The rules of a set that follow the ends of its entries, and a change that was not completed. */
import type { FaultRule } from "../../../src/emulator/types";
import { rulesOfEnded } from "../../../src/provider/rule-set/sent-rules";
import type { Json } from "../../../src/schema/json";
import { recordedState } from "../../../src/schema/recorded-state";
import { rulesByRange } from "../../../src/schema/rule-set";
import { emulatorForTests } from "../../support/emulators";
import { failureOf } from "../../support/failure";
import { plain } from "../../support/in-process/values";
import { Plugin } from "../../support/plugin";

const type = "IpPolicyRuleSet";
const emulator = emulatorForTests();
let ipPolicyId: string;
beforeEach(async () => {
  ipPolicyId = (await Plugin.for(emulator).create("IpPolicy", {})).id;
});

const hour = 3_600_000;
const inHours = (hours: number): string =>
  new Date(Date.now() + hours * hour).toISOString().slice(0, 19) + "Z";
const allow = (until?: string): Json => ({ action: "allow", ...(until !== undefined && { until }) });
const held = (): string[] =>
  emulator
    .snapshot()
    .ip_policy_rules!.map(({ cidr, action }) => `${String(cidr)} ${String(action)}`)
    .sort();

/** Deployments of a set, one after the other, each with a process of its own. */
class Deployed {
  state: Json = {};
  private inputs: Json = {};
  constructor(private readonly more: Json) {}

  private async checked(rules: Json): Promise<Json> {
    const news = { ipPolicyId, rules, ...this.more };
    return plain((await Plugin.for(emulator).hooks(type).check(this.inputs, news)).inputs);
  }

  async create(rules: Json): Promise<this> {
    this.inputs = await this.checked(rules);
    this.state = (await Plugin.for(emulator).create(type, this.inputs)).state;
    return this;
  }

  async changes(rules: Json): Promise<boolean> {
    const inputs = await this.checked(rules);
    return (
      (await Plugin.for(emulator).hooks(type).differences(ipPolicyId, this.state, inputs)).changes !== false
    );
  }

  async up(rules: Json): Promise<void> {
    const inputs = await this.checked(rules);
    try {
      this.state = await Plugin.for(emulator).update(type, ipPolicyId, this.state, inputs);
      this.inputs = inputs;
    } catch (error) {
      const { properties } = error as { properties?: Json };
      if (properties) this.state = plain(properties);
      throw error;
    }
  }

  async refresh(): Promise<void> {
    this.state = (await Plugin.for(emulator).read(type, ipPolicyId, this.state)).state;
  }
}

const [low, high] = ["10.0.0.0/25", "10.0.0.128/25"];

describe("an end of an entry", () => {
  it("that is taken out of a summarized set lets its rule be one with the others", async () => {
    const set = await new Deployed({ summarize: true }).create({ [low]: allow(inHours(9)), [high]: allow() });
    expect(held()).toEqual([`${low} allow`, `${high} allow`]);
    await set.up({ [low]: allow(), [high]: allow() });
    expect(held()).toEqual(["10.0.0.0/24 allow"]);
  });

  it.each<[string, Json]>([
    ["a set", {}],
    ["a set of its own ranges", { exclusive: false }],
    ["a summarized set", { summarize: true }],
  ])(
    "that is later or taken out of %s brings back a rule that expire has deleted, whatever the clocks are",
    async (_, more) => {
      for (const later of [inHours(9), undefined]) {
        const set = await new Deployed(more).create({ [low]: allow(inHours(5)), "192.0.2.0/24": "allow" });
        const { id } = emulator.snapshot().ip_policy_rules!.find(({ cidr }) => cidr === low)!;
        await Plugin.for(emulator).hooks("IpPolicyRule").delete(String(id));
        await set.up({ [low]: allow(later), "192.0.2.0/24": "allow" });
        expect(held()).toEqual([`${low} allow`, "192.0.2.0/24 allow"]);
        await Plugin.for(emulator).hooks(type).delete(ipPolicyId, set.state);
      }
    },
  );

  it("that is earlier sends nothing", async () => {
    const set = await new Deployed({}).create({ [low]: allow(inHours(9)) });
    emulator.clearRequests();
    await set.up({ [low]: allow(inHours(5)) });
    expect(emulator.requests).toEqual([]);
  });

  it("that is earlier for one of two entries of a summarized set gives the other one a rule of its own", async () => {
    const set = await new Deployed({ summarize: true }).create({
      [low]: allow(inHours(9)),
      [high]: allow(inHours(9)),
    });
    expect(held()).toEqual(["10.0.0.0/24 allow"]);
    await set.up({ [low]: allow(inHours(5)), [high]: allow(inHours(9)) });
    expect(held()).toContain(`${high} allow`);
  });

  it.each([0, 1000])(
    "that an entry of a summarized set gets or loses changes its rules at once (%d %% more)",
    async (percent) => {
      const more = { summarize: true, extraRulesPercent: percent };
      const lasting = { [low]: "allow", [high]: "allow" };
      const ending = { [low]: "allow", [high]: allow(inHours(5)) };
      const set = await new Deployed(more).create(lasting);
      expect(held()).toEqual(["10.0.0.0/24 allow"]);
      expect(await set.changes(ending)).toBe(true);
      await set.up(ending);
      // The rule of the ending entry may stand for the other one too, which has its own.
      expect(held()).toEqual(["10.0.0.0/24 allow", `${low} allow`]);
      const left = rulesByRange({ rules: { [low]: "allow" } });
      expect(rulesOfEnded(recordedState(set.state), left).map(({ cidr }) => cidr)).toEqual(["10.0.0.0/24"]);
      expect(await set.changes(ending)).toBe(false);
      await set.up(lasting);
      if (percent === 0) expect(held()).toEqual(["10.0.0.0/24 allow"]);
      expect(await set.changes(lasting)).toBe(false);
      await set.refresh();
      expect(await set.changes(lasting)).toBe(false);
    },
  );
});

it("a rule that somebody has made within the ranges of a summarized set fails no update of it", async () => {
  const set = await new Deployed({ summarize: true, extraRulesPercent: 0 }).create({
    [low]: "allow",
    [high]: "allow",
  });
  await Plugin.for(emulator).create("IpPolicyRule", { ipPolicyId, cidr: low, action: "allow" });
  await set.up({ [low]: "allow", [high]: "allow", "192.0.2.0/24": "allow" });
  expect(held()).toEqual([`${high} allow`, `${low} allow`, "192.0.2.0/24 allow"].sort());
});

describe("a deletion that was refused in a summarized set", () => {
  const more = { summarize: true, extraRulesPercent: 0 };
  const refused: FaultRule = { kind: "status", status: 422, method: "DELETE", path: "/ip_policy_rules" };

  it.each([false, true])("is repaired by the next up (with a refresh before it: %s)", async (refreshes) => {
    const set = await new Deployed(more).create({ [low]: "allow" });
    emulator.setFaults({ rules: [{ ...refused, times: 1 }] });
    const both = { [low]: "allow", [high]: "allow" };
    expect((await failureOf(set.up(both))).message).toContain("the next pulumi up repairs it");
    emulator.setFaults();
    expect(held()).toEqual(["10.0.0.0/24 allow", `${low} allow`]);
    if (refreshes) await set.refresh();
    expect(await set.changes(both)).toBe(true);
    await set.up(both);
    expect(held()).toEqual(["10.0.0.0/24 allow"]);
    expect(await set.changes(both)).toBe(false);
  });
});
