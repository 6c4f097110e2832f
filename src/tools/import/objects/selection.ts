/** The objects of the account that the user selects. */
import { textFilter } from "../../inventory/filter-text";
import { GatewayError } from "../../../provider/errors";
import { declarations } from "../../../resources/registry";
import { fieldProblem } from "../../inventory/excluded";
import type { Exclusion } from "../../inventory/excluded";

export interface ImportSelection extends Exclusion {
  /** Names of classes; an empty list selects all. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /** `field=value`; `*` matches any text. An object must match all of them. */
  readonly filter?: readonly string[];
}

/** Whether a class is selected. Throws if a name is not that of a class. */
export function chosenTypes({ only = [], except = [] }: ImportSelection): (type: string) => boolean {
  const [included, excluded] = [only.map(typeNamed), except.map(typeNamed)];
  return (type) => (included.length === 0 || included.includes(type)) && !excluded.includes(type);
}

/** The class with a name, whatever its letter case. */
export function typeNamed(name: string): string {
  const found = declarations.find(({ type }) => type.toLowerCase() === name.trim().toLowerCase());
  if (found) return found.type;
  throw new GatewayError(
    `${JSON.stringify(name)} is not a class; the classes are ${declarations.map(({ type }) => type).join(", ")}`,
  );
}

/** Whether an object with these values matches. A missing field counts as empty text. */
export function matching({
  filter = [],
}: ImportSelection): (id: string, values: Readonly<Record<string, unknown>>) => boolean {
  const matches = textFilter(filter, fieldProblem);
  return (id, values) => matches({ ...values, id });
}
