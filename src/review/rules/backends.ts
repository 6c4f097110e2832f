/** The rules about backends without a target. */
import { hasUnknown, isRecord } from "../../schema/unknown";
import type { StateRule } from "../rule";
import { knownList } from "./pairs";

export const weightsZero: StateRule = {
  id: "interruption/weights-zero",
  severity: "warning",
  title: "A weighted backend has no backend with a weight above 0",
  help: "All weights are 0, or there is no backend: the traffic has no destination. A weight is a number from 0 to 10000 (specification, Limits).",
  *states(inventory) {
    for (const on of inventory.ofType("WeightedBackend")) {
      const { backends } = on.outputs;
      if (!isRecord(backends) || hasUnknown(backends)) continue;
      const weights = Object.values(backends);
      if (weights.some((weight) => weight !== 0)) continue;
      const message = weights.length === 0 ? "it has no backends" : "all of its weights are 0";
      yield { on, field: "backends", message: `${message}: its traffic has no destination` };
    }
  },
};

export const failoverEmptied: StateRule = {
  id: "interruption/failover-emptied",
  severity: "warning",
  title: "A failover backend has no backends",
  help: "The list of backends is empty: the traffic has no destination (specification, Failover backend).",
  *states(inventory) {
    for (const on of inventory.ofType("FailoverBackend")) {
      if (knownList(on.outputs.backends)?.length !== 0) continue;
      yield { on, field: "backends", message: "it has no backends: its traffic has no destination" };
    }
  },
};
