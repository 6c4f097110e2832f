/** Records what each resource of a program claims, to find resources that claim the same. */
import type * as pulumi from "@pulumi/pulumi";
import type { Declaration } from "../schema/declaration";
import { oncePer } from "../schema/once-per";
import * as sdk from "../schema/sdk";
import { programLine } from "./program-errors";

/** A resource that claims something. */
export interface Claimant {
  readonly declaration: Declaration;
  readonly name: string;
  /** Created where the program constructs the resource. */
  readonly at: Error;
}

/**
 * The claims in one run of a program, by their key, for each provider; several runs may share a process. Undefined without a
 * stack, as in a test, which may construct the same resources again.
 */
export function claimsOfRun<T>(): (provider: unknown) => Map<unknown, T> | undefined {
  const byProvider = oncePer((_run: object) => new Map<unknown, Map<unknown, T>>());
  return (provider) => {
    const run = sdk.getStackResource();
    if (run === undefined) return undefined;
    const all = byProvider(run);
    const own = all.get(provider) ?? new Map<unknown, T>();
    all.set(provider, own);
    return own;
  };
}

/** Uses the value now, or as soon as it is known; never if it stays unknown. */
export function whenKnown(value: unknown, use: (value: unknown) => void): void {
  if (sdk.isLater(value)) (sdk.output(value) as pulumi.Output<unknown>).apply(use);
  else use(value);
}

/** The problem of two resources for one object. @param names the arguments that no two objects may have in common. */
export function repetition(by: Claimant, other: Claimant, names: readonly string[]): string {
  const line = programLine(by.at);
  const here = line === undefined ? "" : `; this one is at ${line}`;
  return repetitionText(by.declaration, labelOf(other), names) + here;
}

/** The same without the place in the program. @param other names the other resource. */
export function repetitionText(declaration: Declaration, other: string, names: readonly string[]): string {
  const { noun } = declaration.setOf ?? declaration;
  return (
    `must not be that of ${other} too: only one ${noun} may have this ${names.join(" and ")}. ` +
    "Remove one of the two"
  );
}

/** A resource with its line in the program. */
export function labelOf({ declaration, name, at }: Claimant): string {
  const line = programLine(at);
  return `${declaration.type} ${JSON.stringify(name)}${line === undefined ? "" : ` (${line})`}`;
}
