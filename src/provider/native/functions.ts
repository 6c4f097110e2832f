/** The functions of the native provider: the `get…` and `list…` of the package, by name. */
import { collected, readEach, readOne } from "../../account/read-objects";
import type { Selection } from "../../account/read-objects";
import type { AccountClient } from "../../account/account-client";
import type { Filter } from "../../account/filter";
import { GatewayError } from "../errors";
import { namesIn } from "../http/path";
import { nativeTokenPrefix } from "../../program/shim";
import * as resources from "../../resources";
import { declarationBehind } from "../../schema/declaration";
import type { Declaration } from "../../schema/declaration";
import type { Json } from "../../schema/json";
import { valuesForEngine } from "../../schema/recorded-state";
import { asText, isAbsent, valueAt } from "../../schema/unknown";
import { membersWhere } from "../../schema/values";

/** A function that reads the account. */
interface AccountFunction {
  readonly name: string;
  readonly declaration: Declaration;
  /** Whether it returns all objects, and not one. */
  readonly lists: boolean;
  /** The argument with the id of the object that the list belongs to. */
  readonly owner?: string;
}

/** All functions, in the order of the resources. */
export const accountFunctions: readonly AccountFunction[] = Object.entries(resources).flatMap(
  ([name, value]): AccountFunction[] => {
    const declaration = declarationBehind(value);
    if (declaration === undefined || !/^(get|list)[A-Z]/.test(name)) return [];
    const lists = name.startsWith("list");
    const [owner] = lists ? namesIn(declaration.listPath ?? declaration.path) : [];
    return [{ name, declaration, lists, ...(owner === undefined ? {} : { owner }) }];
  },
);

/** An object in the protocol's call List. */
export interface ListedObject {
  readonly id: string;
  /** Its description or name, else the first column with a value. */
  readonly name: string;
}

/** Lists the objects of a class as the query selects them. A limit of 0 is none. */
export async function* listedObjects(
  client: AccountClient,
  declaration: Declaration,
  query: Json,
  limit: number,
): AsyncGenerator<ListedObject, void, undefined> {
  const list = accountFunctions.find((each) => each.lists && each.declaration === declaration);
  if (list === undefined)
    throw new GatewayError(`the API has no list of ${declaration.plural}: import one by its id`);
  for await (const object of readList(client, list, { ...query, limit: limit > 0 ? limit : undefined }))
    yield { id: String(object.id), name: nameOf(declaration, object) };
}

/** The objects that the arguments of a function select. What is null is absent. */
function readList(
  client: AccountClient,
  { declaration, owner }: AccountFunction,
  args: Json,
): AsyncIterable<Json> {
  const id = owner === undefined ? undefined : asText(args[owner]);
  if (owner !== undefined && id === undefined)
    throw new GatewayError(
      `${owner}: is required, the id of the object that the ${declaration.plural} belong to`,
    );
  const { filter, limit } = membersWhere(args, (_, value) => !isAbsent(value)) as Selection<Json>;
  return readEach(client, declaration, id, { filter, limit });
}

function nameOf({ columns }: Declaration, object: Json): string {
  const values = ["description", "name", ...columns].map((path) => valueAt(object, path));
  const [named] = values.filter((value) => value !== "" && !isAbsent(value));
  return typeof named === "string" ? named : named === undefined ? "" : JSON.stringify(named);
}

/** Calls a function by its token. */
export async function callFunction(client: AccountClient, token: string, args: Json): Promise<Json> {
  const called = accountFunctions.find(({ name }) => nativeTokenPrefix + name === token);
  if (called === undefined) throw new GatewayError(`this version of the provider knows no function ${token}`);
  const { name: own, declaration, lists } = called;
  if (!lists) {
    const { id, filter } = args;
    if (!isAbsent(id) && !isAbsent(filter))
      throw new GatewayError(`${own} takes an id or a filter, not both: leave one of them out`);
    const which = (id ?? filter) as string | Filter<Json>;
    return valuesForEngine(declaration, await readOne<Json>(client, declaration, which));
  }
  const objects = await collected(readList(client, called, args));
  return { objects: objects.map((object) => valuesForEngine(declaration, object)) };
}
