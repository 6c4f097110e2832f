/** The rules about values that decide access and that a review cannot read. */
import { accessValues } from "../../../schema/access-fields";
import type { AccessValue } from "../../../schema/access-fields";
import type { AnyField } from "../../../schema/field";
import { oncePer } from "../../../schema/once-per";
import { declarations } from "../../../resources/registry";
import { prefixesOf } from "../../../schema/references";
import { declaresRules } from "../../../schema/rule-set";
import { policyPrefix } from "../../access/policies";
import { secretMask } from "../../stack/mask";
import type { Context, StateRule } from "../rule";
import { isWithin } from "../differences";
import { newObjects, objects, pairsOf } from "./each";
import type { Flaw } from "../../access/open-gates";
import { isOfIds, unexplainedAccess } from "../unexplained";
import { keyOf } from "../../inventory/inventory";
import type { InventoryObject } from "../../inventory/inventory";

/** The paths of the secret values that decide access. */
export function hiddenAccess({ declaration, args }: InventoryObject): string[] {
  return accessValues(declaration.fields, args, (value) => value === secretMask).map(({ path }) => path);
}

function hiddenFlaw(paths: readonly string[], [one, several]: [string, string], what: string): Flaw[] {
  const verb = paths.length === 1 ? one : several;
  const message = `${paths.join(", ")} ${verb} marked as secret, so the review cannot read ${what}`;
  return paths.length > 0 ? [{ field: paths[0]!, message }] : [];
}

const types = declarations.map(({ type }) => type);

const pairsByNext = oncePer((context: Context) => Map.groupBy(pairsOf(context, types), ({ next }) => next));

/** The paths of the secret values that decided access at the place of an object before, and may change. */
function hiddenBefore(next: InventoryObject, context: Context): string[] {
  const { action, changed } = context.resources.get(keyOf(next)) ?? { action: "same", changed: [] };
  const olds = (pairsByNext(context).get(next) ?? []).map(({ old }) => old);
  const mayChange = (path: string): boolean =>
    action !== "update" || changed.length === 0 || changed.some((name) => isWithin(path, name));
  // Another rule compares the ranges of a policy.
  const isCompared = (path: string): boolean => declaresRules(next.declaration) && path !== "ipPolicyId";
  return olds
    .filter((old) => keyOf(old) !== keyOf(next) || action !== "same")
    .flatMap(hiddenAccess)
    .filter((path) => mayChange(path) && !isCompared(path));
}

export const hiddenRules: readonly StateRule[] = [
  {
    id: "access/hidden",
    severity: "error",
    title: "A value that decides access is marked as secret",
    help: "A review cannot read a range, `enabled`, an allow-list or a traffic policy that is or was a secret. Make only credentials secret.",
    states: objects("of all types", (on, inventory, context) => {
      const { before, resources } = context;
      const isBefore = inventory === before;
      // A hidden value of a resource that changes may change too.
      const isOld = isBefore && resources.get(keyOf(on))?.action !== "same";
      const paths = isOld ? [] : hiddenAccess(on);
      const shown = isBefore ? [] : hiddenBefore(on, context).filter((path) => !paths.includes(path));
      return [
        ...hiddenFlaw(paths, ["is", "are"], "what decides access"),
        ...hiddenFlaw(shown, ["was", "were"], "what changes"),
      ];
    }),
  },
  {
    id: "access/unknown",
    severity: "error",
    title: "A value that decides access is not known before the deployment",
    help: "Such as whether a guard is enabled, an ACL or an owner. Use a known value. It is a warning if it decides who may act through a new object (`access/new-actor`).",
    states: objects("of all types", (on, inventory, context) => {
      if (declaresRules(on.declaration)) return undefined;
      const isOfNew = newObjects(context).has(on);
      const all = unexplainedAccess(inventory, on, isOfPolicies);
      const isActor = ({ meaning }: AccessValue): boolean => isOfNew && meaning === "who may act";
      return [...Map.groupBy(all, isActor)].map(([isMilder, own]) => {
        const paths = own.map(({ path }) => path);
        const message = `known only after the deployment: ${paths.join(", ")}`;
        return { field: paths[0]!, message, severity: isMilder ? "warning" : undefined };
      });
    }),
  },
];

/** Whether a field takes only ids of policies, which another rule reports. */
function isOfPolicies(field: AnyField): boolean {
  return isOfIds(field) && prefixesOf(field)!.includes(policyPrefix);
}
