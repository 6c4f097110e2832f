/** What a policy pack gives a policy. */

/** The resource that a policy checks: the part of `ResourceValidationArgs` that is used here. */
export interface ResourceArgs {
  /** The type token, such as `pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRule`. */
  readonly type: string;
  /** The resource's name in the program. */
  readonly name: string;
  /** The arguments of the resource. */
  readonly props: Readonly<Record<string, unknown>>;
}

/** A resource of a stack: the part of `PolicyResource` that is used here. */
export interface StackResource extends ResourceArgs {
  readonly urn: string;
  /** The resources that each argument comes from. */
  readonly propertyDependencies: Readonly<Record<string, readonly { readonly urn: string }[]>>;
}
