/** The base of a resource's class: what every class has in common, once. */
import type * as pulumi from "@pulumi/pulumi";
import type { Declaration } from "../schema/declaration";
import { followsDeclaration } from "../schema/declared-by";
import { isRecord } from "../schema/unknown";
import { DeclaredResource } from "./gateway-resource";
import type { GatewayResource } from "./gateway-resource";
import { tokenPrefix } from "./type-token";

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
 * The base of the class `Resource`, whose file adds the outputs. `Resource` is the class itself, so that `get` and
 * `isInstance` have its type.
 */
export function resource<Resource, Args>(declaration: Declaration): ClassOf<Resource, Args, GatewayResource> {
  return classOf<ClassOf<Resource, Args, GatewayResource>>(declaration);
}

/** The same for what has no address of its own in answers: modules of edges and routes, sets of objects. */
export function resourceWithoutUri<Resource, Args>(
  declaration: Declaration,
): ClassOf<Resource, Args, DeclaredResource> {
  return classOf<ClassOf<Resource, Args, DeclaredResource>>(declaration);
}

function classOf<Class>(declaration: Declaration): Class {
  class Declared extends DeclaredResource {
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Declared {
      return new this(name, undefined, { ...opts, id });
    }

    static override isInstance(value: unknown): value is Declared {
      return isRecord(value) && value.__pulumiType === tokenPrefix + declaration.type;
    }

    constructor(name: string, args?: object, opts?: pulumi.CustomResourceOptions) {
      super(declaration, name, args, opts);
    }
  }
  return followsDeclaration(Declared, declaration) as unknown as Class;
}
