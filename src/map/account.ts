/** The map of an account: all its objects on the way of the traffic, and the agents that are online. */
import { readAccount } from "../account/contents";
import type { AccountObject, Modules, Reading } from "../account/contents";
import { endpointsPath } from "../account/edges";
import { isConfigured } from "../provider/configured";
import { valuesIn } from "../provider/path";
import { fromWire } from "../provider/wire";
import { backends, edges, endpoints, policies } from "../resources/groups";
import { declarationOf, declarations } from "../resources/registry";
import { masked } from "../stack/mask";
import type { Subject } from "../stack/preview";
import { worldBefore } from "../review/world";
import type { Declaration } from "../schema/declaration";
import { membersOf } from "../schema/unknown";
import { managedBy } from "../stack/managed";
import type { StackContents } from "../stack/state";
import { graphOf } from "./graph";
import { sortedMap } from "./model";
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
const endpoint = declarationOf("Endpoint");

/** Reads the account. Throws a GatewayError where a request fails. */
export async function mapOfAccount({ client, stack, modules, report }: AccountReading): Promise<AccountMap> {
  const read = (chosen: (declaration: Declaration) => boolean): ReturnType<typeof readAccount> =>
    readAccount({
      client,
      declarations: [...declarations, session],
      isChosen: (type) => chosen(declarationOf(type)),
      modules: withManaged(modules, stack),
      findsEdges: true,
      report,
    });
  const { objects: agents } = await read((declaration) => declaration === session);
  const credentials = agents.map(({ answer }) => String(membersOf(answer.credential).id));
  const isUsed = ({ idPrefix }: Declaration): boolean =>
    idPrefix !== undefined && credentials.some((id) => id.startsWith(idPrefix));
  const { objects } = await read(
    (declaration) => declaration !== session && (groups.includes(declaration.group) || isUsed(declaration)),
  );
  return mapOfObjects([...agents, ...objects], stack);
}

/** The routes and edges of the modules that the stack manages. */
function withManaged({ httpsRoutes = [], tlsEdges = [] }: Modules = {}, stack?: StackContents): Modules {
  const managed = (stack?.managed ?? []).filter(({ type }) => declarationOf(type).style === "singleton");
  const below = (path: string): string[] =>
    managed.filter(({ type }) => declarationOf(type).path.startsWith(path)).map(({ id }) => id);
  return {
    httpsRoutes: [...httpsRoutes, ...below("/edges/https/")],
    tlsEdges: [...tlsEdges, ...below("/edges/tls/")],
  };
}

/** The map of objects that were read. */
function mapOfObjects(objects: readonly AccountObject[], stack: StackContents | undefined): AccountMap {
  const isManaged = managedBy(stack);
  const names = new Map(stack?.managed.map(({ type, id, name }) => [`${type} ${id}`, name]));
  const unreadable = objects.filter(({ problem }) => problem !== undefined);
  // A service may answer with an empty module where none was set.
  const shown = objects.filter(
    ({ declaration, answer, problem }) =>
      problem === undefined && (declaration.style !== "singleton" || isConfigured(declaration, answer)),
  );
  const unmanaged = new Set<string>();
  const subjects = shown.map((object): Subject => {
    const { declaration, id } = object;
    const urn = `${declaration.type} ${id}`;
    const isForeign = declaration === session || declaration.only?.test(object.answer) === false;
    if (stack !== undefined && !isForeign && !isManaged(object)) unmanaged.add(urn);
    return subjectOf(object, urn, names.get(urn));
  });
  const graph = graphOf(worldBefore(subjects), { presenceOf: () => "missing", unmanaged, isAccount: true });
  return { map: sortedMap(graph.nodes.values(), graph.edges.values()), unreadable };
}

/** The object as a resource that does not change. Its name is that in the stack, else its description or id. */
function subjectOf(
  { declaration, id, answer }: AccountObject,
  urn: string,
  name: string | undefined,
): Subject {
  // The list of cloud endpoints contains all endpoints.
  const isOther = declaration.path === endpointsPath && declaration.only?.test(answer) === false;
  const actual = isOther ? endpoint : declaration;
  const values = masked(actual, fromWire(actual.fields, answer, valuesIn(actual.path, id)), []);
  const isGiven = (text: unknown): text is string => typeof text === "string" && text !== "";
  const given = [name, values.description, values.name].find(isGiven);
  const state = {
    id,
    provider: undefined,
    inputs: {},
    outputs: values,
    dependencies: [],
    propertyDependencies: {},
    place: undefined,
  };
  return {
    ...{ urn, name: given ?? id, declaration: actual, action: "same" },
    ...{ before: state, after: state, recorded: undefined, replaceReasons: [], deletedFirst: false },
    place: undefined,
  };
}
