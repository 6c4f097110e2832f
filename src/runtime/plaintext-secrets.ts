/** Finds the secrets that a program gives in plaintext. The review reports them; the life cycle ignores them. */
import * as pulumi from "@pulumi/pulumi";
import { fieldsOf } from "../schema/field";
import type { AnyField, Fields } from "../schema/field";
import type { Json } from "../schema/json";
import { notReturned } from "../schema/not-returned";
import { plaintextKey, holdsSecret } from "../schema/secrets";
import { isAbsent, isLater, membersOf } from "../schema/unknown";

/**
 * A hidden argument with the paths of the secrets whose values are neither secret Outputs nor from secret
 * configuration; empty where there are none. It holds paths, never values.
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
