/**
 * What this package calls of Pulumi's SDK, from the modules that have it. Its index also loads a compiler and a package
 * manager for closures and the Automation API: half a second of each command of the command line, which needs neither. The
 * types are those of the index, so that the package's declarations name nothing else.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as config from "@pulumi/pulumi/config";
import * as dynamics from "@pulumi/pulumi/dynamic";
import * as errors from "@pulumi/pulumi/errors";
import * as logs from "@pulumi/pulumi/log";
import * as metadata from "@pulumi/pulumi/metadata";
import * as outputs from "@pulumi/pulumi/output";
import * as resources from "@pulumi/pulumi/resource";
import * as configuration from "@pulumi/pulumi/runtime/config";
import * as rpc from "@pulumi/pulumi/runtime/rpc";
import * as settings from "@pulumi/pulumi/runtime/settings";
import * as stack from "@pulumi/pulumi/runtime/stack";

export const Config: typeof pulumi.Config = config.Config;
export const dynamic: typeof pulumi.dynamic = dynamics;
export const RunError: typeof pulumi.RunError = errors.RunError;
export const log: typeof pulumi.log = logs;
export const getProject: typeof pulumi.getProject = metadata.getProject;
export const getStack: typeof pulumi.getStack = metadata.getStack;

export const all: typeof pulumi.all = outputs.all;
export const isSecret: typeof pulumi.isSecret = outputs.isSecret;
export const Output: typeof pulumi.Output = outputs.Output;
export const output: typeof pulumi.output = outputs.output;
export const secret: typeof pulumi.secret = outputs.secret;
export const unsecret: typeof pulumi.unsecret = outputs.unsecret;

export const ComponentResource: typeof pulumi.ComponentResource = resources.ComponentResource;
export const ProviderResource: typeof pulumi.ProviderResource = resources.ProviderResource;
export const Resource: typeof pulumi.Resource = resources.Resource;

export const allConfig: typeof pulumi.runtime.allConfig = configuration.allConfig;
export const getConfig: typeof pulumi.runtime.getConfig = configuration.getConfig;
export const unknownValue: typeof pulumi.runtime.unknownValue = rpc.unknownValue;
export const getMonitor: typeof pulumi.runtime.getMonitor = settings.getMonitor;
export const rpcKeepAlive: typeof pulumi.runtime.rpcKeepAlive = settings.rpcKeepAlive;
export const getStackResource: typeof pulumi.runtime.getStackResource = stack.getStackResource;
