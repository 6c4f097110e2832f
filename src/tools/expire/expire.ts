/**
 * Deletes the rules of sets that have ended in the account, and nothing else. It needs only the state of the stack, and may
 * run at the same time as a deployment of it:
 *
 * - The service's time decides what has ended, not the clock of this machine.
 * - A rule is deleted only if it has the policy, range and action of an ended entry of the state, if the stack has no other
 *   entry for the range, and if no remaining entry needs it. The state and the rule are read again right before.
 * - A rule that a simultaneous deployment has extended is created again.
 * - Allow rules are deleted first. A deny rule waits for the ended rules that allow its addresses.
 */
import type { AccountClient } from "../../account/account-client";
import { AddressSet } from "../../schema/addresses/address-set";
import { newClient } from "../../provider/life-cycle/connection";
import { GatewayError } from "../../provider/errors";
import { isConflict } from "../../provider/life-cycle/object-client";
import { acceptDeleted, noneExists } from "../../provider/settings/own-account";
import { listRequest } from "../../provider/http/pagination";
import {
  addressSetOf,
  ruleArguments,
  denies,
  heldRule,
  isTemporary,
} from "../../provider/rule-set/rule-plan";
import type { HeldRule } from "../../provider/rule-set/rule-plan";
import { isOfOneRule } from "../../provider/rule-set/rule-run";
import { declarationOf } from "../../resources/registry";
import { textOf } from "../../schema/formats/time";
import { noState } from "../../schema/recorded-state";
import { policyOf } from "../../schema/rule-set";
import { isFailure } from "../stack/pulumi";
import { durationText, hour } from "../../schema/text/phrase";
import type { EndedRule, StackRules } from "./stack-rules";

const ipPolicyRule = declarationOf("IpPolicyRule");

/** How long a reading of the state counts, in milliseconds. A deployment may begin after it. */
const freshness = 10_000;

export interface Expiring {
  /** Reads the stack. */
  readonly read: () => Promise<StackRules>;
  /** The account of an explicit provider of the stack, or of the default one. */
  readonly connect: (provider: string | undefined, stack: StackRules) => Promise<AccountClient>;
  /** Receives a line about what is unusual but no failure. */
  readonly note: (line: string) => void;
  /** Whether nothing is deleted. */
  readonly isDryRun: boolean;
}

export type ExpiryOutcome =
  /** In a dry run: it would be deleted. */
  | "ended"
  | "deleted"
  /** The account does not have it. */
  | "gone"
  /** A deployment has extended its time meanwhile, so it was created again. */
  | "restored"
  /** The stack has or is about to have an entry for the range that has not ended. */
  | "claimed"
  /** Other entries need the rule. */
  | "shared"
  /** The account still has an ended rule that allows some of its addresses. */
  | "waits"
  | "failed";

export interface ExpiredRule {
  readonly rule: EndedRule;
  readonly outcome: ExpiryOutcome;
  /** Why it failed. */
  readonly error?: string;
}

export interface Expiry {
  readonly rules: readonly ExpiredRule[];
  /** The policies that have no rule any more. */
  readonly emptied: readonly string[];
  /** Why the work on an account failed. */
  readonly errors: readonly string[];
}

/** The outcomes that leave work for later. */
const unfinished: readonly ExpiryOutcome[] = ["shared", "waits", "failed"];

/** Whether another run, or a deployment, has something left to do. */
export function isUnfinished({ rules, errors }: Expiry): boolean {
  return errors.length > 0 || rules.some(({ outcome }) => unfinished.includes(outcome));
}

/** Throws only after an interrupt, or if the stack cannot be read. */
export async function expireRules(expiring: Expiring): Promise<Expiry> {
  const stack = await expiring.read();
  const errors: string[] = [];
  const accounts = new Map<string, { client: AccountClient; providers: (string | undefined)[] }>();
  for (const provider of stack.endingProviders) {
    await failing(errors, async () => {
      const client = await expiring.connect(provider, stack);
      const { baseUrl, apiKey } = client.settings;
      const key = JSON.stringify([baseUrl, apiKey]);
      const account = accounts.get(key) ?? { client, providers: [] };
      accounts.set(key, { ...account, providers: [...account.providers, provider] });
    });
  }
  const works = [...accounts.values()].map(
    ({ client, providers }) => new AccountExpiry(expiring, client, providers),
  );
  for (const work of works) await failing(errors, () => work.run(stack));
  return {
    rules: works.flatMap((work) => [...work.done]),
    emptied: works.flatMap((work) => work.emptied),
    errors,
  };
}

async function failing(errors: string[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isFailure(error)) throw error;
    errors.push(error.message);
  }
}

/** A rule of the account that the state records as one that has ended. */
interface Target {
  readonly rule: EndedRule;
  readonly held: HeldRule;
}

class AccountExpiry {
  readonly done: ExpiredRule[] = [];
  emptied: readonly string[] = [];
  /** The rules of the account by policy, without the deleted ones. */
  private rulesByPolicy = new Map<unknown, HeldRule[]>();
  private readonly deleted: Target[] = [];
  /** The addresses of ended allow rules that the account still has. */
  private allowed = AddressSet.empty;
  private stack: StackRules | undefined;
  private readAt = -Infinity;
  private time = NaN;

  constructor(
    private readonly expiring: Expiring,
    private readonly client: AccountClient,
    private readonly providers: readonly (string | undefined)[],
  ) {}

  async run(stack: StackRules): Promise<void> {
    if (this.endedIn(stack, Infinity).length === 0) return;
    this.time = await this.serviceTime();
    const ended = this.endedIn(stack, this.time);
    if (ended.length === 0) return;
    this.rulesByPolicy = await this.heldRules();
    const targets = ended.flatMap((rule) => this.targetsOf(rule));
    if (targets.length === 0) return this.confirm(stack);
    try {
      // Allow rules first, else in the order of the stack.
      for (const isDenial of [false, true])
        for (const target of targets.filter(({ held }) => denies(held) === isDenial))
          await this.settle(target);
    } finally {
      if (this.deleted.length > 0) await this.restore();
    }
  }

  private endedIn(stack: StackRules, time: number): EndedRule[] {
    return this.providers.flatMap((provider) => stack.endedAt(time, provider));
  }

  /** The service's time, from the answer to the smallest request. It may be late, but not early. */
  private async serviceTime(): Promise<number> {
    const { http, settings } = this.client;
    for await (const _ of this.client.pages({ ...listRequest(ipPolicyRule), limit: 1 })) break;
    if (http.lastDate !== undefined) {
      this.noteClocks(http.lastDate, http.timing.now());
      return http.lastDate;
    }
    throw new GatewayError(
      `the answers of ${settings.baseUrl} have no Date, so the service's time is not known, and no rule is deleted. ` +
        "Let the proxies in front of the service keep this header",
    );
  }

  private noteClocks(theirs: number, ours: number): void {
    const hours = Math.round(Math.abs(theirs - ours) / hour);
    if (hours === 0) return;
    this.expiring.note(
      `${this.client.settings.baseUrl} says that it is ${textOf(theirs)}, ${durationText(hours * hour)} ` +
        `${theirs > ours ? "ahead of" : "behind"} the clock of this machine. Its time decides which rules have ended`,
    );
  }

  /** Throws if the account has no policy of the stack: it may be another account, in which the rules never were. */
  private async confirm(stack: StackRules): Promise<void> {
    const policies = stack.policiesOf(this.providers);
    if (
      process.env[acceptDeleted] === "true" ||
      [...policies.keys()].some((id) => this.rulesByPolicy.has(id))
    )
      return;
    for (const [id, declaration] of policies) if (await this.client.read(declaration, id)) return;
    // A deployment may have deleted them meanwhile.
    if (this.endedIn(await this.expiring.read(), this.time).length > 0)
      throw new GatewayError(noneExists(policies.size));
  }

  private async heldRules(): Promise<Map<unknown, HeldRule[]>> {
    const found: HeldRule[] = [];
    for await (const page of this.client.pages(listRequest(ipPolicyRule)))
      for (const answer of page) found.push(heldRule(answer));
    return Map.groupBy(found, ({ answer }) => policyOf(answer));
  }

  private targetsOf(rule: EndedRule): Target[] {
    const held = (this.rulesByPolicy.get(rule.policy) ?? []).filter((each) => isRecorded(rule, each));
    if (held.length === 0) this.note(rule, "gone");
    return held.map((each) => ({ rule, held: each }));
  }

  private note(rule: EndedRule, outcome: ExpiryOutcome, error?: string): void {
    this.done.push({ rule, outcome, ...(error !== undefined && { error }) });
  }

  /** Deletes the rule, unless something prevents it now. */
  private async settle(target: Target): Promise<void> {
    const { rule, held } = target;
    const outcome = this.obstacleTo(target, await this.currentStack());
    if (outcome === undefined && !this.expiring.isDryRun) return this.remove(target);
    this.note(rule, outcome ?? "ended");
    if (outcome === undefined) this.forget(target);
    else if (outcome === "shared") this.stays(held);
  }

  /** What prevents the deletion of a rule. */
  private obstacleTo({ rule, held }: Target, stack: StackRules): ExpiryOutcome | undefined {
    const isEnded = this.endedIn(stack, this.time).some((each) => isSameRule(each, rule));
    if (!isEnded || stack.isClaimed(rule, this.time)) return "claimed";
    if (rule.mayBeShared && this.isNeeded(held, rule, stack.addresses(rule, this.time))) return "shared";
    const isHeldBack = denies(held) && !this.allowed.intersection(addressSetOf([held])).isEmpty();
    return isHeldBack ? "waits" : undefined;
  }

  /** Whether only this rule has an address that remaining entries need. */
  private isNeeded(held: HeldRule, { policy }: EndedRule, standing: AddressSet): boolean {
    const others = (this.rulesByPolicy.get(policy) ?? []).filter(
      ({ id, action }) => id !== held.id && action === held.action,
    );
    return !standing
      .intersection(addressSetOf([held]))
      .difference(addressSetOf(others))
      .isEmpty();
  }

  private async remove(target: Target): Promise<void> {
    const { rule, held } = target;
    try {
      const answer = await this.client.read(ipPolicyRule, held.id);
      const isSame = answer && policyOf(answer) === rule.policy && isRecorded(rule, heldRule(answer));
      if (isSame) {
        this.deleted.push(target);
        await newClient(ipPolicyRule, this.client.http).remove(held.id, noState);
      }
      this.note(rule, isSame ? "deleted" : "gone");
      this.forget(target);
    } catch (error) {
      if (!isFailure(error)) throw error;
      this.note(rule, "failed", error.message);
      this.stays(held);
      if (!isOfOneRule(error)) throw error;
    }
  }

  private stays(held: HeldRule): void {
    if (!denies(held)) this.allowed = this.allowed.union(addressSetOf([held]));
  }

  private forget({ rule, held }: Target): void {
    const left = (this.rulesByPolicy.get(rule.policy) ?? []).filter(({ id }) => id !== held.id);
    this.rulesByPolicy.set(rule.policy, left);
    if (left.length === 0) this.emptied = [...new Set([...this.emptied, rule.policy])];
  }

  private async currentStack(): Promise<StackRules> {
    const { timing } = this.client.http;
    if (this.stack === undefined || timing.elapsed() - this.readAt > freshness) {
      this.readAt = timing.elapsed();
      this.stack = await this.expiring.read();
    }
    return this.stack;
  }

  /** Creates the rules again that a deployment has extended between the last reading of the state and the deletion. */
  private async restore(): Promise<void> {
    const stack = await this.expiring.read();
    const wrong = this.deleted.filter((target) => this.isExtended(target, stack));
    if (wrong.length === 0) return;
    // The deployment may have created a rule itself.
    this.rulesByPolicy = await this.heldRules();
    for (const { rule, held: old } of wrong) {
      const stands = (this.rulesByPolicy.get(rule.policy) ?? []).some(({ cidr }) => cidr === rule.cidr);
      const outcome = stands ? { outcome: "claimed" as const } : await this.createAgain(rule.policy, old);
      const at = this.done.findIndex((each) => each.rule === rule);
      this.done[at] = { rule, ...outcome };
    }
  }

  private async createAgain(policy: string, held: HeldRule): Promise<Omit<ExpiredRule, "rule">> {
    try {
      await newClient(ipPolicyRule, this.client.http).create(ruleArguments(policy, held));
      return { outcome: "restored" };
    } catch (error) {
      if (isConflict(error)) return { outcome: "claimed" };
      if (!isFailure(error)) throw error;
      const reason = "a deployment has extended it meanwhile, and it could not be created again";
      return { outcome: "failed", error: `${reason}: ${error.message}` };
    }
  }

  /**
   * Whether the stack has the deleted rule now. A deployment keeps a rule of a summarized set only if all of its addresses
   * belong to remaining entries; else it creates other rules. If other rules cover these addresses too, none is missing.
   */
  private isExtended({ rule, held }: Target, stack: StackRules): boolean {
    if (!rule.mayBeShared) return stack.isClaimed(rule, this.time, rule.action);
    const standing = stack.addresses(rule, this.time);
    return addressSetOf([held]).difference(standing).isEmpty() && this.isNeeded(held, rule, standing);
  }
}

/** Whether a rule of the account is the one that the state records. */
function isRecorded(rule: EndedRule, held: HeldRule): boolean {
  return held.cidr === rule.cidr && held.action === rule.action && !isTemporary(held);
}

function isSameRule(one: EndedRule, other: EndedRule): boolean {
  return one.policy === other.policy && one.cidr === other.cidr && one.action === other.action;
}
