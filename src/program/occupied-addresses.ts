/** Finds resources of one program that are to serve one address, which a service may refuse. */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import { contested } from "../schema/addresses";
import type { OccupiedAddresses } from "../schema/addresses";
import type { Declaration } from "../schema/declaration";
import type { Json } from "../schema/json";
import { oncePer } from "../schema/once-per";
import { isAbsent } from "../schema/unknown";
import { warnLater } from "./advice";
import { byProvider, labelOf } from "./claimed-rules";
import type { Claimant } from "./claimed-rules";

interface Occupant extends OccupiedAddresses {
  readonly by: Claimant;
}

/** The occupants of a run by provider and address; several runs may share a process. */
const occupantsOfRun = oncePer((_run: object) => new Map<unknown, Map<unknown, Occupant[]>>());

/** Warns on the resource, as soon as its addresses are known, if an earlier one has one of them. */
export function warnOfOccupiedAddress(
  resource: pulumi.Resource,
  declaration: Declaration,
  name: string,
  args: Json,
  provider: pulumi.ProviderResource | undefined,
): void {
  const run = sdk.getStackResource();
  const { address, occupies } = declaration;
  // Without a stack a test constructs resources, and may construct the same ones again.
  if (run === undefined || !occupies || isAbsent(args[address!])) return;
  const by = { declaration, name, at: new Error() };
  const occupants = byProvider(occupantsOfRun(run), provider);
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
