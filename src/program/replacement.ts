/** Resource options that would delete an object with a fixed path before its replacement exists. */
import type * as pulumi from "@pulumi/pulumi";
import type { Declaration } from "../schema/declaration";
import { hasOwnPath } from "../provider/http/path";
import { warnLater } from "./advice";

type Options = pulumi.CustomResourceOptions;

/** The options that replace a resource although none of its arguments requires it. */
const forcing = ["replaceOnChanges", "replacementTrigger", "replaceWith"] as const;

/**
 * The options without those that would delete the object first if its path is its identity: what a module guards would be
 * open until the new module exists, and stay open if the service refuses it. A module that moves is created first, and one
 * that stays is updated, so the options that replace a module in place are left out too.
 */
export function withoutForcedReplacement(declaration: Declaration, opts: Options): Options {
  if (!hasOwnPath(declaration)) return opts;
  const ignored: readonly string[] = declaration.style === "singleton" ? forcing : [];
  const isKept = (name: string): boolean => name !== "deleteBeforeReplace" && !ignored.includes(name);
  return Object.fromEntries(Object.entries(opts).filter(([name]) => isKept(name)));
}

/** Warns about the options that are ignored. */
export function warnOfForcedReplacement(
  resource: pulumi.Resource,
  { style, noun }: Declaration,
  opts: Options = {},
): void {
  if (style !== "singleton") return;
  const given = forcing.filter((name) => opts[name] !== undefined);
  for (const name of given) {
    const text =
      `the resource option ${name} is ignored: a replacement would delete the ${noun} and create it again at the ` +
      "same address, which would be open in between, and for good if the service refused the create. Changes of " +
      "its arguments update it in place";
    warnLater(resource, undefined, () => [text]);
  }
}
