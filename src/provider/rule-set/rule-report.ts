/** The outcomes of the requests for the rules of a set, and the messages about them. */
import type { HeldRule, SetRule } from "./rule-plan";
import { firstLines, firstOf, inDigits, most20 } from "../../schema/text/phrase";
import { GatewayError } from "../errors";
import { upAgain } from "../settings/broker-settings";

export class RuleReport {
  /** The rules of the policy, by id. */
  heldRules = new Map<string, HeldRule>();
  /** The rules that the service keeps in another form than they were sent, by range. */
  readonly accepted = new Map<string, SetRule>();
  /** The ranges of requests without an answer since the last read of the rules. */
  readonly unanswered = new Set<string>();
  private readonly failures = new Map<string, Error>();
  /** The ranges that stay as they are because of a failure, by the step that it prevents. */
  private readonly waiting = {
    created: new Set<string>(),
    replaced: new Set<string>(),
    removed: new Set<string>(),
  };
  private unseen: readonly string[] = [];
  private stop: Error | undefined;
  private wanted = 0;

  constructor(private readonly policy: string) {}

  read(held: readonly HeldRule[]): void {
    this.unanswered.clear();
    this.heldRules = new Map(held.map((rule) => [rule.id, rule]));
    for (const ranges of Object.values(this.waiting)) ranges.clear();
  }

  /**
   * Notes what the policy holds for the ranges of unanswered requests. A new rule that is not shown may still appear.
   * @param held the rules of the policy, perhaps without those that it got just before.
   */
  settle(held: readonly HeldRule[]): void {
    for (const range of this.unanswered) {
      const ofRange = ({ cidr }: HeldRule): boolean => cidr === range;
      const [before, now] = [[...this.heldRules.values()].filter(ofRange), held.filter(ofRange)];
      for (const { id } of before) this.heldRules.delete(id);
      for (const rule of now) this.heldRules.set(rule.id, rule);
      if (before.length + now.length > 0) this.unanswered.delete(range);
    }
  }

  /** @param unseen the rules that neither the state nor the program names. */
  planned(count: number, unseen: readonly HeldRule[]): void {
    this.wanted = count;
    this.unseen = unseen.map(({ cidr, action }) => `${cidr} (${action})`);
  }

  failed(range: string, error: Error): void {
    this.failures.set(range, error);
  }

  get hasFailures(): boolean {
    return this.failures.size > 0;
  }

  /** Whether the rule is not as the program wants it, and is not tried again. */
  isMissing(range: string): boolean {
    return this.failures.has(range) || this.waiting.created.has(range);
  }

  /** The step is not done, because a step that must come before it failed. */
  waits(range: string, done: keyof RuleReport["waiting"]): void {
    this.waiting[done].add(range);
  }

  /** No further request is sent. */
  stopped(error: Error): this {
    this.stop ??= error;
    return this;
  }

  get isStopped(): boolean {
    return this.stop !== undefined;
  }

  /** Everything that differs from the program, in one error; undefined if nothing does. */
  problem(): GatewayError | undefined {
    const { created, replaced, removed } = this.waiting;
    const sections = [
      ...section([...this.failures].map(([range, { message }]) => `${range}: ${message}`)),
      ...line("not created, because an entry that overrides a part of it failed", [...created]),
      ...line("not replaced, because other entries failed and it is the last of the IP policy rules", [
        ...replaced,
      ]),
      ...line("not removed, because an entry that may take its place failed", [...removed]),
      ...line("outcome unknown, because the service gave no answer", [...this.unanswered]),
      ...line("neither in the state nor in the program, so they stay", this.unseen),
      ...(this.stop ? [`  stopped: ${this.stop.message}`] : []),
    ];
    if (sections.length === 0) return undefined;
    const advice =
      this.unseen.length === 0
        ? []
        : [
            `  Add them to the program, or ${upAgain()}: the preview names them, and the deployment removes them. ` +
              `pulumi preview --refresh shows what else changed outside of Pulumi`,
          ];
    return new GatewayError(
      [`the IP policy rule set of ${this.policy}: ${this.summary()}`, ...sections, ...advice].join("\n"),
    );
  }

  private summary(): string {
    const { size } = this.failures;
    if (size > 0) return `${inDigits(size)} of ${inDigits(this.wanted)} entries failed`;
    return this.stop ? "not all entries were changed" : "there are IP policy rules that no preview showed";
  }
}

function section(lines: readonly string[]): string[] {
  return firstLines(lines, most20).map((text) => `  ${text}`);
}

function line(reason: string, ranges: readonly string[]): string[] {
  if (ranges.length === 0) return [];
  return [`  ${reason}: ${firstOf(ranges, most20)}`];
}
