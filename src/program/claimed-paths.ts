/** Finds resources of one program whose object has the same path, so that each would write over the other. */
import type * as pulumi from "@pulumi/pulumi";
import { hasOwnPath, idIn, namesIn } from "../provider/http/path";
import type { Declaration } from "../schema/declaration";
import type { Json } from "../schema/json";
import * as sdk from "../schema/sdk";
import { isAbsent, isLater, membersOf } from "../schema/unknown";
import type { Problem } from "../schema/validate";
import { argumentsFrom } from "../schema/values";
import { claimsOfRun, repetition, whenKnown } from "./claims";
import type { Claimant } from "./claims";

/** By path. */
const pathsOf = claimsOfRun<Claimant>();

/**
 * Notes the path of the resource's object. Sets of rules share that of their policy.
 * @param found called at once, or where the path becomes known later then: with the problem.
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
  const isKnown = !Object.values(values).some(isLater);
  whenKnown(isKnown ? values : sdk.output(values), (known) => {
    const key = `${path} ${idIn(path, argumentsFrom(membersOf(known)))}`;
    const other = claims.get(key);
    if (other) found({ path: names.at(-1)!, clause: repetition(by, other, names) });
    else claims.set(key, by);
  });
}
