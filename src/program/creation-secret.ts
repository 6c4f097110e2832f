import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import type { Sealing } from "../schema/declaration";
import { isAbsent } from "../schema/unknown";
import { programError } from "./program-errors";

/** The resource that an output belongs to, for the message. */
interface Owner {
  readonly type: string;
  readonly noun: string;
  readonly name: string;
  readonly urn: pulumi.Output<string>;
  /** The program looks it up and does not manage it. */
  readonly isLookUp: boolean;
  /** Set if the program can have the secret sealed. */
  readonly seal?: Seal;
}

interface Seal extends Pick<Sealing, "to" | "as"> {
  readonly given: unknown;
}

/**
 * The output of a secret that only the answer to a creation holds, such as an API key's token. If the state does not hold it,
 * as for an imported object, every use of the value is an error. A program that does not use it runs without an error.
 */
export function creationSecret(
  output: pulumi.Output<unknown>,
  property: string,
  owner: Owner,
): pulumi.Output<unknown> {
  // An Output derived from a missing value ends the program, so it is created at the first use of the value.
  let checked: pulumi.Output<unknown> | undefined;
  const { seal } = owner;
  const recipient: pulumi.Output<unknown> = sdk.output(seal?.given);
  const value = (): pulumi.Output<unknown> => (checked ??= recipient.apply(secretOf));
  const secretOf = (given: unknown): pulumi.Output<unknown> => {
    // A preview knows it already, though it knows no output of the resource.
    if (seal && !isAbsent(given)) return sealed(property, owner, seal);
    return output.apply((found) => found ?? owner.urn.apply((urn) => missing(property, owner, urn)));
  };
  return new Proxy(output, {
    get(target, name): unknown {
      if (name === "apply" || name === "promise") {
        // Pulumi reads the members of a resource's outputs without using them: only the call is a use.
        return (...args: unknown[]) => (value() as unknown as Methods)[name](...args);
      }
      return Reflect.get(isMemberOfValue(target, name) ? value() : target, name);
    },
  });
}

/** How Pulumi and programs reach the value; Pulumi's type declarations leave `promise` out. */
type Methods = Record<"apply" | "promise", (...args: unknown[]) => unknown>;

/** Pulumi lifts the members of a value, such as the length of a text, to Outputs. */
function isMemberOfValue(output: object, name: string | symbol): boolean {
  return typeof name === "string" && !(name in output) && name !== "then" && !name.startsWith("__");
}

function sealed(property: string, { type, name }: Owner, { to, as }: Seal): never {
  throw programError(
    `${property} of the ${type} "${name}" is not known to Pulumi, because ${to} has it sealed: use ${as}, or remove ${to}`,
  );
}

function missing(property: string, { type, noun, name, isLookUp }: Owner, urn: string): never {
  const advice = isLookUp
    ? `use an ${noun} that the program creates`
    : `to get one, replace the ${noun} with "pulumi up --target-replace ${urn}"; ` +
      `if it is protected, as imported resources are, run "pulumi state unprotect ${urn}" before`;
  throw programError(
    `${property} of the ${type} "${name}" is not in the state: the service returns it only when it creates the ${noun}, ` +
      `and this stack did not create it; ${advice}`,
  );
}
