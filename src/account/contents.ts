/** The contents of an account: all objects of the collections, and the modules of the edges that are known. */
import type { Declaration } from "../schema/declaration";
import { isRecord } from "../schema/unknown";
import { isConfigured } from "../provider/configured";
import { listOf } from "../provider/pagination";
import { namesIn } from "../provider/path";
import type { Json } from "../schema/json";
import { answerValidator } from "../provider/response-schema";
import type { Client } from "./client";
import { edgesIn, endpointsPath } from "./edges";
import type { Edges } from "./edges";

/** An object of the account. */
export interface AccountObject {
  readonly declaration: Declaration;
  readonly id: string;
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

export interface AccountContents {
  readonly objects: readonly AccountObject[];
  /** The edges that endpoints name; none unless they were looked for. */
  readonly edges: Edges;
}

export interface Reading {
  readonly client: Pick<Client, "pages" | "read">;
  /** All declarations of the package. */
  readonly declarations: readonly Declaration[];
  readonly isChosen: (type: string) => boolean;
  /** Whether the sources of event subscriptions are read as objects of their own. */
  readonly members?: boolean;
  readonly modules?: Modules;
  /** Whether the modules of TLS edges that endpoints name are read too. */
  readonly findsEdges?: boolean;
  /** Called after each page with a line on the progress. */
  readonly report?: (line: string) => void;
}

/** Reads the chosen objects, each once. Throws a GatewayError where a request fails. */
export async function readAccount(reading: Reading): Promise<AccountContents> {
  const chosen = reading.declarations.filter(({ type }) => reading.isChosen(type));
  const objects: AccountObject[] = [];
  for (const declaration of chosen) objects.push(...(await objectsOf(declaration, reading)));
  const modules = chosen.filter(({ style }) => style === "singleton");
  const looksForEdges = reading.findsEdges === true && modules.length > 0;
  const edges = edgesIn(looksForEdges ? await endpointsOf(objects, reading) : []);
  for (const declaration of modules) objects.push(...(await modulesOf(declaration, edges, reading)));
  return { objects, edges };
}

/** The objects of a declaration; none where they are read with others or, as modules, after all others. */
async function objectsOf(declaration: Declaration, reading: Reading): Promise<AccountObject[]> {
  switch (declaration.style) {
    case "collection":
      return listed(declaration, reading);
    case "member":
      return reading.members ? membersOf(declaration, reading) : [];
    case "singleton":
    case "entries":
      return [];
  }
}

/** The answers about all endpoints: those that were read already, else those of a list. */
async function endpointsOf(
  objects: readonly AccountObject[],
  { client, declarations, isChosen }: Reading,
): Promise<Json[]> {
  const endpoint = declarations.find(({ path }) => path === endpointsPath)!;
  const endpoints = isChosen(endpoint.type)
    ? objects.filter(({ declaration }) => declaration === endpoint)
    : await listed(endpoint, { client });
  return endpoints.map(({ answer }) => answer);
}

async function listed(
  declaration: Declaration,
  { client, report }: Pick<Reading, "client" | "report">,
): Promise<AccountObject[]> {
  const problemOf = answerValidator(declaration);
  const found = new Map<string, AccountObject>();
  for await (const page of client.pages(listOf(declaration))) {
    for (const answer of page) {
      const problem = problemOf(answer);
      const id = typeof answer.id === "string" ? answer.id : "";
      // A list may change while it is read, and show an object on two pages.
      found.set(id, { declaration, id, answer, problem });
    }
    report?.(`${declaration.type}: ${found.size}`);
  }
  return [...found.values()];
}

/** The sources of every subscription. Specification: Event sources. */
async function membersOf(
  declaration: Declaration,
  { client, declarations }: Reading,
): Promise<AccountObject[]> {
  const owner = declarations.find(({ path }) => declaration.path.startsWith(`${path}/{`))!;
  const key = namesIn(declaration.path).at(-1)!;
  const objects: AccountObject[] = [];
  for (const { id } of await listed(owner, { client })) {
    for await (const page of client.pages(listOf(declaration, id))) {
      for (const answer of page) {
        const value = answer[key];
        if (typeof value === "string") objects.push({ declaration, id: `${id}/${value}`, answer });
      }
    }
  }
  return objects;
}

/**
 * The modules of the routes and edges that the caller names, and of the edges that endpoints name. The latter are left
 * out where nothing is configured: a service may answer with an empty module where none was set.
 */
async function modulesOf(
  declaration: Declaration,
  { tls }: Edges,
  { client, modules = {} }: Reading,
): Promise<AccountObject[]> {
  const isRoute = declaration.path.startsWith("/edges/https/");
  const named = new Set((isRoute ? modules.httpsRoutes : modules.tlsEdges) ?? []);
  const objects: AccountObject[] = [];
  for (const id of new Set([...named, ...(isRoute ? [] : tls)])) {
    const answer = await client.read(declaration, id);
    if (!isRecord(answer)) continue;
    if (named.has(id) || isConfigured(declaration, answer)) objects.push({ declaration, id, answer });
  }
  return objects;
}
