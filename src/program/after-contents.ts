/**
 * Makes a resource wait for what the program declares inside the objects that it names: an edge waits for the rules of its
 * policies. The engine then changes it after them and deletes it before them.
 */
import { setImmediate as turn } from "node:timers";
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import { oncePer } from "../schema/once-per";
import { endProgram, programError } from "./program-errors";
import type { Constructed } from "./program-arguments";
import { everyField, fieldsOf } from "../schema/field";
import type { Fields } from "../schema/field";
import { declaresRules } from "../schema/rule-set";
import { isAbsent, isRecord, membersOf } from "../schema/unknown";
import { partsIn, walk } from "../schema/walk";

interface Declared extends Constructed {
  readonly resource: pulumi.Resource;
}

/** The resources of a run in the order of the program. */
type RunResources = Map<pulumi.Resource, Declared>;

const declaredIn = oncePer((_run: object): RunResources => new Map());

function resourcesOfRun(): RunResources {
  return declaredIn(sdk.currentRun());
}

/**
 * The resource's option `dependsOn`.
 * @param resource returns the resource, which a constructor has only after its options.
 */
export function dependenciesOf(
  { declaration, args, opts }: Constructed,
  resource: () => pulumi.Resource,
): pulumi.CustomResourceOptions["dependsOn"] {
  const named = namedIds(declaration.fields, args);
  if (named.length === 0) return opts.dependsOn;
  const contents = new Promise<void>((resolve) => turn(resolve)).then(() => contentsFor(resource(), named));
  // Pulumi takes lists in lists, which its type does not say.
  return [opts.dependsOn ?? [], contents] as unknown as pulumi.Resource[];
}

/** Records a resource of the program, for the resources that wait. */
export function noteResource(resource: pulumi.Resource, constructed: Constructed): void {
  resourcesOfRun().set(resource, { ...constructed, resource });
}

/** The values of the fields that are declared with `afterContents`. */
function namedIds(fields: Fields, args: unknown): unknown[] {
  const ids: unknown[] = [];
  walk(partsIn(fields, membersOf(args)), ({ field, value }) => {
    if (isAbsent(value) || !everyField(field).some(({ traits }) => traits.afterContents)) return false;
    if (field.traits.afterContents) ids.push(value);
    // The members of an Output are not known yet.
    else if (sdk.isLater(value))
      ids.push(sdk.output(value).apply((known) => namedIds(fieldsOf(field), known)));
    return !sdk.isLater(value) && !field.traits.afterContents;
  });
  return ids;
}

/** The argument with the policy's id, if the resource is a rule or a set of rules. */
function policyIdOf({ declaration, args, opts }: Declared): unknown {
  return declaresRules(declaration) && opts.id === undefined ? args.ipPolicyId : undefined;
}

/** The objects that a value refers to, as far as the program knows before the value is known. */
interface Origin {
  /** The resources of this package whose ids it holds. */
  readonly resources: ReadonlySet<pulumi.Resource>;
  readonly texts: ReadonlySet<string>;
  /** Whether the value may contain other ids. */
  readonly isOpen: boolean;
}

function originOf(value: unknown, all: RunResources): Origin {
  const resources = new Set<pulumi.Resource>();
  const texts = new Set<string>();
  let isOpen = false;
  const seen = new Set<unknown>();
  const visit = (part: unknown): void => {
    if (typeof part === "string") return void texts.add(part);
    if (seen.has(part)) return;
    seen.add(part);
    if (sdk.Output.isInstance(part)) {
      const sources = [...resourcesOf(part)];
      if (sources.length === 0) isOpen = true;
      sources.forEach(visit);
    } else if (part instanceof Promise) isOpen = true;
    else if (Array.isArray(part)) part.forEach(visit);
    else if (sdk.Resource.isInstance(part)) {
      const declared = all.get(part);
      if (declared === undefined) isOpen = true;
      else if (declared.opts.id !== undefined) visit(declared.opts.id);
      else if (policyIdOf(declared) !== undefined) visit(policyIdOf(declared));
      else resources.add(part);
    } else if (isRecord(part)) Object.values(part).forEach(visit);
  };
  visit(value);
  return { resources, texts, isOpen };
}

async function contentsFor(resource: pulumi.Resource, named: unknown[]): Promise<pulumi.Resource[]> {
  const all = resourcesOfRun();
  const wanted = originOf(named, all);
  const isOnlyManaged = ({ texts, isOpen }: Origin): boolean => texts.size === 0 && !isOpen;
  let texts: Promise<ReadonlySet<string>> | undefined;
  const matches = [...all.values()].map(async (declared) => {
    const policy = policyIdOf(declared);
    if (isAbsent(policy) || declared.resource === resource) return undefined;
    const origin = originOf(policy, all);
    const isSame = haveSame(origin, wanted);
    // Ids of two managed objects differ. Any other id may be a text of the program, or come from elsewhere.
    if (!isSame && isOnlyManaged(origin) && isOnlyManaged(wanted)) return undefined;
    const way = wayTo(resource, declared.resource, all);
    if (isSame) {
      if (way === undefined) return declared.resource;
      return way.length > 2 ? endWith(way, all) : undefined;
    }
    // Waiting for the id would be waiting for the resource itself.
    if (way !== undefined) return undefined;
    texts ??= textsOf(named);
    return intersects(await textsOf(policy), await texts) ? declared.resource : undefined;
  });
  return (await Promise.all(matches)).filter((match) => match !== undefined);
}

/** Whether the program alone shows that both values refer to one object. */
function haveSame(some: Origin, others: Origin): boolean {
  return intersects(some.resources, others.resources) || intersects(some.texts, others.texts);
}

function intersects<T>(some: ReadonlySet<T>, others: ReadonlySet<T>): boolean {
  return [...some].some((each) => others.has(each));
}

/** The part of an Output that Pulumi does not publish. */
interface Internals {
  promise(): Promise<unknown>;
  resources(): ReadonlySet<pulumi.Resource>;
}

function resourcesOf(output: pulumi.Output<unknown>): ReadonlySet<pulumi.Resource> {
  return (output as unknown as Internals).resources();
}

/** The texts in the value; none where it is unknown in this run. */
async function textsOf(value: unknown): Promise<ReadonlySet<string>> {
  const known = await (sdk.output(value) as unknown as Internals).promise().catch(() => undefined);
  return new Set([known].flat(3).filter((each) => typeof each === "string"));
}

/** The chain of resources through which `from` waits for `target`, both included; undefined if it does not wait. */
function wayTo(
  target: pulumi.Resource,
  from: pulumi.Resource,
  all: RunResources,
): pulumi.Resource[] | undefined {
  const before = new Map<pulumi.Resource, pulumi.Resource | undefined>([[from, undefined]]);
  // A Map also iterates over entries that the loop adds, the nearest resources first.
  for (const resource of before.keys()) {
    if (resource === target) {
      const way = [resource];
      while (before.get(way[0]!) !== undefined) way.unshift(before.get(way[0]!)!);
      return way;
    }
    const declared = all.get(resource);
    if (declared === undefined) continue;
    for (const next of [...waitedFor(declared), ...ownContents(declared, all)]) {
      if (!before.has(next)) before.set(next, resource);
    }
  }
  return undefined;
}

/** The resources that the resource waits for because of this file. */
function ownContents(waiting: Declared, all: RunResources): pulumi.Resource[] {
  const named = namedIds(waiting.declaration.fields, waiting.args);
  if (named.length === 0) return [];
  const wanted = originOf(named, all);
  return [...all.values()]
    .filter((each) => haveSame(originOf(policyIdOf(each), all), wanted))
    .filter((each) => !waitedFor(each).has(waiting.resource))
    .map(({ resource }) => resource);
}

/** The resources that the resource waits for because of its arguments and options. */
function waitedFor({ args, opts }: Declared): Set<pulumi.Resource> {
  const found = new Set<pulumi.Resource>();
  const visit = (part: unknown): void => {
    if (sdk.Output.isInstance(part)) resourcesOf(part).forEach(visit);
    else if (sdk.Resource.isInstance(part)) {
      if (found.has(part)) return;
      found.add(part);
      // Pulumi waits for all that a component holds.
      if (sdk.ComponentResource.isInstance(part)) childrenOf(part).forEach(visit);
    } else if (Array.isArray(part)) part.forEach(visit);
    else if (isRecord(part) && !(part instanceof Promise)) Object.values(part).forEach(visit);
  };
  visit(args);
  visit(opts.dependsOn);
  if (opts.parent) found.add(opts.parent);
  return found;
}

function childrenOf(component: pulumi.Resource): ReadonlySet<pulumi.Resource> {
  return (component as unknown as { __childResources?: Set<pulumi.Resource> }).__childResources ?? new Set();
}

/** The runs that a cycle has ended: each resource in the cycle finds it. */
const ended = new WeakSet<object>();

function endWith(way: readonly pulumi.Resource[], all: RunResources): Promise<never> {
  if (!ended.has(all)) endProgram(circle(way, all));
  ended.add(all);
  // It never resolves, so the resource is never registered.
  return new Promise(() => undefined);
}

function circle(way: readonly pulumi.Resource[], all: RunResources): pulumi.RunError {
  const labels = way.map((resource) => {
    const declared = all.get(resource);
    return declared ? `${declared.declaration.type} "${declared.name}"` : "a component";
  });
  const own = labels.at(-1)!;
  return programError(
    `${own} cannot wait for ${labels[0]!}, which is part of an object that it names: ` +
      `each waits for the next in ${[own, ...labels].join(" -> ")}. ` +
      `Take what comes from ${own} out of the arguments of ${labels.at(-2)!}`,
  );
}
