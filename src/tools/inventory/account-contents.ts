/** The objects of an account: those of the collections, and the modules of known edges. */
import type { AccountClient } from "../../account/account-client";
import { isConfigured } from "../../provider/life-cycle/answers";
import { listRequest } from "../../provider/http/pagination";
import { idProblem, namesIn, valuesIn } from "../../provider/http/path";
import { answerValidator } from "../../provider/life-cycle/response-schema";
import { fromWire } from "../../provider/life-cycle/wire";
import { declarationWithId, declarations, readable } from "../../resources/registry";
import type { Declaration } from "../../schema/declaration";
import { isId } from "../../schema/formats/id";
import type { Json } from "../../schema/json";
import { isRecord, membersOf } from "../../schema/unknown";
import { masked } from "../stack/engine-secrets";
import { Inventory } from "./inventory";
import type { InventoryObject } from "./inventory";

export interface AccountObject extends InventoryObject {
  readonly id: string;
  /** The answer of the service, with secrets in plaintext. */
  readonly answer: Json;
  /** Why the answer cannot be used: it is not what the specification shows. */
  readonly problem?: string;
}

/** The routes and edges whose modules are read. No list of the API names them. */
export interface Modules {
  /** `<edgeId>/<routeId>` */
  readonly httpsRoutes?: readonly string[];
  /** Ids of TLS edges. */
  readonly tlsEdges?: readonly string[];
}

export type AccountContents = Awaited<ReturnType<typeof readAccount>>;

export interface Reading {
  readonly client: Pick<AccountClient, "pages" | "read">;
  readonly isChosen: (declaration: Declaration) => boolean;
  /** Whether the sources of event subscriptions are read as objects of their own. */
  readonly members?: boolean;
  readonly modules?: Modules;
  /** Whether the modules of TLS edges that endpoints name are read too. */
  readonly findsEdges?: boolean;
  /** Called after each page with a line on the progress. */
  readonly report?: (line: string) => void;
}

/**
 * Reads the chosen objects, each once, and the ids of the edges that endpoints name where they are looked for. Throws a GatewayError
 * if a request fails.
 */
export async function readAccount(reading: Reading) {
  const chosen = readable.filter(reading.isChosen).filter(isOwnList);
  const ofStyle = (style: Declaration["style"]): Declaration[] =>
    chosen.filter((each) => each.style === style);
  const objects: AccountObject[] = [];
  const add = (more: readonly AccountObject[]): void => more.forEach((each) => void objects.push(each));
  for (const declaration of ofStyle("collection")) add(await listed(declaration, reading));
  // A list is not read again.
  const all = async (path: string): Promise<readonly AccountObject[]> => {
    const declaration = declarations.find((each) => each.path === path)!;
    if (!chosen.includes(declaration)) return listed(declaration, { client: reading.client });
    return objects.filter((each) => each.declaration.path === path);
  };
  for (const declaration of reading.members ? ofStyle("member") : []) {
    add(await membersIn(declaration, await all(ownerPath(declaration)), reading));
  }
  const modules = ofStyle("singleton");
  const looksForEdges = reading.findsEdges === true && modules.length > 0;
  const edges = edgesIn(looksForEdges ? await all(endpointsPath) : []);
  for (const declaration of modules) add(await modulesOf(declaration, edges, reading));
  return { objects, edges };
}

/**
 * The inventory of objects that were read, without modules that have no setting: a service may answer with an empty module
 * if none was set. Answers that are not as specified are mismatches of the inventory, so no access test holds. An object
 * that was not read counts as one that does not exist, so read all collections that the objects refer to.
 */
export function inventoryOfAccount(objects: readonly AccountObject[]): Inventory {
  const shown = objects.filter(
    ({ declaration, answer, problem }) =>
      problem === undefined && (declaration.style !== "singleton" || isConfigured(declaration, answer)),
  );
  const unread = objects.flatMap(({ declaration: { noun, type }, id, problem }) =>
    problem === undefined
      ? []
      : { urn: "", name: `${noun} ${id}`, type, custom: true, problem: `it could not be read: ${problem}` },
  );
  // An object of a collection would be in a list if it existed.
  return new Inventory(shown, (id) => declarationWithId(id) !== undefined, unread);
}

/** The object that an answer is about. Its name is its description, its name or its id. */
export function accountObject(
  listed: Declaration,
  id: string,
  answer: Json,
  problem?: string,
): AccountObject {
  const declaration = actualDeclaration(listed, answer);
  const { fields, path } = declaration;
  const values =
    problem === undefined ? masked(fields, fromWire(fields, answer, valuesIn(path, id)), []) : {};
  const isGiven = (text: unknown): text is string => typeof text === "string" && text !== "";
  const name = [values.description, values.name].find(isGiven) ?? id;
  return { declaration, id, name, args: values, values, answer, problem };
}

const endpointsPath = "/endpoints";

/** A list may have objects that no program manages, such as the endpoints of agents and edges. Those are read-only. */
function actualDeclaration(listed: Declaration, answer: Json): Declaration {
  if (listed.only?.test(answer) !== false) return listed;
  return readable.find(({ path, only }) => path === listed.path && only === undefined) ?? listed;
}

/** Whether the collection is not read with another one of the same list. */
function isOwnList({ path, only }: Declaration): boolean {
  return only !== undefined || !readable.some((each) => each.path === path && each.only !== undefined);
}

async function listed(
  declaration: Declaration,
  { client, report }: Pick<Reading, "client" | "report">,
): Promise<AccountObject[]> {
  const problemOf = answerValidator(declaration);
  const found: AccountObject[] = [];
  for await (const page of client.pages(listRequest(declaration))) {
    for (const answer of page) {
      const problem = problemOf(answer);
      const id = typeof answer.id === "string" ? answer.id : "";
      found.push(accountObject(declaration, id, answer, problem));
    }
    report?.(`${declaration.type}: ${found.length}`);
  }
  return found;
}

/** The path of the list of the objects that have the members. */
function ownerPath({ path }: Declaration): string {
  return path.slice(0, path.indexOf("/{"));
}

/** The members of their owners, such as the sources of every subscription. Specification: Event sources. */
async function membersIn(
  declaration: Declaration,
  owners: readonly AccountObject[],
  { client }: Reading,
): Promise<AccountObject[]> {
  const key = namesIn(declaration.path).at(-1)!;
  const objects: AccountObject[] = [];
  for (const { id, problem } of owners) {
    if (problem !== undefined) continue;
    for await (const page of client.pages(listRequest(declaration, id))) {
      for (const answer of page) {
        const value = answer[key];
        if (typeof value !== "string") continue;
        const own = `${id}/${value}`;
        objects.push(accountObject(declaration, own, answer, idProblem(declaration, own)));
      }
    }
  }
  return objects;
}

/**
 * The sorted ids of the edges that endpoints name, because the API has no list of edges. Edges without an endpoint are missing.
 * Specification: Endpoint.
 */
function edgesIn(endpoints: readonly AccountObject[]) {
  const answers = endpoints.filter(({ problem }) => problem === undefined).map(({ answer }) => answer);
  const served = answers.filter(({ type }) => type === "edge");
  const idsOf = (...protocols: readonly string[]): string[] => {
    const ids = served
      .filter(({ proto }) => protocols.includes(String(proto)))
      .map(({ edge }) => membersOf(edge).id)
      .filter((id): id is string => typeof id === "string" && isId(id));
    return [...new Set(ids)].sort();
  };
  return { https: idsOf("http", "https"), tls: idsOf("tls") };
}

/**
 * The modules of the routes and edges that the caller names, and of the edges that endpoints name. A module of the latter
 * without a setting is left out: a service may answer with an empty module if none was set.
 */
async function modulesOf(
  declaration: Declaration,
  { tls }: ReturnType<typeof edgesIn>,
  { client, modules = {} }: Reading,
): Promise<AccountObject[]> {
  const isRoute = declaration.path.startsWith("/edges/https/");
  const problemOf = answerValidator(declaration);
  const named = new Set((isRoute ? modules.httpsRoutes : modules.tlsEdges) ?? []);
  const objects: AccountObject[] = [];
  for (const id of new Set([...named, ...(isRoute ? [] : tls)])) {
    const answer = await client.read(declaration, id);
    if (answer === undefined) continue;
    const problem = isRecord(answer) ? problemOf(answer) : "it is no object";
    const isShown = problem !== undefined || named.has(id) || isConfigured(declaration, answer);
    if (isShown) objects.push(accountObject(declaration, id, answer, problem));
  }
  return objects;
}
