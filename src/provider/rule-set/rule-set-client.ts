/**
 * The rules of a policy as one resource.
 *
 * Every operation first reads what the policy holds and does what is missing, so that a lost answer, a crash or a
 * second run never makes a rule twice. Nothing of a rule but its range and its entry is kept in the state.
 */
import type { Declaration } from "../../schema/declaration";
import { noState } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { isExclusive } from "../../schema/rule-set";
import type { Answer, Arguments, Outputs } from "../../schema/values";
import { GatewayError, IncompleteError } from "../errors";
import type { Http } from "../http/http";
import type { Budget } from "../http/retry";
import type { AsAsked, CreatedObject } from "../life-cycle/answers";
import { listCacheOf } from "../objects/list-cache";
import type { ListCache } from "../objects/list-cache";
import { PathClient } from "../objects/object-client";
import type { UpdateArguments } from "../objects/object-client";
import { byRange, heldRule, isAsSaid, planRules, setRules } from "./rule-plan";
import type { HeldRule, SetRule } from "./rule-plan";
import type { RuleReport } from "./rule-report";
import { RuleRun } from "./rule-run";

/** By canonical range. */
type Rules = ReadonlyMap<string, SetRule>;
type Owned = (range: string) => boolean;

const none: Rules = new Map();

/** What the sets of this process have with the rules of a policy. */
interface Claims {
  /** The ranges whose rule was there before a set got it: another set may be giving it up, and must leave it. */
  readonly adopted: Set<string>;
  /** All ranges of the sets that adopted some. A set that such a one replaces is deleted, and must leave them. */
  readonly taken: Set<string>;
  /** Ends with the work of the set that has its turn. */
  turn: Promise<unknown>;
}

export class RuleSetClient extends PathClient {
  /** What is read by its own address is the policy, of which only the existence counts. */
  protected override validator = () => undefined;
  private readonly cache: ListCache;
  private readonly claims = new Map<string, Claims>();

  constructor(declaration: Declaration, http: Http) {
    super(declaration, http);
    this.cache = listCacheOf(http, declaration.setOf!);
  }

  override async create(args: Arguments): Promise<CreatedObject | AsAsked> {
    const id = String(args.ipPolicyId);
    const answer = await this.reconcile(id, args, noState);
    return answer ? { id, answer } : { id };
  }

  override update(id: string, { full, prior }: UpdateArguments): Promise<Answer | undefined> {
    return this.reconcile(id, full, prior);
  }

  override async read(id: string, prior: RecordedState): Promise<Answer | undefined> {
    const held = await this.heldBy(id);
    if (held.length === 0 && (await this.fetch(id)) === undefined) return undefined;
    const known = setRules(prior.outputs, prior.accepted);
    return answerOf(held, known, ownedBy(prior.outputs, known));
  }

  override async remove(id: string, prior: RecordedState): Promise<void> {
    const known = setRules(prior.outputs, prior.accepted);
    const report = await this.inTurn(id, ({ taken }) => {
      const removed = new Map([...known].filter(([range]) => !taken.has(range)));
      // What a deleted set does not know of goes with its policy, or stays.
      return this.carryOut(id, undefined, removed, () => false);
    });
    const problem = report.problem();
    if (problem) throw problem;
  }

  /**
   * Makes the policy's rules what the arguments say. Throws an IncompleteError where some of them are not.
   * @returns the set in the form of an answer where the service keeps another form of some rules.
   */
  private reconcile(id: string, args: Arguments, prior: RecordedState): Promise<Answer | undefined> {
    const [wanted, before] = [setRules(args), setRules(prior.outputs, prior.accepted)];
    return this.inTurn(id, async (claims) => {
      const isLeft = (range: string): boolean => !isExclusive(args) && claims.adopted.has(range);
      const known = new Map([...before].filter(([range]) => wanted.has(range) || !isLeft(range)));
      const owned = ownedBy(args, new Map([...known, ...wanted]));
      const report = await this.carryOut(id, wanted, known, owned, (found) => {
        const adopted = [...found].filter((range) => wanted.has(range) && !before.has(range));
        for (const range of adopted) claims.adopted.add(range);
        if (adopted.length > 0) for (const range of wanted.keys()) claims.taken.add(range);
      });
      const problem = report.problem();
      const [held, accepted] = [[...report.held.values()], new Set(report.accepted.keys())];
      // Recorded as incomplete, a change of which nothing was done would show an update where it is taken back.
      if (problem && !report.isOpen && holdsJust(before, held, owned)) throw problem;
      for (const rule of held) if (claims.adopted.has(rule.cidr)) this.cache.adopted.add(rule.id);
      if (problem === undefined) return accepted.size > 0 ? answerOf(held, wanted, owned) : undefined;
      throw new IncompleteError(problem.message, id, answerOf(held, wanted, owned), accepted);
    });
  }

  /** Does the work of a set while no other set of the policy works: each must see what the other did. */
  private async inTurn<T>(id: string, work: (claims: Claims) => Promise<T>): Promise<T> {
    let claims = this.claims.get(id);
    if (!claims) {
      claims = { adopted: new Set(), taken: new Set(), turn: Promise.resolve() };
      this.claims.set(id, claims);
    }
    const { turn } = claims;
    const done = turn.then(() => work(claims));
    claims.turn = done.catch(() => undefined);
    return done;
  }

  /**
   * @param wanted the rules; undefined where the set is deleted, with or after its policy.
   * @param known the rules of the state.
   * @param onFirst called with the ranges that the policy holds before anything is done.
   */
  private async carryOut(
    id: string,
    wanted: Rules | undefined,
    known: Rules,
    owned: Owned,
    onFirst: (found: Iterable<string>) => void = () => undefined,
  ): Promise<RuleReport> {
    const { http } = this;
    const run = new RuleRun(this.declaration, id, http);
    const budget = http.budget();
    for (;;) {
      const isFirst = !run.report.isBegun;
      const held = await this.heldNow(id, run.report, budget, wanted !== undefined);
      if (held === undefined) return run.report;
      if (isFirst) onFirst(byRange(held).keys());
      const plan = planRules(wanted ?? none, new Map([...known, ...run.report.accepted]), held, owned);
      const undecided = await this.cache.write(id, () => run.carryOut(plan));
      if (undecided === undefined) return run.report;
      try {
        await http.pause(undecided, budget);
      } catch (error) {
        return run.report.stopped(error as Error);
      }
    }
  }

  /** What the policy holds now; undefined where that cannot be known after something was done already. */
  private async heldNow(
    id: string,
    report: RuleReport,
    budget: Budget,
    mustExist: boolean,
  ): Promise<readonly HeldRule[] | undefined> {
    try {
      const held = await this.heldBy(id);
      if (held.length === 0 && mustExist && (await this.fetch(id, budget)) === undefined) {
        throw new GatewayError(
          `${this.words("changing", id)} failed: ${id} does not exist. If it was deleted outside of this stack, run ` +
            "pulumi refresh, then pulumi up",
        );
      }
      report.read(held);
      return held;
    } catch (error) {
      if (!report.isBegun) throw error;
      report.stopped(error as Error);
      return undefined;
    }
  }

  private async heldBy(id: string): Promise<HeldRule[]> {
    return (await this.cache.of(id)).map(heldRule);
  }
}

/** Whether the rules that the set answers for are these, no more and no less. */
function holdsJust(rules: Rules, held: readonly HeldRule[], owned: Owned): boolean {
  const groups = [...byRange(held)].filter(([range]) => owned(range));
  return (
    groups.length === rules.size &&
    groups.every(([range, [one, ...others]]) => {
      const rule = rules.get(range);
      return rule !== undefined && others.length === 0 && isAsSaid(one!, rule);
    })
  );
}

/**
 * The set in the form of an answer. Where the policy holds a range twice, the rule that differs from the set's is the one
 * that shows.
 */
function answerOf(held: readonly HeldRule[], rules: Rules, owned: Owned): Answer {
  const groups = [...byRange(held)].filter(([range]) => owned(range));
  const shown = groups.map(([range, group]) => {
    const rule = rules.get(range);
    const other = rule && group.find((each) => !isAsSaid(each, rule));
    return [range, (other ?? group[0]!).answer];
  });
  return { rules: Object.fromEntries(shown) };
}

/** The ranges that a set with the values answers for. */
function ownedBy(values: Arguments | Outputs, rules: Rules): Owned {
  return isExclusive(values) ? () => true : (range) => rules.has(range);
}
