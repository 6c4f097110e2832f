/**
 * Policies for Pulumi's policy packs: the review's rules about the state of resources. They have the shape of
 * `ResourceValidationPolicy` and `StackValidationPolicy` of @pulumi/policy and do not need that package.
 */
import {
  allowedRanges,
  alone,
  expiringSoon,
  noPrincipals,
  openedTogether,
  openRange,
  unidentified,
} from "../review/rules/single";
import { denyOnly, openByItself, unguardedIn } from "../access/open-gates";
import { accessTestFailures } from "../access/access-tests";
import type { AccessTest } from "../access/access-tests";
import type { AddressSet } from "../../schema/addresses/address-set";
import { semanticsTexts } from "../access/semantics";
import type { Semantics } from "../access/semantics";
import { declaresRules } from "../../schema/rule-set";
import { keyOf } from "../inventory/inventory";
import type { Inventory, InventoryObject } from "../inventory/inventory";
import { silencer } from "../review/silence";
import type { Silence } from "../review/silence";
import type { Declaration } from "../../schema/declaration";
import { quote } from "../../schema/text/phrase";
import { isRecord } from "../../schema/unknown";
import { escapeControls } from "../../schema/text/escape";
import { inventoryOfPack, knownValues, packIdentity } from "./pack-inventory";
import type { ResourceArgs, StackResource } from "./pack-inventory";

export type { Semantics } from "../access/semantics";
export type { AccessTest } from "../access/access-tests";
export type { Silence } from "../review/silence";
export type { ResourceArgs, StackResource } from "./pack-inventory";

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

/** Checks the settings of a pack. This module loads zod and all rules of the review, which most packs do not need. */
function config(): typeof import("../review/config-file") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require("../review/config-file") as typeof import("../review/config-file");
}

type Check = (on: InventoryObject, now: number) => Pick<Violation, "message"> | undefined;

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
    validateResource(args, reportViolation) {
      const { name: resource, props } = args;
      const own = declarationOf(args);
      if (own === undefined || !isRecord(props)) return;
      const flaw = check(alone(own, knownValues(props)), Date.now());
      if (flaw) reportViolation(`${own.type} ${quote(resource)}: ${escapeControls(flaw.message)}.`);
    },
  };
}

interface Violation {
  /** The resources that it concerns. */
  readonly on: readonly InventoryObject[];
  readonly message: string;
}

/** A policy that checks all resources of this package together. */
function stackPolicy(
  name: string,
  description: string,
  check: (inventory: Inventory) => Iterable<Violation>,
): StackPolicy {
  return {
    name: `tunnel-gateway-${name}`,
    description,
    enforcementLevel: "mandatory",
    validateStack({ resources }, reportViolation) {
      for (const { on, message } of check(inventoryOfPack(resources))) {
        const names = on.map(({ declaration, name }) => `${declaration.type} ${quote(name)}`).join(", ");
        reportViolation(`${names && `${names}: `}${escapeControls(message)}.`, on[0]?.urn);
      }
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
export const openFamily = stackPolicy(
  "open-family",
  "The rules of an IP policy must not allow every address together.",
  (inventory) =>
    // The policy about single resources reports a rule that alone allows every address.
    [...sourcesByPolicy(inventory).values()].flatMap(openedTogether).map(({ family, by }) => {
      return { on: by, message: `together they allow every IPv${family} address` };
    }),
);

/**
 * A policy about access tests, which the configuration of the review has too: `accessTests`. The review's rule
 * access/test-failed. `semantics` is the setting of this name. Throws an Error if a test or the setting is not valid.
 */
export function accessTests(tests: readonly AccessTest[], semantics: Partial<Semantics> = {}): StackPolicy {
  const { accessTestsIn, semanticsIn } = config();
  const valid = accessTestsIn(tests);
  const answers = semanticsIn(semantics);
  const given = semanticsTexts(answers).join(", ");
  return stackPolicy(
    "access-tests",
    `The access tests must hold${given === "" ? "" : `, where ${given}`}.`,
    (inventory) =>
      accessTestFailures(inventory, valid, answers).map(({ on, message }) => {
        return { on: on ? [on] : [], message };
      }),
  );
}

/** The rules and rule sets of each IP policy. A pack does not see a policy that the program only reads: its URN stands for it. */
function sourcesByPolicy(inventory: Inventory): Map<string, { of: InventoryObject; allowed: AddressSet }[]> {
  const rules = [...inventory.all.values()].filter(({ declaration }) => declaresRules(declaration));
  const policyOf = (on: InventoryObject): string => {
    const { to, id } = inventory.references(on)[0] ?? {};
    return to ? keyOf(to) : (id ?? on.record?.propertyDependencies.ipPolicyId?.[0] ?? "");
  };
  const sources = Map.groupBy(rules, policyOf);
  return new Map(
    [...sources].map(([policy, all]) => [policy, all.map((of) => ({ of, allowed: allowedRanges(of) }))]),
  );
}

/** Undefined for resources of other packages, and for resources that only resemble those of this package. */
function declarationOf(resource: ResourceArgs): Declaration | undefined {
  const identity = packIdentity(resource);
  return identity.kind === "own" ? identity.declaration : undefined;
}

/** Type and code of a resource are of the same class of this package. The review's rule access/identity. */
export const identity: ResourcePolicy = {
  name: "tunnel-gateway-identity",
  description: "A resource with the type or the code of this package must have both.",
  enforcementLevel: "mandatory",
  validateResource(args, reportViolation) {
    const found = isRecord(args.props) ? packIdentity(args) : undefined;
    if (found?.kind === "mismatch")
      reportViolation(`${quote(args.name)} is not what it seems: ${escapeControls(found.problem)}.`);
  },
};

/**
 * An edge has an IP restriction with policies that is enabled, a cloud endpoint a traffic policy with rules, and an IP
 * restriction module policies. The review's rule access/unguarded.
 */
export const unguarded = policy(
  "unguarded",
  "mandatory",
  "An edge, endpoint or IP restriction must restrict who gets in.",
  openByItself,
);

/**
 * The IP policies of an edge or module have rules, and a route with a disabled sign-in has another one. The review's rule
 * access/unguarded.
 */
export const unguardedTogether = stackPolicy(
  "unguarded-together",
  "IP policies in use must have rules, and a route must not have only disabled modules.",
  (inventory) =>
    unguardedIn(inventory)
      // The policy about single resources reports a restriction that alone has no effect.
      .filter(({ on }) => openByItself(on) === undefined)
      .map(({ on, message }) => ({ on: [on], message })),
);

/** The IP policies of an edge or module do not only deny. The review's rule access/deny-only. */
export const onlyDenied = stackPolicy("deny-only", "IP policies must not only deny.", (inventory) =>
  denyOnly(inventory).map(({ on, message }) => ({ on: [on], message })),
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
  identity,
  openCidr,
  openFamily,
  unguarded,
  unguardedTogether,
  onlyDenied,
  emptyPrincipals,
  noOwner,
  expiresSoon,
];

/**
 * The policies with other enforcement levels: one for all, or levels by name. Violations that a silence matches are left
 * out: its `rule` is the name of a policy. Throws an Error if a silence is not valid.
 */
export function policiesWith(
  levels: EnforcementLevel | Readonly<Record<string, EnforcementLevel>>,
  silences: readonly Silence[] = [],
): (ResourcePolicy | StackPolicy)[] {
  const names = policies.map(({ name }) => name);
  const silenceOf = silencer(config().silencesIn(silences, names));
  const isSilenced = ({ name: rule }: Pick<ResourcePolicy, "name">, resource?: ResourceArgs): boolean => {
    const type = resource && declarationOf(resource)?.type;
    return (
      type !== undefined &&
      silenceOf({ rule, type, urn: resource!.urn ?? "", name: resource!.name }) !== undefined
    );
  };
  return policies.map((each) => {
    const enforcementLevel =
      typeof levels === "string" ? levels : (levels[each.name] ?? each.enforcementLevel);
    if ("validateResource" in each)
      return {
        ...{ ...each, enforcementLevel },
        validateResource(args, report) {
          if (!isSilenced(each, args)) each.validateResource(args, report);
        },
      };
    return {
      ...{ ...each, enforcementLevel },
      validateStack(args, report) {
        const byUrn = new Map(args.resources.map((resource) => [resource.urn, resource]));
        each.validateStack(args, (message, urn) => {
          if (!isSilenced(each, byUrn.get(urn ?? ""))) report(message, urn);
        });
      },
    };
  });
}
