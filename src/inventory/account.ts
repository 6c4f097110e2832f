/** The objects of an account. */
import type { AccountObject } from "../account/contents";
import { isConfigured } from "../provider/configured";
import { valuesIn } from "../provider/path";
import { fromWire } from "../provider/wire";
import { declarations, readable } from "../resources/registry";
import type { Declaration } from "../schema/declaration";
import type { Json } from "../schema/json";
import { masked } from "../stack/mask";
import { Inventory } from "./inventory";
import type { InventoryObject } from "./inventory";

/**
 * The objects that were read. Left out are answers that are not as specified, and modules without a setting: a service may
 * answer with an empty module where none was set. What the account does not contain does not exist, so all
 * collections that the objects refer to must have been read.
 */
export function inventoryOfAccount(objects: readonly AccountObject[]): Inventory {
  const shown = objects.filter(
    ({ declaration, answer, problem }) =>
      problem === undefined && (declaration.style !== "singleton" || isConfigured(declaration, answer)),
  );
  return new Inventory(shown.map(objectOf), { isGone: isListed });
}

/** Whether the id is that of a collection, so that it would be in a list if its object existed. */
function isListed(id: string): boolean {
  return declarations.some(({ idPrefix }) => idPrefix !== undefined && id.startsWith(idPrefix));
}

function objectOf({ declaration, id, answer }: AccountObject): InventoryObject {
  const actual = actualDeclaration(declaration, answer);
  const outputs = masked(actual, fromWire(actual.fields, answer, valuesIn(actual.path, id)), []);
  const isGiven = (text: unknown): text is string => typeof text === "string" && text !== "";
  const name = [outputs.description, outputs.name].find(isGiven) ?? id;
  return { declaration: actual, id, name, args: outputs, outputs };
}

/** A list may hold objects that no program manages, such as the endpoints of agents and edges: those are read-only. */
function actualDeclaration(declaration: Declaration, answer: Json): Declaration {
  if (declaration.only?.test(answer) !== false) return declaration;
  return readable.find(({ path, only }) => path === declaration.path && only === undefined) ?? declaration;
}
