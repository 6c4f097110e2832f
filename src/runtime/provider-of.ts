import type * as pulumi from "@pulumi/pulumi";

/** The explicit provider of a resource with the options, which may be that of its parent; undefined for the default one. */
export function providerOf(
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.ProviderResource | undefined {
  return opts?.provider ?? opts?.parent?.getProvider("pulumi-nodejs:dynamic:Resource");
}

/** The name in the program of the explicit provider; empty for the default one. */
export function nameOfProvider(opts: pulumi.CustomResourceOptions | undefined): string {
  return (providerOf(opts) as { __name?: string } | undefined)?.__name ?? "";
}
