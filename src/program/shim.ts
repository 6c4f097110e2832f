/** What the state of every resource holds of this package: its type and its provider. */

/** The module in the type tokens of dynamic resources, and the package in those of native ones. They never change. */
export const moduleName = "tunnel-gateway";

/** What every type token of this package starts with; the class follows. */
export const tokenPrefix = `pulumi-nodejs:dynamic/${moduleName}:`;

/** What the type tokens of the native provider start with; the class follows. */
export const nativeTokenPrefix = `${moduleName}:index:`;

/** Whether a type token is one of the native provider. */
export function isNativeToken(token: string): boolean {
  return token.startsWith(nativeTokenPrefix);
}

/** The class of a type token of this package, of both doors; undefined for other types. */
export function classIn(token: string): string | undefined {
  const prefix = [tokenPrefix, nativeTokenPrefix].find((each) => token.startsWith(each));
  return prefix === undefined ? undefined : token.slice(prefix.length);
}

/**
 * What the state of every resource holds as its provider, and what Pulumi's plugin evaluates: it takes the hooks of the
 * type from the installed package. It is the same on every machine and holds no code that a release may have to change.
 * The state holds it twice for each resource, so each byte counts.
 *
 * The plugin calls the handler at every hook until it returns. Where the package cannot be loaded, every hook must fail,
 * so the handler fails: the plugin takes a missing `delete` for a success. It prints `${error}: ${error.stack}`.
 */
export function shimOf(type: string): string {
  const [folder, cause] = ["${d}", "${/.*/.exec(e.message)}"];
  const missing = `Run "npm ci" in ${folder}: pulumi-tunnel-gateway cannot be loaded (${cause})`;
  return (
    "exports.handler=(d=process.cwd())=>{try{return " +
    `require('module').createRequire(d+'/_')('pulumi-tunnel-gateway/provider').hooks('${type}')` +
    `}catch(e){e.message=\`${missing}\`;e.name=e.stack='';throw e}}`
  );
}
