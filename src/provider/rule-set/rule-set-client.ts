/**
 * The rules of a policy as one resource.
 *
 * Every operation first reads the rules of the policy and does what is missing, so that a lost answer, a crash or a
 * second run never creates a rule twice. The state keeps only the range and the entry of a rule.
 */
import type { Declaration } from "../../schema/declaration";
import { noState, withRuleIds } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { isExclusive, isSummarized, policyOf } from "../../schema/rule-set";
import type { Answer, Arguments, FieldValues } from "../../schema/values";
import { counted } from "../../schema/text/phrase";
import { waited } from "../tracing/tracing";
import { GatewayError, IncompleteError } from "../errors";
import type { Http } from "../http/http";
import type { Budget } from "../http/retry";
import { segment } from "../http/path";
import { ifFound, Lag, notShownYet, requireOwnAnswer } from "../life-cycle/absence";
import { answerValidator, validated } from "../life-cycle/response-schema";
import { standingRanges } from "../life-cycle/ended-entries";
import type { AsAsked, CreatedObject } from "../life-cycle/answers";
import { listCacheOf } from "../life-cycle/list-cache";
import type { ListCache } from "../life-cycle/list-cache";
import { deferredNote, PathClient } from "../life-cycle/path-client";
import type { ObjectClient, UpdateArguments } from "../life-cycle/object-client";
import { byRange, heldRule, isAsDeclared, isTemporary, planRules, setRules } from "./rule-plan";
import type { HeldRule, SetRule } from "./rule-plan";
import type { RuleReport } from "./rule-report";
import { RuleRun } from "./rule-run";
import { recordedRules, summarizedAnswer, wantedRules } from "./sent-rules";

/** By canonical range. */
type Rules = ReadonlyMap<string, SetRule>;
type Owned = (range: string) => boolean;

const none: Rules = new Map();

/** A set with more rules is read from the list. */
const mostReadByIds = 50;

/** What a set changes in a policy. */
interface Target {
  /** Empty if the set is deleted. */
  readonly wanted: Rules;
  /** The rules of the state. */
  readonly recorded: Rules;
  readonly owned: Owned;
}

/** What the sets of this process share about the rules of a policy. */
interface Claims {
  /** The ranges whose rule existed before a set took it over: another set that gives it up must not delete it. */
  readonly adopted: Set<string>;
  /** Settles when the set that works now has finished. */
  turn: Promise<unknown>;
}

export class RuleSetClient extends PathClient implements ObjectClient {
  /** The id is that of the policy, and only its existence matters. */
  protected override validator = () => undefined;
  private readonly cache: ListCache;
  private readonly claims = new Map<string, Claims>();

  constructor(
    declaration: Declaration,
    private readonly rules: Declaration,
    http: Http,
  ) {
    super(declaration, http);
    this.cache = listCacheOf(http, rules);
  }

  declared(id: string, state: RecordedState): void {
    this.cache.hold(id, recordedRules(state).values());
  }

  protected override async createAt(id: string, args: Arguments): Promise<CreatedObject | AsAsked> {
    const answer = await this.reconcile(id, args, noState);
    return answer ? { id, answer } : { id };
  }

  override update(id: string, { args, prior }: UpdateArguments): Promise<Answer | undefined> {
    this.paths.declare(id, args);
    return this.reconcile(id, args, prior);
  }

  override async read(
    id: string,
    prior: RecordedState,
    isAsRecorded: (answer: Answer) => boolean = () => true,
  ): Promise<Answer | undefined> {
    const recorded = recordedRules(prior);
    const owned = ownedBy(prior.outputs, recorded);
    // A state of an earlier version gets the ids with the next write, so that no refresh changes it.
    const shownBy = (held: readonly HeldRule[]): Answer =>
      answerOf(
        { args: prior.outputs, held, rules: recorded, recorded, owned },
        prior.ruleIds && idsOf(held, recorded),
      );
    let held = (await this.readByIds(id, prior)) ?? (await this.heldBy(id, prior));
    let shown = shownBy(held);
    if (!isAsRecorded(shown)) {
      const isRecorded = (answer: Answer): boolean => {
        const rule = heldRule(answer);
        const known = recorded.get(rule.cidr);
        return known ? isAsDeclared(rule, known) : !owned(rule.cidr);
      };
      const answers = held.map(({ answer }) => answer);
      held = (await this.cache.confirmed(answers, isRecorded, (rule) => this.rule(rule))).map(heldRule);
      shown = shownBy(held);
    }
    if (held.length === 0 && (await this.fetch(id, prior)) === undefined) return undefined;
    return shown;
  }

  override async remove(id: string, prior: RecordedState): Promise<string | undefined> {
    if (this.paths.defer(id, prior)) return deferredNote;
    const targetFor = (held: readonly HeldRule[]): Target => this.endOf(id, prior, held);
    const byIds = () => this.readByIds(id, prior);
    const { report, target } = await this.inTurn(id, () => this.carryOut(id, prior, true, targetFor, byIds));
    const problem = report.problem();
    if (problem) throw problem;
    const kept = recordedRules(prior).size - target.recorded.size;
    return kept === 0
      ? undefined
      : `leaves ${counted(kept, "rule")} that the program declares for the policy`;
  }

  /**
   * Makes the policy's rules what the arguments say. Throws an IncompleteError if some of them are not.
   * @returns the set in the form of an answer if the service keeps another form of some rules.
   */
  private reconcile(id: string, args: Arguments, prior: RecordedState): Promise<Answer | undefined> {
    const before = recordedRules(prior);
    return this.inTurn(id, async (claims) => {
      const targetFor = (found: readonly HeldRule[]): Target => {
        const target = this.targetOf(args, prior, found, claims);
        const { wanted } = target;
        const adopted = [...byRange(found).keys()].filter((range) => wanted.has(range) && !before.has(range));
        for (const range of adopted) claims.adopted.add(range);
        return target;
      };
      const byIds = () => (isAboutKnown(args, prior) ? this.readByIds(id, prior) : undefined);
      const { report, target } = await this.carryOut(id, prior, false, targetFor, byIds);
      const problem = report.problem();
      const held = [...report.heldRules.values()];
      // A temporary rule that is left must go, even if the program is taken back.
      const left = new Set(held.filter(isTemporary).map(({ cidr }) => cidr));
      const owned: Owned = (range) => target.owned(range) || left.has(range);
      // If nothing was done, the state stays complete: undoing the change in the program must show no update.
      if (problem && report.unanswered.size === 0 && holdsExactly(before, held, owned)) throw problem;
      this.cache.hold(
        id,
        held.filter(({ cidr, action }) => target.wanted.get(cidr)?.action === action),
      );
      const { accepted } = report;
      const ids =
        isExclusive(args) || target.wanted.size > mostReadByIds ? undefined : idsOf(held, target.wanted);
      const isAsAsked = problem === undefined && accepted.size === 0 && !isSummarized(args);
      if (isAsAsked && ids === undefined) return undefined;
      const recorded = new Map([...before, ...accepted]);
      const answer = answerOf({ args, held, rules: target.wanted, recorded, owned }, ids);
      if (problem === undefined) return answer;
      const keys = isSummarized(args) ? [] : accepted.keys();
      throw new IncompleteError(problem.message, id, answer, new Set(keys));
    });
  }

  /** What the arguments change in a policy with these rules. */
  private targetOf(
    args: Arguments,
    prior: RecordedState,
    found: readonly HeldRule[],
    { adopted }: Claims,
  ): Target {
    const before = recordedRules(prior);
    const wanted = wantedRules(this.declaration, args, found, before);
    const singles = this.singlesIn(found);
    const isLeft = (range: string): boolean =>
      !isExclusive(args) && (adopted.has(range) || singles.has(range));
    const recorded = new Map([...before].filter(([range]) => wanted.has(range) || !isLeft(range)));
    return { wanted, recorded, owned: ownedBy(args, new Map([...recorded, ...wanted])) };
  }

  /**
   * What the deletion of a set changes in a policy. Rules that the state does not name stay, or go with the policy. So do the
   * rules of other sets that the program declares for the policy, such as a replacement, and single rules.
   */
  private endOf(id: string, prior: RecordedState, held: readonly HeldRule[]): Target {
    const before = recordedRules(prior);
    const declared = this.paths
      .declaredAt(id)
      .map((args) => wantedRules(this.declaration, args, held, before));
    const singles = this.singlesIn(held);
    const left = [...before].filter(
      ([range]) => !singles.has(range) && !declared.some((rules) => rules.has(range)),
    );
    return { wanted: none, recorded: new Map(left), owned: () => false };
  }

  /** The ranges of rules that the program declares as single rules. */
  private singlesIn(held: readonly HeldRule[]): ReadonlySet<string> {
    return new Set(held.filter(({ id }) => this.cache.isSingle(id)).map(({ cidr }) => cidr));
  }

  private claimsOf(id: string): Claims {
    let claims = this.claims.get(id);
    if (!claims) {
      claims = { adopted: new Set(), turn: Promise.resolve() };
      this.claims.set(id, claims);
    }
    return claims;
  }

  /** Runs the work of one set of the policy at a time: each must see what the others did. */
  private async inTurn<T>(id: string, work: (claims: Claims) => Promise<T>): Promise<T> {
    const claims = this.claimsOf(id);
    const { turn } = claims;
    const done = waited("wait for other sets of the policy", () => turn).then(() => work(claims));
    claims.turn = done.catch(() => undefined);
    return done;
  }

  /**
   * @param targetFor called once, with the rules of the policy before the first request.
   * @param byIds reads the relevant rules without the list; undefined if the list is needed.
   */
  private async carryOut(
    id: string,
    prior: RecordedState,
    isDeleted: boolean,
    targetFor: (found: readonly HeldRule[]) => Target,
    byIds: () => Promise<readonly HeldRule[] | undefined> | undefined,
  ): Promise<{ report: RuleReport; target: Target }> {
    const { http } = this;
    const run = new RuleRun(this.rules, id, http);
    const { report } = run;
    const budget = http.budget();
    const now = () => this.heldNow(id, noState, budget, !isDeleted);
    let held = (await byIds()) ?? (await this.heldNow(id, prior, budget, !isDeleted));
    const target = targetFor(held);
    const { wanted, recorded, owned } = target;
    for (;;) {
      report.read(held);
      const plan = planRules(wanted, new Map([...recorded, ...report.accepted]), held, owned);
      const undecided = await this.cache.outdateAfter(id, () => run.carryOut(plan));
      const next = undecided && http.pause(undecided, budget).then(now);
      // If there is no next attempt, the report must keep what was done.
      const rules = await next?.catch((error: unknown) => void report.stopped(error as Error));
      if (rules === undefined) {
        // The outcome of these requests is not read yet.
        if (report.unanswered.size > 0)
          await now().then(
            (left) => report.settle(left),
            () => undefined,
          );
        return { report, target };
      }
      held = rules;
    }
  }

  /** The rules that the policy holds now. */
  private async heldNow(
    id: string,
    prior: RecordedState,
    budget: Budget,
    mustExist: boolean,
  ): Promise<readonly HeldRule[]> {
    const held = await this.heldBy(id, prior, budget);
    if (held.length > 0 || !mustExist || (await this.fetch(id, noState, budget)) !== undefined) return held;
    throw new GatewayError(
      `${this.words("changing", id)} failed: ${id} does not exist. If it was deleted outside of this stack, run ` +
        "pulumi refresh, then pulumi up",
    );
  }

  /** The rules of a set with few ranges, read by the ids of the state; undefined if the list must be read. */
  private async readByIds(policy: string, prior: RecordedState): Promise<readonly HeldRule[] | undefined> {
    const { outputs, ruleIds: ids = [] } = prior;
    const rules = recordedRules(prior);
    const areFew = ids.length > 0 && ids.length === rules.size && ids.length <= mostReadByIds;
    if (!areFew || isExclusive(outputs)) return undefined;
    const answers = await this.cache.byIds(policy, ids, (id) => this.rule(id));
    const held = answers?.map(heldRule) ?? [];
    const theirs = held.filter(({ cidr, answer }) => rules.has(cidr) && policyOf(answer) === policy);
    return byRange(theirs).size === rules.size ? held : undefined;
  }

  /** The rule as it is now; undefined if it may not exist. */
  private async rule(id: string): Promise<Answer | undefined> {
    const { noun, path } = this.rules;
    const operation = `reading the ${noun} ${id}`;
    const sent = this.http.send({ method: "GET", path: `${path}/${segment(id)}`, operation });
    const found = await ifFound(sent, (refusal) => requireOwnAnswer(this.http, refusal));
    return found && validated(operation, found.body, answerValidator(this.rules), false);
  }

  /** The rules of the policy. What the set has just created may not be in the list yet. */
  private async heldBy(id: string, prior: RecordedState, budget = this.http.budget()): Promise<HeldRule[]> {
    const lag = new Lag(this.http, { path: "", createdAt: prior.createdAt }, budget);
    for (;;) {
      const held = (await this.cache.of(id)).map(heldRule);
      if (lag.isOver) return held;
      const shown = new Set(held.map(({ cidr }) => cidr));
      const expected = standingRanges(this.declaration, prior, this.http.timing.now());
      const missing = expected.find((range) => !shown.has(range) && !this.cache.isDeleted(id, range));
      if (missing === undefined) return held;
      const { noun, plural } = this.rules;
      await lag.wait(
        new GatewayError(
          `listing the ${plural} of ${id} failed: the ${noun} ${missing} is missing. This does not prove that it ` +
            `was deleted, because the set was written less than a minute ago, and ${notShownYet}`,
        ),
      );
      this.cache.outdate(id);
    }
  }
}

/** Whether the rules that the set manages are exactly these. */
function holdsExactly(rules: Rules, held: readonly HeldRule[], owned: Owned): boolean {
  const groups = [...byRange(held)].filter(([range]) => owned(range));
  return (
    groups.length === rules.size &&
    groups.every(([range, group]) => {
      const rule = rules.get(range);
      return rule !== undefined && group.length === 1 && group.every((each) => isAsDeclared(each, rule));
    })
  );
}

/** A set as an answer shows it. */
interface ShownSet {
  readonly args: FieldValues;
  readonly held: readonly HeldRule[];
  /** The rules that the policy should hold. */
  readonly rules: Rules;
  /** The rules that were sent, as the service keeps them. */
  readonly recorded: Rules;
  readonly owned: Owned;
}

/** The set in the form of an answer. If the policy holds a range twice, the rule that differs from the set's is shown. */
function answerOf({ args, held, rules, recorded, owned }: ShownSet, ids?: readonly string[]): Answer {
  const groups = [...byRange(held)].filter(([range]) => owned(range));
  const shown = groups.flatMap(([range, group]) => {
    const rule = rules.get(range);
    return (rule && group.find((each) => !isAsDeclared(each, rule))) ?? group.slice(0, 1);
  });
  const answer = isSummarized(args)
    ? summarizedAnswer(setRules(args), shown, recorded)
    : { rules: Object.fromEntries(shown.map(({ cidr, answer }) => [cidr, answer])) };
  return ids ? withRuleIds(answer, ids) : answer;
}

/** The ids of the rules that the policy holds for a set, one for each range. */
function idsOf(held: readonly HeldRule[], rules: Rules): readonly string[] {
  const ids = new Map(held.filter(({ cidr }) => rules.has(cidr)).map(({ cidr, id }) => [cidr, id]));
  return [...ids.values()].sort();
}

/**
 * Whether, by the state, every entry already has a rule with its action. Otherwise the list is needed: it shows whether a new
 * range has another rule, and which rules allow while an action changes.
 */
function isAboutKnown(args: Arguments, prior: RecordedState): boolean {
  const before = recordedRules(prior);
  const isKnown = ({ cidr, action }: SetRule): boolean => before.get(cidr)?.action === action;
  return !isSummarized(args) && !isExclusive(args) && [...setRules(args).values()].every(isKnown);
}

/** The ranges that a set with the values manages. */
function ownedBy(values: FieldValues, rules: Rules): Owned {
  return isExclusive(values) ? () => true : (range) => rules.has(range);
}
