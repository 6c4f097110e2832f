/** The rules about values that decide access and that a review cannot read. */
import { accessValues } from "../../../schema/access-fields";
import type { AccessValue } from "../../../schema/access-fields";
import type { AnyField } from "../../../schema/field";
import { prefixesOf } from "../../../schema/references";
import { declaresRules } from "../../../schema/rule-set";
import { policyPrefix } from "../../access/policies";
import { secretMask } from "../../stack/mask";
import type { StateRule } from "../rule";
import { newObjects, objects } from "./each";
import { isOfIds, unexplainedAccess } from "../unexplained";
import { keyOf } from "../../inventory/inventory";
import type { InventoryObject } from "../../inventory/inventory";

/** The paths of the secret values that decide access. */
export function hiddenAccess({ declaration, args }: InventoryObject): string[] {
  return accessValues(declaration.fields, args, (value) => value === secretMask).map(({ path }) => path);
}

export const hiddenRules: readonly StateRule[] = [
  {
    id: "access/hidden",
    severity: "error",
    title: "A value that decides access is marked as secret",
    help: "A review cannot read a range, `enabled`, an allow-list or a traffic policy that is a secret. Make only credentials secret.",
    states: objects("of all types", (on, inventory, { before, resources }) => {
      // A hidden value of a resource that changes may change too.
      const isOld = inventory === before && resources.get(keyOf(on))?.action !== "same";
      const paths = isOld ? [] : hiddenAccess(on);
      const verb = paths.length === 1 ? "is" : "are";
      const message = `${paths.join(", ")} ${verb} marked as secret, so the review cannot read what decides access`;
      return paths.length > 0 ? { field: paths[0]!, message } : undefined;
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
