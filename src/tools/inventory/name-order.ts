/** The order of resources in what is printed. The engine's order varies from run to run. */
import { sortedBy } from "../../schema/text/compare-texts";

interface Named {
  readonly type: string;
  readonly name: string;
  readonly urn?: string;
}

export function inNameOrder<T extends Named>(items: readonly T[]): T[] {
  return sortedBy(items, orderKeyOf);
}

export function orderKeyOf({ type, name, urn = "" }: Named): string {
  return `${type} ${name} ${urn}`;
}
