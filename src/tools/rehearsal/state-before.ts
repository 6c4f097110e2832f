/** The state of a resource before a step, with the masked values that the account or the arguments show. */
import type { Snapshot } from "../../emulator/types";
import { heldRule } from "../../provider/rule-set/rule-plan";
import { isStandingFor } from "../../provider/rule-set/summary";
import type { Declaration } from "../../schema/declaration";
import { heldRulesIn, withHeldRules, withoutMasks } from "../../schema/recorded-state";
import { isSummarized, policyOf, rulesByRange } from "../../schema/rule-set";
import type { StoredOutputs } from "../../schema/values";
import type { EngineState } from "../stack/state";

/** @param account the account before the deployment. */
export function stateBefore(
  declaration: Declaration,
  state: Pick<EngineState, "id" | "inputs" | "outputs">,
  account: () => Snapshot,
): StoredOutputs {
  const outputs = withoutMasks(declaration, state);
  const isShown = declaration.setOf === undefined || heldRulesIn(outputs).heldRules !== undefined;
  if (isShown || !isSummarized(outputs)) return outputs;
  // A summarized set has the rules of its policy that stand for its entries.
  const rules = (account().ip_policy_rules ?? []).filter((rule) => policyOf(rule) === state.id);
  const held = rules.map(heldRule).filter(isStandingFor(rulesByRange(outputs)));
  const entries = held.map(({ cidr, action, description, metadata }) => {
    return [cidr, { action, description, metadata }] as const;
  });
  return withHeldRules(outputs, Object.fromEntries(entries));
}
