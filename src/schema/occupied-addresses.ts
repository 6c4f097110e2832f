/** The addresses that objects serve, and which two objects a service may refuse beside each other. */
import { isUnknown } from "./unknown";

/** What an object with some values serves. */
export interface OccupiedAddresses {
  /** As URLs, in one spelling for all classes; those that are known. */
  readonly addresses: readonly string[];
  /** Whether other objects that share too may serve them. */
  readonly isShared: boolean;
}

/** The URLs of a value with one or several texts. What may hold a secret, such as a query, is left out. */
export function occupied(value: unknown, urlOf: (text: string) => string): string[] {
  return [value]
    .flat()
    .filter((each): each is string => typeof each === "string" && !isUnknown(each))
    .map(urlOf)
    .filter((url) => !/[@?#]/.test(url));
}

/** The first address for which the two stand in each other's way. */
export function contested(one: OccupiedAddresses, other: OccupiedAddresses): string | undefined {
  if (one.isShared && other.isShared) return undefined;
  return one.addresses.find((address) => other.addresses.includes(address));
}
