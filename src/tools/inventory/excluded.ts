/** The objects of the account that the user excludes, because another program such as an operator manages them. */
import { textExclusion } from "./filter-text";
import { declarations } from "../../resources/registry";
import { compareTexts } from "../../schema/text/compare-texts";
import { inDigits } from "../../schema/text/phrase";
import type { AccountObject } from "./account-contents";

export interface Exclusion {
  /** `field=value`; `*` matches any text. An object that matches one of them is left out, with the objects inside it. */
  readonly exclude?: readonly string[];
}

/** Why a name is not the name of a field of any class; undefined if it is one. */
export function fieldProblem(field: string): string | undefined {
  const isKnown = field === "id" || declarations.some(({ fields }) => Object.hasOwn(fields, field));
  return isKnown ? undefined : `no class has a field ${field}`;
}

/** The function that finds the excluded objects of an account. Throws a GatewayError for a wrong text. */
export function excludedBy({
  exclude = [],
}: Exclusion): (objects: readonly AccountObject[]) => ReadonlySet<AccountObject> {
  const matches = textExclusion(exclude, fieldProblem);
  return (objects) => {
    const own = new Set(objects.filter(({ id, values }) => matches({ ...values, id })));
    const ids = new Set([...own].map(({ id }) => id));
    return new Set(objects.filter((each) => own.has(each) || ids.has(ownerIn(each) ?? "")));
  };
}

/** The classes whose objects are inside others, and the field that names the other one. */
const parts = [
  { part: "IpPolicyRule", owner: "IpPolicy", field: "ipPolicyId" },
  { part: "EventSource", owner: "EventSubscription", field: "subscriptionId" },
] as const;

function ownerIn({ declaration, values }: AccountObject): string | undefined {
  const found = parts.find(({ part }) => part === declaration.type);
  return found && (values[found.field] as string | undefined);
}

/** The chosen classes, and their owners: excluding an owner excludes the objects inside it. */
export function withOwners(
  { exclude = [] }: Exclusion,
  isChosen: (type: string) => boolean,
): (type: string) => boolean {
  if (exclude.length === 0) return isChosen;
  return (type) => isChosen(type) || parts.some(({ part, owner }) => owner === type && isChosen(part));
}

/** How many objects of each class were left out, by the names of the classes. */
export type ExcludedCounts = Readonly<Record<string, number>>;

export function countByClass(objects: Iterable<AccountObject>): ExcludedCounts {
  const groups = Map.groupBy(objects, ({ declaration }) => declaration.type);
  const sorted = [...groups].sort(([one], [other]) => compareTexts(one, other));
  return Object.fromEntries(sorted.map(([type, { length }]) => [type, length]));
}

/** What `--exclude` left out, in a sentence; undefined without the option. */
export function exclusionText({ exclude = [] }: Exclusion, counts: ExcludedCounts): string | undefined {
  if (exclude.length === 0) return undefined;
  const texts = Object.entries(counts).map(([type, count]) => `${inDigits(count)} ${type}`);
  if (texts.length === 0) return "--exclude left out nothing: no object matches.";
  return `Left out by --exclude: ${texts.join(", ")}.`;
}
