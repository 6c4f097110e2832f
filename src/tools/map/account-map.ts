/** The map of an account: all its objects on the traffic path, and the agents that are online. */
import type { Semantics } from "../access/semantics";
import { inventoryOfAccount, readAccount } from "../inventory/account-contents";
import type { AccountObject, Reading } from "../inventory/account-contents";
import { modulesWith, namedBy } from "../inventory/managed";
import type { StackContents } from "../inventory/stack";
import { backends, edges, endpoints, ipPolicies } from "../../resources/collection";
import { declarationOf } from "../../resources/registry";
import type { Declaration } from "../../schema/declaration";
import { membersOf } from "../../schema/unknown";
import { mapOf } from "./graph";
import type { TrafficMap } from "./model";

export interface AccountReading extends Pick<Reading, "client" | "modules" | "report"> {
  /** The map marks the objects that the stack does not manage. Without a stack it marks none. */
  readonly stack: StackContents | undefined;
  readonly semantics: Semantics;
}

export interface AccountMap {
  readonly map: TrafficMap;
  /** The objects that are left out because the answer is not what the specification shows. */
  readonly unreadable: readonly AccountObject[];
}

const groups = [ipPolicies, backends, edges, endpoints];
const session = declarationOf("TunnelSession");

/** Reads the account. Throws a GatewayError if a request fails. */
export async function mapOfAccount({
  client,
  stack,
  modules,
  report,
  semantics,
}: AccountReading): Promise<AccountMap> {
  const read = async (isChosen: (declaration: Declaration) => boolean): Promise<readonly AccountObject[]> => {
    const reading = { client, isChosen, modules: modulesWith(modules, stack), findsEdges: true, report };
    return (await readAccount(reading)).objects;
  };
  const agents = await read((declaration) => declaration === session);
  const credentials = agents.map(({ answer }) => String(membersOf(answer.credential).id));
  const isUsed = ({ idPrefix }: Declaration): boolean =>
    idPrefix !== undefined && credentials.some((id) => id.startsWith(idPrefix));
  const objects = await read(
    (declaration) => declaration !== session && (groups.includes(declaration.group) || isUsed(declaration)),
  );
  const all = namedBy(stack, [...agents, ...objects]);
  return {
    map: mapOf(inventoryOfAccount(all.objects), { unmanaged: all.unmanaged, isAccount: true, semantics }),
    unreadable: all.objects.filter(({ problem }) => problem !== undefined),
  };
}
