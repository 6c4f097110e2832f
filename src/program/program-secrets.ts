/** The secrets of a program: those that it gives in plaintext, and arguments that it should not make secret. */
import * as pulumi from "@pulumi/pulumi";
import { fieldsOf } from "../schema/field";
import type { AnyField, Fields } from "../schema/field";
import type { Json } from "../schema/json";
import { notReturned, plaintextKey, holdsSecret } from "../schema/secrets";
import { isAbsent, isLater, membersOf } from "../schema/unknown";
import { accessArguments, accessValues } from "../schema/access-fields";
import { warnLater } from "./advice";

/**
 * A hidden argument with the paths of the secrets whose values are neither secret Outputs nor from secret
 * configuration; empty where there are none. It holds paths, never values. The review reports them; the life cycle
 * ignores them.
 */
export function plaintextSecrets(fields: Fields, args: Json): Record<string, unknown> {
  const found = pathsIn(fields, args, "");
  if (found.length === 0) return {};
  const paths = joined(found);
  return { [plaintextKey]: paths.apply((all) => (all.length > 0 ? all : undefined)) };
}

function pathsIn(fields: Fields, values: Json, prefix: string) {
  return Object.entries(fields)
    .filter(([name, field]) => !isAbsent(values[name]) && holdsSecret(field))
    .map(([name, field]) => pathsAt(field, values[name], prefix + name));
}

function pathsAt(field: AnyField, value: unknown, path: string): pulumi.Output<string[]> {
  if (isLater(value)) {
    const later: pulumi.Output<unknown> = pulumi.output(value);
    // Every Output knows whether it is a secret, also where its value is still unknown.
    return pulumi.output(pulumi.isSecret(later)).apply((secret): pulumi.Output<string[]> => {
      if (secret) return pulumi.output([]);
      if (field.traits.secret) return pulumi.output([path]);
      return later.apply((known) => pathsAt(field, known, path));
    });
  }
  if (field.traits.secret) return pulumi.output(value === notReturned ? [] : [path]);
  return joined(pathsIn(fieldsOf(field), membersOf(value), `${path}.`));
}

function joined(lists: pulumi.Output<string[]>[]): pulumi.Output<string[]> {
  return pulumi.all(lists).apply((each) => each.flat());
}

/**
 * Warns on the resource if an argument that decides access is a secret, so that the program hides who gets in. A review
 * of its previews reports the same as an error.
 */
export function warnOfHidden(
  resource: pulumi.Resource,
  fields: Fields,
  args: Json,
  { additionalSecretOutputs = [] }: pulumi.CustomResourceOptions = {},
): void {
  const marked = accessArguments(fields).filter(
    (name) => additionalSecretOutputs.includes(name) && args[name] !== undefined,
  );
  // An Output is a secret if any part of it is one, so what is inside of an open one needs no look.
  const later = accessValues(fields, args, isLater);
  if (marked.length + later.length === 0) return;
  const hidden = later.map(async ({ path, value }) =>
    (await pulumi.isSecret(pulumi.output(value))) ? [path] : [],
  );
  warnLater(resource, Promise.all(hidden), (paths) => {
    const all = [...new Set([...marked, ...paths.flat()])];
    return all.map((path) => `${path}: is a secret, so nobody can review who gets in; pass it in plaintext`);
  });
}
