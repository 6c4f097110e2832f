/** Runs a program in this process, and hands each resource that it declares to an engine. */
import * as pulumi from "@pulumi/pulumi";
import { classIn } from "../../../src/program/shim";
import type { Values } from "./values";

/** A resource as the program declares it. */
export interface Registration {
  readonly urn: string;
  /** The class. */
  readonly type: string;
  readonly name: string;
  /** Secrets are marked, and unknown values are Pulumi's text for them. */
  readonly inputs: Values;
  readonly dependencies: readonly string[];
  /** By input: the resources whose outputs it is made from. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly secretOutputs: readonly string[];
  /** Undefined if the diff hook decides it. */
  readonly deleteBeforeReplace: boolean | undefined;
  readonly protect: boolean;
  /** The explicit provider. */
  readonly provider: string | undefined;
  /** The component that it is a part of. */
  readonly parent: string | undefined;
}

/** A resource that the program reads by its id. */
export type LookUp = Pick<Registration, "urn" | "type" | "name" | "inputs" | "secretOutputs"> & {
  readonly id: string;
};

/** An engine's answer: the id, "" if it is not known, and the outputs that are known or marked as unknown. */
export interface Answer {
  readonly id: string;
  readonly outputs: Values;
}

export interface Registry {
  register(registration: Registration): Promise<Answer>;
  lookUp(lookUp: LookUp): Promise<Answer>;
}

/** The parts of Pulumi's requests that its mocks do not pass on. */
interface Request {
  getDependenciesList(): string[];
  getPropertydependenciesMap(): { entries(): Iterable<[string, { getUrnsList(): string[] }]> };
  getProtect(): boolean | undefined;
  getDeletebeforereplacedefined(): boolean;
  getDeletebeforereplace(): boolean;
  getAdditionalsecretoutputsList(): string[];
  getObject(): { toJavaScript(): Values };
}
type Register = (request: Request & { getType(): string; getName(): string }, callback: unknown) => void;

/** The environment of a program. */
export interface Setting {
  readonly isPreview: boolean;
  readonly project: string;
  /** The configuration that the program reads, by full keys. */
  readonly config: Readonly<Record<string, string>>;
}

/** The address of a resource in the state. */
export function urnOf(project: string, type: string, name: string): string {
  return `urn:pulumi:test::${project}::${type}::${name}`;
}

/**
 * Resolves when every resource is registered; rejects with the first failure, after everything that was started has
 * ended.
 */
export async function inProgram(
  program: () => unknown,
  { isPreview, project, config }: Setting,
  registry: Registry,
): Promise<void> {
  const requests = new Map<string, Request>();
  const begun: Promise<Answer>[] = [];
  let fail: (error: unknown) => void;
  let isOver = false;
  const failed = new Promise<never>((_, reject) => {
    fail = (error) => {
      isOver = true;
      reject(error instanceof Error ? error : new Error(String(error)));
    };
  });

  function answerTo(
    { type, name, id, inputs }: pulumi.runtime.MockResourceArgs,
    ownType: string,
  ): Promise<Answer> {
    const resource = { urn: urnOf(project, type, name), type: ownType, name };
    const request = requests.get(`${type}::${name}`);
    return request
      ? registry.register({ ...resource, ...registrationOf(request) })
      : registry.lookUp({ ...resource, id: id!, inputs: inputs as Values, secretOutputs: [] });
  }
  const newResource = async (args: pulumi.runtime.MockResourceArgs) => {
    // Components and providers of other accounts are ignored: here all resources are in one account.
    const ownType = args.custom === true ? classIn(args.type) : undefined;
    if (ownType === undefined) return { id: `${args.name}_id`, state: args.inputs as Values };
    // The engine takes no more resources of a program that failed.
    if (isOver) return new Promise<never>(() => undefined);
    const answer = answerTo(args, ownType);
    begun.push(answer);
    try {
      const { id, outputs } = await answer;
      return { id, state: outputs };
    } catch (error) {
      fail(error);
      // A rejection would reach every promise of the resource, and jest counts each one as a failure of the test.
      return new Promise<never>(() => undefined);
    }
  };
  pulumi.runtime.setAllConfig({ ...config });
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, project, "test", isPreview);
  const monitor = pulumi.runtime.getMonitor() as unknown as { registerResource: Register };
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, callback) => {
    requests.set(`${request.getType()}::${request.getName()}`, request);
    register(request, callback);
  };

  // Pulumi captures a stack trace for each promise, which takes most of the time because jest maps it to sources.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    await program();
    // Pulumi's own declarations leave out the function that waits.
    const registered = (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();
    await Promise.race([registered, failed]);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    await Promise.allSettled(begun);
  }
}

function registrationOf(request: Request) {
  return {
    inputs: request.getObject().toJavaScript(),
    dependencies: request.getDependenciesList(),
    propertyDependencies: Object.fromEntries(
      [...request.getPropertydependenciesMap().entries()].map(([name, urns]) => [name, urns.getUrnsList()]),
    ),
    protect: request.getProtect() === true,
    provider: undefined, // here all resources are in one account
    parent: undefined,
    secretOutputs: request.getAdditionalsecretoutputsList(),
    deleteBeforeReplace: request.getDeletebeforereplacedefined()
      ? request.getDeletebeforereplace()
      : undefined,
  };
}
