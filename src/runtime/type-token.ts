/** The module in the type tokens of this package's resources. Type tokens never change. */
export const moduleName = "tunnel-gateway";

/** What every type token of this package starts with; the class follows. */
export const tokenPrefix = `pulumi-nodejs:dynamic/${moduleName}:`;
