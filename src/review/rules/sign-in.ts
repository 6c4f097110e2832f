/** The rules about who may sign in through OAuth and OIDC. */
import type { Json } from "../../schema/json";
import { hasUnknown, isRecord, isUnknown, membersOf, unknown } from "../../schema/unknown";
import type { ChangeRule } from "../rule";
import type { InventoryObject } from "../../inventory/inventory";
import { isOn } from "./guards";
import { knownList, pairs } from "./pairs";
import type { Pair } from "./pairs";

const listNames = ["emailAddresses", "emailDomains", "teams", "organizations"];

type AllowLists = Readonly<Record<string, readonly unknown[]>>;

/** The allow-lists of an OAuth module, by name. One that is not known has an unknown member. */
function allowLists({ outputs }: InventoryObject): AllowLists {
  const all = isUnknown(outputs.provider) ? [unknown] : Object.values(membersOf(outputs.provider));
  const provider = all.find((each) => isRecord(each) || isUnknown(each));
  const list = (value: unknown): readonly unknown[] =>
    isUnknown(value) ? [unknown] : (knownList(value) ?? []);
  return Object.fromEntries(
    listNames.map((name) => [name, list(isUnknown(provider) ? provider : membersOf(provider)[name])]),
  );
}

function isEmpty(lists: AllowLists): boolean {
  return Object.values(lists).every((list) => list.length === 0);
}

export const emailDomainsEmptied: ChangeRule = {
  id: "access/email-domains-emptied",
  severity: "error",
  title: "The allow-lists of an OAuth module are emptied",
  help: "The module listed the allowed e-mail addresses, domains, teams or organizations, and no longer does: everyone whom the identity provider signs in may pass (specification, HTTPS edge route OAuth module).",
  *changes(context) {
    for (const { old, next } of pairs(context, "HttpsEdgeRouteOauth")) {
      if (!isOn(next)) continue;
      const from = allowLists(old);
      const emptied = listNames.filter((name) => from[name]!.length > 0);
      if (emptied.length === 0 || !isEmpty(allowLists(next))) continue;
      const message = `the allow-list ${emptied.join(" and ")} is emptied: everyone who can sign in may pass`;
      yield { on: next, field: "provider", message };
    }
  },
};

export const signInChanged: ChangeRule = {
  id: "access/sign-in-changed",
  severity: "warning",
  title: "Who may sign in through OAuth or OIDC changes",
  help: "The allowed users, domains, teams or organizations of an OAuth module change (specification, HTTPS edge route OAuth module), or its identity provider or app, or the issuer or app of an OIDC module (specification, HTTPS edge route OIDC module). Check who gains access and who loses it.",
  *changes(context) {
    for (const pair of pairs(context, "HttpsEdgeRouteOauth", "HttpsEdgeRouteOidc")) {
      if (!isOn(pair.old) || !isOn(pair.next)) continue;
      const changes =
        pair.next.declaration.type === "HttpsEdgeRouteOauth" ? oauthChanges(pair) : oidcChanges(pair);
      if (changes.length > 0) yield { on: pair.next, message: changes.join("; ") };
    }
  },
};

function oauthChanges({ old, next }: Pair): string[] {
  const [from, to] = [oauthApp(old), oauthApp(next)];
  if (!from || !to) return [];
  const [olds, news] = [allowLists(old), allowLists(next)];
  // A rule of its own reports lists that are emptied.
  const names = isEmpty(news) ? [] : listNames;
  return [...valueChanges(from, to), ...names.flatMap((name) => listChanges(name, olds[name]!, news[name]!))];
}

/** The kind of the identity provider and the app; undefined if there is none, or it is not known. */
function oauthApp({ outputs }: InventoryObject): Json | undefined {
  const found = Object.entries(membersOf(outputs.provider)).find(([, settings]) => isRecord(settings));
  return found && { provider: found[0], clientId: membersOf(found[1]).clientId };
}

function oidcChanges({ old, next }: Pair): string[] {
  const app = ({ outputs: { issuer, clientId } }: InventoryObject): Json => ({ issuer, clientId });
  return valueChanges(app(old), app(next));
}

function valueChanges(from: Json, to: Json): string[] {
  return Object.entries(to)
    .filter(([name, value]) => !hasUnknown(value) && (value ?? "") !== (from[name] ?? ""))
    .map(([name, value]) => `${name} changes from ${text(from[name])} to ${text(value)}`);
}

function listChanges(name: string, from: readonly unknown[], to: readonly unknown[]): string[] {
  const added = to.filter((value) => !from.includes(value));
  // One of the values that are not known yet may be a value that seems to be removed.
  const removed = hasUnknown(to) ? [] : from.filter((value) => !to.includes(value));
  const part = (verb: string, values: readonly unknown[]): string[] =>
    values.length === 0 ? [] : [`${verb} ${values.map(text).join(", ")}`];
  const parts = [...part("added", added), ...part("removed", removed)];
  return parts.length === 0 ? [] : [`${name}: ${parts.join(", ")}`];
}

function text(value: unknown): string {
  if (hasUnknown(value)) return "a value known after the deployment";
  return typeof value === "string" && value !== "" ? value : "none";
}
