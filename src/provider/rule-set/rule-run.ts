/** Carries out plans for the rules of a set, with concurrent requests, and tracks the rules of the policy. */
import type { Declaration } from "../../schema/declaration";
import { halves } from "../../schema/formats/cidr";
import type { RuleValues } from "../../schema/rule-set";
import { argumentsFrom } from "../../schema/values";
import {
  addressSetOf,
  ruleArguments,
  asStored,
  denies,
  heldRule,
  ignoredBy,
  isAsDeclared,
  otherRule,
  temporaryMark,
  touches,
} from "./rule-plan";
import { freePart, noTemporaryRule } from "./temporary-rule";
import type { HeldRule, RulePlan, RuleReplacement, RuleUpdate, SetRule } from "./rule-plan";
import { inDigits } from "../../schema/text/phrase";
import { RuleReport } from "./rule-report";
import { ifFound, requireOwnAnswer } from "../life-cycle/absence";
import { AnswerError, ApiError, GatewayError, isLost, ofAnother } from "../errors";
import type { Call } from "../http/path";
import type { Http } from "../http/http";
import { notChanged, otherMeaning } from "../life-cycle/accepted";
import { secondLook } from "../life-cycle/lost-creates";
import { segment } from "../http/path";
import { answerValidator, validated } from "../life-cycle/response-schema";
import { toWire } from "../life-cycle/wire";

/** Requests under way at once. The rate limiter decides how fast they go. */
const concurrency = 12;

/** The interval of progress lines, in milliseconds. */
const progressInterval = 25_000;

/** A step of a plan for one rule. */
interface OfRule {
  readonly rule: SetRule;
}

export class RuleRun {
  readonly report: RuleReport;
  private readonly check;
  private done = 0;
  private total = 0;
  private undecided: Error | undefined;
  /** Ranges that a create found taken: read once more before that is a failure. */
  private readonly conflicts = new Set<string>();
  /** The rules that allow while the set's rules that allow are replaced. */
  private readonly temporaryRules: HeldRule[] = [];
  /** The error of a temporary rule whose creation was not answered. */
  private lostTemporary: Error | undefined;

  constructor(
    private readonly rules: Declaration,
    private readonly policy: string,
    private readonly http: Http,
  ) {
    this.report = new RuleReport(policy);
    this.check = answerValidator(rules);
  }

  /**
   * Carries out the plan; what the service refuses is reported, and the rest is done. At every moment what is allowed is
   * allowed before or after the update, what is denied before and after it stays denied, and the policy holds a rule
   * unless it holds none before or after.
   * @returns the reason to read the policy again and continue; undefined if nothing is left to do.
   */
  async carryOut(plan: RulePlan): Promise<Error | undefined> {
    this.undecided = undefined;
    for (const rule of plan.accepted) this.report.accepted.set(rule.cidr, rule);
    const { create, replace, update, remove, blocked } = plan;
    // Later plans contain only the remaining and failed steps of the first one.
    this.total ||= [create, replace, update, remove, blocked].flat().length;
    this.report.planned(this.total, plan.unseen);
    const stop = this.http.timing.every(progressInterval, () => this.reportProgress());
    try {
      for (const step of this.steps(plan)) {
        await step();
        // While an outcome is unknown, later steps wait for the next read.
        if (this.report.isStopped || this.undecided !== undefined) break;
      }
    } finally {
      stop();
    }
    if (this.report.isStopped) return undefined;
    return this.undecided ?? (await this.lateTemporary());
  }

  /** Why a temporary rule may appear although the work is done: its creation was not answered. */
  private async lateTemporary(): Promise<Error | undefined> {
    const lost = this.lostTemporary;
    this.lostTemporary = undefined;
    if (lost) await this.http.pauseToLookAgain(secondLook);
    return lost;
  }

  /** Creates come before removals. Rules that deny are created before those that allow, and removed after them. */
  private steps(plan: RulePlan): (() => Promise<void>)[] {
    const create = plan.create.map((rule) => ({ rule }));
    const { replace, update, remove } = plan;
    const denying = replace.filter(({ rule }) => denies(rule));
    const denied = addressSetOf(denying.map(({ rule }) => rule));
    const allowing = replace.filter(({ rule }) => !denies(rule));
    // A rule that allows part of a range comes after the rule that denies the range.
    const [later, first] = [true, false].map((isLate) =>
      allowing.filter(({ rule }) => touches(rule, denied) === isLate),
    ) as [RuleReplacement[], RuleReplacement[]];
    return [
      () => this.createAll(create.filter(({ rule }) => denies(rule))),
      () => this.createAll(this.unexposed(plan, create)),
      () => this.each(update, (item) => this.update(item)),
      () => this.replaceAll(this.unexposed(plan, first)),
      () => this.replaceByDenials(plan, denying, later),
      () => this.replaceAll(this.unexposed(plan, later)),
      () =>
        this.removeAll(plan, [...remove.filter((rule) => !denies(rule)), ...this.temporaryRules.splice(0)]),
      () => this.removeAll(plan, remove.filter(denies)),
    ];
  }

  private createAll(items: readonly OfRule[]): Promise<void> {
    return this.each(items, ({ rule }) => this.make(rule));
  }

  /** Replaces one rule last, so that the policy keeps a rule even if all of them are replaced. */
  private async replaceAll(items: readonly RuleReplacement[]): Promise<void> {
    await this.each(items.slice(1), (item) => this.replace(item));
    if (this.undecided === undefined) await this.each(items.slice(0, 1), (item) => this.replace(item));
  }

  /**
   * Replaces rules that allow by rules that deny. If they are the last ones that allow, and others will follow, a temporary
   * rule allows in between: a policy with only rules that deny may mean something else.
   */
  private async replaceByDenials(
    plan: RulePlan,
    items: readonly RuleReplacement[],
    toCome: readonly RuleReplacement[],
  ): Promise<void> {
    const [first] = items;
    const going = new Set(items.flatMap(({ old }) => old.map(({ id }) => id)));
    const held = [...this.report.heldRules.values()];
    const staysAllowed = held.some((rule) => !denies(rule) && !going.has(rule.id));
    const isWanted = toCome.length > 0 || this.missing(plan).some((rule) => !denies(rule));
    if (first && isWanted && !staysAllowed) {
      const used = new Set(held.map(({ cidr }) => cidr));
      const ranges = [...items, ...toCome].map(({ rule }) => rule.cidr);
      const range = freePart(ranges, (part) => used.has(part) || this.report.isMissing(part));
      const allowing = { ...first.rule, action: "allow" };
      if (range === undefined)
        this.report.failed(first.rule.cidr, new GatewayError(noTemporaryRule(first.rule.cidr)));
      else
        await this.attempt(first.rule.cidr, async () => {
          this.temporaryRules.push(await this.createTemporary({ ...allowing, cidr: range }));
        });
      // Without it the first rule is not replaced.
      if (this.undecided !== undefined) return;
      if (this.temporaryRules.length === 0) return this.replaceAll(items.slice(1));
    }
    return this.replaceAll(items);
  }

  /** Removes the rules, except those that a failed step needs. */
  private removeAll(plan: RulePlan, rules: readonly HeldRule[]): Promise<void> {
    const missing = this.missing(plan);
    const actions = new Set(missing.map(({ action }) => action));
    const left = [...plan.remove, ...plan.unseen, ...rules].filter(({ id }) => this.report.heldRules.has(id));
    const allowed = addressSetOf(left.filter((rule) => !denies(rule)));
    const isNeeded = (rule: HeldRule): boolean =>
      actions.has(rule.action) || (denies(rule) && touches(rule, allowed));
    const free = rules.filter((rule) => !isNeeded(rule));
    // If no new rule could be created, one of the old rules stays.
    if (missing.length > 0 && free.length === this.report.heldRules.size) free.shift();
    const isFree = new Set(free);
    for (const rule of rules) if (!isFree.has(rule)) this.report.waits(rule.cidr, "removed");
    return this.each(
      free.map((rule) => ({ rule })),
      ({ rule }) => this.remove(rule),
    );
  }

  /** The steps that create allow rules, without those for addresses that a missing rule should deny. */
  private unexposed<T extends OfRule>(plan: RulePlan, items: readonly T[]): readonly T[] {
    const denied = addressSetOf(this.missing(plan).filter(denies));
    return items.filter(({ rule }) => {
      if (denies(rule)) return false;
      const isExposed = touches(rule, denied);
      if (isExposed) this.report.waits(rule.cidr, "created");
      return !isExposed;
    });
  }

  /** The rules of the plan that could not be created so far. */
  private missing({ create, replace, blocked }: RulePlan): SetRule[] {
    const tried = [...create, ...replace.map(({ rule }) => rule)];
    return [...blocked, ...tried.filter(({ cidr }) => this.report.isMissing(cidr))];
  }

  private async each<T extends { readonly rule: RuleValues }>(
    items: readonly T[],
    work: (item: T) => Promise<void>,
  ): Promise<void> {
    const queue = items.filter(({ rule }) => !this.report.isMissing(rule.cidr))[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const item of { [Symbol.iterator]: () => queue }) {
        if (this.report.isStopped) return;
        await this.attempt(item.rule.cidr, () => work(item));
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  }

  /** One rule's requests. A refusal fails this rule, a lost answer needs another read, any other error ends the run. */
  private async attempt(range: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.done += 1;
    } catch (thrown) {
      const error = thrown as Error;
      if (isLost(error)) {
        this.report.unanswered.add(range);
        this.undecided = error;
      } else if (isStale(error) && !this.conflicts.has(range)) {
        this.conflicts.add(range);
        this.undecided = error;
      } else if (isOfOneRule(error)) {
        this.report.failed(range, error);
        this.done += 1;
      } else this.report.stopped(error);
    }
  }

  /** Creates the rule. If the service gives it another meaning, deletes it again: it would not act as declared. */
  private async make(rule: SetRule): Promise<void> {
    const held = await this.create(rule);
    const other = otherRule(held, rule);
    if (other) {
      await this.remove(held);
      throw new NotTakenError(otherMeaning(other));
    }
    this.accept(held, rule);
  }

  private accept(held: HeldRule, rule: SetRule): void {
    if (!isAsDeclared(held, rule)) this.report.accepted.set(rule.cidr, asStored(held, rule));
  }

  private create(rule: RuleValues): Promise<HeldRule> {
    const { noun, path, fields } = this.rules;
    const body = toWire(fields, ruleArguments(this.policy, rule));
    const isNew = (id: string): boolean => !this.report.heldRules.has(id);
    return this.send({ method: "POST", path, body, operation: `creating the ${noun} ${rule.cidr}` }, isNew);
  }

  private async update(update: RuleUpdate): Promise<void> {
    const { rule, held, changed } = update;
    const { noun, fields } = this.rules;
    const args = argumentsFrom(Object.fromEntries(changed.map((name) => [name, rule[name]])));
    const body = toWire(fields, args);
    const operation = `updating the ${noun} ${rule.cidr}`;
    const call = { method: "PATCH", path: this.address(held), body, operation } as const;
    const answered = await this.send(call, (id) => id === held.id);
    const other = otherRule(answered, rule);
    if (other) throw new NotTakenError(otherMeaning(other));
    const ignored = ignoredBy(answered, update);
    if (ignored) throw new NotTakenError(notChanged(ignored));
    this.accept(answered, rule);
  }

  /** Sends a write of a rule, which must have such an id, and records what the policy then holds. */
  private async send(call: Call, isOwn: (id: string) => boolean): Promise<HeldRule> {
    const { body } = await this.http.send(call);
    const held = heldRule(validated(call.operation, body, this.check, true));
    if (!isOwn(held.id)) throw new AnswerError(call.operation, ofAnother, true);
    this.report.heldRules.set(held.id, held);
    return held;
  }

  private async replace({ rule, old }: RuleReplacement): Promise<void> {
    const isOnly = old.length === this.report.heldRules.size;
    const substitute = isOnly ? await this.createSubstitute(rule) : undefined;
    // A failure must not leave the policy without any rule.
    if (isOnly && substitute === undefined && this.report.hasFailures) {
      this.report.waits(rule.cidr, "replaced");
      return;
    }
    for (const each of old) await this.remove(each);
    await this.make(rule);
    if (substitute) await this.remove(substitute);
  }

  /**
   * A rule for one half of the range, so that the policy has a rule while the rule of the range is replaced; undefined for a
   * single address. One half is enough: its addresses are treated as the set declares, and all others as without the rule.
   */
  private async createSubstitute(rule: SetRule): Promise<HeldRule | undefined> {
    const half = halves(rule.cidr).find((each) => !this.report.isMissing(each));
    return half === undefined ? undefined : this.createTemporary({ ...rule, cidr: half });
  }

  private async createTemporary(rule: RuleValues): Promise<HeldRule> {
    try {
      return await this.create({ ...rule, metadata: temporaryMark });
    } catch (error) {
      if (isLost(error)) this.lostTemporary = error as Error;
      throw error;
    }
  }

  private async remove(rule: HeldRule): Promise<void> {
    const operation = `deleting the ${this.rules.noun} ${rule.cidr}`;
    const sent = this.http.send({ method: "DELETE", path: this.address(rule), operation });
    // The list has answered in this run, so the service's own answer is proof.
    await ifFound(sent, (refusal) => requireOwnAnswer(this.http, refusal));
    this.report.heldRules.delete(rule.id);
  }

  private address({ id }: HeldRule): string {
    return `${this.rules.path}/${segment(id)}`;
  }

  private reportProgress(): void {
    this.http.report(
      `${this.policy}: ${inDigits(this.done)} of ${inDigits(this.total)} ${this.rules.plural} done`,
    );
  }
}

/** The service accepted the write of a rule but keeps another value. */
class NotTakenError extends GatewayError {}

/** Whether the failure is about the rule alone, so that the others are tried. */
export function isOfOneRule(error: Error): boolean {
  if (error instanceof NotTakenError) return true;
  return error instanceof ApiError && ![401, 429].includes(error.status) && error.status < 500;
}

/** Whether the refusal means that the account has changed since it was read. */
function isStale(error: Error): boolean {
  return error instanceof ApiError && (error.status === 409 || error.isGone);
}
