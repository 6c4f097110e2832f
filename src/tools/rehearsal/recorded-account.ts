/**
 * The account as the states of a preview record it: the objects of the stack before the deployment, and the other objects that
 * they refer to, without their contents.
 */
import type { Snapshot } from "../../emulator/types";
import { valuesIn } from "../../provider/http/path";
import { foundState } from "../../provider/life-cycle/recording";
import { recordedRules } from "../../provider/rule-set/sent-rules";
import { declarationOf, declarationWithId, separateArguments } from "../../resources/registry";
import type { Declaration } from "../../schema/declaration";
import { same } from "../../schema/equality";
import { everyField, wireName } from "../../schema/field";
import type { AnyField, Fields } from "../../schema/field";
import { canonical } from "../../schema/formats/cidr";
import type { Json } from "../../schema/json";
import { oncePer } from "../../schema/once-per";
import { recordedState } from "../../schema/recorded-state";
import { idSlots } from "../../schema/references";
import { isSummarized, policyOf } from "../../schema/rule-set";
import { isRecord, itemsOf, membersOf } from "../../schema/unknown";
import { mapParts } from "../../schema/walk";
import type { AccountObject } from "../inventory/account-contents";
import { holdsOpaque, isOpaque } from "./opaque";

interface Placed {
  /** Whether it is certainly in the account whose lists are read. */
  readonly isListed: boolean;
}

/** A resource of the stack before the deployment. */
export interface RecordedObject extends Placed {
  /** Of an object that is compared where the account was read. */
  readonly urn?: string;
  readonly declaration: Declaration;
  readonly id: string;
  /** The outputs of the state, including hidden ones. */
  readonly outputs: Json;
}

type Answer = Record<string, unknown>;

/** The prefix of made-up ids for the rules of a set: its state has their ranges, and not always their ids. */
export const placeholder = "ipr_recorded";

/** A resource in a plan. The objects that it refers to exist, whoever manages them. */
export interface MentionedObject extends Placed {
  readonly declaration: Declaration;
  readonly id: string | undefined;
  readonly values: Json;
}

/** @param read lists of the account that were read: nothing that they would show is added to them. */
export function recordedAccount(
  objects: readonly RecordedObject[],
  mentioned: readonly MentionedObject[],
  read: Snapshot = {},
) {
  const builder = new Builder(read);
  const inOrder = ["collection", "rotation", "singleton", "ruleSet", "member"];
  for (const style of inOrder)
    for (const each of objects) if (each.declaration.style === style) builder.add(each);
  const unread = builder.addUnread(mentioned);
  return { account: builder.account, unread, differing: builder.differing, missing: builder.missing };
}

/** The lists, with modules that were read. */
export function listsWithModules(
  lists: Snapshot,
  modules: readonly Pick<AccountObject, "declaration" | "id" | "answer">[],
): Snapshot {
  const builder = new Builder(lists);
  for (const { declaration, id, answer } of modules) builder.addModule(declaration.path, id, answer);
  return builder.account;
}

class Builder {
  readonly account: Record<string, Answer[]>;
  /** The resources whose objects were read, and are not as recorded in the arguments, by which they are named. */
  readonly differing = new Map<string, readonly string[]>();
  /** The ranges that a set records and that its policy, whose rules were read, does not have. */
  readonly missing = new Map<string, ReadonlySet<string>>();
  private readonly byId = new Map<string, Answer>();
  /** Those that were read. */
  private readonly modules: ReadonlySet<unknown>;
  private rules = 0;

  constructor(private readonly read: Snapshot) {
    this.account = { ...structuredClone(read) };
    for (const answer of Object.values(this.account).flat())
      if (typeof answer.id === "string") this.byId.set(answer.id, answer);
    const { tls_edges: tls = [], https_edges: https = [] } = this.account;
    const owners = [...tls, ...https.flatMap(({ routes }) => itemsOf(routes))];
    this.modules = new Set(owners.flatMap((owner) => Object.values(membersOf(owner)).filter(isRecord)));
  }

  add(object: RecordedObject): void {
    const { declaration, id, outputs, isListed } = object;
    const { style, path, fields, setOf, rotates } = declaration;
    if (setOf !== undefined) return this.addRules(object);
    if (rotates !== undefined) return this.addKeys(rotates, object);
    if (style === "member") return this.addSource(id);
    const answer = answerOf(fields, recordedState(outputs).outputs);
    const read =
      style === "singleton" ? this.addModule(path, id, answer) : this.put(path, id, answer, isListed);
    if (read !== undefined) this.differs(object, differences(object, read));
  }

  private differs({ urn }: RecordedObject, names: readonly string[]): void {
    if (urn !== undefined && names.length > 0) this.differing.set(urn, names);
  }

  /** Adds the objects that resources refer to and no state records. Returns their ids. */
  addUnread(mentioned: readonly MentionedObject[]): string[] {
    const unread = new Map<string, boolean>();
    for (const { declaration, id, values, isListed } of mentioned) {
      for (const each of [...idSlots(declaration.fields, values), { id }])
        if (each.id !== undefined) unread.set(each.id, isListed && unread.get(each.id) !== false);
      const { edgeId, routeId } = values;
      if (declaration.style === "singleton" && isKnown(edgeId) && (routeId === undefined || isKnown(routeId)))
        this.ownerOf(edgeId, routeId);
    }
    const added = [...unread].filter(([id, isListed]) => !this.byId.has(id) && this.addEmpty(id, isListed));
    return added.map(([id]) => id);
  }

  private addEmpty(id: string, isListed: boolean): boolean {
    const declaration = isOpaque(id) ? undefined : declarationWithId(id);
    if (declaration?.style !== "collection" || (isListed && this.isRead(declaration.path))) return false;
    this.put(declaration.path, id, emptied[declaration.path] ?? {}, isListed);
    return true;
  }

  private isRead(path: string): boolean {
    return Object.hasOwn(this.read, path.slice(1));
  }

  /** Returns the object where it was read. */
  private put(path: string, id: string, answer: Answer, isListed: boolean): Answer | undefined {
    const isRead = this.isRead(path);
    if (this.byId.has(id)) return isRead ? this.byId.get(id) : undefined;
    if (isRead && isListed) return undefined;
    const object = { uri: "", created_at: "", ...answer, id };
    this.byId.set(id, object);
    (this.account[path.slice(1)] ??= []).push(object);
    return undefined;
  }

  private addRules(object: RecordedObject): void {
    const { id: policy, outputs, isListed, urn } = object;
    const { path } = declarationOf("IpPolicyRule");
    const own = (this.account[path.slice(1)] ?? []).filter((rule) => policyOf(rule) === policy);
    const existing = new Map(own.map(({ cidr, action }) => [canonical(String(cidr)), action]));
    const missing = new Set<string>();
    for (const [range, { cidr: _, sent: __, ...values }] of recordedRules(recordedState(outputs))) {
      const action = existing.get(range);
      if (action !== undefined && action !== values.action) this.differs(object, ["rules"]);
      if (existing.has(range)) continue;
      if (isListed && this.isRead(path)) {
        missing.add(range);
        continue;
      }
      const rule = { ...values, cidr: range, ip_policy: { id: policy, uri: "" } };
      this.put(path, `${placeholder}${(this.rules += 1)}`, rule, isListed);
    }
    // The state of a summarized set may not show which rules stand for its entries.
    if (urn !== undefined && !isSummarized(outputs)) this.missing.set(urn, missing);
  }

  private addKeys({ path, fields }: Declaration, { id, outputs, isListed }: RecordedObject): void {
    const { keyId = id, previousKeyId } = outputs;
    if (typeof keyId === "string")
      this.put(path, keyId, { ...answerOf(fields, outputs), token: null }, isListed);
    if (typeof previousKeyId === "string")
      this.put(path, previousKeyId, { owner_id: outputs.ownerId, token: null }, isListed);
  }

  private addSource(id: string): void {
    const [subscription = "", type] = id.split("/");
    const object = this.byId.get(subscription);
    if (object === undefined) return;
    const sources = (object.sources ??= []) as Answer[];
    if (!sources.some((each) => each.type === type)) sources.push({ type, uri: "" });
  }

  /** The last part of the path is the module's name. Returns the module where it was read. */
  addModule(path: string, id: string, module: Answer): Answer | undefined {
    const [edge = "", route] = id.split("/");
    const [owner, name] = [this.ownerOf(edge, route), path.slice(path.lastIndexOf("/") + 1)];
    const read = this.modules.has(owner[name]) ? (owner[name] as Answer) : undefined;
    owner[name] = read ?? module;
    return read;
  }

  /** The edge or route that a module belongs to. */
  private ownerOf(edge: string, route: string | undefined): Answer {
    if (route === undefined) return memberOf((this.account.tls_edges ??= []), edge);
    const owner = memberOf((this.account.https_edges ??= []), edge);
    return memberOf((owner.routes ??= []) as Answer[], route);
  }
}

/** The object of a list with an id. It is added if the list has none. */
function memberOf(list: Answer[], id: string): Answer {
  let found = list.find((each) => each.id === id);
  if (found === undefined) list.push((found = { id }));
  return found;
}

/** The arguments with a meaning that an object has otherwise in the account: somebody changed it, or edited the state. */
function differences({ declaration, id, outputs: recorded }: RecordedObject, read: Answer): string[] {
  const { fields, path } = declaration;
  const state = recordedState(recorded);
  const found = { ...foundState(declaration, id, read, state).outputs, ...valuesIn(path, id) };
  // The program may declare their items as resources, which the state of this one does not show.
  const ofOthers = separateArguments(declaration).filter((name) => !state.managed.includes(name));
  return Object.entries(fields).flatMap(([name, field]) => {
    const decides = (hasMeaning(field) && !ofOthers.includes(name)) || field.traits.inPath === true;
    const isOther =
      decides && !holdsOpaque(state.outputs[name]) && !same(field, state.outputs[name], found[name]);
    return isOther ? [name] : [];
  });
}

/** Whether the field, or one in it, says what a change of it means. No account shows a declared secret. */
export const hasMeaning = oncePer((field: AnyField) =>
  everyField(field).some(({ traits: { meaning = "none", secret } }) => meaning !== "none" && !secret),
);

function isKnown(id: unknown): id is string {
  return typeof id === "string" && !isOpaque(id);
}

/** The values that an object of a collection has at least. */
const emptied: Readonly<Record<string, Answer>> = {
  "/backends/weighted": { backends: {} },
  "/backends/failover": { backends: [] },
  "/backends/tunnel_group": { labels: {} },
};

/** The answer of the service from which the values come. */
function answerOf(fields: Fields, values: Json): Answer {
  const answer: Answer = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    const { local, inPath, writeOnly, ref, within } = field.traits;
    if (value === undefined || local || inPath || writeOnly) continue;
    const holder = within === undefined ? answer : answer[within];
    if (!isRecord(holder)) continue;
    if (ref === undefined) holder[wireName(name, field)] = wireValue(field, value);
    else holder[ref] = Array.isArray(value) ? value.map(refTo) : refTo(value);
  }
  return answer;
}

function wireValue(field: AnyField, value: unknown): unknown {
  return mapParts(field, value, wireValue, ({ fields }, members) => answerOf(fields, members));
}

const refTo = (id: unknown): Answer => ({ id, uri: "" });

/** The rules of all policies, before the deployment. */
export function rulesBefore(accounts: readonly { readonly before: Snapshot }[]) {
  return accounts.flatMap(({ before }) => before.ip_policy_rules ?? []);
}
