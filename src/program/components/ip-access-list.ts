import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../schema/sdk";
import { checkArguments } from "../../schema/validate";
import type { Problem } from "../../schema/validate";
import type { Fields } from "../../schema/field";
import { memberFields } from "../../schema/walk";
import { isAbsent, isRecord } from "../../schema/unknown";
import { moduleName } from "../shim";
import { IpPolicy, IpPolicyRuleSet } from "../../resources";
import type { IpPolicyRuleSetArgs } from "../../resources";
import { declarationOf } from "../../resources/registry";
import { report } from "../program-errors";
import { visible } from "../program-arguments";
import { firstLines, most10 } from "../../schema/text/phrase";
import { nested, blockOf } from "../../schema/addresses/block";
import type { Nested, Block } from "../../schema/addresses/block";
import type { RuleAction } from "../../schema/rule-set";
import { canonical, problem } from "../../schema/formats/cidr";

/** One range of an {@link IpAccessList}, with a description. */
export interface IpAccessListEntry {
  /**
   * An IPv4 or IPv6 address, or a range as a network address with its mask. Plain text, not an Output: the range is
   * the key of its rule.
   */
  cidr: string;
  /** What the range is. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /**
   * When the rule of the range ends, RFC 3339. The first deployment from that time on removes the rule, or
   * `tunnel-gateway expire`, which runs no program. Until then the rule stands.
   * Default: it does not end. If removed: it does not end.
   */
  until?: pulumi.Input<string>;
}

/** The arguments of an {@link IpAccessList}. */
export interface IpAccessListArgs {
  /**
   * The addresses and ranges to allow, in any order: each as text such as `203.0.113.0/24`, or with a description.
   * Default: none. If removed: their rules are removed.
   */
  allow?: (string | IpAccessListEntry)[];
  /**
   * The addresses and ranges to deny, in any order: each as text such as `198.51.100.7`, or with a description.
   * Default: none. If removed: their rules are removed.
   */
  deny?: (string | IpAccessListEntry)[];
  /** What the source addresses of the policy are. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /**
   * Machine-readable data of your own, kept at the policy. At most 4096 bytes. Default: none. If removed: cleared.
   */
  metadata?: pulumi.Input<string>;
  /**
   * Whether the policy holds the fewest rules that allow and deny the same addresses, instead of one for each range. See
   * {@link IpPolicyRuleSet}. Default: false. If removed: its default again.
   */
  summarize?: pulumi.Input<boolean>;
  /**
   * How many percent more rules than the fewest the policy may hold with `summarize`, a whole number from 0 to 1000.
   * Default: 25. If removed: its default again.
   */
  extraRulesPercent?: pulumi.Input<number>;
}

/**
 * An {@link IpPolicy} and its rules, from lists of ranges. The rules are one {@link IpPolicyRuleSet}, so the policy
 * holds these ranges and no others.
 *
 * ## Example: who may reach a database
 *
 * ```typescript
 * import { IpAccessList, TcpEdge } from "pulumi-tunnel-gateway";
 *
 * const staff = new IpAccessList("staff", {
 *   description: "offices and the build machines",
 *   allow: ["203.0.113.0/24", { cidr: "2001:db8:12::/48", description: "Berlin" }],
 *   deny: ["198.51.100.7/32"],
 * });
 * new TcpEdge("database", { ipRestriction: { ipPolicyIds: [staff.policyId] } });
 * ```
 *
 * Another order or spelling changes nothing, and a range that moves from `allow` to `deny` replaces only its own rule.
 * A range that repeats, or is in both lists, is an error; a range inside another one is a warning, with `summarize`
 * only if its action differs. A preview shows both.
 *
 * Specification: IP policy, and IP policy rule.
 */
export class IpAccessList extends sdk.ComponentResource {
  /**
   * The id of the policy (`ipp_…`), for edges that restrict traffic by it. It is an output of the rule set, so whatever
   * uses it changes after the rules.
   */
  readonly policyId: pulumi.Output<string>;
  /** The policy. */
  readonly policy: IpPolicy;
  /** All rules as one resource. */
  readonly ruleSet: IpPolicyRuleSet;

  /** @internal The classes of its resources. */
  static readonly parts = { policy: IpPolicy, ruleSet: IpPolicyRuleSet };

  /** Whether the value is an IpAccessList, from any copy of this package. */
  static override isInstance(value: unknown): value is IpAccessList {
    return isRecord(value) && value.__pulumiType === type;
  }

  /**
   * @param name the resource's name in the program, and the first part of its children's names.
   * @param args the ranges.
   * @param opts Pulumi's resource options; the children inherit `provider`.
   */
  constructor(name: string, args: IpAccessListArgs, opts?: pulumi.ComponentResourceOptions) {
    super(type, name, {}, opts);
    const { entries, problems } = read(args);
    const { valid, problems: rangeProblems } = validate(entries);
    const allProblems = [...problems, ...rangeProblems];
    const isValid = allProblems.length === 0;
    const { description, metadata } = isValid
      ? args
      : // It never gets a value, so an invalid list registers nothing: its rules wait for the policy.
        { description: report("IpAccessList", name, allProblems).__invalid, metadata: undefined };
    const { summarize, extraRulesPercent } = args;
    const rules = isValid ? { rules: ruleMap(valid), summarize, extraRulesPercent } : { rules: {} };

    const child = { parent: this };
    const { policy: Policy, ruleSet: RuleSet } = new.target.parts;
    this.policy = new Policy(name, { description, metadata }, child);
    this.ruleSet = new RuleSet(name, { ipPolicyId: this.policy.id, ...rules }, child);
    this.policyId = this.ruleSet.ipPolicyId;
    const inside = nested(valid, ({ block }) => block);
    const isNoted = ({ inner, outer }: Nested<ValidRange>): boolean =>
      summarize !== true || inner.action !== outer.action;
    const warning = warningOf(inside.filter(isNoted));
    if (warning !== undefined && isValid) void sdk.log.warn(warning, this);
    this.registerOutputs({ policyId: this.policyId });
  }
}

function ruleMap(valid: readonly ValidRange[]): IpPolicyRuleSetArgs["rules"] {
  return Object.fromEntries(
    valid.map(({ canonical, action, description, until }) => [
      canonical,
      description === undefined && until === undefined ? action : { action, description, until },
    ]),
  );
}

const type = `${moduleName}:index:IpAccessList`;

const rule = memberFields(declarationOf("IpPolicyRuleSet").fields.rules!);
const described: Fields = { description: rule.description!, until: rule.until! };
const arguments_: Fields = {
  // Only their names count, for the message about an unknown argument: `read` checks the ranges.
  allow: rule.description!,
  deny: rule.description!,
  description: declarationOf("IpPolicy").fields.description!,
  metadata: declarationOf("IpPolicy").fields.metadata!,
  summarize: declarationOf("IpPolicyRuleSet").fields.summarize!,
  extraRulesPercent: declarationOf("IpPolicyRuleSet").fields.extraRulesPercent!,
};

/** The ranges that the program gives, and the mistakes that the compiler cannot see. */
function read({ allow, deny, ...rest }: IpAccessListArgs): { entries: GivenRange[]; problems: Problem[] } {
  const problems = checkArguments(arguments_, [], visible(rest), {});
  const add = (path: string, clause: string): void => void problems.push({ path, clause });
  const entries: GivenRange[] = [];
  for (const [action, list] of Object.entries({ allow, deny }) as [RuleAction, unknown][]) {
    if (isAbsent(list)) continue;
    if (!Array.isArray(list)) {
      add(action, sdk.isLater(list) ? noOutput("the list") : "must be a list");
      continue;
    }
    list.forEach((given: unknown, i) => {
      const path = `${action}[${i}]`;
      if (typeof given === "string") return void entries.push({ action, path, cidr: given });
      if (sdk.isLater(given)) return add(path, noOutput("a range"));
      if (!isRecord(given))
        return add(path, "must be a range in CIDR notation, an IP address or {cidr, description, until}");
      const { cidr, ...others } = given as Record<string, unknown> &
        Pick<IpAccessListEntry, "description" | "until">;
      const wrong = checkArguments(described, [], visible(others), {});
      for (const each of wrong) problems.push({ ...each, path: `${path}.${each.path}` });
      const at = `${path}.cidr`;
      if (sdk.isLater(cidr)) add(at, noOutput("a range"));
      else if (typeof cidr !== "string") add(at, "must be a range in CIDR notation or an IP address");
      else entries.push({ action, path: at, cidr, description: others.description, until: others.until });
    });
  }
  return { entries, problems };
}

function noOutput(what: string): string {
  return (
    `must not be an Output: ${what} makes the keys of the rules, which a program must know when it runs; pass ` +
    `plain text, for example from config.requireObject, or use an IpPolicyRuleSet with a list of rules`
  );
}

function warningOf(found: readonly Nested<ValidRange>[]): string | undefined {
  if (found.length === 0) return undefined;
  const lines = found.map(({ inner, outer }) => line(inner, outer));
  return ["ranges inside other ranges:", ...firstLines(lines, most10)].join("\n  ");
}

const past = { allow: "allowed", deny: "denied" } as const;

function line(inner: ValidRange, outer: ValidRange): string {
  const where = `${inner.path}: ${inner.canonical} is inside ${outer.canonical} at ${outer.path}`;

  return inner.action === outer.action
    ? `${where} and has no effect: the action of both is ${inner.action}`
    : `${where}: one range is ${past[inner.action]}, the other ${past[outer.action]}; check that the service does what you expect`;
}

/** One range as the program gives it. */
interface GivenRange {
  readonly action: RuleAction;
  /** The path of the argument: `allow[3]` or `deny[0].cidr`. */
  readonly path: string;
  readonly cidr: string;
  readonly description?: pulumi.Input<string>;
  readonly until?: pulumi.Input<string>;
}

/** A valid range. */
interface ValidRange extends GivenRange {
  readonly canonical: string;
  readonly block: Block;
}

/** The valid ranges in the program's order, each once, and what is wrong with the others. */
export function validate(entries: readonly GivenRange[]): { valid: ValidRange[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const first = new Map<string, ValidRange>();
  for (const entry of entries) {
    const { path, cidr, action } = entry;
    const block = blockOf(cidr);
    if (block === undefined) {
      problems.push({
        path,
        clause: `must be a network address in CIDR notation or an IP address; ${problem(cidr) ?? ""}`,
      });
      continue;
    }
    const spelling = canonical(cidr);
    const twin = first.get(spelling);
    if (twin === undefined) first.set(spelling, { ...entry, canonical: spelling, block });
    else problems.push({ path, clause: repeated(action, spelling, twin) });
  }
  return { valid: [...first.values()], problems };
}

function repeated(action: RuleAction, spelling: string, twin: GivenRange): string {
  return twin.action === action
    ? `repeats ${spelling}, which is already at ${twin.path}`
    : `${spelling} is also at ${twin.path}; a range is either allowed or denied`;
}
