/**
 * The rules of policies as the export of a stack records them: in states, in the inputs of the last deployment, and in the
 * inputs of steps that a running or killed deployment has begun.
 */
import type { AddressSet } from "../../schema/addresses/address-set";
import type { InventoryObject } from "../inventory/inventory";
import { settingsOfProvider } from "../inventory/providers";
import { identityOf } from "../stack/engine-identity";
import type { ExportedState, NeededSecrets, StackContents } from "../inventory/stack";
import { addressSetOf } from "../../provider/rule-set/rule-plan";
import { rulesOfEnded } from "../../provider/rule-set/sent-rules";
import type { Declaration } from "../../schema/declaration";
import { canonical } from "../../schema/formats/cidr";
import type { Json } from "../../schema/json";
import { withMaps } from "../../schema/listed";
import { localPart } from "../../schema/local";
import { argumentsIn, recordedState } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { declaresRules, endsByRange, isSummarized, ruleOf, rulesByRange } from "../../schema/rule-set";
import type { RuleValues } from "../../schema/rule-set";
import { asText } from "../../schema/unknown";

/** An entry of a set, or a single rule. */
interface Entry {
  readonly rule: RuleValues;
  /** When it ends, in milliseconds since 1970; Infinity if it does not. */
  readonly end: number;
}

/** A rule of a policy that the state of a set records and that has ended. */
export interface EndedRule {
  readonly set: Pick<InventoryObject, "declaration" | "urn" | "name" | "provider">;
  readonly policy: string;
  readonly cidr: string;
  readonly action: string;
  /** When it ended, in milliseconds since 1970; the last end if it stands for several entries. */
  readonly end: number;
  /** Whether other entries may need it too: a rule of a summarized set may stand for several. */
  readonly mayBeShared: boolean;
}

/** An entry of a resource's state or last inputs; without a URN, of a step that a deployment has begun. */
interface Claim extends Entry {
  readonly policy: string;
  readonly urn: string | undefined;
}

/** A set or a single rule in a state or a begun step: its outputs, and its inputs, which may be newer. */
interface RecordedRules {
  readonly from: ExportedState;
  readonly declaration: Declaration;
  readonly state: RecordedState;
  readonly args: Json;
  /** The part with the ends of the entries of the outputs. */
  readonly local: Json;
}

/** A set as its state records it. */
interface RecordedSet extends Pick<EndedRule, "set" | "policy"> {
  readonly state: RecordedState;
  readonly entries: readonly Entry[];
  /** The ranges of the inputs of the last deployment. */
  readonly given: ReadonlySet<string>;
}

/** The values that are needed in plaintext: rules, and the settings of providers. */
export const neededForRules: NeededSecrets = (resource, operation) => {
  const identity = identityOf(resource);
  if (identity.kind === "own" && declaresRules(identity.declaration))
    return [resource.inputs, resource.outputs];
  return settingsOfProvider()(resource, operation);
};

export class StackRules {
  private readonly sets: readonly RecordedSet[];
  /** All rules that the stack has or is about to have, by policy. */
  private readonly claims: ReadonlyMap<string, readonly Claim[]>;

  /** @param contents the stack, with the secrets of {@link neededForRules} in plaintext. */
  constructor(readonly contents: StackContents) {
    const recorded = contents.states
      .filter(({ state, operation }) => !state.external && operation !== "deleting")
      .flatMap(recordedRules);
    this.claims = Map.groupBy(recorded.flatMap(claimsOf), ({ policy }) => policy);
    this.sets = recorded.flatMap(recordedSet);
  }

  /** The URNs of the providers of sets that have entries with an end; undefined for the default one. */
  get endingProviders(): ReadonlySet<string | undefined> {
    const ending = this.sets.filter((set) => unconfirmed(set).some(({ end }) => end !== Infinity));
    return new Set(ending.map(({ set }) => set.provider));
  }

  /** The rules of a provider's sets that had ended at a time, in milliseconds since 1970. */
  endedAt(time: number, provider: string | undefined): EndedRule[] {
    return this.sets.filter(({ set }) => set.provider === provider).flatMap((each) => endedOf(each, time));
  }

  /** The policies of the sets of providers, with the declaration that reads each. */
  policiesOf(providers: readonly (string | undefined)[]): ReadonlyMap<string, Declaration> {
    const sets = this.sets.filter(({ set }) => providers.includes(set.provider));
    return new Map(sets.map(({ policy, set }) => [policy, set.declaration]));
  }

  /**
   * Whether the stack has or is about to have an entry for the range that has not ended at the time, of this action or any.
   * An entry of the rule's set counts only if the set is not summarized: else other rules may stand for the entry.
   */
  isClaimed({ policy, cidr, set, mayBeShared }: EndedRule, time: number, action?: string): boolean {
    const same = this.standingIn(policy, time).filter(
      ({ rule, urn }) => rule.cidr === cidr && !(mayBeShared && urn === set.urn),
    );
    return same.some(({ rule }) => action === undefined || rule.action === action);
  }

  /** The addresses of the entries with an action that have not ended at the time. */
  addresses({ policy, action }: Pick<EndedRule, "policy" | "action">, time: number): AddressSet {
    return addressSetOf(
      this.standingIn(policy, time).flatMap(({ rule }) => (rule.action === action ? [rule] : [])),
    );
  }

  private standingIn(policy: string, time: number): Claim[] {
    return (this.claims.get(policy) ?? []).filter(({ end }) => end > time);
  }
}

function recordedRules(from: ExportedState): RecordedRules[] {
  const { identity } = from.state;
  const { declaration } = identity.kind === "own" ? identity : {};
  if (!declaration || !declaresRules(declaration)) return [];
  const state = recordedState(from.outputs());
  const args = withMaps(declaration.fields, argumentsIn(from.inputs()));
  // States of earlier versions record no ends; the inputs do.
  return [{ from, declaration, state, args, local: state.local ?? localPart(declaration.fields, args) }];
}

function recordedSet({ from, declaration, state, args, local }: RecordedRules): RecordedSet[] {
  const { managed: set } = from;
  if (declaration.setOf === undefined || set?.id === undefined) return [];
  const entries = entriesOf(declaration, state.outputs, local);
  return [{ set, policy: set.id, state, entries, given: new Set(rulesByRange(args).keys()) }];
}

/**
 * The entries that the account may have. An entry of the state that the last deployment left out without an update is gone:
 * its preview found that the account does not have it.
 */
function unconfirmed({ state, entries, given }: RecordedSet): readonly Entry[] {
  return state.mark === undefined ? entries.filter(({ rule }) => given.has(rule.cidr)) : entries;
}

function endedOf(recorded: RecordedSet, time: number): EndedRule[] {
  const { set, policy, state, entries } = recorded;
  const ended = unconfirmed(recorded).filter(({ end }) => end <= time);
  if (ended.length === 0) return [];
  if (!isSummarized(state.outputs))
    return ended.map(({ rule: { cidr, action }, end }) => ({
      ...{ set, policy, cidr, action, end, mayBeShared: false },
    }));
  const left = new Map(entries.filter(({ end }) => end > time).map(({ rule }) => [rule.cidr, rule] as const));
  return rulesOfEnded(state, left).flatMap((rule) => {
    const [{ cidr, action }, end] = [rule, lastEnd(ended, rule)];
    return end === undefined ? [] : [{ set, policy, cidr, action, end, mayBeShared: true }];
  });
}

/** The last end of the entries that a rule may stand for. */
function lastEnd(ended: readonly Entry[], of: RuleValues): number | undefined {
  const own = addressSetOf([of]);
  const isPartOf = ({ rule }: Entry): boolean =>
    rule.action === of.action && !own.intersection(addressSetOf([rule])).isEmpty();
  const ends = ended.filter(isPartOf).map(({ end }) => end);
  return ends.length === 0 ? undefined : ends.reduce((last, end) => Math.max(last, end));
}

/** The rules of policies that the outputs or the inputs name. */
function claimsOf({ from, declaration, state, args, local }: RecordedRules): Claim[] {
  const urn = from.operation === undefined ? from.urn : undefined;
  return [
    { values: state.outputs, ending: local },
    { values: args, ending: args },
  ].flatMap(({ values, ending }) => {
    const policy = asText(values.ipPolicyId);
    if (policy === undefined) return [];
    return entriesOf(declaration, values, ending).map((entry) => ({ ...entry, policy, urn }));
  });
}

/** @param ending the values with the ends of the entries, in any spelling of their ranges. */
function entriesOf(declaration: Declaration, values: Json, ending: Json): Entry[] {
  if (declaration.setOf === undefined) {
    const cidr = asText(values.cidr);
    return cidr === undefined ? [] : [{ rule: ruleOf(canonical(cidr), values), end: Infinity }];
  }
  const { fields } = declaration;
  const ends = endsByRange(fields, ending);
  return [...rulesByRange(values)].map(([range, rule]) => ({
    rule,
    end: ends.get(range) ?? Infinity,
  }));
}
