/** Who may sign in through OAuth and OIDC, and the rule about allow-lists. */
import { gatesOf } from "../../access/gates";
import { placeKey } from "../../access/served";
import type { Pair } from "../../access/served";
import type { Json } from "../../../schema/json";
import { same } from "../../../schema/equality";
import { text as textField } from "../../../schema/kinds";
import { hasUnknown, isRecord, isUnknown, itemsOf, membersOf, unknown } from "../../../schema/unknown";
import type { ChangeRule, Context, Find } from "../rule";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { pairs } from "./each";
import { isOn } from "./gate-rules";
import { later } from "../../../schema/text/phrase";

const listNames = ["emailAddresses", "emailDomains", "teams", "organizations"];

type AllowLists = Readonly<Record<string, readonly unknown[]>>;

/** The allow-lists of an OAuth module, by name. A list that is not known has one unknown member. */
function allowLists({ values }: InventoryObject): AllowLists {
  const all = isUnknown(values.provider) ? [unknown] : Object.values(membersOf(values.provider));
  const provider = all.find((each) => isRecord(each) || isUnknown(each));
  const list = (value: unknown): readonly unknown[] => (isUnknown(value) ? [unknown] : itemsOf(value));
  return Object.fromEntries(
    listNames.map((name) => [name, list(isUnknown(provider) ? provider : membersOf(provider)[name])]),
  );
}

function isEmpty(lists: AllowLists): boolean {
  return Object.values(lists).every((list) => list.length === 0);
}

export const signInRules: readonly ChangeRule[] = [
  {
    id: "access/email-domains-emptied",
    severity: "error",
    title: "The allow-lists of an OAuth module are emptied",
    help: "Everyone whom the identity provider signs in may pass.",
    changes: pairs(["HttpsEdgeRouteOauth"], (old, next) => {
      if (!isOn(next)) return undefined;
      const from = allowLists(old);
      const emptied = listNames.filter((name) => from[name]!.length > 0);
      if (emptied.length === 0 || !isEmpty(allowLists(next))) return undefined;
      const message = `the allow-list ${emptied.join(" and ")} is emptied: everyone who can sign in may pass`;
      return { field: "provider", message };
    }),
  },
];

/**
 * The modules that decide who signs in at each place before and after the deployment. A module of another name or type at
 * the same place is a successor.
 */
export function signInPairs({ before, after }: Context): Pair[] {
  const earlier = Map.groupBy(signIns(before), placeKey);
  const now = Map.groupBy(signIns(after), placeKey);
  return [...now].flatMap(([place, all]) =>
    all.flatMap((next) => {
      const olds = earlier.get(place) ?? [];
      // A module that stays beside one that goes decides alone now, so it is the successor.
      const isSucceeded = ({ declaration }: InventoryObject): boolean =>
        declaration === next.declaration || !all.some((each) => each.declaration === declaration);
      const succeeded = olds.filter(isSucceeded);
      return (succeeded.length > 0 ? succeeded : olds.slice(0, 1)).map((old) => ({ old, next }));
    }),
  );
}

/** The modules at which users sign in, without those that are off. */
function signIns(inventory: Inventory): InventoryObject[] {
  return [...inventory.all.values()].filter((on) =>
    gatesOf(on).some(({ by, isOn }) => by === "signIn" && isOn !== false),
  );
}

/** How the identity providers and allow-lists of the places change. Fewer users are a warning. */
export function* signInChanges(find: Find, context: Context) {
  for (const { old, next } of signInPairs(context)) {
    const [from, to] = [signInOf(old), signInOf(next)];
    const isOther = from.what !== to.what;
    const apps = isOther ? [`${to.text} takes the place of ${from.text}`] : appChanges(from.app, to.app);
    const everyone = isOther && isEmpty(to.lists) ? ["everyone who can sign in there may pass"] : [];
    // Another rule reports lists that are emptied.
    const names = isOther || isEmpty(to.lists) ? [] : listNames;
    const lists = names.map((name) => listChange(name, from.lists[name]!, to.lists[name]!));
    const all = [...apps, ...everyone, ...lists.flatMap(({ text }) => text ?? [])];
    if (all.length === 0) continue;
    const isWider = apps.length > 0 || (!isEmpty(from.lists) && lists.some(({ adds }) => adds));
    const field = next.declaration.fields.provider ? "provider" : "issuer";
    yield find(next, all.join("; "), { field, severity: isWider ? undefined : "warning" });
  }
}

/** Who signs users in, and which users may pass. */
function signInOf(on: InventoryObject) {
  const { what, detail } = gatesOf(on)[0]!;
  const position = detail === undefined ? "" : ` at ${detail}`;
  return { what, text: what + position, app: appOf(on), lists: allowLists(on) };
}

/** The identity provider and the app; empty for an OAuth module that is not known. */
function appOf({ declaration, values: { issuer, clientId, provider } }: InventoryObject): Json {
  if (!("provider" in declaration.fields)) return { issuer, clientId };
  const [kind, settings] = Object.entries(membersOf(provider)).find(([, each]) => isRecord(each)) ?? [];
  return kind === undefined ? {} : { provider: kind, clientId: membersOf(settings).clientId };
}

function appChanges(from: Json, to: Json): string[] {
  return Object.entries(to)
    .filter(([name, value]) => !hasUnknown(value) && (value ?? "") !== (from[name] ?? ""))
    .map(([name, value]) => `${name} changes from ${text(from[name])} to ${text(value)}`);
}

/** What changes in a list, and whether it allows more users. The spelling does not count. */
function listChange(name: string, from: readonly unknown[], to: readonly unknown[]) {
  const isIn = (all: readonly unknown[], value: unknown): boolean =>
    all.some((each) => same(listItem, each, value));
  // Other rules report values that are hidden or not known yet.
  const added = to.filter((value) => !hasUnknown(value) && !isIn(from, value));
  // A value that is not known yet may be one that seems to be removed.
  const removed = hasUnknown(to) ? [] : from.filter((value) => !isIn(to, value));
  const part = (verb: string, values: readonly unknown[]): string[] =>
    values.length === 0 ? [] : [`${verb} ${values.map(text).join(", ")}`];
  const parts = [...part("added", added), ...part("removed", removed)];
  const all = parts.length === 0 ? undefined : `${name}: ${parts.join(", ")}`;
  return { text: all, adds: added.length > 0 };
}

/** E-mail addresses, domains and the names of a code host are not case-sensitive. */
const listItem = textField({ canonical: (value) => value.toLowerCase() });

function text(value: unknown): string {
  if (hasUnknown(value)) return `a value ${later}`;
  return typeof value === "string" && value !== "" ? value : "none";
}
