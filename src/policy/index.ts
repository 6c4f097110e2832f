/**
 * Policies for Pulumi's policy packs: the review's rules about the state of resources. They have the shape of
 * `ResourceValidationPolicy` and `StackValidationPolicy` of @pulumi/policy and do not need that package.
 */
import type { Json } from "../schema/json";
import {
  allowedRanges,
  disabledGuard,
  expiringSoon,
  noPrincipals,
  openRange,
  publicWithoutPolicy,
  unidentified,
} from "../review/rules/single";
import { accessTestFailures } from "../access/tests";
import type { AccessTest } from "../access/tests";
import { AddressSet } from "../access/address-set";
import { families } from "../access/block";
import type { Block } from "../access/block";
import { declarations } from "../resources/registry";
import { tokenPrefix } from "../runtime/shim";
import { accessTestsIn } from "../review/config";
import type { Declaration } from "../schema/declaration";
import { quote } from "../schema/formats/quote";
import { isRecord } from "../schema/unknown";
import { escapeControls } from "../text/terminal";
import { inventoryOfPack, knownValues } from "./inventory";
import type { ResourceArgs, StackResource } from "./inventory";

export type { AccessTest } from "../access/tests";
export type { ResourceArgs, StackResource } from "./inventory";

export type EnforcementLevel = "advisory" | "mandatory" | "disabled";

/** A policy, assignable to `ResourceValidationPolicy` of @pulumi/policy. */
export interface ResourcePolicy {
  readonly name: string;
  readonly description: string;
  readonly enforcementLevel: EnforcementLevel;
  readonly validateResource: (args: ResourceArgs, reportViolation: (message: string) => void) => void;
}

/** A policy about all resources together, assignable to `StackValidationPolicy` of @pulumi/policy. */
export interface StackPolicy {
  readonly name: string;
  readonly description: string;
  readonly enforcementLevel: EnforcementLevel;
  readonly validateStack: (
    args: { readonly resources: readonly StackResource[] },
    reportViolation: (message: string, urn?: string) => void,
  ) => void;
}

type Check = (declaration: Declaration, args: Json, now: number) => string | undefined;

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
      const own = declarationOfToken(type);
      if (own === undefined || !isRecord(props)) return;
      const message = check(own, knownValues(props), Date.now());
      if (message !== undefined)
        reportViolation(`${own.type} ${quote(resource)}: ${escapeControls(message)}.`);
    },
  };
}

/** No IP policy rule or rule set allows every address of a family. The review's rule access/open-cidr. */
export const openCidr = policy(
  "open-cidr",
  "mandatory",
  "An IP policy rule must not allow every address.",
  openRange,
);

/**
 * The rules and rule sets of an IP policy do not allow every address together, for example as `0.0.0.0/1` and
 * `128.0.0.0/1`. The review's rule access/open-cidr.
 */
export const openFamily: StackPolicy = {
  name: "tunnel-gateway-open-family",
  description: "The rules of an IP policy must not allow every address together.",
  enforcementLevel: "mandatory",
  validateStack({ resources }, reportViolation) {
    for (const sources of sourcesByPolicy(resources).values()) {
      for (const family of families) {
        const own = sources.flatMap(({ declaration, resource, ranges }) => {
          const blocks = ranges.filter((range) => range.family === family);
          return blocks.length === 0 ? [] : [{ declaration, resource, allowed: AddressSet.ofBlocks(blocks) }];
        });
        const all = AddressSet.empty.union(...own.map(({ allowed }) => allowed));
        // The policy about single resources reports one that allows every address by itself.
        const isSingle = own.some(({ allowed }) => allowed.coversFamily(family));
        if (isSingle || !all.coversFamily(family)) continue;
        const names = own.map(({ declaration, resource }) => `${declaration.type} ${quote(resource.name)}`);
        const message = `${names.join(", ")}: together they allow every IPv${family} address.`;
        reportViolation(message, own[0]!.resource.urn);
      }
    }
  },
};

/**
 * A policy about access tests, which the configuration of the review has too: `accessTests`. The review's rule
 * access/test-failed. Throws an Error if a test is not valid.
 */
export function accessTests(tests: readonly AccessTest[]): StackPolicy {
  const valid = accessTestsIn(tests);
  return {
    name: "tunnel-gateway-access-tests",
    description: "The access tests must hold.",
    enforcementLevel: "mandatory",
    validateStack({ resources }, reportViolation) {
      for (const { on, message } of accessTestFailures(inventoryOfPack(resources), valid)) {
        const subject = on ? `${on.declaration.type} ${quote(on.name)}: ` : "";
        reportViolation(`${subject}${escapeControls(message)}.`, on?.urn);
      }
    },
  };
}

/** A rule or a rule set with the ranges that it allows. */
interface Source {
  readonly declaration: Declaration;
  readonly resource: StackResource;
  readonly ranges: readonly Block[];
}

/** The sources of every IP policy, by its URN; by its id if it is no resource of the stack. */
function sourcesByPolicy(resources: readonly StackResource[]): Map<string, Source[]> {
  const sources = resources.flatMap((resource) => {
    const declaration = declarationOfToken(resource.type);
    if (declaration === undefined) return [];
    const props = knownValues(resource.props);
    const ranges = allowedRanges(declaration, props);
    const policy = resource.propertyDependencies.ipPolicyId?.[0]?.urn ?? String(props.ipPolicyId);
    return ranges.length === 0 ? [] : [{ declaration, resource, ranges, policy }];
  });
  return Map.groupBy(sources, ({ policy }) => policy);
}

/** Undefined for resources of other packages, and for types that this version does not know. */
function declarationOfToken(token: string): Declaration | undefined {
  return declarations.find(({ type }) => token === `${tokenPrefix}${type}`);
}

/** A public cloud endpoint has a traffic policy. */
export const publicEndpoint = policy(
  "public-endpoint",
  "mandatory",
  "A cloud endpoint with the binding public must have a traffic policy.",
  publicWithoutPolicy,
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
export const policies: readonly (ResourcePolicy | StackPolicy)[] = [
  openCidr,
  openFamily,
  publicEndpoint,
  moduleDisabled,
  emptyPrincipals,
  noOwner,
  expiresSoon,
];

/** The policies with other enforcement levels: one for all, or levels by name. */
export function policiesWith(
  levels: EnforcementLevel | Readonly<Record<string, EnforcementLevel>>,
): (ResourcePolicy | StackPolicy)[] {
  return policies.map((each) => ({
    ...each,
    enforcementLevel: typeof levels === "string" ? levels : (levels[each.name] ?? each.enforcementLevel),
  }));
}
