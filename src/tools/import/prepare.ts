/** Prepares an import: reads the account and the stack's state, and writes nothing. */
import { isDeepStrictEqual } from "node:util";
import type { AccountClient } from "../../account/account-client";
import { readAccount } from "../inventory/account-contents";
import type { AccountContents, AccountObject } from "../inventory/account-contents";
import { accountKey, named } from "../inventory/inventory";
import type { InventoryObject } from "../inventory/inventory";
import { countByClass, excludedBy, withOwners } from "../inventory/excluded";
import type { ExcludedCounts } from "../inventory/excluded";
import { entryText, exclusiveSetIn, managerIn } from "../inventory/managed";
import type { StackContents } from "../inventory/stack";
import { declarationOf, declarations, separateArguments } from "../../resources/registry";
import type { ImportFile } from "../stack/import-file";
import { statementKey } from "./program/existing-program";
import type { ExistingStatement } from "./program/existing-program";
import type { ImportOptions } from "./import-options";
import type { NamesInUse } from "./objects/naming";
import { resourceValues } from "../../provider/existing/resource-values";
import type { Conditions } from "../../provider/existing/resource-values";
import { doorChoice } from "./objects/door-choice";
import type { DoorChoice } from "./objects/door-choice";
import { importFileFor, planFor } from "./objects/plan";
import type { Note, Plan, PlannedResource } from "./objects/plan";
import { chosenTypes, matching, typeNamed } from "./objects/selection";
import type { ImportSelection } from "./objects/selection";
import { setMaker, withEntries } from "./objects/sets";
import type { NewStatement } from "./program/statement";
import { newStatements } from "./program/statements";

export interface Preparing extends ImportSelection, Pick<ImportOptions, "modules" | "protect" | "provider"> {
  readonly client: AccountClient;
  readonly stack: StackContents | undefined;
  /** The statements of the program. Objects of removed statements get the same names again. */
  readonly existing: readonly ExistingStatement[];
  readonly report: (line: string) => void;
  /** In milliseconds since 1970. */
  readonly now: number;
}

export interface Prepared {
  readonly plan: Plan;
  readonly statements: readonly NewStatement[];
  readonly file: ImportFile;
  readonly doorOf: DoorChoice;
  /** The objects of the selected classes that the user excludes. */
  readonly excluded: ExcludedCounts;
  /** The number of the stack's resources that manage objects of the selected classes. */
  readonly managed: number;
  /** The resources of the stack whose objects no longer exist in the account. */
  readonly gone: readonly InventoryObject[];
  /** The HTTPS edges of endpoints for which the user named no route. The API does not list them. */
  readonly unreadEdges: readonly string[];
  /** Reads the lists of the resources again, and returns the changes to their objects since the first reading. */
  check(): Promise<Changes>;
}

/** The changes to the account during the import. */
export interface Changes {
  readonly deleted: readonly PlannedResource[];
  /** The objects that no longer match the program. */
  readonly changed: readonly PlannedResource[];
}

export async function prepare(preparing: Preparing): Promise<Prepared> {
  const { client, stack, provider, now } = preparing;
  const isChosen = chosenTypes(preparing);
  const [managerOf, setOf] = [managerIn(stack), exclusiveSetIn(stack)];
  const wanted = withOwners(preparing, withEntries(isChosen));
  const { objects: all, edges } = await read(preparing, "Reading", wanted);
  const objects = all.filter((each) => !isReadOnly(each));
  const isManaged = (each: AccountObject): boolean => managerOf(each) !== undefined;
  const drift = new Set(objects.filter((each) => !isManaged(each) && setOf(each) !== undefined));
  const isOfChosen = ({ declaration }: AccountObject): boolean =>
    declarations.some(
      ({ type, setOf }) => isChosen(type) && (type === declaration.type || setOf === declaration),
    );
  const matched = excludedBy(preparing)(all);
  const isExcluded = (each: AccountObject): boolean =>
    matched.has(each) && !isManaged(each) && !drift.has(each);
  const conditions = { settings: client.settings, now, without: separateSources(preparing) };
  const isSelected = matching(preparing);
  const isChosenSet = (set: AccountObject): boolean => {
    if (!isChosen(set.declaration.type)) return false;
    const found = resourceValues(set, conditions);
    return isSelected(set.id, "values" in found ? found.values : {});
  };
  // An exclusive set would delete the rules of its policy that the user excluded.
  const asSets = setMaker(objects, (each) => isManaged(each) || isExcluded(each), isChosenSet);
  const unmanaged = objects.filter((each) => !isManaged(each) && !drift.has(each) && !isExcluded(each));
  const open = asSets(unmanaged).filter(({ declaration }) => isChosen(declaration.type));
  const { resources, notes } = planFor(open, { ...conditions, isSelected, inUse: namesInUse(preparing) });
  const statements = newStatements(resources, preparing);
  const doorOf = doorChoice(stack, provider);
  return {
    plan: {
      resources,
      notes: [...notes, ...driftNotes([...drift].filter(isOfChosen), setOf), ...readOnly(all, isExcluded)],
    },
    excluded: countByClass(all.filter((each) => isExcluded(each) && (isOfChosen(each) || isReadOnly(each)))),
    statements,
    doorOf,
    file: importFileFor(resources, { provider, doorOf }, now),
    managed: new Set(objects.filter(isOfChosen).flatMap((each) => managerOf(each) ?? [])).size,
    gone: goneFrom(objects, preparing, isChosen),
    unreadEdges: declarations.some(({ style, type }) => style === "singleton" && isChosen(type))
      ? edges.https.filter(
          (edge) => !preparing.modules.httpsRoutes?.some((route) => route.startsWith(`${edge}/`)),
        )
      : [],
    async check() {
      const types = new Set(resources.map(({ declaration }) => declaration.type));
      const isOfResources = withEntries((type) => types.has(type));
      const again = await read(preparing, "Checking", isOfResources, edges.tls);
      return changesOf(resources, asSets(again.objects), conditions);
    },
  };
}

/** The changes from the planned resources to the objects of a later reading. */
function changesOf(
  resources: readonly PlannedResource[],
  objects: readonly AccountObject[],
  conditions: Conditions,
): Changes {
  const current = new Map(objects.map((each) => [accountKey(each), each]));
  const isDeleted = (each: PlannedResource): boolean => !current.has(accountKey(each));
  const isSame = ({ args, ...each }: PlannedResource): boolean => {
    const values = resourceValues(current.get(accountKey(each))!, conditions);
    return "args" in values && isDeepStrictEqual(values.args, args);
  };
  return {
    deleted: resources.filter(isDeleted),
    changed: resources.filter((each) => !isDeleted(each) && !isSame(each)),
  };
}

/** Rules that are not in the stack's exclusive set, and that no other resource can manage. */
function driftNotes(objects: readonly AccountObject[], setOf: ReturnType<typeof exclusiveSetIn>): Note[] {
  return objects.map((each) => ({
    type: each.declaration.type,
    id: each.id,
    reason: `${entryText(each)} is drift of ${named(setOf(each)!)}: pulumi refresh records it, and the next up deletes it unless the program contains it`,
  }));
}

/** Objects in lists that no class manages, such as the endpoints of agents. */
function readOnly(objects: readonly AccountObject[], isExcluded: (object: AccountObject) => boolean): Note[] {
  return objects
    .filter((each) => isReadOnly(each) && !isExcluded(each))
    .map(({ declaration, id }) => ({
      type: declaration.type,
      id,
      reason: "no class manages objects of its type",
    }));
}

function isReadOnly({ declaration }: AccountObject): boolean {
  return !declarations.includes(declaration);
}

/** Reads the classes. Without `knownEdges`, it finds the TLS edges that endpoints name. */
function read(
  { client, only, modules, report }: Preparing,
  what: string,
  isChosen: (type: string) => boolean,
  knownEdges?: readonly string[],
): Promise<AccountContents> {
  return readAccount({
    client,
    isChosen: (declaration) => declarations.includes(declaration) && isChosen(declaration.type),
    members: importsSources(only),
    modules: { ...modules, tlsEdges: [...(modules.tlsEdges ?? []), ...(knownEdges ?? [])] },
    findsEdges: knownEdges === undefined,
    report: (line) => report(`${what}: ${line}`),
  });
}

/** Sources are part of their subscriptions unless the user asks for them. */
function importsSources(only: ImportSelection["only"]): boolean {
  return only?.some((name) => declarationOf(typeNamed(name)).style === "member") ?? false;
}

/**
 * The resources of the stack that the account does not have. Modules and sources are in no list, so their absence is unknown.
 * Resources with another provider are left out: they may be in another account.
 */
function goneFrom(
  objects: readonly AccountObject[],
  { stack, provider }: Preparing,
  isChosen: (type: string) => boolean,
): InventoryObject[] {
  const existing = new Set(objects.map(accountKey));
  return (stack?.managed ?? [])
    .filter((each) => each.provider === provider?.urn && isChosen(each.declaration.type))
    .filter(({ declaration }) => declaration.style === "collection")
    .filter((each) => !existing.has(accountKey(each)));
}

function namesInUse({ stack, existing, provider }: Preparing): NamesInUse {
  const kept = existing.filter(({ isManaged }) => isManaged).map(({ variable }) => variable);
  const open = existing.filter(({ isManaged }) => !isManaged);
  return {
    names: new Set(stack?.managed.map(({ declaration, name }) => `${declaration.type} ${name}`)),
    variables: new Set(provider ? [...kept, provider.variable] : kept),
    earlier: new Map(open.map((statement) => [statementKey(statement), statement])),
  };
}

/** Leaves the sources out of a subscription whose sources are separate resources, now or in the stack. */
function separateSources({ stack, only }: Preparing): Conditions["without"] {
  const all = importsSources(only);
  const managed = stack?.managed.filter(({ declaration }) => declaration.style === "member") ?? [];
  const owners = new Set(managed.map(({ id }) => id?.split("/")[0]));
  return ({ declaration, id }) => (all || owners.has(id) ? separateArguments(declaration) : []);
}
