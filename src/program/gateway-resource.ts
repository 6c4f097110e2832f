import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import { checkArguments } from "../schema/validate";
import type { Problem } from "../schema/validate";
import { isAlwaysTwin } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import type { Json } from "../schema/json";
import { markInProgram, secretsOfCreation } from "../schema/secrets";
import { checkedSecrets, hintOfPlaintext, warnOfHidden, warnOfPlaintext } from "./program-secrets";
import type { PlaintextPaths } from "./program-secrets";
import { reportWrongSettings } from "./setting-warnings";
import { warnOf } from "./advice";
import { report } from "./program-errors";
import { creationSecret } from "./creation-secret";
import { dependenciesOf, noteResource } from "./after-contents";
import type { Door } from "./door";
import { tokenPrefix } from "./shim";
import { claimPath } from "./claimed-paths";
import { claimRules } from "./claimed-rules";
import { misplacedIds, noteId } from "./id-outputs";
import { warnOfOccupiedAddress } from "./occupied-addresses";
import { droppedKeys, ownerHint, sdkInputs, stamped, visible } from "./program-arguments";
import { warnOfForcedReplacement, withoutForcedReplacement } from "./replacement";
import { nameOfProvider, providerOf, refuseHiddenName } from "./explicit-provider";

/** The base of every class of this package: a dynamic resource that follows its declaration. */
export abstract class DeclaredResource extends sdk.dynamic.Resource {}

/**
 * What Pulumi registers for a resource.
 * @param args undefined where `get` looks up an existing object.
 */
export function properties(
  door: Door,
  declaration: Declaration,
  name: string,
  args?: object,
  opts?: pulumi.CustomResourceOptions,
  plaintext?: PlaintextPaths,
): Record<string, unknown> {
  // Pulumi sets computed outputs only if the inputs name them.
  const names = Object.keys(declaration.fields);
  const unset = Object.fromEntries(names.map((field) => [field, undefined]));
  const seeds = door.seeded(declaration.type, unset);
  // The name of a `pulumi.ProviderResource` is not checked by the class Provider.
  const provider = providerOf(door, opts);
  refuseHiddenName(nameOfProvider(provider));
  const unusable = provider === undefined ? reportWrongSettings() : {};
  if (opts?.id !== undefined) return { ...seeds, ...unusable };
  const given = stamped(declaration, name, { ...args }, provider);
  const seen = visible(given);
  const problems = [
    ...droppedKeys(seen),
    ...checkArguments(declaration.fields, declaration.rules, seen, {}),
    ...misplacedIds(declaration.fields, given),
  ];
  let isConstructed = false;
  const found = (problem: Problem): void => {
    if (isConstructed) report(declaration.type, name, [problem]);
    else problems.push(problem);
  };
  claimRules(declaration, name, given, provider, found);
  claimPath(declaration, name, given, provider, found);
  isConstructed = true;
  const marked = {
    ...seeds,
    ...unusable,
    ...sdkInputs(
      markInProgram(declaration.fields, { ...given, ...checkedSecrets(declaration, name, given) }),
    ),
    ...hintOfPlaintext(plaintext),
    ...ownerHint(door, declaration, name, given, opts?.parent),
  };
  return problems.length === 0 ? marked : { ...marked, ...report(declaration.type, name, problems) };
}

/** The resource options of a class: those of the program, and what its declaration asks for. */
export function options(
  door: Door,
  declaration: Declaration,
  args: object | undefined,
  opts: pulumi.CustomResourceOptions = {},
  resource: () => pulumi.Resource,
): pulumi.CustomResourceOptions {
  const secrets = Object.keys(declaration.fields).filter((name) => declaration.fields[name]!.traits.secret);
  return {
    // With --target-replace the engine does not call the diff hook, so the option must be set here.
    ...(isAlwaysTwin(declaration, { ...args }) ? { deleteBeforeReplace: true } : {}),
    ...withoutForcedReplacement(declaration, opts),
    aliases: door.aliases(tokenPrefix + declaration.type, opts.aliases),
    dependsOn: dependenciesOf(declaration, { ...args }, opts, resource),
    additionalSecretOutputs: [...secrets, ...(opts.additionalSecretOutputs ?? [])],
  };
}

/** Completes a registered resource: the outputs that the program sees, and its warnings. */
export function complete(
  door: Door,
  resource: DeclaredResource,
  declaration: Declaration,
  name: string,
  args?: object,
  opts?: pulumi.CustomResourceOptions,
  plaintext?: PlaintextPaths,
): void {
  const isLookUp = opts?.id !== undefined;
  noteResource(resource, declaration, name, { ...args }, opts);
  noteId(resource, declaration, name);
  showOutputs(resource, declaration, name, isLookUp ? undefined : { ...args });
  if (isLookUp) return;
  if (!door.warns) warnOf(resource, declaration, { ...args });
  warnOfPlaintext(resource, declaration.type, name, plaintext);
  warnOfHidden(resource, declaration.fields, { ...args }, opts);
  warnOfForcedReplacement(resource, declaration, opts);
  warnOfOccupiedAddress(resource, declaration, name, { ...args }, providerOf(door, opts));
}

/**
 * Replaces the outputs by those that the program sees: undefined for the null of a missing value, and an error for a missing
 * secret that only the creation returned. Creating an Output costs more than everything else that a resource does in the
 * program, so each is created when the program reads it.
 */
function showOutputs(
  resource: DeclaredResource,
  { type, noun, fields, seals }: Declaration,
  name: string,
  args: Json | undefined,
): void {
  const outputs = resource as unknown as Record<string, pulumi.Output<unknown> | undefined>;
  const secrets = new Set(secretsOfCreation(fields));
  const seal = seals && { ...seals, given: args?.[seals.to] };
  const owner = { type, noun, name, urn: resource.urn, isLookUp: args === undefined, seal };
  for (const field of Object.keys(fields)) {
    const given = outputs[field];
    if (given === undefined || (fields[field]!.presence === "required" && !secrets.has(field))) continue;
    const make = (): pulumi.Output<unknown> =>
      secrets.has(field) ? creationSecret(given, field, owner) : given.apply((value) => value ?? undefined);
    let shown: pulumi.Output<unknown> | undefined;
    Object.defineProperty(outputs, field, {
      get: () => (shown ??= make()),
      enumerable: true,
      configurable: true,
    });
  }
}
