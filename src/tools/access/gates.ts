/** What traffic must pass: the gates that the declarations name, in the state that an inventory has. */
import { oncePer } from "../../schema/once-per";
import { keyOf, named } from "../inventory/inventory";
import type { Inventory, InventoryObject } from "../inventory/inventory";
import type { Gate } from "../../schema/declaration";
import { isEmpty, mayRestrict } from "./traffic-policy";
import { sortedBy } from "../../schema/text/compare-texts";
import { isAbsent, isRecord, isUnknown, membersOf } from "../../schema/unknown";
import { placeKey } from "./served";

/** A gate of one object. */
export interface GateState extends Pick<Gate, "by" | "what" | "argument"> {
  readonly on: InventoryObject;
  /** "unknown" if it is known only after the deployment. */
  readonly isOn: boolean | "unknown";
  /** False for a module that was never set. */
  readonly isSet: boolean;
  /** True if it is on, and has no action that is known to restrict. */
  readonly restrictsNobody?: true;
  /** The most important of its settings, such as the issuer; undefined if it has none, or if it is not known. */
  readonly detail: string | undefined;
  /** For a sign-in: the seconds after which a session ends; undefined if it does not end. */
  readonly sessionSeconds: number | undefined;
}

/** The gate that decides by the client's address. */
export function addressGate<G extends Pick<Gate, "by">>(gates: readonly G[] = []): G | undefined {
  return gates.find(({ by }) => by === "address");
}

/** The gates of an object. */
export const gatesOf = oncePer((on: InventoryObject): readonly GateState[] =>
  (on.declaration.gates ?? []).map(({ by, what, argument, detail }) => {
    const settings = argument === undefined ? on.values : on.values[argument];
    const values = membersOf(settings);
    const { maximumDuration } = values;
    const isLimited = typeof maximumDuration === "number" && maximumDuration > 0;
    const state = isOn(by, settings);
    const isUseless = by === "trafficPolicy" && state === true && !mayRestrict(trafficPolicyOf(on));
    return {
      ...{ by, what, argument, on },
      ...{ isOn: state, isSet: !isAbsent(settings) && settings !== "" },
      ...(isUseless && { restrictsNobody: true }),
      detail: detail && detailText(values[detail]),
      sessionSeconds: isLimited ? maximumDuration : undefined,
    };
  }),
);

/** The text of an object's traffic policy; undefined if it has none or it is disabled. */
export function trafficPolicyOf({ values: { trafficPolicy } }: InventoryObject): unknown {
  const { enabled, value } = membersOf(trafficPolicy);
  if (!isRecord(trafficPolicy)) return trafficPolicy;
  return enabled === false ? undefined : value;
}

function isOn(by: Gate["by"], settings: unknown): GateState["isOn"] {
  if (isUnknown(settings)) return "unknown";
  const { enabled, value } = membersOf(settings);
  if (isAbsent(settings) || enabled === false) return false;
  if (by === "trafficPolicy") {
    const policy = isRecord(settings) ? value : settings;
    if (isUnknown(policy)) return "unknown";
    if (isEmpty(policy)) return false;
  }
  return isUnknown(enabled) ? "unknown" : true;
}

/** A text itself; of alternatives, the name of the one that is set. */
function detailText(value: unknown): string | undefined {
  if (typeof value === "string") return isUnknown(value) || value === "" ? undefined : value;
  return Object.entries(membersOf(value)).find(([, each]) => !isAbsent(each))?.[0];
}

/** All gates by what they guard, in the order of the names of their objects: the engine's order varies from run to run. */
export const gatesByPlace = oncePer((inventory: Inventory): ReadonlyMap<string, readonly GateState[]> => {
  const gates = [...inventory.all.values()].flatMap(gatesOf);
  return Map.groupBy(
    sortedBy(gates, ({ on }) => `${named(on)} ${keyOf(on)}`),
    ({ on }) => placeKey(on),
  );
});
