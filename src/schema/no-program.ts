/**
 * Stands in for `sdk.ts` in a process that runs no program: the native provider and the command line. The SDK of Pulumi would be a
 * fifth of what a command takes. Nothing is an Output there, and no resource is constructed.
 */
export const isLater = (): boolean => false;
export const Output = { isInstance: isLater };
export class Resource {}
export class ProviderResource {}
export class ComponentResource {}
export const dynamic = { Resource };
const run = {};
export const currentRun = (): object => run;
export const isDryRun = (): boolean => false;
export const {
  all,
  allConfig,
  createUrn,
  getConfig,
  getProject,
  getStack,
  getStackResource,
  isSecret,
  log,
  output,
  rpcKeepAlive,
  RunError,
  secret,
  unsecret,
}: Partial<typeof import("./sdk")> = {};
