import * as pulumi from "@pulumi/pulumi";
import { checkArguments } from "../schema/validate";
import type { Declaration } from "../schema/declaration";
import { withMaps } from "../schema/listed";
import { withoutEmptyDefaults } from "../provider/life-cycle/arguments";
import { mapValues } from "../schema/unknown";
import { outputsForEngine, withoutHidden } from "../schema/recorded-state";
import { inOneForm } from "../schema/sealing";
import { argumentsFrom } from "../schema/values";
import type { FieldValues } from "../schema/values";
import { valuesIn } from "../provider/http/path";
import { fromWire } from "../provider/life-cycle/wire";
import { declarations } from "../resources/registry";
import { classIn, nativeTokenPrefix, tokenPrefix } from "../program/shim";
import { problemsText, rejectingWrongArguments, wrongArguments } from "../program/program-errors";
import { answerFor, idFor } from "./mocked-answer";

type Json = Record<string, unknown>;

/** A resource of this package that a program declared. */
export interface MockedResource<Inputs = Record<string, unknown>> {
  /** The class's name, such as `IpPolicyRule`. */
  readonly type: string;
  /** The resource's name in the program. */
  readonly name: string;
  /** The id that its `id` output has. */
  readonly id: string;
  /** The arguments with every Output resolved; secrets are plain values here. Arguments that were left out are absent. */
  readonly inputs: Inputs;
  /** The name of its explicit `Provider`; undefined if it uses the account of the stack's configuration. */
  readonly provider: string | undefined;
}

/** The options of {@link mocks}. */
export interface MocksOptions {
  /**
   * Outputs that replace the generated ones, by name, such as a token that a test compares or the end of a
   * certificate. Default: all outputs are generated.
   */
  outputs?(resource: MockedResource): Record<string, unknown> | undefined;
  /**
   * Mocks of the other packages that the program uses. Default: their resources get the id `<name>_id` and their
   * inputs as outputs, and their functions return an empty object.
   */
  others?: pulumi.runtime.Mocks;
}

/** A class of this package, whose arguments have the type `Args`. */
export interface ResourceClass<Args> {
  new (name: string, args: Args, ...rest: never[]): pulumi.CustomResource;
  isInstance(value: unknown): boolean;
}

/** See {@link mocks}. */
export interface GatewayMocks extends pulumi.runtime.Mocks {
  /** The resources of this package that are declared so far, in the order of their registration; no look-ups. */
  readonly resources: readonly MockedResource[];
  /** Those of one class, their inputs typed as its arguments. */
  of<Args>(type: ResourceClass<Args>): readonly MockedResource<pulumi.Unwrap<NonNullable<Args>>>[];
  /**
   * Clears the list of resources, runs the program and waits until every resource that it declares is registered.
   * Resolves with the program's result; rejects if the program fails or an argument is wrong.
   */
  run<T>(program: () => T | Promise<T>): Promise<T>;
}

/**
 * Mocks for the unit tests of a program that uses this package, for `pulumi.runtime.setMocks`. No engine and no
 * service is needed:
 *
 * - every resource gets an id of the right form: `ipp_office` for the IP policy `office`, `<edgeId>/<routeId>` for
 *   a module;
 * - an output has the value of the argument, the service's default, or, if only the service knows it, a value that
 *   no real service returns, such as `mocked-token-of-pipeline`. What a new object lacks is undefined. Secrets are secret;
 * - wrong arguments fail the test with the message that `pulumi preview` shows;
 * - resources of other packages pass.
 *
 * ## Example: what a program declares
 *
 * ```typescript
 * import assert from "node:assert/strict";
 * import * as pulumi from "@pulumi/pulumi";
 * import { IpPolicy, IpPolicyRule } from "pulumi-tunnel-gateway";
 * import { mocks } from "pulumi-tunnel-gateway/testing";
 *
 * const gateway = mocks();
 * await pulumi.runtime.setMocks(gateway); // before each test
 * await gateway.run(() => {
 *   const office = new IpPolicy("office");
 *   new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow" });
 * });
 *
 * assert.deepEqual(
 *   gateway.of(IpPolicyRule).map(({ inputs }) => inputs),
 *   [{ ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" }],
 * );
 * ```
 *
 * Functions such as `getIpPolicy` and `listApiKeys` are not mocked: they send requests to the account that the
 * settings name. Give them the emulator of `pulumi-tunnel-gateway/emulator`:
 *
 * ```typescript
 * import { getIpPolicy } from "pulumi-tunnel-gateway";
 * import { startEmulator } from "pulumi-tunnel-gateway/emulator";
 *
 * const emulator = await startEmulator();
 * process.env.TUNNEL_GATEWAY_BASE_URL = emulator.baseUrl;
 * process.env.TUNNEL_GATEWAY_API_KEY = emulator.apiKey;
 * await emulator.seed({ ip_policies: [{ description: "office networks" }] });
 * console.log((await getIpPolicy({ description: "office networks" })).id);
 * await emulator.close();
 * ```
 *
 * @param options your outputs, and mocks of other packages.
 */
export function mocks(options: MocksOptions = {}): GatewayMocks {
  return new ReadyMocks(options);
}

class ReadyMocks implements GatewayMocks {
  readonly resources: MockedResource[] = [];
  /** The problems found while a program runs; they are reported together at its end. */
  private problems: string[] | undefined;

  constructor(private readonly options: MocksOptions) {}

  of<Args>(type: ResourceClass<Args>): MockedResource<pulumi.Unwrap<NonNullable<Args>>>[] {
    const own = this.resources.filter((each) =>
      [tokenPrefix, nativeTokenPrefix].some((prefix) =>
        type.isInstance({ __pulumiType: prefix + each.type }),
      ),
    );
    return own as unknown as MockedResource<pulumi.Unwrap<NonNullable<Args>>>[];
  }

  async run<T>(program: () => T | Promise<T>): Promise<T> {
    this.resources.length = 0;
    const problems = (this.problems = [] as string[]);
    try {
      const result = await rejectingWrongArguments(() => settled(program));
      if (problems.length > 0) throw wrongArguments(problems);
      return result;
    } catch (error) {
      // A resource with wrong arguments is never registered. Pulumi would wait for it and report a leak at exit.
      if (error instanceof pulumi.RunError) await this.reset();
      throw error;
    } finally {
      this.problems = undefined;
    }
  }

  /** Sets these mocks again, which makes Pulumi drop the registrations that it waits for. */
  private reset(): Promise<void> {
    return pulumi.runtime.setMocks(this, pulumi.getProject(), pulumi.getStack(), pulumi.runtime.isDryRun());
  }

  newResource(args: pulumi.runtime.MockResourceArgs) {
    const type = classIn(args.type);
    const declaration = declarations.find((each) => each.type === type);
    if (declaration === undefined) return this.other(args);
    const given = withoutHidden(args.inputs as Json);
    return isLookUp(args, given) ? this.found(declaration, args) : this.created(declaration, args, given);
  }

  call(args: pulumi.runtime.MockCallArgs) {
    return this.options.others?.call(args) ?? {};
  }

  private created(
    declaration: Declaration,
    { name, id: imported, provider }: pulumi.runtime.MockResourceArgs,
    given: Json,
  ) {
    const { type, fields, rules } = declaration;
    const inputs = argumentsFrom(mapValues(given, pulumi.runtime.unwrapRpcSecret));
    const found = checkArguments(fields, rules, inputs, { olds: {}, now: Date.now() });
    if (found.length > 0) {
      this.refuse(problemsText(type, name, found));
    }
    const id = isGiven(imported) ? imported : idFor(declaration, name, inputs);
    const resource = { type, name, id, inputs, provider: nameOf(provider) };
    this.resources.push(resource);
    const state = this.outputs(declaration, resource, withoutEmptyDefaults(fields, withMaps(fields, inputs)));
    // A secret argument is a secret output.
    const isSecret = (output: string): boolean =>
      pulumi.runtime.isRpcSecret(given[output]) && !pulumi.runtime.isRpcSecret(state[output]);
    return {
      id,
      state: mapValues(state, (value, output) => (isSecret(output) ? pulumi.secret(value) : value)),
    };
  }

  private found(declaration: Declaration, { name, id = "", provider }: pulumi.runtime.MockResourceArgs) {
    const known = valuesIn(declaration.path, id);
    const resource = { type: declaration.type, name, id, inputs: {}, provider: nameOf(provider) };
    return { id, state: this.outputs(declaration, resource, known) };
  }

  /** The outputs that the life cycle reads from an answer. */
  private outputs(declaration: Declaration, resource: MockedResource, known: FieldValues): Json {
    const answer = answerFor(declaration, resource.id, resource.name, known);
    const outputs = inOneForm(declaration, known, fromWire(declaration.fields, answer, known));
    const own = this.options.outputs?.(resource) ?? {};
    const names = Object.keys(declaration.fields).filter((name) => !declaration.fields[name]!.traits.local);
    const wrong = Object.keys(own).filter((name) => !names.includes(name));
    if (wrong.length === 0) return outputsForEngine(declaration, { ...outputs, ...own });
    const all = `its outputs are ${names.join(", ")}`;
    throw new TypeError(`mocks: ${declaration.type} has no output ${wrong.join(", ")}; ${all}`);
  }

  private other(args: pulumi.runtime.MockResourceArgs) {
    const plain = { id: args.custom === false ? undefined : `${args.name}_id`, state: args.inputs as Json };
    return this.options.others?.newResource(args) ?? plain;
  }

  private refuse(problem: string): void {
    if (this.problems === undefined) throw wrongArguments([problem]);
    this.problems.push(problem);
  }
}

/** A look-up such as `IpPolicy.get` passes an id and no arguments. */
function isLookUp({ id }: pulumi.runtime.MockResourceArgs, given: Json): boolean {
  return isGiven(id) && Object.keys(given).length === 0;
}

/** Whether the program named the id, to look the object up or with the option `import`. */
function isGiven(id: string | undefined): id is string {
  return id !== undefined && id !== "";
}

/** The name in a reference to a provider, which consists of its URN and its id. */
function nameOf(provider: string | undefined): string | undefined {
  return provider === undefined || provider === "" ? undefined : provider.split("::").at(-2);
}

/**
 * Runs the program until every resource is registered, even if the program fails: no registration may outlive the test. Pulumi's
 * type declarations leave out the function that waits.
 */
async function settled<T>(program: () => T | Promise<T>): Promise<T> {
  try {
    return await program();
  } finally {
    await (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();
  }
}
