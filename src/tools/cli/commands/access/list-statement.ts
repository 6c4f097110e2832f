/** Proposed lists as the statements of the resources that have them in the program. */
import type { Proposal } from "../../../access/proposal";
import { isForeign } from "../../../access/policies";
import type { PolicyRanges } from "../../../access/policies";
import { nameOf, lineText } from "../../../access/access-answer";
import { policyPlaces } from "../../../access/place";
import { cidrOf } from "../../../../schema/addresses/address-set";
import { variables } from "../../../import/objects/naming";
import { slashes } from "../../../import/program/generated-file";
import {
  innerObjectLiteral,
  keyLiteral,
  listLiteral,
  objectLiteral,
  textLiteral,
} from "../../../import/program/literal";
import { newStatement } from "../../../import/program/statement";
import { formatted } from "../../../import/program/typescript";
import type { Inventory, InventoryObject } from "../../../inventory/inventory";
import { dynamicDoor, nativeDoor } from "../../../../program/door";
import { isNativeToken, nativeTokenPrefix } from "../../../../program/shim";
import { canonical } from "../../../../schema/formats/cidr";
import type { Json } from "../../../../schema/json";
import { hasUnknown, isRecord, membersOf, recordsIn } from "../../../../schema/unknown";
import { hasSecret } from "../../../stack/engine-secrets";
import { isChildOf } from "../../../../provider/urn";

export interface ListStatement {
  readonly text: string;
  /** The class, and the module that exports it. */
  readonly type: string;
  readonly module: string;
}

/** The resource that the program has to change. */
interface Target {
  readonly policy: InventoryObject & { readonly id: string };
  readonly set: InventoryObject & { readonly id: string };
  /** The entries of the set with the list, by range. */
  readonly rules: Json;
  /** The class of the statement: that of the set, or of its component. */
  readonly type: string;
}

/** A statement for each list, or the reason why there is none. */
export function statementsFor(
  proposals: readonly Proposal[],
  inventory: Inventory,
): (ListStatement | string)[] {
  const found = proposals.map((each) => each.problem ?? targetOf(each, inventory));
  const named = found.flatMap((each) => (typeof each === "string" ? [] : declaredIn(each)));
  const names = variables(named, new Set());
  const variableOf = new Map(named.map(({ object }, i) => [object, names[i]!]));
  return found.map((each) => (typeof each === "string" ? each : statementOf(each, variableOf)));
}

/** The set that declares all ranges of the only policy, or the reason why there is none. */
function targetOf(proposal: Proposal, inventory: Inventory): Target | string {
  const { replaced, unobserved, access } = proposal;
  const [ranges, ...others] = replaced;
  if (!ranges) return "it has no policy with allow rules yet: declare one with these ranges";
  if (others.length > 0) return `it has ${replaced.length} policies with allow rules: change them together`;
  const { policy, entries, name } = ranges;
  if (!policy || isForeign(ranges)) return `IpPolicy ${name} is managed elsewhere`;
  if (unobserved.length > 0) return `no log is of ${nameOf(unobserved[0]!.on)}, which has the same policy`;
  const elsewhere = otherUser(ranges, access, inventory);
  if (elsewhere) return `IpPolicy ${name} also guards ${nameOf(elsewhere)}, which has other policies too`;
  const [set, another] = new Set(entries.map(({ from }) => from));
  if (!set?.declaration.setOf || another)
    return `the rules of IpPolicy ${name} are not those of one rule set: declare one with these ranges`;
  const values = [set.args, policy.args];
  if (!hasId(policy) || !hasId(set) || ranges.possible.length > 0 || hasUnknown(values) || hasSecret(values))
    return `${nameOf(set)} has values that are secret, or not known before the deployment`;
  const isList = set.urn !== undefined && isChildOf(set.urn, listToken);
  const type = isList ? "IpAccessList" : set.declaration.type;
  return { policy, set, type, rules: rulesOf(proposal, set) };
}

const listToken = `${nativeTokenPrefix}IpAccessList`;

function hasId(object: InventoryObject): object is Target["set"] {
  return object.id !== undefined;
}

/** Another resource that uses the policy, but not the same set of policies. */
function otherUser(
  { key: wanted }: PolicyRanges,
  own: Proposal["access"],
  inventory: Inventory,
): InventoryObject | undefined {
  const users = policyPlaces(inventory, own.semantics).filter(({ access }) =>
    access.allPolicies.some(({ key }) => key === wanted),
  );
  return users.find(({ access }) => access !== own)?.on;
}

/** The remaining entries, and those of the list, with the program's values for the same ranges. */
function rulesOf({ ranges, staying }: Proposal, { args: { rules } }: InventoryObject): Json {
  const entries = Array.isArray(rules)
    ? recordsIn(rules).map(({ cidr, ...entry }) => [cidr as string, entry] as const)
    : Object.entries(membersOf(rules));
  const given = new Map(entries.map(([cidr, entry]) => [canonical(cidr), entry]));
  return Object.fromEntries([
    ...ranges.map((block) => [cidrOf(block), allowing(given.get(cidrOf(block)))] as const),
    ...staying.map(({ block }) => [cidrOf(block), given.get(cidrOf(block))] as const),
  ]);
}

/** An entry that allows its range without expiry. */
function allowing(entry: unknown): unknown {
  if (!isRecord(entry) || entry.action !== "allow") return "allow";
  const { until: _, ...endless } = entry;
  return endless;
}

/** The resources whose variables the statement uses. Only a plain name makes a good variable. */
function declaredIn({ policy, set, type }: Target) {
  const own = { object: set, type };
  const all =
    type === set.declaration.type ? [{ object: policy, type: policy.declaration.type }, own] : [own];
  return all.map(({ object, type: of }) => {
    const name = object.name.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
    return { object, id: object.id, type: of, name };
  });
}

function statementOf(target: Target, variableOf: ReadonlyMap<InventoryObject, string>): ListStatement {
  const { policy, set, rules, type } = target;
  const variable = variableOf.get(set)!;
  const line = lineText(set);
  const refer = (id: string): string | undefined => (id === policy.id ? variableOf.get(policy) : undefined);
  const code =
    type === "IpAccessList"
      ? formatted(
          `const ${variable} = new IpAccessList(${textLiteral(set.name)}, ${listArguments(target)});\n`,
        )
      : newStatement(
          { ...set, variable, args: { ...set.args, rules } },
          { refer, protect: false },
        ).text.replace(/^export (?=const )/m, "");
  const text = `${slashes(`In place of the statement${line === undefined ? "" : ` at ${line}`}; keep its resource options.`)}\n${code}`;
  const isNative = set.record !== undefined && isNativeToken(set.record.type);
  return { text, type, module: (isNative ? nativeDoor : dynamicDoor).module };
}

function listArguments({ policy, set, rules }: Target): string {
  const { description, metadata } = policy.args;
  const { summarize, extraRulesPercent } = set.args;
  const lists = ["allow", "deny"].flatMap((action) => {
    const entries = Object.entries(rules).flatMap(([cidr, entry]) => {
      const { action: own, ...more } = isRecord(entry) ? entry : { action: entry };
      if (own !== action) return [];
      const isPlain = Object.keys(more).length === 0;
      return isPlain ? textLiteral(cidr) : innerObjectLiteral(members({ cidr, ...more }));
    });
    return entries.length === 0 ? [] : [`${action}: ${listLiteral(entries)},`];
  });
  return objectLiteral([...members({ description, metadata, summarize, extraRulesPercent }), ...lists]);
}

/** The members of plain values, without undefined ones. */
function members(values: Json): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [
      `${keyLiteral(name)}: ${typeof value === "string" ? textLiteral(value) : JSON.stringify(value)},`,
    ];
  });
}
