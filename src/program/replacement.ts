/** Resource options that would replace a module where it stands, though the service updates it there. */
import type * as pulumi from "@pulumi/pulumi";
import type { Declaration } from "../schema/declaration";
import { warnLater } from "./advice";

type Options = pulumi.CustomResourceOptions;

/** The options that replace a resource though none of its arguments asks for it, and that which deletes it first. */
const forcing = ["replaceOnChanges", "replacementTrigger", "replaceWith"] as const;
const ignored: readonly string[] = [...forcing, "deleteBeforeReplace"];

/**
 * The options without those that force a replacement, for an object whose address is its identity. Its replacement
 * deletes it and creates it again at the same address: what it guards is open in between, and stays open where the
 * service refuses the create. A change of the arguments in its path moves it, and replaces it in any case.
 */
export function withoutForcedReplacement({ style }: Declaration, opts: Options): Options {
  if (style !== "singleton") return opts;
  return Object.fromEntries(Object.entries(opts).filter(([name]) => !ignored.includes(name)));
}

/** Says which options are ignored. */
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
