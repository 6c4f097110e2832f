/** The base of a resource's class: what every class has in common, once. */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import { declarationFor, followsDeclaration, isAlwaysTwin } from "../schema/declaration";
import type { Declaration, Spec } from "../schema/declaration";
import type { ArgsOf, FieldsIn, OutputsOf } from "../schema/inferred";
import { isRecord } from "../schema/unknown";
import { plaintextSecrets, secretArguments, warnOfHidden, warnOfPlaintext } from "./program-secrets";
import { dynamicDoor } from "./door";
import type { Door } from "./door";
import { checkArguments } from "../schema/validate";
import type { Problem } from "../schema/validate";
import type { Json } from "../schema/json";
import { haveSecrets, secretsOfCreation } from "../schema/secrets";
import type { PlaintextPaths } from "./program-secrets";
import { reportWrongSettings } from "./setting-warnings";
import { warnOf, warnLater } from "./advice";
import { report } from "./program-errors";
import { creationSecret } from "./creation-secret";
import { dependenciesOf, noteResource } from "./after-contents";
import { tokenPrefix } from "./shim";
import { claim, warnOfOccupiedAddress } from "./claims";
import { misplacedIds, noteId } from "./id-outputs";
import { droppedKeys, sdkInputs, stamped, visible } from "./program-arguments";
import type { Constructed } from "./program-arguments";
import { nameOfProvider, providerOf, refuseHiddenName } from "./explicit-provider";
import { hasOwnPath } from "../provider/http/path";

interface Statics<Resource> {
  /**
   * Looks up an existing object. It is read and not managed; a secret that the service does not return is undefined,
   * and using one that only a creation returns, such as an API key's token, is an error.
   *
   * @param name the resource's name in the program.
   * @param id the object's id; for a module of an edge or a route the ids in its path, joined by "/".
   * @param opts Pulumi's resource options.
   */
  get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Resource;
  /** Whether the value is a resource of this class, whichever copy of the package made it. */
  isInstance(value: unknown): value is Resource;
}

/**
 * A class of resources that need no arguments.
 * @public The declarations of the classes name it.
 */
export interface OptionalArgsClass<Resource, Args, Base> extends Statics<Resource> {
  /**
   * @param name the resource's name in the program.
   * @param args the object's arguments.
   * @param opts Pulumi's resource options. `deleteBeforeReplace` is on by default where only one object can exist.
   */
  new (name: string, args?: Args, opts?: pulumi.CustomResourceOptions): Base;
}

/**
 * A class of resources that need arguments.
 * @public The declarations of the classes name it.
 */
export interface RequiredArgsClass<Resource, Args, Base> extends Statics<Resource> {
  /**
   * @param name the resource's name in the program.
   * @param args the object's arguments.
   * @param opts Pulumi's resource options. `deleteBeforeReplace` is on by default where only one object can exist.
   */
  new (name: string, args: Args, opts?: pulumi.CustomResourceOptions): Base;
}

export type ClassOf<Resource, Args, Base> = object extends Args
  ? OptionalArgsClass<Resource, Args, Base>
  : RequiredArgsClass<Resource, Args, Base>;

/** The base of every class of this package: a dynamic resource that follows its declaration. */
export abstract class DeclaredResource extends sdk.dynamic.Resource {}

/**
 * The base of the class `Resource`, with an output for each field. `Resource` is the class itself, so that `get` and
 * `isInstance` have its type; `Args` is the interface of its arguments, which messages of the compiler name.
 */
export function resource<Resource, Args extends ArgsOf<F>, F extends FieldsIn<F>>(
  spec: Spec<F>,
): ClassOf<Resource, Args, DeclaredResource & OutputsOf<F>> {
  return classOf(declarationFor(spec), dynamicDoor);
}

/** The base of the class of a declaration whose resources use the door. */
export function classOf<Class>(declaration: Declaration, door: Door): Class {
  const token = door.tokenPrefix + declaration.type;
  /**
   * Pulumi skips the frames of three constructors to find the program's line: those of `Resource`, of `CustomResource` and
   * of the class that the program names. This class stands in the place of `CustomResource`, which only sets the mark below.
   * That of `dynamic.Resource` is left out too: it runs the closure serializer, and the shim is a known text.
   */
  class Declared extends sdk.Resource {
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Declared {
      return new this(name, undefined, { ...opts, id });
    }

    static override isInstance(value: unknown): value is Declared {
      return isRecord(value) && value.__pulumiType === token;
    }

    constructor(name: string, args?: object, opts: pulumi.CustomResourceOptions = {}) {
      const provider = providerOf(door, opts);
      const constructed = { door, declaration, name, args: { ...args }, opts, provider };
      // The state gets them as a hint, and the program a warning.
      const plaintext = plaintextSecrets(declaration.fields, constructed.args);
      const registered = properties(constructed, plaintext);
      const withDefaults = options(constructed, () => this);
      const limit = Error.stackTraceLimit;
      // Pulumi notes a stack on each of some fifty promises of a resource, only to print it should one never end. That is
      // a third of a program's time. The line of the resource is found without the limit, which Pulumi sets itself.
      Error.stackTraceLimit = 0;
      try {
        super(token, name, true, registered, withDefaults);
      } catch (error) {
        Error.stackTraceLimit = limit;
        if (error instanceof Error) Error.captureStackTrace(error);
        throw error;
      }
      Error.stackTraceLimit = limit;
      complete(this as unknown as DeclaredResource, constructed, plaintext);
    }
  }
  Object.setPrototypeOf(Declared.prototype, DeclaredResource.prototype);
  Object.assign(Declared.prototype, { __pulumiCustomResource: true });
  return followsDeclaration(Declared, declaration) as unknown as Class;
}

/** What Pulumi registers for a resource. */
function properties(own: Constructed, plaintext: PlaintextPaths | undefined): Record<string, unknown> {
  const { door, declaration, name, opts, provider } = own;
  // Pulumi sets computed outputs only if the inputs name them.
  const names = Object.keys(declaration.fields);
  const unset = Object.fromEntries(names.map((field) => [field, undefined]));
  const seeds = door.withShim(declaration.type, unset);
  door.checkRun();
  // The name of a `pulumi.ProviderResource` is not checked by the class Provider.
  refuseHiddenName(nameOfProvider(provider));
  const unusable = provider === undefined ? reportWrongSettings() : {};
  if (opts.id !== undefined) return { ...seeds, ...unusable };
  const constructed = { ...own, args: stamped(own) };
  const problems = problemsOf(constructed);
  const args = haveSecrets(declaration.fields) ? secretArguments(constructed, plaintext) : constructed.args;
  const registered = { ...seeds, ...unusable, ...sdkInputs(args) };
  return problems.length === 0 ? registered : { ...registered, ...report(declaration.type, name, problems) };
}

/** What the program alone shows to be wrong with the arguments. What it shows later is reported later. */
function problemsOf(constructed: Constructed): Problem[] {
  const { declaration, name, args } = constructed;
  const seen = visible(args);
  const problems = [
    ...droppedKeys(seen),
    ...checkArguments(declaration.fields, declaration.rules, seen, {}),
    ...misplacedIds(declaration.fields, args),
  ];
  let isConstructed = false;
  claim(constructed, (problem) => {
    if (isConstructed) report(declaration.type, name, [problem]);
    else problems.push(problem);
  });
  isConstructed = true;
  return problems;
}

/** The resource options of a class: those of the program, and what its declaration asks for. */
export function options(
  constructed: Constructed,
  resource: () => pulumi.Resource,
): pulumi.CustomResourceOptions {
  const { door, declaration, args, opts } = constructed;
  const secrets = Object.keys(declaration.fields).filter((name) => declaration.fields[name]!.traits.secret);
  return {
    // With --target-replace the engine does not call the diff hook, so the option must be set here.
    ...(isAlwaysTwin(declaration, args) ? { deleteBeforeReplace: true } : {}),
    ...withoutForcedReplacement(declaration, opts),
    aliases: door.aliases(tokenPrefix + declaration.type, opts.aliases),
    dependsOn: dependenciesOf(constructed, resource),
    additionalSecretOutputs: [...secrets, ...(opts.additionalSecretOutputs ?? [])],
  };
}

/** Completes a registered resource: the outputs that the program sees, and its warnings. */
function complete(
  resource: DeclaredResource,
  constructed: Constructed,
  plaintext: PlaintextPaths | undefined,
): void {
  const { door, declaration, name, args, opts } = constructed;
  const isLookUp = opts.id !== undefined;
  noteResource(resource, constructed);
  noteId(resource, declaration, name);
  showOutputs(resource, declaration, name, isLookUp ? undefined : args);
  if (isLookUp) return;
  if (!door.warns) warnOf(resource, declaration, args);
  warnOfPlaintext(resource, declaration.type, name, plaintext);
  warnOfHidden(resource, declaration.fields, args, opts);
  warnOfForcedReplacement(resource, declaration, opts);
  warnOfOccupiedAddress(resource, constructed);
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

type Options = pulumi.CustomResourceOptions;

/** The options that replace a resource although none of its arguments requires it. */
const forcing = ["replaceOnChanges", "replacementTrigger", "replaceWith"] as const;

/**
 * The options without those that would delete the object first if its path is its identity: what a module guards would be
 * open until the new module exists, and stay open if the service refuses it. A module that moves is created first, and one
 * that stays is updated, so the options that replace a module in place are left out too.
 */
function withoutForcedReplacement(declaration: Declaration, opts: Options): Options {
  if (!hasOwnPath(declaration)) return opts;
  const ignored: readonly string[] = declaration.style === "singleton" ? forcing : [];
  const isKept = (name: string): boolean => name !== "deleteBeforeReplace" && !ignored.includes(name);
  return Object.fromEntries(Object.entries(opts).filter(([name]) => isKept(name)));
}

/** Warns about the options that are ignored. */
function warnOfForcedReplacement(
  resource: pulumi.Resource,
  { style, noun }: Declaration,
  opts: Options,
): void {
  if (style !== "singleton") return;
  const given = forcing.filter((name) => opts[name] !== undefined);
  for (const name of given) {
    const text =
      `the resource option ${name} is ignored: a replacement would delete the ${noun} and create it again at the ` +
      "same address, which would be open in between, and for good if the service refused the create. Changes of " +
      "its arguments update it in place";
    warnLater(resource, undefined, () => [text]);
  }
}
