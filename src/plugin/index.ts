/** The entry of the plugin, for the shim that a resource's state holds. */
import type { dynamic } from "@pulumi/pulumi";
import { nodeProblem } from "../node-version";
import type { Hooks } from "./hooks";

/** The hooks of a type under a configuration, by name. On an unsupported Node.js every hook fails and says so. */
export function hooksOf(type: string, config: dynamic.Config): Hooks {
  const problem = nodeProblem();
  if (problem !== undefined) return () => () => Promise.reject(unsupported(problem));
  // What the hooks load fails on an old Node.js.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { hooksOf: supportedHooksOf } = require("./hooks") as typeof import("./hooks");
  return supportedHooksOf(type, config);
}

/** Pulumi's plugin prints `${error}: ${error.stack}` beside the message. */
function unsupported(problem: string): Error {
  return Object.assign(new Error(problem), { stack: problem, toString: () => "tunnel-gateway" });
}
