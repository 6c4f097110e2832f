/** Which secrets a program gives in clear: the review of a preview tells it, the life cycle ignores it. */
import * as pulumi from "@pulumi/pulumi";
import type { AnyField, Fields } from "../schema/field";
import { notReturned } from "../schema/not-returned";
import { plaintextKey, holdsSecret } from "../schema/secrets";
import { isRecord } from "../schema/unknown";

/**
 * A hidden argument with the paths of the secrets whose values are neither secret Outputs nor from secret
 * configuration; nothing where no secret is given. It holds paths and never a value.
 */
export function givenInClear(
  fields: Fields,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const found = pathsIn(fields, args, "");
  if (found.length === 0) return {};
  const paths = joined(found);
  return { [plaintextKey]: paths.apply((all) => (all.length > 0 ? all : undefined)) };
}

function pathsIn(fields: Fields, values: Readonly<Record<string, unknown>>, prefix: string) {
  return Object.entries(fields)
    .filter(([name, field]) => values[name] !== undefined && values[name] !== null && holdsSecret(field))
    .map(([name, field]) => pathsAt(field, values[name], prefix + name));
}

function pathsAt(field: AnyField, value: unknown, path: string): pulumi.Output<string[]> {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) {
    const later: pulumi.Output<unknown> = pulumi.output(value as pulumi.Input<unknown>);
    // Whether it is a secret is known of every Output; only what is inside of it may be not known yet.
    return pulumi.output(pulumi.isSecret(later)).apply((secret): pulumi.Output<string[]> => {
      if (secret) return pulumi.output([]);
      if (field.traits.secret) return pulumi.output([path]);
      return later.apply((known) => pathsAt(field, known, path));
    });
  }
  if (field.traits.secret) return pulumi.output(value === notReturned ? [] : [path]);
  const { shape } = field;
  return joined(shape.kind === "object" && isRecord(value) ? pathsIn(shape.fields, value, `${path}.`) : []);
}

function joined(lists: pulumi.Output<string[]>[]): pulumi.Output<string[]> {
  return pulumi.all(lists).apply((each) => each.flat());
}
