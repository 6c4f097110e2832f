/**
 * Policies for Pulumi's policy packs: the review's rules about the state of single resources. They have the shape of
 * `ResourceValidationPolicy` of @pulumi/policy and do not need that package.
 */
import type { Json } from "../schema/json";
import { disabledGuard, expiringSoon, noPrincipals, unidentified, openRange } from "../review/rules/single";
import { tokenPrefix } from "../runtime/type-token";
import { isRecord } from "../schema/unknown";

/** The resource that a policy checks: the part of `ResourceValidationArgs` that is used here. */
export interface ResourceArgs {
  /** The type token, such as `pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRule`. */
  readonly type: string;
  /** The resource's name in the program. */
  readonly name: string;
  /** The arguments of the resource. */
  readonly props: Readonly<Record<string, unknown>>;
}

export type EnforcementLevel = "advisory" | "mandatory" | "disabled";

/** A policy, assignable to `ResourceValidationPolicy` of @pulumi/policy. */
export interface ResourcePolicy {
  readonly name: string;
  readonly description: string;
  readonly enforcementLevel: EnforcementLevel;
  readonly validateResource: (args: ResourceArgs, reportViolation: (message: string) => void) => void;
}

type Check = (type: string, args: Json, now: number) => string | undefined;

/** A policy that checks only resources of this package and ignores unknown values. */
function policy(
  name: string,
  enforcementLevel: EnforcementLevel,
  description: string,
  check: Check,
): ResourcePolicy {
  return {
    name: `tunnel-gateway-${name}`,
    description,
    enforcementLevel,
    validateResource({ type, name: resource, props }, reportViolation) {
      if (!type.startsWith(tokenPrefix) || !isRecord(props)) return;
      const own = type.slice(tokenPrefix.length);
      const message = check(own, props, Date.now());
      if (message !== undefined) reportViolation(`${own} ${JSON.stringify(resource)}: ${message}.`);
    },
  };
}

/** No IP policy rule allows `0.0.0.0/0` or `::/0`. The review's rule access/open-cidr. */
export const openCidr = policy(
  "open-cidr",
  "mandatory",
  "An IP policy rule must not allow every address.",
  openRange,
);

/** IP restriction, OIDC, OAuth and webhook verification are enabled. The review's rule access/module-disabled. */
export const moduleDisabled = policy(
  "module-disabled",
  "mandatory",
  "A module that guards an edge or route must not be disabled.",
  disabledGuard,
);

/** SSH certificates have principals. The review's rule access/principals-emptied. */
export const emptyPrincipals = policy(
  "empty-principals",
  "mandatory",
  "An SSH certificate must have principals: without them it is valid for any user or all hosts.",
  noPrincipals,
);

/** API keys and SSH credentials have an owner or a description. The review's rule hygiene/no-owner. */
export const noOwner = policy(
  "no-owner",
  "advisory",
  "An API key or SSH credential should have an owner or a description.",
  unidentified,
);

/** Certificates do not expire within 30 days. The review's rule hygiene/expires-soon. */
export const expiresSoon = policy(
  "expires-soon",
  "advisory",
  "A certificate should not expire within 30 days, unless its validity is short or the program renews it.",
  expiringSoon,
);

/** All policies, for a pack: `new PolicyPack("gateway", { policies: [...policies] })`. */
export const policies: readonly ResourcePolicy[] = [
  openCidr,
  moduleDisabled,
  emptyPrincipals,
  noOwner,
  expiresSoon,
];

/** The policies with other enforcement levels: one for all, or levels by name. */
export function policiesWith(
  levels: EnforcementLevel | Readonly<Record<string, EnforcementLevel>>,
): ResourcePolicy[] {
  return policies.map((each) => ({
    ...each,
    enforcementLevel: typeof levels === "string" ? levels : (levels[each.name] ?? each.enforcementLevel),
  }));
}
