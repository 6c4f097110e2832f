/** Finds resources of one program whose objects have the same path: each would overwrite the other. */
import type * as pulumi from "@pulumi/pulumi";
import { hasOwnPath, idIn, namesIn } from "../provider/http/path";
import type { Declaration } from "../schema/declaration";
import type { Json } from "../schema/json";
import * as sdk from "../schema/sdk";
import { isAbsent, membersOf } from "../schema/unknown";
import type { Problem } from "../schema/validate";
import { argumentsFrom } from "../schema/values";
import { claimsOfRun, repetition, whenKnown } from "./claims";
import type { Claimant } from "./claims";

/** By path. */
const pathsOf = claimsOfRun<Claimant>();

/**
 * Records the path of the resource's object. Sets of rules share the path of their policy.
 * @param found called with the problem, at once or when the path becomes known.
 */
export function claimPath(
  declaration: Declaration,
  name: string,
  args: Json,
  provider: pulumi.ProviderResource | undefined,
  found: (problem: Problem) => void,
): void {
  const { path, setOf } = declaration;
  if (setOf || !hasOwnPath(declaration)) return;
  const names = namesIn(path);
  const values = Object.fromEntries(names.map((each) => [each, args[each]]));
  if (Object.values(values).some(isAbsent)) return;
  const claims = pathsOf(provider);
  if (claims === undefined) return;
  const by = { declaration, name, at: new Error() };
  const isKnown = !Object.values(values).some(sdk.isLater);
  whenKnown(isKnown ? values : sdk.output(values), (known) => {
    const key = `${path} ${idIn(path, argumentsFrom(membersOf(known)))}`;
    const other = claims.get(key);
    if (other) found({ path: names.at(-1)!, clause: repetition(by, other, names) });
    else claims.set(key, by);
  });
}
