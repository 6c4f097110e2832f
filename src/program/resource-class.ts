/** The base of a resource's class: what every class has in common, once. */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import { declarationFor, followsDeclaration } from "../schema/declaration";
import type { Declaration, Spec } from "../schema/declaration";
import type { ArgsOf, FieldsIn, OutputsOf } from "../schema/inferred";
import { isRecord } from "../schema/unknown";
import { complete, DeclaredResource, options, properties } from "./gateway-resource";
import { plaintextSecrets } from "./program-secrets";
import { dynamicDoor } from "./door";
import type { Door } from "./door";

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
   * Of the stack below its own constructors Pulumi skips one frame, and takes the next one for the program's line. The
   * class that the program names is a frame already, so this one calls the innermost constructor and not those of
   * `CustomResource` and `dynamic.Resource`: the first only sets the mark below, the second runs the closure serializer
   * on what is a known text here.
   */
  class Declared extends sdk.Resource {
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Declared {
      return new this(name, undefined, { ...opts, id });
    }

    static override isInstance(value: unknown): value is Declared {
      return isRecord(value) && value.__pulumiType === token;
    }

    constructor(name: string, args?: object, opts?: pulumi.CustomResourceOptions) {
      // The state gets them as a hint, and the program a warning.
      const plaintext = args && plaintextSecrets(declaration.fields, { ...args });
      const registered = properties(door, declaration, name, args, opts, plaintext);
      const withDefaults = options(door, declaration, args, opts, () => this);
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
      complete(door, this as unknown as DeclaredResource, declaration, name, args, opts, plaintext);
    }
  }
  Object.setPrototypeOf(Declared.prototype, DeclaredResource.prototype);
  Object.assign(Declared.prototype, { __pulumiCustomResource: true });
  return followsDeclaration(Declared, declaration) as unknown as Class;
}
