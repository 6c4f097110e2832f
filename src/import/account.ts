/** What the account holds: every collection, and the modules that one is told of. */
import type { Declaration } from "../schema/declaration";
import { isRecord } from "../schema/unknown";
import type { Client } from "../account/client";
import type { Json } from "../provider/object-client";
import { answerJudge } from "../provider/response-schema";
import { segment } from "../provider/path";
import { declarations } from "../resources/registry";

/** An object of the account. */
export interface Held {
  readonly declaration: Declaration;
  readonly id: string;
  readonly answer: Json;
  /** Why it cannot be used. */
  readonly problem?: string;
}

export interface Modules {
  /** `<edgeId>/<routeId>` */
  readonly httpsRoutes?: readonly string[];
  readonly tlsEdges?: readonly string[];
}

export interface Reading {
  readonly client: Pick<Client, "pages" | "read">;
  readonly isChosen: (type: string) => boolean;
  /** Whether sources of subscriptions are read as objects of their own. */
  readonly members?: boolean;
  readonly modules?: Modules;
  readonly tell?: (line: string) => void;
}

/** The chosen objects of the account, each once. */
export async function readAccount({ client, isChosen, members, modules, tell }: Reading): Promise<Held[]> {
  const held: Held[] = [];
  for (const declaration of declarations) {
    if (!isChosen(declaration.type)) continue;
    if (declaration.style === "collection") held.push(...(await listed(client, declaration, tell)));
    if (declaration.style === "member" && members) held.push(...(await membersOf(client, declaration)));
    if (declaration.style === "singleton")
      held.push(...(await modulesOf(client, declaration, modules ?? {})));
  }
  return held;
}

async function listed(
  client: Reading["client"],
  declaration: Declaration,
  tell: Reading["tell"],
): Promise<Held[]> {
  const { path, listKey, noun } = declaration;
  const judge = answerJudge(declaration);
  const found = new Map<string, Held>();
  for await (const page of client.pages({ path, listKey: listKey!, operation: `listing the ${noun}s` })) {
    for (const answer of page) {
      const problem = judge(answer);
      const id = typeof answer.id === "string" ? answer.id : "";
      // A list may move while it is read, and show an object twice.
      found.set(id, { declaration, id, answer, ...(problem === undefined ? {} : { problem }) });
    }
    tell?.(`${declaration.type}: ${found.size}`);
  }
  return [...found.values()];
}

/** The sources of every subscription. Specification: Event sources. */
async function membersOf(client: Reading["client"], declaration: Declaration): Promise<Held[]> {
  const owner = declarations.find(({ path }) => declaration.path.startsWith(`${path}/{`))!;
  const own = Object.keys(declaration.fields).filter((name) => declaration.path.includes(`{${name}}`));
  const held: Held[] = [];
  for (const { id } of await listed(client, owner, undefined)) {
    const path = declaration.path.replace(/\/\{\w+\}$/, "").replace(/\{\w+\}/, segment(id));
    const list = {
      path,
      listKey: declaration.listKey!,
      operation: `listing the ${declaration.noun}s of ${id}`,
    };
    for await (const page of client.pages(list)) {
      for (const answer of page) {
        const key = answer[own.at(-1)!];
        if (typeof key === "string") held.push({ declaration, id: `${id}/${key}`, answer });
      }
    }
  }
  return held;
}

async function modulesOf(
  client: Reading["client"],
  declaration: Declaration,
  modules: Modules,
): Promise<Held[]> {
  const isRoute = declaration.path.startsWith("/edges/https/");
  const held: Held[] = [];
  for (const id of (isRoute ? modules.httpsRoutes : modules.tlsEdges) ?? []) {
    const answer = await client.read(declaration, id);
    if (isRecord(answer)) held.push({ declaration, id, answer });
  }
  return held;
}
