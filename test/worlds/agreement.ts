/** Whether the account, the state and the program agree after a deployment that ended well. */
import type { Snapshot } from "../../src/emulator";
import { fromWire } from "../../src/provider/life-cycle/wire";
import { blockOf } from "../../src/schema/addresses/block";
import { declarationOf, declarations } from "../../src/resources/registry";
import type { Declaration } from "../../src/schema/declaration";
import { same } from "../../src/schema/equality";
import { isAbsent, isRecord } from "../../src/schema/unknown";
import { otherForm, outputsOfCreation } from "../../src/schema/sealing";
import { holdsSecret } from "../../src/schema/secrets";
import type { AnyField } from "../../src/schema/field";
import * as cidr from "../../src/schema/formats/cidr";
import { argumentsFrom, outputsFrom } from "../../src/schema/values";
import type { Json } from "../provider/life-cycle/properties/arbitraries";
import type { WorldResource } from "../rounds/world";
import { accessList } from "./plan";

export interface StateEntry {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  /** With secrets encrypted. */
  readonly outputs: Json;
  readonly isReplaced: boolean;
}

/** What the stack's file says of this package's resources, and what it has left open. */
export interface State {
  readonly entries: readonly StateEntry[];
  readonly pending: readonly unknown[];
}

export interface Situation {
  readonly program: readonly WorldResource[];
  readonly state: State;
  readonly account: Snapshot;
  /** How the service answers a read of each resource, by URN. The account has its values as requests sent them. */
  readonly answers: ReadonlyMap<string, Json>;
  /** What the account had before the stack, and what others made by hand. */
  readonly foreign: ReadonlySet<string>;
  /** By which entries have ended, in milliseconds since 1970; default: none has. */
  readonly now?: number;
}

const nameOf = ({ urn }: StateEntry) => urn.split("::").at(-1)!;

/** Whether it belongs to a component. */
const isPart = ({ urn }: StateEntry) => urn.includes(`:${accessList}$`);

/** All that is wrong, in words. */
export function disagreements(situation: Situation): string[] {
  return [
    ...inState(situation),
    ...inCollections(situation),
    ...inModules(situation),
    ...inRules(situation),
    ...inArguments(situation),
    ...inOutputs(situation),
    ...inSecretsOfCreation(situation),
    ...inForeignObjects(situation),
  ];
}

function inState({ program, state }: Situation): string[] {
  const wrong: string[] = [];
  if (state.pending.length > 0)
    wrong.push(`the state has pending operations: ${JSON.stringify(state.pending)}`);
  for (const entry of state.entries.filter(({ isReplaced }) => isReplaced))
    wrong.push(`the state still holds the replaced ${entry.urn}`);
  const key = (type: string, name: string) => `${type} ${name}`;
  const expected = program.filter(({ type }) => type !== accessList).map(({ type, name }) => key(type, name));
  const found = state.entries
    .filter((entry) => !isPart(entry))
    .map((entry) => key(entry.type, nameOf(entry)));
  return [...wrong, ...differences("state", expected, found)];
}

/** The objects of every collection are those of the state and those of others. */
function inCollections({ state, account, foreign }: Situation): string[] {
  return declarations
    .filter(({ style, type }) => style === "collection" && type !== "IpPolicyRule")
    .flatMap(({ type, path }) => {
      const objects = account[path.slice(1)] ?? [];
      const found = objects.map(({ id }) => String(id)).filter((id) => !foreign.has(id));
      const marked = objects.filter(({ metadata }) =>
        String(metadata).startsWith("pulumi-tunnel-gateway creation"),
      );
      return [
        ...differences(`account's ${type} objects`, [...idsOf(state, type), ...rotating(state, type)], found),
        ...marked.map(({ id }) => `${String(id)} still has the mark of its creation`),
      ];
    });
}

/** The ids of the objects of this type that resources keep a current and a previous one of. */
function rotating({ entries }: State, type: string): string[] {
  return entries
    .filter((each) => declarationOf(each.type).rotates?.type === type)
    .flatMap(({ outputs: { keyId, previousKeyId } }) => [keyId, previousKeyId])
    .filter((id) => typeof id === "string");
}

/** Modules of edges and sources of subscriptions exist exactly where the state has them. */
function inModules({ program, state, account }: Situation): string[] {
  const modules = declarations
    .filter(({ style }) => style === "singleton")
    .flatMap(({ type, path }) =>
      differences(`account's ${type} modules`, idsOf(state, type), modulesIn(account, path)),
    );
  const managed = new Set(
    program
      .filter(({ type, args }) => type === "EventSubscription" && "sources" in args)
      .map(({ name }) => state.entries.find((each) => nameOf(each) === name)?.id),
  );
  const own = new Set(idsOf(state, "EventSubscription"));
  const sources = (account.event_subscriptions ?? [])
    .filter(({ id }) => !managed.has(String(id)) && (own.has(String(id)) || id === "esb_one"))
    .flatMap(({ id, sources }) =>
      ((sources ?? []) as { type: string }[]).map(({ type }) => `${String(id)}/${type}`),
    );
  return [...modules, ...differences("account's event sources", idsOf(state, "EventSource"), sources)];
}

export function modulesIn(account: Snapshot, path: string): string[] {
  const name = path.split("/").at(-1)!;
  if (path.startsWith("/edges/tls/"))
    return (account.tls_edges ?? []).filter((edge) => name in edge).map(({ id }) => String(id));
  return (account.https_edges ?? []).flatMap(({ id, routes }) =>
    (routes as Json[]).filter((route) => name in route).map((route) => `${String(id)}/${String(route.id)}`),
  );
}

/** The rules of a policy are those of its set or list, the others those of the state. */
function inRules({ program, state, account, foreign, now = -Infinity }: Situation): string[] {
  const rules = account.ip_policy_rules ?? [];
  const ids = new Map(state.entries.map((entry) => [nameOf(entry), entry.id]));
  const wanted = new Map<
    string,
    { name: string; entries: readonly Entry[]; exclusive: boolean; summarize: boolean }
  >();
  for (const { name, type, args } of program) {
    if (type !== accessList && type !== "IpPolicyRuleSet") continue;
    const part = type === accessList ? "IpPolicy" : type;
    const id = state.entries.find((each) => each.type === part && nameOf(each) === name)?.id;
    const values = resolved(args, ids) as Json;
    const all = type === accessList ? entriesOfList(values) : entriesOfSet(values);
    const entries = all.filter(({ until }) => until === undefined || Date.parse(until) > now);
    const options = { exclusive: args.exclusive !== false, summarize: args.summarize === true };
    if (id !== undefined) wanted.set(id, { name, entries, ...options });
  }
  const policyOf = (rule: Json) => String((rule.ip_policy as Json).id);
  const single = rules.filter((rule) => !wanted.has(policyOf(rule)) && !foreign.has(String(rule.id)));
  const own = state.entries
    .filter((each) => each.type === "IpPolicyRule" && !isPart(each))
    .map(({ id }) => id);
  const wrong = differences(
    "account's single rules",
    own,
    single.map(({ id }) => String(id)),
  );
  for (const [id, { name, entries, exclusive, summarize }] of wanted) {
    const ranges = new Set(entries.map((entry) => cidr.canonical(entry.cidr)));
    const found = rules
      .filter((rule) => policyOf(rule) === id)
      .map((rule) => ({ ...rule, cidr: cidr.canonical(String(rule.cidr)) }) as Entry)
      .filter((rule) => exclusive || summarize || ranges.has(rule.cidr));
    // Nobody else makes rules in the policy of a set that is not exclusive.
    if (summarize) wrong.push(...saidOtherwise(`rules of ${name}`, entries, found));
    else wrong.push(...differences(`rules of ${name}`, entries.map(inWords), found.map(inWords)));
  }
  return wrong;
}

/**
 * What rules say of addresses otherwise than entries do: by action, and by what is said beside it. What they say changes
 * only where one of them begins, so their first addresses and those behind their last ones are all that count.
 */
function saidOtherwise(what: string, entries: readonly Entry[], rules: readonly Entry[]): string[] {
  const inOrder = (all: readonly Entry[]) => all.map((each) => ({ each, block: blockOf(each.cidr)! }));
  const [wanted, found] = [inOrder(entries), inOrder(rules)];
  const addresses = [...wanted, ...found].flatMap(({ block: { family, first, last } }) => [
    { family, address: first },
    { family, address: last + 1n },
  ]);
  return addresses.flatMap(({ family, address }) => {
    const said = (all: typeof wanted): string => {
      const here = all.filter(
        ({ block }) => block.family === family && block.first <= address && address <= block.last,
      );
      const words = here.flatMap(({ each }) => {
        const text = inWords({ ...each, cidr: "" });
        return text.trim() === each.action ? [text] : [text, ` ${each.action}`];
      });
      return [...new Set(words)].sort().join();
    };
    if (said(wanted) === said(found)) return [];
    return [
      `${what}: ${family} ${address} is${said(found)} in the account, and${said(wanted)} in the program`,
    ];
  });
}

interface Entry {
  readonly cidr: string;
  readonly action: string;
  readonly description?: string | null;
  readonly metadata?: string | null;
  readonly until?: string;
}

function inWords({ cidr: range, action, description, metadata }: Entry): string {
  const texts = [description, metadata].map((text) => (text ? ` ${JSON.stringify(text)}` : ""));
  return `${cidr.canonical(range)} ${action}${texts.join(texts[1] ? " /" : "")}`;
}

function entriesOfList({ allow, deny }: Json): Entry[] {
  const each = (entries: unknown, action: string) =>
    ((entries ?? []) as (string | { cidr: string })[]).map((entry) => ({
      ...(typeof entry === "string" ? { cidr: entry } : entry),
      action,
    }));
  return [...each(allow, "allow"), ...each(deny, "deny")];
}

function entriesOfSet({ rules }: Json): Entry[] {
  return Object.entries(rules as Json).map(([range, rule]) => ({
    ...((typeof rule === "string" ? { action: rule } : rule) as Entry),
    cidr: range,
  }));
}

/** Every argument of the program has its value in the account. */
function inArguments({ program, state, account }: Situation): string[] {
  const ids = new Map(state.entries.map((entry) => [nameOf(entry), entry.id]));
  return program
    .filter(({ type }) => type !== accessList)
    .flatMap(({ name, type, args }) => {
      const declaration = declarationOf(type);
      const object = objectIn(account, declaration, ids.get(name) ?? "");
      if (object === undefined) return [];
      const wanted = argumentsFrom(resolved(args, ids) as Json);
      // What no answer holds is taken from the program.
      const found = fromWire(declaration.fields, object, wanted);
      return Object.entries(wanted)
        .filter(([argument, value]) => !agrees(declaration.fields[argument]!, value, found[argument]))
        .map(
          ([argument, value]) =>
            `${type} ${name}: ${argument} is ${JSON.stringify(found[argument])} in the account, and ` +
            `${JSON.stringify(value)} in the program`,
        );
    });
}

/** Every output in the state that is no secret has the value that the service answers. */
function inOutputs({ program, state, answers }: Situation): string[] {
  return state.entries.flatMap((entry) => {
    const { urn, type, outputs } = entry;
    const declaration = declarationOf(type);
    const { fields } = declaration;
    const answer = answers.get(urn);
    if (answer === undefined) return [];
    const found = fromWire(fields, answer, outputsFrom(outputs));
    const changedByOthers = outputsOfOthers(program.find(({ name }) => name === nameOf(entry)));
    const unanswered = [...changedByOthers, ...outputsOfCreation(declaration)];
    // An answer that leaves out what an object does not work without hides it.
    const isHidden = (name: string): boolean =>
      fields[name]!.traits.essential === true && isAbsent(found[name]);
    return Object.entries(fields)
      .filter(([name]) => !unanswered.includes(name) && !isHidden(name))
      .filter(([, field]) => !holdsSecret(field) && field.traits.local !== true)
      .filter(([name, field]) => outputs[name] !== encrypted && !same(field, outputs[name], found[name]))
      .map(
        ([name]) =>
          `${urn}: the output ${name} is ${JSON.stringify(found[name])} in the answer, and ` +
          `${JSON.stringify(outputs[name])} in the state`,
      );
  });
}

/** What stands for a value that Pulumi has encrypted in the state, which may be null. */
export const encrypted = "[secret]";

/** What only the answer to a creation holds, such as a token, is in the state, in the one form that the program asks for. */
function inSecretsOfCreation({ program, state }: Situation): string[] {
  return state.entries.flatMap((entry) => {
    const { urn, type, outputs } = entry;
    const declaration = declarationOf(type);
    const { args = {} } = program.find(({ name }) => name === nameOf(entry)) ?? {};
    const other = otherForm(declaration, args);
    return outputsOfCreation(declaration)
      .filter((name) => name !== other || outputs[name] !== encrypted)
      .filter((name) => isAbsent(outputs[name]) !== (name === other))
      .map((name) => `${urn}: the state has ${name === other ? "a" : "no"} ${name}`);
  });
}

/** The outputs that other resources of the program change, so that the state has them from the last refresh. */
function outputsOfOthers(resource: WorldResource | undefined): string[] {
  const leavesSources = resource?.type === "EventSubscription" && !("sources" in resource.args);
  return leavesSources ? ["sources", "sourceRefs"] : [];
}

/** What others own is still there. */
function inForeignObjects({ account, foreign }: Situation): string[] {
  const ids = new Set(Object.values(account).flatMap((objects) => objects.map(({ id }) => String(id))));
  return [...foreign].filter((id) => !ids.has(id)).map((id) => `the foreign ${id} is missing`);
}

function objectIn(account: Snapshot, { style, path }: Declaration, id: string): Json | undefined {
  if (style === "collection") return account[path.slice(1)]?.find((each) => each.id === id);
  if (style !== "singleton") return undefined; // the existence of the others is all that there is
  const name = path.split("/").at(-1)!;
  if (path.startsWith("/edges/tls/"))
    return account.tls_edges?.find((edge) => edge.id === id)?.[name] as Json | undefined;
  const routes = (account.https_edges ?? []).flatMap((edge) => edge.routes as Json[]);
  return routes.find((route) => `place_one/${String(route.id)}` === id)?.[name] as Json | undefined;
}

/** What the program leaves out is left to the service, members of objects too. */
function agrees(field: AnyField, wanted: unknown, found: unknown): boolean {
  const { shape, traits } = field;
  if (traits.local === true || same(field, wanted, found)) return true;
  if (shape.kind !== "object" || !isRecord(wanted)) return false;
  // An object that has nothing to set is not sent.
  if (isAbsent(found) && Object.values(wanted).every((value) => isEmpty(value))) return true;
  const members = isRecord(found) ? found : {};
  return Object.entries(wanted).every(([name, value]) => agrees(shape.fields[name]!, value, members[name]));
}

function isEmpty(value: unknown): boolean {
  return isAbsent(value) || value === "" || (Array.isArray(value) && value.length === 0);
}

function resolved(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return value.startsWith("@") ? (ids.get(value.slice(1)) ?? value) : value;
  if (Array.isArray(value)) return value.map((item) => resolved(item, ids));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [resolved(key, ids), resolved(item, ids)]),
  );
}

function idsOf({ entries }: State, type: string): string[] {
  return entries.filter((each) => each.type === type).map(({ id }) => id);
}

/** What is missing, superfluous or there twice. */
function differences(what: string, expected: readonly string[], found: readonly string[]): string[] {
  const missing = expected.filter((each) => !found.includes(each));
  const more = found.filter((each, i) => !expected.includes(each) || found.indexOf(each) !== i);
  return [
    ...missing.map((each) => `${what}: ${each} is missing`),
    ...more.map((each) => `${what}: ${each} is one too many`),
  ];
}
