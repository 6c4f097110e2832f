/**
 * What this package calls of Pulumi's SDK, from the modules that have it. Its index also loads a compiler and a package
 * manager for closures and the Automation API: half a second of each command of the command line, which needs neither. The
 * types are those of the index, so that the package's declarations name nothing else.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as dynamics from "@pulumi/pulumi/dynamic";
import { RunError as sdkRunError } from "@pulumi/pulumi/errors";
import * as logs from "@pulumi/pulumi/log";
import * as outputs from "@pulumi/pulumi/output";
import * as resources from "@pulumi/pulumi/resource";
import * as config from "@pulumi/pulumi/runtime/config";
import * as settings from "@pulumi/pulumi/runtime/settings";
import * as stacks from "@pulumi/pulumi/runtime/stack";

export const dynamic: typeof pulumi.dynamic = dynamics;
export const RunError: typeof pulumi.RunError = sdkRunError;
export const log: typeof pulumi.log = logs;

export const {
  all,
  isSecret,
  Output,
  output,
  secret,
  unsecret,
}: Pick<typeof pulumi, "all" | "isSecret" | "Output" | "output" | "secret" | "unsecret"> = outputs;
/** Whether a program learns the value only later: it is an Output or a promise. */
export const isLater = (value: unknown): boolean => Output.isInstance(value) || value instanceof Promise;

export const {
  ComponentResource,
  ProviderResource,
  Resource,
  createUrn,
}: Pick<typeof pulumi, "ComponentResource" | "ProviderResource" | "Resource" | "createUrn"> = resources;

type Runtime = typeof pulumi.runtime;
export const { allConfig, getConfig }: Pick<Runtime, "allConfig" | "getConfig"> = config;
export const { getProject, getStack, isDryRun, rpcKeepAlive } = settings;
export const { getStackResource }: Pick<Runtime, "getStackResource"> = stacks;
/** What all calls in one run of a program have in common: several runs may share a process. */
export const currentRun = (): object => settings.getMonitor() ?? withoutRun;
const withoutRun = {};
