/** The plan of an import: which objects become which resources, in which order. */
import type { AccountObject } from "../../inventory/account-contents";
import { Inventory } from "../../inventory/inventory";
import type { InventoryObject } from "../../inventory/inventory";
import { importEntry, importFileOf } from "../../stack/import-file";
import type { ImportFile } from "../../stack/import-file";
import { nameTableOf } from "../import-options";
import type { DoorChoice } from "./door-choice";
import type { ImportOptions } from "../import-options";
import { resourceValues } from "../../../provider/existing/resource-values";
import type { Conditions, ResourceValues } from "../../../provider/existing/resource-values";
import { withNames } from "./naming";
import type { NamesInUse } from "./naming";
import { statementOrder } from "./program-order";

/** An object of the account as a resource of the program, with the name, the arguments and the values of that resource. */
export interface PlannedResource extends InventoryObject {
  readonly id: string;
  /** The variable of the program that holds it. */
  readonly variable: string;
}

/** An object that is not imported, and the reason. */
export interface Note {
  readonly type: string;
  readonly id: string;
  readonly reason: string;
}

export interface Plan {
  /** In the order of their statements. */
  readonly resources: readonly (PlannedResource & ResourceValues)[];
  readonly notes: readonly Note[];
}

export interface PlanOptions extends Conditions {
  readonly inUse?: NamesInUse;
  /** Whether the user's filters select the object. */
  readonly isSelected?: (id: string, values: InventoryObject["values"]) => boolean;
}

export function planFor(objects: readonly AccountObject[], options: PlanOptions): Plan {
  const { isSelected = () => true, inUse, ...conditions } = options;
  const notes: Note[] = [];
  const resources: (AccountObject & ResourceValues)[] = [];
  for (const object of objects) {
    const { declaration, id } = object;
    const found = resourceValues(object, conditions);
    if (!isSelected(id, "values" in found ? found.values : {})) continue;
    if ("values" in found) resources.push({ ...object, ...found });
    else notes.push({ type: declaration.type, id, reason: found.reason });
  }
  const inventory = new Inventory(resources);
  return { resources: withNames(statementOrder(inventory), inventory, inUse), notes };
}

/** The import file of resources, under the explicit provider if there is one. */
export function importFileFor(
  resources: Plan["resources"],
  { provider, doorOf }: Pick<ImportOptions, "provider"> & { readonly doorOf: DoorChoice },
  now: number,
): ImportFile {
  const entries = resources.map(({ declaration, id, name, args, values }) => {
    const type = doorOf(declaration.group).tokenPrefix + declaration.type;
    const state = { declaration, inputs: args, outputs: values };
    return importEntry({ type, id, name, provider: provider?.variable, ...state });
  });
  return importFileOf(entries, nameTableOf(provider), now);
}
