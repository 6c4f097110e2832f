/**
 * What this package calls of Pulumi's SDK, from the modules that have it. Its index also loads a compiler and a package
 * manager for closures and the Automation API: half a second of each command of the command line, which needs neither. The
 * types are those of the index, so that the package's declarations name nothing else.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as dynamics from "@pulumi/pulumi/dynamic";
import { RunError as sdkRunError } from "@pulumi/pulumi/errors";
import * as logs from "@pulumi/pulumi/log";
import {
  Output as sdkOutputClass,
  all as sdkAll,
  isSecret as sdkIsSecret,
  output as sdkOutput,
  secret as sdkSecret,
  unsecret as sdkUnsecret,
} from "@pulumi/pulumi/output";
import {
  ComponentResource as sdkComponentResource,
  ProviderResource as sdkProviderResource,
  Resource as sdkResource,
  createUrn as sdkCreateUrn,
} from "@pulumi/pulumi/resource";
import { allConfig as sdkAllConfig, getConfig as sdkGetConfig } from "@pulumi/pulumi/runtime/config";
import {
  getMonitor as sdkGetMonitor,
  getProject as sdkGetProject,
  getStack as sdkGetStack,
  isDryRun as sdkIsDryRun,
  rpcKeepAlive as sdkRpcKeepAlive,
} from "@pulumi/pulumi/runtime/settings";
import { getStackResource as sdkGetStackResource } from "@pulumi/pulumi/runtime/stack";

export const dynamic: typeof pulumi.dynamic = dynamics;
export const RunError: typeof pulumi.RunError = sdkRunError;
export const log: typeof pulumi.log = logs;
export const getProject: typeof pulumi.getProject = sdkGetProject;
export const getStack: typeof pulumi.getStack = sdkGetStack;

export const all: typeof pulumi.all = sdkAll;
export const isSecret: typeof pulumi.isSecret = sdkIsSecret;
export const Output: typeof pulumi.Output = sdkOutputClass;
export const output: typeof pulumi.output = sdkOutput;
/** Whether a program learns the value only later: it is an Output or a promise. */
export const isLater = (value: unknown): boolean =>
  sdkOutputClass.isInstance(value) || value instanceof Promise;
export const secret: typeof pulumi.secret = sdkSecret;
export const unsecret: typeof pulumi.unsecret = sdkUnsecret;

export const ComponentResource: typeof pulumi.ComponentResource = sdkComponentResource;
export const ProviderResource: typeof pulumi.ProviderResource = sdkProviderResource;
export const createUrn: typeof pulumi.createUrn = sdkCreateUrn;
export const Resource: typeof pulumi.Resource = sdkResource;

export const allConfig: typeof pulumi.runtime.allConfig = sdkAllConfig;
export const getConfig: typeof pulumi.runtime.getConfig = sdkGetConfig;
/** Whether the program runs in a preview, which changes nothing. */
export const isDryRun: typeof pulumi.runtime.isDryRun = sdkIsDryRun;
export const rpcKeepAlive: typeof pulumi.runtime.rpcKeepAlive = sdkRpcKeepAlive;
/** What all calls in one run of a program have in common: several runs may share a process. */
export const currentRun = (): object => sdkGetMonitor() ?? withoutRun;
const withoutRun = {};
export const getStackResource: typeof pulumi.runtime.getStackResource = sdkGetStackResource;
