/** The map of an account: all its objects on the way of the traffic, and the agents that are online. */
import { inventoryOfAccount, readAccount } from "../inventory/account";
import type { AccountObject, Modules, Reading } from "../inventory/account";
import { keyOf } from "../inventory/inventory";
import { managerIn } from "../inventory/managed";
import type { StackContents } from "../inventory/stack";
import { backends, edges, endpoints, policies } from "../resources/groups";
import { declarationOf, declarations } from "../resources/registry";
import type { Declaration } from "../schema/declaration";
import { membersOf } from "../schema/unknown";
import { mapOf } from "./graph";
import type { TrafficMap } from "./model";

export interface AccountReading extends Pick<Reading, "client" | "modules" | "report"> {
  /** What it does not manage is marked; without a stack nothing is. */
  readonly stack: StackContents | undefined;
}

export interface AccountMap {
  readonly map: TrafficMap;
  /** The objects that are left out because the answer is not what the specification shows. */
  readonly unreadable: readonly AccountObject[];
}

const groups = [policies, backends, edges, endpoints];
const session = declarationOf("TunnelSession");

/** Reads the account. Throws a GatewayError where a request fails. */
export async function mapOfAccount({ client, stack, modules, report }: AccountReading): Promise<AccountMap> {
  const read = async (isChosen: (declaration: Declaration) => boolean): Promise<readonly AccountObject[]> => {
    const reading = { client, isChosen, modules: withManaged(modules, stack), findsEdges: true, report };
    return (await readAccount(reading)).objects;
  };
  const agents = await read((declaration) => declaration === session);
  const credentials = agents.map(({ answer }) => String(membersOf(answer.credential).id));
  const isUsed = ({ idPrefix }: Declaration): boolean =>
    idPrefix !== undefined && credentials.some((id) => id.startsWith(idPrefix));
  const objects = await read(
    (declaration) => declaration !== session && (groups.includes(declaration.group) || isUsed(declaration)),
  );
  return mapOfObjects([...agents, ...objects], stack);
}

/** The routes and edges that are asked for, and those of the modules that the stack manages. */
export function withManaged(
  { httpsRoutes = [], tlsEdges = [] }: Modules = {},
  stack?: StackContents,
): Modules {
  const below = (path: string): string[] =>
    (stack?.managed ?? [])
      .filter(({ declaration }) => declaration.style === "singleton" && declaration.path.startsWith(path))
      .flatMap(({ id }) => id ?? []);
  return {
    httpsRoutes: [...httpsRoutes, ...below("/edges/https/")],
    tlsEdges: [...tlsEdges, ...below("/edges/tls/")],
  };
}

/** The map of objects that were read. The name of an object is that in the stack. */
function mapOfObjects(objects: readonly AccountObject[], stack: StackContents | undefined): AccountMap {
  const managerOf = managerIn(stack);
  const unmanaged = new Set<string>();
  const named = objects.map((object) => {
    const manager = managerOf(object);
    const isManageable = declarations.includes(object.declaration);
    if (stack !== undefined && isManageable && !manager) unmanaged.add(keyOf(object));
    return manager?.declaration === object.declaration ? { ...object, name: manager.name } : object;
  });
  return {
    map: mapOf(inventoryOfAccount(named), { unmanaged, isAccount: true }),
    unreadable: objects.filter(({ problem }) => problem !== undefined),
  };
}
