/** Random programs of what decides who gets in: policies, their rules and sets, and what they guard. */
import type { WorldResource } from "../rounds/world";
import { Chance } from "../worlds/chance";
import type { Round, World } from "../worlds/plan";

/** Ranges that lie in each other, a half of each family, and one that embeds IPv4 addresses. */
const ranges = [
  ...["10.0.0.0/8", "10.1.0.0/16", "10.1.2.3/32", "0.0.0.0/1", "128.0.0.0/1", "203.0.113.0/24"],
  ...["2001:db8::/32", "8000::/1", "64:ff9b::a00:0/104"],
];
const policies = ["p1", "p2", "p3"];
const edges = ["e1", "e2"];

/** A world of this number: the names stay, and each round draws anew what they stand for. */
export function guardedWorldOf(seed: number, number: number): World {
  const chance = new Chance(seed * 100_003 + number);
  const rounds = Array.from({ length: 4 }, (): Round => {
    return { program: programOf(chance), byHand: [], command: "up", faults: [], logs: false };
  });
  return { seed, number, stamps: false, rounds };
}

function programOf(chance: Chance): WorldResource[] {
  const draw = (percent: number): boolean => chance.below(100) < percent;
  const some = <T>(all: readonly T[], percent: number): T[] => all.filter(() => draw(percent));
  const actionOf = (): string => (draw(75) ? "allow" : "deny");
  const existing = some(policies, 80);
  const rulesOf = (policy: string): WorldResource[] => {
    const ipPolicyId = `@${policy}`;
    if (draw(40)) {
      const rules = Object.fromEntries(some(ranges, 35).map((cidr) => [cidr, actionOf()]));
      return [{ name: `${policy}-set`, type: "IpPolicyRuleSet", args: { ipPolicyId, rules } }];
    }
    return some(ranges, 30).map((cidr) => ({
      ...{ name: `${policy} ${cidr}`, type: "IpPolicyRule" },
      args: { ipPolicyId, cidr, action: actionOf() },
    }));
  };
  const restriction = (): object => ({
    ipPolicyIds: some(existing, 50).map((policy) => `@${policy}`),
    ...(draw(30) && { enabled: draw(50) }),
  });
  return [
    ...existing.map((name) => ({ name, type: "IpPolicy", args: { description: name } })),
    ...existing.flatMap(rulesOf),
    ...some(edges, 80).map((name) => ({
      ...{ name, type: "TcpEdge" },
      args: draw(80) ? { ipRestriction: restriction() } : {},
    })),
    ...some(["m1"], 70).map((name) => ({
      ...{ name, type: "TlsEdgeIpRestriction" },
      args: { edgeId: `edgtls_${1 + chance.below(2)}`, ...restriction() },
    })),
  ] as WorldResource[];
}
