import { declarationOf } from "../../../src/resources/registry";
import { withoutEndTimes } from "../../../src/schema/entry-ends";
import { unknown } from "../../../src/schema/unknown";
import { recorded } from "../../support/recorded";

export interface PreviewRule {
  readonly name: string;
  readonly policy: string;
  readonly action: "allow" | "deny";
  readonly cidr: string;
}

/** Policies, the rules and sets that declare their ranges, and the edges that they guard. */
export interface Network {
  readonly policies: readonly string[];
  readonly rules: readonly PreviewRule[];
  /** Rules of a policy as one IpPolicyRuleSet, by policy. */
  readonly sets?: Readonly<Record<string, Readonly<Record<string, "allow" | "deny">>>>;
  readonly edges: Readonly<Record<string, readonly string[]>>;
  /** The edges whose restriction is disabled. */
  readonly off?: readonly string[];
}

type Inputs = Readonly<Record<string, unknown>>;
interface Declared {
  readonly type: string;
  readonly name: string;
  readonly inputs: Inputs;
  readonly dependencies: Readonly<Record<string, string[]>>;
}

const urn = (type: string, name: string): string =>
  `urn:pulumi:test::network::pulumi-nodejs:dynamic/tunnel-gateway:${type}::${name}`;

/** What `pulumi preview --json --show-sames` prints for a change from one network to another. */
export function previewOf(before: Network, after: Network): string {
  const existing = new Set(before.policies);
  const idOf = (policy: string): string => (existing.has(policy) ? `ipp_${policy}` : unknown);
  const [olds, news] = [before, after].map((network) => new Map(declared(network, idOf)));
  const urns = [...new Set([...olds!.keys(), ...news!.keys()])];
  const steps = urns.map((each) => step(each, olds!.get(each), news!.get(each)));
  return JSON.stringify(recorded({ steps, changeSummary: {} }));
}

function declared(network: Network, idOf: (policy: string) => string): [string, Declared][] {
  const all: Omit<Declared, "dependencies">[] = [
    ...network.policies.map((name) => ({ type: "IpPolicy", name, inputs: {} })),
    ...network.rules.map(({ name, policy, action, cidr }) => ({
      ...{ type: "IpPolicyRule", name },
      inputs: { action, cidr, ipPolicyId: idOf(policy) },
    })),
    ...Object.entries(network.sets ?? {}).map(([policy, rules]) => ({
      ...{ type: "IpPolicyRuleSet", name: `set-${policy}` },
      inputs: { ipPolicyId: idOf(policy), rules },
    })),
    ...Object.entries(network.edges).map(([name, policies]) => ({
      ...{ type: "TcpEdge", name },
      inputs: {
        ipRestriction: {
          ipPolicyIds: policies.map(idOf),
          ...(network.off?.includes(name) && { enabled: false }),
        },
      },
    })),
  ];
  const policyOf = new Map<string, string[]>([
    ...network.rules.map(({ name, policy }): [string, string[]] => [name, [policy]]),
    ...Object.keys(network.sets ?? {}).map((policy): [string, string[]] => [`set-${policy}`, [policy]]),
    ...Object.entries(network.edges).map(([name, policies]): [string, string[]] => [name, [...policies]]),
  ]);
  return all.map((each) => {
    const policies = (policyOf.get(each.name) ?? []).map((policy) => urn("IpPolicy", policy));
    const field = each.type === "TcpEdge" ? "ipRestriction" : "ipPolicyId";
    const dependencies = each.type === "IpPolicy" ? {} : { [field]: policies };
    return [urn(each.type, each.name), { ...each, dependencies }];
  });
}

function step(each: string, old: Declared | undefined, next: Declared | undefined): object {
  const id = each.includes(":IpPolicy::")
    ? `ipp_${each.split("::").at(-1)!}`
    : `id_${each.split("::").at(-1)!}`;
  const oldState = old && {
    ...{ id, inputs: old.inputs, propertyDependencies: old.dependencies },
    outputs: {
      ...withoutEndTimes(declarationOf(old.type).fields, old.inputs),
      __args: Object.keys(old.inputs),
    },
  };
  const newState = next && { id, inputs: next.inputs, outputs: {}, propertyDependencies: next.dependencies };
  return { op: opOf(old, next), urn: each, oldState, newState };
}

function opOf(old: Declared | undefined, next: Declared | undefined): string {
  if (!old) return "create";
  if (!next) return "delete";
  if (JSON.stringify(old.inputs) === JSON.stringify(next.inputs)) return "same";
  const replaces = ["action", "ipPolicyId"].some((name) => old.inputs[name] !== next.inputs[name]);
  return replaces ? "replace" : "update";
}
