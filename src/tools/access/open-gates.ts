/** The gates that restrict nobody: of edges, endpoints and modules. And the policies that only deny. */
import type { Inventory, InventoryObject } from "../inventory/inventory";
import { addressGate, gatesByPlace, gatesOf } from "./gates";
import type { GateState } from "./gates";
import { policyPrefix } from "./policies";
import type { PolicyRanges } from "./policies";
import { Access } from "./verdicts";
import { placesIn, unusedPolicies } from "./place";
import type { Place } from "./place";
import { unknownSemantics } from "./semantics";
import { placeKey } from "./served";
import { textOf } from "../../schema/formats/time";
import { idSlots } from "../../schema/references";
import { quote } from "../../schema/text/phrase";

/** A finding about one resource by itself. */
export interface Flaw {
  /** A sentence without a full stop. */
  readonly message: string;
  /** The argument that causes it. */
  readonly field?: string;
}

/**
 * The gates in an inventory that restrict nobody, now or once rules with `until` have ended. A gate that is not known
 * before the deployment is not one of them.
 * @param now the current time, in milliseconds since 1970; Infinity leaves out those that restrict nobody only later.
 */
export function unguardedIn(inventory: Inventory, semantics = unknownSemantics, now = Date.now()) {
  return placesIn(inventory, semantics).flatMap((place) => {
    const flaw = openByItself(place.on) ?? openByOthers(place, inventory, now);
    return flaw ? [{ on: place.on, ...flaw }] : [];
  });
}

/** Why an object restricts nobody, whatever else there is. */
export function openByItself(on: InventoryObject): Flaw | undefined {
  const gates = gatesOf(on);
  // Only its author knows whom a traffic policy restricts, so it counts only if there is no address gate.
  const gate = addressGate(gates) ?? gates.find(({ by }) => by === "trafficPolicy");
  if (gate?.isOn === false) return opening(reasonOf(gate), gate.argument ?? "enabled");
  if (gate?.restrictsNobody)
    return opening(`its ${gate.what} has no action that is known to restrict`, gate.argument!);
  return gate?.by === "address" && gate.isOn === true && !takesPolicies(on)
    ? opening(`its ${gate.what} has no IP policies`, policyField(on))
    : undefined;
}

function opening(reason: string, field: string): Flaw {
  return { field, message: `${reason}, so nothing restricts who gets in` };
}

function reasonOf({ by, what, isSet }: GateState): string {
  if (!isSet) return `it has no ${what}`;
  return by === "trafficPolicy" ? `its ${what} has no rules` : `its ${what} is disabled`;
}

function takesPolicies({ declaration, values }: InventoryObject): boolean {
  return idSlots(declaration.fields, values).some(({ prefixes }) => prefixes.includes(policyPrefix));
}

/** Why an object restricts nobody: its policies have no rules, or neither it nor another module makes users sign in. */
function openByOthers({ on, access }: Place, inventory: Inventory, now: number): Flaw | undefined {
  const module = gatesOf(on).find(({ by }) => by === "signIn" || by === "signature");
  if (module) {
    if (module.isOn !== false || !module.isSet || hasGateBeside(module, inventory)) return undefined;
    return opening(reasonOf(module), "enabled");
  }
  // Another rule reports a policy that is deleted although objects refer to it.
  const { policies } = access;
  if (!isCertain(access) || policies.length === 0) return undefined;
  const found = comingTimes(access, now).find(
    (then) => then.access.policies.every(hasNoRule) && !then.access.isClosed,
  );
  if (!found) return undefined;
  const names = policies.map(({ name }) => JSON.stringify(name)).join(", ");
  const verb = policies.length === 1 ? "has" : "have";
  return opening(`${names} ${verb} no rules${sinceText(found.since)}`, policyField(on));
}

/** What decides now, and at each future time at which a policy loses its last allow rule or its last rule. */
function comingTimes(access: Access, now: number): ReturnType<Access["overTime"]> {
  return access.overTime().filter(({ since }) => since === undefined || since > now);
}

function sinceText(since: number | undefined): string {
  return since === undefined ? "" : ` from ${textOf(since)} on`;
}

/**
 * Whether a module of another type guards the same place in the same way. A second resource of the same type does not
 * count, because a place has one module of each type.
 */
export function hasGateBeside({ on, by }: GateState, inventory: Inventory): boolean {
  const others = gatesByPlace(inventory).get(placeKey(on)) ?? [];
  return others.some(
    (other) => other.by === by && other.on.declaration !== on.declaration && other.isOn !== false,
  );
}

function policyField(on: InventoryObject): string {
  return addressGate(gatesOf(on))?.argument ?? "ipPolicyIds";
}

/** Whether everything about the restriction is known. */
function isCertain({ isRestricted, beside }: Access): boolean {
  return isRestricted === true && !beside.hasUnknownPolicy;
}

function hasNoRule({ hasOthers, entries, possible }: PolicyRanges): boolean {
  return !hasOthers && entries.length + possible.length === 0;
}

/**
 * The objects whose policies only deny, now or once allow rules have ended, and unused policies that only deny: everybody whom
 * no rule denies may get in.
 */
export function denyOnly(inventory: Inventory, semantics = unknownSemantics, now = Date.now()) {
  return [
    ...placesIn(inventory, semantics).filter(({ access }) => isCertain(access)),
    ...unusedPolicies(inventory, semantics).flatMap((each) =>
      each.policy ? [{ on: each.policy, access: new Access(true, [each], semantics) }] : [],
    ),
  ].flatMap(({ on, access }) => {
    const found = comingTimes(access, now).find(
      (then) => deniesOnly(then.access.policies) && !then.access.isClosed,
    );
    if (!found) return [];
    const { policies } = found.access;
    const names = policies.map(({ name }) => quote(name)).join(", ");
    const whose = policies.some(({ policy }) => policy === on) ? "it has" : `its policies ${names} have`;
    const message = `${whose} deny rules only${sinceText(found.since)}: everybody else may get in`;
    return [{ on, message }];
  });
}

function deniesOnly(policies: readonly PolicyRanges[]): boolean {
  const isKnown = policies.every(
    ({ hasOthers, possible }) => !hasOthers && possible.every(({ action }) => action === "deny"),
  );
  const allows = policies.some(({ allowed }) => !allowed.isEmpty());
  return isKnown && !allows && policies.some(({ denied }) => !denied.isEmpty());
}
