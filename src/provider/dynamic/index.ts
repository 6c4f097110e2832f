/** The entry of the plugin, for the shim that a resource's state holds. */
import type { dynamic } from "@pulumi/pulumi";
import { nodeProblem } from "../version";
import type { ConfiguredHooks, Hooks } from "./hooks";

/** When Pulumi's plugin loads this file, in milliseconds. */
const since = performance.now();

/**
 * The hooks of a type, which work once Pulumi's plugin has called `configure`. Throws for an unknown type. On an
 * unsupported Node.js every hook fails and says so.
 */
export function hooks(type: string): ConfiguredHooks {
  const problem = nodeProblem();
  // What the hooks load fails on an old Node.js.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  if (problem === undefined) return (require("./hooks") as typeof import("./hooks")).hooksOfType(type, since);
  const fail = () => Promise.reject(unsupported(problem));
  const configure = () => Promise.resolve();
  return { configure, check: fail, diff: fail, create: fail, read: fail, update: fail, delete: fail };
}

/** The hooks of a type under a configuration, by name: what the shims of version 0.1.0 call, which states still hold. */
export function hooksOf(type: string, config: dynamic.Config): Hooks {
  const configured = hooks(type);
  void configured.configure({ config });
  return (name) => configured[name];
}

/** Pulumi's plugin prints `${error}: ${error.stack}` beside the message. */
function unsupported(problem: string): Error {
  return Object.assign(new Error(problem), { stack: problem, toString: () => "tunnel-gateway" });
}
