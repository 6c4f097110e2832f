/** Finds resources of one program that serve the same address, which the service may refuse. */
import type * as pulumi from "@pulumi/pulumi";
import { contested } from "../schema/addresses";
import type { OccupiedAddresses } from "../schema/addresses";
import type { Declaration } from "../schema/declaration";
import type { Json } from "../schema/json";
import { isAbsent } from "../schema/unknown";
import { warnLater } from "./advice";
import { claimsOfRun, labelOf } from "./claims";
import type { Claimant } from "./claims";

interface Occupant extends OccupiedAddresses {
  readonly by: Claimant;
}

/** By address. */
const occupantsOf = claimsOfRun<readonly Occupant[]>();

/** Warns on the resource, as soon as its addresses are known, if an earlier one has one of them. */
export function warnOfOccupiedAddress(
  resource: pulumi.Resource,
  declaration: Declaration,
  name: string,
  args: Json,
  provider: pulumi.ProviderResource | undefined,
): void {
  const { address, occupies } = declaration;
  if (!occupies || isAbsent(args[address!])) return;
  const occupants = occupantsOf(provider);
  if (occupants === undefined) return;
  const by = { declaration, name, at: new Error() };
  const own = { [address!]: args[address!], poolingEnabled: args.poolingEnabled };
  warnLater(resource, own, (known) => {
    const occupant = { ...occupies(known), by };
    return occupant.addresses.flatMap((url) => {
      const here = occupants.get(url) ?? [];
      const other = here.find((each) => contested(occupant, each) !== undefined);
      occupants.set(url, [...here, occupant]);
      return other ? [sharedText(url, occupant, other)] : [];
    });
  });
}

function sharedText(url: string, own: Occupant, other: Occupant): string {
  const { declaration } = own.by;
  const canShare = declaration === other.by.declaration && declaration.fields.poolingEnabled !== undefined;
  const way = canShare ? ", or set poolingEnabled on both" : "";
  return (
    `${declaration.address}: ${url} is an address of ${labelOf(other.by)} too, and the service may refuse to serve it twice. ` +
    `Take it out of one of the two${way}`
  );
}
