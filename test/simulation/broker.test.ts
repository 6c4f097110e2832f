/**
 * A deployment of what was approved, in which the broker, the plugin or all of Pulumi dies at each of its writes. What the log
 * says is enough to repair the stack and to continue without another review.
 */
import "./machine/entropy";
import type { WorldResource } from "../rounds/world";
import { continued, victims } from "./broken-deployments";
import type { Continued, Victim } from "./broken-deployments";
import { BrokenWorlds } from "./broken-worlds";
import { leave } from "./machine/entropy";
import { rehearsedWorld } from "./rehearsals";

afterAll(leave);

const of = (type: string, name: string, args: WorldResource["args"]): WorldResource => ({ type, name, args });
const rule = (name: string, policy: string, cidr: string): WorldResource =>
  of("IpPolicyRule", name, { ipPolicyId: `@${policy}`, cidr, action: "allow" });
const edge = (...ipPolicyIds: string[]): WorldResource =>
  of("TcpEdge", "database", {
    hostports: ["1.tcp.example.com:5001"],
    ipRestriction: { enabled: true, ipPolicyIds },
  });

/** A set that gets a deny rule inside of a new allow rule, loses a rule, and turns one. */
const set = (rules: Record<string, string>): WorldResource[] => [
  of("IpPolicy", "lab", { description: "lab" }),
  of("IpPolicyRuleSet", "ranges", { ipPolicyId: "@lab", rules }),
];

const before = [
  ...set({ "192.0.2.0/24": "allow", "10.8.0.0/16": "allow", "10.9.0.0/16": "allow" }),
  of("IpPolicy", "office", { description: "office" }),
  rule("berlin", "office", "203.0.113.0/24"),
  rule("old", "office", "198.51.100.0/24"),
  edge("@office"),
];
const after = [
  ...set({ "192.0.2.0/24": "allow", "10.9.0.0/16": "deny", "10.0.0.0/8": "allow", "10.1.0.0/16": "deny" }),
  of("IpPolicy", "office", { description: "office networks" }),
  rule("berlin", "office", "203.0.113.0/25"),
  of("IpPolicy", "vpn", { description: "vpn" }),
  rule("one", "vpn", "10.1.0.0/16"),
  rule("two", "vpn", "10.2.0.0/16"),
  edge("@office", "@vpn"),
  of("ApiKey", "monitoring", { description: "monitoring" }),
];
const writes = 14;

async function broken(victim: Victim, write: number): Promise<Continued> {
  const world = { seed: write, number: 1, stamps: false, rounds: [] };
  return (await continued({ world, before, after }, victim, () => write))!;
}

describe.each(victims)("where it dies: %s", (victim) => {
  const each = Array.from({ length: writes }, (_, i) => i + 1);

  it.each(each)("at write %d, the log is enough to repair the stack and to continue", async (write) => {
    const { ended, logged, last, refused, left, account, rehearsed } = await broken(victim, write);
    expect(ended).not.toBe("well");
    expect(logged).toBeGreaterThanOrEqual(write);
    expect({ last, refused, left }).toEqual({ last: "well", refused: [], left: [] });
    expect(account).toEqual(rehearsed);
  });
});

it("takes as many writes as there are moments", async () => {
  const { ended, logged, last, refused, left, account, rehearsed } = await broken("Pulumi", writes + 1);
  expect([ended, logged]).toEqual(["well", writes]);
  expect({ last, refused, left }).toEqual({ last: "well", refused: [], left: [] });
  expect(account).toEqual(rehearsed);
});

it("resumes an update with a secret that was done and whose answer was lost, which only the program can send", async () => {
  const broken = new BrokenWorlds();
  expect(await broken.add(rehearsedWorld(404201, 113))).toEqual([]);
  expect(broken.deployments).toBeGreaterThan(0);
});

it("resumes the deployments of random worlds, except those that are known", async () => {
  const broken = new BrokenWorlds();
  const findings: string[] = [];
  for (let number = 18; number <= 26; number++)
    findings.push(...(await broken.add(rehearsedWorld(9, number))));
  expect(findings).toEqual([]);
  expect(broken.deployments).toBeGreaterThan(8);
  expect(Object.fromEntries(broken.known)).toEqual({});
});
